//! Describes a run in the words of the design.

use crate::design::{ThreadId, UnitId};
use crate::model::{Model, Site};
use crate::sequence::sequence;
use crate::state::State;
use crate::steps::Event;
use crate::system::{Policy, System};
use search::Run;
use source::Span;
use std::collections::BTreeSet;
use verdict::{Change, Confirmation, Lane, Step, StepKind, Trace};

impl Model<'_> {
    /// The states of a run, and the steps between them.
    pub(crate) fn replay(&self, run: &Run) -> Replayed {
        let start = self.state(run.global, &run.locals);
        let step = |moved: &search::Moved| {
            let after = moved.after.as_ref().map(|(global, locals)| self.state(*global, locals));
            (moved.thread, self.site(moved.site).clone(), after)
        };
        Replayed { start, steps: run.steps.iter().map(step).collect() }
    }
}

/// A run with its states.
#[derive(Clone, Debug)]
pub(crate) struct Replayed {
    pub(crate) start: State,
    /// The thread, its step, and the state after; `None` if the step goes wrong.
    pub(crate) steps: Vec<(ThreadId, Site, Option<State>)>,
}

impl Replayed {
    /// The last state.
    pub(crate) fn last(&self) -> &State {
        self.steps.iter().rev().find_map(|(_, _, after)| after.as_ref()).unwrap_or(&self.start)
    }

    /// The run in the user's names, with its messages.
    pub(crate) fn told(&self, system: &System, policy: Policy) -> Trace {
        let sequence = sequence(system, policy, self).map(Box::new);
        Trace { sequence, ..self.trace(system) }
    }

    /// The run with one lane for each thread that does something.
    pub(crate) fn trace(&self, system: &System) -> Trace {
        let mut before = &self.start;
        let mut steps = Vec::new();
        let mut changed = BTreeSet::new();
        for (thread, site, after) in &self.steps {
            let mut changes = Vec::new();
            if let Some(after) = after {
                differences(system, before, after, &mut changes, &mut changed);
                before = after;
            }
            let kind = StepKind::Statement;
            let (span, text) = told(system, &site.event);
            steps.push(Step { lane: *thread, kind, span, text, changes });
        }
        if let Some(last) = steps.last_mut() {
            last.kind = StepKind::Violation;
        }
        let name =
            |&unit: &UnitId| (system.name(unit).to_owned(), shown(system, &self.start, unit));
        let initial = changed.iter().map(name).collect();
        let lane = |thread| Lane { name: system.thread_name(thread).to_owned() };
        let lanes = (0..system.roots.len()).map(lane).collect();
        Trace::new(lanes, initial, steps, Confirmation::Confirmed)
    }
}

/// The place of an event in the text, and its description.
fn told(system: &System, event: &Event) -> (Option<Span>, String) {
    let names = |units: &[UnitId]| {
        let names: Vec<&str> = units.iter().map(|&unit| system.name(unit)).collect();
        names.join(", ")
    };
    let transition = |unit: UnitId, at: usize| system.class(unit).transitions[at].span;
    match event {
        Event::Fire { unit, transition: at, chosen } => {
            let text =
                if chosen.is_empty() { String::new() } else { format!("({})", names(chosen)) };
            (Some(transition(*unit, *at)), text)
        }
        Event::Call { span, callee, .. } => (Some(*span), format!("({})", system.name(*callee))),
        Event::Return { unit, transition: Some(at), .. } => {
            (Some(transition(*unit, *at)), format!("({})", system.name(*unit)))
        }
        Event::Return { unit, operation, transition: None } => {
            (None, format!("{} returns from {operation}", system.name(*unit)))
        }
        Event::Acquire(unit) => (None, format!("acquire {}", system.name(*unit))),
        Event::Expand(units) | Event::Complete(units) => {
            (None, format!("acquire {}", names(units)))
        }
    }
}

/// A unit in a few words: the state of a root, the holder of a supplier.
fn shown(system: &System, state: &State, unit: UnitId) -> String {
    let at = system.class(unit).states[state.states[unit]].name.as_str();
    match (system.units[unit].thread, state.owners[unit]) {
        (Some(_), _) => at.to_owned(),
        (None, Some(owner)) => format!("held by {}{}", system.thread_name(owner), inside(at)),
        (None, None) => format!("free{}", inside(at)),
    }
}

/// The state of a supplier, unless its class has no states.
fn inside(state: &str) -> String {
    if state == "-" { String::new() } else { format!(", {state}") }
}

fn differences(
    system: &System,
    before: &State,
    after: &State,
    changes: &mut Vec<Change>,
    changed: &mut BTreeSet<UnitId>,
) {
    for unit in 0..system.units.len() {
        let same =
            before.states[unit] == after.states[unit] && before.owners[unit] == after.owners[unit];
        let (old, new) = if same {
            (String::new(), String::new())
        } else {
            (shown(system, before, unit), shown(system, after, unit))
        };
        if old != new {
            changed.insert(unit);
            changes.push(Change { name: system.name(unit).to_owned(), old: Some(old), new });
        }
        for (slot, variable) in system.slots(unit).zip(&system.class(unit).variables) {
            let (old, new) = (&before.bindings[slot], &after.bindings[slot]);
            if old != new {
                changed.insert(unit);
                let name = format!("{}.{}", system.name(unit), variable.name);
                let old = Some(units(system, old));
                changes.push(Change { name, old, new: units(system, new) });
            }
        }
    }
}

fn units(system: &System, units: &[UnitId]) -> String {
    match units {
        [] => "nil".to_owned(),
        [unit] => system.name(*unit).to_owned(),
        _ => {
            let names: Vec<&str> = units.iter().map(|&unit| system.name(unit)).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}
