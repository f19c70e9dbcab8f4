//! Plato programs on the ladder: what each strategy does with them.
//!
//! 1. Each thread alone (paper 5: thread-modular search; with stacks if a procedure is recursive).
//!    What raises no alarm holds, for any number of copies where [`crate::cutoff`] applies.
//! 2. Replay: a bounded exhaustive search for real runs behind the alarms. If it sees everything,
//!    alarms without a run are none.
//! 3. Pairs of threads.
//! 4. Each thread alone again, with the places of all threads in the code exposed.
//! 5. The exhaustive search, as far as the turn goes.
//! 6. Each thread alone with decision diagrams, if there were too many facts for tables. What this
//!    costs does not depend on the number of states, so that it is not tried in the first turn.

use crate::check::{Request, Violation, check};
use crate::covers::Strategy;
use crate::cutoff::{copies, is_recursive};
use crate::goals::Goal;
use crate::scope::{Scope, Sizes, crowd, worlds};
use crate::symbolic::symbolic;
use crate::tables::{Machine, Settings};
use crate::verify::SHORT_TURN;
use plato::hir::{Count, Program};
use search::{
    Alarm, Attempt, Budget, End, Engine, Exposed, Faults, Model, Options, Rung, Seen, Turn,
    pushdown, thread_modular, views,
};
use std::collections::BTreeSet;
use verdict::StopReason;

/// Limits on the states in which real runs behind alarms are looked for in each world, first the
/// lower number, then the higher.
const REPLAY_STATES: [u64; 2] = [10_000, 300_000];
/// Limit on the copies that are tried of a family of any size.
const REPLAY_COPIES: u64 = 6;
/// Of more threads than these, a single state costs too much: small worlds are searched instead.
const MANY_THREADS: u64 = 2_000;
/// From this number of copies of one thread on, states that differ in their names only count as
/// one.
const WORTH_SYMMETRY: usize = 4;
/// How many states a search with exposed places may visit.
const EXPOSED_STATES: u64 = 5_000_000;
/// More threads than these are not exposed to each other.
const MAX_EXPOSED: usize = 6;

/// A program, and what is asked about it.
pub(crate) struct Searched<'a> {
    pub(crate) program: &'a Program,
    pub(crate) budget: &'a Budget<'a>,
    /// What runs are compared with.
    pub(crate) settings: Settings,
    /// Which goals are asked for. What goes wrong beside them is left out.
    pub(crate) wanted: &'a dyn Fn(&Goal) -> bool,
    /// Whether tables were enough for a search of each thread alone.
    pub(crate) is_tabulated: bool,
}

impl Model for Searched<'_> {
    type Goal = Goal;
    type Violation = Box<Violation>;
}

/// How many facts an abstract search of a world has, its alarms, and why it ended early.
type Abstracted = (u64, Vec<Alarm>, Option<StopReason>);

impl<'a> Searched<'a> {
    /// The rungs that an engine stands for, in their order.
    pub(crate) fn rungs(&self, engine: Engine) -> Vec<Rung<Self>> {
        let explore = |most: u64| Self::rung(Strategy::Interleavings, most);
        let all = |strategy: Strategy| Self::rung(strategy, u64::MAX);
        let then_replay = |mut rungs: Vec<Rung<Self>>| {
            rungs.extend(REPLAY_STATES.map(explore));
            rungs
        };
        match engine {
            // With stacks there may be no end, and what is to be found is usually near.
            Engine::Ladder if is_recursive(self.program) => {
                then_replay(vec![all(Strategy::Stacks), all(Strategy::Diagrams)])
            }
            Engine::Ladder => {
                let mut rungs = then_replay(vec![all(Strategy::OneThread)]);
                rungs.push(all(Strategy::Pairs));
                rungs.push(Self::rung(Strategy::Exposed, EXPOSED_STATES));
                rungs.push(explore(u64::MAX));
                rungs.push(all(Strategy::Diagrams));
                rungs
            }
            Engine::ThreadModular => then_replay(vec![all(Strategy::OneThread)]),
            Engine::Symbolic => then_replay(vec![all(Strategy::Diagrams)]),
            Engine::Pushdown => then_replay(vec![all(Strategy::Stacks)]),
            Engine::Pairs => then_replay(vec![all(Strategy::Pairs)]),
            Engine::Explore => vec![explore(u64::MAX)],
        }
    }

