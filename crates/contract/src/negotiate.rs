//! Negotiation: which units a thread keeps, which it asks for, and how it gets them.
//!
//! For a thread `t` with root `r`:
//!
//! ```text
//! reach(t) = the least set with r that has every unit held by t which a unit of it entails
//! front(t) = what units of reach(t) entail and t does not hold
//! ```
//!
//! In contraction, a thread lets go of the units that it holds and that are not in reach(t). A
//! thread whose front is empty is complete and may execute.

use crate::design::{ThreadId, UnitId};
use crate::state::State;
use crate::system::{Policy, System};
use std::collections::BTreeSet;

/// A way to compute the negotiation. There are two: [`Views`] for speed, and [`crate::Rules`], the
/// specification.
pub trait Negotiation {
    /// Lets go of all units that a thread holds and that its contract no longer entails.
    fn contract(&mut self, system: &System, state: &mut State, thread: ThreadId);

    /// The units that a thread asks for under a policy. It asks for none if and only if it is
    /// complete.
    fn asks(&mut self, system: &System, policy: Policy, state: &State, thread: ThreadId) -> Asks;
}

/// The units that a thread asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// Those that nobody holds. Under `aon` they complete the thread if `blocked` is empty.
    pub free: Vec<UnitId>,
    /// Those that the thread waits for: others hold them, or the thread is in their queue.
    pub blocked: Vec<UnitId>,
}

impl Asks {
    /// Whether the thread is complete.
    pub fn is_empty(&self) -> bool {
        self.free.is_empty() && self.blocked.is_empty()
    }
}

/// Computes the negotiation from states and owners.
#[derive(Clone, Copy, Debug, Default)]
pub struct Views;

impl Negotiation for Views {
    fn contract(&mut self, system: &System, state: &mut State, thread: ThreadId) {
        let mut kept = vec![false; system.units.len()];
        for unit in realm(system, state, thread).reach {
            kept[unit] = true;
        }
        for (owner, kept) in state.owners.iter_mut().zip(kept) {
            if *owner == Some(thread) && !kept {
                *owner = None;
            }
        }
    }

    fn asks(&mut self, system: &System, policy: Policy, state: &State, thread: ThreadId) -> Asks {
        let mut front = match policy {
            Policy::Aon => return attempt(system, state, thread),
            Policy::Fifo => return queued(state, thread),
            _ => realm(system, state, thread).front,
        };
        restrict(policy, &mut front);
        let (free, blocked) = front.into_iter().partition(|&unit| state.owners[unit].is_none());
        Asks { free, blocked }
    }
}

/// Keeps the units that a thread tries to get now, of all those that it needs in the order of
/// [`Realm::front`].
pub(crate) fn restrict(policy: Policy, front: &mut Vec<UnitId>) {
    match policy {
        Policy::Declared => front.truncate(1),
        Policy::Ranked => {
            front.sort_unstable();
            front.truncate(1);
        }
        _ => {}
    }
}

/// The units whose queue a thread is in.
pub(crate) fn queued(state: &State, thread: ThreadId) -> Asks {
    let waits = |unit: &UnitId| state.queues[*unit].contains(&thread);
    Asks { free: Vec::new(), blocked: (0..state.queues.len()).filter(waits).collect() }
}

/// The units that a thread rightly holds, and those that it lacks.
#[derive(Clone, Debug)]
pub struct Realm {
    /// The root and the units that are entailed through held units.
    pub reach: Vec<UnitId>,
    /// The units that are entailed and not held: breadth first from the root, in the order of
    /// declaration.
    pub front: Vec<UnitId>,
}

/// The realm of a thread.
pub fn realm(system: &System, state: &State, thread: ThreadId) -> Realm {
    let mut front = Vec::new();
    let reach = walk(system, state, thread, |unit| {
        let is_held = state.owners[unit] == Some(thread);
        if !is_held {
            front.push(unit);
        }
        is_held
    });
    Realm { reach, front }
}

