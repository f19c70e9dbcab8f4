//! How much permission: percentages, `rd`, and sums of them.

use super::{Checker, error_expr};
use crate::hir::{Amount, AmountKind, Expr, ExprKind, Type};
use crate::syntax::{self, BinaryOp};
use source::Span;

impl Checker<'_> {
    /// The amount an expression in second place of `acc` stands for. Without `rd` in it, it is a
    /// percentage.
    pub(super) fn amount(&mut self, e: &syntax::Expr) -> Amount {
        let span = e.span;
        if !mentions_rd(e) {
            let percent = self.typed(e, &Type::Int, "a percentage");
            return Amount { kind: AmountKind::Percent(percent), span };
        }
        let kind = match &e.kind {
            syntax::ExprKind::RdAmount => AmountKind::Read,
            syntax::ExprKind::Rd(of, None) => return self.amount_of(of, span),
            syntax::ExprKind::Binary(BinaryOp::Add, left, right) => {
                let (left, right) = (self.amount(left), self.amount(right));
                AmountKind::Add(Box::new(left), Box::new(right))
            }
            syntax::ExprKind::Binary(BinaryOp::Sub, left, right) => {
                let (left, right) = (self.amount(left), self.amount(right));
                AmountKind::Sub(Box::new(left), Box::new(right))
            }
            syntax::ExprKind::Binary(BinaryOp::Mul, left, right) => {
                let (number, amount) = match (mentions_rd(left), mentions_rd(right)) {
                    (true, true) => {
                        let help = "multiply by a number";
                        self.misplaced(span, "a product of two amounts", help);
                        return full(span);
                    }
                    (true, false) => (right, left),
                    _ => (left, right),
                };
                let amount = self.amount(amount);
                let number = self.typed(number, &Type::Int, "the factor of an amount");
                AmountKind::Times(number, Box::new(amount))
            }
            syntax::ExprKind::Neg(inside) => {
                let zero = Expr { kind: ExprKind::Int(0), ty: Type::Int, span };
                let zero = Amount { kind: AmountKind::Percent(zero), span };
                AmountKind::Sub(Box::new(zero), Box::new(self.amount(inside)))
            }
            _ => {
                let help =
                    "amounts are percentages, `rd`, `rd(token)`, `rd(n)`, their sums and multiples";
                self.misplaced(span, "this is not an amount of permission", help);
                AmountKind::Full
            }
        };
        Amount { kind, span }
    }

    /// `rd(e)` as an amount: the type of `e` says which.
    fn amount_of(&mut self, e: &syntax::Expr, span: Span) -> Amount {
        if self.predicate_use(e).is_some() {
            return Amount { kind: AmountKind::PredicateRead, span };
        }
        if mentions_rd(e) {
            self.misplaced(e.span, "`rd` inside `rd`", "write `rd(n)` with a number");
            return full(span);
        }
        let of = self.expr(e);
        let kind = match of.ty {
            Type::Int => AmountKind::Epsilons(of),
            Type::Token(_) | Type::Object(_) | Type::Channel(_) => AmountKind::ReadOf(of),
            Type::Unsupported => AmountKind::ReadOf(error_expr(span)),
            ref other => {
                let found = self.show(other);
                let message = format!(
                    "`rd` of a number, token, monitor or channel is an amount, not of `{found}`"
                );
                self.mismatch(of.span, message);
                AmountKind::Full
            }
        };
        Amount { kind, span }
    }
}

fn full(span: Span) -> Amount {
    Amount { kind: AmountKind::Full, span }
}

/// Whether the expression is an amount and not a number.
fn mentions_rd(e: &syntax::Expr) -> bool {
    match &e.kind {
        syntax::ExprKind::RdAmount
        | syntax::ExprKind::Rd(..)
        | syntax::ExprKind::RdStar(_)
        | syntax::ExprKind::Acc(..) => true,
        syntax::ExprKind::Binary(_, left, right) => mentions_rd(left) || mentions_rd(right),
        syntax::ExprKind::Neg(inside) => mentions_rd(inside),
        _ => false,
    }
}
