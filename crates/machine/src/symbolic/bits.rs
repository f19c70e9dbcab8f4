//! Numbers as vectors of Boolean functions, least significant bit first, in two's complement.

use oxidd::BooleanFunction;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::{AllocResult, OutOfMemory};
use verdict::StopReason;

/// A Boolean function of the state.
pub(crate) type Function = BCDDFunction;

/// Why a function was not built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A construct that is not translated.
    Unsupported(String),
    /// The functions need more memory than there is.
    Memory,
    /// The run has to end that the search is a part of.
    Halted(StopReason),
}

impl From<OutOfMemory> for Failure {
    fn from(_: OutOfMemory) -> Self {
        Self::Memory
    }
}

pub(crate) type Built<T> = Result<T, Failure>;

pub(crate) fn unsupported<T>(what: &str) -> Built<T> {
    Err(Failure::Unsupported(what.to_owned()))
}

/// The constants.
#[derive(Clone)]
pub(crate) struct Constants {
    pub(crate) yes: Function,
    pub(crate) no: Function,
}

/// A number. The last bit is the sign.
pub(crate) type Number = Vec<Function>;

impl Constants {
    pub(crate) fn truth(&self, value: bool) -> Function {
        if value { self.yes.clone() } else { self.no.clone() }
    }

    /// The number with as many bits as it needs.
    pub(crate) fn number(&self, value: i128) -> Number {
        let width = signed_width(value);
        (0..width).map(|bit| self.truth(value >> bit & 1 == 1)).collect()
    }

    /// The sum.
    pub(crate) fn add(&self, left: &[Function], right: &[Function], carry: bool) -> Built<Number> {
        let width = left.len().max(right.len()) + 1;
        let mut carry = self.truth(carry);
        let mut sum = Vec::new();
        for bit in 0..width {
            let (a, b) = (at(left, bit), at(right, bit));
            let half = a.xor(b)?;
            sum.push(half.xor(&carry)?);
            carry = a.and(b)?.or(&half.and(&carry)?)?;
        }
        Ok(sum)
    }

    pub(crate) fn negated(&self, number: &[Function]) -> Built<Number> {
        let flipped = number.iter().map(BooleanFunction::not).collect::<AllocResult<Number>>()?;
        // Room for the negation of the smallest number.
        let widened = self.add(&flipped, &self.number(0), true)?;
        Ok(widened)
    }

    /// The product, by adding shifted copies; the sign's copy is subtracted.
    pub(crate) fn multiply(&self, left: &[Function], right: &[Function]) -> Built<Number> {
        let mut product = self.number(0);
        for (shift, bit) in right.iter().enumerate() {
            let mut copy: Number = vec![self.no.clone(); shift];
            for factor in left {
                copy.push(factor.and(bit)?);
            }
            if shift + 1 == right.len() {
                copy = self.negated(&copy)?;
            }
            product = self.add(&product, &copy, false)?;
        }
        Ok(product)
    }

    pub(crate) fn equal(&self, left: &[Function], right: &[Function]) -> Built<Function> {
        let mut same = self.yes.clone();
        for bit in 0..left.len().max(right.len()) {
            same = same.and(&at(left, bit).equiv(at(right, bit))?)?;
        }
        Ok(same)
    }

    /// Whether the left one is smaller: the sign of the difference.
    pub(crate) fn less(&self, left: &[Function], right: &[Function]) -> Built<Function> {
        let negative = self.negated(right)?;
        let difference = self.add(left, &negative, false)?;
        Ok(difference.last().cloned().unwrap_or_else(|| self.no.clone()))
    }

    /// Whether the number lies between the two, both included.
    pub(crate) fn within(&self, number: &[Function], low: i128, high: i128) -> Built<Function> {
        let below = self.less(number, &self.number(low))?;
        let above = self.less(&self.number(high), number)?;
        Ok(below.or(&above)?.not()?)
    }
}

/// The bit at a position; the sign goes on forever.
fn at(number: &[Function], bit: usize) -> &Function {
    number.get(bit).or(number.last()).expect("internal error: a number has bits")
}

/// Bits for a value with its sign.
pub(crate) fn signed_width(value: i128) -> usize {
    let magnitude = if value < 0 { !value } else { value };
    usize::try_from(128 - magnitude.leading_zeros()).unwrap_or(128) + 1
}
