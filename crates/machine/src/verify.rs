//! Which strategy decides what: the ladder from cheap abstractions to the exact search.
//!
//! 1. Each thread alone (paper 5: thread-modular search; with stacks if a procedure is recursive), and if there are too many
//!    facts for tables the same with decision diagrams. What raises no alarm
//!    holds, for any number of copies where [`crate::cutoff`] applies.
//! 2. Replay: a bounded exhaustive search for real runs behind the alarms. If it sees everything, alarms without a run
//!    are none.
//! 3. Pairs of threads.
//! 4. Each thread alone again, with the places of all threads in the code exposed.
//! 5. The exhaustive search, as far as the budget goes.
//!
//! All of them have a short turn first, and then one as long as the budget allows.
//!
//! What is still open then is an alarm that may or may not be real, and is reported as such.

use crate::check::{Request, check};
use crate::covers::Strategy;
use crate::cutoff::{copies, is_recursive};
use crate::found::{Found, Verified};
use crate::goals::{Goal, Goals, goals};
use crate::scope::{Scope, Sizes, crowd, worlds};
use crate::symbolic::symbolic;
use crate::tables::{Machine, Settings};
use plato::hir::{Count, Program};
use search::{Alarm, Budget, Exposed, Options, pushdown, thread_modular, views};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Evidence, StopReason};

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The whole ladder.
    #[default]
    Ladder,
    /// Each thread alone, and real runs behind alarms.
    ThreadModular,
    /// Each thread alone, with sets of states as decision diagrams.
    Symbolic,
    /// The same as [`Engine::ThreadModular`] with stacks.
    Pushdown,
    /// Pairs of threads, and real runs behind alarms.
    Pairs,
    /// Every interleaving.
    Explore,
}

/// Real runs behind alarms are looked for among so many states in each world, first the lower number, then the higher.
const REPLAY_STATES: [u64; 2] = [10_000, 300_000];
/// Of families of any size, at most so many copies are tried.
const REPLAY_COPIES: u64 = 6;
/// Of more threads than these, a single state costs too much: small worlds are searched instead.
const MANY_THREADS: u64 = 2_000;
/// From so many copies of one thread on, states that differ in their names only count as one.
const WORTH_SYMMETRY: usize = 4;
/// How many states each strategy may visit before all of them had their turn. A strategy that suits
/// a program usually needs fewer, and one that does not must not keep the others waiting.
const SHORT_TURN: u64 = 30_000;
/// How many states a search with exposed places may visit.
const EXPOSED_STATES: u64 = 5_000_000;
/// More threads than these are not exposed to each other.
const MAX_EXPOSED: usize = 6;

/// Decides the goals of a program, or some of them.
pub fn verify(
    program: &Program,
    engine: Engine,
    budget: &Budget<'_>,
    wanted: impl Fn(&Goal) -> bool,
) -> Verified {
    let all = goals(program);
    let annotations = Settings { annotations: all.has_annotations(), ..Settings::default() };
    let specifications = Settings { specifications: true, ..Settings::default() };
    let Goals { searched, specified, beyond, unsupported } = all;
    let followed: BTreeSet<Goal> = specified.iter().copied().collect();
    let plain = |goal: &Goal| wanted(goal) && !followed.contains(goal);
    let of_specifications = |goal: &Goal| wanted(goal) && followed.contains(goal);
    let request = Asked { program, engine, budget };
    let mut verified = request.decide(searched, annotations, &plain);
    let more = request.decide(specified, specifications, &of_specifications);
    verified.goals.extend(more.goals);
    verified.tried.extend(more.tried.into_iter().map(|text| format!("specifications: {text}")));
    let beyond = beyond.into_iter().filter(|(goal, _)| wanted(goal));
    verified.goals.extend(beyond.map(|(goal, what)| (goal, Found::Open(StopReason::Engine(what)))));
    verified.without_unsupported(&unsupported, &program.unsupported);
    verified.goals.sort_by_key(|(goal, _)| (goal.span, goal.code));
    verified
}

/// What is asked, whatever the goals.
#[derive(Clone, Copy)]
struct Asked<'a> {
    program: &'a Program,
    engine: Engine,
    budget: &'a Budget<'a>,
}

