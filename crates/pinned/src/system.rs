//! The system's own solver, as the last resort, and packages of the system.

use crate::{Tell, VERSION, output, ready, version};
use anyhow::bail;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn warn_of_other_version(version: &str, tell: Tell<'_>) {
    tell(&format!(
        "warning: the solver is the system's ({version}), not the pinned {VERSION}: it is slower and may prove less"
    ));
    tell("         to try the pinned one again, delete .tools and run `cargo xtask setup`");
}

/// Links the system's solver into the folder, after it was installed if need be.
pub(crate) fn link_solver(folder: &Path, tell: Tell<'_>) -> anyhow::Result<()> {
    let place = || output("sh", &["-c", "command -v z3"]).map(PathBuf::from);
    let found = place().or_else(|| install("z3", tell).then(place).flatten());
    let Some((program, version)) =
        found.and_then(|program| version(&program).map(|version| (program, version)))
    else {
        bail!(
            "no solver could be installed. Install Python's pip and run `cargo xtask setup` again, \
             or set RELY_Z3 to the path of a Z3 executable"
        );
    };
    warn_of_other_version(&version, tell);
    link(&program, &ready(folder))
}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> anyhow::Result<()> {
    use anyhow::Context as _;
    let _ = std::fs::remove_file(place);
    std::os::unix::fs::symlink(program, place).context("cannot link the system's solver")
}

#[cfg(not(unix))]
fn link(program: &Path, _place: &Path) -> anyhow::Result<()> {
    bail!("set RELY_Z3 to {}", program.display())
}

/// Installs a package of the system where that needs no further question: as root on Debian and its
/// relatives.
pub(crate) fn install(package: &str, tell: Tell<'_>) -> bool {
    let is_root = output("id", &["-u"]).is_some_and(|id| id == "0");
    if !is_root || output("apt-get", &["--version"]).is_none() {
        tell(&format!(
            "setup: {package} is not installed, and only root on a system with apt-get can install it here"
        ));
        return false;
    }
    tell(&format!("setup: installing the system's package {package}"));
    let run = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.status().is_ok_and(|status| status.success())
    };
    // Without fresh lists the install may still succeed.
    let _ = run(&["update", "-q"]);
    run(&["install", "-y", "-q", "--no-install-recommends", package])
}
