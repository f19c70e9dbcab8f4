//! The views of each thread; see the module's documentation.

use super::Situation;
use super::letting_go::{Kind, lets_go};
use super::restrict::{Part, restrict};
use crate::design::{ThreadId, UnitId};
use crate::hygiene::Seen;
use crate::model::{ACCESS, ORPHANED_WAIT, RELEASED, STUCK};
use crate::negotiate::realm;
use crate::state::State;
use crate::steps::{Violation, steps};
use crate::system::{Policy, System};
use search::Budget;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use verdict::StopReason;

/// All views.
pub(crate) struct Views {
    pub(crate) count: u64,
    pub(crate) alarms: BTreeSet<u32>,
    pub(crate) situations: Vec<Situation>,
    /// The units that threads hold where they cannot surely let go of them (`letting_go.rs`), and
    /// who holds them.
    pub(crate) kept: BTreeMap<UnitId, BTreeSet<ThreadId>>,
    pub(crate) seen: Seen,
}

/// How a thread leaves a unit: its state and what its variables refer to, in the numbers of the
/// whole system.
pub(crate) type Left = (usize, Vec<Vec<UnitId>>);

/// In which other ways units are left, given that a unit is left in one way.
pub(crate) type Shared<'s> = dyn Fn(UnitId, &Left) -> Vec<(UnitId, Left)> + 's;

/// The views of a system in which each unit is left only as its own threads leave it.
pub(super) fn views(
    system: &System,
    policy: Policy,
    budget: &Budget<'_>,
) -> Result<Views, StopReason> {
    shared_views(system, policy, budget, &|_, _| Vec::new())
}

/// Like `views`, but units share the ways in which they are left; this allows more than really
/// happens.
pub(crate) fn shared_views(
    system: &System,
    policy: Policy,
    budget: &Budget<'_>,
    shared: &Shared<'_>,
) -> Result<Views, StopReason> {
    let threads = 0..system.roots.len();
    let parts: Vec<Part> = threads.clone().map(|thread| restrict(system, &[thread])).collect();
    let mut left: Vec<BTreeSet<Left>> = (0..system.units.len())
        .map(|unit| {
            let bindings = system.bindings[system.slots(unit)].to_vec();
            BTreeSet::from([(system.class(unit).initial, bindings)])
        })
        .collect();
    let mut users: BTreeMap<UnitId, Vec<ThreadId>> = BTreeMap::new();
    for (thread, part) in parts.iter().enumerate() {
        part.whole.iter().for_each(|&unit| users.entry(unit).or_default().push(thread));
    }
    let mut found: Vec<Option<Local<'_>>> = threads.clone().map(|_| None).collect();
    let mut counts = vec![0u64; parts.len()];
    let mut work: VecDeque<ThreadId> = threads.collect();
    let mut is_waiting = vec![true; parts.len()];
    while let Some(thread) = work.pop_front() {
        is_waiting[thread] = false;
        let mut local = Local::new(&parts[thread], policy, &left);
        let others: u64 = counts.iter().sum::<u64>() - counts[thread];
        let states = budget.states.saturating_sub(others);
        local.explore(&Budget { states, ..*budget })?;
        counts[thread] = local.seen.len() as u64;
        let released = std::mem::take(&mut local.released).into_iter();
        for (unit, how) in released.flat_map(|(unit, how)| {
            let others = shared(unit, &how);
            std::iter::once((unit, how)).chain(others)
        }) {
            if left[unit].insert(how) {
                for &user in users.get(&unit).into_iter().flatten() {
                    if !std::mem::replace(&mut is_waiting[user], true) {
                        work.push_back(user);
                    }
                }
            }
        }
        local.left = BTreeMap::new();
        local.seen = BTreeMap::new();
        found[thread] = Some(local);
    }
    let found = found.into_iter().flatten().collect();
    Ok(together(counts.iter().sum(), found))
}

/// Joins the views of all threads.
fn together(count: u64, found: Vec<Local<'_>>) -> Views {
    let mut views = Views {
        count,
        alarms: BTreeSet::new(),
        situations: Vec::new(),
        kept: BTreeMap::new(),
        seen: Seen::default(),
    };
    for (thread, local) in found.into_iter().enumerate() {
        views.alarms.extend(local.alarms);
        views.seen.extend(local.happened);
        for unit in local.kept {
            views.kept.entry(unit).or_default().insert(thread);
        }
        let situation = |(holds, wants)| Situation { thread, holds, wants };
        views.situations.extend(local.situations.into_iter().map(situation));
    }
    views
}

