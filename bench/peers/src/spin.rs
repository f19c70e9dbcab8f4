//! SPIN on a model.

use crate::{Rate, cpu};
use anyhow::{Context as _, ensure};
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether SPIN and a C compiler are installed.
pub(crate) fn is_there() -> bool {
    let runs = |program: &str, option: &str| {
        let quiet =
            Command::new(program).arg(option).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    runs("spin", "-V") && runs("cc", "--version")
}

/// What its verifier needs for about so many states, with these options; the best of two runs.
pub(crate) fn rate(model: &str, states: u64, options: &[&str]) -> anyhow::Result<Rate> {
    let folder = std::env::temp_dir().join(format!("rely-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let rate = rate_in(&folder, model, states, options);
    std::fs::remove_dir_all(&folder)?;
    rate
}

fn rate_in(folder: &Path, model: &str, states: u64, more: &[&str]) -> anyhow::Result<Rate> {
    std::fs::write(folder.join("model.pml"), model)?;
    // No variable and no step is optimised away: then both searches have the same states.
    run(folder, "spin", &["-o1", "-o2", "-o3", "-a", "model.pml"])?;
    let options = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000", "-o", "pan", "pan.c"];
    run(folder, "cc", &options)?;
    let pan = folder.join("pan");
    let pan = pan.to_string_lossy();
    // A hash table with about as many slots as there are states.
    let slots = format!("-w{}", 64 - states.leading_zeros());
    let mut best: Option<Rate> = None;
    for _ in 0..2 {
        let before = cpu::of_children()?;
        let out = run(folder, &pan, &[&["-m1000000", &slots], more].concat())?;
        let seconds = cpu::of_children()? - before;
        ensure!(out.contains("errors: 0"), "SPIN finds an error:\n{out}");
        let number = |what: &str| -> anyhow::Result<f64> {
            let line = out.lines().find(|line| line.contains(what)).context(what.to_owned())?;
            Ok(line.split_whitespace().next().context("a number")?.parse()?)
        };
        let states = number("states, stored")? as u64;
        // States and the hash table; not the stack of the depth-first search, whose size is given
        // beforehand.
        let stored = number("actual memory usage for states")
            .or_else(|_| number("equivalent memory usage"))?;
        let table = number("memory used for hash table")?;
        let bytes = ((stored + table) * f64::from(1 << 20)) as u64;
        if best.as_ref().is_none_or(|best| seconds < best.seconds) {
            best = Some(Rate { states, seconds, bytes });
        }
    }
    best.context("nothing was measured")
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let out = Command::new(program).args(arguments).current_dir(folder).output()?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&out.stderr).into_owned();
    ensure!(out.status.success(), "{program} fails: {text}{wrong}");
    Ok(text)
}
