//! What to say of an obligation that does not hold.

use super::lanes::lanes;
use super::unknown;
use crate::decide::Witness;
use crate::run::ObligationResult;
use diagnostic::{Code, Diagnostic};
use source::{SourceMap, Span};
use verdict::{Confirmation, Obligation, Trace, Verdict};

/// What there is to say about a failure of deduction.
pub(crate) struct Told<'a> {
    pub(crate) about: &'a Obligation,
    pub(crate) witness: Witness<'a>,
    pub(crate) trace: &'a Trace,
}

/// The diagnostic for a result without a run: none if it is a proof.
pub(crate) fn undecided(result: &ObligationResult) -> Option<Diagnostic> {
    let about = &result.obligation;
    let Verdict::Unknown(reason) = &result.verdict else { return None };
    let what = about.code.info().summary;
    Some(unknown(reason, about.span).at(format!("not decided whether: {what}")))
}

impl Told<'_> {
    /// The obligation is refuted.
    pub(crate) fn refuted(&self, sources: &SourceMap) -> Diagnostic {
        let Self { about, trace, witness, .. } = self;
        let text = message(about, trace, *witness);
        self.with_run(Diagnostic::new(about.code, about.span, text), sources)
    }

    /// The obligation fails for lack of annotations, as far as is known.
    pub(crate) fn missing(&self, what: &str, sources: &SourceMap) -> Diagnostic {
        let text = format!("{what}: {}", self.about.failed);
        let code = Code::AnnotationMissing;
        self.with_run(Diagnostic::new(code, self.about.span, text), sources)
    }

    /// The obligation holds in every run, which the annotations do not show.
    pub(crate) fn too_weak(&self, sources: &SourceMap) -> Diagnostic {
        let text = "this holds in every run, but the annotations do not show it";
        let code = Code::AnnotationsTooWeak;
        self.with_run(Diagnostic::new(code, self.about.span, text), sources)
    }

    fn with_run(&self, mut diagnostic: Diagnostic, sources: &SourceMap) -> Diagnostic {
        let Self { about, witness, trace } = *self;
        let expected = modular::expected(witness.task, witness.failure, about.code);
        if expected.labels.is_empty() {
            for span in failed_places(witness) {
                if span != about.span {
                    diagnostic = diagnostic.label(span, about.code.info().label);
                }
            }
        }
        for (span, text) in expected.labels {
            diagnostic = diagnostic.label(span, text);
        }
        if let Some(declared) = about.declared.filter(|_| about.code == Code::NotAtomic) {
            diagnostic = diagnostic.label(declared, "this should act like one step");
        }
        if let Some(note) = expected.note {
            diagnostic = diagnostic.note(note);
        }
        diagnostic.picture = lanes(trace, sources);
        diagnostic = note_on_trace(diagnostic, trace);
        diagnostic.help.extend(about.help.clone());
        // What others change matters little to what this thread does to them.
        if about.code != Code::RelyViolated {
            diagnostic.help.extend(modular::advice(witness.task, witness.failure));
        }
        diagnostic
    }
}

/// A rely that two steps break: shows the three stores.
pub(crate) fn not_transitive(
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
    let mut diagnostic = Diagnostic::new(about.code, about.span, message);
    for span in witness.map(failed_places).unwrap_or_default() {
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
        (Code::RelyViolated, Some(thread)) => {
            format!("{thread} does what {other} relies on not to happen")
        }
        (Code::InvariantBroken, Some(thread)) => {
            about.failed.replacen("this step", &format!("a step of {thread}"), 1)
        }
        _ => about.failed.clone(),
    }
}

/// The parts that are false in the run; if they are all parts of the statement itself, they say little.
fn failed_places(witness: Witness<'_>) -> Vec<Span> {
    let places = witness.task.parts.get(&witness.id).map(Vec::as_slice).unwrap_or_default();
    let mut spans: Vec<Span> =
        witness.failure.failed_parts.iter().filter_map(|&part| places.get(part).copied()).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// Whether the run is real, which every refutation says.
pub(crate) fn note_on_trace(diagnostic: Diagnostic, trace: &Trace) -> Diagnostic {
    let from_loop = trace.steps.iter().any(|step| step.kind == verdict::StepKind::LoopHead);
    let note = match trace.confirmation {
        Confirmation::Confirmed => "confirmed: this run was repeated step by step",
        Confirmation::Allowed => {
            "confirmed: this run was repeated step by step, from a state that the precondition allows"
        }
        Confirmation::Open => {
            "open: the annotations allow this; no run of the program was found that does it"
        }
        Confirmation::Candidate => {
            "open: a candidate; the solver could not decide a quantified formula, so this may be impossible"
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
