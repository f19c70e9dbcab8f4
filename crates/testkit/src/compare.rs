//! Compares expected and found diagnostics, in both directions.

use crate::annotation::{Annotations, Expectation, Kind, severity_word};
use diagnostic::{Code, Diagnostic, Severity};
use driver::{FileReport, Status};
use report::picture;
use source::SourceMap;
use std::collections::BTreeSet;

/// The findings of a run about one text, as far as comments can speak of them.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) status: Status,
    /// The number of proved obligations.
    pub(crate) proved: usize,
    /// The number of annotations that nobody wrote.
    pub(crate) inferred: usize,
    pub(crate) diagnostics: Vec<FoundDiagnostic>,
}

#[derive(Clone, Debug)]
pub(crate) struct FoundDiagnostic {
    /// The line it starts on, from 1.
    pub(crate) line: usize,
    pub(crate) severity: Severity,
    pub(crate) code: Code,
    /// Whether a comment allows it.
    pub(crate) allowed: bool,
    pub(crate) message: String,
    /// Labels, picture, notes and help.
    pub(crate) texts: Vec<String>,
}

impl Found {
    pub(crate) fn new(report: &FileReport, sources: &SourceMap) -> Self {
        let diagnostics = report.notices.iter().map(|notice| {
            let shown = report.run_of(notice).map(|run| picture(run, sources, usize::MAX));
            let allowed = notice.allowed.is_some();
            let shown = shown.unwrap_or_default();
            FoundDiagnostic { allowed, ..FoundDiagnostic::new(&notice.diagnostic, shown, sources) }
        });
        Self {
            status: report.status,
            proved: report.counts().0,
            inferred: report.inferred.len(),
            diagnostics: diagnostics.collect(),
        }
    }
}

impl FoundDiagnostic {
    fn new(diagnostic: &Diagnostic, picture: String, sources: &SourceMap) -> Self {
        let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
        let mut texts: Vec<String> = labels.map(|label| label.text.clone()).collect();
        texts.push(picture);
        texts.extend(diagnostic.notes.iter().chain(&diagnostic.help).cloned());
        Self {
            line: sources.line_column(diagnostic.primary.span).0,
            severity: diagnostic.severity,
            code: diagnostic.code,
            allowed: false,
            message: diagnostic.message.clone(),
            texts,
        }
    }

    fn contains(&self, text: &str) -> bool {
        self.message.contains(text) || self.texts.iter().any(|found| found.contains(text))
    }

    fn show(&self) -> String {
        let word = if self.allowed { "allowed" } else { severity_word(self.severity) };
        format!("{word}[{}]: {}", self.code, self.message)
    }
}

/// A line and the difference there.
pub(crate) type Difference = (usize, String);

/// The lines on which expectations and diagnostics differ.
///
/// Lines that messages mention count from the start of a file with `lines_before` lines before the
/// text.
pub(crate) fn differences(
    annotations: &Annotations,
    found: &Found,
    lines_before: usize,
) -> Vec<Difference> {
    let mut lines: BTreeSet<usize> = annotations.expectations.iter().map(|e| e.line).collect();
    lines.extend(found.diagnostics.iter().map(|diagnostic| diagnostic.line));
    let elsewhere = |code: Code| -> Vec<String> {
        let of_code = found.diagnostics.iter().filter(|diagnostic| diagnostic.code == code);
        of_code.map(|diagnostic| (lines_before + diagnostic.line).to_string()).collect()
    };
    let mut differences = Vec::new();
    for line in lines {
        let expected: Vec<&Expectation> =
            annotations.expectations.iter().filter(|e| e.line == line).collect();
        let here: Vec<&FoundDiagnostic> =
            found.diagnostics.iter().filter(|d| d.line == line).collect();
        if let Some(message) = difference_on_line(&expected, &here, &elsewhere) {
            differences.push((line, message));
        }
    }
    differences
}

/// Compares the number of proved obligations with the written one; a proved example must write it.
pub(crate) fn count_difference(annotations: &Annotations, found: &Found) -> Option<Difference> {
    if let Some(count) = annotations.header.inferred.filter(|&count| count != found.inferred) {
        return Some((
            1,
            format!("expected: inferred: {count}\nfound:    inferred: {}", found.inferred),
        ));
    }
    match annotations.header.proved {
        Some(count) if count != found.proved => {
            let message = format!(
                "expected: proved: {count}\nfound:    proved: {}, status {:?}",
                found.proved, found.status
            );
            Some((1, message))
        }
        None if found.status == Status::Proved => {
            let message = format!("a proved example starts with `//@ proved: {}`", found.proved);
            Some((1, message))
        }
        _ => None,
    }
}

