//! Loop invariants that nobody wrote: guessed, and kept if they hold.

use super::plan::Plan;
use crate::deduce::{Prepared, prepare};
use crate::options::Options;
use gcl::{Candidate, Guess, Outcome, Patience, wrong_guesses};
use modular::{Dropped, Facts, Guesses, Task};
use plato::hir::Program;
use smt::Session;
use std::collections::{BTreeMap, BTreeSet};
use verdict::ObligationId;

/// The numbers of guesses that do not hold, with the obligations that fail if they are known.
type Wrong = BTreeMap<usize, Option<ObligationId>>;

/// A task whose loop invariants are guessed in part.
pub(super) struct Guessing<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) program: &'a Program,
    pub(super) facts: &'a Facts,
    pub(super) options: &'a Options,
}

impl Guessing<'_> {
    /// The task with the guesses that hold.
    pub(super) fn task(&self, session: &mut Session) -> Prepared<Task> {
        let switched = self.prepare(Guesses::Switched);
        if switched.task.candidates.is_empty() {
            return switched;
        }
        let question = session.remembers().then(|| {
            let (terms, graph) = (&switched.task.terms, &switched.graph);
            gcl::dump_smt(terms, graph, &switched.conditions)
        });
        let known = question.as_ref().and_then(|text| dropped_before(session, text));
        if let Some(dropped) = known {
            return self.without(&switched, &dropped);
        }
        let (prepared, dropped) = self.choose(session, &switched);
        if let Some(question) = question {
            let word = |(number, failing): (&usize, &Option<ObligationId>)| match failing {
                Some(id) => format!("{number}:{}", id.0),
                None => number.to_string(),
            };
            let words: Vec<String> = dropped.iter().map(word).collect();
            session.memorise_whole(&[GUESSES, &question], &words.join(" "));
        }
        prepared
    }

    /// The task without these guesses, which it tells of.
    fn without(&self, switched: &Prepared<Task>, dropped: &Wrong) -> Prepared<Task> {
        let mut prepared = self.prepare(Guesses::AllBut(dropped.keys().copied().collect()));
        for guess in &switched.task.candidates {
            let failing = dropped.get(&guess.number).copied().flatten();
            if let (Some(words), Some(failing)) = (guess.words.clone(), failing) {
                let [entry, _] = guess.shown_by;
                let span = switched.task.obligations[entry.index()].span;
                let at_entry = failing == entry;
                prepared.task.dropped.push(Dropped { words, span, at_entry });
            }
        }
        prepared
    }

    fn prepare(&self, guesses: Guesses) -> Prepared<Task> {
        let lowering = modular::Options { guesses, ..self.options.lowering() };
        prepare(self.plan.task(self.program, self.facts, &lowering), self.options.unroll)
    }

    /// The task with guesses that hold, without the spare ones if it is proved so, and the numbers
    /// of those left out.
    fn choose(&self, session: &mut Session, switched: &Prepared<Task>) -> (Prepared<Task>, Wrong) {
        let spare = positions(switched, |guess| guess.spare);
        if !spare.is_empty() {
            let (few, dropped) = self.without_wrong(session, switched, spare);
            let outcomes = few.solve_quickly(session, self.options);
            if outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Proved(_))) {
                return (few, dropped);
            }
        }
        self.without_wrong(session, switched, BTreeSet::new())
    }

    /// The task with the guesses that hold if those at the positions `off` are not used, and the
    /// numbers of the others.
    fn without_wrong(
        &self,
        session: &mut Session,
        switched: &Prepared<Task>,
        off: BTreeSet<usize>,
    ) -> (Prepared<Task>, Wrong) {
        let candidates = &switched.task.candidates;
        let guesses: Vec<Guess> = candidates
            .iter()
            .map(|guess| Guess { switch: guess.switch, shown_by: guess.shown_by.to_vec() })
            .collect();
        let wrong = wrong_guesses(
            session,
            switched.question(self.options),
            &guesses,
            (off, Patience::ENDLESS),
        );
        let number = |position: usize| candidates[position].number;
        let dropped: Wrong =
            wrong.into_iter().map(|(position, why)| (number(position), why)).collect();
        (self.without(switched, &dropped), dropped)
    }
}

fn positions(prepared: &Prepared<Task>, wanted: impl Fn(&Candidate) -> bool) -> BTreeSet<usize> {
    let all = prepared.task.candidates.iter().enumerate();
    all.filter(|(_, guess)| wanted(guess)).map(|(position, _)| position).collect()
}

/// What is remembered: the guesses that were dropped. Those that are kept are proved like any other
/// obligation, so a wrong memory could cost a proof and never give one.
const GUESSES: &str = "guesses dropped, and why";

fn dropped_before(session: &Session, question: &str) -> Option<Wrong> {
    let known = session.recall_whole(&[GUESSES, question])?;
    let read = |word: &str| match word.split_once(':') {
        Some((number, id)) => Some((number.parse().ok()?, Some(ObligationId(id.parse().ok()?)))),
        None => Some((word.parse().ok()?, None)),
    };
    known.split_whitespace().map(read).collect()
}
