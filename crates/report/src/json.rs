//! The run as one JSON document, described by `docs/format.schema.json`. Keys stay; new ones may
//! come.

use crate::text::severity_word;
use diagnostic::Diagnostic;
use driver::{Allowed, FileReport, Finding, Language, ObligationResult, Run, Status, findings};
use serde::Serialize;
use source::{SourceMap, Span};
use verdict::{
    Confirmation, Evidence, Ground, MessageKind, Sequence, StepKind, StopReason, TaskName, Trace,
    Verdict,
};

/// The document, ending in a newline.
pub fn json(run: &Run) -> String {
    let document = Document {
        format: 2,
        exit_code: run.exit_code(),
        unknown_options: run.unknown_options.iter().map(ToString::to_string).collect(),
        unreadable: &run.unreadable,
        unfit_solver: run.unfit_solver.as_deref(),
        only: &run.only,
        files: run
            .files
            .iter()
            .zip(findings(run))
            .map(|(file, found)| file_view(file, found, &run.sources))
            .collect(),
    };
    let mut text =
        serde_json::to_string_pretty(&document).expect("internal error: plain data serializes");
    text.push('\n');
    text
}

/// A run alone, as it stands in the document.
pub fn run_value(trace: &Trace, sources: &SourceMap) -> serde_json::Value {
    serde_json::to_value(trace_view(trace, sources)).expect("internal error: plain data serializes")
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    exit_code: u8,
    unknown_options: Vec<String>,
    unreadable: &'a [String],
    unfit_solver: Option<&'a str>,
    only: &'a [String],
    files: Vec<FileView<'a>>,
}

#[derive(Serialize)]
struct FileView<'a> {
    name: &'a str,
    language: &'static str,
    status: &'static str,
    diagnostics: Vec<DiagnosticView<'a>>,
    obligations: Vec<ObligationView<'a>>,
    traces: Vec<TraceView<'a>>,
    searches: &'a [String],
    assumptions: Vec<AssumptionView<'a>>,
    uses: Vec<Uses<'a>>,
    /// The annotations that nobody wrote and that the results stand on.
    inferred: &'a [String],
}

#[derive(Serialize)]
struct AssumptionView<'a> {
    place: Place<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct DiagnosticView<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    place: Place<'a>,
    label: &'a str,
    related: Vec<Related<'a>>,
    notes: &'a [String],
    help: &'a [String],
    /// The obligation that it is about, by its position.
    obligation: Option<usize>,
    /// The run that shows it, by its position.
    trace: Option<usize>,
    /// The same for the same finding in another version of the text.
    fingerprint: String,
    /// Why it does not count, if somebody decided to live with it.
    allowed: Option<AllowedView<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
enum AllowedView<'a> {
    Comment { reason: &'a str },
    Baseline,
    Settings,
}

#[derive(Serialize)]
struct Related<'a> {
    place: Place<'a>,
    label: &'a str,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    /// In bytes from the start of the text.
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct TaskView<'a> {
    kind: &'static str,
    name: &'a str,
}

#[derive(Serialize)]
struct Uses<'a> {
    task: TaskView<'a>,
    /// The procedures whose specifications the task stands on.
    procedures: &'a [String],
}

#[derive(Serialize)]
struct ObligationView<'a> {
    task: TaskView<'a>,
    code: &'static str,
    place: Place<'a>,
    declared: Option<Place<'a>>,
    verdict: &'static str,
    evidence: Option<EvidenceView<'a>>,
    reason: Option<Reason>,
    engine: &'static str,
    seconds: f64,
    /// How many questions the solver answered, and how many answers were remembered.
    asked: u64,
    remembered: u64,
    trace: Option<usize>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum EvidenceView<'a> {
    Unsat { solver: &'a str },
    Exhausted { states: u64 },
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    text: String,
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
    calls: Vec<Place<'a>>,
    heap: Vec<ObjectView<'a>>,
    sequence: Option<SequenceView<'a>>,
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
    place: Option<Place<'a>>,
    text: &'a str,
    changes: Vec<ChangeView<'a>>,
}

#[derive(Serialize)]
struct ChangeView<'a> {
    name: &'a str,
    old: Option<&'a str>,
    new: &'a str,
}

#[derive(Serialize)]
struct ObjectView<'a> {
    name: &'a str,
    variables: &'a [String],
    cells: Vec<CellView<'a>>,
}

