//! Operators on values. Numbers that leave the range of their type end a run: the verifier's have
//! no bounds.

use super::machine::Stop;
use super::store::Value;
use crate::tree::{BinaryOp, Prim, UnaryOp};
use crate::typed::Ty;

fn unknown<T>() -> Result<T, Stop> {
    Err(Stop::GiveUp("numbers that are not looked at".to_owned()))
}

fn is_fraction(ty: &Ty) -> bool {
    matches!(ty, Ty::Prim(Prim::Float | Prim::Double))
}

/// A number, if it is in the range of its type.
fn within(value: Option<i128>, ty: &Ty) -> Result<Value, Stop> {
    let Ty::Prim(prim) = ty else { return unknown() };
    let (low, high) = crate::resolve::range(*prim);
    match value {
        Some(value) if (low..=high).contains(&value) => Ok(Value::Int(value)),
        _ => Err(Stop::GiveUp("a number that is too large".to_owned())),
    }
}

pub(super) fn unary(op: UnaryOp, value: Value, ty: &Ty) -> Result<Value, Stop> {
    match (op, value) {
        (UnaryOp::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
        (_, Value::Fraction) => Ok(Value::Fraction),
        (UnaryOp::Plus, value) => Ok(value),
        (UnaryOp::Minus, Value::Int(value)) => within(Some(-value), ty),
        (UnaryOp::Complement, Value::Int(value)) => within(Some(-value - 1), ty),
        _ => unknown(),
    }
}

/// An operation at the type of its operands; nothing for a division by zero.
pub(super) fn binary(
    op: BinaryOp,
    one: Value,
    other: Value,
    ty: &Ty,
) -> Result<Option<Value>, Stop> {
    use BinaryOp as Op;
    use Value::{Bool, Int};
    let compares = matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge);
    if is_fraction(ty) {
        return if compares { unknown() } else { Ok(Some(Value::Fraction)) };
    }
    Ok(Some(match (op, one, other) {
        (Op::Eq, one, other) => Bool(one == other),
        (Op::Ne, one, other) => Bool(one != other),
        (Op::And | Op::BitAnd, Bool(one), Bool(other)) => Bool(one && other),
        (Op::Or | Op::BitOr, Bool(one), Bool(other)) => Bool(one || other),
        (Op::BitXor, Bool(one), Bool(other)) => Bool(one != other),
        (Op::Lt, Int(one), Int(other)) => Bool(one < other),
        (Op::Le, Int(one), Int(other)) => Bool(one <= other),
        (Op::Gt, Int(one), Int(other)) => Bool(one > other),
        (Op::Ge, Int(one), Int(other)) => Bool(one >= other),
        (Op::Div | Op::Rem, Int(_), Int(0)) => return Ok(None),
        (op, Int(one), Int(other)) => within(number(op, one, other, ty), ty)?,
        _ => return unknown(),
    }))
}

fn number(op: BinaryOp, one: i128, other: i128, ty: &Ty) -> Option<i128> {
    use BinaryOp as Op;
    let bits: u32 = if *ty == Ty::Prim(Prim::Long) { 64 } else { 32 };
    let by = u32::try_from(other.rem_euclid(i128::from(bits))).ok()?;
    match op {
        Op::Add => one.checked_add(other),
        Op::Sub => one.checked_sub(other),
        Op::Mul => one.checked_mul(other),
        Op::Div => one.checked_div(other),
        Op::Rem => one.checked_rem(other),
        Op::BitAnd => Some(one & other),
        Op::BitOr => Some(one | other),
        Op::BitXor => Some(one ^ other),
        Op::ShiftLeft => one.checked_mul(1i128 << by),
        Op::ShiftRight => Some(one >> by),
        Op::ShiftRightUnsigned if one >= 0 || by == 0 => Some(one >> by),
        Op::ShiftRightUnsigned => Some((one + (1i128 << bits)) >> by),
        _ => None,
    }
}

/// A value at another primitive type.
pub(super) fn convert(value: Value, from: &Ty, to: &Ty) -> Result<Value, Stop> {
    let (Ty::Prim(from), Ty::Prim(prim)) = (from, to) else { return Ok(value) };
    match value {
        _ if is_fraction(to) => Ok(Value::Fraction),
        Value::Fraction => unknown(),
        Value::Int(number) if from != prim && prim.is_integral() => {
            let (low, high) = crate::resolve::range(*prim);
            // Values that do not fit lose their upper bits.
            Ok(Value::Int((number - low).rem_euclid(high - low + 1) + low))
        }
        value => Ok(value),
    }
}
