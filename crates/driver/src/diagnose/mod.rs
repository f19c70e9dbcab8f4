//! Verdicts as diagnostics.

mod lanes;
mod refuted;

pub(crate) use lanes::lanes;
pub(crate) use refuted::{Told, not_transitive, note_on_trace, undecided};

use crate::decide::Decided;
use diagnostic::{Code, Diagnostic};
use source::Span;
use verdict::StopReason;

/// The code under which a reason to stop is reported.
pub(crate) fn code_of(reason: &StopReason) -> Code {
    match reason {
        StopReason::ResourceLimit
        | StopReason::Timeout
        | StopReason::MemoryLimit
        | StopReason::Cancelled => Code::LimitReached,
        StopReason::SolverGaveUp(_) | StopReason::SolverFailed(_) => Code::SolverFailed,
        StopReason::Unrolled(_) => Code::BoundReached,
        StopReason::Unsupported(_) => Code::Unsupported,
        StopReason::Engine(_) => Code::Engine,
        StopReason::Missing(_) => Code::AnnotationMissing,
        StopReason::Unconfirmed(_) => Code::AlarmUnconfirmed,
        StopReason::InternalError(_) => Code::InternalError,
    }
}

/// A diagnostic for something without a verdict.
pub(crate) fn unknown(reason: &StopReason, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(code_of(reason), span, reason.to_string());
    match reason {
        StopReason::ResourceLimit | StopReason::Timeout => {
            diagnostic.help("give it more with `--timeout SECONDS`, a search with `--states N`, or split the formula")
        }
        StopReason::InternalError(_) => {
            diagnostic.help("this is a defect of Rely; please report it with the input")
        }
        StopReason::Engine(_) => {
            diagnostic.help("leave `--engine` away, or say `--engine deductive`")
        }
        _ => diagnostic,
    }
}

/// There is no initial store, so that there are no runs.
pub(crate) fn contradictory_init(span: Span) -> Diagnostic {
    Diagnostic::new(Code::ContradictoryInit, span, "no initial store exists")
        .note("there are no runs, so that nothing is proved or refuted")
        .help("initial values and `init` conditions exclude each other; mend one of them")
}

/// Something was shown by visiting all states of a program without relies.
pub(crate) fn by_search_alone(span: Span) -> Diagnostic {
    let text = "proved by visiting every state; without a rely, deduction alone does not show it";
    Diagnostic::new(Code::AnnotationsTooWeak, span, text)
        .help("with a rely, the proof does not depend on the number of states")
}

/// Warnings about specifications that say less than they seem to.
pub(crate) fn uncovered(task: &Decided) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for id in &task.uncovered {
        let about = &task.prepared.task.obligations[id.0 as usize];
        let diagnostic = Diagnostic::new(about.code, about.span, about.failed.clone());
        out.push(match about.code {
            Code::UnreachableCode => diagnostic
                .note("the invariant, the rely or an assumption excludes every store in which it could be executed"),
            Code::ContradictoryInvariant => diagnostic.note("no run exists, so everything else is proved vacuously"),
            Code::TrivialRely => diagnostic.help("remove it, or say which variables others leave alone"),
            _ => diagnostic,
        });
    }
    // Of a stretch of unreachable statements, the first tells all.
    let mut seen_unreachable = false;
    out.retain(|diagnostic| {
        let unreachable = diagnostic.code == Code::UnreachableCode;
        !unreachable || !std::mem::replace(&mut seen_unreachable, true)
    });
    out
}

/// A procedure without callers.
pub(crate) fn unused_procedure(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        Code::UnusedProcedure,
        span,
        format!("no thread calls `{name}`: it is not verified"),
    )
    .help("call it from a thread, or remove it")
}

/// A file without anything to verify is not green.
pub(crate) fn nothing(start: Span) -> Diagnostic {
    Diagnostic::new(Code::NothingToVerify, start, "this file has nothing to verify")
        .help("add a thread with an assertion, or an invariant")
}
