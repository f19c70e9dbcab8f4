//! Runs threads one after the other, each until it is in its situation. Each thread runs in its own
//! part of the system, in which somebody else holds the units of the others. So the cost of a step
//! depends on how many units the thread knows, not on the number of threads.

use super::Situation;
use super::restrict::{Part, restrict};
use crate::design::{ThreadId, UnitId};
use crate::explain::{circle_told, entailed_by, note};
use crate::model::Site;
use crate::negotiate::{Negotiation, Views};
use crate::state::State;
use crate::steps::steps;
use crate::system::{Policy, System};
use crate::trace::Replayed;
use crate::verify::Refutation;
use crate::waiting::{Waits, circle};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use verdict::{Confirmation, StepKind, Trace};

/// Limit on the states that one thread runs through.
const MOST_STATES: usize = 2_000;
/// The thread of a part, and all others.
const SELF: ThreadId = 0;
const OTHER: ThreadId = 1;

/// A unit as it is now, in the numbers of the whole system.
#[derive(Clone, Debug)]
struct Now {
    owner: Option<ThreadId>,
    state: usize,
    bindings: Vec<Vec<UnitId>>,
}

/// The units that differ from their initial state.
type Board = BTreeMap<UnitId, Now>;

/// A thread that has run.
struct Runner {
    thread: ThreadId,
    part: Part,
    run: Replayed,
}

/// Runs the threads of a circle of situations; `None` if they do not end in a circular wait.
pub(super) fn in_turn(system: &System, policy: Policy, found: &[Situation]) -> Option<Refutation> {
    let mut board = Board::new();
    let mut runners = Vec::new();
    for situation in found {
        let part = restrict(system, &[situation.thread]);
        let start = placed(&part, State::initial(&part.system), &board, situation.thread);
        let holds = situation.holds.iter().map(|unit| part.numbers[unit]).collect();
        let run = alone(&part.system, policy, start, &holds)?;
        note_down(&part, run.last(), situation.thread, &mut board);
        runners.push(Runner { thread: situation.thread, part, run });
    }
    // What each thread waits for after all have run.
    let ends: Vec<State> = runners
        .iter()
        .map(|one| placed(&one.part, one.run.last().clone(), &board, one.thread))
        .collect();
    let place = |thread: ThreadId| runners.iter().position(|one| one.thread == thread);
    let waits = |(one, end): (&Runner, &State)| -> Waits {
        let blocked = Views.asks(&one.part.system, policy, end, SELF).blocked;
        let units = blocked.into_iter().map(|unit| one.part.whole[unit]);
        units.filter_map(|unit| Some((unit, place(board.get(&unit)?.owner?)?))).collect()
    };
    let waits: Vec<Waits> = runners.iter().zip(&ends).map(waits).collect();
    let circle: Vec<(ThreadId, UnitId)> =
        circle(&waits)?.into_iter().map(|(at, unit)| (runners[at].thread, unit)).collect();
    let mut told = Refutation {
        trace: trace(system, &runners),
        span: system.span,
        message: String::new(),
        labels: Vec::new(),
        notes: Vec::new(),
        help: Vec::new(),
    };
    let entailed = |thread: ThreadId, unit: UnitId| {
        let at = place(thread)?;
        let part = &runners[at].part;
        let (by, constraint) =
            entailed_by(&part.system, &ends[at], SELF, *part.numbers.get(&unit)?)?;
        Some((part.whole[by], constraint))
    };
    circle_told(system, policy, &circle, &entailed, &mut told);
    told.notes.push(note(policy));
    Some(told)
}

/// A state of a part in which units are as the board says, except those that the thread holds
/// itself.
fn placed(part: &Part, mut state: State, board: &Board, thread: ThreadId) -> State {
    for (at, unit) in part.whole.iter().enumerate() {
        let Some(now) = board.get(unit).filter(|now| now.owner != Some(thread)) else { continue };
        state.owners[at] = now.owner.map(|_| OTHER);
        state.states[at] = now.state;
        for (slot, units) in part.system.slots(at).zip(&now.bindings) {
            state.bindings[slot] = units.iter().map(|unit| part.numbers[unit]).collect();
        }
    }
    state
}

fn note_down(part: &Part, state: &State, thread: ThreadId, board: &mut Board) {
    for (at, &unit) in part.whole.iter().enumerate() {
        if state.owners[at] == Some(OTHER) {
            continue;
        }
        let whole = |units: &Vec<UnitId>| units.iter().map(|&one| part.whole[one]).collect();
        let bindings = state.bindings[part.system.slots(at)].iter().map(whole).collect();
        let owner = state.owners[at].map(|_| thread);
        board.insert(unit, Now { owner, state: state.states[at], bindings });
    }
}

/// The steps that bring the thread to a state in which it is not complete and holds exactly these
/// units.
fn alone(
    system: &System,
    policy: Policy,
    start: State,
    holds: &BTreeSet<UnitId>,
) -> Option<Replayed> {
    let root = system.roots[SELF];
    let is_there = |state: &State| {
        let held = (0..state.owners.len())
            .filter(|&unit| unit != root && state.owners[unit] == Some(SELF));
        held.eq(holds.iter().copied()) && !Views.asks(system, policy, state, SELF).is_empty()
    };
    let mut parents: BTreeMap<State, Option<(State, Site)>> = BTreeMap::new();
    parents.insert(start.clone(), None);
    let mut left = VecDeque::from([start.clone()]);
    while let Some(state) = left.pop_front() {
        if is_there(&state) {
            let (mut at, mut path) = (state, Vec::new());
            while let Some((before, site)) = parents[&at].clone() {
                path.push((SELF, site, Some(at)));
                at = before;
            }
            path.reverse();
            return Some(Replayed { start, steps: path });
        }
        if parents.len() > MOST_STATES {
            return None;
        }
        for step in steps(&mut Views, system, policy, &state, SELF) {
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

/// The runs one after the other.
fn trace(system: &System, runners: &[Runner]) -> Trace {
    let mut all = Trace::new(Vec::new(), Vec::new(), Vec::new(), Confirmation::Confirmed);
    let mut named = BTreeSet::new();
    for (lane, runner) in runners.iter().enumerate() {
        let trace = runner.run.trace(&runner.part.system);
        let name = system.thread_name(runner.thread).to_owned();
        all.lanes.push(verdict::Lane { name });
        for (name, value) in trace.initial {
            if named.insert(name.clone()) {
                all.initial.push((name, value));
            }
        }
        for step in trace.steps {
            all.steps.push(verdict::Step { lane, kind: StepKind::Statement, ..step });
        }
    }
    if let Some(last) = all.steps.last_mut() {
        last.kind = StepKind::Violation;
    }
    all
}
