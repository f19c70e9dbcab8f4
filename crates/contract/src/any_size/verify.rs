//! All promises of a system of any size: small sizes one by one, all others at once.

use super::{Large, Sizes, large};
use crate::family;
use crate::rungs::{FEW, MOST_VIEWS};
use crate::system::{Policy, System};
use crate::verify::{ALWAYS, Refutation, Verified, promises, verify as of_size};
use search::{Attempt, Budget, End, Engine, Faults, Found, Ladder, Rung, Seen, Turn};
use source::Name;
use verdict::StopReason;

/// The number of sizes in which real runs are looked for if nothing is proved.
const FIRST_SIZES: i64 = 4;
/// Limit on the states in each of them.
const MOST_STATES: u64 = 300_000;

/// Decides all promises of a system of any size under a policy.
pub(crate) fn verify(
    system: &System,
    sizes: &Sizes,
    (policy, engine): (Policy, Engine),
    budget: &Budget<'_>,
) -> Verified {
    let promises = promises(system);
    let goals = Vec::new();
    let mut search = Search { system, sizes, policy, engine, budget, views: 0, goals };
    let mut ladder = Ladder::new(engine, 0..promises.len());
    let rung = Rung::new("any-size", Search::all_sizes);
    ladder.climb(&mut search, &[rung], &[budget.states]);
    let mut climbed = ladder.finish();
    let goals = promises.into_iter().enumerate();
    let goals = goals.map(|(at, goal)| (goal, climbed.take(&at))).collect();
    Verified { policy, goals, tried: climbed.tried, seen: None }
}

/// What is known of a promise so far.
enum Answer {
    /// It is kept in all large sizes and in all that were looked at.
    HoldsSoFar,
    /// It cannot be proved, but perhaps refuted.
    Open(StopReason),
    /// It is broken in some size.
    Violated(Box<Refutation>),
}

/// What the long line says.
fn at_first(goal: usize, large: &Result<Large, StopReason>, open: &StopReason) -> Answer {
    match (large, ALWAYS.get(goal)) {
        (Err(reason), _) => Answer::Open(reason.clone()),
        (Ok(large), Some((fault, _))) if !large.alarms.contains(fault) => Answer::HoldsSoFar,
        (Ok(large), Some(_)) => {
            let what =
                format!("no real run was found, and sizes from {} on are not excluded", large.from);
            Answer::Open(StopReason::Unconfirmed(what))
        }
        (Ok(_), None) => Answer::Open(open.clone()),
    }
}

/// A system of any size. Its goals are its promises, by their position.
struct Search<'a> {
    system: &'a System,
    sizes: &'a Sizes,
    policy: Policy,
    engine: Engine,
    budget: &'a Budget<'a>,
    views: u64,
    goals: Vec<Answer>,
}

impl search::Model for Search<'_> {
    type Goal = usize;
    type Violation = Box<Refutation>;
}