fn difference_on_line(
    expected: &[&Expectation],
    here: &[&FoundDiagnostic],
    lines_of: &dyn Fn(Code) -> Vec<String>,
) -> Option<String> {
    let wanted: Vec<&Expectation> =
        expected.iter().copied().filter(|e| e.kind != Kind::Missed).collect();
    let partners = pair(&wanted, here);
    let mut notes = Vec::new();
    for (expectation, partner) in wanted.iter().zip(&partners) {
        if partner.is_none() {
            notes.push(absent(expectation, here, lines_of));
        }
    }
    for (index, diagnostic) in here.iter().enumerate() {
        if partners.contains(&Some(index)) {
            continue;
        }
        let gap = |e: &&&Expectation| e.kind == Kind::Missed && e.code == diagnostic.code;
        notes.push(match expected.iter().find(gap) {
            Some(gap) => format!("the gap is closed: {gap} is now reported, so expect it"),
            None => format!("not expected: {}", diagnostic.show()),
        });
    }
    if notes.is_empty() {
        return None;
    }
    let show = |title: &str, lines: Vec<String>| {
        let lines = if lines.is_empty() { vec!["nothing".to_owned()] } else { lines };
        format!("{title}{}", lines.join("\n          "))
    };
    notes.push(show("expected: ", expected.iter().map(ToString::to_string).collect()));
    notes.push(show("found:    ", here.iter().map(|diagnostic| diagnostic.show()).collect()));
    Some(notes.join("\n"))
}

/// The message about an expectation without a diagnostic.
fn absent(
    expectation: &Expectation,
    here: &[&FoundDiagnostic],
    lines_of: &dyn Fn(Code) -> Vec<String>,
) -> String {
    if expectation.kind == Kind::Spurious {
        return format!("the false alarm is gone: {expectation} is no longer reported");
    }
    let of_code = |d: &&FoundDiagnostic| d.code == expectation.code;
    if let Some(near) = here.iter().copied().find(of_code) {
        let missing = expectation.texts.iter().filter(|text| !near.contains(text));
        let missing: Vec<String> = missing.map(|text| format!("{text:?}")).collect();
        let what = if missing.is_empty() { "in this form".to_owned() } else { missing.join(", ") };
        return format!("not found: {expectation}; what is reported does not match {what}");
    }
    match lines_of(expectation.code).join(", ") {
        lines if lines.is_empty() => format!("not found: {expectation}"),
        lines => format!("not found: {expectation}; it is reported on line {lines}"),
    }
}

fn matches(expectation: &Expectation, found: &FoundDiagnostic) -> bool {
    let severity = match expectation.kind {
        Kind::Reported(severity) => severity == found.severity && !found.allowed,
        Kind::Allowed => found.allowed,
        Kind::Spurious => true,
        Kind::Missed => false,
    };
    severity
        && expectation.code == found.code
        && expectation.texts.iter().all(|text| found.contains(text))
}

/// A partner for as many expectations as possible, no diagnostic twice: the classical matching by
/// augmenting paths.
fn pair(expected: &[&Expectation], here: &[&FoundDiagnostic]) -> Vec<Option<usize>> {
    let mut taken_by: Vec<Option<usize>> = vec![None; here.len()];
    for index in 0..expected.len() {
        let mut seen = vec![false; here.len()];
        augment(index, expected, here, &mut seen, &mut taken_by);
    }
    (0..expected.len()).map(|index| taken_by.iter().position(|by| *by == Some(index))).collect()
}

