//! What to say of an obligation that does not hold.

use super::lanes::lanes;
use super::unknown;
use crate::decide::Witness;
use crate::run::ObligationResult;
use diagnostic::{Code, Diagnostic};
use source::{SourceMap, Span};
use verdict::{Confirmation, Obligation, ObligationId, Trace, Verdict};

/// The diagnostic for a result that is not a proof.
pub(crate) fn result(
    id: ObligationId,
    result: &ObligationResult,
    witness: Option<Witness<'_>>,
    sources: &SourceMap,
) -> Option<Diagnostic> {
    let about = &result.obligation;
    match &result.verdict {
        Verdict::Proved(_) => None,
        Verdict::Unknown(reason) => {
            let what = Code::find(about.code).map_or("", |code| code.info().summary);
            Some(unknown(reason, about.span).at(format!("not decided whether: {what}")))
        }
        Verdict::Refuted(trace) => {
            let witness = witness?;
            let code = Code::of(about.code);
            let mut diagnostic = Diagnostic::new(code, about.span, message(about, trace, witness));
            let expected = modular::expected(witness.task, witness.failure, about.code);
            if expected.labels.is_empty() {
                for span in failed_places(id, witness) {
                    if span != about.span {
                        diagnostic = diagnostic.label(span, label_of(about.code));
                    }
                }
            }
            for (span, text) in expected.labels {
                diagnostic = diagnostic.label(span, text);
            }
            if let Some(declared) = about.declared.filter(|_| about.code == "not-atomic") {
                diagnostic = diagnostic.label(declared, "this should act like one step");
            }
            if let Some(note) = expected.note {
                diagnostic = diagnostic.note(note);
            }
            diagnostic.picture = lanes(trace, sources);
            diagnostic = note_on_trace(diagnostic, trace);
            diagnostic.help.extend(about.help.clone());
            // What others change matters little to what this thread does to them.
            if about.code != "rely-violated" {
                diagnostic.help.extend(modular::advice(witness.task, witness.failure));
            }
            Some(diagnostic)
        }
    }
}

/// A rely that two steps break: shows the three stores.
pub(crate) fn not_transitive(
    id: ObligationId,
    result: &ObligationResult,
    witness: Option<Witness<'_>>,
) -> Diagnostic {
    let about = &result.obligation;
    let message = match &result.verdict {
        Verdict::Unknown(reason) => {
            format!("it is not known whether this rely is transitive: {reason}")
        }
        Verdict::Proved(_) | Verdict::Refuted(_) => about.failed.clone(),
    };
    let mut diagnostic = Diagnostic::new(Code::of(about.code), about.span, message);
    for span in witness.map(|witness| failed_places(id, witness)).unwrap_or_default() {
        if span != about.span {
            diagnostic = diagnostic.label(span, "this part");
        }
    }
    if let Verdict::Refuted(trace) = &result.verdict {
        let stores = ["first", "then", "then"];
        let mut lines: Vec<String> = Vec::new();
        for (primes, title) in ["", "'", "''"].into_iter().zip(stores) {
            let wanted =
                |name: &str| name.len() - name.trim_end_matches('\'').len() == primes.len();
            let values: Vec<String> = trace
                .initial
                .iter()
                .filter(|(name, _)| wanted(name))
                .map(|(name, value)| format!("{} = {value}", name.trim_end_matches('\'')))
                .collect();
            lines.push(format!("{title}: {}", values.join(", ")));
        }
        diagnostic.picture = lines.join("\n");
    }
    diagnostic
        .note("the thread does not rely on this part: several steps of others are taken as one, which needs transitivity")
        .help("write what holds after any number of steps, such as `x' >= x` instead of `x' == x || x' == x + 1`")
}

/// The title, with the names of the threads in it.
fn message(about: &Obligation, trace: &Trace, witness: Witness<'_>) -> String {
    let is_real = trace.confirmation == Confirmation::Confirmed;
    let last = trace.steps.last().and_then(|step| trace.lanes.get(step.lane));
    let thread = match last.filter(|_| is_real) {
        Some(lane) => Some(lane.name.clone()),
        None => modular::running_thread(witness.task, witness.failure),
    };
    let other = modular::other_thread(witness.task, witness.failure);
    // The run that was found may have other threads than the one that was looked for.
    let other = other.filter(|other| !is_real || thread.as_ref() != Some(other));
    let other = other.unwrap_or_else(|| "another thread".to_owned());
    match (about.code, thread) {
        ("rely-violated", Some(thread)) => {
            format!("{thread} does what {other} relies on not to happen")
        }
        ("invariant-broken", Some(thread)) => {
            about.failed.replacen("this step", &format!("a step of {thread}"), 1)
        }
        _ => about.failed.clone(),
    }
}

pub(crate) fn label_of(code: &str) -> &'static str {
    match code {
        "rely-violated" => "this is relied on",
        "invariant-broken" => "this can become false",
        "never-reached" => "this can become true",
        "step-not-allowed" | "action-missing" => "the specification",
        "postcondition-failed" | "precondition-failed" => "this can be false",
        "release-not-held" => "may not be held here",
        "division-by-zero" | "index-out-of-range" | "value-out-of-range" => "here",
        _ => "this is false",
    }
}

/// The parts that are false in the run; if they are all parts of the statement itself, they say little.
fn failed_places(id: ObligationId, witness: Witness<'_>) -> Vec<Span> {
    let places = witness.task.parts.get(&id).map(Vec::as_slice).unwrap_or_default();
    let mut spans: Vec<Span> =
        witness.failure.failed_parts.iter().filter_map(|&part| places.get(part).copied()).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

pub(crate) fn note_on_trace(diagnostic: Diagnostic, trace: &Trace) -> Diagnostic {
    let from_loop = trace.steps.iter().any(|step| step.kind == verdict::StepKind::LoopHead);
    let diagnostic = match trace.confirmation {
        Confirmation::Confirmed => diagnostic.note("confirmed: this run was repeated step by step"),
        Confirmation::Allowed => diagnostic
            .note("confirmed: this run was repeated step by step, from a state that the precondition allows"),
        Confirmation::Unconfirmed => diagnostic,
        Confirmation::Excluded => diagnostic
            .note("no real run does this: every state of the program was visited; the rely or the invariant allows more than the threads do"),
        Confirmation::Candidate => diagnostic
            .note("a candidate: the solver could not decide a quantified formula, so this run may be impossible"),
    };
    if from_loop {
        diagnostic.help("if no real run looks like this, a loop invariant is missing or too weak")
    } else {
        diagnostic
    }
}
