//! The examples and pages of this checkout, as tests.

mod constructs;
mod middleware;
mod objects;
mod oracle;
mod searches;

use driver::Options;
use std::collections::BTreeMap;
use testkit::{Example, check_examples, load_examples, repository, run_examples, run_pages};
use verdict::Verdict;

#[test]
fn examples() {
    let folder = repository().join("examples");
    let report = run_examples(&folder);
    assert_eq!(report.compared, count_files(&folder), "not every file was run");
    report.assert_clean();
}

#[test]
fn pages() {
    run_pages(&repository()).assert_clean();
}

/// The number of workers must not show.
#[test]
fn same_text_for_any_number_of_jobs() {
    let examples = examples_of_checkout();
    let text = |jobs: usize| -> Vec<String> {
        let runs = check_examples(&examples, |options| options.jobs = jobs);
        runs.iter().map(|(_, run)| report::text(run, diagnostic::Style::Plain)).collect()
    };
    assert_eq!(text(1), text(2));
}

/// Interference at chosen places only must not change any answer.
#[test]
fn same_verdicts_with_interference_everywhere() {
    let examples = load_examples(&repository().join("examples/plato"));
    assert!(!examples.is_empty());
    same_verdicts(&examples, |options| options.one_cluster = true);
}

/// One step of the environment stands for any number of them. Two in a row are slow on quantified formulas, so that not
/// all programs are compared.
#[test]
fn same_verdicts_with_two_steps_of_the_environment() {
    let slow = ["stack", "copy_on_write", "ticket_lock", "readers_writer"];
    for folder in ["paper", "exclusion", "procedures"] {
        let mut examples = load_examples(&repository().join("examples/plato").join(folder));
        examples.retain(|example| !slow.iter().any(|name| example.input.name.contains(name)));
        assert!(!examples.is_empty());
        same_verdicts(&examples, |options| options.environment_steps = 2);
    }
}

fn same_verdicts(examples: &[Example], change: impl Fn(&mut Options)) {
    let usual = verdicts(examples, |_| {});
    let changed = verdicts(examples, change);
    assert_eq!(usual.len(), examples.len());
    for (name, usual) in &usual {
        assert_eq!(Some(usual), changed.get(name), "{name}");
    }
}

fn examples_of_checkout() -> Vec<Example> {
    let examples = load_examples(&repository().join("examples"));
    assert!(!examples.is_empty());
    examples
}

/// Per file its status, and code, line and verdict of each obligation.
fn verdicts(examples: &[Example], change: impl Fn(&mut Options)) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for (_, run) in check_examples(examples, |options| change(options)) {
        for file in &run.files {
            let mut lines: Vec<String> = Vec::new();
            for result in &file.results {
                let kind = match result.verdict {
                    Verdict::Proved(_) => "proved",
                    Verdict::Refuted(_) => "refuted",
                    Verdict::Unknown(_) => "unknown",
                };
                let line = run.sources.line_column(result.obligation.span).0;
                lines.push(format!("line {line}: {} {kind}", result.obligation.code));
            }
            lines.sort();
            lines.insert(0, format!("{:?}", file.status));
            all.insert(run.sources.file(file.file).name.clone(), lines);
        }
    }
    all
}

/// Counted apart from the code under test.
fn count_files(folder: &std::path::Path) -> usize {
    let mut count = 0;
    for entry in folder.read_dir().expect("the folder of examples") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            count += count_files(&path);
        } else if [".plato", ".pds", ".c", ".chalice", ".szumo", ".puml"]
            .iter()
            .any(|end| path.to_string_lossy().ends_with(end))
        {
            count += 1;
        }
    }
    count
}
