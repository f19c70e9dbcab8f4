//! Reports in a real browser: clicked through, printed, and measured.

use crate::checkout::Checkout;
use crate::command::{cargo, step};
use crate::editor::{BROWSER, driver, keep, tools};
use crate::setup;
use anyhow::bail;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A thread with as many obligations, and a few more.
const OBLIGATIONS: usize = 5_000;

/// Tries reports in Debian's chromium; needs npm for what drives it.
pub(crate) fn test(checkout: &Checkout) -> anyhow::Result<()> {
    let solver = setup::ensure_solver(checkout)?.canonicalize()?;
    step(cargo(&["build", "--package", "rely"]).current_dir(&checkout.root))?;
    driver(checkout)?;
    let folder = checkout.target.join("report");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let rely = checkout.target.join("debug").join("rely");
    let write = |program: &[&str], report: &str| -> anyhow::Result<()> {
        let mut command = Command::new(&rely);
        command.args(["check", "--no-infer", "--format", "html", "-o", report]).args(program);
        command.current_dir(&folder).env("RELY_Z3", &solver);
        // Programs that fail are what a report is for.
        if !matches!(command.output()?.status.code(), Some(0 | 1)) {
            bail!("no report of {} is written", program.join(", "));
        }
        Ok(())
    };
    let example = |name: &str| -> anyhow::Result<()> {
        let place = checkout.root.join("examples").join("plato").join("inference").join(name);
        fs::copy(place, folder.join(name))?;
        Ok(())
    };
    example("hasty.plato")?;
    let counter = Path::new("examples").join("plato").join("counting").join("counter.plato");
    fs::copy(checkout.root.join(counter), folder.join("counter.plato"))?;
    write(&["hasty.plato", "counter.plato"], "run.html")?;
    fs::write(folder.join("many.plato"), many())?;
    write(&["many.plato"], "many.html")?;
    let mut run = Command::new("node");
    run.arg(checkout.root.join("editors").join("report").join("test.mjs"));
    step(run.arg(BROWSER).arg(tools(checkout)).arg(&folder))?;
    println!("pictures: {}", folder.display());
    keep(checkout, &folder.join("light.png"), "report.png")?;
    Ok(())
}

fn many() -> String {
    let mut text = "var x: int = 0;\nrely x' == x;\nthread T {\n".to_owned();
    for index in 0..OBLIGATIONS {
        let _ = writeln!(text, "  assert x == x + {index} - {index};");
    }
    text + "}\n"
}
