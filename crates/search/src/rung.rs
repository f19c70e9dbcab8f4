//! A rung of the ladder: one strategy, what it looks at, and what it saw.

use std::collections::BTreeSet;
use std::fmt::Debug;
use verdict::StopReason;

/// What is searched, as the ladder sees it. Rungs run on it, and may leave notes in it for each
/// other.
pub trait Model {
    /// Something that is to be shown of the model.
    type Goal: Ord + Clone + Debug;
    /// How a goal is violated in a real run.
    type Violation;
}

/// One strategy.
pub struct Rung<M: Model> {
    /// Its name in answers. Rungs of one name are the same search with more or fewer states.
    pub(crate) name: &'static str,
    /// Limit on the states that it visits, however long its turn is.
    pub(crate) most: u64,
    beyond: Box<Beyond<M>>,
    run: Box<Run<M>>,
}

type Beyond<M> = dyn Fn(&M, &<M as Model>::Goal) -> Option<StopReason>;
type Run<M> = dyn Fn(&mut M, &Turn<'_, <M as Model>::Goal>) -> Attempt<M>;

impl<M: Model> Rung<M> {
    /// A strategy that sees everything which can violate any goal.
    pub fn new(
        name: &'static str,
        run: impl Fn(&mut M, &Turn<'_, M::Goal>) -> Attempt<M> + 'static,
    ) -> Self {
        Self { name, most: u64::MAX, beyond: Box::new(|_, _| None), run: Box::new(run) }
    }

    /// The same with this limit on states.
    #[must_use]
    pub fn within(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The same, but there is a reason why it does not look at some goals. It never proves those.
    #[must_use]
    pub fn except(self, beyond: impl Fn(&M, &M::Goal) -> Option<StopReason> + 'static) -> Self {
        Self { beyond: Box::new(beyond), ..self }
    }

    /// Why the strategy does not look at a goal; nothing if it sees everything that can violate it.
    pub(crate) fn beyond(&self, model: &M, goal: &M::Goal) -> Option<StopReason> {
        (self.beyond)(model, goal)
    }

    /// Searches.
    pub(crate) fn run(&self, model: &mut M, turn: &Turn<'_, M::Goal>) -> Attempt<M> {
        (self.run)(model, turn)
    }
}

/// What a rung may do when its turn comes.
pub struct Turn<'a, G> {
    /// Limit on states.
    pub states: u64,
    /// Whether no longer turn comes after this one.
    pub is_last: bool,
    /// The goals without an answer.
    pub open: &'a BTreeSet<G>,
}

/// What a rung did with its turn.
pub enum Attempt<M: Model> {
    /// It searched.
    Ran(Seen<M>),
    /// It cannot search this model, for this reason; some words if that is worth telling.
    Refused(StopReason, Option<String>),
    /// It has nothing to add to what other rungs do.
    Passed,
}

/// What a search saw.
pub struct Seen<M: Model> {
    /// What was searched, in a few words, with the number of states: `pairs of threads: 17 facts`.
    /// The ladder adds how it ended. Nothing if [`Seen::also`] tells it all.
    pub what: Option<String>,
    /// How many states or facts there are.
    pub states: u64,
    /// What goes wrong.
    pub faults: Faults<M>,
    /// Goals that this search does not decide after all, each with the reason.
    pub undecided: Vec<(M::Goal, StopReason)>,
    /// How it ended.
    pub end: End,
    /// What else was tried on the way, in a few words each.
    pub also: Vec<String>,
}

impl<M: Model> Seen<M> {
    /// What a search saw that decides every goal which it looks at.
    pub fn new(what: String, states: u64, faults: Faults<M>, end: End) -> Self {
        let (what, undecided, also) = (Some(what), Vec::new(), Vec::new());
        Self { what, states, faults, undecided, end, also }
    }
}

/// What goes wrong in a search.
pub enum Faults<M: Model> {
    /// In an abstraction, which has more runs than the model: these may be violated.
    Alarms(BTreeSet<M::Goal>),
    /// In real runs.
    Runs(Vec<(M::Goal, M::Violation)>),
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It saw everything.
    Complete,
    /// It was cut short, for this reason.
    Cut(StopReason),
    /// Everything that was asked is violated, and the rest was not looked at.
    Enough,
}

impl End {
    /// The end of a search that was cut short if there is a reason.
    pub fn of(cut: Option<StopReason>) -> Self {
        cut.map_or(Self::Complete, Self::Cut)
    }

    /// Whether the same search with more states would see no more.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Complete | Self::Cut(StopReason::Unsupported(_)))
    }
}
