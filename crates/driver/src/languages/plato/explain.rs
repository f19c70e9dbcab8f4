//! What to say of an obligation that does not hold.

use crate::deduce::{Answer, Witness};
use crate::words;
use diagnostic::{Code, Diagnostic};
use modular::{Dropped, Task};
use source::Span;
use verdict::{Confirmation, Obligation, ObligationId, StepKind, StopReason, Trace};

/// A failure of deduction with the run that shows it.
pub(super) struct Explained<'a> {
    pub(super) about: &'a Obligation,
    pub(super) witness: Witness<'a, Task>,
    pub(super) trace: &'a Trace,
    /// Whether the program is written in another language, so that advice in Plato helps nobody.
    pub(super) translated: bool,
}

impl Explained<'_> {
    /// The obligation is refuted.
    pub(super) fn refuted(&self) -> Diagnostic {
        let Self { about, trace, witness, .. } = self;
        let other = if self.translated { Some("another thread") } else { None };
        let text = message(about, trace, *witness, other);
        self.with_run(Diagnostic::new(about.code, about.span, text))
    }

    /// The obligation fails for lack of annotations, as far as is known.
    pub(super) fn missing(&self, what: &str) -> Diagnostic {
        let text = format!("{what}: {}", self.about.failed);
        let code = Code::AnnotationMissing;
        self.with_run(Diagnostic::new(code, self.about.span, text))
    }

    /// Nothing is known; the run is something to look at.
    pub(super) fn doubtful(&self, reason: &StopReason) -> Diagnostic {
        self.with_run(words::undecided(reason, self.about.span, self.about.code))
    }

    /// The obligation holds in every run, which the annotations do not show.
    pub(super) fn too_weak(&self) -> Diagnostic {
        let text = "this holds in every run, but the annotations do not show it";
        let code = Code::AnnotationsTooWeak;
        self.with_run(Diagnostic::new(code, self.about.span, text))
    }

    fn with_run(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let Self { about, witness, trace, .. } = *self;
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
        if let Some(declared) = about.declared.filter(|_| self.translated) {
            let text = match about.code {
                Code::DataRace => Some("another access"),
                Code::UnguardedAccess => Some("this says which lock guards it"),
                Code::PreconditionFailed => Some("this is required"),
                // Relies and invariants are shown already.
                _ => None,
            };
            if let Some(text) = text {
                diagnostic = diagnostic.label(declared, text);
            }
        }
        if let Some(note) = expected.note {
            diagnostic = diagnostic.note(note);
        }
        for call in trace.calls.iter().filter(|call| **call != about.span).take(MAX_CALLS) {
            diagnostic = diagnostic.label(*call, "in this call");
        }
        for note in dropped(witness.task, trace) {
            diagnostic = diagnostic.note(note);
        }
        diagnostic = words::confirmation(diagnostic, trace);
        diagnostic.help.extend(about.help.clone());
        // What others change matters little to what this thread does to them.
        if about.code != Code::RelyViolated && !self.translated {
            diagnostic.help.extend(modular::advice(witness.task, witness.failure));
        }
        diagnostic
    }
}

/// Calls that are named around a failure, innermost first.
const MAX_CALLS: usize = 3;

/// What was guessed of the loops that the run takes for granted, and does not hold.
fn dropped(task: &Task, trace: &Trace) -> Vec<String> {
    let heads = trace.steps.iter().filter(|step| step.kind == StepKind::LoopHead);
    let heads: Vec<Span> = heads.filter_map(|step| step.span).collect();
    let of_run = task.dropped.iter().filter(|guess| heads.contains(&guess.span));
    let note = |guess: &Dropped| {
        let why = if guess.at_entry {
            "need not hold when the loop is entered"
        } else {
            "can be broken by an iteration or by others"
        };
        format!("the loop invariant `{}` was tried, but it {why}", guess.words)
    };
    of_run.map(note).collect()
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
        Answer::Failed(_, Some(reason)) => {
            format!("it is not known whether this rely is transitive: {reason}")
        }
        Answer::Proved(_) | Answer::Failed(_, None) => about.failed.clone(),
    };
    let mut diagnostic = Diagnostic::new(about.code, about.span, message);
    if let Answer::Failed(failure, _) = answer {
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
fn message(
    about: &Obligation,
    trace: &Trace,
    witness: Witness<'_, Task>,
    nameless: Option<&str>,
) -> String {
    let is_real = trace.confirmation == Confirmation::Confirmed;
    let last = trace.steps.last().and_then(|step| trace.lanes.get(step.lane));
    let thread = match last.filter(|_| is_real) {
        Some(lane) => Some(lane.name.clone()),
        None => modular::running_thread(witness.task, witness.failure),
    };
    let other = modular::other_thread(witness.task, witness.failure);
    let other = nameless.map(str::to_owned).or(other);
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
