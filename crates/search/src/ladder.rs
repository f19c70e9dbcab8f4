//! The ladder: strategies one after the other, from cheap ones to the exact one.
//!
//! Each rung answers what it can, and leaves the rest to the next:
//!
//! - A goal that a real run violates is violated.
//! - A goal holds if a search came to its end that looks at such goals and raised no alarm.
//! - Everything else stays open, and the answer says why.
//!
//! All rungs have a short turn first and then a longer one, so that one which does not suit a model
//! keeps nobody waiting. A search that came to its end, or had as many states before, is not
//! repeated.
//!
//! The adapters in `machine`, `pds` and `contract` turn alarms and runs of their models into goals
//! and traces. They say how a search ended, and it is the ladder that asks for evidence.

use crate::engine::Engine;
use crate::exhausted::completed;
use crate::rung::{Attempt, End, Faults, Model, Rung, Seen, Turn};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Evidence, StopReason};

/// What was found out about one goal.
#[derive(Clone, Debug)]
pub enum Found<V> {
    /// It holds.
    Holds(Evidence),
    /// It does not, and this is how.
    Violated(V),
    /// Neither is known.
    Open(StopReason),
}

/// What was found out about one goal, and by whom.
#[derive(Clone, Debug)]
pub struct Answer<V> {
    /// What was found out.
    pub found: Found<V>,
    /// The name of the rung that decided it, or that of the whole ladder if none did.
    pub by: &'static str,
}

impl<V> Answer<V> {
    /// Nobody decided it.
    pub fn open(reason: StopReason) -> Self {
        Self { found: Found::Open(reason), by: Engine::Ladder.name() }
    }

    /// Whether it holds.
    pub fn holds(&self) -> bool {
        matches!(self.found, Found::Holds(_))
    }

    /// Whether it is violated.
    pub fn is_violated(&self) -> bool {
        matches!(self.found, Found::Violated(_))
    }
}

/// What the whole ladder found out.
pub struct Climbed<M: Model> {
    /// Every goal, also those that nobody asked for and something goes wrong with.
    pub answers: BTreeMap<M::Goal, Answer<M::Violation>>,
    /// What was tried, in order, in a few words each.
    pub tried: Vec<String>,
}

impl<M: Model> Climbed<M> {
    /// Takes the answer for a goal out.
    pub fn take(&mut self, goal: &M::Goal) -> Answer<M::Violation> {
        self.answers.remove(goal).unwrap_or_else(|| {
            Answer::open(StopReason::InternalError(format!("no search was asked for {goal:?}")))
        })
    }
}

/// Goals on their way up.
pub struct Ladder<M: Model> {
    /// What was asked for. Of a single strategy, the answer tells what it does not look at.
    engine: Engine,
    open: BTreeSet<M::Goal>,
    answers: BTreeMap<M::Goal, Answer<M::Violation>>,
    /// Goals for which an abstract search raised an alarm.
    alarmed: BTreeSet<M::Goal>,
    /// Goals that a search did not decide although it looks at them, and why.
    undecided: BTreeMap<M::Goal, StopReason>,
    /// Goals that a rung does not look at, and why.
    beyond: BTreeMap<M::Goal, StopReason>,
    /// Why the rest stays open.
    why: Option<StopReason>,
    /// With how many states each rung had its last turn; all if more would not help.
    spent: BTreeMap<&'static str, u64>,
    tried: Vec<String>,
}

impl<M: Model> Ladder<M> {
    /// Nothing is decided yet.
    pub fn new(engine: Engine, goals: impl IntoIterator<Item = M::Goal>) -> Self {
        Self {
            engine,
            open: goals.into_iter().collect(),
            answers: BTreeMap::new(),
            alarmed: BTreeSet::new(),
            undecided: BTreeMap::new(),
            beyond: BTreeMap::new(),
            why: None,
            spent: BTreeMap::new(),
            tried: Vec::new(),
        }
    }

    /// Climbs all rungs once for each turn, which are numbers of states.
    pub fn climb(&mut self, model: &mut M, rungs: &[Rung<M>], turns: &[u64]) {
        for (at, &states) in turns.iter().enumerate() {
            for rung in rungs {
                let states = states.min(rung.most);
                self.step(model, rung, states, at + 1 == turns.len());
            }
        }
    }

