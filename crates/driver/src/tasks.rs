//! What there is to decide about a program.

use crate::pool::Executor;
use crate::prepare::{Prepared, prepare};
use crate::relies::{UsableRely, specified, thread_owner};
use crate::run::Options;
use gcl::Outcome;
use modular::{
    Conjunct, Facts, Owner, Task, conjuncts, init_task, procedure_task, rely_task, thread_task,
};
use plato::hir::{ProcId, Program, ThreadId};
use smt::Session;
use std::collections::BTreeSet;
use verdict::ObligationId;

/// What there is to build: one job per task.
pub(crate) enum Plan<'a> {
    Init,
    Rely(Option<ThreadId>),
    Thread(ThreadId, Vec<Conjunct<'a>>),
    Procedure(ProcId, Vec<Conjunct<'a>>),
}

/// The tasks of the program, or those of the selected threads.
pub(crate) fn plans<'a>(
    program: &'a Program,
    relies: &[UsableRely],
    options: &Options,
) -> Vec<Plan<'a>> {
    let wanted = |id: &ThreadId| {
        let name = program.threads[id.index()].name.as_str();
        options.only.is_empty() || options.only.iter().any(|only| only == name)
    };
    let mut plans: Vec<Plan<'_>> = Vec::new();
    if options.only.is_empty() {
        plans.push(Plan::Init);
        if !program.relies.is_empty() {
            plans.push(Plan::Rely(None));
        }
        let own = |id: &ThreadId| !program.threads[id.index()].relies.is_empty();
        plans.extend(program.thread_ids().filter(own).map(|id| Plan::Rely(Some(id))));
    }
    let threads = program.thread_ids().filter(wanted);
    plans.extend(
        threads.map(|id| Plan::Thread(id, usable(program, &thread_owner(program, id), relies))),
    );
    if options.only.is_empty() {
        plans.extend(specified(program).map(|id| {
            Plan::Procedure(id, usable(program, &Owner::of_procedure(program, id), relies))
        }));
    }
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
        let mut lowering = options.lowering();
        let first = prepare(plan.task(program, &facts, &lowering), options.unroll);
        if first.task.candidates.is_empty() {
            return first;
        }
        let question = session.remembers().then(|| {
            let (terms, graph) = (&first.task.terms, &first.graph);
            gcl::dump_smt(terms, graph, &first.conditions)
        });
        let known = question.as_ref().and_then(|text| dropped_before(session, text));
        if let Some(dropped) = known {
            lowering.dropped_guesses.extend(dropped);
            return prepare(plan.task(program, &facts, &lowering), options.unroll);
        }
        let mut prepared = first;
        loop {
            let wrong = wrong_guesses(session, &prepared, options);
            if wrong.is_empty() {
                break;
            }
            lowering.dropped_guesses.extend(wrong);
            prepared = prepare(plan.task(program, &facts, &lowering), options.unroll);
        }
        if let Some(question) = question {
            let words: Vec<String> =
                lowering.dropped_guesses.iter().map(ToString::to_string).collect();
            session.memorise_whole(&[GUESSES, &question], &words.join(" "));
        }
        prepared
    })
}

/// What is remembered: the guesses that were dropped. Those that are kept are proved like any other obligation, so a wrong
/// memory could cost a proof and never give one.
const GUESSES: &str = "guesses dropped";

fn dropped_before(session: &Session, question: &str) -> Option<BTreeSet<usize>> {
    let known = session.recall_whole(&[GUESSES, question])?;
    known.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// The guessed loop invariants that do not hold, given all the others (Houdini: dropping them and asking again ends with
/// the largest set whose members keep each other).
fn wrong_guesses(session: &mut Session, prepared: &Prepared, options: &Options) -> BTreeSet<usize> {
    let guesses = &prepared.task.candidates;
    let wanted: BTreeSet<ObligationId> = guesses.iter().flat_map(|(_, ids)| *ids).collect();
    let failed: BTreeSet<ObligationId> = prepared
        .solve_some(session, options, |id| wanted.contains(&id))
        .into_iter()
        .filter(|(_, outcome)| !matches!(outcome, Outcome::Proved(_)))
        .map(|(id, _)| id)
        .collect();
    let wrong = guesses.iter().filter(|(_, ids)| ids.iter().any(|id| failed.contains(id)));
    wrong.map(|(number, _)| *number).collect()
}

impl Plan<'_> {
    fn task(&self, program: &Program, facts: &Facts, lowering: &modular::Options) -> Task {
        match self {
            Self::Init => init_task(program),
            Self::Rely(thread) => rely_task(program, *thread),
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
