//! Arithmetic, comparison and membership.

use super::exprs::{made, needs_hint};
use super::types::{compatible, is_number, widened};
use super::{Resolver, fault};
use crate::ast::{self, BinaryOp};
use crate::hir::{self, Expr, ExprKind, Ty};
use diagnostic::Code;
use source::Span;

impl Resolver {
    pub(super) fn equality(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = self.pair(left, right, None)?;
        let op = if op == BinaryOp::Eq { hir::BinaryOp::Eq } else { hir::BinaryOp::Ne };
        made(ExprKind::Binary(op, Box::new(left), Box::new(right)), Ty::Bool, span)
    }

    pub(super) fn comparison(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = self.pair(left, right, None)?;
        let is_set = matches!(left.ty, Ty::Set(_));
        let (op, left, right) = match op {
            BinaryOp::Le if is_set => (hir::BinaryOp::Subset, left, right),
            BinaryOp::Ge if is_set => (hir::BinaryOp::Subset, right, left),
            _ if !is_number(&left.ty) => {
                self.not_ordered(&left, span);
                return None;
            }
            BinaryOp::Lt => (hir::BinaryOp::Lt, left, right),
            BinaryOp::Le => (hir::BinaryOp::Le, left, right),
            BinaryOp::Gt => (hir::BinaryOp::Gt, left, right),
            _ => (hir::BinaryOp::Ge, left, right),
        };
        made(ExprKind::Binary(op, Box::new(left), Box::new(right)), Ty::Bool, span)
    }

    fn not_ordered(&mut self, left: &Expr, span: Span) {
        let ty = self.show(&left.ty);
        let error = fault(Code::TypeMismatch, span, format!("values of type `{ty}` have no order"))
            .at("compares by order");
        let error = match left.ty {
            Ty::Tid => error
                .note("threads are interchangeable: `Tid` is a scalarset, on which only `==` and `!=` make sense"),
            Ty::Set(_) => error.help("subset is written `<=`"),
            _ => error.help("only `==` and `!=` make sense here"),
        };
        self.report(error);
    }

    pub(super) fn membership(
        &mut self,
        op: BinaryOp,
        element: &ast::Expr,
        set: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (element, set) = if needs_hint(set) {
            let element = self.expr(element, None)?;
            let hint = Ty::Set(Box::new(widened(&element.ty)));
            let set = self.expr(set, Some(&hint))?;
            (Some(element), set)
        } else {
            let set = self.expr(set, None);
            let hint = match set.as_ref().map(|set| &set.ty) {
                Some(Ty::Set(inner)) => Some((**inner).clone()),
                _ => None,
            };
            (self.expr(element, hint.as_ref()), set?)
        };
        let element = element?;
        let Ty::Set(inner) = &set.ty else {
            let message = format!("expected a set, found `{}`", self.show(&set.ty));
            let error =
                fault(Code::TypeMismatch, set.span, message).at("`in` needs a set on its right");
            self.report(error);
            return None;
        };
        if !compatible(&element.ty, inner) {
            self.mismatch_of(&element, inner);
            return None;
        }
        let kind = ExprKind::In(Box::new(element), Box::new(set));
        if op == BinaryOp::In {
            return made(kind, Ty::Bool, span);
        }
        let inner = Expr { kind, ty: Ty::Bool, span };
        made(ExprKind::Not(Box::new(inner)), Ty::Bool, span)
    }

    /// A chain of `+ - * / %`, taken apart along its left side without recursion: sums may be long.
    pub(super) fn arithmetic(&mut self, whole: &ast::Expr, hint: Option<&Ty>) -> Option<Expr> {
        let mut rest: Vec<(BinaryOp, &ast::Expr, Span)> = Vec::new();
        let mut first = whole;
        while let ast::ExprKind::Binary(op, left, right) = &first.kind {
            if !op.is_arithmetic() {
                break;
            }
            rest.push((*op, right, first.span));
            first = left;
        }
        rest.reverse();
        let mut hint = hint.filter(|hint| matches!(hint, Ty::Set(_))).cloned();
        // `{} + s`: the first operand with a type of its own determines the type of the literals.
        // It is resolved early and kept: resolving it twice would take exponential time in nested
        // sums.
        let mut early = None;
        if hint.is_none() && is_set_literal(first) {
            let typed = rest.iter().position(|(_, right, _)| !is_set_literal(right));
            early = typed.map(|at| (at, self.expr(rest[at].1, None)));
            hint = match &early {
                Some((_, Some(Expr { ty: ty @ Ty::Set(_), .. }))) => Some(ty.clone()),
                Some((_, None)) => return None,
                _ => None,
            };
        }
        let mut left = self.expr(first, hint.as_ref());
        for (at, (op, right, span)) in rest.into_iter().enumerate() {
            let own = left.as_ref().map(|left| left.ty.clone()).or(hint.clone());
            let right = match early.take() {
                Some((same, right)) if same == at => right,
                other => {
                    early = other;
                    self.expr(right, own.as_ref().filter(|own| matches!(own, Ty::Set(_))))
                }
            };
            left = match (left, right) {
                (Some(left), Some(right)) => self.arithmetic_step(op, left, right, span),
                _ => None,
            };
        }
        left
    }

    fn arithmetic_step(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Option<Expr> {
        let (op, ty) = match (op, &left.ty) {
            (BinaryOp::Add, Ty::Set(_)) => (hir::BinaryOp::Union, left.ty.clone()),
            (BinaryOp::Sub, Ty::Set(_)) => (hir::BinaryOp::Difference, left.ty.clone()),
            (BinaryOp::Mul, Ty::Set(_)) => (hir::BinaryOp::Intersection, left.ty.clone()),
            (BinaryOp::Add, _) => (hir::BinaryOp::Add, Ty::Int),
            (BinaryOp::Sub, _) => (hir::BinaryOp::Sub, Ty::Int),
            (BinaryOp::Mul, _) => (hir::BinaryOp::Mul, Ty::Int),
            (BinaryOp::Div, _) => (hir::BinaryOp::Div, Ty::Int),
            _ => (hir::BinaryOp::Mod, Ty::Int),
        };
        for operand in [&left, &right] {
            if !compatible(&operand.ty, &ty) {
                self.not_a_number(operand, &ty);
                return None;
            }
        }
        made(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span)
    }

    fn not_a_number(&mut self, operand: &Expr, wanted: &Ty) {
        if operand.ty == Ty::Tid && *wanted == Ty::Int {
            let error =
                fault(Code::TypeMismatch, operand.span, "arithmetic on a thread identifier")
                    .at("has type `Tid`")
                    .note("threads are interchangeable: on `Tid` only `==` and `!=` make sense");
            self.report(error);
        } else {
            self.mismatch_of(operand, wanted);
        }
    }
}

fn is_set_literal(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ast::ExprKind::Set(_))
}