    /// Gives a rung its turn, if there is a goal that it looks at and it may find something new.
    fn step(&mut self, model: &mut M, rung: &Rung<M>, states: u64, is_last: bool) {
        let mut is_worth = false;
        for goal in &self.open {
            match rung.beyond(model, goal) {
                Some(reason) => _ = self.beyond.insert(goal.clone(), reason),
                None => is_worth = true,
            }
        }
        let is_repeated = self.spent.get(rung.name).is_some_and(|&spent| states <= spent);
        if !is_worth || is_repeated {
            return;
        }
        match rung.run(model, &Turn { states, is_last, open: &self.open }) {
            Attempt::Ran(seen) => {
                let spent = if seen.end.is_final() { u64::MAX } else { states };
                self.spent.insert(rung.name, spent);
                self.conclude(model, rung, seen);
            }
            Attempt::Refused(reason, told) => {
                self.spent.insert(rung.name, u64::MAX);
                self.tried.extend(told);
                self.why.get_or_insert(reason);
            }
            Attempt::Passed => {}
        }
    }

    /// What follows from what a search saw.
    fn conclude(&mut self, model: &M, rung: &Rung<M>, seen: Seen<M>) {
        let Seen { what, states, faults, undecided, end, also } = seen;
        let (alarms, is_exact) = match faults {
            Faults::Runs(runs) => {
                runs.into_iter().for_each(|(goal, run)| self.violated(rung.name, goal, run));
                (BTreeSet::new(), true)
            }
            Faults::Alarms(alarms) => (alarms, false),
        };
        // Something may go wrong that is on no list; it is a goal from now on.
        let unlisted = alarms.iter().filter(|goal| !self.answers.contains_key(*goal));
        self.open.extend(unlisted.cloned());
        let left = self.open.intersection(&alarms).count();
        let told = match &end {
            End::Cut(reason) => format!("ended early: {reason}"),
            End::Enough => "everything that is asked goes wrong".to_owned(),
            End::Complete if is_exact => "all of them".to_owned(),
            End::Complete if left == 0 => "no alarm".to_owned(),
            End::Complete => format!("{left} alarm{}", if left == 1 { "" } else { "s" }),
        };
        self.tried.extend(what.map(|what| format!("{what}, {told}")));
        self.tried.extend(also);
        let undecided: BTreeMap<M::Goal, StopReason> = undecided.into_iter().collect();
        if let Some(evidence) = completed(&end, states) {
            let holds = |goal: &M::Goal| {
                let is_seen = rung.beyond(model, goal).is_none();
                is_seen && !alarms.contains(goal) && !undecided.contains_key(goal)
            };
            self.settle(rung.name, holds, &evidence);
        }
        match end {
            // Why there is no real run says more than why an abstraction was not finished.
            End::Cut(reason) if is_exact => self.why = Some(reason),
            End::Cut(reason) => _ = self.why.get_or_insert(reason),
            End::Complete | End::Enough => {}
        }
        self.alarmed.extend(alarms);
        self.undecided.extend(undecided);
    }

    /// A real run violates a goal. It must not be one that another search has shown to hold.
    pub fn violated(&mut self, by: &'static str, goal: M::Goal, run: M::Violation) {
        let found = match self.answers.get(&goal).map(|answer| &answer.found) {
            None => Found::Violated(run),
            Some(Found::Holds(_)) => Found::Open(StopReason::InternalError(
                "a search found a run that another search excludes".to_owned(),
            )),
            Some(Found::Violated(_) | Found::Open(_)) => return,
        };
        self.open.remove(&goal);
        self.answers.insert(goal, Answer { found, by });
    }

    /// Open goals that satisfy the condition hold.
    fn settle(&mut self, by: &'static str, holds: impl Fn(&M::Goal) -> bool, evidence: &Evidence) {
        let (settled, open) = std::mem::take(&mut self.open).into_iter().partition(holds);
        self.open = open;
        let settled: BTreeSet<M::Goal> = settled;
        for goal in settled {
            let found = Found::Holds(evidence.clone());
            self.answers.insert(goal, Answer { found, by });
        }
    }

    /// All answers.
    pub fn finish(mut self) -> Climbed<M> {
        for goal in std::mem::take(&mut self.open) {
            let answer = Answer::open(self.left_open(&goal));
            self.answers.insert(goal, answer);
        }
        Climbed { answers: self.answers, tried: self.tried }
    }

    /// Why a goal is still open.
    fn left_open(&self, goal: &M::Goal) -> StopReason {
        if let Some(reason) = self.undecided.get(goal) {
            return reason.clone();
        }
        let no_run = || "no real run was found".to_owned();
        if self.alarmed.contains(goal) {
            let why = self.why.as_ref().map_or_else(no_run, ToString::to_string);
            return StopReason::Unconfirmed(why);
        }
        let beyond = self.beyond.get(goal);
        let reason = if self.engine == Engine::Ladder {
            self.why.as_ref().or(beyond)
        } else {
            beyond.or(self.why.as_ref())
        };
        let without = || {
            if self.spent.is_empty() {
                StopReason::Engine("inputs of this kind".to_owned())
            } else {
                StopReason::Unconfirmed(no_run())
            }
        };
        reason.cloned().unwrap_or_else(without)
    }
}
