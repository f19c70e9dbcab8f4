//! Which thread waits for which. A thread waits for *all* units that it asks for and others hold,
//! so a circle is necessary and sufficient for its threads never to run again.

use crate::design::{ThreadId, UnitId};
use crate::negotiate::{Asks, Negotiation};
use crate::state::State;
use crate::system::{Policy, System};

/// The units that a thread waits for, and their holders.
pub(crate) type Waits = Vec<(UnitId, ThreadId)>;

/// The units that a thread waits for in a state. It does not wait for a unit that nobody holds,
/// except in a queue, where the unit is about to be handed out.
pub(crate) fn waits(
    negotiation: &mut dyn Negotiation,
    system: &System,
    policy: Policy,
    state: &State,
    thread: ThreadId,
) -> Waits {
    let Asks { blocked, .. } = negotiation.asks(system, policy, state, thread);
    let held = |unit: UnitId| state.owners[unit].map(|owner| (unit, owner));
    blocked.into_iter().filter_map(held).collect()
}

/// A circle of threads, each with the unit that it waits for and the next one holds.
pub(crate) fn circle(
    waits: &[impl AsRef<[(UnitId, ThreadId)]>],
) -> Option<Vec<(ThreadId, UnitId)>> {
    let edges = |thread: ThreadId| waits[thread].as_ref();
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut marks = vec![NEW; waits.len()];
    for start in 0..waits.len() {
        if marks[start] != NEW || edges(start).is_empty() {
            continue;
        }
        // The path, each thread with the next of its edges.
        let mut path: Vec<(ThreadId, usize)> = vec![(start, 0)];
        marks[start] = OPEN;
        while let Some(&mut (thread, ref mut at)) = path.last_mut() {
            let Some(&(_, owner)) = edges(thread).get(*at) else {
                marks[thread] = DONE;
                path.pop();
                continue;
            };
            *at += 1;
            if marks[owner] == OPEN {
                let from = path.iter().position(|&(other, _)| other == owner).unwrap_or(0);
                let edge = |&(thread, at): &(ThreadId, usize)| (thread, edges(thread)[at - 1].0);
                return Some(path[from..].iter().map(edge).collect());
            }
            if marks[owner] == NEW {
                marks[owner] = OPEN;
                path.push((owner, 0));
            }
        }
    }
    None
}
