//! Classes with everything resolved: names are numbers, every state, variable and class exists,
//! roots are nobody's suppliers, and every class has a state.

use crate::syntax::{Formula, TransitionKind};
use source::{Name, Span};

/// The number of a class.
pub type ClassId = usize;
/// The number of a unit in its system.
pub type UnitId = usize;
/// The number of a thread: the place of its root among the roots.
pub type ThreadId = usize;

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// What it is called.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Whether each of its instances has a thread of its own.
    pub is_root: bool,
    /// Its conditions.
    pub conditions: Vec<Condition>,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Its synchronization constraints.
    pub constraints: Vec<Constraint>,
    /// Its states.
    pub states: Vec<SyncState>,
    /// Where its instances begin.
    pub initial: usize,
    /// Its transitions.
    pub transitions: Vec<Transition>,
}

/// A condition of a class.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is called.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
}

/// A variable of a class.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What it is called.
    pub name: Name,
    /// What it refers to.
    pub class: ClassId,
    /// Whether it refers to any number of units.
    pub many: bool,
}

/// `sync when ==> entails`
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Where it stands.
    pub span: Span,
    /// When it entails, over conditions by number.
    pub when: Formula<usize>,
    /// The variables whose units it entails.
    pub entails: Vec<usize>,
}

/// A state of a class.
#[derive(Clone, Debug)]
pub struct SyncState {
    /// What it is called.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Which conditions are true, by number.
    pub truths: Vec<bool>,
    /// What may be called: the variable and the operation.
    pub calls: Vec<Call>,
    /// The variables that the constraints entail here, in the order of declaration; derived.
    pub entails: Vec<usize>,
}

/// A call that a state allows.
#[derive(Clone, Debug)]
pub struct Call {
    /// Where it stands.
    pub span: Span,
    /// The variable through which it is made.
    pub variable: usize,
    /// What is called.
    pub operation: Name,
    /// Whether the text names this call. `calls any;` stands for many.
    pub is_written: bool,
}

/// A transition of a class.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it stands.
    pub span: Span,
    /// What it is part of.
    pub kind: TransitionKind,
    /// The operation or the step.
    pub label: Name,
    /// The state before.
    pub from: usize,
    /// The state after.
    pub to: usize,
    /// All of these must be true.
    pub guard: Vec<GuardPart>,
    /// What changes, all at once.
    pub assigns: Vec<Assign>,
}

/// `left == right`, or `!=`
#[derive(Clone, Debug)]
pub struct GuardPart {
    /// The left variable.
    pub left: usize,
    /// Whether they must be equal.
    pub equal: bool,
    /// The right variable; `nil` if there is none.
    pub right: Option<usize>,
}

/// `variable := value`
#[derive(Clone, Debug)]
pub struct Assign {
    /// What is set.
    pub variable: usize,
    /// To what.
    pub value: Value,
    /// Where the value stands.
    pub span: Span,
}

/// What a variable is set to.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing.
    Nil,
    /// What another variable refers to.
    Variable(usize),
    /// What a variable of another unit refers to; that unit must be held.
    Path(usize, usize),
    /// Some unit of a class.
    Any(ClassId),
}

impl Class {
    /// Whether nothing ever happens in a state any more.
    pub fn is_final(&self, state: usize) -> bool {
        self.states[state].calls.is_empty() && self.transitions.iter().all(|one| one.from != state)
    }
}

impl Class {
    /// Whether a thread that executes an instance surely has a step in a state, whatever its
    /// variables refer to. `operation` is the operation that the thread is inside of; a root has
    /// none.
    pub(crate) fn always_moves(&self, state: usize, operation: Option<&Name>) -> bool {
        let is_end = |one: &Transition| {
            one.kind == TransitionKind::After && operation.is_some_and(|name| one.label == *name)
        };
        let is_possible = |one: &Transition| {
            operation.is_none() || one.kind == TransitionKind::Step || is_end(one)
        };
        // There may be no unit of the class that the transition chooses from.
        let is_certain = |one: &Transition| {
            one.guard.is_empty()
                && one.assigns.iter().all(|one| !matches!(one.value, Value::Any(_)))
        };
        let here = self.transitions.iter().filter(|one| one.from == state);
        let returns = operation.is_some() && !self.transitions.iter().any(is_end);
        returns || here.filter(|one| is_possible(one)).any(is_certain)
    }

    /// Whether a thread may be unable to go on although it has not ended.
    pub(crate) fn may_stop(&self) -> bool {
        let states = 0..self.states.len();
        if self.is_root {
            return states.clone().any(|at| !self.is_final(at) && !self.always_moves(at, None));
        }
        let begin = self.transitions.iter().filter(|one| one.kind == TransitionKind::Before);
        let mut operations = begin.map(|one| &one.label);
        operations.any(|name| states.clone().any(|at| !self.always_moves(at, Some(name))))
    }
}

/// Whether a formula holds, given what is true.
pub(crate) fn holds<A>(formula: &Formula<A>, truth: &mut dyn FnMut(&A) -> bool) -> bool {
    match formula {
        Formula::True => true,
        Formula::Atom(atom) => truth(atom),
        Formula::Not(inner) => !holds(inner, truth),
        Formula::And(all) => all.iter().all(|one| holds(one, truth)),
        Formula::Or(all) => all.iter().any(|one| holds(one, truth)),
    }
}
