//! Puts the pinned solver into `.tools` of the checkout.

use crate::checkout::Checkout;
use anyhow::Context as _;
use pinned::{Fallback, version};
use std::path::PathBuf;

/// Makes sure that there is a solver; returns its place.
pub(crate) fn ensure_solver(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    if let Some(program) = std::env::var_os("RELY_Z3").map(PathBuf::from) {
        let version = version(&program).with_context(|| {
            format!("RELY_Z3 names {}, which does not run as a solver", program.display())
        })?;
        println!("solver: {} ({version}), named by RELY_Z3", program.display());
        return Ok(program);
    }
    let tools = checkout.root.join(".tools");
    let program = pinned::ensure(&tools, Fallback::System, &|line| println!("{line}"))?;
    let version = version(&program).context("the solver does not run any more")?;
    println!("solver: {} ({version})", program.display());
    Ok(program)
}
