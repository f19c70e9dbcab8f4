//! Long runs of the verifier against the oracle: random programs, and mutants of the examples.

use crate::checkout::Checkout;
use crate::command::{cargo, step};
use crate::setup;

/// `fuzz [count] [seed] [step]`: random programs.
pub(crate) fn fuzz(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<()> {
    run(checkout, "fuzz", arguments)
}

/// All mutants of all examples that are proved.
pub(crate) fn mutate(checkout: &Checkout) -> anyhow::Result<()> {
    run(checkout, "mutate", &[])
}

/// A program of `testkit`, built for speed, does the work, so that this one stays small.
fn run(checkout: &Checkout, program: &str, arguments: &[String]) -> anyhow::Result<()> {
    setup::ensure_solver(checkout)?;
    let line = ["run", "--release", "--package", "testkit", "--example", program, "--"];
    step(cargo(&line).args(arguments).current_dir(&checkout.root))
}
