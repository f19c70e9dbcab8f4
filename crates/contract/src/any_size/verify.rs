//! All promises of a system of any size: small sizes one by one, all others at once.

use super::{Large, Sizes, large};
use crate::family;
use crate::system::{Policy, System};
use crate::verify::{
    ALWAYS, Engine, FEW, Found, MOST_VIEWS, Refutation, Verified, undecided, verify as of_size,
};
use search::Budget;
use source::Name;
use verdict::{Evidence, StopReason};

/// Real runs are looked for in so many sizes if nothing is proved.
const FIRST_SIZES: i64 = 4;
/// With so many states in each of them.
const MOST_STATES: u64 = 300_000;

/// Decides all promises of a system of any size under a policy.
pub(crate) fn verify(
    system: &System,
    sizes: &Sizes,
    (policy, engine): (Policy, Engine),
    budget: &Budget<'_>,
) -> Verified {
    let name = sizes.parameter();
    let large = match engine {
        Engine::Explore => {
            Err(StopReason::Unsupported(format!("a search of all states for any `{name}`")))
        }
        Engine::Auto | Engine::Alone => {
            large(system, sizes, policy, &Budget { states: MOST_VIEWS, ..*budget })
        }
    };
    let open = StopReason::Unsupported(format!("this property for any `{name}`"));
    let mut all = undecided(system, policy, &open);
    let mut search = Search { system, sizes, policy, engine, budget, views: 0, goals: Vec::new() };
    for goal in 0..all.goals.len() {
        search.goals.push(at_first(goal, &large, &open));
    }
    let tried = match &large {
        Ok(large) => {
            let count = large.views;
            search.views = count;
            format!("{name} >= {}: each thread alone on a line, {count} views", large.from)
        }
        Err(reason) => format!("any {name}: {reason}"),
    };
    all.tried.push(format!("{}, policy {policy}: {tried}", system.name));
    let least = sizes.least();
    let end = large.map_or(least, |large| large.from);
    let mut size = least;
    while search.needs(size, least, end) {
        search.one(size);
        size += 1;
    }
    if size > least {
        let tried = format!("{name} = {least}..{size} one by one");
        all.tried.push(format!("{}, policy {policy}: {tried}", system.name));
    }
    for ((_, found), answer) in all.goals.iter_mut().zip(search.goals) {
        *found = match answer {
            Answer::HoldsSoFar => Found::Holds(Evidence::Exhausted { states: search.views }),
            Answer::Open(reason) => Found::Open(reason),
            Answer::Violated(refutation) => Found::Violated(refutation),
        };
    }
    all
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

struct Search<'a> {
    system: &'a System,
    sizes: &'a Sizes,
    policy: Policy,
    engine: Engine,
    budget: &'a Budget<'a>,
    views: u64,
    goals: Vec<Answer>,
}

impl Search<'_> {
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
        let alone = match self.engine {
            Engine::Explore => None,
            Engine::Auto | Engine::Alone => {
                let budget = Budget { states: MOST_VIEWS, ..*self.budget };
                family::alarms(&instance, self.policy, &budget, asks_for_circles).ok()
            }
        };
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
            for (at, ((_, found), goal)) in found.goals.into_iter().zip(&mut self.goals).enumerate()
            {
                if !is_excluded(at) {
                    goal.learns(found, self.sizes.parameter(), size);
                }
            }
        }
    }

    /// A search of all states if there are few threads: it shows the shortest run, and knows what is real.
    fn searched(&self, instance: &System) -> Verified {
        let budget = Budget { states: self.budget.states.min(MOST_STATES), ..*self.budget };
        let engine = match self.engine {
            Engine::Auto if instance.roots.len() > FEW => Engine::Alone,
            engine => engine,
        };
        of_size(instance, self.policy, engine, &budget)
    }
}

impl Answer {
    /// What a search of some size says.
    fn learns(&mut self, found: Found, parameter: &Name, size: i64) {
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
