//! The classes of a design.

use super::{duplicate, mismatch, unknown};
use crate::design::{
    Assign, Call, Class, ClassId, Condition, Constraint, GuardPart, SyncState, Transition, Value,
    Variable, holds,
};
use crate::syntax::{self, Formula, Ident, Member, TransitionKind};
use diagnostic::{Code, Diagnostic};
use source::{Name, Span};

/// Resolves all classes. Faulty parts are reported and left out.
pub(crate) fn classes(design: &syntax::Design, faults: &mut Vec<Diagnostic>) -> Vec<Class> {
    let mut all: Vec<Class> = Vec::new();
    let mut written: Vec<&syntax::Class> = Vec::new();
    for class in &design.classes {
        if all.iter().any(|other| other.name == class.name.name) {
            faults.push(duplicate(&class.name, "class"));
            continue;
        }
        all.push(Class {
            name: class.name.name.clone(),
            span: class.name.span,
            is_root: class.is_root,
            conditions: Vec::new(),
            variables: Vec::new(),
            constraints: Vec::new(),
            states: Vec::new(),
            initial: 0,
            transitions: Vec::new(),
        });
        written.push(class);
    }
    // Each round uses the declarations of the rounds before.
    let mut resolver = Resolver { all: &mut all, id: 0, faults };
    for round in [Resolver::names, Resolver::states, Resolver::behaviour, Resolver::all_calls] {
        for (id, class) in written.iter().enumerate() {
            resolver.id = id;
            round(&mut resolver, class);
        }
    }
    all
}