    fn rung(strategy: Strategy, most: u64) -> Rung<Self> {
        let run = move |model: &mut Self, turn: &Turn<'_, Goal>| model.run(strategy, turn);
        let beyond = move |model: &Self, goal: &Goal| {
            let is_seen = strategy.covers(goal, model.settings.specifications);
            (!is_seen).then(|| StopReason::Engine(strategy.says_nothing_of(goal)))
        };
        Rung::new(strategy.engine(), run).within(most).except(beyond)
    }

    fn run(&mut self, strategy: Strategy, turn: &Turn<'_, Goal>) -> Attempt<Self> {
        let budget = Budget { states: turn.states, ..*self.budget };
        match strategy {
            Strategy::Interleavings => Attempt::Ran(self.explore(turn)),
            Strategy::OneThread => self.abstractly(strategy, |machine| {
                let found = thread_modular(machine, &budget);
                (found.states(), found.alarms, found.cut)
            }),
            Strategy::Stacks => self.abstractly(strategy, |machine| {
                let found = pushdown(machine, &budget);
                (found.paths(), found.alarms, found.cut)
            }),
            Strategy::Pairs => self.abstractly(strategy, |machine| {
                let found = views(machine, &budget);
                (found.len(), found.alarms, found.cut)
            }),
            Strategy::Exposed => self.exposed(&budget),
            // What needs no more than tables, tables have decided.
            Strategy::Diagrams if self.is_tabulated => Attempt::Passed,
            Strategy::Diagrams if !turn.is_last && turn.states <= SHORT_TURN => Attempt::Passed,
            Strategy::Diagrams => self.diagrams(),
        }
    }

