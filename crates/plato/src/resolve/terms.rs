//! Pieces of the typed program that no text stands for.

use crate::hir::{
    BinaryOp, BoundId, Expr, ExprKind, GlobalId, Place, Quantifier, Root, Stmt, StmtKind, Ty,
};
use source::Span;

/// A statement without label.
pub(super) fn step(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, label: None, performs: None, undisturbed: false, span }
}

pub(super) fn assign(place: Place, value: Expr, span: Span) -> Stmt {
    step(StmtKind::Assign(vec![(place, value)]), span)
}

pub(super) fn tid(span: Span) -> Expr {
    Expr { kind: ExprKind::Tid, ty: Ty::Tid, span }
}

pub(super) fn bound(id: BoundId, ty: Ty, span: Span) -> Expr {
    Expr { kind: ExprKind::Bound(id), ty, span }
}

pub(super) fn variable(id: GlobalId, ty: &Ty, primed: bool, span: Span) -> Expr {
    let kind = ExprKind::Var { root: Root::Global(id), primed };
    Expr { kind, ty: ty.clone(), span }
}

/// `map[key]`
pub(super) fn element(map: Expr, key: Expr) -> Expr {
    let ty = match &map.ty {
        Ty::Map(_, value) => (**value).clone(),
        other => other.clone(),
    };
    let span = map.span;
    Expr { kind: ExprKind::Index(Box::new(map), Box::new(key)), ty, span }
}

/// An operator with operands of one type.
pub(super) fn both(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let ty = match op {
        BinaryOp::Union | BinaryOp::Difference => left.ty.clone(),
        _ => Ty::Bool,
    };
    let span = left.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
}

pub(super) fn member(element: Expr, set: Expr) -> Expr {
    let span = element.span;
    Expr { kind: ExprKind::In(Box::new(element), Box::new(set)), ty: Ty::Bool, span }
}

pub(super) fn not(inner: Expr) -> Expr {
    let span = inner.span;
    Expr { kind: ExprKind::Not(Box::new(inner)), ty: Ty::Bool, span }
}

/// All of them.
pub(super) fn all_of(mut parts: Vec<Expr>, span: Span) -> Expr {
    match parts.len() {
        0 => Expr { kind: ExprKind::Bool(true), ty: Ty::Bool, span },
        1 => parts.remove(0),
        _ => Expr { kind: ExprKind::And(parts), ty: Ty::Bool, span },
    }
}

/// `set + {one}`
pub(super) fn with(set: Expr, one: Expr) -> Expr {
    changed(BinaryOp::Union, set, one)
}

/// `set - {one}`
pub(super) fn without(set: Expr, one: Expr) -> Expr {
    changed(BinaryOp::Difference, set, one)
}

fn changed(op: BinaryOp, set: Expr, one: Expr) -> Expr {
    let (ty, span) = (set.ty.clone(), one.span);
    both(op, set, Expr { kind: ExprKind::Set(vec![one]), ty, span })
}

/// `forall id :: premise ==> conclusion`
pub(super) fn for_all(id: BoundId, premise: Expr, conclusion: Expr) -> Expr {
    let span = premise.span;
    let body = both(BinaryOp::Implies, premise, conclusion);
    let kind = ExprKind::Quantified(Quantifier::Forall, vec![id], Box::new(body));
    Expr { kind, ty: Ty::Bool, span }
}
