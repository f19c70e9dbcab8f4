//! A real run behind a circle of situations.
//!
//! Only the threads of the circle run, the others do nothing yet; that is a run of the whole system. A few threads are searched
//! exactly. Many are run one after the other, each until it is in its situation.

use super::Situation;
use super::restrict::{Part, restrict};
use crate::design::{ThreadId, UnitId};
use crate::explain::all_waits;
use crate::model::{CIRCULAR_WAIT, Model, Site};
use crate::negotiate::{Negotiation, Views};
use crate::state::State;
use crate::steps::steps;
use crate::system::{Policy, System};
use crate::trace::Replayed;
use crate::waiting::circle;
use search::{Budget, Options, explore};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many threads are searched exactly,
const FEW: usize = 6;
/// up to so many states.
const MOST_STATES: u64 = 300_000;
/// A thread that runs alone does so through so many states at most.
const MOST_ALONE: usize = 2_000;
/// How much memory an exact search may take.
const MOST_BYTES: u64 = 512 << 20;

pub(super) fn confirm(
    system: &System,
    policy: Policy,
    found: &[Situation],
) -> Option<(System, Replayed)> {
    if matches!(policy, Policy::Saturate | Policy::Fifo) {
        // These hand out units also to threads that would do nothing.
        return None;
    }
    let mut threads: Vec<ThreadId> = found.iter().map(|one| one.thread).collect();
    threads.sort_unstable();
    let part = restrict(system, &threads);
    let run = if threads.len() <= FEW {
        exactly(&part.system, policy)
    } else {
        one_by_one(&part, policy, found, &threads)
    }?;
    Some((part.system, run))
}

fn exactly(system: &System, policy: Policy) -> Option<Replayed> {
    let mut model = Model::new(system, policy, MOST_BYTES);
    let budget = Budget { states: MOST_STATES, bytes: MOST_BYTES, ..Budget::default() };
    let symmetry = model.is_symmetric();
    let report =
        explore(&mut model, &budget, &Options { all: true, symmetry, ..Options::default() });
    let violation = report.violations.iter().find(|one| one.fault == CIRCULAR_WAIT)?;
    Some(model.replay(&violation.run))
}

fn one_by_one(
    part: &Part,
    policy: Policy,
    found: &[Situation],
    threads: &[ThreadId],
) -> Option<Replayed> {
    let system = &part.system;
    let start = State::initial(system);
    let mut run = Replayed { start: start.clone(), steps: Vec::new() };
    let mut here = start;
    for situation in found {
        let thread = threads.binary_search(&situation.thread).ok()?;
        let holds = situation.holds.iter().map(|unit| part.numbers[unit]).collect();
        for (site, state) in alone(system, policy, &here, thread, &holds)? {
            here = state.clone();
            run.steps.push((thread, site, Some(state)));
        }
    }
    circle(&all_waits(system, policy, &here)).map(|_| run)
}

/// The steps of one thread that bring it to a state in which it is not complete and holds these units.
fn alone(
    system: &System,
    policy: Policy,
    from: &State,
    thread: ThreadId,
    holds: &BTreeSet<UnitId>,
) -> Option<Vec<(Site, State)>> {
    let root = system.roots[thread];
    let is_there = |state: &State| {
        let held = |unit: UnitId| unit != root && state.owners[unit] == Some(thread);
        holds.iter().all(|&unit| held(unit))
            && (0..state.owners.len()).filter(|&unit| held(unit)).count() == holds.len()
            && !Views.asks(system, policy, state, thread).is_empty()
    };
    let mut parents: BTreeMap<State, Option<(State, Site)>> = BTreeMap::new();
    parents.insert(from.clone(), None);
    let mut left = VecDeque::from([from.clone()]);
    while let Some(state) = left.pop_front() {
        if is_there(&state) {
            let (mut at, mut path) = (state, Vec::new());
            while let Some((before, site)) = parents[&at].clone() {
                path.push((site, at));
                at = before;
            }
            path.reverse();
            return Some(path);
        }
        if parents.len() > MOST_ALONE {
            return None;
        }
        for step in steps(&mut Views, system, policy, &state, thread) {
            let Ok(next) = step.result else { continue };
            if !parents.contains_key(&next) {
                let site = Site { event: step.event, violation: None };
                parents.insert(next.clone(), Some((state.clone(), site)));
                left.push_back(next);
            }
        }
    }
    None
}
