//! Finds parts of a design that do nothing, which the author seldom means: classes that nobody
//! uses, conditions and constraints that say nothing, states, transitions and calls that no run
//! gets to.
//!
//! Only certain facts are reported. Findings that the text alone shows are reported for every
//! design. Findings about runs are reported for a class only if every system with an instance of it
//! was searched to the end and keeps the promises that every system makes: behind an error much is
//! unreachable, and the error has to be repaired first. A search of each thread alone sees more
//! than really happens, so whatever it does not see does not happen.

use crate::design::{Class, ClassId, SyncState, Transition, UnitId, Value, holds};
use crate::steps::Event;
use crate::system::System;
use crate::verify::{ALWAYS, Verified};
use diagnostic::{Code, Diagnostic};
use source::{Name, Span};
use std::collections::BTreeSet;

/// Everything that happens in the runs of a system, or more.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Transitions that are taken.
    transitions: BTreeSet<(ClassId, usize)>,
    /// Calls that are accepted, by the place where they are allowed.
    calls: BTreeSet<Span>,
}

impl Seen {
    /// Records an event. `class` gives the class of a unit.
    pub(crate) fn event(&mut self, event: &Event, class: impl Fn(UnitId) -> ClassId) {
        match event {
            Event::Fire { unit, transition, .. } => {
                self.transitions.insert((class(*unit), *transition));
            }
            Event::Return { unit, transition, .. } => {
                self.transitions.extend(transition.map(|at| (class(*unit), at)));
            }
            Event::Call { callee, span, transition, .. } => {
                self.transitions.extend(transition.map(|at| (class(*callee), at)));
                self.calls.extend(transition.map(|_| *span));
            }
            Event::Acquire(_) | Event::Expand(_) | Event::Complete(_) => {}
        }
    }

    /// Adds the events that happened elsewhere.
    pub(crate) fn extend(&mut self, other: Self) {
        self.transitions.extend(other.transitions);
        self.calls.extend(other.calls);
    }
}

/// What is known of the runs of all systems of a design.
#[derive(Clone, Debug)]
pub struct Hygiene<'s> {
    systems: &'s [System],
    seen: Seen,
    /// The systems that were not searched completely.
    unclear: BTreeSet<usize>,
}

impl<'s> Hygiene<'s> {
    /// Before any search.
    pub fn new(systems: &'s [System]) -> Self {
        Self { systems, seen: Seen::default(), unclear: BTreeSet::new() }
    }

    /// Records the result for one of the systems under one policy.
    pub fn learns(&mut self, system: usize, verified: &Verified) {
        let always = verified.goals.iter().take(ALWAYS.len());
        let is_broken = { always }.any(|(_, answer)| answer.is_violated());
        match &verified.seen {
            Some(seen) if !is_broken => self.seen.extend(seen.clone()),
            _ => {
                self.unclear.insert(system);
            }
        }
    }

    /// The warnings about all classes.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let Some(first) = self.systems.first() else { return Vec::new() };
        let mut warnings = Vec::new();
        for (id, class) in first.classes.iter().enumerate() {
            if !self.systems.iter().any(|system| system.may_have(id)) {
                warnings.extend(unused(id, class, &first.classes));
                continue;
            }
            let mut about = About { hygiene: self, id, class, warnings: &mut warnings };
            about.conditions();
            about.constraints();
            if !self.is_unclear(id) {
                about.states();
                about.transitions();
                about.calls();
            }
        }
        warnings
    }

    /// Whether some system that has, or may have, instances of a class was not searched completely.
    fn is_unclear(&self, class: ClassId) -> bool {
        self.unclear.iter().any(|&system| self.systems[system].may_have(class))
    }
}

impl System {
    /// Whether the system has instances of a class, in some size.
    fn may_have(&self, class: ClassId) -> bool {
        let name = &self.classes[class].name;
        self.units.iter().any(|unit| unit.class == class)
            || self.sizes.as_ref().is_some_and(|sizes| sizes.declares(name))
    }
}

