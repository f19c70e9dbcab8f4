//! Operators.

use super::values::{INT, Value, wrapped};
use super::{Answer, refuse};
use crate::constant::{common, promoted};
use crate::syntax::Type;
use crate::{build, constant};
use plato::ast::{self, BinaryOp};
use source::Span;

/// The result of an operator with one operand.
pub(super) fn unary(sign: &str, one: Value, span: Span) -> Answer<Value> {
    if sign == "!" {
        let known = one.known.map(|known| i128::from(known == 0));
        let reads = one.reads;
        return Ok(match known {
            Some(known) => Value::number(known, INT, span),
            None => Value::truth(build::not(one.into_truth()), reads),
        });
    }
    let ty = promoted(&one.ty);
    let Type::Int(bits, signed) = ty else { return refuse("an operator on this type") };
    if let Some(result) = one.known.and_then(|known| constant::unary(sign, known)) {
        return Ok(Value::number(constant::wrapped(result, bits, signed), ty, span));
    }
    let reads = one.reads;
    let number = one.into_number();
    let expr = match sign {
        "-" => wrapped(build::neg(number), bits, signed),
        "~" => {
            let less = build::binary(BinaryOp::Sub, build::neg(number), build::int(1, span), span);
            wrapped(less, bits, signed)
        }
        _ => number,
    };
    Ok(Value { expr, is_truth: false, ty, reads, known: None })
}

/// The result of an operator with two operands, other than `&&` and `||`.
pub(super) fn binary(sign: &str, one: Value, other: Value, span: Span) -> Answer<Value> {
    let reads = one.reads || other.reads;
    if matches!(sign, "&" | "|" | "^") && are_bits(&one, &other) {
        return Ok(Value::truth(of_bits(sign, one, other, span), reads));
    }
    let (one, other) = match sign {
        "==" | "!=" => (as_number(one), as_number(other)),
        _ => (one, other),
    };
    let shift = matches!(sign, "<<" | ">>");
    let ty = if shift { promoted(&one.ty) } else { common(&one.ty, &other.ty) };
    let Type::Int(bits, signed) = ty else { return refuse("an operator on this type") };
    if shift && other.known.is_some_and(|by| !(0..i128::from(bits)).contains(&by)) {
        return refuse("a shift by more bits than there are");
    }
    let known = (
        fit(one.known, bits, signed),
        if shift { other.known } else { fit(other.known, bits, signed) },
    );
    if let (Some(a), Some(b)) = known
        && let Some(result) = constant::binary(sign, a, b, &ty)
    {
        if comparison(sign).is_some() {
            return Ok(Value::number(result, INT, span));
        }
        return Ok(Value::number(constant::wrapped(result, bits, signed), ty, span));
    }
    let (a, b) =
        (converted(one, &ty), if shift { other.into_number() } else { converted(other, &ty) });
    if let Some(op) = comparison(sign) {
        return Ok(Value::truth(build::binary(op, a, b, span), reads));
    }
    let plain = |op| build::binary(op, a.clone(), b.clone(), span);
    let expr = match (sign, known.1) {
        ("+", _) => wrapped(plain(BinaryOp::Add), bits, signed),
        ("-", _) => wrapped(plain(BinaryOp::Sub), bits, signed),
        ("*", _) => wrapped(plain(BinaryOp::Mul), bits, signed),
        ("/" | "%", _) => {
            let op = if sign == "/" { BinaryOp::Div } else { BinaryOp::Mod };
            let result = truncated(op, a, b, signed, span);
            // Only the least number divided by -1 does not fit.
            let fits = sign == "%" || !signed || known.1.is_some_and(|by| by != -1);
            if fits { result } else { wrapped(result, bits, signed) }
        }
        ("<<", Some(by @ 0..=63)) => {
            let factor = build::int(1 << by, span);
            wrapped(build::binary(BinaryOp::Mul, a, factor, span), bits, signed)
        }
        (">>", Some(by @ 0..=63)) => {
            build::binary(BinaryOp::Div, a, build::int(1 << by, span), span)
        }
        // The lowest bits.
        ("&", Some(mask)) if mask >= 0 && (mask + 1) & mask == 0 => {
            build::binary(BinaryOp::Mod, a, build::int(mask + 1, span), span)
        }
        _ => {
            return refuse(format!(
                "the operator `{sign}` on values that are not known beforehand"
            ));
        }
    };
    Ok(Value { expr, is_truth: false, ty, reads, known: None })
}

/// Whether two values are 0 or 1, and of types that operators convert to `int`. Two that are known
/// beforehand are constants.
fn are_bits(one: &Value, other: &Value) -> bool {
    let is_bit = |value: &Value| {
        let is_known = matches!(value.known, Some(0 | 1)) && value.ty == INT;
        value.is_truth || value.ty == Type::Bool || is_known
    };
    is_bit(one) && is_bit(other) && (one.known.is_none() || other.known.is_none())
}

/// The result of an operator on two bits. Both are evaluated, whatever the first is, so this is a
/// sum and not a conjunction: Plato's `&&` would skip a division by zero in the second.
fn of_bits(sign: &str, one: Value, other: Value, span: Span) -> ast::Expr {
    let sum = build::binary(BinaryOp::Add, one.into_number(), other.into_number(), span);
    let (op, ones) = match sign {
        "&" => (BinaryOp::Eq, 2),
        "|" => (BinaryOp::Ge, 1),
        _ => (BinaryOp::Eq, 1),
    };
    build::binary(op, sum, build::int(ones, span), span)
}

/// Division in C rounds towards 0; that of Plato does so only if the dividend is not negative.
fn truncated(op: BinaryOp, a: ast::Expr, b: ast::Expr, signed: bool, span: Span) -> ast::Expr {
    let plain = build::binary(op, a.clone(), b.clone(), span);
    if !signed {
        return plain;
    }
    let positive = build::binary(BinaryOp::Ge, a.clone(), build::int(0, span), span);
    let mirrored = build::neg(build::binary(op, build::neg(a), b, span));
    build::conditional(positive, plain, mirrored, span)
}

fn comparison(sign: &str) -> Option<BinaryOp> {
    Some(match sign {
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        _ => return None,
    })
}

fn fit(known: Option<i128>, bits: u32, signed: bool) -> Option<i128> {
    known.map(|known| constant::wrapped(known, bits, signed))
}

fn converted(value: Value, ty: &Type) -> ast::Expr {
    let Type::Int(bits, signed) = *ty else { return value.into_number() };
    if let Some(known) = value.known {
        return build::int(constant::wrapped(known, bits, signed), value.expr.span);
    }
    let fits = value.is_truth
        || match value.ty {
            Type::Int(from, from_signed) => {
                from_signed == signed && from <= bits || !from_signed && from < bits
            }
            _ => true,
        };
    let number = value.into_number();
    if fits { number } else { wrapped(number, bits, signed) }
}

/// A pointer that is compared.
fn as_number(value: Value) -> Value {
    match value.ty {
        Type::Pointer(_) => Value { ty: Type::Int(64, true), ..value },
        _ => value,
    }
}
