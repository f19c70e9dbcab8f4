//! Files whose comments say what a run must find.

use crate::annotation::{Annotations, Header, Malformed, annotations, java_annotations};
use crate::compare::{Difference, Found, count_difference, differences};
use crate::files::{files_below, read, shown};
use crate::report::{Mismatch, Report};
use crate::solver::options;
use driver::{Input, Language, Options, Run};
use std::collections::BTreeMap;
use std::path::Path;

/// A text with its annotations.
#[derive(Clone, Debug)]
pub struct Example {
    /// The text and its name.
    pub input: Input,
    /// Its annotations.
    pub annotations: Annotations,
    /// The comments that cannot be understood.
    pub malformed: Vec<Malformed>,
    /// The number of lines of the file before the text; mismatches are reported by the lines of the
    /// file.
    pub lines_before: usize,
}

impl Example {
    /// Reads the comments of a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let input = Input { name: name.into(), text: text.into() };
        let (annotations, malformed) = match Language::of(&input.name) {
            Language::Java => java_annotations(&input.text),
            _ => annotations(&input.text),
        };
        Self { input, annotations, malformed, lines_before: 0 }
    }

    /// Its language.
    pub fn language(&self) -> Language {
        Language::of(&self.input.name)
    }

    /// Says that the text is a part of a file, with this many lines before it.
    pub fn after(self, lines_before: usize) -> Self {
        Self { lines_before, ..self }
    }
}

/// All examples in these languages below a folder.
pub fn load_examples(folder: &Path, languages: &[Language]) -> Vec<Example> {
    let endings = languages.iter().flat_map(|language| language.endings());
    let files = endings.flat_map(|ending| files_below(folder, ending));
    files.map(|path| Example::new(shown(&path, folder), read(&path))).collect()
}

/// Runs examples, those with the same header in one run, so that they share solvers. `change` may
/// change the options.
///
/// Each run comes with the indices of its examples, in the order of its files.
pub fn check_examples(
    examples: &[Example],
    change: impl Fn(&mut Options),
) -> Vec<(Vec<usize>, Run)> {
    let mut groups: BTreeMap<(Header, usize), Vec<usize>> = BTreeMap::new();
    for (index, example) in examples.iter().enumerate() {
        let header = Header { proved: None, ..example.annotations.header.clone() };
        // Files of Java in one run are one program, and these are many.
        let alone = if example.language() == Language::Java { index + 1 } else { 0 };
        groups.entry((header, alone)).or_default().push(index);
    }
    let mut runs = Vec::new();
    for ((header, _), indices) in groups {
        let mut options = options(&header);
        change(&mut options);
        let inputs: Vec<Input> =
            indices.iter().map(|&index| examples[index].input.clone()).collect();
        runs.push((indices, driver::check(&inputs, &options, &|_| {})));
    }
    runs
}

/// Compares runs of examples with their annotations.
pub fn compare_examples(examples: &[Example], runs: &[(Vec<usize>, Run)]) -> Report {
    let mut report = Report::default();
    for (indices, run) in runs {
        for (&index, file) in indices.iter().zip(&run.files) {
            let example = &examples[index];
            let found = Found::new(file, &run.sources);
            let mut all = difference(example, &found, run);
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

/// Compares everything but the count of proofs.
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
    use super::{Example, check_examples, compare_examples};
    use crate::report::Report;

    const HOLDS: &str = "var x: int = 0;\nthread T rely x' == x { assert x == 0; }\n";
    const FAILS: &str = "var x: int = 0;\nthread T { assert x == 0; }\nthread U[*] { x := 1; }";

    fn compare(text: &str) -> Report {
        let examples = [Example::new("e.plato", text)];
        compare_examples(&examples, &check_examples(&examples, |_| {}))
    }

    /// Checks the number of mismatches.
    fn check(text: &str, expected: usize) {
        let report = compare(text);
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
        let right: Vec<usize> =
            (0..9).filter(|&n| compare(&count(n)).mismatches.is_empty()).collect();
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
