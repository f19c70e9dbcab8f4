//! All examples of all languages and their usual run, which is made once for all tests.

use driver::{FileReport, Language, Run, Status};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use testkit::{Example, check_examples, load_examples, repository};
use verdict::{StopReason, Verdict};

pub(crate) struct Usual {
    pub(crate) examples: Vec<Example>,
    pub(crate) runs: Vec<(Vec<usize>, Run)>,
    /// The answers that the solver gave.
    pub(crate) memory: Arc<Remembered>,
}

/// The examples, and the results of checking them as their headers say. Nothing is remembered
/// before, and all answers are kept, for tests that would ask the same again.
pub(crate) fn usual() -> &'static Usual {
    static USUAL: LazyLock<Usual> = LazyLock::new(|| {
        let examples = load_examples(&repository().join("examples"), &Language::ALL);
        assert!(!examples.is_empty());
        let memory = Arc::new(Remembered::default());
        let runs = check_examples(&examples, |options| options.memory = Some(memory.clone()));
        Usual { examples, runs, memory }
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
    found: AtomicUsize,
    added: AtomicUsize,
}

impl smt::Memory for Remembered {
    fn get(&self, key: &str) -> Option<String> {
        let answer = self.answers().get(key).cloned()?;
        self.found.fetch_add(1, Ordering::Relaxed);
        Some(answer)
    }

    fn put(&self, key: &str, value: &str) {
        if self.answers().insert(key.to_owned(), value.to_owned()).is_none() {
            self.added.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Remembered {
    fn answers(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many answers were not asked for again.
    pub(crate) fn found(&self) -> usize {
        self.found.load(Ordering::Relaxed)
    }

    /// How many answers to other questions came in.
    pub(crate) fn added(&self) -> usize {
        self.added.load(Ordering::Relaxed)
    }

    /// The same answers, of which nobody has used any.
    pub(crate) fn copy(&self) -> Self {
        let answers = Mutex::new(self.answers().clone());
        Self { answers, ..Self::default() }
    }
}
