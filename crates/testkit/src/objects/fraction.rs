//! Exact fractions: amounts of permission in hundredths, and positions in the locking order.

use super::state::Stop;
use std::cmp::Ordering;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    over: i128,
    under: i128,
}

/// Numbers beyond this end a run: products of two must fit.
const LIMIT: i128 = 1 << 62;

impl Fraction {
    pub(super) const ZERO: Self = Self { over: 0, under: 1 };
    pub(super) const FULL: Self = Self { over: 100, under: 1 };

    pub(super) fn whole(value: i128) -> Result<Self, Stop> {
        Self::new(value, 1)
    }

    pub(super) fn new(over: i128, under: i128) -> Result<Self, Stop> {
        let common = gcd(over.unsigned_abs(), under.unsigned_abs());
        let common = i128::try_from(common).map_err(|_| TOO_LARGE)?.max(1);
        let (over, under) = (over / common, under / common);
        let fits = over.abs() < LIMIT && 0 < under && under < LIMIT;
        if fits { Ok(Self { over, under }) } else { Err(TOO_LARGE) }
    }

    pub(super) fn plus(self, other: Self) -> Result<Self, Stop> {
        let over = (self.over * other.under).checked_add(other.over * self.under);
        Self::new(over.ok_or(TOO_LARGE)?, self.under * other.under)
    }

    pub(super) fn minus(self, other: Self) -> Result<Self, Stop> {
        self.plus(Self { over: -other.over, ..other })
    }

    pub(super) fn times(self, other: Self) -> Result<Self, Stop> {
        Self::new(self.over * other.over, self.under * other.under)
    }

    pub(super) fn is_positive(self) -> bool {
        self.over > 0
    }
}

const TOO_LARGE: Stop = Stop::GaveUp("a fraction with large numbers");

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.over * other.under).cmp(&(other.over * self.under))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
