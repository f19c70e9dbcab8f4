//! Running other programs.

use anyhow::{Context as _, bail};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A cargo command, with the cargo that runs this task.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    // Where everything is built once, nothing is gained by building the next change faster.
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs a step of a task: prints the command, and how long it took. A failure ends the task.
pub(crate) fn step(command: &mut Command) -> anyhow::Result<()> {
    let line = describe(command);
    println!("==> {line}");
    let begun = Instant::now();
    let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    println!("    done in {:.1} s", begun.elapsed().as_secs_f32());
    Ok(())
}

/// Runs a command silently; returns its output if it succeeded.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command as a user would type it.
fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
    command
        .get_args()
        .fold(name.into_owned(), |line, argument| format!("{line} {}", argument.to_string_lossy()))
}
