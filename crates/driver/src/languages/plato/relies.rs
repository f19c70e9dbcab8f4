//! Which relies a thread may use: the transitive part of those that were written.

use super::explain::not_transitive;
use crate::deduce::{Answer, Decided, prepare};
use crate::options::Options;
use crate::pool::Executor;
use diagnostic::Diagnostic;
use modular::{Conjunct, Owner, conjuncts, transitivity_task};
use plato::hir::{ProcId, Program, ThreadId};
use smt::Session;
use std::collections::BTreeSet;

/// The relies that a thread may use: the transitive part of those that were written.
pub(crate) struct UsableRely {
    pub(crate) owner: Owner,
    /// Indices into `conjuncts(program, owner)`.
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
    let mut jobs: BTreeSet<Owner> = BTreeSet::new();
    jobs.insert(Owner::Everybody);
    jobs.extend(program.thread_ids().map(|id| thread_owner(program, id)));
    jobs.extend(specified(program).map(|id| Owner::of_procedure(program, id)));
    let jobs: Vec<Owner> =
        jobs.into_iter().filter(|owner| !conjuncts(program, owner).is_empty()).collect();
    let weight = jobs.len() * 20;
    let results = executor
        .run(&jobs, weight, |session, owner| transitive_part(session, program, owner, options));
    // A rely that nothing is known of is not used.
    let unusable = |owner: &Owner| UsableRely {
        owner: owner.clone(),
        dropped: (0..conjuncts(program, owner).len()).collect(),
        warnings: Vec::new(),
    };
    jobs.iter()
        .zip(results)
        .map(|(owner, result)| result.unwrap_or_else(|_| unusable(owner)))
        .collect()
}

/// Whose relies a thread uses: those of everybody unless it has its own.
pub(crate) fn thread_owner(program: &Program, id: ThreadId) -> Owner {
    if program.threads[id.index()].relies.is_empty() { Owner::Everybody } else { Owner::Thread(id) }
}

/// The procedures that have a specification.
pub(crate) fn specified(program: &Program) -> impl Iterator<Item = ProcId> + '_ {
    let ids = (0..program.procs.len()).map(ProcId::from_index);
    ids.filter(|id| program.procs[id.index()].spec.is_some())
}

/// Drops conjuncts until the rest is transitive (see `transitivity_task` for why that is the
/// largest such part).
fn transitive_part(
    session: &mut Session,
    program: &Program,
    owner: &Owner,
    options: &Options,
) -> UsableRely {
    let all = conjuncts(program, owner);
    let mut kept: Vec<usize> = (0..all.len()).collect();
    let mut warnings = Vec::new();
    loop {
        let chosen: Vec<Conjunct<'_>> = kept.iter().map(|&index| all[index]).collect();
        let prepared = prepare(transitivity_task(program, owner, &chosen), None);
        let sites = prepared.solve(session, options);
        let decided = Decided::new(prepared, sites);
        let mut failing = BTreeSet::new();
        for (position, (id, about)) in decided.obligations().enumerate() {
            let answer = decided.answer(id);
            if !matches!(answer, Answer::Proved(_)) {
                failing.insert(kept[position]);
                warnings.push(not_transitive(&decided.prepared.task, (id, about), &answer));
            }
        }
        if failing.is_empty() {
            let dropped = (0..all.len()).filter(|index| !kept.contains(index)).collect();
            return UsableRely { owner: owner.clone(), dropped, warnings };
        }
        kept.retain(|index| !failing.contains(index));
    }
}