/// A class without instances that no variable refers to.
fn unused(id: ClassId, class: &Class, classes: &[Class]) -> Option<Diagnostic> {
    let refers = |other: &Class| other.variables.iter().any(|variable| variable.class == id);
    if classes.iter().any(refers) {
        return None;
    }
    let message = format!("no system has an instance of class `{}`", class.name);
    Some(Diagnostic::new(Code::UnusedClass, class.span, message))
}

struct About<'a> {
    hygiene: &'a Hygiene<'a>,
    id: ClassId,
    class: &'a Class,
    warnings: &'a mut Vec<Diagnostic>,
}

impl About<'_> {
    fn warn(&mut self, code: Code, span: Span, message: String) {
        self.warnings.push(Diagnostic::new(code, span, message));
    }

    /// Conditions that are true in no state.
    fn conditions(&mut self) {
        let class = self.class;
        for (at, condition) in class.conditions.iter().enumerate() {
            if !class.states.iter().any(|state| state.truths[at]) {
                let name = &condition.name;
                let message = format!("condition `{name}` is true in no state");
                self.warn(Code::ConditionNeverTrue, condition.span, message);
            }
        }
    }

    /// Constraints that demand nothing.
    fn constraints(&mut self) {
        let class = self.class;
        for constraint in &class.constraints {
            let is_true = |state: &SyncState| holds(&constraint.when, &mut |&at| state.truths[at]);
            if !class.states.iter().any(is_true) {
                let message = "this constraint demands nothing: its condition is true in no state";
                self.warn(Code::ConditionNeverTrue, constraint.span, message.to_owned());
                continue;
            }
            for &variable in &constraint.entails {
                if !self.may_be_bound(variable) {
                    let name: &Name = &class.variables[variable].name;
                    let message = format!(
                        "this constraint demands nothing for `{name}`: it always refers to `nil`"
                    );
                    self.warn(Code::UnboundVariable, constraint.span, message);
                }
            }
        }
    }

    /// Whether a variable refers to something in some instance at some time.
    fn may_be_bound(&self, variable: usize) -> bool {
        let is_bound = |system: &System| {
            let mut units = system.units.iter().filter(|unit| unit.class == self.id);
            system.sizes.is_some() && system.may_have(self.id)
                || units.any(|unit| !system.bindings[unit.slots + variable].is_empty())
        };
        let sets = |(at, transition): (usize, &Transition)| {
            let is_taken = self.hygiene.is_unclear(self.id) || self.is_taken(at);
            let mut assigns = transition.assigns.iter();
            is_taken
                && assigns.any(|one| one.variable == variable && !matches!(one.value, Value::Nil))
        };
        self.hygiene.systems.iter().any(is_bound)
            || self.class.transitions.iter().enumerate().any(sets)
    }

    fn is_taken(&self, transition: usize) -> bool {
        self.hygiene.seen.transitions.contains(&(self.id, transition))
    }

    fn is_reached(&self, state: usize) -> bool {
        let mut all = self.class.transitions.iter().enumerate();
        state == self.class.initial
            || all.any(|(at, transition)| transition.to == state && self.is_taken(at))
    }

    /// The first state that no instance gets to.
    fn states(&mut self) {
        let Some(state) = (0..self.class.states.len()).find(|&state| !self.is_reached(state))
        else {
            return;
        };
        let SyncState { name, span, .. } = &self.class.states[state];
        let message = format!("no run gets to state `{name}`");
        self.warn(Code::UnreachableCode, *span, message);
    }

    /// Guarded transitions that are never taken.
    fn transitions(&mut self) {
        for (at, transition) in self.class.transitions.iter().enumerate() {
            let is_guarded = !transition.guard.is_empty();
            if is_guarded && self.is_reached(transition.from) && !self.is_taken(at) {
                let message = "no run takes this transition".to_owned();
                self.warn(Code::UnreachableCode, transition.span, message);
            }
        }
    }

    /// Calls that are never accepted.
    fn calls(&mut self) {
        for (at, state) in self.class.states.iter().enumerate() {
            for call in &state.calls {
                let is_accepted = self.hygiene.seen.calls.contains(&call.span);
                if call.is_written && self.is_reached(at) && !is_accepted {
                    let message = format!("`{}` is never called here", call.operation);
                    self.warn(Code::CallNeverAccepted, call.span, message);
                }
            }
        }
    }
}
