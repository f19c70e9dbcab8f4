//! The extension for Visual Studio Code: built with npm, and tried in a real editor.

use crate::checkout::Checkout;
use crate::command::{cargo, step};
use std::path::PathBuf;
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

/// Tries the extension in code-server in a headless browser, Debian's chromium. This takes npm,
/// minutes, and what code-server is built with; nothing else depends on it.
pub(crate) fn test(checkout: &Checkout) -> anyhow::Result<()> {
    package(checkout)?;
    step(&mut cargo(&["build", "--package", "rely"]))?;
    let tools = ["install", "--no-save", "--unsafe-perm", "code-server", "playwright-core"];
    npm(checkout, &tools)?;
    let rely = checkout.target.join("debug").join("rely");
    let picture = checkout.target.join("editor.png");
    let mut run = Command::new("node");
    run.args(["test/run.mjs".as_ref(), rely.as_os_str(), "/usr/bin/chromium".as_ref()]);
    step(run.arg(picture).current_dir(folder(checkout)))
}
