//! Expressions whose value is known before the program runs.

use crate::syntax::{Expr, ExprKind, Type};

/// A number and its type.
pub(crate) type Typed = (i128, Type);

/// The value of an expression, given those of names.
pub(crate) fn value(expr: &Expr, names: &impl Fn(&str) -> Option<Typed>) -> Option<Typed> {
    let of = |expr: &Expr| value(expr, names);
    match &expr.kind {
        ExprKind::Number(value, ty) => Some((*value, ty.clone())),
        ExprKind::Name(name) => names(name),
        ExprKind::Unary("!", one) => Some((i128::from(of(one)?.0 == 0), INT)),
        ExprKind::Unary(sign, one) => {
            let (one, ty) = of(one)?;
            let ty = promoted(&ty);
            fitted(unary(sign, one)?, &ty).map(|value| (value, ty))
        }
        ExprKind::Binary(sign @ ("&&" | "||"), one, other) => {
            let one = of(one)?.0 != 0;
            let result = if one == (*sign == "&&") { of(other)?.0 != 0 } else { one };
            Some((i128::from(result), INT))
        }
        ExprKind::Binary(sign, one, other) => {
            let ((one, first), (other, second)) = (of(one)?, of(other)?);
            let is_shift = matches!(*sign, "<<" | ">>");
            let ty = if is_shift { promoted(&first) } else { common(&first, &second) };
            let other = if is_shift { other } else { fitted(other, &ty)? };
            let result = binary(sign, fitted(one, &ty)?, other, &ty)?;
            let ty = if is_comparison(sign) { INT } else { ty };
            fitted(result, &ty).map(|value| (value, ty))
        }
        ExprKind::Conditional(cond, one, other) => {
            let ((one, first), (other, second)) = (of(one)?, of(other)?);
            let ty = common(&first, &second);
            fitted(if of(cond)?.0 != 0 { one } else { other }, &ty).map(|value| (value, ty))
        }
        ExprKind::Cast(ty @ (Type::Int(..) | Type::Bool), one) => {
            fitted(of(one)?.0, ty).map(|value| (value, ty.clone()))
        }
        _ => None,
    }
}

pub(crate) const INT: Type = Type::Int(32, true);

/// Smaller numbers than `int` become `int`.
pub(crate) fn promoted(ty: &Type) -> Type {
    match ty {
        Type::Int(bits, signed) if *bits >= 32 => Type::Int(*bits, *signed),
        Type::Int(..) | Type::Bool => INT,
        other => other.clone(),
    }
}

/// The type to which both operands are converted.
pub(crate) fn common(one: &Type, other: &Type) -> Type {
    match (promoted(one), promoted(other)) {
        (Type::Int(a, _), Type::Int(b, signed)) if a < b => Type::Int(b, signed),
        (Type::Int(a, signed), Type::Int(b, _)) if a > b => Type::Int(a, signed),
        (Type::Int(bits, one), Type::Int(_, other)) => Type::Int(bits, one && other),
        (one, _) if one == *other => one,
        _ => Type::Other("values of two types".to_owned()),
    }
}

/// A number converted to a type; `None` if the type has no numbers.
pub(crate) fn fitted(value: i128, ty: &Type) -> Option<i128> {
    match ty {
        Type::Int(bits, signed) => Some(wrapped(value, *bits, *signed)),
        Type::Bool => Some(i128::from(value != 0)),
        _ => None,
    }
}

fn is_comparison(sign: &str) -> bool {
    matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=")
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

/// The result of an operator with two operands that were converted to a type; it may not fit into
/// the type. `None` where C leaves the result open.
pub(crate) fn binary(sign: &str, one: i128, other: i128, ty: &Type) -> Option<i128> {
    let Type::Int(bits, _) = ty else { return None };
    let shift = || u32::try_from(other).ok().filter(|by| by < bits);
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
        _ => None,
    }
}

/// A number converted to this number of bits.
pub(crate) fn wrapped(value: i128, bits: u32, signed: bool) -> i128 {
    let modulus = 1_i128 << bits;
    let rest = value.rem_euclid(modulus);
    if signed && rest >= modulus / 2 { rest - modulus } else { rest }
}
