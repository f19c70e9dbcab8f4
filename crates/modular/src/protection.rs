//! How variables are protected from being seen halfway: the facts that reduction stands on (see
//! `lower/reduction.rs`).

use crate::mentions::{self, Touched};
use plato::hir::{BinaryOp, Expr, ExprKind, GlobalId, Place, Program, Root, Stmt, StmtKind};
use std::collections::BTreeSet;

/// What can be said of all accesses to a shared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protection {
    /// No code writes it.
    ReadOnly,
    /// A variable guards others with it, and code uses it only in `acquire`, in `release` and to
    /// ask whether the running thread holds it.
    Lock,
    /// Every access is checked to happen under this lock, which is a [`Protection::Lock`].
    Guarded,
    /// Nothing is known.
    Open,
}

/// The protection of every shared variable.
pub(crate) fn protections(program: &Program) -> Vec<Protection> {
    let mut written = BTreeSet::new();
    let mut misused = BTreeSet::new();
    let bodies = program.threads.iter().map(|thread| &thread.body);
    for body in bodies.chain(program.procs.iter().map(|procedure| &procedure.body)) {
        written.extend(Touched::of_stmts(program, &body.stmts).written);
        other_uses(program, &body.stmts, &mut misused);
    }
    let guards = program.globals.iter().filter_map(|global| global.guard);
    let locks: BTreeSet<GlobalId> = guards.map(|guard| guard.lock).collect();
    let protection = |(at, global): (usize, &plato::hir::Global)| {
        let id = GlobalId::from_index(at);
        let is_proper = |lock: GlobalId| !misused.contains(&lock);
        match global.guard {
            _ if !written.contains(&id) => Protection::ReadOnly,
            _ if locks.contains(&id) && is_proper(id) => Protection::Lock,
            Some(guard) if is_proper(guard.lock) => Protection::Guarded,
            _ => Protection::Open,
        }
    };
    program.globals.iter().enumerate().map(protection).collect()
}

/// Variables that are used otherwise than a lock may be.
fn other_uses(program: &Program, stmts: &[Stmt], out: &mut BTreeSet<GlobalId>) {
    for stmt in stmts {
        let is_lock_operation = matches!(stmt.kind, StmtKind::Acquire(_) | StmtKind::Release(_));
        for place in stmt.places() {
            place_uses(program, place, !is_lock_operation, out);
        }
        match &stmt.kind {
            StmtKind::Action(action) => {
                let roots = action.modifies.iter();
                out.extend(roots.filter_map(|root| match root {
                    Root::Global(id) => Some(*id),
                    Root::Local(_) => None,
                }));
                for expr in stmt.exprs() {
                    mentions::of_expr(program, expr, out);
                }
            }
            StmtKind::While { cond, .. } => {
                cond.iter().for_each(|cond| expr_uses(program, cond, out));
            }
            _ => {
                for expr in stmt.exprs() {
                    expr_uses(program, expr, out);
                }
            }
        }
        for inner in stmt.blocks() {
            other_uses(program, inner, out);
        }
    }
}

fn place_uses(program: &Program, place: &Place, writes: bool, out: &mut BTreeSet<GlobalId>) {
    if let (Root::Global(id), true) = (place.root, writes) {
        out.insert(id);
    }
    place.indices.iter().for_each(|index| expr_uses(program, index, out));
}

fn expr_uses(program: &Program, expr: &Expr, out: &mut BTreeSet<GlobalId>) {
    if let Some(asked) = compared_with_tid(expr) {
        if let ExprKind::Index(_, key) = &asked.kind {
            expr_uses(program, key, out);
        }
        return;
    }
    match &expr.kind {
        ExprKind::Var { root: Root::Global(id), .. } => {
            out.insert(*id);
        }
        ExprKind::Pred { .. } => mentions::of_expr(program, expr, out),
        _ => expr.children().into_iter().for_each(|child| expr_uses(program, child, out)),
    }
}

/// The variable or element that the expression compares with the running thread.
fn compared_with_tid(expr: &Expr) -> Option<&Expr> {
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) = &expr.kind else {
        return None;
    };
    let is_tid = |expr: &Expr| matches!(expr.kind, ExprKind::Tid);
    let other = if is_tid(right) { left } else { right };
    ((is_tid(left) || is_tid(right)) && is_variable_or_element(other)).then_some(&**other)
}

fn is_variable_or_element(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var { primed, .. } => !primed,
        ExprKind::Index(map, _) => matches!(map.kind, ExprKind::Var { primed: false, .. }),
        _ => false,
    }
}
