//! Files that say in comments what a run must find.

use crate::annotation::{Annotations, Header, Malformed, annotations};
use crate::compare::{Difference, Found, count_difference, differences};
use crate::files::{files_below, read, shown};
use crate::report::{Mismatch, Report};
use crate::solver::options;
use driver::{Input, Options, Run};
use std::collections::BTreeMap;
use std::path::Path;

/// A text with what it says of itself.
#[derive(Clone, Debug)]
pub struct Example {
    /// The text and its name.
    pub input: Input,
    /// What it says of itself.
    pub annotations: Annotations,
    /// What it says and cannot be understood.
    pub malformed: Vec<Malformed>,
    /// How many lines the file has before the text; mismatches are told by the lines of the file.
    pub lines_before: usize,
}

impl Example {
    /// Reads the comments of a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let input = Input { name: name.into(), text: text.into() };
        let (annotations, malformed) = annotations(&input.text);
        Self { input, annotations, malformed, lines_before: 0 }
    }

    /// The text is a part of a file, with this many lines before it.
    pub fn after(self, lines_before: usize) -> Self {
        Self { lines_before, ..self }
    }
}

/// The names of examples end so.
const EXTENSIONS: &[&str] = &["plato", "pds", "c", "chalice", "szumo", "puml"];

/// All `.plato` files below a folder.
pub fn load_examples(folder: &Path) -> Vec<Example> {
    load(folder, "plato")
}

fn load(folder: &Path, extension: &str) -> Vec<Example> {
    let files = files_below(folder, extension);
    files.iter().map(|path| Example::new(shown(path, folder), read(path))).collect()
}

/// Checks every example file below a folder, whatever its language, against its own comments.
pub fn run_examples(folder: &Path) -> Report {
    let examples = EXTENSIONS.iter().flat_map(|extension| load(folder, extension));
    compare_examples(&examples.collect::<Vec<_>>())
}

/// Runs examples, those with the same header in one run, so that they share solvers. `change` may change how.
///
/// Each run comes with the indices of its examples, in the order of its files.
pub fn check_examples(
    examples: &[Example],
    change: impl Fn(&mut Options),
) -> Vec<(Vec<usize>, Run)> {
    let mut groups: BTreeMap<Header, Vec<usize>> = BTreeMap::new();
    for (index, example) in examples.iter().enumerate() {
        let key = Header { proved: None, ..example.annotations.header.clone() };
        groups.entry(key).or_default().push(index);
    }
    let mut runs = Vec::new();
    for (header, indices) in groups {
        let mut options = options(&header);
        change(&mut options);
        let inputs: Vec<Input> =
            indices.iter().map(|&index| examples[index].input.clone()).collect();
        runs.push((indices, driver::check(&inputs, &options, &|_| {})));
    }
    runs
}

fn compare_examples(examples: &[Example]) -> Report {
    let mut report = Report::default();
    for (indices, run) in check_examples(examples, |_| {}) {
        for (&index, file) in indices.iter().zip(&run.files) {
            let example = &examples[index];
            let found = Found::new(file, &run.sources);
            let mut all = difference(example, &found, &run);
            all.extend(count_difference(&example.annotations, &found));
            let name = &example.input.name;
            report
                .mismatches
                .extend(all.into_iter().map(|(line, message)| Mismatch::new(name, line, message)));
            report.compared += 1;
        }
    }
    report.mismatches.sort();
    report
}

/// Everything but the count of proofs.
pub(crate) fn difference(example: &Example, found: &Found, run: &Run) -> Vec<Difference> {
    let mut all: Vec<Difference> =
        example.malformed.iter().map(|wrong| (wrong.line, wrong.message.clone())).collect();
    for unknown in &run.unknown_options {
        all.push((1, format!("its header does not fit: {unknown}")));
    }
    all.extend(differences(&example.annotations, found, example.lines_before));
    all
}

#[cfg(test)]
mod tests {
    use super::{Example, compare_examples};

    const HOLDS: &str = "var x: int = 0;\nthread T rely x' == x { assert x == 0; }\n";
    const FAILS: &str = "var x: int = 0;\nthread T { assert x == 0; }\nthread U[*] { skip; }";

    /// How many mismatches there are.
    fn check(text: &str, expected: usize) {
        let report = compare_examples(&[Example::new("e.plato", text)]);
        assert_eq!((report.compared, report.mismatches.len()), (1, expected), "{text}{report}");
    }

    #[test]
    fn wrong_expectations_are_noticed() {
        let expecting = |comment: &str| FAILS.replace("}\n", &format!("}} //~ {comment}\n"));
        check(FAILS, 1);
        check(&expecting("error[assertion-failed]"), 0);
        check(&expecting("error[assertion-failed] \"other threads\""), 0);
        check(&expecting("error[assertion-failed] \"nowhere said\""), 1);
        check(&expecting("warning[assertion-failed]"), 1);
        check(&expecting("error[rely-violated]"), 1);
        check(&expecting("missed[assertion-failed]"), 1);
        check(&expecting("spurious[assertion-failed]"), 0);
        check(&expecting("error[assertion-failed] //~ error[assertion-failed]"), 1);
    }

    #[test]
    fn wrong_counts_are_noticed() {
        check(HOLDS, 1);
        let count = |count: usize| format!("//@ proved: {count}\n{HOLDS}");
        let right: Vec<usize> = (0..9)
            .filter(|&n| {
                compare_examples(&[Example::new("e.plato", count(n))]).mismatches.is_empty()
            })
            .collect();
        assert_eq!(right.len(), 1, "{right:?}");
    }

    #[test]
    fn headers_reach_the_run() {
        let text = "const N: int = 0;\nthread T { assert N == 5; }\nthread U { assert N == 6; }\n";
        check(&format!("//@ define: N=5; only: T; proved: 1\n{text}"), 0);
        check(&format!("//@ define: N=6; only: T\n{text}"), 1);
        check(&format!("//@ define: M=5; only: T\n{text}"), 2);
    }
}
