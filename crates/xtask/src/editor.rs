//! The extension for Visual Studio Code: built with npm, and tried in a real editor.

use crate::checkout::Checkout;
use crate::command::{cargo, output, step};
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(checkout: &Checkout) -> PathBuf {
    checkout.root.join("editors").join("vscode")
}

fn npm(checkout: &Checkout, words: &[&str]) -> anyhow::Result<()> {
    step(Command::new("npm").args(words).current_dir(folder(checkout)))
}

/// Makes `editors/vscode/dist/rely.vsix`.
pub(crate) fn package(checkout: &Checkout) -> anyhow::Result<()> {
    npm(checkout, &["ci"])?;
    npm(checkout, &["run", "package"])
}

/// The editor, and what drives a browser, from npm.
const EDITOR: &str = "code-server@4.100.3";
const DRIVER: &str = "playwright-core@1.52.0";

/// The modules of the editor that are built for this machine.
const NATIVE: &[&str] = &[
    "@parcel/watcher",
    "@vscode/spdlog",
    "@vscode/deviceid",
    "kerberos",
    "native-watchdog",
    "node-pty",
];

/// Debian's browser.
pub(crate) const BROWSER: &str = "/usr/bin/chromium";

/// Tries the extension in code-server in a headless browser, Debian's chromium. This takes npm,
/// node 20 with its headers, minutes, and what code-server is built with (on Debian: g++, make,
/// pkg-config, libkrb5-dev, libx11-dev, libxkbfile-dev, libsecret-1-dev, ripgrep); nothing else
/// depends on it.
pub(crate) fn test(checkout: &Checkout) -> anyhow::Result<()> {
    package(checkout)?;
    step(&mut cargo(&["build", "--package", "rely"]))?;
    let editor = editor(checkout)?;
    driver(checkout)?;
    let rely = checkout.target.join("debug").join("rely");
    let picture = checkout.target.join("editor.png");
    let mut run = Command::new("node");
    run.args(["test/run.mjs".as_ref(), rely.as_os_str(), BROWSER.as_ref()]);
    step(run.arg(&picture).arg(editor).arg(tools(checkout)).current_dir(folder(checkout)))?;
    keep(checkout, &picture, "editor.png")
}

/// Takes a picture into the book.
pub(crate) fn keep(checkout: &Checkout, picture: &Path, name: &str) -> anyhow::Result<()> {
    let folder = checkout.root.join("docs").join("pictures");
    fs::create_dir_all(&folder)?;
    fs::copy(picture, folder.join(name))
        .with_context(|| format!("cannot copy {}", picture.display()))?;
    Ok(())
}

/// The folder into which tools for tests in a browser are put.
pub(crate) fn tools(checkout: &Checkout) -> PathBuf {
    checkout.target.join("editor")
}

fn npm_in(folder: &Path, words: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new("npm");
    command.args(words).args(["--no-audit", "--no-fund"]).current_dir(folder);
    // One of the modules asks for a tool on the way.
    command.env("npm_config_yes", "true");
    // Headers of the installed node, instead of those that would be downloaded.
    if Path::new("/usr/include/node/node.h").is_file() {
        command.env("npm_config_nodedir", "/usr");
    }
    step(&mut command)
}

/// What drives a browser, unless it is there.
pub(crate) fn driver(checkout: &Checkout) -> anyhow::Result<()> {
    let folder = tools(checkout);
    if folder.join("node_modules").join("playwright-core").is_dir() {
        return Ok(());
    }
    fs::create_dir_all(&folder)?;
    npm_in(&folder, &["install", "--ignore-scripts", DRIVER])
}

/// The program of the editor, which is put together unless it is there. Its own way to do so
/// fetches a program from a place that need not be in reach.
fn editor(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    let folder = tools(checkout);
    let modules = folder.join("node_modules");
    let program = modules.join("code-server").join("out").join("node").join("entry.js");
    let inside = modules.join("code-server").join("lib").join("vscode");
    let search = inside.join("node_modules").join("@vscode").join("ripgrep").join("bin");
    // What is made last.
    if search.join("rg").exists() {
        return Ok(program);
    }
    fs::create_dir_all(&folder)?;
    npm_in(&folder, &["install", "--ignore-scripts", EDITOR])?;
    npm_in(&folder, &["rebuild", "argon2"])?;
    let install = ["install", "--omit=dev", "--ignore-scripts"];
    npm_in(&inside, &install)?;
    npm_in(&inside.join("extensions"), &install)?;
    npm_in(&inside, &[&["rebuild"], NATIVE].concat())?;
    link(Path::new("node_modules"), &inside.join("node_modules.asar"))?;
    fs::create_dir_all(&search)?;
    let found = output("sh", &["-c", "command -v rg"]).context("ripgrep is not installed")?;
    link(Path::new(&found), &search.join("rg"))?;
    Ok(program)
}

#[cfg(unix)]
fn link(to: &Path, place: &Path) -> anyhow::Result<()> {
    let _ = fs::remove_file(place);
    std::os::unix::fs::symlink(to, place)
        .with_context(|| format!("cannot make the link {}", place.display()))
}

#[cfg(not(unix))]
fn link(_to: &Path, place: &Path) -> anyhow::Result<()> {
    anyhow::bail!("{}: links are made on Unix alone", place.display())
}
