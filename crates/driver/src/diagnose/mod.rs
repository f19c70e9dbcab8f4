//! Verdicts as diagnostics.

mod lanes;
mod refuted;

pub(crate) use lanes::lanes;
pub(crate) use refuted::{Told, label_of, not_transitive, note_on_trace, undecided};

use crate::decide::Decided;
use diagnostic::{Code, Diagnostic};
use source::Span;
use verdict::StopReason;

/// The code under which a reason to stop is reported.
pub(crate) fn code_of(reason: &StopReason) -> &'static str {
    match reason {
        StopReason::ResourceLimit
        | StopReason::Timeout
        | StopReason::MemoryLimit
        | StopReason::Cancelled => "limit-reached",
        StopReason::SolverGaveUp(_) | StopReason::SolverFailed(_) => "solver-failed",
        StopReason::Unrolled(_) => "bound-reached",
        StopReason::Unsupported(_) => "unsupported",
        StopReason::Engine(_) => "engine",
        StopReason::Missing(_) => "annotation-missing",
        StopReason::Unconfirmed(_) => "alarm-unconfirmed",
        StopReason::InternalError(_) => "internal-error",
    }
}

/// A diagnostic for something without a verdict.
pub(crate) fn unknown(reason: &StopReason, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::of(code_of(reason)), span, reason.to_string());
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
    Diagnostic::new(Code::of("contradictory-init"), span, "no initial store exists")
        .note("there are no runs, so that nothing is proved or refuted")
        .help("initial values and `init` conditions exclude each other; mend one of them")
}

/// Something was shown by visiting all states of a program without relies.
pub(crate) fn by_search_alone(span: Span) -> Diagnostic {
    let text = "proved by visiting every state; without a rely, deduction alone does not show it";
    Diagnostic::new(Code::of("annotations-too-weak"), span, text)
        .help("with a rely, the proof does not depend on the number of states")
}

/// Warnings about specifications that say less than they seem to.
pub(crate) fn uncovered(task: &Decided) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for id in &task.uncovered {
        let about = &task.prepared.task.obligations[id.0 as usize];
        let diagnostic = Diagnostic::new(Code::of(about.code), about.span, about.failed.clone());
        out.push(match about.code {
            "unreachable-code" => diagnostic
                .note("the invariant, the rely or an assumption excludes every store in which it could be executed"),
            "contradictory-invariant" => diagnostic.note("no run exists, so everything else is proved vacuously"),
            "trivial-rely" => diagnostic.help("remove it, or say which variables others leave alone"),
            _ => diagnostic,
        });
    }
    // Of a stretch of unreachable statements, the first tells all.
    let mut seen_unreachable = false;
    out.retain(|diagnostic| {
        let unreachable = diagnostic.code.as_str() == "unreachable-code";
        !unreachable || !std::mem::replace(&mut seen_unreachable, true)
    });
    out
}

/// A procedure without callers.
pub(crate) fn unused_procedure(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        Code::of("unused-procedure"),
        span,
        format!("no thread calls `{name}`: it is not verified"),
    )
    .help("call it from a thread, or remove it")
}

/// A label that a formula asks for in vain.
pub(crate) fn unreachable_label(about: &machine::UnreachableLabel) -> Diagnostic {
    let text = format!("no thread ever stands at `{}`", about.name);
    Diagnostic::new(Code::of("unreachable-label"), about.label, text)
        .label(about.asked, "this is never true of it")
        .help("an atomic block is one step; a label before `atomic` is where a thread waits for it")
}

/// A file without anything to verify is not green.
pub(crate) fn nothing(start: Span) -> Diagnostic {
    Diagnostic::new(Code::of("nothing-to-verify"), start, "this file has nothing to verify")
        .help("add a thread with an assertion, or an invariant")
}
