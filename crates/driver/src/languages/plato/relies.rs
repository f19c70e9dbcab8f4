//! Which relies a thread may use: the transitive part of those that were written.

use super::explain::not_transitive;
use crate::deduce::{Answer, Decided, prepare};
use crate::options::Options;
use crate::pool::Executor;
use diagnostic::Diagnostic;
use modular::{Closure, Conjunct, Owner, Task, closure_task, conjuncts, transitivity_task};
use plato::hir::{Expr, ProcId, Program, ThreadId};
use smt::Session;
use std::collections::{BTreeMap, BTreeSet};

/// The relies that a thread may use: the transitive part of those that were written.
pub(crate) struct UsableRely {
    pub(crate) owner: Owner,
    /// Indices into `conjuncts(program, owner)`.
    pub(crate) dropped: BTreeSet<usize>,
    /// Why each was dropped, as a diagnostic.
    pub(crate) warnings: Vec<Diagnostic>,
    /// What holds after any number of steps that satisfy the dropped ones too.
    pub(crate) closures: Vec<Expr>,
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
        closures: Vec::new(),
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
/// largest such part), and looks for what follows from any number of steps that satisfy all.
fn transitive_part(
    session: &mut Session,
    program: &Program,
    owner: &Owner,
    options: &Options,
) -> UsableRely {
    let all = conjuncts(program, owner);
    let mut kept: Vec<usize> = (0..all.len()).collect();
    let mut reasons: BTreeMap<usize, Diagnostic> = BTreeMap::new();
    loop {
        let chosen: Vec<Conjunct<'_>> = kept.iter().map(|&index| all[index]).collect();
        let failing = failing(session, transitivity_task(program, owner, &chosen), options);
        if failing.is_empty() {
            break;
        }
        reasons.extend(failing.into_iter().map(|(position, why)| (kept[position], why)));
        kept.retain(|index| !reasons.contains_key(index));
    }
    let chosen: Vec<Conjunct<'_>> = kept.iter().map(|&index| all[index]).collect();
    let mut closures = Vec::new();
    for (&index, why) in &mut reasons {
        let guesses = modular::closures(program, all[index].formula);
        let found =
            hold_after_any_steps(session, (program, owner), (&all, &chosen), guesses, options);
        if !found.is_empty() {
            let words: Vec<String> = found.iter().map(|one| format!("`{}`", one.words)).collect();
            let note =
                format!("what follows for any number of steps is used: {}", words.join(", "));
            why.notes.push(note);
        }
        closures.extend(found.into_iter().map(|one| one.formula));
    }
    let dropped = reasons.keys().copied().collect();
    let warnings = reasons.into_values().collect();
    UsableRely { owner: owner.clone(), dropped, warnings, closures }
}

/// The guesses that hold after any number of steps, each of which satisfies `all`: one step
/// satisfies them, and together with `kept`, which are transitive, they are transitive.
fn hold_after_any_steps(
    session: &mut Session,
    (program, owner): (&Program, &Owner),
    (all, kept): (&[Conjunct<'_>], &[Conjunct<'_>]),
    mut guesses: Vec<Closure>,
    options: &Options,
) -> Vec<Closure> {
    let formulas: Vec<&Expr> = guesses.iter().map(|guess| &guess.formula).collect();
    if formulas.is_empty() {
        return guesses;
    }
    let wrong = failing(session, closure_task(program, owner, all, &formulas), options);
    without(&mut guesses, |at| wrong.contains_key(&at));
    loop {
        let guessed = guesses
            .iter()
            .map(|guess| Conjunct { formula: &guess.formula, item: guess.formula.span });
        let together: Vec<Conjunct<'_>> = kept.iter().copied().chain(guessed).collect();
        let wrong = failing(session, transitivity_task(program, owner, &together), options);
        // Conjuncts that were transitive are so beside others, unless time was short.
        if wrong.is_empty() || guesses.is_empty() {
            return guesses;
        }
        let count = guesses.len();
        without(&mut guesses, |at| wrong.contains_key(&(kept.len() + at)));
        if guesses.len() == count {
            return Vec::new();
        }
    }
}

/// Leaves some elements out, by their positions.
fn without<T>(all: &mut Vec<T>, is_wrong: impl Fn(usize) -> bool) {
    let mut positions = 0..;
    all.retain(|_| !positions.next().is_some_and(&is_wrong));
}

/// The positions of the obligations of a task that do not hold, with the reasons.
fn failing(session: &mut Session, task: Task, options: &Options) -> BTreeMap<usize, Diagnostic> {
    let prepared = prepare(task, None);
    let sites = prepared.solve(session, options);
    let decided = Decided::new(prepared, sites);
    let mut failing = BTreeMap::new();
    for (position, (id, about)) in decided.obligations().enumerate() {
        let answer = decided.answer(id);
        if !matches!(answer, Answer::Proved(_)) {
            failing.insert(position, not_transitive(&decided.prepared.task, (id, about), &answer));
        }
    }
    failing
}
