//! What was found out about one task.

use super::prepare::{AnyTask, Prepared};
use crate::results::Effort;
use diagnostic::Runs;
use gcl::{Failure, Gap, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Evidence, Obligation, ObligationId, Relevance, StopReason};

/// A task that could not be built or decided leaves its message.
pub(crate) type Decision<T> = Result<Decided<T>, String>;

/// A task with everything found out about it.
#[derive(Debug)]
pub(crate) struct Decided<T> {
    pub(crate) prepared: Prepared<T>,
    /// What was found out at each place.
    pub(super) sites: Vec<(ObligationId, Outcome)>,
    /// The worst outcome per obligation that has a site; an obligation without one cannot be
    /// reached at all.
    pub(crate) outcomes: BTreeMap<ObligationId, Outcome>,
    /// Hygiene obligations that no run covers.
    pub(crate) uncovered: Vec<ObligationId>,
    /// What it took.
    pub(crate) effort: Effort,
    /// The same task with few copies of each thread, to show failures on.
    pub(crate) small: Option<Box<Decided<T>>>,
    /// The same task with few iterations of each loop, to show failures without guesses.
    pub(crate) short: Option<Box<Decided<T>>>,
}

/// A run that fails, with the task whose symbols it is about.
#[derive(Debug)]
pub(crate) struct Witness<'a, T> {
    pub(crate) task: &'a T,
    /// The obligation that fails, by its number in this task.
    pub(crate) id: ObligationId,
    pub(crate) failure: &'a Failure,
}

impl<T> Clone for Witness<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Witness<'_, T> {}

/// What deduction says of an obligation.
pub(crate) enum Answer<'a> {
    Proved(Evidence),
    Unknown(StopReason),
    /// With a reason, the solver could not tell, and the run is only a candidate.
    Failed(&'a Failure, Option<&'a StopReason>),
}

impl<T: AnyTask> Decided<T> {
    /// Puts outcomes of sites together: one failure fails the obligation, one unknown leaves it
    /// open.
    pub(crate) fn new(prepared: Prepared<T>, sites: Vec<(ObligationId, Outcome)>) -> Self {
        let outcomes = outcomes(&prepared.task, &sites);
        let (uncovered, effort) = (Vec::new(), Effort::default());
        Self { prepared, sites, outcomes, uncovered, effort, small: None, short: None }
    }

    /// Takes new outcomes for all sites of some obligations.
    pub(crate) fn decide_anew(&mut self, new: Vec<(ObligationId, Outcome)>) {
        let ids: BTreeSet<ObligationId> = new.iter().map(|(id, _)| *id).collect();
        self.sites.retain(|(id, _)| !ids.contains(id));
        self.sites.extend(new);
        self.outcomes = outcomes(&self.prepared.task, &self.sites);
    }

    /// The obligations with their numbers.
    pub(crate) fn obligations(&self) -> impl Iterator<Item = (ObligationId, &Obligation)> {
        let all = self.prepared.task.obligations.iter().enumerate();
        all.map(|(index, about)| (ObligationId::from_index(index), about))
    }

    /// An obligation.
    pub(crate) fn obligation(&self, id: ObligationId) -> &Obligation {
        &self.prepared.task.obligations[id.index()]
    }

