//! Mutants of all examples that are proved, through the verifier and the oracle. Writes the
//! survivors to `target/mutants`.
#![expect(clippy::print_stdout, reason = "a developer tool talks to its user")]

use std::process::ExitCode;
use testkit::differential::write_disagreements;
use testkit::mutation::run_mutants;
use testkit::oracle::Bounds;

fn main() -> ExitCode {
    let root = testkit::repository();
    let examples = testkit::load_examples(&root.join("examples"), &[driver::Language::Plato]);
    let report = run_mutants(&examples, None, &Bounds::default());
    println!("{report}");
    let folder = root.join("target").join("mutants");
    for (name, all) in [
        ("false_proofs", &report.false_proofs),
        ("failures", &report.failures),
        ("harmless", &report.harmless),
    ] {
        write_disagreements(&folder.join(name).with_extension("txt"), all);
    }
    println!("survivors are in {}", folder.display());
    if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
