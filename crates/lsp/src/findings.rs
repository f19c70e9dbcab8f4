//! Findings as the protocol tells them.

use crate::documents::{Document, uri};
use crate::places::Lines;
use diagnostic::Severity;
use driver::Run;
use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    Message,
};
use source::{SourceMap, Span};
use std::fmt::Write as _;

/// What is told at a place.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether the text was edited since.
    pub(crate) is_old: bool,
    /// The notice of the last check, by its number; none if a front end told it.
    pub(crate) notice: Option<usize>,
    told: Diagnostic,
}

/// Everything that a run says of its first file, but for what is allowed.
pub(crate) fn findings(run: &Run, is_checked: bool) -> Vec<Finding> {
    let Some(report) = run.files.first() else { return Vec::new() };
    let mut found = Vec::new();
    for (number, notice) in report.notices.iter().enumerate() {
        let told = &notice.diagnostic;
        let place = told.primary.span;
        if notice.allowed.is_some() || place.file != report.file {
            continue;
        }
        let mut message = told.message.clone();
        for note in &told.notes {
            let _ = write!(message, "\n{note}");
        }
        for help in &told.help {
            let _ = write!(message, "\nhelp: {help}");
        }
        let others = told.secondary.iter().map(|label| DiagnosticRelatedInformation {
            location: location(label.span, &run.sources),
            message: if label.text.is_empty() { "see here".to_owned() } else { label.text.clone() },
        });
        let mut related: Vec<DiagnosticRelatedInformation> = others.collect();
        related.extend(steps(report.run_of(notice), &run.sources));
        found.push(Finding {
            start: place.start as usize,
            end: place.end as usize,
            is_old: false,
            notice: is_checked.then_some(number),
            told: Diagnostic {
                severity: Some(severity(told.severity)),
                code: Some(Code::String(told.code.as_str().to_owned())),
                source: Some("rely".to_owned()),
                message: Message::String(message),
                related_information: Some(related),
                ..Diagnostic::default()
            },
        });
    }
    found
}

/// The steps of a run, in order, each with its thread.
fn steps<'a>(
    trace: Option<&'a verdict::Trace>,
    sources: &'a SourceMap,
) -> impl Iterator<Item = DiagnosticRelatedInformation> + 'a {
    let steps =
        trace.into_iter().flat_map(|trace| (1..).zip(&trace.steps).map(move |one| (trace, one)));
    steps.filter_map(|(trace, (number, step))| {
        let lane = trace.lanes.get(step.lane).map_or("", |lane| lane.name.as_str());
        let changes = step.changes.iter().map(|change| format!("{} = {}", change.name, change.new));
        let changes: Vec<String> = changes.collect();
        let text = format!("{number}. {lane}: {} {}", step.text, changes.join(", "));
        let location = location(step.span?, sources);
        Some(DiagnosticRelatedInformation { location, message: text.trim_end().to_owned() })
    })
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Unknown => DiagnosticSeverity::Warning,
        Severity::Warning => DiagnosticSeverity::Information,
    }
}

/// A place in any file of a run.
pub(crate) fn location(span: Span, sources: &SourceMap) -> Location {
    let file = sources.file(span.file);
    let range = Lines::of(&file.text).range(&file.text, (span.start as usize, span.end as usize));
    Location { uri: uri(&file.name), range }
}

impl Document {
    /// What the editor is to show. What is old is greyed.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let shown = self.findings.iter().map(|finding| Diagnostic {
            range: self.range((finding.start, finding.end)),
            severity: if finding.is_old {
                Some(DiagnosticSeverity::Hint)
            } else {
                finding.told.severity
            },
            tags: finding.is_old.then(|| vec![DiagnosticTag::Unnecessary]),
            ..finding.told.clone()
        });
        shown.collect()
    }
}
