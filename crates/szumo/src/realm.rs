//! The realm of a thread: through it, a thread takes transitions and calls units.

use crate::class::Kind;
use crate::design::{TransitionTable, ValueTable};
use crate::log::Event;
use crate::system::{Phase, State, System};
use crate::{Error, UnitId};
use std::marker::PhantomData;

/// The units that a thread holds. A realm belongs to the thread that made it, and cannot be sent to
/// another.
///
/// Transitions take the realm exclusively, and the use of data borrows it: while data are used, no
/// unit is let go.
///
/// ```compile_fail
/// fn moved(realm: szumo::Realm) {
///     std::thread::spawn(move || drop(realm));
/// }
/// ```
///
/// When it is dropped, the thread has ended. It keeps its units; others that wait for them get an
/// error.
#[derive(Debug)]
pub struct Realm {
    system: System,
    thread: usize,
    /// The units that it holds; only its own transitions change that.
    held: Vec<usize>,
    stays: PhantomData<*const ()>,
}

/// A move that the sync-state machines allow a thread now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A transition of the active unit, by its number.
    Fire(usize),
    /// A call: the unit, its operation, and the number of its transition.
    Call(UnitId, String, usize),
    /// The end of the operation that the thread is inside of, with the number of the transition, if
    /// there is one.
    Return(Option<usize>),
}

impl Realm {
    pub(crate) fn new(system: System, thread: usize) -> Result<Self, Error> {
        let mut realm = Self { system, thread, held: Vec::new(), stays: PhantomData };
        realm.negotiate()?;
        Ok(realm)
    }

    /// The system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The number of the thread.
    pub fn thread(&self) -> usize {
        self.thread
    }

    /// Whether the thread holds a unit.
    pub fn holds(&self, unit: UnitId) -> bool {
        self.held.contains(&unit.0)
    }

    /// The unit that the thread is inside of.
    pub fn active(&self) -> UnitId {
        UnitId(self.active_in(&self.system.shared.lock()).0)
    }

    /// The units that a variable of the active unit refers to.
    pub fn bound(&self, variable: usize) -> Vec<UnitId> {
        let state = self.system.shared.lock();
        let units = state.bindings[self.active_in(&state).0].get(variable);
        units.into_iter().flatten().map(|&unit| UnitId(unit)).collect()
    }

    /// Takes a `before` transition of the root; `chosen` are the units for `any`, in the order of
    /// the assignments.
    pub fn before(&mut self, operation: &str, chosen: &[UnitId]) -> Result<(), Error> {
        self.fire(Kind::Before, operation, chosen)
    }

    /// Takes an `after` transition of the root.
    pub fn after(&mut self, operation: &str, chosen: &[UnitId]) -> Result<(), Error> {
        self.fire(Kind::After, operation, chosen)
    }

    /// Takes a `step` transition of the active unit.
    pub fn step(&mut self, label: &str, chosen: &[UnitId]) -> Result<(), Error> {
        self.fire(Kind::Step, label, chosen)
    }

    /// Begins an operation of a unit that a variable of the active unit refers to; that unit is the
    /// active one from now on.
    pub fn call(&mut self, unit: UnitId, operation: &str, chosen: &[UnitId]) -> Result<(), Error> {
        let wanted = |one: &Move| matches!(one, Move::Call(callee, called, _) if *callee == unit && called == operation);
        if let Some(found) = self.moves().into_iter().find(wanted) {
            return self.take(&found, chosen);
        }
        if !self.holds(unit) {
            return Err(Error::Access { unit: Some(self.system.name(unit)) });
        }
        Err(self.refused(format!("a call of {operation} of {}", self.system.name(unit))))
    }

    /// Ends the operation that the thread is inside of.
    pub fn finish(&mut self, chosen: &[UnitId]) -> Result<(), Error> {
        let found = self.moves().into_iter().find(|one| matches!(one, Move::Return(_)));
        let found = found.ok_or_else(|| self.refused("the end of an operation".to_owned()))?;
        self.take(&found, chosen)
    }

