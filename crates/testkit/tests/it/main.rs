//! The examples and pages of this checkout, as tests.

mod constructs;
mod engines;
mod java;
mod json;
mod middleware;
mod objects;
mod oracle;
mod schema;
mod searches;
mod usual;
mod variations;

use testkit::{compare_examples, repository, run_pages};

#[test]
fn examples() {
    let usual = usual::usual();
    let report = compare_examples(&usual.examples, &usual.runs);
    let folder = repository().join("examples");
    assert_eq!(report.compared, count_files(&folder), "not every file was run");
    report.assert_clean();
}

#[test]
fn pages() {
    run_pages(&repository()).assert_clean();
}

/// Counted apart from the code under test.
fn count_files(folder: &std::path::Path) -> usize {
    let mut count = 0;
    for entry in folder.read_dir().expect("the folder of examples") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            count += count_files(&path);
        } else if [".plato", ".pds", ".c", ".chalice", ".szumo", ".puml", ".java"]
            .iter()
            .any(|end| path.to_string_lossy().ends_with(end))
        {
            count += 1;
        }
    }
    count
}
