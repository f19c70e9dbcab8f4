//! `rely-distributed FILE.plato`: the thread-modular search on several workers, see
//! `docs/distributed.md`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program reads files and talks to its user"
)]

use anyhow::Context as _;
use distributed::{Subject, run};
use std::process::ExitCode;
use std::time::Instant;
use timely::Config;

const USAGE: &str =
    "usage: rely-distributed FILE.plato [-w WORKERS] [-n PROCESSES -p INDEX -h HOSTFILE]
       rely-distributed FILE.plato --built-in";

fn main() -> ExitCode {
    match answer() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Exit codes are those of `rely check`: 0 proved, 5 unknown, 2 for a wrong call.
fn answer() -> anyhow::Result<ExitCode> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_file = arguments.first().is_some_and(|first| !first.starts_with('-'));
    anyhow::ensure!(is_file, "{USAGE}");
    let file = arguments.remove(0);
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {file}"))?;
    let subject = Subject::new(&file, &text)?;
    let begun = Instant::now();
    let found = if arguments == ["--built-in"] {
        Some(subject.built_in())
    } else {
        let config = Config::from_args(arguments.into_iter());
        run(&subject, config.map_err(|why| anyhow::anyhow!("{why}\n{USAGE}"))?)?
    };
    // The other processes end when the first one does, and leave the answer to it.
    let Some(found) = found else { return Ok(ExitCode::SUCCESS) };
    println!("{found}");
    eprintln!("{:.3} s", begun.elapsed().as_secs_f64());
    Ok(if found.is_proof() { ExitCode::SUCCESS } else { ExitCode::from(5) })
}
