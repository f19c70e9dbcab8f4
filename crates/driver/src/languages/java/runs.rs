//! Real runs: they confirm what is refuted, and must not contradict what is proved.

use crate::findings::Findings;
use diagnostic::Code;
use java::play::{End, Failure, Play, Wanted};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Halt, Obligation, Verdict};

/// How many runs are made for each method of which something is open.
const RUNS: u64 = 300;

/// How many instructions the runs for one method have together.
const INSTRUCTIONS: usize = 150_000;

/// How many runs are made of what is proved.
const SECOND_OPINION: u64 = 40;

/// How many instructions they have together.
const SECOND_INSTRUCTIONS: usize = 40_000;

/// Looks for runs. Those that show what is refuted replace the runs that annotations allow. Gives
/// what goes wrong in a run that calls nothing but methods that are proved.
pub(super) fn look(play: &Play, methods: &mut [(Span, Findings)], halt: &Halt) -> Option<Failure> {
    for (head, found) in methods.iter_mut() {
        if halt.reason().is_some() {
            return None;
        }
        if found.results().iter().any(|result| !matches!(result.verdict, Verdict::Proved(_))) {
            confirm(play, *head, found);
        }
    }
    contradiction(play, methods)
}

/// Replaces runs of a method by real ones.
fn confirm(play: &Play, head: Span, found: &mut Findings) {
    let wanted = Wanted { may: &|_| true, about: Some(head) };
    let failures = play.failures(0..RUNS, INSTRUCTIONS, &wanted);
    let mut best: BTreeMap<(Code, Span), (usize, u64, Failure)> = BTreeMap::new();
    for (failure, (length, seed)) in failures {
        for place in places(&failure, head) {
            let run = (length, seed, failure);
            let known = best.entry(place).or_insert(run);
            *known = (*known).min(run);
        }
    }
    found.confirm(|about: &Obligation| {
        let (_, seed, failure) = best.get(&(kind(about.code), about.span))?;
        play.shown(*seed, &wanted, failure)
    });
}

/// The places of a method at which a failure shows what goes wrong. Of two accesses, both do.
fn places(failure: &Failure, head: Span) -> Vec<(Code, Span)> {
    let own = (failure.root == head).then_some((kind(failure.code), failure.span));
    let other = failure.other.filter(|(_, root)| *root == head);
    own.into_iter().chain(other.map(|(span, _)| (kind(failure.code), span))).collect()
}

/// An access without the lock that is asked for is part of a race.
fn kind(code: Code) -> Code {
    if code == Code::UnguardedAccess { Code::DataRace } else { code }
}

/// What goes wrong in a run that calls nothing but methods that are proved, without any assumption.
fn contradiction(play: &Play, methods: &[(Span, Findings)]) -> Option<Failure> {
    let is_proved = |found: &Findings| found.is_proved() && found.assumptions.is_empty();
    let open = methods.iter().filter(|(_, found)| !is_proved(found));
    let open: BTreeSet<Span> = open.map(|(head, _)| *head).collect();
    let all = methods.iter().map(|(head, _)| *head);
    let proved: BTreeSet<Span> = all.filter(|head| !open.contains(head)).collect();
    let wanted = Wanted { may: &|head| proved.contains(&head), about: None };
    let mut shown = None;
    play.runs(0..SECOND_OPINION, SECOND_INSTRUCTIONS, &wanted, |_, run| {
        if let End::Failed(failure) = run.end
            && run.roots.iter().all(|root| proved.contains(root))
        {
            shown = Some(failure);
        }
        shown.is_none()
    });
    shown
}
