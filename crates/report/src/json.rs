//! The run as one JSON document. Keys stay; new ones may come.

use diagnostic::{Diagnostic, Severity};
use driver::{FileReport, ObligationResult, Run, Status};
use serde::Serialize;
use source::{SourceMap, Span};
use verdict::{Confirmation, Evidence, StepKind, Trace, Verdict};

/// The document, ending in a newline.
pub fn json(run: &Run) -> String {
    let document = Document {
        format: 1,
        exit_code: run.exit_code(),
        unknown_options: run.unknown_options.iter().map(ToString::to_string).collect(),
        unreadable: &run.unreadable,
        unfit_solver: run.unfit_solver.as_deref(),
        files: run.files.iter().map(|file| file_view(file, &run.sources)).collect(),
    };
    let mut text =
        serde_json::to_string_pretty(&document).expect("internal error: plain data serializes");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    exit_code: u8,
    unknown_options: Vec<String>,
    unreadable: &'a [String],
    unfit_solver: Option<&'a str>,
    files: Vec<FileView<'a>>,
}

#[derive(Serialize)]
struct FileView<'a> {
    name: &'a str,
    status: &'static str,
    diagnostics: Vec<DiagnosticView<'a>>,
    obligations: Vec<ObligationView<'a>>,
}

#[derive(Serialize)]
struct DiagnosticView<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    place: Place,
    label: &'a str,
    related: Vec<Related<'a>>,
    picture: &'a str,
    notes: &'a [String],
    help: &'a [String],
}

#[derive(Serialize)]
struct Related<'a> {
    place: Place,
    label: &'a str,
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct ObligationView<'a> {
    task: &'a str,
    code: &'static str,
    place: Place,
    declared: Option<Place>,
    verdict: &'static str,
    evidence: Option<String>,
    reason: Option<String>,
    trace: Option<TraceView<'a>>,
}

#[derive(Serialize)]
struct TraceView<'a> {
    /// `confirmed`, `excluded` or `open`.
    confirmation: &'static str,
    /// Whether the run starts in a state that a precondition allows, not at the program's start.
    from_precondition: bool,
    /// Whether the solver could not decide a quantifier.
    candidate: bool,
    lanes: Vec<&'a str>,
    initial: Vec<Value<'a>>,
    steps: Vec<StepView<'a>>,
}

#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct StepView<'a> {
    lane: usize,
    kind: &'static str,
    place: Option<Place>,
    text: &'a str,
    changes: Vec<ChangeView<'a>>,
}

#[derive(Serialize)]
struct ChangeView<'a> {
    name: &'a str,
    old: Option<&'a str>,
    new: &'a str,
}

fn file_view<'a>(file: &'a FileReport, sources: &'a SourceMap) -> FileView<'a> {
    FileView {
        name: &sources.file(file.file).name,
        status: match file.status {
            Status::Proved => "proved",
            Status::NothingToVerify => "nothing-to-verify",
            Status::Unknown => "unknown",
            Status::Rejected => "rejected",
            Status::Refuted => "refuted",
            Status::InternalError => "internal-error",
        },
        diagnostics: file.diagnostics.iter().map(|d| diagnostic_view(d, sources)).collect(),
        obligations: file.results.iter().map(|result| obligation_view(result, sources)).collect(),
    }
}

fn diagnostic_view<'a>(diagnostic: &'a Diagnostic, sources: &SourceMap) -> DiagnosticView<'a> {
    DiagnosticView {
        code: diagnostic.code.as_str(),
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Unknown => "unknown",
            Severity::Warning => "warning",
        },
        message: &diagnostic.message,
        place: place(diagnostic.primary.span, sources),
        label: &diagnostic.primary.text,
        related: diagnostic
            .secondary
            .iter()
            .map(|label| Related { place: place(label.span, sources), label: &label.text })
            .collect(),
        picture: &diagnostic.picture,
        notes: &diagnostic.notes,
        help: &diagnostic.help,
    }
}

fn obligation_view<'a>(result: &'a ObligationResult, sources: &SourceMap) -> ObligationView<'a> {
    let (verdict, evidence, reason, trace) = match &result.verdict {
        Verdict::Proved(evidence) => ("proved", Some(evidence_text(evidence)), None, None),
        Verdict::Refuted(trace) => ("refuted", None, None, Some(trace_view(trace, sources))),
        Verdict::Unknown(reason) => ("unknown", None, Some(reason.to_string()), None),
    };
    ObligationView {
        task: &result.task,
        code: result.obligation.code.as_str(),
        place: place(result.obligation.span, sources),
        declared: result.obligation.declared.map(|span| place(span, sources)),
        verdict,
        evidence,
        reason,
        trace,
    }
}

fn evidence_text(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Unsat { solver } => format!("unsat by {solver}"),
        Evidence::Exhausted { states } => format!("all {states} states visited"),
    }
}

fn trace_view<'a>(trace: &'a Trace, sources: &SourceMap) -> TraceView<'a> {
    TraceView {
        confirmation: trace.confirmation.word(),
        from_precondition: trace.confirmation == Confirmation::Allowed,
        candidate: trace.confirmation == Confirmation::Candidate,
        lanes: trace.lanes.iter().map(|lane| lane.name.as_str()).collect(),
        initial: trace.initial.iter().map(|(name, value)| Value { name, value }).collect(),
        steps: trace
            .steps
            .iter()
            .map(|step| StepView {
                lane: step.lane,
                kind: match step.kind {
                    StepKind::Statement => "statement",
                    StepKind::Environment => "environment",
                    StepKind::LoopHead => "loop-head",
                    StepKind::Violation => "violation",
                },
                place: step.span.map(|span| place(span, sources)),
                text: &step.text,
                changes: step
                    .changes
                    .iter()
                    .map(|change| ChangeView {
                        name: &change.name,
                        old: change.old.as_deref(),
                        new: &change.new,
                    })
                    .collect(),
            })
            .collect(),
    }
}

fn place(span: Span, sources: &SourceMap) -> Place {
    let file = sources.file(span.file);
    let (line, column) = file.line_column(span.start);
    let (end_line, end_column) = file.line_column(span.end);
    Place { line, column, end_line, end_column }
}
