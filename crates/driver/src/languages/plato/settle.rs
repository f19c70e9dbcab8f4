//! What a failure of deduction comes to, once real runs were looked for.
//!
//! Deduction fails where the annotations allow a run that goes wrong. That is a *refutation* if a
//! real run does the same, or if the user wrote what the run goes by: the relies of the others and
//! the invariants of its loops. If every state of the program was visited and none goes wrong so,
//! the obligation *holds*, and the annotations are too weak to show it. Otherwise nothing is known.

use super::explain::Explained;
use super::replay::RealRuns;
use crate::deduce::{Answer, Decided, Failed, Settled, Witness};
use crate::findings::Told;
use crate::options::{Engine, Options};
use diagnostic::Code;
use gcl::Failure;
use modular::Task;
use plato::hir::{Program, Stmt, StmtKind};
use source::Span;
use std::collections::BTreeSet;
use verdict::{Confirmation, Obligation, ObligationId, Step, StepKind, StopReason, Trace};

/// What failures are settled with.
pub(super) struct Settling {
    pub(super) runs: RealRuns,
    /// Whether a search may show what deduction does not: unless deduction was asked for.
    may_search: bool,
    /// Whether the program is a part of one in another language.
    translated: bool,
    /// Loops without a written invariant.
    bare_loops: BTreeSet<Span>,
}

impl Settling {
    pub(super) fn new(
        program: &Program,
        runs: RealRuns,
        options: &Options,
        translated: bool,
    ) -> Self {
        let mut bare_loops = BTreeSet::new();
        let threads = program.threads.iter().map(|thread| &thread.body);
        for body in threads.chain(program.procs.iter().map(|procedure| &procedure.body)) {
            collect_bare_loops(&body.stmts, &mut bare_loops);
        }
        let may_search = options.engine == Engine::Auto && options.unroll.is_none();
        Self { runs, may_search, translated, bare_loops }
    }

    /// What becomes of a failure that deduction found.
    pub(super) fn settle(&self, failed: &Failed<'_, Task>) -> Settled {
        let (about, translated) = (failed.about, self.translated);
        let witness = clearest(failed.task, failed.witness.id, failed.witness.failure);
        if let Some(real) = self.runs.shows(about) {
            let told = Explained { about, witness, trace: &real, translated }.refuted();
            return Settled::Refuted(real, told);
        }
        let trace = modular::trace(witness.task, witness.failure);
        if about.code == Code::AnnotationMissing {
            // What is asked for is no property of runs, but that a translation knows enough.
            let told = Explained { about, witness, trace: &trace, translated }.refuted();
            return Settled::Open(StopReason::Missing(about.failed.clone()), with_run(told, trace));
        }
        // A refutation is a model of all that is assumed, and nothing less.
        let unconfirmed = witness.failure.candidate.then(unconfirmed);
        let doubt = failed.doubt.cloned().or(unconfirmed);
        let excluded = self.runs.excludes(about);
        let trace = match excluded {
            Some(_) => Trace { confirmation: Confirmation::Excluded, ..trace },
            None => trace,
        };
        // A specification is about all callers, of which the program's own are only some.
        let is_of_program = witness.task.specified.is_none();
        let explained = Explained { about, witness, trace: &trace, translated };
        match (excluded, doubt, self.missing(witness, &trace)) {
            (Some(evidence), _, _) if self.may_search && is_of_program => {
                let told = witness.task.has_rely.then(|| explained.too_weak());
                Settled::Holds(evidence, told.map(|told| with_run(told, trace)))
            }
            (_, Some(reason), _) => {
                let told = explained.doubtful(&reason);
                Settled::Open(reason, with_run(told, trace))
            }
            (_, None, Some(what)) => {
                let told = explained.missing(what);
                Settled::Open(StopReason::Missing(what.to_owned()), with_run(told, trace))
            }
            (_, None, None) => {
                let told = explained.refuted();
                Settled::Refuted(trace, told)
            }
        }
    }

