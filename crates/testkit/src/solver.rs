//! The solver that tests use, found as the binary finds it.

use crate::annotation::Header;
use crate::files::repository;
use driver::Options;
use smt::{Kind, Solver};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where `cargo xtask setup` puts the pinned solver.
const TOOLS: &str = ".tools/z3-5.3.2.0/bin/z3";

/// The solver: named by `RELY_Z3`, in the tools folder of the checkout, or on the path. Without one
/// the test fails.
pub fn find_solver() -> Solver {
    let program = named().or_else(|| in_tools(&repository())).or_else(on_path);
    let program = program.unwrap_or_else(|| {
        panic!("no solver found: run `cargo xtask setup`, or name one with RELY_Z3")
    });
    Solver { program, kind: Kind::Z3, version: "Z3".to_owned() }
}

/// The options to check a text with this header.
pub fn options(header: &Header) -> Options {
    Options {
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        unroll: header.unroll,
        only: header.only.clone(),
        infer: header.inferred.map(|_| Duration::from_secs(60)),
        strict: header.strict.is_some(),
        definitions: header.definitions.clone(),
        engine: header.engine.unwrap_or_default(),
        states: 5_000_000,
        ..Options::new(find_solver())
    }
}

#[expect(clippy::disallowed_methods, reason = "tests find the solver as the binary does")]
fn named() -> Option<PathBuf> {
    let named = std::env::var("RELY_Z3").ok().filter(|value| !value.is_empty())?;
    let path = PathBuf::from(&named);
    assert!(path.is_file(), "RELY_Z3 names {named}, which is not a file");
    Some(path)
}

fn in_tools(root: &Path) -> Option<PathBuf> {
    root.ancestors().map(|folder| folder.join(TOOLS)).find(|path| path.is_file())
}

fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("z3")).find(|path| path.is_file())
}
