//! Everything that a system promises, decided by searches.

use crate::any_size;
use crate::design::ThreadId;
use crate::explain;
use crate::family;
use crate::hygiene::Seen;
use crate::model::{ACCESS, CIRCULAR_WAIT, FIRST_PROPERTY, Model, ORPHANED_WAIT, RELEASED, STUCK};
use crate::property::{Claim, starvation};
use crate::stuck;
use crate::system::{Policy, System};
use diagnostic::Code;
use search::{Budget, Options, explore};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Evidence, StopReason, Trace};

/// Something that a system promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The code under which a broken promise is reported.
    pub code: Code,
    /// Where it stands.
    pub span: Span,
}

/// What was found out about a system under a policy.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The policy.
    pub policy: Policy,
    /// Every promise, in a fixed order: no circular wait comes first.
    pub goals: Vec<(Goal, Found)>,
    /// What was tried, in a few words each.
    pub tried: Vec<String>,
    /// All that happens in its runs, if that is known.
    pub seen: Option<Seen>,
}

/// What was found out about one promise.
#[derive(Clone, Debug)]
pub enum Found {
    /// It is kept in every run.
    Holds(Evidence),
    /// It is broken.
    Violated(Box<Refutation>),
    /// Neither is known.
    Open(StopReason),
}

/// How a promise is broken.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// A shortest run.
    pub trace: Trace,
    /// Where the text is at fault.
    pub span: Span,
    /// One line that says what is wrong.
    pub message: String,
    /// Other places that matter.
    pub labels: Vec<(Span, String)>,
    /// Facts that help understanding.
    pub notes: Vec<String>,
    /// What would repair it.
    pub help: Vec<String>,
}

/// The promises that every system makes, by fault.
pub(crate) const ALWAYS: [(u32, Code); 5] = [
    (CIRCULAR_WAIT, Code::CircularWait),
    (STUCK, Code::Deadlock),
    (ORPHANED_WAIT, Code::OrphanedWait),
    (ACCESS, Code::AccessOutsideRealm),
    (RELEASED, Code::ActiveUnitReleased),
];

/// How to decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// A few threads by searching all states, many by searching each thread alone first.
    #[default]
    Auto,
    /// Each thread alone, and real runs behind alarms.
    Alone,
    /// All states.
    Explore,
}

/// Up to so many threads all states are searched at once.
pub(crate) const FEW: usize = 8;
/// States of more threads are too large to be searched in numbers.
const MANY: usize = 64;
/// Views of single threads, all in all.
pub(crate) const MOST_VIEWS: u64 = 2_000_000;
/// Looking at each thread alone beside a search of all states should not take longer than the
/// search itself.
const VIEWS_PER_STATE: u64 = 2;
const FIRST_VIEWS: u64 = 10_000;
/// With many threads, runs are looked for among so many states before one that was found otherwise is shown.
const FIRST_STATES: u64 = 200_000;

/// Decides all promises of a system under a policy.
pub fn verify(system: &System, policy: Policy, engine: Engine, budget: &Budget<'_>) -> Verified {
    if let Some(sizes) = &system.sizes {
        return any_size::verify(system, sizes, (policy, engine), budget);
    }
    let mut search = Search {
        system,
        policy,
        budget,
        found: BTreeMap::new(),
        candidate: None,
        alarmed: BTreeSet::new(),
        tried: Vec::new(),
        seen: None,
        why: None,
    };
    search.climb(engine);
    let mut goals = Vec::new();
    for (fault, code) in ALWAYS {
        goals.push((Goal { code, span: system.span }, search.answer(fault)));
    }
    for (fault, property) in (FIRST_PROPERTY..).zip(&system.properties) {
        let goal = Goal { code: property.code(), span: property.span };
        let found = match &property.claim {
            Claim::NoStarvation(threads) => search.starvation(threads, property.span),
            Claim::Never(_) | Claim::Always(_) | Claim::NoInterference => search.answer(fault),
        };
        goals.push((goal, found));
    }
    Verified { policy, goals, tried: search.tried, seen: search.seen }
}

