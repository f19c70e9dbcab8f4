//! What to say of an obligation that does not hold.

use crate::deduce::{Answer, Witness};
use crate::words;
use diagnostic::{Code, Diagnostic};
use modular::Task;
use source::Span;
use verdict::{Confirmation, Obligation, ObligationId, Trace};

/// A failure of deduction with the run that shows it.
pub(super) struct Explained<'a> {
    pub(super) about: &'a Obligation,
    pub(super) witness: Witness<'a, Task>,
    pub(super) trace: &'a Trace,
}

impl Explained<'_> {
    /// The obligation is refuted.
    pub(super) fn refuted(&self) -> Diagnostic {
        let Self { about, trace, witness, .. } = self;
        let text = message(about, trace, *witness);
        self.with_run(Diagnostic::new(about.code, about.span, text))
    }

    /// The obligation fails for lack of annotations, as far as is known.
    pub(super) fn missing(&self, what: &str) -> Diagnostic {
        let text = format!("{what}: {}", self.about.failed);
        let code = Code::AnnotationMissing;
        self.with_run(Diagnostic::new(code, self.about.span, text))
    }

    /// The obligation holds in every run, which the annotations do not show.
    pub(super) fn too_weak(&self) -> Diagnostic {
        let text = "this holds in every run, but the annotations do not show it";
        let code = Code::AnnotationsTooWeak;
        self.with_run(Diagnostic::new(code, self.about.span, text))
    }

    fn with_run(&self, mut diagnostic: Diagnostic) -> Diagnostic {
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
        diagnostic = words::confirmation(diagnostic, trace);
        diagnostic.help.extend(about.help.clone());
        // What others change matters little to what this thread does to them.
        if about.code != Code::RelyViolated {
            diagnostic.help.extend(modular::advice(witness.task, witness.failure));
        }
        diagnostic
    }
}

/// A rely that two steps break: shows the three stores.
pub(super) fn not_transitive(
    task: &Task,
    (id, about): (ObligationId, &Obligation),
    answer: &Answer<'_>,
) -> Diagnostic {
    let message = match answer {
        Answer::Unknown(reason) => {
            format!("it is not known whether this rely is transitive: {reason}")
        }
        Answer::Proved(_) | Answer::Failed(_) => about.failed.clone(),
    };
    let mut diagnostic = Diagnostic::new(about.code, about.span, message);
    if let Answer::Failed(failure) = answer {
        for span in failed_places(Witness { task, id, failure }) {
            if span != about.span {
                diagnostic = diagnostic.label(span, "this part");
            }
        }
        let run = modular::trace(task, failure);
        for (primes, title) in ["", "'", "''"].into_iter().zip(["first", "then", "then"]) {
            diagnostic = diagnostic.note(format!("{title}: {}", store(&run, primes.len())));
        }
    }
    diagnostic
        .note(
            "the thread does not rely on this part: several steps of others are taken as one, \
             which needs transitivity",
        )
        .help(
            "write what holds after any number of steps, such as `x' >= x` instead of \
             `x' == x || x' == x + 1`",
        )
}

/// The values of the variables with this number of primes.
fn store(run: &Trace, primes: usize) -> String {
    let is_wanted = |name: &str| name.len() - name.trim_end_matches('\'').len() == primes;
    let values = run.initial.iter().filter(|(name, _)| is_wanted(name));
    let values = values.map(|(name, value)| format!("{} = {value}", name.trim_end_matches('\'')));
    values.collect::<Vec<_>>().join(", ")
}

/// The title, with the names of the threads in it.
fn message(about: &Obligation, trace: &Trace, witness: Witness<'_, Task>) -> String {
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

/// The parts that are false in the run; if they are all parts of the statement itself, they say
/// little.
fn failed_places(witness: Witness<'_, Task>) -> Vec<Span> {
    let places = witness.task.parts.get(&witness.id).map(Vec::as_slice).unwrap_or_default();
    let mut spans: Vec<Span> =
        witness.failure.failed_parts.iter().filter_map(|&part| places.get(part).copied()).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}
