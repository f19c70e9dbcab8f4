//! Operators: the type at which they work, and conversions of their operands.

use super::body::Body;
use super::exprs::Typed;
use super::types::{T, widens};
use crate::tree::{BinaryOp, Expr as TreeExpr, Prim, UnaryOp};
use crate::typed::{Expr, ExprKind};
use diagnostic::Code;
use source::Span;

pub(super) const BOOLEAN: T = T::Prim(Prim::Boolean);
const NOT_KNOWN: &str = "arithmetic on something that is not known";

/// The type at which arithmetic on values of two types works.
pub(super) fn promote(one: Prim, other: Prim) -> Prim {
    [Prim::Double, Prim::Float, Prim::Long]
        .into_iter()
        .find(|wide| one == *wide || other == *wide)
        .unwrap_or(Prim::Int)
}

impl<'a> Body<'_, 'a> {
    /// A number at the type at which arithmetic works.
    pub(super) fn promoted(&mut self, value: Typed) -> Typed {
        match self.world.unboxed(&value.ty) {
            Some(prim) => {
                let ty = T::Prim(promote(prim, Prim::Int));
                self.convert(value, &ty)
            }
            None => value,
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: &'a TreeExpr, span: Span) -> Typed {
        if op == UnaryOp::Not {
            let operand = self.condition(operand);
            if let ExprKind::Bool(value) = operand.kind {
                return self.typed(ExprKind::Bool(!value), BOOLEAN, span);
            }
            return self.typed(ExprKind::Unary(op, Box::new(operand)), BOOLEAN, span);
        }
        let operand = self.expr(operand);
        let operand = self.promoted(operand);
        let ty = operand.ty.clone();
        if !ty.is_numeric() {
            return match operand.expr.kind {
                ExprKind::Unsupported(_) => operand,
                _ if ty == T::Unknown => self.unsupported(NOT_KNOWN, ty, span),
                _ => self.wrong(Code::TypeMismatch, span, "a number is needed here"),
            };
        }
        match (op, &operand.expr.kind) {
            (UnaryOp::Minus | UnaryOp::Complement, ExprKind::Int(value)) => {
                let value = if op == UnaryOp::Minus { -value } else { !value };
                let T::Prim(prim) = ty else { return operand };
                if Self::fits(value, prim) {
                    return self.typed(ExprKind::Int(value), ty, span);
                }
                self.typed(ExprKind::Unary(op, Box::new(operand.expr)), ty, span)
            }
            (UnaryOp::Plus, _) => operand,
            _ => self.typed(ExprKind::Unary(op, Box::new(operand.expr)), ty, span),
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &'a TreeExpr,
        right: &'a TreeExpr,
        span: Span,
    ) -> Typed {
        // Long chains are deep on their left side.
        let mut chain = vec![(op, right, span)];
        let mut first = left;
        while let crate::tree::ExprKind::Binary(op, left, right) = &first.kind {
            chain.push((*op, right, first.span));
            first = left;
        }
        let mut value = self.expr(first);
        for (op, right, span) in chain.into_iter().rev() {
            let right = self.expr(right);
            value = self.operation(op, value, right, span);
        }
        value
    }

    /// `left op right` with operands of any types.
    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        left: Typed,
        right: Typed,
        span: Span,
    ) -> Typed {
        use BinaryOp as Op;
        let prims = (self.world.unboxed(&left.ty), self.world.unboxed(&right.ty));
        match op {
            Op::And | Op::Or | Op::Implies | Op::Iff => {
                let (left, right) = (self.convert(left, &BOOLEAN), self.convert(right, &BOOLEAN));
                self.made(op, (left.expr, right.expr), BOOLEAN, span)
            }
            Op::Add if self.is_text(&left.ty) || self.is_text(&right.ty) => {
                self.concat(left, right, span)
            }
            Op::Eq | Op::Ne => self.equality(op, left, right, span),
            Op::In | Op::Union | Op::Minus if !matches!(right.ty, T::Set(_)) => self.no_set(&right),
            Op::Union | Op::Minus if !matches!(left.ty, T::Set(_)) => self.no_set(&left),
            Op::In => self.made(op, (left.expr, right.expr), BOOLEAN, span),
            Op::Union | Op::Minus => {
                let ty = left.ty.clone();
                self.made(op, (left.expr, right.expr), ty, span)
            }
            Op::BitAnd | Op::BitOr | Op::BitXor
                if prims == (Some(Prim::Boolean), Some(Prim::Boolean)) =>
            {
                let (left, right) = (self.convert(left, &BOOLEAN), self.convert(right, &BOOLEAN));
                self.made(op, (left.expr, right.expr), BOOLEAN, span)
            }
            Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightUnsigned => {
                let (left, right) = (self.promoted(left), self.promoted(right));
                let ty = left.ty.clone();
                self.made(op, (left.expr, right.expr), ty, span)
            }
            _ => match prims {
                (Some(one), Some(other)) if one != Prim::Boolean && other != Prim::Boolean => {
                    let at = T::Prim(promote(one, other));
                    let (left, right) = (self.convert(left, &at), self.convert(right, &at));
                    let compares = matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge);
                    let ty = if compares { BOOLEAN } else { at };
                    self.made(op, (left.expr, right.expr), ty, span)
                }
                _ => {
                    let is_known = left.ty != T::Unknown && right.ty != T::Unknown;
                    if is_known && matches!((&left.ty, &right.ty), (T::Set(_), T::Set(_))) {
                        let ty = left.ty.clone();
                        return self.made(op, (left.expr, right.expr), ty, span);
                    }
                    let compares = matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge);
                    let ty = if compares { BOOLEAN } else { T::Unknown };
                    match (left.expr.kind, right.expr.kind) {
                        (ExprKind::Unsupported(what), _) | (_, ExprKind::Unsupported(what)) => {
                            self.unsupported(&what, ty, span)
                        }
                        _ if !is_known => self.unsupported(NOT_KNOWN, ty, span),
                        _ => {
                            let message = "numbers are needed here";
                            let wrong = self.wrong(Code::TypeMismatch, span, message);
                            self.convert(wrong, &ty)
                        }
                    }
                }
            },
        }
    }

    /// Something else where a set is needed.
    pub(super) fn no_set(&mut self, found: &Typed) -> Typed {
        match &found.expr.kind {
            ExprKind::Unsupported(what) => {
                let what = what.clone();
                self.unsupported(&what, T::Unknown, found.expr.span)
            }
            _ => self.wrong(Code::TypeMismatch, found.expr.span, "this is no set"),
        }
    }

    fn made(&mut self, op: BinaryOp, (left, right): (Expr, Expr), ty: T, span: Span) -> Typed {
        if let Some(kind) = super::constants::fold(op, &left, &right, &ty) {
            return self.typed(kind, ty, span);
        }
        self.typed(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span)
    }

    fn is_text(&self, ty: &T) -> bool {
        matches!((ty, self.string()), (T::Class(one, _), T::Class(other, _)) if *one == other)
    }

    fn concat(&mut self, left: Typed, right: Typed, span: Span) -> Typed {
        let mut parts = match left.expr.kind {
            ExprKind::Concat(parts) => parts,
            _ => vec![left.expr],
        };
        parts.push(right.expr);
        let ty = self.string();
        self.typed(ExprKind::Concat(parts), ty, span)
    }

    fn equality(&mut self, op: BinaryOp, left: Typed, right: Typed, span: Span) -> Typed {
        let is_primitive = left.ty.is_primitive() || right.ty.is_primitive();
        let prims = (self.world.unboxed(&left.ty), self.world.unboxed(&right.ty));
        let (left, right) = match prims {
            (Some(Prim::Boolean), Some(Prim::Boolean)) if is_primitive => {
                (self.convert(left, &BOOLEAN), self.convert(right, &BOOLEAN))
            }
            (Some(one), Some(other)) if is_primitive => {
                let at = T::Prim(promote(one, other));
                (self.convert(left, &at), self.convert(right, &at))
            }
            _ => {
                let is_wrong = is_primitive && left.ty != T::Unknown && right.ty != T::Unknown;
                if is_wrong && !self.here().in_annotation {
                    let wrong = self.wrong(Code::TypeMismatch, span, "these cannot be compared");
                    return self.convert(wrong, &BOOLEAN);
                }
                (left, right)
            }
        };
        self.made(op, (left.expr, right.expr), BOOLEAN, span)
    }

    /// `cond ? one : other`
    pub(super) fn conditional(
        &mut self,
        cond: Expr,
        one: Typed,
        other: Typed,
        span: Span,
    ) -> Typed {
        let prims = (self.world.unboxed(&one.ty), self.world.unboxed(&other.ty));
        let is_primitive = one.ty.is_primitive() || other.ty.is_primitive();
        let ty = match prims {
            (Some(first), Some(second)) if is_primitive => match (first, second) {
                (first, second) if first == second => T::Prim(first),
                (first, second) if widens(first, second) => T::Prim(second),
                (first, second) if widens(second, first) => T::Prim(first),
                (first, second) => T::Prim(promote(first, second)),
            },
            _ => {
                let one = self.boxed_type(&one.ty);
                let other = self.boxed_type(&other.ty);
                self.world.join(&one, &other)
            }
        };
        let (one, other) = (self.convert(one, &ty), self.convert(other, &ty));
        let parts = [cond, one.expr, other.expr].map(Box::new);
        let [cond, one, other] = parts;
        self.typed(ExprKind::Conditional(cond, one, other), ty, span)
    }

    pub(super) fn boxed_type(&self, ty: &T) -> T {
        match ty {
            T::Prim(prim) => self.world.boxed(*prim).unwrap_or(T::Unknown),
            other => other.clone(),
        }
    }
}
