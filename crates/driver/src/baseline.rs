//! Findings of earlier runs, known again by what they are about and not by their lines.

use crate::results::{Allowed, FileReport, Notice, Run};
use diagnostic::{Code, Severity};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use verdict::{StopReason, TaskName, Verdict};

/// A finding, as it is known again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The same for the same finding in another version of the text, as long as its file, its task
    /// and the words at its place stay.
    pub fingerprint: String,
    /// The name of the file.
    pub file: String,
    /// The code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
}

/// The findings of an earlier run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    fingerprints: BTreeSet<String>,
}

impl FromIterator<String> for Baseline {
    fn from_iter<I: IntoIterator<Item = String>>(fingerprints: I) -> Self {
        Self { fingerprints: fingerprints.into_iter().collect() }
    }
}

impl Baseline {
    /// Notes in a run what is known; the answer says how much of the baseline is not found any
    /// more.
    pub fn apply(&self, run: &mut Run) -> usize {
        let found = findings(run);
        let mut seen = BTreeSet::new();
        for (file, findings) in run.files.iter_mut().zip(found) {
            let may: Vec<bool> =
                file.notices.iter().map(|notice| Self::may_have(notice, file)).collect();
            for ((notice, finding), may) in file.notices.iter_mut().zip(findings).zip(may) {
                if may && self.fingerprints.contains(&finding.fingerprint) {
                    notice.allowed = Some(Allowed::Baseline);
                    seen.insert(finding.fingerprint);
                }
            }
        }
        self.fingerprints.len() - seen.len()
    }

    /// Whether this can be known before. Where a text is rejected, or nothing was looked at, there
    /// is nothing to live with, and what is allowed otherwise does not need it.
    pub fn may_have(notice: &Notice, report: &FileReport) -> bool {
        let code = notice.diagnostic.code;
        let about = notice.about.and_then(|id| report.results.get(id.index()));
        let was_looked_at = !matches!(
            about.map(|result| &result.verdict),
            Some(Verdict::Unknown(
                StopReason::Cancelled
                    | StopReason::SolverFailed(_)
                    | StopReason::Engine(_)
                    | StopReason::InternalError(_)
            ))
        );
        let is_free = matches!(notice.allowed, None | Some(Allowed::Baseline));
        was_looked_at && is_free && !code.info().rejects_input && code != Code::InternalError
    }
}

/// The findings of a run, per file one for each notice.
pub fn findings(run: &Run) -> Vec<Vec<Finding>> {
    let mut count = BTreeMap::new();
    let mut of_file = |file: &FileReport| {
        let notices = file.notices.iter();
        notices.map(|notice| finding(file, notice, run, &mut count)).collect()
    };
    run.files.iter().map(&mut of_file).collect()
}

/// Findings that look alike are told apart by their order.
fn finding(
    report: &FileReport,
    notice: &Notice,
    run: &Run,
    count: &mut BTreeMap<String, u32>,
) -> Finding {
    let told = &notice.diagnostic;
    let sources = &run.sources;
    let file = sources.file(told.primary.span.file);
    // What stands there, but not all of a long body, which other edits may change.
    let there = sources.text(told.primary.span).lines().next().unwrap_or_default();
    let there: Vec<&str> = there.split_whitespace().collect();
    let task = notice.about.and_then(|id| report.results.get(id.index()));
    let task = task.map(|result| TaskName::to_string(&result.task)).unwrap_or_default();
    let name = run.known_as.get(&file.name).unwrap_or(&file.name).replace('\\', "/");
    let name = name.trim_start_matches("./");
    let code = told.code.as_str();
    let severity = match told.severity {
        Severity::Error => "error",
        Severity::Unknown => "unknown",
        Severity::Warning => "warning",
    };
    let about = [code, severity, name, &task, &there.join(" ")].join("\0");
    let alike = count.entry(about.clone()).or_default();
    let digest = Sha256::digest(format!("{about}\0{alike}"));
    *alike += 1;
    let fingerprint = digest.iter().take(12).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    Finding { fingerprint, file: file.name.clone(), code, message: told.message.clone() }
}
