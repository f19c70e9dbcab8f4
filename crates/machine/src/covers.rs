//! What each strategy sees: nothing is proved by a strategy that does not look at it.

use crate::goals::{Goal, Goals, goals};
use crate::initial::has_no_start;
use diagnostic::Code;
use plato::hir::Program;
use search::Engine;
use std::collections::BTreeSet;

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// Every interleaving.
    Interleavings,
    /// Each thread alone.
    OneThread,
    /// Each thread alone, with stacks.
    Stacks,
    /// Pairs of threads.
    Pairs,
    /// Each thread alone, with everybody's place in the code.
    Exposed,
    /// Each thread alone, with sets of states as decision diagrams.
    Diagrams,
}

impl Strategy {
    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Interleavings => "every interleaving",
            Self::OneThread => "one thread at a time",
            Self::Stacks => "threads with stacks, one at a time",
            Self::Pairs => "pairs of threads",
            Self::Exposed => "one thread at a time, places exposed",
            Self::Diagrams => "decision diagrams",
        }
    }

    /// Its name in answers.
    pub(crate) fn engine(self) -> &'static str {
        match self {
            Self::Interleavings => Engine::Explore.name(),
            Self::OneThread => Engine::ThreadModular.name(),
            Self::Stacks => Engine::Pushdown.name(),
            Self::Pairs => Engine::Pairs.name(),
            // Nobody can ask for this one alone.
            Self::Exposed => "exposed",
            Self::Diagrams => Engine::Symbolic.name(),
        }
    }

    /// Whether the strategy sees everything that can violate the goal.
    ///
    /// - An abstract search does not know what all threads do at once, which a deadlock is about.
    /// - Specifications are followed beside whole stacks; a search with stacks looks at single
    ///   frames.
    /// - Decision diagrams are a translation of the code alone, without annotations of it.
    ///
    /// `specified` tells whether the goal is about the specification of a procedure.
    pub fn covers(self, goal: &Goal, specified: bool) -> bool {
        match goal.code {
            _ if specified => !matches!(self, Self::Diagrams | Self::Stacks),
            Code::Deadlock => self == Self::Interleavings,
            Code::RelyViolated | Code::LoopInvariantNotPreserved => self != Self::Diagrams,
            _ => true,
        }
    }

    /// Says that a goal is not covered.
    pub(crate) fn says_nothing_of(self, goal: &Goal) -> String {
        format!("{} (the search was: {})", subject(goal), self.name())
    }
}

/// What a goal is about.
fn subject(goal: &Goal) -> &'static str {
    match goal.code {
        Code::Deadlock => "deadlocks",
        Code::RelyViolated => "relies",
        Code::LoopInvariantNotPreserved => "loop invariants",
        _ => "specifications of procedures",
    }
}

/// What one search says nothing of, that follows no specifications and is not helped by another.
pub fn uncovered(program: &Program, strategy: Strategy) -> BTreeSet<String> {
    let Goals { searched, specified, beyond, unsupported } = goals(program);
    let open = searched.iter().filter(|goal| !strategy.covers(goal, false));
    let subjects = open.chain(&specified).map(|goal| subject(goal).to_owned());
    let runs = has_no_start(program).then(|| "a program without runs: no initial store".to_owned());
    let beyond = beyond.into_iter().map(|(_, what)| what).chain(unsupported.into_values());
    let whole = program.unsupported.iter().map(|one| one.message.clone());
    subjects.chain(beyond).chain(whole).chain(runs).collect()
}
