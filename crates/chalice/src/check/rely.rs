//! Finds the parts of a monitor invariant that are about volatile fields of the object and nothing
//! else.

use crate::hir::{Assertion, AssertionKind, BinaryOp, Expr, ExprKind, Loc, Program};

/// The invariants without those parts, and those parts.
pub(super) fn split(program: &Program, invariants: Vec<Assertion>) -> (Vec<Assertion>, Vec<Expr>) {
    let mut rely = Vec::new();
    let rest =
        invariants.into_iter().filter_map(|part| without(program, part, &mut rely)).collect();
    (rest, rely)
}

/// The assertion without such parts, which are collected; `None` if nothing is left.
fn without(program: &Program, assertion: Assertion, rely: &mut Vec<Expr>) -> Option<Assertion> {
    let span = assertion.span;
    match assertion.kind {
        AssertionKind::And(parts) => {
            let parts: Vec<_> =
                parts.into_iter().filter_map(|part| without(program, part, rely)).collect();
            (!parts.is_empty()).then_some(Assertion { kind: AssertionKind::And(parts), span })
        }
        AssertionKind::Pure(expr) => {
            let left = without_formulas(program, expr, rely)?;
            Some(Assertion { kind: AssertionKind::Pure(left), span })
        }
        kind => Some(Assertion { kind, span }),
    }
}

fn without_formulas(program: &Program, expr: Expr, rely: &mut Vec<Expr>) -> Option<Expr> {
    let Expr { kind, ty, span } = expr;
    match kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let left = without_formulas(program, *left, rely);
            let right = without_formulas(program, *right, rely);
            match (left, right) {
                (Some(left), Some(right)) => {
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right));
                    Some(Expr { kind, ty, span })
                }
                (left, right) => left.or(right),
            }
        }
        kind => {
            let expr = Expr { kind, ty, span };
            let mut reads = false;
            if only_volatile(program, &expr, &mut reads) && reads {
                rely.push(expr);
                None
            } else {
                Some(expr)
            }
        }
    }
}

/// Whether the formula reads volatile fields of `this` only.
fn only_volatile(program: &Program, expr: &Expr, reads: &mut bool) -> bool {
    match &expr.kind {
        ExprKind::Read(object, Loc::Field(id)) => {
            *reads = true;
            program.fields[id.index()].volatile && matches!(object.kind, ExprKind::This)
        }
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Str(_)
        | ExprKind::Null
        | ExprKind::This
        | ExprKind::Local(_) => true,
        ExprKind::Binary(BinaryOp::Below, ..) => false,
        ExprKind::Not(_)
        | ExprKind::Neg(_)
        | ExprKind::Binary(..)
        | ExprKind::Ite(..)
        | ExprKind::Old(_)
        | ExprKind::SeqLiteral(_)
        | ExprKind::SeqRange(..)
        | ExprKind::SeqLength(_)
        | ExprKind::SeqAt(..)
        | ExprKind::SeqDrop(..)
        | ExprKind::SeqTake(..) => {
            expr.kind.operands().into_iter().all(|part| only_volatile(program, part, reads))
        }
        ExprKind::Quantified(quantified) => quantified
            .range
            .iter()
            .chain([&quantified.body])
            .all(|part| only_volatile(program, part, reads)),
        _ => false,
    }
}