/// All units that a thread needs if the contracts of free units count as well: the free ones
/// complete it unless others hold some of the rest.
fn attempt(system: &System, state: &State, thread: ThreadId) -> Asks {
    let mut asks = Asks::default();
    walk(system, state, thread, |unit| match state.owners[unit] {
        Some(owner) if owner == thread => true,
        Some(_) => {
            asks.blocked.push(unit);
            false
        }
        None => {
            asks.free.push(unit);
            true
        }
    });
    asks
}

/// The root of a thread and the units that the contracts of these units entail, breadth first and
/// each once. The caller says for each entailed unit whether it is one of them.
fn walk(
    system: &System,
    state: &State,
    thread: ThreadId,
    mut enters: impl FnMut(UnitId) -> bool,
) -> Vec<UnitId> {
    let mut met = vec![false; system.units.len()];
    let mut reach = vec![system.roots[thread]];
    met[reach[0]] = true;
    let mut at = 0;
    while let Some(&unit) = reach.get(at) {
        at += 1;
        for other in state.entailed(system, unit) {
            if !std::mem::replace(&mut met[other], true) && enters(other) {
                reach.push(other);
            }
        }
    }
    reach
}

/// The states after an execution step: under a policy that hands out free units at once, those
/// after handing them out; otherwise the state itself.
pub(crate) fn settled(
    negotiation: &mut dyn Negotiation,
    system: &System,
    policy: Policy,
    state: State,
    thread: ThreadId,
) -> Vec<State> {
    match policy {
        Policy::Saturate => all_orders(state, |state| {
            let mut next = Vec::new();
            for thread in 0..system.roots.len() {
                for unit in negotiation.asks(system, policy, state, thread).free {
                    let mut given = state.clone();
                    given.owners[unit] = Some(thread);
                    next.push(given);
                }
            }
            next
        }),
        Policy::Fifo => {
            let mut state = state;
            enqueue(negotiation, system, &mut state, thread);
            granted(negotiation, system, state)
        }
        _ => vec![state],
    }
}

/// The states in which runs start.
pub(crate) fn initial(
    negotiation: &mut dyn Negotiation,
    system: &System,
    policy: Policy,
) -> Vec<State> {
    let mut state = State::initial(system);
    match policy {
        Policy::Saturate => settled(negotiation, system, policy, state, 0),
        Policy::Fifo => {
            for thread in 0..system.roots.len() {
                enqueue(negotiation, system, &mut state, thread);
            }
            granted(negotiation, system, state)
        }
        _ => vec![state],
    }
}

/// A thread joins the queue of every unit that it needs.
fn enqueue(
    negotiation: &mut dyn Negotiation,
    system: &System,
    state: &mut State,
    thread: ThreadId,
) {
    // Under every policy that asks for all units at once, a thread asks for its front.
    let Asks { free, blocked } = negotiation.asks(system, Policy::Unit, state, thread);
    for unit in free.into_iter().chain(blocked) {
        if !state.queues[unit].contains(&thread) {
            state.queues[unit].push(thread);
        }
    }
}

/// Gives free units to the first thread of their queues, in all orders, until no queue of a free
/// unit has a thread left.
fn granted(negotiation: &mut dyn Negotiation, system: &System, state: State) -> Vec<State> {
    all_orders(state, |state| {
        let mut next = Vec::new();
        for unit in 0..system.units.len() {
            if state.owners[unit].is_none() && !state.queues[unit].is_empty() {
                let mut given = state.clone();
                let thread = given.queues[unit].remove(0);
                given.owners[unit] = Some(thread);
                enqueue(negotiation, system, &mut given, thread);
                next.push(given);
            }
        }
        next
    })
}

/// All states reached from which nothing more follows, in a fixed order.
fn all_orders(state: State, mut next: impl FnMut(&State) -> Vec<State>) -> Vec<State> {
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut left = vec![state.clone()];
    seen.insert(state);
    let mut last = BTreeSet::new();
    while let Some(state) = left.pop() {
        let after = next(&state);
        if after.is_empty() {
            last.insert(state);
            continue;
        }
        for state in after {
            if seen.insert(state.clone()) {
                left.push(state);
            }
        }
    }
    last.into_iter().collect()
}