    /// An abstract search, for any number of copies if there is a bound that is enough for that.
    fn abstractly(
        &mut self,
        strategy: Strategy,
        search: impl Fn(&mut Machine<'_>) -> Abstracted,
    ) -> Attempt<Self> {
        match self.sizes(strategy) {
            Ok(sizes) => Attempt::Ran(self.in_all_worlds(strategy, &sizes, search)),
            Err(why) => {
                let name = strategy.name();
                let told = format!("{name}: not for any number of threads, because of {why}");
                Attempt::Refused(StopReason::Unsupported(why), Some(told))
            }
        }
    }

    /// How many copies of each thread an abstract search looks at. What specifications claim of
    /// runs is remembered with whole stores, which the argument for fewer copies does not count.
    fn sizes(&self, strategy: Strategy) -> Result<Vec<u64>, String> {
        if !self.settings.specifications {
            return copies(self.program, strategy == Strategy::Stacks);
        }
        self.fixed_sizes().ok_or_else(|| "specifications and any number of threads".to_owned())
    }

    /// One thread at a time, everybody's place in the code being known.
    fn exposed(&mut self, budget: &Budget<'_>) -> Attempt<Self> {
        let Some(sizes) = self.fixed_sizes() else { return Attempt::Passed };
        let threads = usize::try_from(sizes.iter().sum::<u64>()).unwrap_or(usize::MAX);
        if threads > MAX_EXPOSED {
            return Attempt::Passed;
        }
        Attempt::Ran(self.in_all_worlds(Strategy::Exposed, &sizes, |machine| {
            let mut exposed = Exposed::new(machine, (0..threads).collect(), true);
            let found = thread_modular(&mut exposed, budget);
            (found.states(), found.alarms, found.cut)
        }))
    }

    /// Runs an abstract search in all worlds of these sizes.
    fn in_all_worlds(
        &mut self,
        strategy: Strategy,
        sizes: &[u64],
        search: impl Fn(&mut Machine<'_>) -> Abstracted,
    ) -> Seen<Self> {
        let (mut all, mut alarms, mut cut) = (0, BTreeSet::new(), None);
        for scope in crowd(self.program, sizes) {
            if let Some(reason) = self.budget.halted() {
                cut.get_or_insert(reason);
                break;
            }
            let mut machine = Machine::new(scope, self.settings.clone());
            let (facts, found, ended) = search(&mut machine);
            all += facts;
            alarms.extend(found.iter().map(|alarm| Goal::of(machine.fault(alarm.fault))));
            cut = cut.or(ended).or_else(|| machine.incomplete());
        }
        let is_base = matches!(strategy, Strategy::OneThread | Strategy::Stacks);
        self.is_tabulated |= is_base && cut.is_none();
        if all == 0 && !self.program.threads.is_empty() {
            cut.get_or_insert_with(no_start);
        }
        self.seen(strategy.name(), all, alarms, cut)
    }

    /// What an abstract search saw.
    fn seen(
        &self,
        name: &str,
        facts: u64,
        mut alarms: BTreeSet<Goal>,
        cut: Option<StopReason>,
    ) -> Seen<Self> {
        alarms.retain(|goal| (self.wanted)(goal));
        let what = format!("{name}: {facts} facts");
        Seen::new(what, facts, Faults::Alarms(alarms), End::of(cut))
    }

    /// One thread at a time, with sets of states as decision diagrams: for very many states of a
    /// regular kind.
    fn diagrams(&mut self) -> Attempt<Self> {
        // A million threads are no more than twenty bits.
        let sizes = match self.fixed_sizes().map_or_else(|| self.enough(), Ok) {
            Ok(sizes) => sizes,
            Err(why) => return Attempt::Refused(StopReason::Unsupported(why), None),
        };
        match symbolic(self.program, &sizes, self.budget) {
            Ok(found) => {
                let cut = (found.states == 0).then(no_start);
                let name = if found.stacks {
                    "threads with stacks, one at a time, as decision diagrams"
                } else {
                    "one thread at a time, as decision diagrams"
                };
                Attempt::Ran(self.seen(name, found.states, found.alarms, cut))
            }
            Err(reason) => {
                let told = format!("{}: {reason}", Strategy::Diagrams.name());
                Attempt::Refused(reason, Some(told))
            }
        }
    }

    /// The number of copies that stands for any number, whether the search is one with stacks or
    /// without.
    fn enough(&self) -> Result<Vec<u64>, String> {
        let mut sizes = copies(self.program, true)?;
        if !is_recursive(self.program) {
            let without = copies(self.program, false)?;
            sizes.iter_mut().zip(without).for_each(|(size, other)| *size = other.max(*size));
        }
        Ok(sizes)
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
    fn explore(&self, turn: &Turn<'_, Goal>) -> Seen<Self> {
        let mut left = turn.open.clone();
        let (mut states, mut runs, mut cut) = (0, Vec::new(), None);
        let mut is_enough = false;
        for scope in self.exact_worlds() {
            is_enough = left.is_empty();
            if is_enough {
                break;
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
                budget: Budget { states: turn.states, ..*self.budget },
            };
            let report = check(scope, &request);
            states += report.states;
            cut = cut.or(report.cut);
            for violation in report.violations {
                let goal = Goal::of(&violation.fault);
                left.remove(&goal);
                runs.push((goal, Box::new(violation)));
            }
        }
        if states == 0 {
            cut.get_or_insert_with(no_start);
        }
        runs.retain(|(goal, _)| (self.wanted)(goal));
        let end = if is_enough { End::Enough } else { End::of(cut) };
        let what = format!("{}: {states} states", Strategy::Interleavings.name());
        Seen::new(what, states, Faults::Runs(runs), end)
    }
}

/// A search without a start has seen nothing.
fn no_start() -> StopReason {
    StopReason::Unsupported("no initial store was found".to_owned())
}
