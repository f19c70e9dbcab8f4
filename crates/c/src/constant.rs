//! Expressions whose value is known before the program runs.

use crate::syntax::{Expr, ExprKind, Type};

/// The value of an expression, given those of names.
pub(crate) fn value(expr: &Expr, names: &impl Fn(&str) -> Option<i128>) -> Option<i128> {
    let of = |expr: &Expr| value(expr, names);
    match &expr.kind {
        ExprKind::Number(value, _) => Some(*value),
        ExprKind::Name(name) => names(name),
        ExprKind::Unary(sign, one) => unary(sign, of(one)?),
        ExprKind::Binary(sign, one, other) => binary(sign, of(one)?, of(other)?),
        ExprKind::Conditional(cond, one, other) => of(if of(cond)? != 0 { one } else { other }),
        ExprKind::Cast(Type::Int(bits, signed), one) => Some(wrapped(of(one)?, *bits, *signed)),
        _ => None,
    }
}

/// The result of an operator with one operand.
pub(crate) fn unary(sign: &str, one: i128) -> Option<i128> {
    match sign {
        "-" => one.checked_neg(),
        "+" => Some(one),
        "!" => Some(i128::from(one == 0)),
        "~" => Some(!one),
        _ => None,
    }
}

/// The result of an operator with two operands.
pub(crate) fn binary(sign: &str, one: i128, other: i128) -> Option<i128> {
    let shift = || u32::try_from(other).ok().filter(|by| *by < 64);
    match sign {
        "+" => one.checked_add(other),
        "-" => one.checked_sub(other),
        "*" => one.checked_mul(other),
        "/" => one.checked_div(other),
        "%" => one.checked_rem(other),
        "&" => Some(one & other),
        "|" => Some(one | other),
        "^" => Some(one ^ other),
        "<<" => one.checked_mul(1_i128 << shift()?),
        ">>" => Some(one >> shift()?),
        "==" => Some(i128::from(one == other)),
        "!=" => Some(i128::from(one != other)),
        "<" => Some(i128::from(one < other)),
        "<=" => Some(i128::from(one <= other)),
        ">" => Some(i128::from(one > other)),
        ">=" => Some(i128::from(one >= other)),
        "&&" => Some(i128::from(one != 0 && other != 0)),
        "||" => Some(i128::from(one != 0 || other != 0)),
        _ => None,
    }
}

/// What is left of a number in so many bits.
pub(crate) fn wrapped(value: i128, bits: u32, signed: bool) -> i128 {
    let modulus = 1_i128 << bits;
    let rest = value.rem_euclid(modulus);
    if signed && rest >= modulus / 2 { rest - modulus } else { rest }
}