impl Asked<'_> {
    /// Decides some goals on a ladder of their own.
    fn decide(
        self,
        goals: Vec<Goal>,
        settings: Settings,
        wanted: &dyn Fn(&Goal) -> bool,
    ) -> Verified {
        let Self { program, engine, budget } = self;
        let open: BTreeSet<Goal> = goals.into_iter().filter(wanted).collect();
        let mut ladder = Ladder {
            program,
            budget,
            settings,
            all_strategies: engine == Engine::Ladder,
            wanted,
            open,
            found: BTreeMap::new(),
            alarmed: BTreeSet::new(),
            uncovered: BTreeMap::new(),
            tried: Vec::new(),
            why: None,
            finished: BTreeSet::new(),
            limit: budget.states,
            explored: false,
            visited: 0,
        };
        ladder.climb(engine);
        let open = std::mem::take(&mut ladder.open);
        let left: Vec<(Goal, Found)> =
            open.into_iter().map(|goal| (goal, Found::Open(ladder.left_open(&goal)))).collect();
        ladder.found.retain(|goal, _| wanted(goal));
        ladder.found.extend(left);
        Verified { goals: ladder.found.into_iter().collect(), tried: ladder.tried }
    }
}

struct Ladder<'a> {
    program: &'a Program,
    budget: &'a Budget<'a>,
    /// What runs are compared with.
    settings: Settings,
    /// Whether every strategy that fits is tried.
    all_strategies: bool,
    wanted: &'a dyn Fn(&Goal) -> bool,
    open: BTreeSet<Goal>,
    found: BTreeMap<Goal, Found>,
    /// Goals for which an abstract search raised an alarm.
    alarmed: BTreeSet<Goal>,
    /// Goals of which a strategy that was tried says nothing.
    uncovered: BTreeMap<Goal, Strategy>,
    tried: Vec<String>,
    /// Why the rest stays open.
    why: Option<StopReason>,
    /// Strategies that saw everything; trying them again would find the same.
    finished: BTreeSet<Strategy>,
    /// How many states a search may visit in this turn.
    limit: u64,
    /// Whether an exhaustive search with more states would find nothing new.
    explored: bool,
    /// So many states were allowed when every interleaving was tried last; the same again finds the same.
    visited: u64,
}

/// What an abstract search came to.
struct Abstracted {
    alarms: BTreeSet<Goal>,
    facts: u64,
    cut: Option<StopReason>,
}

impl<'a> Ladder<'a> {
    fn climb(&mut self, engine: Engine) {
        let stacks = is_recursive(self.program);
        match engine {
            Engine::Ladder => {
                for states in [SHORT_TURN, self.budget.states] {
                    self.limit = states.min(self.budget.states);
                    self.take_turn(stacks);
                }
            }
            Engine::Explore => self.exactly(self.budget.states),
            Engine::Symbolic => {
                self.symbolically();
                self.replay();
            }
            Engine::ThreadModular => self.abstractly_then_replay(Strategy::OneThread),
            Engine::Pushdown => self.abstractly_then_replay(Strategy::Stacks),
            Engine::Pairs => self.abstractly_then_replay(Strategy::Pairs),
        }
    }

    /// Tries every strategy that fits, as far as the limit goes.
    fn take_turn(&mut self, stacks: bool) {
        let base = if stacks { Strategy::Stacks } else { Strategy::OneThread };
        self.abstractly(base);
        if self.limit == self.budget.states && !self.finished.contains(&base) {
            self.symbolically();
        }
        self.replay();
        // With stacks there may be no end, and what is to be found is usually near.
        if !stacks {
            self.abstractly(Strategy::Pairs);
            self.exposed();
            self.exactly(self.limit);
        }
    }

    fn abstractly_then_replay(&mut self, strategy: Strategy) {
        self.abstractly(strategy);
        self.replay();
    }

    /// Looks for real runs behind alarms.
    fn replay(&mut self) {
        for states in REPLAY_STATES {
            self.exactly(states.min(self.limit));
        }
    }

    /// Why a goal is still open.
    fn left_open(&self, goal: &Goal) -> StopReason {
        match &self.why {
            Some(reason) if self.alarmed.contains(goal) => {
                StopReason::Unconfirmed(reason.to_string())
            }
            None if self.alarmed.contains(goal) => {
                StopReason::Unconfirmed("no real run was found".to_owned())
            }
            why => match (self.uncovered.get(goal), why) {
                (Some(strategy), _) if !self.all_strategies => {
                    StopReason::Engine(strategy.says_nothing_of(goal))
                }
                (_, Some(reason)) => reason.clone(),
                (_, None) => StopReason::Unconfirmed("no real run was found".to_owned()),
            },
        }
    }

    /// Whether it makes sense to try a strategy. Goals that it says nothing of are noted.
    fn is_worth(&mut self, strategy: Strategy) -> bool {
        let specified = self.settings.specifications;
        let uncovered = self.open.iter().filter(|goal| !strategy.covers(goal, specified));
        self.uncovered.extend(uncovered.map(|goal| (*goal, strategy)));
        self.open.iter().any(|goal| strategy.covers(goal, specified))
    }

