//! Which search decides what, from cheap to exact.
//!
//! 1. Each thread alone, with stacks (paper 5, section 3): ends always, and what raises no alarm is unreachable.
//! 2. A bounded search of real runs, for the rest.
//! 3. If no stack grows: pairs of threads.
//! 4. Every interleaving, as far as the budget goes; less far if stacks grow, because then there may be no end.

use crate::model::Model;
use crate::system::System;
use search::{Alarm, Budget, Options, explore, pushdown, views};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Evidence, StopReason, Trace};

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// All of them, one after the other.
    #[default]
    Ladder,
    /// Each thread alone, and real runs behind alarms.
    Pushdown,
    /// Pairs of threads, and real runs behind alarms.
    Pairs,
    /// Every interleaving.
    Explore,
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Every target, by its place, in the order of the text.
    pub targets: Vec<(Span, Found)>,
    /// What was tried, in order, in a few words each.
    pub tried: Vec<String>,
}

/// What was found out about one target.
#[derive(Clone, Debug)]
pub enum Found {
    /// It is never reached.
    Unreachable(Evidence),
    /// This run reaches it.
    Reached(Box<Trace>),
    /// Neither is known.
    Open(StopReason),
}

/// Real runs behind alarms are looked for among so many states first.
const FIRST_STATES: u64 = 20_000;
/// Where stacks grow, no more states than these are visited.
const STACKED_STATES: u64 = 300_000;

/// Decides the targets of a system.
pub fn verify(system: &System, engine: Engine, budget: &Budget<'_>) -> Verified {
    let open = (0..).zip(&system.targets).map(|(fault, _)| fault).collect();
    let mut ladder = Ladder {
        system,
        budget,
        open,
        found: BTreeMap::new(),
        alarmed: BTreeSet::new(),
        tried: Vec::new(),
        why: None,
    };
    ladder.climb(engine);
    let mut targets = Vec::new();
    for (fault, target) in (0..).zip(&system.targets) {
        let found = ladder.found.remove(&fault).unwrap_or_else(|| ladder.left_open(fault));
        targets.push((target.span, found));
    }
    Verified { targets, tried: ladder.tried }
}

struct Ladder<'a> {
    system: &'a System,
    budget: &'a Budget<'a>,
    /// Targets without an answer.
    open: BTreeSet<u32>,
    found: BTreeMap<u32, Found>,
    /// Targets for which an abstract search raised an alarm.
    alarmed: BTreeSet<u32>,
    tried: Vec<String>,
    /// Why the rest stays open.
    why: Option<StopReason>,
}

impl Ladder<'_> {
    fn climb(&mut self, engine: Engine) {
        let grows = self.system.pushes();
        let most = if grows { self.budget.states.min(STACKED_STATES) } else { self.budget.states };
        match engine {
            Engine::Ladder => {
                self.each_alone();
                self.exactly(FIRST_STATES.min(most));
                if !grows {
                    self.pairs();
                }
                self.exactly(most);
            }
            Engine::Pushdown => {
                self.each_alone();
                self.exactly(FIRST_STATES.min(most));
            }
            Engine::Pairs => {
                self.pairs();
                self.exactly(FIRST_STATES.min(most));
            }
            Engine::Explore => self.exactly(self.budget.states),
        }
    }

    fn each_alone(&mut self) {
        let found = pushdown(&mut Model::new(self.system), self.budget);
        let facts = found.paths();
        self.abstractly("threads with stacks, one at a time", facts, &found.alarms, found.cut);
    }

    fn pairs(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let found = views(&mut Model::new(self.system), self.budget);
        self.abstractly("pairs of threads", found.len(), &found.alarms, found.cut.clone());
    }

    /// What raises no alarm in an abstract search that saw everything is unreachable.
    fn abstractly(&mut self, name: &str, facts: u64, alarms: &[Alarm], cut: Option<StopReason>) {
        let alarms: BTreeSet<u32> = alarms.iter().map(|alarm| alarm.fault).collect();
        let left = self.open.intersection(&alarms).count();
        let end = match &cut {
            Some(reason) => format!("ended early: {reason}"),
            None if left == 0 => "no alarm".to_owned(),
            None => format!("{left} alarm{}", if left == 1 { "" } else { "s" }),
        };
        self.tried.push(format!("{name}: {facts} facts, {end}"));
        if cut.is_none() {
            self.settle(|fault| !alarms.contains(&fault), facts);
        }
        self.why = self.why.take().or(cut);
        self.alarmed.extend(alarms);
    }

    fn settle(&mut self, holds: impl Fn(u32) -> bool, states: u64) {
        let settled: Vec<u32> = self.open.iter().copied().filter(|&fault| holds(fault)).collect();
        for fault in settled {
            self.open.remove(&fault);
            self.found.insert(fault, Found::Unreachable(Evidence::Exhausted { states }));
        }
    }

    fn exactly(&mut self, states: u64) {
        if self.open.is_empty() {
            return;
        }
        let mut model = Model::new(self.system);
        let budget = Budget { states, ..*self.budget };
        let options = Options { all: true, ..Options::default() };
        let report = explore(&mut model, &budget, &options);
        let end = match &report.cut {
            Some(reason) => format!("ended early: {reason}"),
            None => "all of them".to_owned(),
        };
        self.tried.push(format!("every interleaving: {} states, {end}", report.states));
        for violation in report.violations {
            let found = match self.found.get(&violation.fault) {
                Some(Found::Unreachable(_)) => Found::Open(StopReason::InternalError(
                    "a search found a run that another search excludes".to_owned(),
                )),
                Some(_) => continue,
                None => Found::Reached(Box::new(model.trace(&violation.run))),
            };
            self.open.remove(&violation.fault);
            self.found.insert(violation.fault, found);
        }
        match report.cut {
            None => self.settle(|_| true, report.states),
            Some(reason) => self.why = Some(reason),
        }
    }

    fn left_open(&self, fault: u32) -> Found {
        let reason = match &self.why {
            Some(reason) if !self.alarmed.contains(&fault) => reason.clone(),
            Some(reason) => StopReason::Unconfirmed(reason.to_string()),
            None => StopReason::Unconfirmed("no real run was found".to_owned()),
        };
        Found::Open(reason)
    }
}
