//! Operators on values.
//!
//! DIVERGENCE from Java: `int` and `long` are whole numbers without bounds, as in paper 2. Numbers
//! with a fraction may have any value.

use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::tree::{BinaryOp, Prim, UnaryOp};
use crate::typed::{Expr, Ty};
use diagnostic::Code;
use plato::ast;
use plato::build;
use source::Span;

/// `a / b`, which Java rounds towards zero. Plato's remainder is never negative.
pub(super) fn quotient(a: ast::Expr, b: ast::Expr, span: Span) -> ast::Expr {
    towards_zero(ast::BinaryOp::Div, a, b, span)
}

/// `a % b`, which has the sign of `a`.
pub(super) fn remainder(a: ast::Expr, b: ast::Expr, span: Span) -> ast::Expr {
    towards_zero(ast::BinaryOp::Mod, a, b, span)
}

fn towards_zero(op: ast::BinaryOp, a: ast::Expr, b: ast::Expr, span: Span) -> ast::Expr {
    if let ast::ExprKind::Int(value) = a.kind
        && value >= 0
    {
        return a.of(op, b);
    }
    let is_positive = a.clone().of(ast::BinaryOp::Ge, terms::int(0, span));
    let negative = build::neg(build::neg(a.clone()).of(op, b.clone()));
    build::conditional(is_positive, a.of(op, b), negative, span)
}

impl Lowering<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr, ty: &Ty, span: Span) -> ast::Expr {
        let value = self.value(operand);
        match op {
            UnaryOp::Not => value.negated(),
            _ if is_fraction(ty) => self.unknown_value("number", ty, span),
            UnaryOp::Plus => value,
            UnaryOp::Minus => build::neg(value),
            UnaryOp::Complement => build::neg(value).of(ast::BinaryOp::Sub, terms::int(1, span)),
        }
    }

    /// An operation on values that were computed; `ty` is the type of the operands.
    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        (one, other): (ast::Expr, ast::Expr),
        ty: &Ty,
        span: Span,
    ) -> ast::Expr {
        use ast::BinaryOp as Op;
        let boolean = Ty::Prim(Prim::Boolean);
        let compares = matches!(
            op,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        );
        if is_fraction(ty) {
            let result = if compares { &boolean } else { ty };
            return self.unknown_value("number", result, span);
        }
        let plato = match op {
            BinaryOp::And => return terms::and(vec![one, other], span),
            BinaryOp::Or => return terms::or(vec![one, other], span),
            BinaryOp::BitAnd if *ty == boolean => return terms::and(vec![one, other], span),
            BinaryOp::BitOr if *ty == boolean => return terms::or(vec![one, other], span),
            BinaryOp::BitXor if *ty == boolean => Op::Ne,
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Div | BinaryOp::Rem => {
                let told = fault(Code::DivisionByZero, "this divides by zero");
                let zero = terms::int(0, span);
                let differs = other.clone().differs(zero);
                let is_literal = matches!(other.kind, ast::ExprKind::Int(value) if value != 0);
                if !is_literal {
                    self.must(differs, told, "java.lang.ArithmeticException", span);
                }
                return match op {
                    BinaryOp::Div => quotient(one, other, span),
                    _ => remainder(one, other, span),
                };
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightUnsigned => {
                return self.shift(op, (one, &other), ty, span);
            }
            _ => return self.bits(op, (&one, &other), ty, span),
        };
        build::binary(plato, one, other, span)
    }

    /// Shifts by a known number are products and quotients.
    fn shift(
        &mut self,
        op: BinaryOp,
        (value, by): (ast::Expr, &ast::Expr),
        ty: &Ty,
        span: Span,
    ) -> ast::Expr {
        let known = match by.kind {
            ast::ExprKind::Int(by) if (0..63).contains(&by) => Some(1i128 << by),
            _ => None,
        };
        match (op, known) {
            (BinaryOp::ShiftLeft, Some(factor)) => {
                value.of(ast::BinaryOp::Mul, terms::int(factor, span))
            }
            // With a positive divisor, Plato rounds down, as a shift does.
            (BinaryOp::ShiftRight, Some(factor)) => {
                value.of(ast::BinaryOp::Div, terms::int(factor, span))
            }
            (BinaryOp::ShiftRightUnsigned, Some(factor)) => {
                let result = self.unknown_value("bits", ty, span);
                let zero = || terms::int(0, span);
                let is_positive = value.clone().of(ast::BinaryOp::Ge, zero());
                let quotient = value.of(ast::BinaryOp::Div, terms::int(factor, span));
                let same = is_positive.implies(result.clone().equals(quotient));
                let positive = result.clone().of(ast::BinaryOp::Ge, zero());
                self.push(terms::assume(terms::and(vec![same, positive], span), span));
                result
            }
            _ => self.unknown_value("bits", ty, span),
        }
    }

    /// Of operations on bits, little is known.
    fn bits(
        &mut self,
        op: BinaryOp,
        (one, other): (&ast::Expr, &ast::Expr),
        ty: &Ty,
        span: Span,
    ) -> ast::Expr {
        let result = self.unknown_value("bits", ty, span);
        let zero = || terms::int(0, span);
        let at_least = |value: &ast::Expr, low: ast::Expr| value.clone().of(ast::BinaryOp::Ge, low);
        let mut known = Vec::new();
        if op == BinaryOp::BitAnd {
            for operand in [one, other] {
                let is_positive = at_least(operand, zero());
                let below = result.clone().of(ast::BinaryOp::Le, operand.clone());
                let inside = terms::and(vec![at_least(&result, zero()), below], span);
                known.push(is_positive.implies(inside));
            }
        } else {
            let both = terms::and(vec![at_least(one, zero()), at_least(other, zero())], span);
            known.push(both.implies(at_least(&result, zero())));
        }
        self.push(terms::assume(terms::and(known, span), span));
        result
    }

    /// A number at another type.
    pub(super) fn converted(
        &mut self,
        value: ast::Expr,
        from: &Ty,
        to: &Ty,
        span: Span,
    ) -> ast::Expr {
        let (Ty::Prim(from), Ty::Prim(to)) = (from, to) else { return value };
        if from == to || *to == Prim::Boolean {
            return value;
        }
        let to_ty = Ty::Prim(*to);
        if !from.is_integral() || !to.is_integral() {
            return self.unknown_value("number", &to_ty, span);
        }
        let (low, high) = crate::resolve::range(*to);
        let (least, most) = crate::resolve::range(*from);
        if low <= least && most <= high {
            return value;
        }
        // A value that fits stays as it is, others lose bits.
        let result = self.unknown_value("number", &to_ty, span);
        let fits = build::within(value.clone(), (low, high), span);
        let same = fits.implies(result.clone().equals(value));
        let inside = build::within(result.clone(), (low, high), span);
        self.push(terms::assume(terms::and(vec![same, inside], span), span));
        result
    }
}

pub(super) fn is_fraction(ty: &Ty) -> bool {
    matches!(ty, Ty::Prim(Prim::Float | Prim::Double))
}
