//! Runs Java programs and compares with their proofs.

use driver::Input;
use testkit::java::{compare_java, compare_java_texts};

#[test]
fn proved_methods_of_random_java_do_not_fail() {
    let tally = compare_java(0..10, 100);
    assert!(tally.is_clean(), "{:?}\n{:?}", tally.false_proofs, tally.panics);
    let [proved, refuted, _] = tally.checks;
    assert!(proved > 400 && refuted > 10 && tally.proved_methods > 20, "{tally}");
}

#[test]
fn proved_methods_of_examples_do_not_fail() {
    let folder = testkit::repository().join("examples/java/races");
    let files = testkit::files_below(&folder, "java").into_iter();
    let inputs = files.map(|path| (path.display().to_string(), testkit::read(&path)));
    let inputs: Vec<Input> = inputs.map(|(name, text)| Input { name, text }).collect();
    let tally = compare_java_texts(&inputs, 200);
    assert!(tally.is_clean(), "{:?}\n{:?}", tally.false_proofs, tally.panics);
    let confirmed: usize = tally.refuted.values().map(|(_, confirmed)| confirmed).sum();
    assert!(inputs.len() > 8 && confirmed > 6, "{tally}");
}
