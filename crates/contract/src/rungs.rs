//! Designs on the ladder: what each strategy does with them.

use crate::design::ThreadId;
use crate::explain;
use crate::family;
use crate::hygiene;
use crate::model::{CIRCULAR_WAIT, FIRST_PROPERTY, Model, ORPHANED_WAIT, STUCK};
use crate::property::{Claim, starvation};
use crate::stuck;
use crate::system::{Policy, System};
use crate::verify::{ALWAYS, Refutation};
use search::{Attempt, Budget, End, Engine, Faults, Options, Rung, Seen, Turn, explore};
use source::Span;
use verdict::StopReason;

/// Up to this number of threads all states are searched at once.
pub(crate) const FEW: usize = 8;
/// States of more threads are too large to be searched in numbers.
const MANY: usize = 64;
/// Views of single threads, all in all.
pub(crate) const MOST_VIEWS: u64 = 2_000_000;
/// Looking at each thread alone beside a search of all states should not take longer than the
/// search itself.
const VIEWS_PER_STATE: u64 = 2;
const FIRST_VIEWS: u64 = 10_000;
/// With many threads, runs are looked for among this number of states before one that was found
/// otherwise is shown.
const FIRST_STATES: u64 = 200_000;

/// A system under a policy. Its goals are the numbers of its faults.
pub(crate) struct Searched<'a> {
    pub(crate) system: &'a System,
    pub(crate) policy: Policy,
    pub(crate) budget: &'a Budget<'a>,
    /// A real run into a circular wait that need not be a shortest one.
    pub(crate) candidate: Option<Box<Refutation>>,
    /// All that happens in its runs, if that is known.
    pub(crate) seen: Option<hygiene::Seen>,
}

impl search::Model for Searched<'_> {
    type Goal = u32;
    type Violation = Box<Refutation>;
}

