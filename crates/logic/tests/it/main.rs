//! Terms from outside: the simplifications of constructors, that they are right, and how terms are
//! written.

#![expect(clippy::needless_raw_string_hashes, reason = "`UPDATE_EXPECT=1` writes them")]

mod cells;
mod constructors;
mod evaluate;
mod printing;
mod random;
mod script;
mod substitution;
mod triggers;

use logic::{Sort, Term, Terms};

/// A constant of this name and sort.
fn constant(terms: &mut Terms, name: &str, sort: Sort) -> Term {
    let symbol = terms.symbol(name, sort);
    terms.constant(symbol)
}

/// Maps from numbers to numbers.
fn numbers() -> Sort {
    Sort::array(Sort::Int, Sort::Int)
}
