//! Random programs through the verifier and the oracle: `fuzz [count] [seed] [step]`. With a step
//! of 10 all programs are of one kind, that of the seed. Writes odd programs to `target/fuzz`.
#![expect(clippy::print_stdout, reason = "a developer tool talks to its user")]

use std::process::ExitCode;
use testkit::differential::{Comparison, compare_random, write_disagreements};
use testkit::oracle::Bounds;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| {
        text.parse::<u64>().unwrap_or_else(|error| panic!("{text} is no number: {error}"))
    });
    let count = numbers.next().unwrap_or(1000);
    let seed = numbers.next().unwrap_or(1_000_000);
    let step = numbers.next().unwrap_or(1).max(1);
    let comparison = Comparison { bounds: Bounds::default(), confirm: true, one_cluster: true };
    let tally = compare_random((0..count).map(|at| seed + at * step), &comparison);
    println!("{tally}");
    let folder = testkit::repository().join("target").join("fuzz");
    for (name, all) in [
        ("false_proofs", &tally.false_proofs),
        ("failures", &tally.failures),
        ("cluster_differences", &tally.cluster_differences),
        ("undecided", &tally.undecided),
        ("refused", &tally.refused),
    ] {
        write_disagreements(&folder.join(name).with_extension("txt"), all);
    }
    println!("details are in {}", folder.display());
    if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
