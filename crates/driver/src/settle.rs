//! What a failure of deduction comes to, once real runs were looked for.
//!
//! Deduction fails where the annotations allow a run that goes wrong. That is a *refutation* if a
//! real run does the same, or if the user wrote what the run goes by: the relies of the others and
//! the invariants of its loops. If every state of the program was visited and none goes wrong so,
//! the obligation *holds*, and the annotations are too weak to show it. Otherwise nothing is known.

use crate::decide::Witness;
use crate::replay::RealRuns;
use crate::run::{Engine, Options};
use plato::hir::{Program, Stmt, StmtKind};
use source::Span;
use std::collections::BTreeSet;
use verdict::{Confirmation, Evidence, Obligation, Step, StepKind, Trace};

/// What a failure comes to.
pub(crate) enum Settled {
    /// The obligation is refuted by this run.
    Refuted(Trace),
    /// It holds: all states were visited. The annotations allow this run all the same.
    Holds(Evidence, Trace),
    /// Something was not written that the run goes by.
    Missing(String, Trace),
}

/// What failures are settled with.
pub(crate) struct Settling<'a> {
    runs: &'a RealRuns,
    options: &'a Options,
    /// Loops without a written invariant.
    bare_loops: BTreeSet<Span>,
}

impl<'a> Settling<'a> {
    pub(crate) fn new(program: &Program, runs: &'a RealRuns, options: &'a Options) -> Self {
        let mut bare_loops = BTreeSet::new();
        let threads = program.threads.iter().map(|thread| &thread.body);
        for body in threads.chain(program.procs.iter().map(|procedure| &procedure.body)) {
            collect_bare_loops(&body.stmts, &mut bare_loops);
        }
        Self { runs, options, bare_loops }
    }

    /// What becomes of a failure that deduction found.
    pub(crate) fn settle(&self, about: &Obligation, witness: Witness<'_>, trace: Trace) -> Settled {
        if let Some(real) = self.runs.shows(about) {
            return Settled::Refuted(real);
        }
        let excluded = self.runs.excludes(about);
        let trace = match excluded {
            Some(_) => Trace { confirmation: Confirmation::Excluded, ..trace },
            None => trace,
        };
        // A specification is about all callers, of which the program's own are only some.
        let is_of_program = witness.task.specified.is_none();
        match (excluded, self.missing(witness, &trace)) {
            (Some(evidence), _) if self.may_search() && is_of_program => {
                Settled::Holds(evidence, trace)
            }
            (_, Some(what)) => Settled::Missing(what.to_owned(), trace),
            (_, None) => Settled::Refuted(trace),
        }
    }

    /// Whether a search may show what deduction does not: unless deduction was asked for.
    fn may_search(&self) -> bool {
        self.options.engine == Engine::Auto && self.options.unroll.is_none()
    }

    /// What the run goes by and nobody wrote.
    fn missing(&self, witness: Witness<'_>, trace: &Trace) -> Option<&'static str> {
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

/// Loops whose earlier iterations a run takes for granted. Where a loop changed none of the thread's
/// own variables, the run goes on as if the loop had just been entered, while others did what their
/// relies and the invariants allow.
pub(crate) fn guessed_loops(witness: Witness<'_>, trace: &Trace) -> Vec<Span> {
    let shown = witness.task.shown.values();
    let own: BTreeSet<&str> =
        shown.filter(|shown| !shown.shared).map(|shown| shown.name.as_str()).collect();
    let is_guess = |step: &&Step| {
        step.kind == StepKind::LoopHead
            && step.changes.iter().any(|change| own.contains(change.name.as_str()))
    };
    trace.steps.iter().filter(is_guess).filter_map(|step| step.span).collect()
}

fn collect_bare_loops(stmts: &[Stmt], into: &mut BTreeSet<Span>) {
    for stmt in stmts {
        if matches!(&stmt.kind, StmtKind::While { invariants, .. } if invariants.is_empty()) {
            into.insert(stmt.span);
        }
        stmt.blocks().into_iter().for_each(|block| collect_bare_loops(block, into));
    }
}
