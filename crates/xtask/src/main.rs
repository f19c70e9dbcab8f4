//! Developer tasks: `cargo xtask TASK`. Without a task it lists them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer tool talks to its user"
)]

mod bench;
mod book;
mod checkout;
mod command;
mod editor;
mod jdk;
mod mutate;
mod report;
mod setup;
mod start;
mod tasks;
mod tidy;
mod wheel;

use anyhow::bail;
use checkout::Checkout;
use std::process::ExitCode;

/// The name of a task, its purpose, and its function.
type Task = (&'static str, &'static str, fn(&Checkout, &[String]) -> anyhow::Result<()>);

const TASKS: &[Task] = &[
    (
        "setup",
        "fetch the pinned solver into .tools, unless it is there or RELY_Z3 names another",
        |checkout, _| setup::ensure_solver(checkout).map(drop),
    ),
    ("start", "setup, build Rely and check the examples with it", |checkout, _| {
        start::start(checkout)
    }),
    (
        "test",
        "setup, then everything a change must pass: format, lints, tests, documentation, tidiness",
        |checkout, _| tasks::test(checkout),
    ),
    ("tidy", "check the rules of the project that no compiler knows", |checkout, _| {
        tidy::tidy(checkout)
    }),
    ("bench", "measure how cost grows with the size of a program: bench [table]...", bench::bench),
    (
        "fuzz",
        "random programs through the verifier and the oracle: fuzz [count] [seed] [step]",
        mutate::fuzz,
    ),
    (
        "mutate",
        "change the examples in small ways and see which changes are noticed",
        |checkout, _| mutate::mutate(checkout),
    ),
    (
        "jdk-classes",
        "check classes of an installed JDK: jdk-classes --source src.zip [CLASS]...",
        jdk::jdk_classes,
    ),
    ("distributed", "test the search on several hosts, which is built apart", |checkout, _| {
        tasks::distributed(checkout)
    }),
    ("editor", "build the extension for Visual Studio Code, with npm", |checkout, _| {
        editor::package(checkout)
    }),
    (
        "editor-test",
        "try the extension in a real editor in a headless browser: needs npm and chromium",
        |checkout, _| editor::test(checkout),
    ),
    ("report-test", "try reports in a headless browser: needs npm and chromium", |checkout, _| {
        report::test(checkout)
    }),
    ("dist", "build target/dist/rely with the solver inside", |checkout, _| tasks::dist(checkout)),
    ("book", "build the documentation as a book, target/book, with mdbook", |checkout, _| {
        book::book(checkout)
    }),
    (
        "wheel",
        "pack target/wheel/rely-*.whl, which holds the solver, and try it: needs python3 with venv",
        |checkout, _| wheel::wheel(checkout),
    ),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        println!("{}", task_list());
        return Ok(());
    };
    if !rest.is_empty() && !["fuzz", "bench", "jdk-classes"].contains(&name.as_str()) {
        bail!("this task takes no arguments\n{}", task_list());
    }
    match TASKS.iter().find(|(task, _, _)| task == name) {
        Some((_, _, work)) => work(&Checkout::find()?, rest),
        None => bail!("there is no task `{name}`\n{}", task_list()),
    }
}

fn task_list() -> String {
    let lines = TASKS.iter().map(|(name, purpose, _)| format!("\n  {name:<11} {purpose}"));
    format!("usage: cargo xtask TASK\n{}", lines.collect::<String>())
}
