//! The solver that Rely is tested with: which version it is, and how to get it.
//!
//! The front door is [`ensure`]: it puts the pinned Z3 into a folder, through pip, unless it is
//! there already. `cargo xtask setup` uses it for the checkout and `rely doctor --fix` for a user.
//! Nothing else downloads anything, and this only when asked to.
//!
//! ```no_run
//! let tools = std::path::Path::new(".tools");
//! let program = pinned::ensure(tools, pinned::Fallback::None, &|line| eprintln!("{line}"))?;
//! # Ok::<(), anyhow::Error>(())
//! ```

mod fetch;
mod system;

use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version of the package.
const PACKAGE: &str = "5.3.2.0";

/// What the program prints as its version.
pub const VERSION: &str = "Z3 version 5.3.2";

/// Where the program stands in the folder that it was put into.
pub const PROGRAM: &str = "z3-5.3.2.0/bin/z3";

/// What to do if the pinned version cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Nothing; that is an error.
    None,
    /// The system's own solver; packages of the system are installed where that needs no question.
    System,
}

/// Tells a line about what is done.
pub type Tell<'a> = &'a dyn Fn(&str);

/// Makes sure that there is a solver in a folder; returns the place of its program.
pub fn ensure(tools: &Path, fallback: Fallback, tell: Tell<'_>) -> anyhow::Result<PathBuf> {
    let program = tools.join(PROGRAM);
    match version(&program) {
        Some(version) if version.starts_with(VERSION) => return Ok(program),
        Some(version) if program.is_symlink() && fallback == Fallback::System => {
            system::warn_of_other_version(&version, tell);
            return Ok(program);
        }
        Some(_) | None => {}
    }
    fs::create_dir_all(tools).with_context(|| format!("cannot make {}", tools.display()))?;
    let incoming = Incoming::new(tools)?;
    let fetched = fetch::install_pinned(&incoming.folder, fallback, tell);
    match (fetched, fallback) {
        (Ok(()), _) => {}
        (Err(why), Fallback::System) => {
            tell(&format!("setup: {why:#}"));
            system::link_solver(&incoming.folder, tell)?;
        }
        (Err(why), Fallback::None) => return Err(why),
    }
    incoming.deliver(&tools.join(format!("z3-{PACKAGE}")))?;
    if version(&program).is_none() {
        bail!("the solver at {} does not run", program.display());
    }
    Ok(program)
}

/// The version that a program prints, if it is a Z3.
pub fn version(program: &Path) -> Option<String> {
    let text = output(program.to_str()?, &["--version"])?;
    text.starts_with("Z3 version ").then_some(text)
}

/// A temporary folder, which is removed afterwards.
struct Incoming {
    folder: PathBuf,
}

impl Incoming {
    fn new(tools: &Path) -> anyhow::Result<Self> {
        let folder = tools.join(format!("incoming-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("ready").join("bin"))?;
        Ok(Self { folder })
    }

    /// Moves the finished solver to its place, so that nobody ever finds half of one there.
    fn deliver(&self, home: &Path) -> anyhow::Result<()> {
        if home.exists() {
            fs::rename(home, self.folder.join("old")).context("cannot move the old solver away")?;
        }
        fs::rename(self.folder.join("ready"), home).context("cannot move the solver to its place")
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Where the program is put before it is delivered.
fn ready(folder: &Path) -> PathBuf {
    folder.join("ready").join("bin").join("z3")
}

/// Runs a command silently; returns its output if it succeeded.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
