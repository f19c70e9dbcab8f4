//! The tasks that are lists of commands.

use crate::checkout::Checkout;
use crate::command::{cargo, output, step};
use crate::{setup, tidy};
use std::process::Command;

/// The checks that every change must pass.
pub(crate) fn test(checkout: &Checkout) -> anyhow::Result<()> {
    setup::ensure_solver(checkout)?;
    if has_component("fmt") {
        step(cargo(&["fmt", "--check"]).current_dir(&checkout.root))?;
    }
    if has_component("clippy") {
        let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        step(cargo(&lints).current_dir(&checkout.root))?;
    }
    step(cargo(&["test", "--workspace"]).current_dir(&checkout.root))?;
    let documentation = ["doc", "--workspace", "--no-deps"];
    step(cargo(&documentation).env("RUSTDOCFLAGS", "-D warnings").current_dir(&checkout.root))?;
    println!("==> cargo xtask tidy");
    tidy::tidy(checkout)?;
    embedded_solver_works(checkout)?;
    println!("everything passed");
    Ok(())
}

/// The program can carry its solver: it must work where nothing else is installed. It is built like
/// the tests, whose libraries it shares; `cargo xtask dist` builds the one to give away.
fn embedded_solver_works(checkout: &Checkout) -> anyhow::Result<()> {
    let solver = setup::ensure_solver(checkout)?.canonicalize()?;
    let folder = checkout.target.join("embedded");
    let build = ["build", "--package", "rely", "--features", "embedded-solver"];
    step(cargo(&build).env("RELY_EMBED_SOLVER", &solver).current_dir(&checkout.root))?;
    std::fs::create_dir_all(&folder)?;
    let program = folder.join("rely");
    std::fs::copy(checkout.target.join("debug").join("rely"), &program)?;
    let cache = folder.join("cache");
    step(Command::new(program).arg("doctor").env_clear().env("XDG_CACHE_HOME", cache))
}

/// Builds the program that needs no solver beside it.
pub(crate) fn dist(checkout: &Checkout) -> anyhow::Result<()> {
    let solver = setup::ensure_solver(checkout)?.canonicalize()?;
    let build = ["build", "--release", "--package", "rely", "--features", "embedded-solver"];
    step(cargo(&build).env("RELY_EMBED_SOLVER", &solver).current_dir(&checkout.root))?;
    let folder = checkout.target.join("dist");
    std::fs::create_dir_all(&folder)?;
    let program = folder.join("rely");
    let size = std::fs::copy(checkout.target.join("release").join("rely"), &program)?;
    println!("{}: {} bytes", program.display(), size);
    Ok(())
}

/// The checks that every change to the search on several hosts must pass. It is a workspace of its
/// own, with a library that nothing else needs.
pub(crate) fn distributed(checkout: &Checkout) -> anyhow::Result<()> {
    let folder = checkout.root.join("distributed");
    let target = checkout.target.join("distributed");
    let run = |arguments: &[&str]| {
        step(cargo(arguments).current_dir(&folder).env("CARGO_TARGET_DIR", &target))
    };
    if has_component("fmt") {
        run(&["fmt", "--check"])?;
    }
    if has_component("clippy") {
        run(&["clippy", "--all-targets", "--", "-D", "warnings"])?;
    }
    run(&["test"])
}

/// Whether an optional part of the toolchain is there; prints a hint if not.
fn has_component(name: &str) -> bool {
    let cargo = cargo(&[]).get_program().to_string_lossy().into_owned();
    let found = output(&cargo, &[name, "--version"]).is_some();
    if !found {
        println!("==> cargo {name}: skipped, it is not installed");
    }
    found
}