/// One thread alone. In its states, the units that it does not hold are as at the start; nothing
/// may depend on them.
struct Local<'p> {
    part: &'p Part,
    is_aon: bool,
    /// Whether the policy hands out units by itself.
    is_handed_out: bool,
    initial: State,
    /// The states in which units may be acquired, in the numbers of the part.
    left: BTreeMap<UnitId, Vec<Left>>,
    /// The views, numbered as they are met.
    seen: BTreeMap<State, usize>,
    alarms: BTreeSet<u32>,
    situations: BTreeSet<(BTreeSet<UnitId>, BTreeSet<UnitId>)>,
    /// How the thread left units, in the numbers of the whole system.
    released: BTreeSet<(UnitId, Left)>,
    /// The units that it holds in views from which it may be unable to let go, in the numbers of
    /// the whole system.
    kept: BTreeSet<UnitId>,
    happened: Seen,
    /// Whether there were too many ways to become complete, or the thread entered a unit too often.
    is_cut: bool,
}

/// Larger sets of units are not acquired in all orders.
const MOST_ONE_BY_ONE: usize = 6;

/// Limit on the number of ways in which a thread becomes complete.
const MOST_WAYS: usize = 100_000;

/// The thread of a part that has one thread.
const THREAD: ThreadId = 0;

impl<'p> Local<'p> {
    fn new(part: &'p Part, policy: Policy, left: &[BTreeSet<Left>]) -> Self {
        let inside = |how: &Left| {
            let list = |units: &Vec<UnitId>| units.iter().map(|unit| part.numbers[unit]).collect();
            (how.0, how.1.iter().map(list).collect())
        };
        let units = part.whole.iter().enumerate();
        Self {
            part,
            is_aon: policy == Policy::Aon,
            is_handed_out: matches!(policy, Policy::Saturate | Policy::Fifo),
            initial: State::initial(&part.system),
            left: units.map(|(at, &unit)| (at, left[unit].iter().map(inside).collect())).collect(),
            seen: BTreeMap::new(),
            alarms: BTreeSet::new(),
            situations: BTreeSet::new(),
            released: BTreeSet::new(),
            kept: BTreeSet::new(),
            happened: Seen::default(),
            is_cut: false,
        }
    }

    fn explore(&mut self, budget: &Budget<'_>) -> Result<(), StopReason> {
        let (mut kinds, mut leads): (Vec<Kind>, Vec<Vec<usize>>) =
            (vec![Kind::Free], vec![Vec::new()]);
        let mut todo = vec![(0, self.initial.clone())];
        self.seen.insert(self.initial.clone(), 0);
        while let Some((view, state)) = todo.pop() {
            let front = realm(&self.part.system, &state, THREAD).front;
            kinds[view] = self.kind(&state, front.is_empty());
            let next =
                if front.is_empty() { self.execute(&state) } else { self.expand(&state, &front) };
            for state in next {
                let number = self.seen.get(&state).copied().unwrap_or(kinds.len());
                if number == kinds.len() {
                    kinds.push(Kind::Free);
                    leads.push(Vec::new());
                    self.seen.insert(state.clone(), number);
                    todo.push((number, state));
                }
                leads[view].push(number);
            }
            if let Some(reason) = budget.halted() {
                return Err(reason);
            }
            if self.is_cut || self.seen.len() as u64 > budget.states {
                return Err(StopReason::ResourceLimit);
            }
        }
        let lets_go = lets_go(&kinds, &leads);
        let kept = self.seen.iter().filter(|(_, view)| !lets_go[**view]);
        let kept = kept.flat_map(|(state, _)| self.held(state)).map(|unit| self.part.whole[unit]);
        self.kept = kept.collect();
        Ok(())
    }

    /// The kind of a view, to compute whether the thread can let go of what it holds.
    fn kind(&self, state: &State, is_complete: bool) -> Kind {
        let holds_nothing = self.held(state).next().is_none();
        let has_ended = is_complete && state.is_final(&self.part.system, THREAD);
        if has_ended || (holds_nothing && (is_complete || !self.is_handed_out)) {
            Kind::Free
        } else if is_complete {
            Kind::Complete
        } else {
            Kind::Incomplete
        }
    }