struct Search<'a> {
    system: &'a System,
    policy: Policy,
    budget: &'a Budget<'a>,
    found: BTreeMap<u32, Found>,
    /// A real run into a circular wait that need not be a shortest one.
    candidate: Option<Box<Refutation>>,
    /// Faults that an abstract search could not exclude.
    alarmed: BTreeSet<u32>,
    tried: Vec<String>,
    seen: Option<Seen>,
    /// Why the rest stays open.
    why: Option<StopReason>,
}

impl Search<'_> {
    fn climb(&mut self, engine: Engine) {
        let threads = self.system.roots.len();
        match engine {
            Engine::Explore => self.exactly(self.budget.states),
            Engine::Alone => self.each_alone(),
            Engine::Auto if threads <= FEW => {
                self.exactly(self.budget.states);
                if self.why.is_some() {
                    self.each_alone();
                }
            }
            Engine::Auto => {
                self.each_alone();
                if threads > MANY {
                    let why = format!("a search of all states of more than {MANY} threads");
                    self.why.get_or_insert(StopReason::Unsupported(why));
                } else if self.is_open() {
                    let found_one = self.candidate.is_some();
                    let most = self.budget.states;
                    self.exactly(if found_one { most.min(FIRST_STATES) } else { most });
                }
            }
        }
        if let Some(candidate) = self.candidate.take() {
            self.found.entry(CIRCULAR_WAIT).or_insert(Found::Violated(candidate));
        }
    }

    /// The faults that states and steps can have.
    fn faults(&self) -> Vec<u32> {
        let properties = (FIRST_PROPERTY..).zip(&self.system.properties);
        let of_states = properties
            .filter(|(_, property)| !matches!(property.claim, Claim::NoStarvation(_)))
            .map(|(fault, _)| fault);
        ALWAYS.iter().map(|(fault, _)| *fault).chain(of_states).collect()
    }

    fn is_open(&self) -> bool {
        self.faults().iter().any(|fault| !self.found.contains_key(fault))
    }

    fn answer(&mut self, fault: u32) -> Found {
        self.found.remove(&fault).unwrap_or_else(|| match &self.why {
            Some(reason) if !self.alarmed.contains(&fault) => Found::Open(reason.clone()),
            Some(reason) => Found::Open(StopReason::Unconfirmed(reason.to_string())),
            None if self.alarmed.contains(&fault) => {
                Found::Open(StopReason::Unconfirmed("no real run was found".to_owned()))
            }
            None => {
                let what = "this property, by a search of each thread alone";
                Found::Open(StopReason::Unsupported(what.to_owned()))
            }
        })
    }

    fn told(&mut self, what: &str) {
        self.tried.push(format!("{}, policy {}: {what}", self.system.name, self.policy));
    }

    /// Every state.
    fn exactly(&mut self, states: u64) {
        let (system, policy) = (self.system, self.policy);
        let mut model = Model::new(system, policy, self.budget.bytes);
        let symmetry = model.is_symmetric();
        let options = Options { all: true, symmetry, ..Options::default() };
        let budget = Budget { states, ..*self.budget };
        let report = explore(&mut model, &budget, &options);
        let end = match &report.cut {
            Some(reason) => format!("ended early: {reason}"),
            None => "all of them".to_owned(),
        };
        let alike = if symmetry { ", interchangeable threads counted as one" } else { "" };
        self.told(&format!("{} states{alike}, {end}", report.states));
        for violation in &report.violations {
            let found = if let Some(Found::Holds(_)) = self.found.get(&violation.fault) {
                Found::Open(StopReason::InternalError(
                    "a search found a run that another search excludes".to_owned(),
                ))
            } else {
                let replayed = model.replay(&violation.run);
                let told = explain::refutation(system, policy, violation.fault, &replayed);
                Found::Violated(Box::new(told))
            };
            self.found.insert(violation.fault, found);
        }
        match report.cut {
            None => {
                self.seen = Some(model.seen());
                if model.has_chain {
                    self.nobody_is_lost(report.states);
                }
                for fault in self.faults() {
                    let evidence = Evidence::Exhausted { states: report.states };
                    self.found.entry(fault).or_insert(Found::Holds(evidence));
                }
            }
            Some(reason) => self.why = Some(reason),
        }
    }

    /// Whether somebody waits for a thread that waits itself and never goes on (`stuck.rs`).
    fn nobody_is_lost(&mut self, states: u64) {
        let is_broken = |fault: u32| matches!(self.found.get(&fault), Some(Found::Violated(_)));
        let is_known = self.found.contains_key(&STUCK);
        if is_known || is_broken(CIRCULAR_WAIT) || is_broken(ORPHANED_WAIT) {
            return;
        }
        let (system, policy) = (self.system, self.policy);
        let most_views = MOST_VIEWS.min(VIEWS_PER_STATE * states + FIRST_VIEWS);
        let budget = Budget { states: most_views, ..*self.budget };
        if family::excludes_lost(system, policy, &budget) {
            return;
        }
        let found = match stuck::find(system, policy, self.budget) {
            Ok(None) => {
                self.told("every thread that is waited for can go on");
                return;
            }
            Ok(Some((replayed, lost))) => {
                Found::Violated(Box::new(explain::lost(system, policy, &replayed, lost)))
            }
            Err(reason) => {
                self.told(&format!("threads that never go on: {reason}"));
                Found::Open(reason)
            }
        };
        self.found.insert(STUCK, found);
    }

    /// Each thread alone: what raises no alarm does not happen.
    fn each_alone(&mut self) {
        let budget = Budget { states: MOST_VIEWS, ..*self.budget };
        let alone = match family::each_alone(self.system, self.policy, &budget) {
            Ok(alone) => alone,
            Err(reason) => {
                self.told(&format!("each thread alone, ended early: {reason}"));
                self.why.get_or_insert(reason);
                return;
            }
        };
        let count = alone.alarms.len();
        let end = match count {
            0 => "no alarm".to_owned(),
            1 => "one alarm".to_owned(),
            _ => format!("{count} alarms"),
        };
        self.told(&format!("each thread alone: {} views, {end}", alone.views));
        for (fault, _) in ALWAYS {
            if !alone.alarms.contains(&fault) {
                let evidence = Evidence::Exhausted { states: alone.views };
                self.found.entry(fault).or_insert(Found::Holds(evidence));
            }
        }
        self.seen.get_or_insert(alone.seen);
        self.alarmed.extend(alone.alarms);
        self.candidate = alone.circular_wait;
    }

    fn starvation(&mut self, threads: &[ThreadId], span: Span) -> Found {
        if self.system.roots.len() > MANY {
            let what = format!("starvation among more than {MANY} threads");
            return Found::Open(StopReason::Unsupported(what));
        }
        match starvation::check(self.system, self.policy, threads, self.budget) {
            starvation::Answer::None { states } => Found::Holds(Evidence::Exhausted { states }),
            starvation::Answer::Starved(mut refutation) => {
                refutation.span = span;
                Found::Violated(refutation)
            }
            starvation::Answer::Cut(reason) => Found::Open(reason),
        }
    }
}

/// All promises of a system, none of them decided.
pub(crate) fn undecided(system: &System, policy: Policy, why: &StopReason) -> Verified {
    let mut goals = Vec::new();
    for (_, code) in ALWAYS {
        goals.push((Goal { code, span: system.span }, Found::Open(why.clone())));
    }
    for property in &system.properties {
        let goal = Goal { code: property.code(), span: property.span };
        goals.push((goal, Found::Open(why.clone())));
    }
    Verified { policy, goals, tried: Vec::new(), seen: None }
}
