//! The verdict on each obligation from the outcomes at its sites.

use crate::prepare::Prepared;
use crate::run::ObligationResult;
use crate::settle::guessed_loops;
use diagnostic::Runs;
use gcl::{Failure, Outcome};
use modular::Task;
use std::collections::BTreeMap;
use verdict::{Obligation, ObligationId, Relevance, StopReason, Verdict};

/// A task that could not be built or decided leaves its message.
pub(crate) type Decision = Result<Decided, String>;

/// A task with everything found out about it.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) prepared: Prepared,
    /// The worst outcome per obligation that has a site; an obligation without one cannot be reached at all.
    pub(crate) outcomes: BTreeMap<ObligationId, Outcome>,
    /// Hygiene obligations that no run covers.
    pub(crate) uncovered: Vec<ObligationId>,
    /// The same task with few copies of each thread, to show failures on.
    pub(crate) small: Option<Box<Decided>>,
    /// The same task with few iterations of each loop, to show failures without guesses.
    pub(crate) short: Option<Box<Decided>>,
}

/// The worst outcome of each obligation: one failure fails it, one unknown leaves it open.
pub(crate) fn worst(
    sites: Vec<(ObligationId, Outcome)>,
    undecided: &[(ObligationId, StopReason)],
) -> BTreeMap<ObligationId, Outcome> {
    let mut outcomes: BTreeMap<ObligationId, Outcome> = BTreeMap::new();
    for (id, outcome) in sites {
        let worse = match (outcomes.get(&id), &outcome) {
            (None, _) => true,
            (Some(Outcome::Failed(_)), _) => false,
            (Some(Outcome::Unknown(_)), new) => matches!(new, Outcome::Failed(_)),
            (Some(Outcome::Proved(_)), new) => !matches!(new, Outcome::Proved(_)),
        };
        if worse {
            outcomes.insert(id, outcome);
        }
    }
    for (id, reason) in undecided {
        outcomes.insert(*id, Outcome::Unknown(reason.clone()));
    }
    outcomes
}

/// Something was left out or not justified: no proof counts.
fn nothing_proved(outcomes: &mut BTreeMap<ObligationId, Outcome>, reason: &StopReason) {
    for outcome in outcomes.values_mut() {
        if matches!(outcome, Outcome::Proved(_)) {
            *outcome = Outcome::Unknown(reason.clone());
        }
    }
}

/// A run that fails, with the task whose symbols it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness<'a> {
    pub(crate) task: &'a Task,
    /// The obligation that fails, by its number in this task.
    pub(crate) id: ObligationId,
    pub(crate) failure: &'a Failure,
}

impl Witness<'_> {
    /// Whether the run takes iterations of a loop for granted.
    fn is_after_guesses(self) -> bool {
        !guessed_loops(self, &modular::trace(self.task, self.failure)).is_empty()
    }
}

impl Decided {
    /// Puts outcomes of sites together: one failure fails the obligation, one unknown leaves it open.
    pub(crate) fn new(prepared: Prepared, sites: Vec<(ObligationId, Outcome)>) -> Self {
        let mut outcomes = worst(sites, &prepared.task.undecided);
        let unproved =
            prepared.task.candidates.iter().flat_map(|guess| &guess.shown_by).any(|id| {
                matches!(outcomes.get(id), Some(Outcome::Unknown(_) | Outcome::Failed(_)))
            });
        let unproved = unproved.then(|| {
            StopReason::SolverGaveUp(
                "a guessed loop invariant was proved once and not again".to_owned(),
            )
        });
        if let Some(reason) = prepared.task.incomplete.as_ref().or(unproved.as_ref()) {
            nothing_proved(&mut outcomes, reason);
        }
        Self { prepared, outcomes, uncovered: Vec::new(), small: None, short: None }
    }

    /// Whether something fails that only a run compared with specifications can show.
    pub(crate) fn fails_specification(&self) -> bool {
        self.failed().any(|obligation| obligation.code.info().shown == Runs::Specification)
    }

    /// The obligations that fail.
    pub(crate) fn failed(&self) -> impl Iterator<Item = &Obligation> {
        let obligations = &self.prepared.task.obligations;
        let failed =
            self.outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_)));
        failed.map(|(id, _)| &obligations[id.0 as usize])
    }

    /// Whether nothing failed and nothing is open.
    pub(crate) fn all_proved(&self) -> bool {
        self.outcomes.values().all(|outcome| matches!(outcome, Outcome::Proved(_)))
    }

    /// The required obligations in order, each with its verdict and the failure behind it.
    pub(crate) fn results(&self) -> Vec<(ObligationResult, Option<Witness<'_>>)> {
        let mut results = Vec::new();
        for (index, obligation) in self.prepared.task.obligations.iter().enumerate() {
            let id = ObligationId(u32::try_from(index).unwrap_or(u32::MAX));
            if obligation.relevance != Relevance::Required {
                continue;
            }
            let (verdict, failure) = self.verdict(id);
            let result = ObligationResult {
                task: self.prepared.task.name.clone(),
                obligation: obligation.clone(),
                verdict,
            };
            results.push((result, failure));
        }
        results
    }

    /// The failure with few copies if there is one: its numbers are small, and it is rarely only a candidate. If that
    /// takes iterations of a loop for granted, one that does not.
    fn witness<'a>(&'a self, id: ObligationId, failure: &'a Failure) -> Witness<'a> {
        let about = &self.prepared.task.obligations[id.0 as usize];
        let other = |task: &'a Option<Box<Decided>>| task.as_ref()?.failure_of(about);
        let usual =
            other(&self.small).unwrap_or(Witness { task: &self.prepared.task, id, failure });
        other(&self.short).filter(|_| usual.is_after_guesses()).unwrap_or(usual)
    }

    /// How an obligation of a task fails that may have other guesses, so that numbers differ.
    pub(crate) fn failure_of(&self, about: &Obligation) -> Option<Witness<'_>> {
        let task = &self.prepared.task;
        self.outcomes.iter().find_map(|(&id, outcome)| match outcome {
            Outcome::Failed(failure) if task.obligations[id.0 as usize] == *about => {
                Some(Witness { task, id, failure })
            }
            _ => None,
        })
    }

    /// Whether something fails in a run that takes iterations of a loop for granted.
    pub(crate) fn fails_after_guesses(&self) -> bool {
        self.outcomes.iter().any(|(id, outcome)| match outcome {
            Outcome::Failed(failure) => self.witness(*id, failure).is_after_guesses(),
            Outcome::Proved(_) | Outcome::Unknown(_) => false,
        })
    }

    fn verdict(&self, id: ObligationId) -> (Verdict, Option<Witness<'_>>) {
        match self.outcomes.get(&id) {
            Some(Outcome::Proved(evidence)) => (Verdict::Proved(evidence.clone()), None),
            Some(Outcome::Unknown(reason)) => (Verdict::Unknown(reason.clone()), None),
            Some(Outcome::Failed(failure)) => {
                let witness = self.witness(id, failure);
                let trace = modular::trace(witness.task, witness.failure);
                (Verdict::Refuted(Box::new(trace)), Some(witness))
            }
            // Code behind `break` or `return` in the same block: no path of the graph leads there.
            None => match (&self.prepared.task.incomplete, self.prepared.graph.bounded) {
                (Some(reason), _) => (Verdict::Unknown(reason.clone()), None),
                (None, Some(count)) => (Verdict::Unknown(StopReason::Unrolled(count)), None),
                (None, None) => (Verdict::Proved(gcl::no_path()), None),
            },
        }
    }
}
