//! A long comparison of the searches: `cargo run --release --package testkit --example searches --
//! 20000`, and from another seed on with a second number.
#![expect(clippy::print_stdout, reason = "a developer tool talks to its user")]

use testkit::differential::in_parallel;
use testkit::searches::{SearchTally, compare_searches};

/// Seeds per job.
const CHUNK: u64 = 50;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|number| number.parse().ok());
    let count = numbers.next().unwrap_or(1000_u64);
    let first: u64 = numbers.next().unwrap_or(0);
    let jobs = usize::try_from(count.div_ceil(CHUNK)).expect("internal error: too many jobs");
    let tallies = in_parallel(jobs, |job| {
        let from = job as u64 * CHUNK;
        compare_searches(first + from..first + (from + CHUNK).min(count), 2_000)
    });
    let mut all = SearchTally::default();
    for tally in tallies {
        all.add(tally);
    }
    println!("{all}");
    for disagreement in &all.disagreements {
        println!("\n{disagreement}");
    }
    assert!(all.disagreements.is_empty(), "the searches disagree");
}