    /// How many copies of each thread an abstract search looks at. What specifications claim of
    /// runs is remembered with whole stores, which the argument for fewer copies does not count.
    fn sizes(&self, strategy: Strategy) -> Result<Vec<u64>, String> {
        if !self.settings.specifications {
            return copies(self.program, strategy == Strategy::Stacks);
        }
        self.fixed_sizes().ok_or_else(|| "specifications and any number of threads".to_owned())
    }

    /// An abstract search, for any number of copies if there is a bound that is enough for that.
    fn abstractly(&mut self, strategy: Strategy) {
        if self.finished.contains(&strategy) || !self.is_worth(strategy) {
            return;
        }
        let name = strategy.name();
        let sizes = match self.sizes(strategy) {
            Ok(sizes) => sizes,
            Err(why) => {
                self.tried.push(format!("{name}: not for any number of threads, because of {why}"));
                self.why.get_or_insert(StopReason::Unsupported(why));
                return;
            }
        };
        let budget = Budget { states: self.limit, ..*self.budget };
        self.run(strategy, &sizes, |machine| match strategy {
            Strategy::Stacks => {
                let found = pushdown(machine, &budget);
                (found.paths(), found.alarms, found.cut)
            }
            Strategy::Pairs => {
                let found = views(machine, &budget);
                (found.len(), found.alarms, found.cut)
            }
            _ => {
                let found = thread_modular(machine, &budget);
                (found.states(), found.alarms, found.cut)
            }
        });
    }

    /// One thread at a time, everybody's place in the code being known.
    fn exposed(&mut self) {
        let Some(sizes) = self.fixed_sizes() else { return };
        let threads = usize::try_from(sizes.iter().sum::<u64>()).unwrap_or(usize::MAX);
        let is_done = self.finished.contains(&Strategy::Exposed);
        if threads > MAX_EXPOSED || is_done || !self.is_worth(Strategy::Exposed) {
            return;
        }
        let budget = Budget { states: self.limit.min(EXPOSED_STATES), ..*self.budget };
        self.run(Strategy::Exposed, &sizes, |machine| {
            let mut exposed = Exposed::new(machine, (0..threads).collect(), true);
            let found = thread_modular(&mut exposed, &budget);
            (found.states(), found.alarms, found.cut)
        });
    }

    /// One thread at a time, with sets of states as decision diagrams: for very many states of a regular kind.
    fn symbolically(&mut self) {
        if !self.is_worth(Strategy::Diagrams) {
            return;
        }
        // A million threads are no more than twenty bits.
        let sizes = self.fixed_sizes().map_or_else(|| self.enough(), Ok);
        let sizes = match sizes {
            Ok(sizes) => sizes,
            Err(why) => {
                self.why.get_or_insert(StopReason::Unsupported(why));
                return;
            }
        };
        match symbolic(self.program, &sizes, self.budget) {
            Ok(found) => {
                let cut = (found.states == 0).then(no_start);
                let all = Abstracted { alarms: found.alarms, facts: found.states, cut };
                let name = if found.stacks {
                    "threads with stacks, one at a time, as decision diagrams"
                } else {
                    "one thread at a time, as decision diagrams"
                };
                self.conclude(Strategy::Diagrams, name, &all);
            }
            Err(reason) => {
                self.tried.push(format!("decision diagrams: {reason}"));
                self.why.get_or_insert(reason);
            }
        }
    }

    /// So many copies that they stand for any number, whether the search is one with stacks or without.
    fn enough(&self) -> Result<Vec<u64>, String> {
        let mut sizes = copies(self.program, true)?;
        if !is_recursive(self.program) {
            let without = copies(self.program, false)?;
            sizes.iter_mut().zip(without).for_each(|(size, other)| *size = other.max(*size));
        }
        Ok(sizes)
    }

