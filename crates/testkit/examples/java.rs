//! Random Java programs through the verifier and the interpreter: `cargo run --release --package
//! testkit --example java -- 1000`, from another seed on with a second number, `java file.java
//! ...`, or `java show 7`. Writes odd programs to `target/java`.
#![expect(clippy::print_stdout, reason = "a developer tool talks to its user")]

use driver::Input;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use testkit::differential::write_disagreements;
use testkit::java::{JavaTally, compare_java, compare_java_texts};

/// Runs of each program.
const RUNS: u64 = 400;

/// Programs after which what was found so far is written down.
const PART: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let files: Vec<&String> = arguments.iter().filter(|name| name.contains('.')).collect();
    if let [word, seed] = &arguments[..]
        && word == "show"
    {
        println!("{}", testkit::random::random_java(seed.parse().unwrap_or(0)));
        return ExitCode::SUCCESS;
    }
    let mut numbers = arguments.iter().filter_map(|number| number.parse().ok());
    let count = numbers.next().unwrap_or(1000_u64);
    let first: u64 = numbers.next().unwrap_or(0);
    let tally = if files.is_empty() {
        let mut tally = JavaTally::default();
        for from in (first..first + count).step_by(PART) {
            let part = u64::try_from(PART).unwrap_or(1);
            tally.add(compare_java(from..(from + part).min(first + count), RUNS));
            println!("up to {from}: {} false proofs", tally.false_proofs.len());
            write(&tally);
        }
        tally
    } else {
        let input =
            |name: &&String| Input { name: (*name).clone(), text: testkit::read(Path::new(name)) };
        compare_java_texts(&files.iter().map(input).collect::<Vec<_>>(), RUNS)
    };
    println!("{tally}");
    write(&tally);
    println!("details are in {}", folder().display());
    if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn folder() -> PathBuf {
    testkit::repository().join("target").join("java")
}

fn write(tally: &JavaTally) {
    for (name, all) in [
        ("false_proofs", &tally.false_proofs),
        ("panics", &tally.panics),
        ("rejected", &tally.rejected),
    ] {
        write_disagreements(&folder().join(name).with_extension("txt"), all);
    }
}