struct Resolver<'a> {
    all: &'a mut Vec<Class>,
    id: ClassId,
    faults: &'a mut Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn class(&mut self) -> &mut Class {
        &mut self.all[self.id]
    }

    fn names(&mut self, class: &syntax::Class) {
        for member in &class.members {
            match member {
                Member::Conditions(names) => {
                    names.iter().for_each(|name| self.condition(name));
                }
                Member::Variables { names, class, many } => {
                    let Some(refers) = self.supplier(class) else { continue };
                    for ident in names {
                        if self.class().variables.iter().any(|one| one.name == ident.name) {
                            self.faults.push(duplicate(ident, "variable"));
                            continue;
                        }
                        let name = ident.name.clone();
                        self.class().variables.push(Variable { name, class: refers, many: *many });
                    }
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, ident: &Ident) {
        if self.class().conditions.iter().any(|one| one.name == ident.name) {
            self.faults.push(duplicate(ident, "condition"));
        } else {
            let Ident { name, span } = ident.clone();
            self.class().conditions.push(Condition { name, span });
        }
    }

    /// A class that variables may refer to: roots are never shared.
    fn supplier(&mut self, ident: &Ident) -> Option<ClassId> {
        let id = self.find_class(ident)?;
        if self.all[id].is_root {
            let message =
                format!("`{}` is a root class, and no variable refers to a root", ident.name);
            let fault = Diagnostic::new(Code::RootAsSupplier, ident.span, message)
                .label(self.all[id].span, "each of its instances belongs to a thread of its own");
            self.faults.push(fault.help("declare it as a `unit class`"));
            return None;
        }
        Some(id)
    }

    fn find_class(&mut self, ident: &Ident) -> Option<ClassId> {
        let found = self.all.iter().position(|class| class.name == ident.name);
        if found.is_none() {
            self.faults.push(unknown(ident, "class", self.all.iter().map(|class| &class.name)));
        }
        found
    }

    fn states(&mut self, class: &syntax::Class) {
        let mut initial: Option<usize> = None;
        for member in &class.members {
            let Member::State { name, truths, initial: marked, .. } = member else { continue };
            if self.class().states.iter().any(|state| state.name == name.name) {
                self.faults.push(duplicate(name, "state"));
                continue;
            }
            let mut truth = vec![false; self.class().conditions.len()];
            for ident in truths {
                if let Some(at) = self.find_condition(ident) {
                    truth[at] = true;
                }
            }
            if let Some(span) = marked
                && initial.replace(self.class().states.len()).is_some()
            {
                let message = "there is an initial state already";
                self.faults.push(Diagnostic::new(Code::DuplicateName, *span, message));
            }
            self.class().states.push(SyncState {
                name: name.name.clone(),
                span: name.span,
                truths: truth,
                calls: Vec::new(),
                entails: Vec::new(),
            });
        }
        let class = self.class();
        class.initial = initial.unwrap_or(0);
        if class.states.is_empty() {
            // A class without states has one, in which no condition is true.
            let (span, truths) = (class.span, vec![false; class.conditions.len()]);
            let name = Name::from("-");
            class.states.push(SyncState {
                name,
                span,
                truths,
                calls: Vec::new(),
                entails: Vec::new(),
            });
        }
    }

    fn find_condition(&mut self, ident: &Ident) -> Option<usize> {
        let found = self.class().conditions.iter().position(|one| one.name == ident.name);
        if found.is_none() {
            let conditions = self.all[self.id].conditions.iter().map(|one| &one.name);
            self.faults.push(unknown(ident, "condition", conditions));
        }
        found
    }

    fn find_variable(&mut self, class: ClassId, ident: &Ident) -> Option<usize> {
        let found = self.all[class].variables.iter().position(|one| one.name == ident.name);
        if found.is_none() {
            let variables = self.all[class].variables.iter().map(|one| &one.name);
            let what = format!("variable of class `{}`", self.all[class].name);
            self.faults.push(unknown(ident, &what, variables));
        }
        found
    }

    fn find_state(&mut self, ident: &Ident) -> Option<usize> {
        let found = self.class().states.iter().position(|state| state.name == ident.name);
        if found.is_none() {
            let states = self.all[self.id].states.iter().map(|state| &state.name);
            self.faults.push(unknown(ident, "state", states));
        }
        found
    }

    fn behaviour(&mut self, class: &syntax::Class) {
        for member in &class.members {
            match member {
                Member::Constraint { span, when, entails } => {
                    let when = self.when(when);
                    let id = self.id;
                    let entails =
                        entails.iter().filter_map(|one| self.find_variable(id, one)).collect();
                    self.class().constraints.push(Constraint { span: *span, when, entails });
                }
                Member::Transition(transition) => {
                    if let Some(transition) = self.transition(transition) {
                        self.class().transitions.push(transition);
                    }
                }
                Member::Conditions(_)
                | Member::Variables { .. }
                | Member::State { .. }
                | Member::CallsAny(_) => {}
            }
        }
        let class = self.class();
        for state in &mut class.states {
            for constraint in &class.constraints {
                if holds(&constraint.when, &mut |&at| state.truths[at]) {
                    state.entails.extend(&constraint.entails);
                }
            }
        }
    }

    fn when(&mut self, formula: &Formula<Ident>) -> Formula<usize> {
        match formula {
            Formula::True => Formula::True,
            Formula::Atom(ident) => self.find_condition(ident).map_or(Formula::True, Formula::Atom),
            Formula::Not(inner) => Formula::Not(Box::new(self.when(inner))),
            Formula::And(all) => Formula::And(all.iter().map(|one| self.when(one)).collect()),
            Formula::Or(all) => Formula::Or(all.iter().map(|one| self.when(one)).collect()),
        }
    }

    fn all_calls(&mut self, class: &syntax::Class) {
        for member in &class.members {
            match member {
                Member::State { name, calls, .. } => self.calls(name, calls),
                Member::CallsAny(span) => self.calls_any(*span),
                _ => {}
            }
        }
    }

    /// The most general client: in each state, every operation of every unit that the contract
    /// entails there may be called.
    fn calls_any(&mut self, span: Span) {
        for state in 0..self.class().states.len() {
            for variable in self.class().states[state].entails.clone() {
                let id = self.class().variables[variable].class;
                let begins = |one: &&Transition| one.kind == TransitionKind::Before;
                let operations: Vec<Name> = self.all[id]
                    .transitions
                    .iter()
                    .filter(begins)
                    .map(|one| one.label.clone())
                    .collect();
                let calls = &mut self.class().states[state].calls;
                for operation in operations {
                    if !calls
                        .iter()
                        .any(|one| one.variable == variable && one.operation == operation)
                    {
                        calls.push(Call { span, variable, operation, is_written: false });
                    }
                }
            }
        }
    }

    fn calls(&mut self, state: &Ident, calls: &[(Ident, Ident)]) {
        let Some(state) = self.class().states.iter().position(|one| one.name == state.name) else {
            return;
        };
        for (variable, operation) in calls {
            let Some(at) = self.find_variable(self.id, variable) else { continue };
            let id = self.class().variables[at].class;
            let supplier = &self.all[id];
            let begins = |one: &&Transition| one.kind == TransitionKind::Before;
            let operations = || supplier.transitions.iter().filter(begins).map(|one| &one.label);
            if !operations().any(|one| *one == operation.name) {
                let what = format!("operation of class `{}`", supplier.name);
                let fault = unknown(operation, &what, operations());
                self.faults.push(fault);
                continue;
            }
            let span = variable.span.to(operation.span);
            let operation = operation.name.clone();
            let call = Call { span, variable: at, operation, is_written: true };
            self.class().states[state].calls.push(call);
        }
    }

    fn transition(&mut self, written: &syntax::Transition) -> Option<Transition> {
        let from = self.find_state(&written.from);
        let to = self.find_state(&written.to);
        let mut guard = Vec::new();
        for part in &written.guard {
            guard.extend(self.guard_part(part));
        }
        let mut assigns: Vec<Assign> = Vec::new();
        for (ident, value) in &written.assigns {
            let Some(assign) = self.assign(ident, value) else { continue };
            if assigns.iter().any(|other| other.variable == assign.variable) {
                let message = format!("`{}` is set twice at once", ident.name);
                self.faults.push(Diagnostic::new(Code::DuplicateName, ident.span, message));
            }
            assigns.push(assign);
        }
        let (span, kind, label) = (written.span, written.kind, written.label.name.clone());
        Some(Transition { span, kind, label, from: from?, to: to?, guard, assigns })
    }

    fn guard_part(&mut self, part: &syntax::GuardPart) -> Option<GuardPart> {
        let left = self.find_variable(self.id, &part.left)?;
        let right = match &part.right {
            None => None,
            Some(ident) => {
                let right = self.find_variable(self.id, ident)?;
                let variables = &self.class().variables;
                if variables[left].class != variables[right].class {
                    let message = format!(
                        "`{}` and `{}` never refer to the same unit",
                        part.left.name, ident.name
                    );
                    self.faults.push(mismatch(ident, message));
                }
                Some(right)
            }
        };
        Some(GuardPart { left, equal: part.equal, right })
    }

    fn assign(&mut self, ident: &Ident, value: &syntax::Value) -> Option<Assign> {
        let variable = self.find_variable(self.id, ident)?;
        let (value, class, many, source) = match value {
            syntax::Value::Nil => {
                return Some(Assign { variable, value: Value::Nil, span: ident.span });
            }
            syntax::Value::Variable(other) => {
                let at = self.find_variable(self.id, other)?;
                let of = &self.class().variables[at];
                (Value::Variable(at), of.class, of.many, other)
            }
            syntax::Value::Path(first, second) => {
                let at = self.find_variable(self.id, first)?;
                let through = self.class().variables[at].clone();
                if through.many {
                    let message = format!("`{}` refers to any number of units", first.name);
                    self.faults.push(mismatch(first, message));
                }
                let field = self.find_variable(through.class, second)?;
                let of = &self.all[through.class].variables[field];
                (Value::Path(at, field), of.class, of.many, first)
            }
            syntax::Value::Any(class) => {
                let id = self.find_class(class)?;
                (Value::Any(id), id, false, class)
            }
        };
        let target = self.class().variables[variable].clone();
        if target.class != class {
            let (wanted, found) = (&self.all[target.class].name, &self.all[class].name);
            let message =
                format!("`{}` refers to a `{wanted}`, and this is a `{found}`", ident.name);
            self.faults.push(mismatch(source, message));
        } else if many && !target.many {
            let message = format!("`{}` refers to one unit, and this may be several", ident.name);
            self.faults.push(mismatch(source, message));
        }
        Some(Assign { variable, value, span: source.span })
    }
}
