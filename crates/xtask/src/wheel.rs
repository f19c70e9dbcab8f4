//! A package for Python that holds the program and its solver, so that `pip install` of it is all
//! that a machine needs. It is tried in an environment in which nothing else is.

use crate::checkout::Checkout;
use crate::command::{cargo, output, step};
use crate::setup;
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tool that packs wheels, from the registry of Python.
const PACKER: &str = "wheel==0.45.1";

/// Makes `target/wheel/rely-*.whl` and tries it.
pub(crate) fn wheel(checkout: &Checkout) -> anyhow::Result<()> {
    let solver = setup::ensure_solver(checkout)?.canonicalize()?;
    let is_pinned = pinned::version(&solver).is_some_and(|text| text.starts_with(pinned::VERSION));
    if !is_pinned {
        bail!("only the pinned solver is packed: unset RELY_Z3, and run `cargo xtask setup`");
    }
    step(cargo(&["build", "--release", "--package", "rely"]).current_dir(&checkout.root))?;
    let folder = checkout.target.join("wheel");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let name = format!("rely-{}", env!("CARGO_PKG_VERSION"));
    let packed = folder.join(&name);
    fill(checkout, &packed, &name, &solver)?;
    let tools = environment(&folder.join("tools"))?;
    step(Command::new(tools.join("pip")).args(["install", "--quiet", PACKER]))?;
    let pack = ["pack", "--dest-dir"];
    step(Command::new(tools.join("wheel")).args(pack).arg(&folder).arg(&packed))?;
    let wheel = made(&folder)?;
    println!("{}: {} bytes", wheel.display(), wheel.metadata()?.len());
    attempt(checkout, &folder, &wheel)
}

/// Writes what the wheel holds.
fn fill(checkout: &Checkout, packed: &Path, name: &str, solver: &Path) -> anyhow::Result<()> {
    let data = packed.join(format!("{name}.data"));
    let program = data.join("scripts").join("rely");
    copy(&checkout.target.join("release").join("rely"), &program)?;
    let share = data.join("data");
    copy(solver, &share.join("libexec").join("rely").join(pinned::PROGRAM))?;
    let pages = share.join("share").join("man").join("man1");
    fs::create_dir_all(&pages)?;
    step(Command::new(&program).args(["man", "--all"]).arg(&pages))?;
    let shells = [
        ("bash", "bash-completion/completions/rely"),
        ("zsh", "zsh/site-functions/_rely"),
        ("fish", "fish/vendor_completions.d/rely.fish"),
    ];
    for (shell, place) in shells {
        let text = Command::new(&program).args(["completions", shell]).output()?.stdout;
        write(&share.join("share").join(place), &text)?;
    }
    let about = packed.join(format!("{name}.dist-info"));
    let metadata = format!(
        "Metadata-Version: 2.1\nName: rely\nVersion: {}\n\
         Summary: Verifies multithreaded programs one thread at a time\n\
         License: MIT OR Apache-2.0; Z3, which is packed with it, is under the MIT license\n",
        env!("CARGO_PKG_VERSION"),
    );
    write(&about.join("METADATA"), metadata.as_bytes())?;
    let wheel = format!(
        "Wheel-Version: 1.0\nGenerator: xtask\nRoot-Is-Purelib: false\nTag: py3-none-{}\n",
        platform()?
    );
    write(&about.join("WHEEL"), wheel.as_bytes())?;
    let license = checkout.root.join("crates").join("pinned").join("LICENSE-Z3.txt");
    copy(&license, &about.join("licenses").join("LICENSE-Z3.txt"))
}

/// Where it runs: on Linux, with the C library of this machine or a newer one.
fn platform() -> anyhow::Result<String> {
    let python = ["-c", "import sysconfig; print(sysconfig.get_platform())"];
    let here = output("python3", &python).context("there is no python3")?.replace(['-', '.'], "_");
    let library = output("getconf", &["GNU_LIBC_VERSION"]);
    let library = library.and_then(|text| Some(text.strip_prefix("glibc ")?.replace('.', "_")));
    Ok(match (library, here.strip_prefix("linux_")) {
        (Some(version), Some(machine)) => format!("manylinux_{version}_{machine}"),
        _ => here,
    })
}

/// A new environment of Python; returns the folder of its programs.
fn environment(folder: &Path) -> anyhow::Result<PathBuf> {
    step(Command::new("python3").args(["-m", "venv"]).arg(folder)).context(
        "python3 with its module venv is needed; Debian has it in the package python3-venv",
    )?;
    Ok(folder.join("bin"))
}

/// The wheel that was packed.
fn made(folder: &Path) -> anyhow::Result<PathBuf> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "whl") {
            return Ok(path);
        }
    }
    bail!("nothing was packed")
}

/// Installs the wheel where nothing else is, and verifies a program there.
fn attempt(checkout: &Checkout, folder: &Path, wheel: &Path) -> anyhow::Result<()> {
    let programs = environment(&folder.join("trial"))?;
    let install = ["install", "--quiet", "--no-index"];
    step(Command::new(programs.join("pip")).args(install).arg(wheel))?;
    let rely = |words: &[&str]| {
        let mut command = Command::new(programs.join("rely"));
        command.args(words).env_clear().current_dir(&checkout.root);
        command.env("XDG_CACHE_HOME", folder.join("cache")).env("XDG_DATA_HOME", folder);
        step(&mut command)
    };
    rely(&["doctor"])?;
    rely(&["check", "examples/plato/counting/counter.plato"])
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    to.parent().map(fs::create_dir_all).transpose()?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    path.parent().map(fs::create_dir_all).transpose()?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
