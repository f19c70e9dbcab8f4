//! The run as `JUnit` XML: a suite for each file, a case for each task. Whoever shows tests knows
//! this form.

use crate::xml::escaped;
use diagnostic::{Severity, Style};
use driver::{Allowed, FileReport, Notice, ObligationResult, Run, Status};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;
use verdict::{TaskName, Verdict};

/// What is told of one task.
#[derive(Default)]
struct Case<'a> {
    /// With their positions in the report.
    results: Vec<(usize, &'a ObligationResult)>,
    notices: Vec<&'a Notice>,
}

/// The document, ending in a newline.
pub fn junit(run: &Run) -> String {
    let mut suites = String::new();
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    for file in &run.files {
        let suite = suite(file, run);
        suites.push_str(&suite.text);
        tests += suite.tests;
        failures += suite.failures;
        errors += suite.errors;
    }
    let about_run = crate::about_run(run);
    if !about_run.is_empty() {
        tests += about_run.len();
        errors += about_run.len();
        let count = about_run.len();
        let mut cases = String::new();
        for told in &about_run {
            let _ = writeln!(
                cases,
                "    <testcase classname=\"rely\" name=\"run\">\n      \
                 <error message=\"{}\" type=\"run\"/>\n    </testcase>",
                escaped(told)
            );
        }
        let _ = write!(
            suites,
            "  <testsuite name=\"rely\" tests=\"{count}\" failures=\"0\" errors=\"{count}\">\n{cases}  </testsuite>\n"
        );
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"Rely\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n\
         {suites}</testsuites>\n"
    )
}

struct Suite {
    text: String,
    tests: usize,
    failures: usize,
    errors: usize,
}

fn suite(file: &FileReport, run: &Run) -> Suite {
    let name = escaped(&run.sources.file(file.file).name);
    let (mut cases, mut tests, mut failures, mut errors) = (String::new(), 0, 0, 0);
    let mut total = Duration::ZERO;
    for (task, case) in split(file) {
        let task = task.map_or_else(|| "the text".to_owned(), TaskName::to_string);
        let time: Duration = case.results.iter().map(|(_, result)| result.effort.time).sum();
        total += time;
        tests += 1;
        let inside = match outcome(&case, file) {
            Outcome::Passed => String::new(),
            Outcome::Skipped(why) => format!("      <skipped message=\"{}\"/>\n", escaped(&why)),
            Outcome::Failed => {
                failures += 1;
                told("failure", &case, file, run)
            }
            Outcome::Undecided => {
                errors += 1;
                told("error", &case, file, run)
            }
        };
        let _ = write!(
            cases,
            "    <testcase classname=\"{name}\" name=\"{}\" time=\"{:.3}\">\n{inside}    </testcase>\n",
            escaped(&task),
            time.as_secs_f64()
        );
    }
    let text = format!(
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\">\n{cases}  </testsuite>\n",
        total.as_secs_f64()
    );
    Suite { text, tests, failures, errors }
}

/// The tasks of a file with their results. What is told of no task, such as a syntax error, comes
/// first, if it matters.
fn split(file: &FileReport) -> BTreeMap<Option<&TaskName>, Case<'_>> {
    let mut cases: BTreeMap<Option<&TaskName>, Case<'_>> = BTreeMap::new();
    for (index, result) in file.results.iter().enumerate() {
        cases.entry(Some(&result.task)).or_default().results.push((index, result));
    }
    for notice in &file.notices {
        let about = notice.about.and_then(|id| file.results.get(id.index()));
        let task = about.map(|result| &result.task);
        let told = &notice.diagnostic;
        let is_error = told.severity == Severity::Error;
        if task.is_some() || is_error || told.code.info().rejects_input {
            cases.entry(task).or_default().notices.push(notice);
        }
    }
    if cases.is_empty() {
        cases.insert(None, Case::default());
    }
    cases
}

enum Outcome {
    Passed,
    Skipped(String),
    Failed,
    Undecided,
}

/// A case passes if everything about it is proved, and is skipped if all else is allowed.
fn outcome(case: &Case<'_>, file: &FileReport) -> Outcome {
    if case.results.is_empty() {
        let is_open = |notice: &&Notice| notice.allowed.is_none();
        return match case.notices.iter().copied().find(is_open) {
            Some(notice) if notice.diagnostic.code.info().rejects_input => Outcome::Undecided,
            // A warning that is set to count like an error.
            Some(_) => Outcome::Failed,
            None if file.status == Status::NothingToVerify => {
                Outcome::Skipped("nothing to verify".to_owned())
            }
            None => Outcome::Undecided,
        };
    }
    let failing = case.results.iter().filter(|(_, one)| !matches!(one.verdict, Verdict::Proved(_)));
    let failing: Vec<_> = failing.collect();
    let mut counted = failing.iter().filter(|(index, _)| !file.is_allowed(*index)).peekable();
    if counted.peek().is_some() {
        let is_refuted = counted.any(|(_, one)| matches!(one.verdict, Verdict::Refuted(_)));
        return if is_refuted { Outcome::Failed } else { Outcome::Undecided };
    }
    let mut allowed = case.notices.iter().filter_map(|notice| notice.allowed.as_ref());
    match allowed.next().filter(|_| !failing.is_empty()) {
        None => Outcome::Passed,
        Some(Allowed::Comment { reason }) => Outcome::Skipped(format!("allowed: {reason}")),
        Some(Allowed::Baseline | Allowed::Settings) => {
            Outcome::Skipped("known: the baseline has it".to_owned())
        }
    }
}

/// Everything that counts against a case, as the text report has it.
fn told(tag: &str, case: &Case<'_>, file: &FileReport, run: &Run) -> String {
    let open = || case.notices.iter().filter(|notice| notice.allowed.is_none());
    let messages: Vec<&str> = open().map(|one| one.diagnostic.message.as_str()).collect();
    let kinds: Vec<&str> = open().map(|one| one.diagnostic.code.as_str()).collect();
    let texts: String =
        open().map(|one| crate::text::notice(one, file, run, (Style::Plain, usize::MAX))).collect();
    format!(
        "      <{tag} message=\"{}\" type=\"{}\">{}</{tag}>\n",
        escaped(&messages.join("; ")),
        escaped(&kinds.join(" ")),
        escaped(&texts)
    )
}
