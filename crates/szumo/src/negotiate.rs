//! Negotiation, all units or none.
//!
//! A thread that is not complete looks at everything that its contract entails, also through units
//! that nobody holds. If nothing of it belongs to others, it gets all of it; otherwise it sleeps,
//! and keeps only the units that it held before. A thread that changes something decides for the
//! sleepers that looked at it, the oldest first, and hands units over directly.
//!
//! That is the policy `aon` of the checker, and it is fair as the checker takes runs to be: a
//! thread that could have its units gets them before anybody takes another step, unless an older
//! sleeper takes one of them, and then it could not have them. So a thread that can always be
//! completed from some moment on is completed. Nobody reserves units: a thread that is passed over
//! while it cannot be completed keeps no others from what they can have, who may never be passed
//! over in the model.

use crate::log::Event;
use crate::system::{Phase, Shared, State, Wait};
use crate::{Error, UnitId};

/// What a thread misses.
struct Asks {
    free: Vec<usize>,
    blocked: Vec<usize>,
}

impl Shared {
    /// Returns when the thread is complete, or when it never will be, with the units that it holds
    /// then.
    pub(crate) fn complete(&self, thread: usize) -> (Result<(), Error>, Vec<usize>) {
        let mut state = self.lock();
        let asks = self.asks(&state, thread);
        if asks.free.is_empty() && asks.blocked.is_empty() {
            return (Ok(()), state.reach(self, thread));
        }
        if asks.blocked.is_empty() {
            grant(&mut state, thread, &asks.free);
            self.settle(&mut state, asks.free, None);
            return (Ok(()), state.reach(self, thread));
        }
        let units = asks.blocked.iter().map(|&unit| UnitId(unit)).collect();
        state.record(thread, Event::Wait(units), &[], &[]);
        state.tickets += 1;
        let looked = [asks.blocked.as_slice(), &asks.free].concat();
        let ticket = state.tickets;
        let wait = Wait { ticket, blocked: asks.blocked, looked };
        state.phases[thread] = Phase::Waiting(wait);
        self.settle(&mut state, Vec::new(), Some(thread));
        loop {
            match std::mem::replace(&mut state.phases[thread], Phase::Running) {
                Phase::Decided(outcome) => return (outcome, state.reach(self, thread)),
                phase => state.phases[thread] = phase,
            }
            state =
                self.bells[thread].wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// Whether a thread holds all units that it needs.
    pub(crate) fn is_complete(&self, state: &State, thread: usize) -> bool {
        let asks = self.asks(state, thread);
        asks.free.is_empty() && asks.blocked.is_empty()
    }

    /// Decides for all sleepers that looked at units that changed, and for one that has just fallen
    /// asleep, until nothing changes.
    pub(crate) fn settle(
        &self,
        state: &mut State,
        mut changed: Vec<usize>,
        mut new: Option<usize>,
    ) {
        loop {
            let touched = sleepers(state, &changed);
            let mut next = Vec::new();
            for &thread in &touched {
                next.append(&mut self.decide(state, thread));
            }
            // A new circle goes through a thread that waits for something new.
            for thread in touched.into_iter().chain(new.take()) {
                next.append(&mut self.judge(state, thread));
            }
            if next.is_empty() {
                return;
            }
            changed = next;
        }
    }

    /// Tries again for a sleeper; returns the units whose sleepers should be decided again.
    fn decide(&self, state: &mut State, thread: usize) -> Vec<usize> {
        let asks = self.asks(state, thread);
        let Phase::Waiting(wait) = &mut state.phases[thread] else { return Vec::new() };
        if !asks.blocked.is_empty() {
            wait.looked = [asks.blocked.as_slice(), &asks.free].concat();
            wait.blocked = asks.blocked;
            return Vec::new();
        }
        let mut changed = std::mem::take(&mut wait.looked);
        changed.extend_from_slice(&asks.free);
        grant(state, thread, &asks.free);
        self.wake(state, thread, Ok(()));
        changed
    }

    /// Ends the sleep of a thread that would never be woken: one that waits in a circle, or for a
    /// thread that has ended.
    fn judge(&self, state: &mut State, thread: usize) -> Vec<usize> {
        let Phase::Waiting(wait) = &state.phases[thread] else { return Vec::new() };
        let ended = |&&unit: &&usize| {
            state.owners[unit].is_some_and(|owner| matches!(state.phases[owner], Phase::Ended))
        };
        if let Some(&unit) = wait.blocked.iter().find(ended) {
            let changed = wait.looked.clone();
            let holder = state.owners[unit].map_or(unit, |owner| self.roots[owner]);
            let [unit, holder] = [unit, holder].map(|unit| self.tables.name(unit));
            self.wake(state, thread, Err(Error::Orphaned { unit, holder }));
            return changed;
        }
        let Some(found) = circle(state, thread) else { return Vec::new() };
        let name = |&(thread, unit): &(usize, usize)| {
            (self.tables.name(self.roots[thread]), self.tables.name(unit))
        };
        let named: Vec<(String, String)> = found.iter().map(name).collect();
        let mut changed = Vec::new();
        for (thread, _) in found {
            if let Phase::Waiting(wait) = &mut state.phases[thread] {
                changed.append(&mut wait.looked);
            }
            self.wake(state, thread, Err(Error::Deadlock { circle: named.clone() }));
        }
        changed
    }

    fn asks(&self, state: &State, thread: usize) -> Asks {
        let root = self.roots[thread];
        let mut met = vec![false; state.owners.len()];
        met[root] = true;
        let (mut reach, mut at) = (vec![root], 0);
        let mut asks = Asks { free: Vec::new(), blocked: Vec::new() };
        while let Some(&unit) = reach.get(at) {
            at += 1;
            for other in state.entailed(&self.tables, unit) {
                if std::mem::replace(&mut met[other], true) {
                    continue;
                }
                match state.owners[other] {
                    Some(owner) if owner != thread => asks.blocked.push(other),
                    Some(_) => reach.push(other),
                    None => {
                        reach.push(other);
                        asks.free.push(other);
                    }
                }
            }
        }
        asks
    }

    fn wake(&self, state: &mut State, thread: usize, outcome: Result<(), Error>) {
        state.phases[thread] = Phase::Decided(outcome);
        self.bells[thread].notify_one();
    }
}

fn waiting(state: &State) -> impl Iterator<Item = (usize, &Wait)> {
    state.phases.iter().enumerate().filter_map(|(thread, phase)| match phase {
        Phase::Waiting(wait) => Some((thread, wait)),
        _ => None,
    })
}

/// The threads whose answer depends on a unit that changed, the oldest first.
fn sleepers(state: &State, changed: &[usize]) -> Vec<usize> {
    let mut found: Vec<(u64, usize)> = waiting(state)
        .filter(|(_, wait)| wait.looked.iter().any(|unit| changed.contains(unit)))
        .map(|(thread, wait)| (wait.ticket, thread))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, thread)| thread).collect()
}