fn augment(
    index: usize,
    expected: &[&Expectation],
    here: &[&FoundDiagnostic],
    seen: &mut [bool],
    taken_by: &mut [Option<usize>],
) -> bool {
    for (at, diagnostic) in here.iter().enumerate() {
        if seen[at] || !matches(expected[index], diagnostic) {
            continue;
        }
        seen[at] = true;
        let free = match taken_by[at] {
            None => true,
            Some(other) => augment(other, expected, here, seen, taken_by),
        };
        if free {
            taken_by[at] = Some(index);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Found, FoundDiagnostic, count_difference, differences};
    use crate::annotation::annotations;
    use diagnostic::Code;
    use driver::Status;

    fn diagnostic(line: usize, code: Code, message: &str) -> FoundDiagnostic {
        FoundDiagnostic {
            line,
            severity: code.info().severity,
            code,
            allowed: false,
            message: message.to_owned(),
            texts: vec![format!("help on {message}")],
        }
    }

    fn found(diagnostics: &[FoundDiagnostic]) -> Found {
        Found { status: Status::Refuted, proved: 3, inferred: 0, diagnostics: diagnostics.to_vec() }
    }

    /// The first line of each difference.
    fn check(text: &str, diagnostics: &[FoundDiagnostic], expected: &[&str]) {
        let (annotations, malformed) = annotations(text);
        assert!(malformed.is_empty(), "{malformed:?}");
        let differences = differences(&annotations, &found(diagnostics), 0);
        let first = |message: &str| message.lines().next().unwrap_or_default().to_owned();
        let heads: Vec<String> = differences
            .iter()
            .map(|(line, message)| format!("{line}: {}", first(message)))
            .collect();
        assert_eq!(heads, expected, "{text}");
    }

    #[test]
    fn agreement() {
        let failed = diagnostic(1, Code::AssertionFailed, "x may be 1");
        check("x //~ error[assertion-failed]", std::slice::from_ref(&failed), &[]);
        check(
            "x //~ error[assertion-failed] \"be 1\" \"help on\"",
            std::slice::from_ref(&failed),
            &[],
        );
        check("x //~ spurious[assertion-failed] \"be 1\"", &[failed], &[]);
        check("x //~ missed[assertion-failed]", &[], &[]);
        check("x", &[], &[]);
    }

    #[test]
    fn what_is_allowed_is_expected_as_such() {
        let failed = diagnostic(1, Code::AssertionFailed, "m");
        let allowed = FoundDiagnostic { allowed: true, ..failed.clone() };
        check("x //~ allowed[assertion-failed]", std::slice::from_ref(&allowed), &[]);
        let not_so = |comment: &str| {
            format!("1: not found: {comment}; what is reported does not match in this form")
        };
        let (as_error, as_allowed) = ("error[assertion-failed]", "allowed[assertion-failed]");
        check(&format!("x //~ {as_allowed}"), &[failed], &[&not_so(as_allowed)]);
        check(&format!("x //~ {as_error}"), &[allowed], &[&not_so(as_error)]);
    }

    #[test]
    fn a_diagnostic_without_expectation() {
        let failed = diagnostic(2, Code::AssertionFailed, "m");
        check(
            "x\ny",
            std::slice::from_ref(&failed),
            &["2: not expected: error[assertion-failed]: m"],
        );
        check(
            "x //~ missed[assertion-failed]\ny",
            &[failed],
            &["2: not expected: error[assertion-failed]: m"],
        );
    }

    #[test]
    fn an_expectation_without_diagnostic() {
        check("x //~ error[assertion-failed]", &[], &["1: not found: error[assertion-failed]"]);
        check(
            "x //~ spurious[assertion-failed]",
            &[],
            &["1: the false alarm is gone: spurious[assertion-failed] is no longer reported"],
        );
    }

    #[test]
    fn wrong_severity_code_line_or_text() {
        let failed = || diagnostic(1, Code::AssertionFailed, "m");
        check(
            "x //~ warning[assertion-failed]",
            &[failed()],
            &[
                "1: not found: warning[assertion-failed]; what is reported does not match in this form",
            ],
        );
        check("x //~ error[rely-violated]", &[failed()], &["1: not found: error[rely-violated]"]);
        check(
            "x //~ error[assertion-failed] \"zz\"",
            &[failed()],
            &[
                "1: not found: error[assertion-failed] \"zz\"; what is reported does not match \"zz\"",
            ],
        );
        check(
            "x\ny //~ error[assertion-failed]",
            &[failed()],
            &[
                "1: not expected: error[assertion-failed]: m",
                "2: not found: error[assertion-failed]; it is reported on line 1",
            ],
        );
    }

    #[test]
    fn a_gap_that_closed() {
        check(
            "x //~ missed[assertion-failed]",
            &[diagnostic(1, Code::AssertionFailed, "m")],
            &["1: the gap is closed: missed[assertion-failed] is now reported, so expect it"],
        );
    }

    #[test]
    fn each_diagnostic_counts_once() {
        let two =
            [diagnostic(1, Code::AssertionFailed, "a"), diagnostic(1, Code::AssertionFailed, "ab")];
        let one = &two[..1];
        check(
            "x //~ error[assertion-failed]",
            &two,
            &["1: not expected: error[assertion-failed]: ab"],
        );
        // The first expectation must leave the only diagnostic that fits the second.
        check("x //~ error[assertion-failed] \"a\" //~ error[assertion-failed] \"b\"", &two, &[]);
        check("x //~ error[assertion-failed] \"b\" //~ error[assertion-failed] \"a\"", &two, &[]);
        check(
            "x //~ error[assertion-failed] //~ error[assertion-failed]",
            one,
            &[
                "1: not found: error[assertion-failed]; what is reported does not match in this form",
            ],
        );
    }

    #[test]
    fn the_whole_line_is_shown() {
        let (annotations, _) =
            annotations("x //~ error[assertion-failed] //~ error[rely-violated]");
        let diagnostics =
            [diagnostic(1, Code::AssertionFailed, "m"), diagnostic(1, Code::Unsupported, "n")];
        let message = &differences(&annotations, &found(&diagnostics), 0)[0].1;
        let expected = "\
not found: error[rely-violated]
not expected: unknown[unsupported]: n
expected: error[assertion-failed]
          error[rely-violated]
found:    error[assertion-failed]: m
          unknown[unsupported]: n";
        assert_eq!(message, expected);
    }

    #[test]
    fn counts() {
        let check = |text: &str, status, good: bool| {
            let found = Found { status, proved: 3, inferred: 0, diagnostics: Vec::new() };
            assert_eq!(count_difference(&annotations(text).0, &found).is_none(), good, "{text}");
        };
        check("//@ proved: 3", Status::Proved, true);
        check("//@ proved: 3", Status::Refuted, true);
        check("", Status::Refuted, true);
        check("", Status::Proved, false);
        check("//@ proved: 2", Status::Proved, false);
        check("//@ proved: 4", Status::Refuted, false);
    }
}
