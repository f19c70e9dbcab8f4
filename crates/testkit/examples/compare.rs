//! Compares examples below a folder with what their comments say, and shows how long each takes:
//! `cargo run --release -p testkit --example compare -- examples/java/races`.

use driver::Language;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use testkit::{check_examples, compare_examples, load_examples};

#[expect(clippy::print_stdout, reason = "this is a program for developers")]
fn main() -> ExitCode {
    let mut is_clean = true;
    for folder in std::env::args().skip(1) {
        for example in load_examples(Path::new(&folder), &Language::ALL) {
            let begun = Instant::now();
            let examples = [example];
            let runs = check_examples(&examples, |_| {});
            let report = compare_examples(&examples, &runs);
            let seconds = begun.elapsed().as_secs_f64();
            println!("{seconds:7.2} s  {}", examples[0].input.name);
            for mismatch in &report.mismatches {
                println!("           {mismatch}");
                is_clean = false;
            }
        }
    }
    ExitCode::from(u8::from(!is_clean))
}
