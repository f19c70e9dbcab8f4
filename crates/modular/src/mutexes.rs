//! What every thread knows of mutexes without a rely.
//!
//! A thread takes a mutex that is free, for itself, and gives back one that it holds: `acquire`
//! waits for 0 and writes the identifier of the thread, and `release` is checked to be done by the
//! holder. So no step of others gives a mutex to this thread or takes it away: `m == tid` is the
//! same before and after. That is so for variables that were declared with `mutex` and that
//! nothing else writes.
//!
//! DIVERGENCE: paper 1 has no locks; there a rely says this. It is transitive, holds for any number
//! of steps, and needs no check but the one at each `release`.

use crate::Context;
use crate::expr::Scope;
use logic::Term;
use plato::hir::{GlobalId, Program, Root, Stmt, StmtKind, Ty};
use std::collections::BTreeSet;

/// The mutexes that nothing but `acquire` and `release` writes.
pub(crate) fn mutexes(program: &Program) -> BTreeSet<GlobalId> {
    let mut found: BTreeSet<GlobalId> = program
        .globals
        .iter()
        .enumerate()
        .filter(|(_, global)| global.is_sync && global.ty == Ty::Tid)
        .map(|(at, _)| GlobalId::from_index(at))
        .collect();
    if found.is_empty() {
        return found;
    }
    let mut written = BTreeSet::new();
    for thread in &program.threads {
        written_otherwise(&thread.body.stmts, &mut written);
    }
    for procedure in &program.procs {
        written_otherwise(&procedure.body.stmts, &mut written);
        if let Some(spec) = &procedure.spec {
            written.extend(&spec.modifies);
            written.extend(spec.actions.iter().flat_map(|action| &action.modifies));
        }
    }
    found.retain(|mutex| !written.contains(mutex));
    found
}

/// The variables that other statements than `acquire` and `release` may write.
fn written_otherwise(stmts: &[Stmt], into: &mut BTreeSet<GlobalId>) {
    let mut note = |root: Root| {
        if let Root::Global(id) = root {
            into.insert(id);
        }
    };
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Acquire(_) | StmtKind::Release(_) => {}
            StmtKind::Action(action) => action.modifies.iter().copied().for_each(&mut note),
            _ => stmt.places().into_iter().for_each(|place| note(place.root)),
        }
    }
    stmts.iter().flat_map(Stmt::blocks).for_each(|block| written_otherwise(block, into));
}

/// A step of others, from the store before to the one after, leaves these mutexes to those who have
/// them: each is this thread's before if and only if it is after.
pub(crate) fn kept(
    context: &mut Context<'_>,
    scope: &Scope,
    tid: Term,
    mutexes: &BTreeSet<GlobalId>,
) -> Vec<Term> {
    let mut facts = Vec::new();
    for &mutex in mutexes {
        let [before, after] = [false, true].map(|primed| {
            let symbol = context.symbol_of(scope, Root::Global(mutex), primed);
            let holder = context.terms.constant(symbol);
            context.terms.eq(holder, tid)
        });
        facts.push(context.terms.eq(before, after));
    }
    facts
}