impl Searched<'_> {
    /// The rungs that an engine stands for, in their order.
    pub(crate) fn rungs(&self, engine: Engine) -> Vec<Rung<Self>> {
        let threads = self.system.roots.len();
        let exactly = || Rung::new(Engine::Explore.name(), Self::exactly);
        let too_many = |_: &mut Self, _: &Turn<'_, u32>| {
            let why = format!("a search of all states of more than {MANY} threads");
            Attempt::Refused(StopReason::Unsupported(why), None)
        };
        let too_many = || Rung::new(Engine::Explore.name(), too_many);
        // A search of each thread alone looks at what every system promises, and at nothing else.
        let beyond = |_: &Self, fault: &u32| {
            let is_seen = ALWAYS.iter().any(|(always, _)| always == fault);
            let what = || "this property (the search was: each thread alone)".to_owned();
            (!is_seen).then(|| StopReason::Engine(what()))
        };
        let alone = || Rung::new(Engine::ThreadModular.name(), Self::each_alone).except(beyond);
        match engine {
            Engine::Ladder if threads <= FEW => vec![exactly(), alone()],
            Engine::Ladder if threads > MANY => vec![alone(), too_many()],
            Engine::Ladder => vec![alone(), exactly()],
            Engine::ThreadModular => vec![alone()],
            Engine::Explore => vec![exactly()],
            // These are not for designs.
            Engine::Symbolic | Engine::Pushdown | Engine::Pairs => Vec::new(),
        }
    }

    /// The faults that states and steps can have.
    pub(crate) fn faults(&self) -> Vec<u32> {
        let properties = (FIRST_PROPERTY..).zip(&self.system.properties);
        let of_states = properties
            .filter(|(_, property)| !matches!(property.claim, Claim::NoStarvation(_)))
            .map(|(fault, _)| fault);
        ALWAYS.iter().map(|(fault, _)| *fault).chain(of_states).collect()
    }

    fn told(&self, what: &str) -> String {
        format!("{}, policy {}: {what}", self.system.name, self.policy)
    }

    /// Every state.
    fn exactly(&mut self, turn: &Turn<'_, u32>) -> Attempt<Self> {
        let (system, policy) = (self.system, self.policy);
        let mut model = Model::new(system, policy, self.budget.bytes);
        let symmetry = model.is_symmetric();
        let options = Options { all: true, symmetry };
        let most = if self.candidate.is_some() { FIRST_STATES } else { u64::MAX };
        let budget = Budget { states: turn.states.min(most), ..*self.budget };
        let report = explore(&mut model, &budget, &options);
        let runs = report.violations.iter().map(|violation| {
            let replayed = model.replay(&violation.run);
            let told = explain::refutation(system, policy, violation.fault, &replayed);
            (violation.fault, Box::new(told))
        });
        let runs = Faults::Runs(runs.collect());
        let alike = if symmetry { ", interchangeable threads counted as one" } else { "" };
        let what = self.told(&format!("{} states{alike}", report.states));
        let is_complete = report.cut.is_none();
        let mut seen = Seen::new(what, report.states, runs, End::of(report.cut));
        if is_complete {
            self.seen = Some(model.seen());
            if model.has_chain && turn.open.contains(&STUCK) {
                self.lost_threads(&mut seen);
            }
        }
        Attempt::Ran(seen)
    }

    /// Whether somebody waits for a thread that waits itself and never goes on (`stuck.rs`), after
    /// all states were seen.
    fn lost_threads(&self, seen: &mut Seen<Self>) {
        let Faults::Runs(runs) = &mut seen.faults else { return };
        if runs.iter().any(|(fault, _)| [CIRCULAR_WAIT, ORPHANED_WAIT, STUCK].contains(fault)) {
            return;
        }
        let (system, policy) = (self.system, self.policy);
        let most_views = MOST_VIEWS.min(VIEWS_PER_STATE * seen.states + FIRST_VIEWS);
        let budget = Budget { states: most_views, ..*self.budget };
        if family::excludes_lost(system, policy, &budget) {
            return;
        }
        match stuck::find(system, policy, self.budget) {
            Ok(None) => seen.also.push(self.told("every thread that is waited for can go on")),
            Ok(Some((replayed, lost))) => {
                runs.push((STUCK, Box::new(explain::lost(system, policy, &replayed, lost))));
            }
            Err(reason) => {
                seen.also.push(self.told(&format!("threads that never go on: {reason}")));
                seen.undecided.push((STUCK, reason));
            }
        }
    }

    /// Each thread alone: what raises no alarm does not happen.
    fn each_alone(&mut self, _: &Turn<'_, u32>) -> Attempt<Self> {
        let budget = Budget { states: MOST_VIEWS, ..*self.budget };
        let alone = match family::each_alone(self.system, self.policy, &budget) {
            Ok(alone) => alone,
            Err(reason) => {
                let told = self.told(&format!("each thread alone, ended early: {reason}"));
                return Attempt::Refused(reason, Some(told));
            }
        };
        self.seen.get_or_insert(alone.seen);
        self.candidate = alone.circular_wait;
        let what = self.told(&format!("each thread alone: {} views", alone.views));
        Attempt::Ran(Seen::new(what, alone.views, Faults::Alarms(alone.alarms), End::Complete))
    }
}

/// Whether some threads of a system starve. The goal is the number of the property.
pub(crate) struct Starving<'a> {
    pub(crate) system: &'a System,
    pub(crate) policy: Policy,
    pub(crate) threads: &'a [ThreadId],
    /// Where the property stands.
    pub(crate) span: Span,
    pub(crate) budget: &'a Budget<'a>,
}

impl search::Model for Starving<'_> {
    type Goal = u32;
    type Violation = Box<Refutation>;
}

impl Starving<'_> {
    /// The one search that decides it.
    pub(crate) fn rung() -> Rung<Self> {
        Rung::new(Engine::Explore.name(), Self::all_states)
    }

    fn all_states(&mut self, turn: &Turn<'_, u32>) -> Attempt<Self> {
        let Self { system, policy, threads, span, budget } = *self;
        if system.roots.len() > MANY {
            let what = format!("starvation among more than {MANY} threads");
            return Attempt::Refused(StopReason::Unsupported(what), None);
        }
        let (states, run, end) = match starvation::check(system, policy, threads, budget) {
            starvation::Answer::None { states } => (states, None, End::Complete),
            starvation::Answer::Starved(mut refutation) => {
                refutation.span = span;
                (0, Some(refutation), End::Enough)
            }
            starvation::Answer::Cut(reason) => (0, None, End::Cut(reason)),
        };
        let count = if states > 0 { format!(": {states} states") } else { String::new() };
        let what = format!("{}, policy {policy}: starvation{count}", system.name);
        let runs = turn.open.iter().copied().zip(run).collect();
        Attempt::Ran(Seen::new(what, states, Faults::Runs(runs), end))
    }
}
