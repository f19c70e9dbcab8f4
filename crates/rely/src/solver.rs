//! Where the solver is: named by `RELY_Z3`, inside this binary, installed with it, in the
//! checkout's tools folder, in the user's folder, or on the path.

use crate::environment::{data_folder, variable};
use crate::fingerprint;
use anyhow::{Context as _, bail};
use pinned::{Fallback, PROGRAM};
use smt::{Kind, Solver};
use std::path::{Path, PathBuf};

/// Folders that hold the pinned solver, below one in which this program is or above: those that
/// `cargo xtask setup` and `cargo xtask wheel` put it into.
const TOOLS: [&str; 2] = [".tools", "libexec/rely"];

/// The solver to use. Answers are remembered under the content of its executable.
pub(crate) fn find() -> anyhow::Result<Solver> {
    let program = locate()?;
    let version = fingerprint::of(&program);
    Ok(Solver { program, kind: Kind::Z3, version })
}

/// A solver that is not there; asking it anything fails.
pub(crate) fn missing() -> Solver {
    Solver { program: PathBuf::new(), kind: Kind::Z3, version: "no solver".to_owned() }
}

/// What evidence calls the solver: the pinned one stands in a folder of its name, another is named
/// by its place.
pub(crate) fn name(solver: &Solver) -> String {
    let program = &solver.program;
    let pinned = program.ends_with(PROGRAM)
        && std::fs::symlink_metadata(program).is_ok_and(|file| file.is_file());
    let version = || pinned::VERSION.replace("version ", "");
    if pinned { version() } else { format!("Z3 at {}", program.display()) }
}

fn locate() -> anyhow::Result<PathBuf> {
    if let Some(named) = variable("RELY_Z3") {
        let path = PathBuf::from(&named);
        anyhow::ensure!(path.is_file(), "RELY_Z3 names {named}, which is not a file");
        return Ok(path);
    }
    if let Some(embedded) = embedded()? {
        return Ok(embedded);
    }
    let from_tools = std::env::current_exe().ok().and_then(|exe| in_tools(&exe));
    if let Some(found) = from_tools.or_else(of_user).or_else(on_path) {
        return Ok(found);
    }
    bail!(
        "no solver found: run `rely doctor --fix`, or `cargo xtask setup` in the checkout, install \
         the package `z3`, or name an executable with RELY_Z3"
    )
}

/// Fetches the pinned solver into the user's folder.
pub(crate) fn fetch(tell: pinned::Tell<'_>) -> anyhow::Result<PathBuf> {
    let folder = data_folder().context("neither HOME nor XDG_DATA_HOME is set")?;
    pinned::ensure(&folder, Fallback::None, tell)
}

fn in_tools(exe: &Path) -> Option<PathBuf> {
    let inside = |folder: &Path| TOOLS.map(|tools| folder.join(tools).join(PROGRAM));
    exe.ancestors().flat_map(inside).find(|path| path.is_file())
}

fn of_user() -> Option<PathBuf> {
    Some(data_folder()?.join(PROGRAM)).filter(|path| path.is_file())
}

fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("z3")).find(|path| path.is_file())
}

#[cfg(not(feature = "embedded-solver"))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature as with the solver inside")]
fn embedded() -> anyhow::Result<Option<PathBuf>> {
    Ok(None)
}

/// Unpacks the solver once into the user's cache, under a name that tells its content.
#[cfg(feature = "embedded-solver")]
fn embedded() -> anyhow::Result<Option<PathBuf>> {
    use crate::environment::cache_folder;
    use anyhow::Context;
    use std::os::unix::fs::PermissionsExt;
    const SOLVER: &[u8] = include!(concat!(env!("OUT_DIR"), "/solver.rs"));
    let cache = cache_folder().unwrap_or_else(|| std::env::temp_dir().join("rely"));
    let path = cache.join(format!("z3-{:016x}", fingerprint(SOLVER)));
    let complete = std::fs::metadata(&path).is_ok_and(|file| file.len() == SOLVER.len() as u64);
    if !complete {
        let unpack = || -> std::io::Result<()> {
            std::fs::create_dir_all(&cache)?;
            let part = cache.join(format!("z3.{}.part", std::process::id()));
            std::fs::write(&part, SOLVER)?;
            std::fs::set_permissions(&part, std::fs::Permissions::from_mode(0o755))?;
            std::fs::rename(&part, &path)
        };
        unpack().with_context(|| format!("cannot unpack the solver to {}", path.display()))?;
    }
    Ok(Some(path))
}

/// FNV-1a, at compile time: only told apart from other versions, never trusted against an
/// adversary.
#[cfg(feature = "embedded-solver")]
fn fingerprint(bytes: &[u8]) -> u64 {
    let sampled = bytes.iter().step_by(4096).chain(bytes.iter().rev().take(4096));
    sampled.fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
