//! Which relies a thread may use: the transitive part of those that were written.

use crate::decide::Decided;
use crate::diagnose;
use crate::pool::Executor;
use crate::prepare::prepare;
use crate::run::Options;
use diagnostic::Diagnostic;
use modular::{Conjunct, conjuncts, transitivity_task};
use plato::hir::{Program, ThreadId};
use smt::Session;
use std::collections::BTreeSet;
use verdict::Verdict;

/// The relies that a thread may use: the transitive part of those that were written.
pub(crate) struct UsableRely {
    pub(crate) thread: Option<ThreadId>,
    /// Indices into `conjuncts(program, thread)`.
    pub(crate) dropped: BTreeSet<usize>,
    /// Why each was dropped, as a diagnostic.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// The usable part of the program's relies and of each thread's own.
pub(crate) fn check_relies(
    executor: &mut impl Executor,
    program: &Program,
    options: &Options,
) -> Vec<UsableRely> {
    let mut jobs: Vec<Option<ThreadId>> = Vec::new();
    if !program.relies.is_empty() {
        jobs.push(None);
    }
    jobs.extend(
        program.thread_ids().filter(|id| !program.threads[id.index()].relies.is_empty()).map(Some),
    );
    let weight = jobs.len() * 20;
    let results = executor
        .run(&jobs, weight, |session, &thread| transitive_part(session, program, thread, options));
    // A rely that nothing is known of is not used.
    let unusable = |thread: Option<ThreadId>| UsableRely {
        thread,
        dropped: (0..conjuncts(program, thread).len()).collect(),
        warnings: Vec::new(),
    };
    jobs.iter()
        .zip(results)
        .map(|(&thread, result)| result.unwrap_or_else(|_| unusable(thread)))
        .collect()
}

/// Drops conjuncts until the rest is transitive (see `transitivity_task` for why that is the largest such part).
fn transitive_part(
    session: &mut Session,
    program: &Program,
    thread: Option<ThreadId>,
    options: &Options,
) -> UsableRely {
    let all = conjuncts(program, thread);
    let mut kept: Vec<usize> = (0..all.len()).collect();
    let mut warnings = Vec::new();
    loop {
        let chosen: Vec<Conjunct<'_>> = kept.iter().map(|&index| all[index]).collect();
        let prepared = prepare(transitivity_task(program, thread, &chosen), None);
        let sites = prepared.solve(session, options);
        let decided = Decided::new(prepared, sites);
        let mut failing = BTreeSet::new();
        for (position, (id, result, witness)) in decided.results().into_iter().enumerate() {
            if !matches!(result.verdict, Verdict::Proved(_)) {
                failing.insert(kept[position]);
                warnings.push(diagnose::not_transitive(id, &result, witness));
            }
        }
        if failing.is_empty() {
            let dropped = (0..all.len()).filter(|index| !kept.contains(index)).collect();
            return UsableRely { thread, dropped, warnings };
        }
        kept.retain(|index| !failing.contains(index));
    }
}
