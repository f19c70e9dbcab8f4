//! All examples of all languages and their usual run, which is made once for all tests.

use driver::{FileReport, Language, Run, Status};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use testkit::{Example, check_examples, load_examples, repository};
use verdict::{StopReason, Verdict};

pub(crate) struct Usual {
    pub(crate) examples: Vec<Example>,
    pub(crate) runs: Vec<(Vec<usize>, Run)>,
}

/// The examples, and the results of checking them as their headers say.
pub(crate) fn usual() -> &'static Usual {
    static USUAL: LazyLock<Usual> = LazyLock::new(|| {
        let examples = load_examples(&repository().join("examples"), &Language::ALL);
        assert!(!examples.is_empty());
        let runs = check_examples(&examples, |_| {});
        Usual { examples, runs }
    });
    &USUAL
}

impl Usual {
    /// The examples that satisfy a condition.
    pub(crate) fn only(&self, wanted: impl Fn(&Example) -> bool) -> Vec<Example> {
        let examples: Vec<Example> =
            self.examples.iter().filter(|one| wanted(one)).cloned().collect();
        assert!(!examples.is_empty());
        examples
    }

    /// The reports on all files, by name.
    pub(crate) fn files(&self) -> BTreeMap<&str, (&FileReport, &Run)> {
        files(&self.runs)
    }
}

/// The reports of runs, by the names of the files.
pub(crate) fn files(runs: &[(Vec<usize>, Run)]) -> BTreeMap<&str, (&FileReport, &Run)> {
    let mut all = BTreeMap::new();
    for (_, run) in runs {
        for file in &run.files {
            all.insert(run.sources.file(file.file).name.as_str(), (file, run));
        }
    }
    all
}

/// Whether a file is proved, and code, line and verdict of each of its obligations. Whether a
/// failure of deduction is a refutation or a lack of annotations depends on the run that the solver
/// happens to show, so these two count as one.
pub(crate) fn verdicts(file: &FileReport, run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for result in &file.results {
        let kind = match result.verdict {
            Verdict::Proved(_) => "proved",
            Verdict::Refuted(_) | Verdict::Unknown(StopReason::Missing(_)) => "not shown",
            Verdict::Unknown(_) => "unknown",
        };
        let line = run.sources.line_column(result.obligation.span).0;
        lines.push(format!("line {line}: {} {kind}", result.obligation.code));
    }
    lines.sort();
    lines.insert(0, format!("proved: {}", file.status == Status::Proved));
    lines
}

/// Answers of earlier runs, kept as long as the test runs.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    answers: Mutex<BTreeMap<String, String>>,
    found: Mutex<usize>,
}

impl smt::Memory for Remembered {
    fn get(&self, key: &str) -> Option<String> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = answers.get(key).cloned()?;
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Some(answer)
    }

    fn put(&self, key: &str, value: &str) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(key.to_owned(), value.to_owned());
    }
}

impl Remembered {
    /// How many answers were not asked for again.
    pub(crate) fn found(&self) -> usize {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same answers, of which nobody has used any.
    pub(crate) fn copy(&self) -> Self {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        Self { answers: Mutex::new(answers.clone()), found: Mutex::default() }
    }
}

/// Examples that one worker checked, and the answers that it got.
pub(crate) struct ByOneWorker {
    pub(crate) examples: Vec<Example>,
    pub(crate) runs: Vec<(Vec<usize>, Run)>,
    pub(crate) memory: Arc<Remembered>,
}

/// The same examples, checked by one worker. Programs in Java take as long as all others together,
/// so that a part of them stands for all.
pub(crate) fn by_one_worker() -> &'static ByOneWorker {
    static RUNS: LazyLock<ByOneWorker> = LazyLock::new(|| {
        let examples = usual().only(|example| {
            example.language() != Language::Java || example.input.name.contains("java/races/")
        });
        let memory = Arc::new(Remembered::default());
        let runs = check_examples(&examples, |options| {
            options.jobs = 1;
            options.memory = Some(memory.clone());
        });
        ByOneWorker { examples, runs, memory }
    });
    &RUNS
}