    /// The steps of a complete thread.
    fn execute(&mut self, state: &State) -> Vec<State> {
        let system = &self.part.system;
        let made = steps(&mut crate::negotiate::Views, system, Policy::Unit, state, THREAD);
        if made.is_empty() {
            if !state.is_final(system, THREAD) {
                self.alarms.insert(STUCK);
            } else if self.held(state).next().is_some() {
                self.alarms.insert(ORPHANED_WAIT);
            }
        }
        let mut next = Vec::new();
        for step in made {
            self.happened.event(&step.event, |unit| system.units[unit].class);
            match step.result {
                Ok(after) => {
                    self.is_cut |= after.is_deep(THREAD);
                    next.push(self.let_go(state, after));
                }
                Err(Violation::Access { .. }) => {
                    self.alarms.insert(ACCESS);
                }
                Err(Violation::Released(_)) => {
                    self.alarms.insert(RELEASED);
                }
            }
        }
        next
    }

    /// Remembers how the thread left units that it held before and holds no more.
    fn let_go(&mut self, before: &State, mut after: State) -> State {
        for unit in 0..after.owners.len() {
            if after.owners[unit].is_some() || before.owners[unit].is_none() {
                continue;
            }
            let slots = self.part.system.slots(unit);
            let whole =
                |units: &Vec<UnitId>| units.iter().map(|&one| self.part.whole[one]).collect();
            let bindings = after.bindings[slots.clone()].iter().map(whole).collect();
            self.released.insert((self.part.whole[unit], (after.states[unit], bindings)));
            after.states[unit] = self.initial.states[unit];
            after.bindings[slots.clone()].clone_from_slice(&self.initial.bindings[slots]);
        }
        after
    }

    fn held<'s>(&self, state: &'s State) -> impl Iterator<Item = UnitId> + 's {
        let root = self.part.system.roots[THREAD];
        (0..state.owners.len()).filter(move |&unit| unit != root && state.owners[unit].is_some())
    }

    /// The views that a thread that is not complete can get to; also records its situation.
    fn expand(&mut self, state: &State, front: &[UnitId]) -> Vec<State> {
        let whole = |units: &mut dyn Iterator<Item = UnitId>| -> BTreeSet<UnitId> {
            units.map(|unit| self.part.whole[unit]).collect()
        };
        let is_at_once = self.is_aon || front.len() > MOST_ONE_BY_ONE;
        let holds = whole(&mut self.held(state));
        let wants =
            if is_at_once { self.closure(state, front) } else { front.iter().copied().collect() };
        let wants = whole(&mut wants.into_iter());
        if is_at_once && !self.is_aon {
            // In truth the thread holds more on the way and wants less.
            for &unit in &wants {
                let (mut holds, mut wants) = (holds.clone(), wants.clone());
                wants.remove(&unit);
                holds.insert(unit);
                self.situations.insert((holds, wants));
            }
        }
        self.situations.insert((holds, wants));
        let tried = if is_at_once { &front[..1] } else { front };
        let next = tried.iter().flat_map(|&unit| self.acquired(state, unit)).collect();
        if is_at_once { self.completed(next) } else { next }
    }

    /// The states after the thread acquires a unit, in each way in which the unit may be left.
    fn acquired<'s>(&'s self, state: &'s State, unit: UnitId) -> impl Iterator<Item = State> + 's {
        self.left[&unit].iter().map(move |(unit_state, bindings)| {
            let mut after = state.clone();
            after.owners[unit] = Some(THREAD);
            after.states[unit] = *unit_state;
            after.bindings[self.part.system.slots(unit)].clone_from_slice(bindings);
            after
        })
    }

    /// Acquires until the thread is complete.
    fn completed(&mut self, mut todo: Vec<State>) -> Vec<State> {
        let mut complete = BTreeSet::new();
        while let Some(state) = todo.pop() {
            if complete.len() + todo.len() > MOST_WAYS {
                self.is_cut = true;
                break;
            }
            let Some(&unit) = realm(&self.part.system, &state, THREAD).front.first() else {
                complete.insert(state);
                continue;
            };
            todo.extend(self.acquired(&state, unit));
        }
        complete.into_iter().collect()
    }

    /// All units that the thread may have to acquire, in whatever state they are.
    fn closure(&self, state: &State, front: &[UnitId]) -> BTreeSet<UnitId> {
        let mut wanted: BTreeSet<UnitId> = front.iter().copied().collect();
        let mut todo: Vec<UnitId> = front.to_vec();
        while let Some(unit) = todo.pop() {
            for (at, bindings) in &self.left[&unit] {
                let entails = &self.part.system.class(unit).states[*at].entails;
                for &other in entails.iter().flat_map(|&variable| &bindings[variable]) {
                    if state.owners[other].is_none() && wanted.insert(other) {
                        todo.push(other);
                    }
                }
            }
        }
        wanted
    }
}