#[derive(Serialize)]
struct CellView<'a> {
    name: &'a str,
    value: Option<&'a str>,
    permission: Option<&'a str>,
}

#[derive(Serialize)]
struct SequenceView<'a> {
    lifelines: Vec<LifelineView<'a>>,
    messages: Vec<MessageView<'a>>,
    circle: Vec<Waits>,
}

#[derive(Serialize)]
struct LifelineView<'a> {
    name: &'a str,
    is_thread: bool,
}

#[derive(Serialize)]
struct MessageView<'a> {
    from: usize,
    to: usize,
    kind: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct Waits {
    thread: usize,
    unit: usize,
}

fn file_view<'a>(
    file: &'a FileReport,
    findings: Vec<Finding>,
    sources: &'a SourceMap,
) -> FileView<'a> {
    let mut traces: Vec<&Trace> = Vec::new();
    let mut number = |trace: &'a Trace| {
        let known = traces.iter().position(|known| std::ptr::eq(*known, trace));
        known.unwrap_or_else(|| {
            traces.push(trace);
            traces.len() - 1
        })
    };
    let mut obligations = Vec::new();
    for result in &file.results {
        let trace = match &result.verdict {
            Verdict::Refuted(trace) => Some(number(trace)),
            Verdict::Proved(_) | Verdict::Unknown(_) => None,
        };
        obligations.push(obligation_view(result, trace, sources));
    }
    let mut diagnostics = Vec::new();
    for (notice, finding) in file.notices.iter().zip(findings) {
        let obligation = notice.about.map(driver::ResultId::index);
        let trace = file.run_of(notice).map(&mut number);
        let allowed = notice.allowed.as_ref().map(|allowed| match allowed {
            Allowed::Comment { reason } => AllowedView::Comment { reason },
            Allowed::Baseline => AllowedView::Baseline,
            Allowed::Settings => AllowedView::Settings,
        });
        let view = diagnostic_view(&notice.diagnostic, sources);
        let fingerprint = finding.fingerprint;
        diagnostics.push(DiagnosticView { obligation, trace, fingerprint, allowed, ..view });
    }
    let name = sources.file(file.file).name.as_str();
    FileView {
        name,
        language: Language::of(name).name(),
        status: status_word(file.status),
        diagnostics,
        obligations,
        traces: traces.into_iter().map(|trace| trace_view(trace, sources)).collect(),
        searches: &file.searches,
        assumptions: file
            .assumptions
            .iter()
            .map(|(span, text)| AssumptionView { place: place(*span, sources), text })
            .collect(),
        uses: file
            .uses
            .iter()
            .map(|(task, procedures)| Uses { task: task_view(task), procedures })
            .collect(),
        inferred: &file.inferred,
    }
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Proved => "proved",
        Status::NothingToVerify => "nothing-to-verify",
        Status::Unknown => "unknown",
        Status::Rejected => "rejected",
        Status::Refuted => "refuted",
        Status::InternalError => "internal-error",
    }
}

fn diagnostic_view<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> DiagnosticView<'a> {
    DiagnosticView {
        code: diagnostic.code.as_str(),
        severity: severity_word(diagnostic.severity),
        message: &diagnostic.message,
        place: place(diagnostic.primary.span, sources),
        label: &diagnostic.primary.text,
        related: diagnostic
            .secondary
            .iter()
            .map(|label| Related { place: place(label.span, sources), label: &label.text })
            .collect(),
        notes: &diagnostic.notes,
        help: &diagnostic.help,
        obligation: None,
        trace: None,
        fingerprint: String::new(),
        allowed: None,
    }
}

fn task_view(task: &TaskName) -> TaskView<'_> {
    TaskView { kind: task.kind.word(), name: &task.name }
}

fn obligation_view<'a>(
    result: &'a ObligationResult,
    trace: Option<usize>,
    sources: &'a SourceMap,
) -> ObligationView<'a> {
    let (verdict, evidence, reason) = match &result.verdict {
        Verdict::Proved(evidence) => ("proved", Some(evidence_view(evidence)), None),
        Verdict::Refuted(_) => ("refuted", None, None),
        Verdict::Unknown(reason) => {
            let (kind, text) = (reason_word(reason), reason.to_string());
            ("unknown", None, Some(Reason { kind, text }))
        }
    };
    ObligationView {
        task: task_view(&result.task),
        code: result.obligation.code.as_str(),
        place: place(result.obligation.span, sources),
        declared: result.obligation.declared.map(|span| place(span, sources)),
        verdict,
        evidence,
        reason,
        engine: result.engine,
        seconds: result.effort.time.as_secs_f64(),
        asked: result.effort.asked,
        remembered: result.effort.remembered,
        trace,
    }
}

