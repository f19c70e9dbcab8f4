//! What there is to decide about a program.

use crate::pool::Executor;
use crate::prepare::{Askable, Prepared, prepare};
use crate::relies::{UsableRely, specified, thread_owner};
use crate::run::Options;
use gcl::{Guess, Outcome, wrong_guesses};
use modular::{
    Candidate, Conjunct, Facts, Guesses, Owner, Task, conjuncts, init_task, procedure_task,
    rely_task, thread_task,
};
use plato::hir::{ProcId, Program, ThreadId};
use smt::Session;
use std::collections::BTreeSet;

/// What there is to build: one job per task.
pub(crate) enum Plan<'a> {
    Init,
    Rely(Option<ThreadId>),
    Thread(ThreadId, Vec<Conjunct<'a>>),
    Procedure(ProcId, Vec<Conjunct<'a>>),
}

/// The tasks of the program, or those of the selected threads and procedures.
pub(crate) fn plans<'a>(
    program: &'a Program,
    relies: &[UsableRely],
    options: &Options,
) -> Vec<Plan<'a>> {
    let wanted =
        |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    let mut plans: Vec<Plan<'_>> = Vec::new();
    if options.only.is_empty() {
        plans.push(Plan::Init);
        if !program.relies.is_empty() {
            plans.push(Plan::Rely(None));
        }
        let own = |id: &ThreadId| !program.threads[id.index()].relies.is_empty();
        plans.extend(program.thread_ids().filter(own).map(|id| Plan::Rely(Some(id))));
    }
    let threads =
        program.thread_ids().filter(|id| wanted(program.threads[id.index()].name.as_str()));
    plans.extend(
        threads.map(|id| Plan::Thread(id, usable(program, &thread_owner(program, id), relies))),
    );
    let procedures =
        specified(program).filter(|id| wanted(program.procs[id.index()].name.as_str()));
    plans.extend(
        procedures.map(|id| {
            Plan::Procedure(id, usable(program, &Owner::of_procedure(program, id), relies))
        }),
    );
    plans
}

/// Builds every task; one that cannot be built leaves a message.
pub(crate) fn make_tasks(
    executor: &mut impl Executor,
    program: &Program,
    plans: &[Plan<'_>],
    options: &Options,
) -> Vec<Result<Prepared, String>> {
    let facts = modular::facts(program);
    let weight = plans.len() * 20;
    executor.run(plans, weight, |session, plan| {
        let guessing = Guessing { plan, program, facts: &facts, options };
        let switched = guessing.prepare(Guesses::Switched);
        if switched.task.candidates.is_empty() {
            return switched;
        }
        let question = session.remembers().then(|| {
            let (terms, graph) = (&switched.task.terms, &switched.graph);
            gcl::dump_smt(terms, graph, &switched.conditions)
        });
        let known = question.as_ref().and_then(|text| dropped_before(session, text));
        if let Some(dropped) = known {
            return guessing.prepare(Guesses::AllBut(dropped));
        }
        let (prepared, dropped) = guessing.choose(session, &switched);
        if let Some(question) = question {
            let words: Vec<String> = dropped.iter().map(ToString::to_string).collect();
            session.memorise_whole(&[GUESSES, &question], &words.join(" "));
        }
        prepared
    })
}

/// A task whose loop invariants are guessed in part.
struct Guessing<'a> {
    plan: &'a Plan<'a>,
    program: &'a Program,
    facts: &'a Facts,
    options: &'a Options,
}

impl Guessing<'_> {
    fn prepare(&self, guesses: Guesses) -> Prepared {
        let lowering = modular::Options { guesses, ..self.options.lowering() };
        prepare(self.plan.task(self.program, self.facts, &lowering), self.options.unroll)
    }

    /// The task with guesses that hold, without the spare ones if it is proved so, and the numbers of those left out.
    fn choose(&self, session: &mut Session, switched: &Prepared) -> (Prepared, BTreeSet<usize>) {
        let spare = positions(switched, |guess| guess.spare);
        if !spare.is_empty() {
            let (few, dropped) = self.without_wrong(session, switched, spare);
            let outcomes = few.solve_some(session, self.options, |_| true);
            if outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Proved(_))) {
                return (few, dropped);
            }
        }
        self.without_wrong(session, switched, BTreeSet::new())
    }

    /// The task with the guesses that hold if those at the positions `off` are not used, and the numbers of the others.
    fn without_wrong(
        &self,
        session: &mut Session,
        switched: &Prepared,
        off: BTreeSet<usize>,
    ) -> (Prepared, BTreeSet<usize>) {
        let candidates = &switched.task.candidates;
        let guesses: Vec<Guess> = candidates
            .iter()
            .map(|guess| Guess { switch: guess.switch, shown_by: guess.shown_by })
            .collect();
        let wrong = wrong_guesses(session, switched.question(self.options), &guesses, off);
        let dropped: BTreeSet<usize> =
            wrong.into_iter().map(|position| candidates[position].number).collect();
        (self.prepare(Guesses::AllBut(dropped.clone())), dropped)
    }
}

fn positions(prepared: &Prepared, wanted: impl Fn(&Candidate) -> bool) -> BTreeSet<usize> {
    let all = prepared.task.candidates.iter().enumerate();
    all.filter(|(_, guess)| wanted(guess)).map(|(position, _)| position).collect()
}

/// What is remembered: the guesses that were dropped. Those that are kept are proved like any other obligation, so a wrong
/// memory could cost a proof and never give one.
const GUESSES: &str = "guesses dropped";

fn dropped_before(session: &Session, question: &str) -> Option<BTreeSet<usize>> {
    let known = session.recall_whole(&[GUESSES, question])?;
    known.split_whitespace().map(|word| word.parse().ok()).collect()
}

impl Plan<'_> {
    pub(crate) fn task(
        &self,
        program: &Program,
        facts: &Facts,
        lowering: &modular::Options,
    ) -> Task {
        match self {
            Self::Init => init_task(program),
            Self::Rely(thread) => rely_task(program, facts, *thread),
            Self::Thread(id, relies) => thread_task(program, facts, *id, relies, lowering),
            Self::Procedure(id, relies) => procedure_task(program, facts, *id, relies, lowering),
        }
    }
}

/// The conjuncts that the owner may rely on.
fn usable<'a>(program: &'a Program, owner: &Owner, relies: &[UsableRely]) -> Vec<Conjunct<'a>> {
    let found = relies.iter().find(|rely| rely.owner == *owner);
    let dropped = |index: &usize| found.is_some_and(|rely| rely.dropped.contains(index));
    let all = conjuncts(program, owner).into_iter().enumerate();
    all.filter(|(index, _)| !dropped(index)).map(|(_, conjunct)| conjunct).collect()
}