/// A circle of sleepers through a thread, each with the unit that it waits for.
fn circle(state: &State, start: usize) -> Option<Vec<(usize, usize)>> {
    let mut met = vec![false; state.phases.len()];
    let mut path: Vec<(usize, usize)> = vec![(start, 0)];
    while let Some(&mut (thread, ref mut at)) = path.last_mut() {
        let next = match &state.phases[thread] {
            Phase::Waiting(wait) => wait.blocked.get(*at).copied(),
            _ => None,
        };
        let Some(unit) = next else {
            path.pop();
            continue;
        };
        *at += 1;
        match state.owners[unit] {
            Some(owner) if owner == start => {
                let edge = |&(thread, at): &(usize, usize)| match &state.phases[thread] {
                    Phase::Waiting(wait) => Some((thread, wait.blocked[at - 1])),
                    _ => None,
                };
                return Some(path.iter().filter_map(edge).collect());
            }
            Some(owner) if !std::mem::replace(&mut met[owner], true) => path.push((owner, 0)),
            _ => {}
        }
    }
    None
}

fn grant(state: &mut State, thread: usize, units: &[usize]) {
    for &unit in units {
        state.owners[unit] = Some(thread);
    }
    if !units.is_empty() {
        state.record(thread, Event::Complete, units, &[]);
    }
}