    /// Runs a search in all worlds of these sizes. What raises no alarm in any holds.
    fn run(
        &mut self,
        strategy: Strategy,
        sizes: &[u64],
        search: impl Fn(&mut Machine<'_>) -> (u64, Vec<Alarm>, Option<StopReason>),
    ) {
        let mut all = Abstracted { alarms: BTreeSet::new(), facts: 0, cut: None };
        for scope in crowd(self.program, sizes) {
            if let Some(reason) = self.budget.halted() {
                all.cut.get_or_insert(reason);
                break;
            }
            let mut machine = Machine::new(scope, self.settings.clone());
            let (facts, alarms, cut) = search(&mut machine);
            all.facts += facts;
            all.alarms.extend(alarms.iter().map(|alarm| Goal::of(machine.fault(alarm.fault))));
            all.cut = all.cut.or(cut).or_else(|| machine.incomplete());
        }
        if all.cut.is_none() {
            self.finished.insert(strategy);
        }
        if all.facts == 0 && !self.program.threads.is_empty() {
            all.cut.get_or_insert_with(no_start);
        }
        self.conclude(strategy, strategy.name(), &all);
    }

    /// What raises no alarm holds, if everything was looked at and the strategy sees such alarms.
    fn conclude(&mut self, strategy: Strategy, name: &str, all: &Abstracted) {
        // Something may go wrong that is on no list; it is a goal from now on.
        let found = &self.found;
        let unlisted = |goal: &&Goal| !found.contains_key(*goal) && (self.wanted)(goal);
        self.open.extend(all.alarms.iter().filter(unlisted));
        let left = self.open.iter().filter(|goal| all.alarms.contains(goal)).count();
        let end = match &all.cut {
            Some(reason) => format!("ended early: {reason}"),
            None if left == 0 => "no alarm".to_owned(),
            None => format!("{left} alarm{}", if left == 1 { "" } else { "s" }),
        };
        self.tried.push(format!("{name}: {} facts, {end}", all.facts));
        self.alarmed.extend(all.alarms.iter().copied());
        if all.cut.is_none() {
            let specified = self.settings.specifications;
            let is_covered = |goal: &Goal| strategy.covers(goal, specified);
            let holds = |goal: &Goal| is_covered(goal) && !all.alarms.contains(goal);
            self.settle(holds, all.facts);
        }
    }

    /// Everything open that satisfies the condition holds: all that there is was looked at.
    fn settle(&mut self, holds: impl Fn(&Goal) -> bool, states: u64) {
        let settled: Vec<Goal> = self.open.iter().copied().filter(holds).collect();
        for goal in settled {
            self.open.remove(&goal);
            self.found.insert(goal, Found::Holds(Evidence::Exhausted { states }));
        }
    }

    /// The sizes of the families, if they are all known.
    fn fixed_sizes(&self) -> Option<Vec<u64>> {
        let sizes = self.program.threads.iter().map(|thread| match thread.count {
            Count::One => Some(1),
            Count::Copies(count) => Some(count),
            Count::Symbolic(_) | Count::Any => None,
        });
        sizes.collect()
    }

    /// The whole program if it has one size and few threads, else small worlds.
    fn exact_worlds(&self) -> Vec<Scope<'a>> {
        let few = |sizes: &Vec<u64>| sizes.iter().sum::<u64>() <= MANY_THREADS;
        match self.fixed_sizes().filter(few) {
            Some(sizes) => crowd(self.program, &sizes),
            None => {
                let known_copies = REPLAY_COPIES;
                let sizes = Sizes { copies: REPLAY_COPIES, known_copies, ..Sizes::default() };
                worlds(self.program, &sizes)
            }
        }
    }

    /// Every interleaving, of the whole program if it has one size, else of small ones.
    fn exactly(&mut self, states: u64) {
        if self.open.is_empty() || self.explored || states <= self.visited {
            return;
        }
        self.visited = states;
        let mut seen = 0;
        let mut cut = None;
        for scope in self.exact_worlds() {
            if self.open.is_empty() {
                return;
            }
            if let Some(reason) = self.budget.halted() {
                cut.get_or_insert(reason);
                break;
            }
            // Of few copies, telling which states are alike costs more than visiting them all.
            let symmetry = scope
                .threads
                .windows(WORTH_SYMMETRY)
                .any(|some| some.iter().all(|thread| *thread == some[0]));
            let request = Request {
                settings: self.settings.clone(),
                options: Options { all: true, symmetry },
                budget: Budget { states, ..*self.budget },
            };
            let checked = check(scope, &request);
            seen += checked.states;
            cut = cut.or(checked.cut);
            for violation in checked.violations {
                let goal = Goal::of(&violation.fault);
                self.open.remove(&goal);
                let found = match self.found.get(&goal) {
                    Some(Found::Holds(_)) => Found::Open(StopReason::InternalError(
                        "a search found a run that another search excludes".to_owned(),
                    )),
                    Some(_) => continue,
                    None => Found::Violated(Box::new(violation)),
                };
                self.found.insert(goal, found);
            }
        }
        if seen == 0 {
            cut.get_or_insert_with(no_start);
        }
        let end = match &cut {
            Some(reason) => format!("ended early: {reason}"),
            None => "all of them".to_owned(),
        };
        self.tried.push(format!("every interleaving: {seen} states, {end}"));
        self.explored = matches!(cut, Some(StopReason::Unsupported(_)));
        match cut {
            None => self.settle(|_| true, seen),
            Some(reason) => self.why = Some(reason),
        }
    }
}

/// A search without a start has seen nothing.
fn no_start() -> StopReason {
    StopReason::Unsupported("no initial store was found".to_owned())
}
