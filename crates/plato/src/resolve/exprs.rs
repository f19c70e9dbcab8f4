//! Expressions: their types are found from inside out, with a hint from outside for expressions
//! without a type of their own.

use super::types::{compatible, is_number};
use super::{Resolver, fault};
use crate::ast::{self, BinaryOp};
use crate::hir::{self, Expr, ExprKind, Quantifier, Ty};
use diagnostic::Code;
use source::Span;

impl Resolver {
    /// The expression, which must have this type.
    pub(super) fn check(&mut self, expr: &ast::Expr, wanted: &Ty) -> Option<Expr> {
        match self.expr(expr, Some(wanted)) {
            Some(found) if compatible(&found.ty, wanted) => return Some(found),
            Some(found) => self.mismatch_of(&found, wanted),
            None => {}
        }
        self.lost = Some(expr.span);
        None
    }

    pub(super) fn mismatch(&mut self, span: Span, found: &Ty, wanted: &Ty) {
        let (found, wanted) = (self.show(found), self.show(wanted));
        let error =
            fault(Code::TypeMismatch, span, format!("expected `{wanted}`, found `{found}`"))
                .at(format!("has type `{found}`"));
        self.report(error);
    }

    pub(super) fn mismatch_of(&mut self, expr: &Expr, wanted: &Ty) {
        let (found, wanted_text) = (self.show(&expr.ty), self.show(wanted));
        let message = format!("expected `{wanted_text}`, found `{found}`");
        let mut error =
            fault(Code::TypeMismatch, expr.span, message).at(format!("has type `{found}`"));
        match (&expr.kind, wanted) {
            (_, Ty::Tid) if is_number(&expr.ty) => {
                error = error.help("only `0` (nobody), `tid` and names of threads have type `Tid`");
            }
            (_, Ty::Bool) if is_number(&expr.ty) => {
                error = error.help("numbers are not truth values; compare it, as in `x != 0`");
            }
            (ExprKind::Thread(_), Ty::Tid) => {
                error =
                    error.help("the name of a family stands for the set of its threads; use `in`");
            }
            _ => {}
        }
        self.report(error);
    }