    /// A real run that fails where deduction decided nothing. Not if loops are followed to a bound,
    /// or deduction alone was asked for: then the answer is what these say.
    pub(super) fn shown(&self, about: &Obligation) -> Option<Trace> {
        self.may_search.then(|| self.runs.shows_here(about))?
    }

    /// What the run goes by and nobody wrote.
    fn missing(&self, witness: Witness<'_, Task>, trace: &Trace) -> Option<&'static str> {
        let others = trace.steps.iter().any(|step| step.kind == StepKind::Environment);
        if others && !witness.task.has_rely {
            return Some("no rely says what other threads do");
        }
        let is_bare = |span: &Span| self.bare_loops.contains(span);
        guessed_loops(witness, trace)
            .iter()
            .any(is_bare)
            .then_some("a loop on the way has no invariant")
    }
}

/// Why a candidate refutes nothing.
fn unconfirmed() -> StopReason {
    let why = "it found a run that it can neither confirm nor exclude";
    StopReason::SolverGaveUp(why.to_owned())
}

/// Loops whose earlier iterations a run takes for granted. Where a loop changed none of the
/// thread's own variables, the run goes on as if the loop had just been entered, while others did
/// what their relies and the invariants allow.
fn guessed_loops(witness: Witness<'_, Task>, trace: &Trace) -> Vec<Span> {
    let shown = witness.task.shown.values();
    let own: BTreeSet<&str> =
        shown.filter(|shown| !shown.shared).map(|shown| shown.name.as_str()).collect();
    let is_guess = |step: &&Step| {
        step.kind == StepKind::LoopHead
            && step.changes.iter().any(|change| own.contains(variable(&change.name)))
    };
    trace.steps.iter().filter(is_guess).filter_map(|step| step.span).collect()
}

/// The variable that a changed cell is a part of.
fn variable(changed: &str) -> &str {
    changed.split('[').next().unwrap_or(changed)
}

fn with_run(diagnostic: diagnostic::Diagnostic, run: Trace) -> Told {
    Told { diagnostic, run: Some(Box::new(run)) }
}

/// The failure with few copies if there is one: its numbers are small, and it is rarely only a
/// candidate. If that takes iterations of a loop for granted, one that does not.
fn clearest<'a>(
    decided: &'a Decided<Task>,
    id: ObligationId,
    failure: &'a Failure,
) -> Witness<'a, Task> {
    let about = decided.obligation(id);
    let other = |task: &'a Option<Box<Decided<Task>>>| task.as_ref()?.failure_of(about);
    let usual =
        other(&decided.small).unwrap_or(Witness { task: &decided.prepared.task, id, failure });
    let is_wanted = |short: &Witness<'_, Task>| {
        is_after_guesses(usual) && (usual.failure.candidate || !short.failure.candidate)
    };
    other(&decided.short).filter(is_wanted).unwrap_or(usual)
}

/// Whether the run takes iterations of a loop for granted.
fn is_after_guesses(witness: Witness<'_, Task>) -> bool {
    !guessed_loops(witness, &modular::trace(witness.task, witness.failure)).is_empty()
}

/// Whether something fails in a run that takes iterations of a loop for granted.
pub(super) fn fails_after_guesses(decided: &Decided<Task>) -> bool {
    decided.obligations().any(|(id, _)| match decided.answer(id) {
        Answer::Failed(failure, None) => is_after_guesses(clearest(decided, id, failure)),
        Answer::Failed(_, Some(_)) | Answer::Proved(_) | Answer::Unknown(_) => false,
    })
}

fn collect_bare_loops(stmts: &[Stmt], into: &mut BTreeSet<Span>) {
    for stmt in stmts {
        if matches!(&stmt.kind, StmtKind::While { invariants, .. } if invariants.is_empty()) {
            into.insert(stmt.span);
        }
        stmt.blocks().into_iter().for_each(|block| collect_bare_loops(block, into));
    }
}