    fn fire(&mut self, kind: Kind, label: &str, chosen: &[UnitId]) -> Result<(), Error> {
        let shared = &self.system.shared;
        let state = shared.lock();
        let class = shared.tables.class(self.active_in(&state).0);
        let wanted = |one: &Move| match *one {
            Move::Fire(at) => {
                class.transitions[at].kind == kind && class.transitions[at].label == label
            }
            _ => false,
        };
        let found = self.moves_in(&state).into_iter().find(wanted);
        let found =
            found.ok_or_else(|| self.refused_in(&state, &format!("{} {label}", kind.word())))?;
        drop(state);
        self.take(&found, chosen)
    }

    /// Everything that the sync-state machines and guards allow now, in a fixed order.
    pub fn moves(&self) -> Vec<Move> {
        self.moves_in(&self.system.shared.lock())
    }

    fn moves_in(&self, state: &State) -> Vec<Move> {
        let tables = &self.system.shared.tables;
        let (unit, operation) = self.active_in(state);
        let (class, here) = (tables.class(unit), state.states[unit]);
        let is_inside = state.stacks[self.thread].len() > 1;
        let mut moves = Vec::new();
        for (at, one) in class.transitions.iter().enumerate() {
            if one.from != here || !is_open(state, unit, one) {
                continue;
            }
            if !is_inside || one.kind == Kind::Step {
                moves.push(Move::Fire(at));
            } else if one.kind == Kind::After && one.label == operation {
                moves.push(Move::Return(Some(at)));
            }
        }
        let ends = |one: &TransitionTable| one.kind == Kind::After && one.label == operation;
        if is_inside && !class.transitions.iter().any(ends) {
            moves.push(Move::Return(None));
        }
        for (variable, called) in &class.states[here].calls {
            for &callee in &state.bindings[unit][*variable] {
                if state.owners[callee] != Some(self.thread) {
                    continue;
                }
                for (at, one) in tables.class(callee).transitions.iter().enumerate() {
                    let begins = one.kind == Kind::Before
                        && one.label == *called
                        && one.from == state.states[callee];
                    if begins && is_open(state, callee, one) {
                        moves.push(Move::Call(UnitId(callee), called.clone(), at));
                    }
                }
            }
        }
        moves
    }

    /// Takes one of [`Realm::moves`], lets go of the units that are no longer needed, and waits
    /// until the thread has all units that it needs now.
    pub fn take(&mut self, one: &Move, chosen: &[UnitId]) -> Result<(), Error> {
        let shared = self.system.shared.clone();
        let mut state = shared.lock();
        if !shared.is_complete(&state, self.thread) {
            drop(state);
            self.negotiate()?;
            state = shared.lock();
        }
        if !self.moves_in(&state).contains(one) {
            return Err(self.refused_in(&state, &format!("{one:?}")));
        }
        let lost = self.apply(&mut state, one, chosen)?;
        shared.settle(&mut state, lost, None);
        drop(state);
        self.negotiate()
    }

    /// Waits until the thread holds all units that it needs. Transitions do that by themselves;
    /// after a deadlock it can be tried again.
    pub fn negotiate(&mut self) -> Result<(), Error> {
        let (outcome, held) = self.system.shared.complete(self.thread);
        self.held = held;
        outcome
    }

