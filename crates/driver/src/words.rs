//! What is said in every language.

use diagnostic::{Code, Diagnostic};
use source::Span;
use verdict::{Confirmation, Obligation, StepKind, StopReason, Trace};

/// The code under which a reason to stop is reported.
fn code_of(reason: &StopReason) -> Code {
    match reason {
        StopReason::ResourceLimit
        | StopReason::Timeout
        | StopReason::MemoryLimit
        | StopReason::Cancelled => Code::LimitReached,
        StopReason::SolverGaveUp(_) | StopReason::SolverFailed(_) => Code::SolverFailed,
        StopReason::Unrolled(_) => Code::BoundReached,
        StopReason::Unsupported(_) => Code::Unsupported,
        StopReason::Assumed(_) => Code::Assumed,
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
        StopReason::Assumed(_) => {
            diagnostic.help("leave `--strict` away to take it for granted")
        }
        StopReason::Engine(_) => {
            diagnostic.help("leave `--engine` away, or ask for another one")
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

/// A diagnostic for an obligation without a verdict.
pub(crate) fn undecided(reason: &StopReason, span: Span, code: Code) -> Diagnostic {
    unknown(reason, span).at(format!("not decided whether: {}", code.info().summary))
}

/// What else is open because of something that is not supported.
pub(crate) fn hanging(others: usize) -> String {
    match others {
        1 => "1 more obligation is not decided because of it".to_owned(),
        _ => format!("{others} more obligations are not decided because of it"),
    }
}

/// A warning about a specification that says less than it seems to.
pub(crate) fn hygiene(about: &Obligation) -> Diagnostic {
    let mut warning = Diagnostic::new(about.code, about.span, about.failed.clone());
    if let Some(declared) = about.declared {
        warning = warning.label(declared, "given here");
    }
    warning.help.extend(about.help.clone());
    match about.code {
        Code::UnreachableCode => {
            warning.note("annotations or assumptions exclude every state in which it is executed")
        }
        Code::ContradictoryInvariant => {
            warning.note("no run exists, so everything else is proved vacuously")
        }
        Code::TrivialRely => warning.help("remove it, or say which variables others leave alone"),
        _ => warning,
    }
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

/// A label that a formula asks for in vain.
pub(crate) fn unreachable_label(about: &machine::UnreachableLabel) -> Diagnostic {
    let text = format!("no thread ever stands at `{}`", about.name);
    Diagnostic::new(Code::UnreachableLabel, about.label, text)
        .label(about.asked, "this is never true of it")
        .help("an atomic block is one step; a label before `atomic` is where a thread waits for it")
}

/// A file without anything to verify is not green.
pub(crate) fn nothing(start: Span) -> Diagnostic {
    Diagnostic::new(Code::NothingToVerify, start, "this file has nothing to verify")
        .help("add a thread with an assertion, or an invariant")
}

/// What a real run shows, with the name of the thread that does it.
pub(crate) fn refuted(about: &Obligation, trace: &Trace) -> String {
    let last = trace.steps.last().and_then(|step| trace.lanes.get(step.lane));
    match (about.code, last) {
        (Code::RelyViolated, Some(lane)) => {
            format!("{} does what another thread relies on not to happen", lane.name)
        }
        (Code::InvariantBroken, Some(lane)) => {
            about.failed.replacen("this step", &format!("a step of {}", lane.name), 1)
        }
        _ => about.failed.clone(),
    }
}

/// Whether the run is real, which every refutation says.
pub(crate) fn confirmation(diagnostic: Diagnostic, trace: &Trace) -> Diagnostic {
    let from_loop = trace.steps.iter().any(|step| step.kind == StepKind::LoopHead);
    let note = match trace.confirmation {
        Confirmation::Confirmed => "confirmed: this run was repeated step by step",
        Confirmation::Allowed => {
            "confirmed: this run was repeated step by step, from a state that the precondition allows"
        }
        Confirmation::Open => {
            "open: the annotations allow this; no run of the program was found that does it"
        }
        Confirmation::Candidate => {
            "open: a candidate; the solver could not decide a formula with quantifiers or maps, so this may be impossible"
        }
        Confirmation::Excluded => {
            "excluded: every state of the program was visited and no real run does this; the annotations allow more than the threads do"
        }
    };
    let diagnostic = diagnostic.note(note);
    if from_loop {
        diagnostic.help("if no real run looks like this, a loop invariant is missing or too weak")
    } else {
        diagnostic
    }
}
