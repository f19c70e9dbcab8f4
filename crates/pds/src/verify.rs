//! Which search decides what, from cheap to exact.
//!
//! 1. Each thread alone, with stacks (paper 5, section 3): ends always, and what raises no alarm is
//!    unreachable.
//! 2. A bounded search of real runs, for the rest.
//! 3. If no stack grows: pairs of threads.
//! 4. Every interleaving, as far as the budget goes; less far if stacks grow, because then there
//!    may be no end.

use crate::model::Model;
use crate::system::System;
use search::{
    Alarm, Answer, Attempt, Budget, End, Engine, Faults, Ladder, Options, Rung, Seen, Turn,
    explore, pushdown, views,
};
use source::Span;
use verdict::{StopReason, Trace};

/// What was found out.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Every target, by its place, in the order of the text. It holds if it is never reached.
    pub targets: Vec<(Span, Answer<Box<Trace>>)>,
    /// What was tried, in order, in a few words each.
    pub tried: Vec<String>,
}

/// Limit on the states among which real runs behind alarms are looked for first.
const FIRST_STATES: u64 = 20_000;
/// Where stacks grow, no more states than these are visited.
const STACKED_STATES: u64 = 300_000;

/// Decides the targets of a system.
pub fn verify(system: &System, engine: Engine, budget: &Budget<'_>) -> Verified {
    let mut model = Searched { system, budget };
    let rungs = model.rungs(engine);
    let targets = (0..).zip(&system.targets);
    let mut ladder = Ladder::new(engine, targets.clone().map(|(fault, _)| fault));
    ladder.climb(&mut model, &rungs, &[budget.states]);
    let mut climbed = ladder.finish();
    let targets = targets.map(|(fault, target)| (target.span, climbed.take(&fault))).collect();
    Verified { targets, tried: climbed.tried }
}

/// A system, and how far it is searched. Its goals are the numbers of its targets.
struct Searched<'a> {
    system: &'a System,
    budget: &'a Budget<'a>,
}

impl search::Model for Searched<'_> {
    type Goal = u32;
    type Violation = Box<Trace>;
}

impl Searched<'_> {
    /// The rungs that an engine stands for, in their order.
    fn rungs(&self, engine: Engine) -> Vec<Rung<Self>> {
        let grows = self.system.pushes();
        let most = if grows { STACKED_STATES } else { u64::MAX };
        let alone = || Rung::new(Engine::Pushdown.name(), Self::each_alone);
        let pairs = || Rung::new(Engine::Pairs.name(), Self::pairs);
        let explore = |most: u64| Rung::new(Engine::Explore.name(), Self::exactly).within(most);
        match engine {
            Engine::Ladder if grows => vec![alone(), explore(FIRST_STATES), explore(most)],
            Engine::Ladder => vec![alone(), explore(FIRST_STATES), pairs(), explore(most)],
            Engine::ThreadModular | Engine::Pushdown => vec![alone(), explore(FIRST_STATES)],
            Engine::Pairs => vec![pairs(), explore(FIRST_STATES)],
            Engine::Explore => vec![explore(u64::MAX)],
            // There are no decision diagrams of pushdown systems.
            Engine::Symbolic => Vec::new(),
        }
    }

    fn budget(&self, turn: &Turn<'_, u32>) -> Budget<'_> {
        Budget { states: turn.states, ..*self.budget }
    }

    fn each_alone(&mut self, turn: &Turn<'_, u32>) -> Attempt<Self> {
        let found = pushdown(&mut Model::new(self.system), &self.budget(turn));
        let facts = found.paths();
        abstracted("threads with stacks, one at a time", facts, &found.alarms, found.cut)
    }

    fn pairs(&mut self, turn: &Turn<'_, u32>) -> Attempt<Self> {
        let found = views(&mut Model::new(self.system), &self.budget(turn));
        abstracted("pairs of threads", found.len(), &found.alarms, found.cut.clone())
    }

    fn exactly(&mut self, turn: &Turn<'_, u32>) -> Attempt<Self> {
        let mut model = Model::new(self.system);
        let options = Options { all: true, ..Options::default() };
        let report = explore(&mut model, &self.budget(turn), &options);
        let runs = report.violations.iter();
        let runs = runs.map(|one| (one.fault, Box::new(model.trace(&one.run)))).collect();
        let what = format!("every interleaving: {} states", report.states);
        Attempt::Ran(Seen::new(what, report.states, Faults::Runs(runs), End::of(report.cut)))
    }
}

/// What an abstract search saw.
fn abstracted<'a>(
    name: &str,
    facts: u64,
    alarms: &[Alarm],
    cut: Option<StopReason>,
) -> Attempt<Searched<'a>> {
    let alarms = Faults::Alarms(alarms.iter().map(|alarm| alarm.fault).collect());
    Attempt::Ran(Seen::new(format!("{name}: {facts} facts"), facts, alarms, End::of(cut)))
}