fn evidence_view(evidence: &Evidence) -> EvidenceView<'_> {
    match evidence.ground() {
        Ground::Unsat { solver } => EvidenceView::Unsat { solver },
        Ground::Exhausted { states } => EvidenceView::Exhausted { states },
    }
}

fn reason_word(reason: &StopReason) -> &'static str {
    match reason {
        StopReason::ResourceLimit => "resource-limit",
        StopReason::Timeout => "timeout",
        StopReason::MemoryLimit => "memory-limit",
        StopReason::SolverGaveUp(_) => "solver-gave-up",
        StopReason::SolverFailed(_) => "solver-failed",
        StopReason::Unrolled(_) => "unrolled",
        StopReason::Unsupported(_) => "unsupported",
        StopReason::Assumed(_) => "assumed",
        StopReason::Engine(_) => "engine",
        StopReason::InternalError(_) => "internal-error",
        StopReason::Unconfirmed(_) => "unconfirmed",
        StopReason::Missing(_) => "missing",
        StopReason::Cancelled => "cancelled",
    }
}

fn trace_view<'a>(trace: &'a Trace, sources: &'a SourceMap) -> TraceView<'a> {
    TraceView {
        confirmation: trace.confirmation.word(),
        from_precondition: trace.confirmation == Confirmation::Allowed,
        candidate: trace.confirmation == Confirmation::Candidate,
        lanes: trace.lanes.iter().map(|lane| lane.name.as_str()).collect(),
        initial: trace.initial.iter().map(|(name, value)| Value { name, value }).collect(),
        steps: trace.steps.iter().map(|step| step_view(step, sources)).collect(),
        calls: trace.calls.iter().map(|span| place(*span, sources)).collect(),
        heap: trace.heap.iter().map(object_view).collect(),
        sequence: trace.sequence.as_deref().map(sequence_view),
    }
}

fn step_view<'a>(step: &'a verdict::Step, sources: &'a SourceMap) -> StepView<'a> {
    let change = |change: &'a verdict::Change| ChangeView {
        name: &change.name,
        old: change.old.as_deref(),
        new: &change.new,
    };
    StepView {
        lane: step.lane,
        kind: match step.kind {
            StepKind::Statement => "statement",
            StepKind::Environment => "environment",
            StepKind::LoopHead => "loop-head",
            StepKind::Violation => "violation",
        },
        place: step.span.map(|span| place(span, sources)),
        text: &step.text,
        changes: step.changes.iter().map(change).collect(),
    }
}

fn object_view(object: &verdict::Object) -> ObjectView<'_> {
    let cells = object.cells.iter().map(|cell| CellView {
        name: &cell.name,
        value: cell.value.as_deref(),
        permission: cell.permission.as_deref(),
    });
    let cells = cells.collect();
    ObjectView { name: &object.name, variables: &object.variables, cells }
}

fn sequence_view(sequence: &Sequence) -> SequenceView<'_> {
    let lifelines = sequence.lifelines.iter();
    let messages = sequence.messages.iter();
    SequenceView {
        lifelines: lifelines
            .map(|one| LifelineView { name: &one.name, is_thread: one.is_thread })
            .collect(),
        messages: messages
            .map(|one| MessageView {
                from: one.from,
                to: one.to,
                kind: match one.kind {
                    MessageKind::Step => "step",
                    MessageKind::Call => "call",
                    MessageKind::Return => "return",
                    MessageKind::Acquire => "acquire",
                    MessageKind::Release => "release",
                    MessageKind::Wait => "wait",
                },
                text: &one.text,
            })
            .collect(),
        circle: sequence.circle.iter().map(|&(thread, unit)| Waits { thread, unit }).collect(),
    }
}

fn place(span: Span, sources: &SourceMap) -> Place<'_> {
    let file = sources.file(span.file);
    let (line, column) = file.line_column(span.start);
    let (end_line, end_column) = file.line_column(span.end);
    let Span { start, end, .. } = span;
    Place { file: &file.name, line, column, end_line, end_column, start, end }
}
