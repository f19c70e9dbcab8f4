//! The log of a run, followed on the model.

use contract::{Event, Negotiation, Policy, Step, System, Views, steps};
use std::collections::BTreeSet;
use szumo::{Entry, UnitId};

/// Follows a log; each entry must be a step of the model, and nobody takes a step while a thread
/// sleeps whose units are all free: that is why what the model promises of starvation holds of the
/// run. Returns the state in the end.
pub(crate) fn replay(system: &System, log: &[Entry]) -> contract::State {
    let mut state = contract::State::initial(system);
    let mut asleep = BTreeSet::new();
    for (at, entry) in log.iter().enumerate() {
        if let szumo::Event::Wait(units) = &entry.event {
            let asks = Views.asks(system, Policy::Aon, &state, entry.thread);
            assert_eq!(asks.blocked, numbers(units), "entry {at}: {entry:?}");
            asleep.insert(entry.thread);
            continue;
        }
        if entry.event == szumo::Event::Complete {
            asleep.remove(&entry.thread);
        } else {
            let is_free = |thread: &&usize| {
                Views.asks(system, Policy::Aon, &state, **thread).blocked.is_empty()
            };
            let overdue = asleep.iter().find(is_free);
            assert_eq!(overdue, None, "entry {at}, {entry:?}, comes before a thread that sleeps");
        }
        let all = steps(&mut Views, system, Policy::Aon, &state, entry.thread);
        let is_meant = |step: &&Step| is_same(&step.event, entry) && changes(&state, step, entry);
        let Some(step) = all.iter().find(is_meant) else {
            panic!("entry {at}, {entry:?}, is none of {all:?}");
        };
        state = step.result.clone().expect("it changed owners as the log says");
    }
    state
}

/// The situation of a thread in a state of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It has ended, as the design says that it can.
    Final,
    /// It is complete and not final, but has no step: a guard is false, or a unit cannot be called.
    Halted,
    /// It has a step.
    Going,
    /// It waits for these threads.
    Waiting(Vec<usize>),
}

/// Where a thread is.
pub(crate) fn place(system: &System, state: &contract::State, thread: usize) -> Place {
    let blocked = Views.asks(system, Policy::Aon, state, thread).blocked;
    if !blocked.is_empty() {
        return Place::Waiting(blocked.iter().filter_map(|&unit| state.owners[unit]).collect());
    }
    // The middleware does not offer steps that go wrong.
    let all = steps(&mut Views, system, Policy::Aon, state, thread);
    if all.iter().any(|step| step.result.is_ok()) {
        return Place::Going;
    }
    if state.is_final(system, thread) { Place::Final } else { Place::Halted }
}

/// Whether threads wait for each other in a circle.
pub(crate) fn is_circle(system: &System, state: &contract::State) -> bool {
    let threads = 0..system.roots.len();
    let waits: Vec<Vec<usize>> = threads
        .clone()
        .map(|thread| {
            let blocked = Views.asks(system, Policy::Aon, state, thread).blocked;
            blocked.into_iter().filter_map(|unit| state.owners[unit]).collect()
        })
        .collect();
    // A thread goes on if it waits for nobody, or only for threads that are neither in a circle nor
    // behind one.
    let mut goes_on = vec![false; system.roots.len()];
    for _ in threads.clone() {
        for thread in threads.clone() {
            goes_on[thread] = waits[thread].iter().all(|&other| goes_on[other]);
        }
    }
    goes_on.contains(&false)
}

fn is_same(event: &Event, entry: &Entry) -> bool {
    match (event, &entry.event) {
        (
            Event::Fire { unit, transition, chosen },
            szumo::Event::Fire { unit: u, transition: t, chosen: c },
        ) => *unit == u.index() && transition == t && *chosen == numbers(c),
        (
            Event::Call { caller, callee, transition, .. },
            szumo::Event::Call { caller: c, callee: u, transition: t, .. },
        ) => *caller == c.index() && *callee == u.index() && *transition == Some(*t),
        (
            Event::Return { unit, transition, .. },
            szumo::Event::Return { unit: u, transition: t, .. },
        ) => *unit == u.index() && transition == t,
        (Event::Complete(units), szumo::Event::Complete) => *units == numbers(&entry.gained),
        _ => false,
    }
}

/// Whether the step changes owners as the log says.
fn changes(state: &contract::State, step: &Step, entry: &Entry) -> bool {
    let Ok(next) = &step.result else { return false };
    let mut owners = state.owners.clone();
    for unit in &entry.lost {
        owners[unit.index()] = None;
    }
    for unit in &entry.gained {
        owners[unit.index()] = Some(entry.thread);
    }
    let lost = |unit: &UnitId| state.owners[unit.index()] == Some(entry.thread);
    owners == next.owners && entry.lost.iter().all(lost)
}

fn numbers(units: &[UnitId]) -> Vec<usize> {
    units.iter().map(|unit| unit.index()).collect()
}