    /// Takes a transition and contracts after it; nothing changes if it goes wrong.
    fn apply(&self, state: &mut State, one: &Move, chosen: &[UnitId]) -> Result<Vec<usize>, Error> {
        let (shared, thread) = (&*self.system.shared, self.thread);
        let active = self.active_in(state).0;
        let (unit, transition) = match *one {
            Move::Fire(at) => (active, Some(at)),
            Move::Call(callee, _, at) => (callee.0, Some(at)),
            Move::Return(at) => (active, at),
        };
        let (before, bindings) = (state.states[unit], state.bindings[unit].clone());
        let stack = state.stacks[thread].clone();
        if let Some(at) = transition {
            let transition = &shared.tables.class(unit).transitions[at];
            let values = self.values(state, unit, transition, chosen)?;
            state.states[unit] = transition.to;
            for ((variable, _), value) in transition.assigns.iter().zip(values) {
                state.bindings[unit][*variable] = value;
            }
        }
        match one {
            Move::Fire(_) => {}
            Move::Call(callee, called, _) => state.stacks[thread].push((callee.0, called.clone())),
            Move::Return(_) => {
                state.stacks[thread].pop();
            }
        }
        let reach = state.reach(shared, thread);
        if let Some(frame) = state.stacks[thread].iter().find(|frame| !reach.contains(&frame.0)) {
            let unit_inside = shared.tables.name(frame.0);
            (state.states[unit], state.bindings[unit], state.stacks[thread]) =
                (before, bindings, stack);
            return Err(Error::Released { unit: unit_inside });
        }
        let lost: Vec<usize> =
            self.held.iter().copied().filter(|unit| !reach.contains(unit)).collect();
        for &unit in &lost {
            state.owners[unit] = None;
        }
        let (chosen, unit) = (chosen.to_vec(), UnitId(unit));
        let event = match *one {
            Move::Fire(transition) => Event::Fire { unit, transition, chosen },
            Move::Call(callee, _, transition) => {
                Event::Call { caller: UnitId(active), callee, transition, chosen }
            }
            Move::Return(transition) => Event::Return { unit, transition, chosen },
        };
        state.record(thread, event, &[], &lost);
        Ok(lost)
    }

    fn values(
        &self,
        state: &State,
        unit: usize,
        transition: &TransitionTable,
        chosen: &[UnitId],
    ) -> Result<Vec<Vec<usize>>, Error> {
        let tables = &self.system.shared.tables;
        let bound = &state.bindings[unit];
        let mut left = chosen.iter();
        let mut values = Vec::new();
        for (_, value) in &transition.assigns {
            values.push(match *value {
                ValueTable::Nil => Vec::new(),
                ValueTable::Variable(other) => bound[other].clone(),
                ValueTable::Path(through, field) => {
                    let through = bound[through].first().copied();
                    let held = through.filter(|&one| state.owners[one] == Some(self.thread));
                    let unit = through.map(|one| tables.name(one));
                    state.bindings[held.ok_or(Error::Access { unit })?][field].clone()
                }
                ValueTable::Any(class) => {
                    let next = left
                        .next()
                        .filter(|one| tables.units.get(one.0).is_some_and(|unit| unit.1 == class));
                    vec![next.ok_or_else(|| self.refused_in(state, "the chosen units"))?.0]
                }
            });
        }
        if left.next().is_some() {
            return Err(self.refused_in(state, "so many chosen units"));
        }
        Ok(values)
    }

    fn active_in(&self, state: &State) -> (usize, String) {
        let last = state.stacks[self.thread].last().cloned();
        last.unwrap_or_else(|| (self.system.shared.roots[self.thread], String::new()))
    }

    fn refused(&self, tried: String) -> Error {
        self.refused_in(&self.system.shared.lock(), &tried)
    }

    fn refused_in(&self, state: &State, tried: &str) -> Error {
        let (unit, tables) = (self.active_in(state).0, &self.system.shared.tables);
        let here = &tables.class(unit).states[state.states[unit]].name;
        Error::Refused { unit: tables.name(unit), state: here.clone(), tried: tried.to_owned() }
    }
}

impl Drop for Realm {
    fn drop(&mut self) {
        let mut state = self.system.shared.lock();
        state.phases[self.thread] = Phase::Ended;
        self.system.shared.settle(&mut state, self.held.clone(), None);
    }
}

/// Whether a guard is true.
fn is_open(state: &State, unit: usize, transition: &TransitionTable) -> bool {
    let bound = &state.bindings[unit];
    transition.guard.iter().all(|&(left, equal, right)| {
        let same = match right {
            Some(right) => bound[left] == bound[right],
            None => bound[left].is_empty(),
        };
        same == equal
    })
}