    /// The expression with its type. The hint is the type that the place wants; the expression need
    /// not have it.
    pub(super) fn expr(&mut self, expr: &ast::Expr, hint: Option<&Ty>) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Error => {
                self.met_error = true;
                None
            }
            ast::ExprKind::Int(0) if hint == Some(&Ty::Tid) => {
                made(ExprKind::Nobody, Ty::Tid, span)
            }
            ast::ExprKind::Int(value) => made(ExprKind::Int(*value), Ty::Int, span),
            ast::ExprKind::Bool(value) => made(ExprKind::Bool(*value), Ty::Bool, span),
            ast::ExprKind::Tid => self.tid(span),
            ast::ExprKind::Name(name) => self.name(name, span, hint),
            ast::ExprKind::Apply(name, args) => self.apply(name, args, span),
            ast::ExprKind::At(thread, label) => self.at_label(thread, label, span),
            ast::ExprKind::Not(inner) => {
                let inner = Box::new(self.check(inner, &Ty::Bool)?);
                made(ExprKind::Not(inner), Ty::Bool, span)
            }
            ast::ExprKind::Neg(inner) => {
                let inner = Box::new(self.check(inner, &Ty::Int)?);
                made(ExprKind::Neg(inner), Ty::Int, span)
            }
            ast::ExprKind::And(all) => made(ExprKind::And(self.truths(all)?), Ty::Bool, span),
            ast::ExprKind::Or(all) => made(ExprKind::Or(self.truths(all)?), Ty::Bool, span),
            ast::ExprKind::Binary(op, left, right) if !op.is_arithmetic() => {
                self.relation(*op, left, right, span)
            }
            ast::ExprKind::Binary(..) => self.arithmetic(expr, hint),
            ast::ExprKind::Conditional(cond, then, otherwise) => {
                self.conditional(cond, (then, otherwise), span, hint)
            }
            ast::ExprKind::Index(..) | ast::ExprKind::Update(..) => self.postfix(expr, hint),
            ast::ExprKind::ConstMap(value) => self.const_map(value, span, hint),
            ast::ExprKind::Set(elements) => self.set(elements, span, hint),
            ast::ExprKind::Size(set) => self.size(set, span),
            ast::ExprKind::Forall(params, body) => {
                self.quantified(Quantifier::Forall, params, body, span)
            }
            ast::ExprKind::Exists(params, body) => {
                self.quantified(Quantifier::Exists, params, body, span)
            }
        }
    }

    fn truths(&mut self, all: &[ast::Expr]) -> Option<Vec<Expr>> {
        let all: Vec<_> = all.iter().map(|one| self.check(one, &Ty::Bool)).collect();
        all.into_iter().collect()
    }

    /// An operator whose result is a truth value.
    fn relation(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        match op {
            BinaryOp::Iff | BinaryOp::Implies => {
                let (left, right) = (self.check(left, &Ty::Bool), self.check(right, &Ty::Bool));
                let op =
                    if op == BinaryOp::Iff { hir::BinaryOp::Iff } else { hir::BinaryOp::Implies };
                let kind = ExprKind::Binary(op, Box::new(left?), Box::new(right?));
                made(kind, Ty::Bool, span)
            }
            BinaryOp::Eq | BinaryOp::Ne => self.equality(op, left, right, span),
            BinaryOp::In | BinaryOp::NotIn => self.membership(op, left, right, span),
            _ => self.comparison(op, left, right, span),
        }
    }

    fn conditional(
        &mut self,
        cond: &ast::Expr,
        (then, otherwise): (&ast::Expr, &ast::Expr),
        span: Span,
        hint: Option<&Ty>,
    ) -> Option<Expr> {
        let cond = self.check(cond, &Ty::Bool);
        let (then, otherwise) = self.pair(then, otherwise, hint)?;
        let ty = if then.ty == otherwise.ty { then.ty.clone() } else { Ty::Int };
        let kind = ExprKind::Conditional(Box::new(cond?), Box::new(then), Box::new(otherwise));
        made(kind, ty, span)
    }

    /// Two expressions of the same type. The one with a type of its own gives the hint to the
    /// other.
    pub(super) fn pair(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<&Ty>,
    ) -> Option<(Expr, Expr)> {
        let (left, right) = if hint.is_none() && needs_hint(left) && !needs_hint(right) {
            let right = self.expr(right, None);
            // Without a known type, errors about the other side would only echo.
            let left = right.as_ref().and_then(|right| self.expr(left, Some(&right.ty)));
            (left, right)
        } else {
            let left = self.expr(left, hint);
            let own = left.as_ref().map(|left| left.ty.clone());
            let right = if left.is_none() && needs_hint(right) {
                None
            } else {
                self.expr(right, own.as_ref().or(hint))
            };
            (left, right)
        };
        let (left, right) = (left?, right?);
        if compatible(&left.ty, &right.ty) {
            return Some((left, right));
        }
        self.unequal_types(&left, &right);
        None
    }

    fn unequal_types(&mut self, left: &Expr, right: &Expr) {
        let (left_ty, right_ty) = (self.show(&left.ty), self.show(&right.ty));
        let message = format!("`{left_ty}` and `{right_ty}` do not go together");
        let mut error = fault(Code::TypeMismatch, right.span, message)
            .at(format!("has type `{right_ty}`"))
            .label(left.span, format!("has type `{left_ty}`"));
        let tid_and_number = (left.ty == Ty::Tid && is_number(&right.ty))
            || (right.ty == Ty::Tid && is_number(&left.ty));
        if tid_and_number {
            error = error.help("only `0` (nobody), `tid` and names of threads have type `Tid`");
        }
        self.report(error);
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        params: &[ast::Param],
        body: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let types = self.param_types(params);
        let mark = self.scope.enter();
        let bounds = self.bind_params(params, &types);
        let body = self.check(body, &Ty::Bool);
        self.scope.leave(mark);
        let known = types.iter().all(Option::is_some);
        let body = Box::new(body.filter(|_| known)?);
        made(ExprKind::Quantified(quantifier, bounds, body), Ty::Bool, span)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every rule for expressions ends with it")]
pub(super) fn made(kind: ExprKind, ty: Ty, span: Span) -> Option<Expr> {
    Some(Expr { kind, ty, span })
}

/// Whether an expression takes its type from the place it stands in.
pub(super) fn needs_hint(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ast::ExprKind::Int(0) | ast::ExprKind::Set(_) | ast::ExprKind::ConstMap(_) => true,
        ast::ExprKind::Update(base, ..) => needs_hint(base),
        ast::ExprKind::Conditional(_, then, otherwise) => needs_hint(then) && needs_hint(otherwise),
        ast::ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right) => {
            let is_number = |expr: &ast::Expr| matches!(expr.kind, ast::ExprKind::Int(_));
            needs_hint(right) && !is_number(right) && needs_hint(left) && !is_number(left)
        }
        _ => false,
    }
}