impl Search<'_> {
    /// The large sizes at once, then the small ones. What holds in all of them holds.
    fn all_sizes(&mut self, turn: &Turn<'_, usize>) -> Attempt<Self> {
        let name = self.sizes.parameter();
        let large = self.large(name);
        let open = StopReason::Unsupported(format!("this property for any `{name}`"));
        self.goals = turn.open.iter().map(|&goal| at_first(goal, &large, &open)).collect();
        let (system, policy) = (self.system, self.policy);
        let told = |what: String| format!("{}, policy {policy}: {what}", system.name);
        let (what, cut) = match &large {
            Ok(Large { from, views, .. }) => {
                (format!("{name} >= {from}: each thread alone on a line, {views} views"), None)
            }
            Err(reason) => (format!("any {name}: {reason}"), Some(reason.clone())),
        };
        let mut also = vec![told(what)];
        let least = self.sizes.least();
        let (end, views) = large.map_or((least, 0), |large| (large.from, large.views));
        self.views = views;
        let mut size = least;
        while self.needs(size, least, end) {
            self.one(size);
            size += 1;
        }
        let mut runs = Vec::new();
        let mut undecided = Vec::new();
        for (goal, answer) in std::mem::take(&mut self.goals).into_iter().enumerate() {
            match answer {
                Answer::HoldsSoFar => {}
                Answer::Open(reason) => undecided.push((goal, reason)),
                Answer::Violated(refutation) => runs.push((goal, refutation)),
            }
        }
        if size > least {
            also.push(told(format!("{name} = {least}..{size} one by one")));
        }
        let (faults, end) = (Faults::Runs(runs), End::of(cut));
        Attempt::Ran(Seen { what: None, states: self.views, faults, undecided, end, also })
    }

    /// What the long line says that stands for all large sizes.
    fn large(&self, name: &Name) -> Result<Large, StopReason> {
        if self.engine == Engine::Explore {
            let what = format!("a search of all states for any `{name}`");
            return Err(StopReason::Unsupported(what));
        }
        let budget = Budget { states: MOST_VIEWS, ..*self.budget };
        large(self.system, self.sizes, self.policy, &budget)
    }

    /// Whether this size may say something new.
    fn needs(&self, size: i64, least: i64, end: i64) -> bool {
        self.goals.iter().any(|goal| match goal {
            Answer::HoldsSoFar => size < end,
            Answer::Open(_) => size < least + FIRST_SIZES,
            Answer::Violated(_) => false,
        })
    }

    /// Looks at one size.
    fn one(&mut self, size: i64) {
        let instance = match self.sizes.system(self.system, size) {
            Ok(instance) => instance,
            Err(why) => {
                let reason = StopReason::Unsupported(why);
                self.goals.iter_mut().for_each(|goal| goal.missed(&reason));
                return;
            }
        };
        let is_first = size < self.sizes.least() + FIRST_SIZES;
        // Looking for circles can take long, and is of no use if nothing follows from finding none.
        let asks_for_circles = match self.goals.first() {
            Some(Answer::HoldsSoFar) => true,
            Some(Answer::Open(_)) => is_first,
            Some(Answer::Violated(_)) | None => false,
        };
        // What a search of each thread alone says; nothing if it is not wanted or ended early.
        let budget = Budget { states: MOST_VIEWS, ..*self.budget };
        let alone = || family::alarms(&instance, self.policy, &budget, asks_for_circles).ok();
        let alone = if self.engine == Engine::Explore { None } else { alone() };
        let is_excluded = |goal: usize| {
            let fault = ALWAYS.get(goal).map(|(fault, _)| fault);
            fault.is_some_and(|fault| alone.as_ref().is_some_and(|(_, all)| !all.contains(fault)))
        };
        self.views += alone.as_ref().map_or(0, |(views, _)| *views);
        let is_new = |(at, goal): (usize, &Answer)| match goal {
            Answer::HoldsSoFar => !is_excluded(at),
            Answer::Open(_) => is_first && !is_excluded(at),
            Answer::Violated(_) => false,
        };
        if self.goals.iter().enumerate().any(is_new) {
            let found = self.searched(&instance);
            let answers = found.goals.into_iter().map(|(_, answer)| answer.found);
            for (at, (found, goal)) in answers.zip(&mut self.goals).enumerate() {
                if !is_excluded(at) {
                    goal.learns(found, self.sizes.parameter(), size);
                }
            }
        }
    }

    /// A search of all states if there are few threads: it shows the shortest run, and knows what
    /// is real.
    fn searched(&self, instance: &System) -> Verified {
        let budget = Budget { states: self.budget.states.min(MOST_STATES), ..*self.budget };
        let engine = match self.engine {
            Engine::Ladder if instance.roots.len() > FEW => Engine::ThreadModular,
            engine => engine,
        };
        of_size(instance, self.policy, engine, &budget)
    }
}

impl Answer {
    /// What a search of some size says.
    fn learns(&mut self, found: Found<Box<Refutation>>, parameter: &Name, size: i64) {
        match found {
            Found::Holds(_) => {}
            Found::Open(reason) => self.missed(&reason),
            Found::Violated(mut refutation) => {
                if !matches!(self, Self::Violated(_)) {
                    refutation.notes.push(format!("this is a run with {parameter} = {size}"));
                    *self = Self::Violated(refutation);
                }
            }
        }
    }

    /// Nothing is known of some size.
    fn missed(&mut self, reason: &StopReason) {
        if matches!(self, Self::HoldsSoFar) {
            *self = Self::Open(reason.clone());
        }
    }
}