    /// What deduction says of an obligation.
    pub(crate) fn answer(&self, id: ObligationId) -> Answer<'_> {
        match self.outcomes.get(&id) {
            Some(Outcome::Proved(evidence)) => Answer::Proved(evidence.clone()),
            Some(Outcome::Unknown(reason)) => match self.fails_small(id, reason) {
                Some(failure) => Answer::Failed(failure, None),
                None => Answer::Unknown(reason.clone()),
            },
            Some(Outcome::Doubtful(reason, failure)) => match self.fails_small(id, reason) {
                Some(failure) => Answer::Failed(failure, None),
                None => Answer::Failed(failure, Some(reason)),
            },
            Some(Outcome::Failed(failure)) => Answer::Failed(failure, None),
            // Code behind `break` or `return` in the same block: no path of the graph leads there.
            None => match (&self.prepared.task.gap, self.prepared.graph.bounded) {
                (Some(gap), _) => Answer::Unknown(gap.reason().clone()),
                (None, Some(count)) => Answer::Unknown(StopReason::Unrolled(count)),
                (None, None) => match gcl::no_path(&self.prepared.graph, id) {
                    Some(evidence) => Answer::Proved(evidence),
                    None => Answer::Unknown(StopReason::InternalError(
                        "an obligation was not asked about".to_owned(),
                    )),
                },
            },
        }
    }

    /// How an obligation that was too hard fails in a small world, without a doubt. A world with
    /// few threads and objects is one that the annotations speak of, so that this refutes it.
    fn fails_small(&self, id: ObligationId, reason: &StopReason) -> Option<&Failure> {
        let small = self.small.as_ref().filter(|_| is_limit(reason))?;
        let witness = small.failure_of(self.obligation(id))?;
        (!witness.failure.candidate).then_some(witness.failure)
    }

    /// The obligations that were too hard.
    pub(crate) fn too_hard(&self) -> impl Iterator<Item = &Obligation> {
        let hard = self.outcomes.iter().filter(|(_, outcome)| match outcome {
            Outcome::Unknown(reason) | Outcome::Doubtful(reason, _) => is_limit(reason),
            Outcome::Proved(_) | Outcome::Failed(_) => false,
        });
        hard.map(|(id, _)| self.obligation(*id))
    }

    /// The obligations that fail.
    pub(crate) fn failed(&self) -> impl Iterator<Item = &Obligation> {
        let failed =
            self.outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_)));
        failed.map(|(id, _)| self.obligation(*id))
    }

    /// Whether a failure is only a candidate.
    pub(crate) fn has_candidate(&self) -> bool {
        let is_candidate = |outcome: &Outcome| match outcome {
            Outcome::Failed(failure) => failure.candidate,
            Outcome::Proved(_) | Outcome::Unknown(_) | Outcome::Doubtful(..) => false,
        };
        self.outcomes.values().any(is_candidate)
    }

    /// Whether something fails that must hold.
    pub(crate) fn fails(&self) -> bool {
        self.failed().any(|about| about.relevance == Relevance::Required)
    }

    /// Whether something fails that only a run compared with specifications can show.
    pub(crate) fn fails_specification(&self) -> bool {
        self.failed().any(|about| about.code.info().shown == Runs::Specification)
    }

    /// Whether nothing that must hold failed or is open.
    pub(crate) fn holds(&self) -> bool {
        self.outcomes.iter().all(|(id, outcome)| {
            matches!(outcome, Outcome::Proved(_))
                || self.obligation(*id).relevance == Relevance::Hygiene
        })
    }

    /// How an obligation of a task fails that may have other guesses, so that numbers differ.
    pub(crate) fn failure_of(&self, about: &Obligation) -> Option<Witness<'_, T>> {
        let task = &self.prepared.task;
        self.outcomes.iter().find_map(|(&id, outcome)| match outcome {
            Outcome::Failed(failure) if *self.obligation(id) == *about => {
                Some(Witness { task, id, failure })
            }
            _ => None,
        })
    }
}

/// The outcomes of obligations. What was left out of a task, or used and not justified, takes all
/// proofs back.
fn outcomes(
    task: &gcl::Task,
    sites: &[(ObligationId, Outcome)],
) -> BTreeMap<ObligationId, Outcome> {
    let mut outcomes = worst(sites, &task.undecided);
    let is_unproved =
        |id: &ObligationId| !matches!(outcomes.get(id), None | Some(Outcome::Proved(_)));
    let unproved = task.candidates.iter().flat_map(|guess| &guess.shown_by).any(is_unproved);
    match &task.gap {
        Some(Gap::LeftOut(reason)) => nothing_proved(&mut outcomes, reason),
        Some(Gap::AnyValue(reason)) => {
            let unknown = Outcome::Unknown(reason.clone());
            outcomes.values_mut().for_each(|outcome| *outcome = unknown.clone());
        }
        None => {}
    }
    if unproved {
        let why = "a guessed loop invariant was proved once and not again".to_owned();
        nothing_proved(&mut outcomes, &StopReason::SolverGaveUp(why));
    }
    outcomes
}

/// The worst outcome of each obligation: one failure fails it, one unknown leaves it open.
fn worst(
    sites: &[(ObligationId, Outcome)],
    undecided: &[(ObligationId, StopReason)],
) -> BTreeMap<ObligationId, Outcome> {
    let mut outcomes: BTreeMap<ObligationId, Outcome> = BTreeMap::new();
    for (id, outcome) in sites {
        let worse = match (outcomes.get(id), outcome) {
            (None, _) => true,
            (Some(Outcome::Failed(_)), _) => false,
            (Some(Outcome::Doubtful(..)), new) => matches!(new, Outcome::Failed(_)),
            (Some(Outcome::Unknown(_)), new) => {
                matches!(new, Outcome::Failed(_) | Outcome::Doubtful(..))
            }
            (Some(Outcome::Proved(_)), new) => !matches!(new, Outcome::Proved(_)),
        };
        if worse {
            outcomes.insert(*id, outcome.clone());
        }
    }
    for (id, reason) in undecided {
        outcomes.insert(*id, Outcome::Unknown(reason.clone()));
    }
    outcomes
}

/// Whether the solver gave up on something that may hold or fail.
pub(crate) fn is_limit(reason: &StopReason) -> bool {
    matches!(
        reason,
        StopReason::ResourceLimit
            | StopReason::Timeout
            | StopReason::MemoryLimit
            | StopReason::SolverGaveUp(_)
    )
}

/// Something was left out or not justified: no proof counts.
fn nothing_proved(outcomes: &mut BTreeMap<ObligationId, Outcome>, reason: &StopReason) {
    for outcome in outcomes.values_mut() {
        if matches!(outcome, Outcome::Proved(_)) {
            *outcome = Outcome::Unknown(reason.clone());
        }
    }
}
