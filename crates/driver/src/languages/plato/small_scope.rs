//! Failures shown on few copies of each thread, and in few iterations of each loop.
//!
//! A thread of which any number of copies may run is checked for all numbers at once. A failure
//! then has thread numbers of the solver's liking, and quantifiers over threads may leave it a
//! candidate. With two or three copies there are no quantifiers over threads, and what fails there
//! fails.

use super::plan::Plan;
use super::settle::fails_after_guesses;
use crate::deduce::{Decided, Decision, prepare};
use crate::options::Options;
use crate::pool::Executor;
use gcl::Outcome;
use modular::{Guesses, Task, facts, thread_task};
use plato::hir::{Count, Program, Thread, Value};
use std::time::Duration;
use verdict::{Limits, Obligation, ObligationId};

/// How many iterations of each loop are followed.
const ITERATIONS: u32 = 1;

/// What a query of that kind may cost: it only makes a failure clearer.
const SHORT: Limits =
    Limits { resources: 6_000_000, wall_clock: Duration::from_secs(20), memory_mib: 0 };

/// Repeats the tasks in which something fails after a loop that was passed over by guesses: a run
/// that follows the loop needs none.
pub(crate) fn look_at_few_iterations(
    executor: &mut impl Executor,
    program: &Program,
    decided: &mut [(Plan<'_>, Decision<Task>)],
    options: &Options,
) {
    if options.unroll.is_some() {
        return;
    }
    let facts = facts(program);
    let lowering = modular::Options { guesses: Guesses::Nothing, ..options.lowering() };
    let open: Vec<usize> = (0..decided.len())
        .filter(|&index| decided[index].1.as_ref().is_ok_and(fails_after_guesses))
        .collect();
    let limits = Limits {
        resources: options.limits.resources.min(SHORT.resources),
        wall_clock: options.limits.wall_clock.min(SHORT.wall_clock),
        ..options.limits
    };
    let short = Options { limits, ..options.clone() };
    let results = executor.run(&open, open.len() * 100, |session, &index| {
        let (plan, task) = &decided[index];
        let prepared = prepare(plan.task(program, &facts, &lowering), Some(ITERATIONS));
        let failed: Vec<&Obligation> = task.iter().flat_map(Decided::failed).collect();
        let is_wanted = |about: &Obligation| failed.contains(&about);
        session.set_limits(limits);
        let sites = prepared.solve_those(session, &short, is_wanted);
        session.set_limits(options.limits);
        Decided::new(prepared, sites)
    });
    for (&index, result) in open.iter().zip(results) {
        if let (Ok(task), Ok(short)) = (&mut decided[index].1, result) {
            task.short = Some(Box::new(short));
        }
    }
}

/// Repeats the tasks in which something failed with few copies.
pub(crate) fn look_at_few_copies(
    executor: &mut impl Executor,
    program: &Program,
    decided: &mut [(Plan<'_>, Decision<Task>)],
    options: &Options,
) {
    if !program.threads.iter().any(is_unbounded) {
        return;
    }
    let fails = |task: &Decided<Task>| task.failed().next().is_some();
    let mut open: Vec<usize> =
        (0..decided.len()).filter(|&index| decided[index].1.as_ref().is_ok_and(fails)).collect();
    for copies in [2, 3] {
        let few = with_copies(program, copies);
        let facts = facts(&few);
        let lowering = options.lowering();
        let results = executor.run(&open, open.len() * 100, |session, &index| {
            let Plan::Thread(thread, relies) = &decided[index].0 else { return None };
            let prepared =
                prepare(thread_task(&few, &facts, *thread, relies, &lowering), options.unroll);
            let sites = prepared.solve(session, options);
            Some(Decided::new(prepared, sites))
        });
        for (&index, result) in open.iter().zip(results) {
            if let (Ok(task), Ok(Some(small))) = (&mut decided[index].1, result) {
                task.small = Some(Box::new(small));
            }
        }
        open.retain(|&index| decided[index].1.as_ref().is_ok_and(|task| !is_shown(task)));
    }
}

fn is_unbounded(thread: &Thread) -> bool {
    matches!(thread.count, Count::Any | Count::Symbolic(_))
}

/// The program with this many copies of each thread that may have any number.
fn with_copies(program: &Program, copies: u32) -> Program {
    let mut few = program.clone();
    for thread in &mut few.threads {
        if let Count::Symbolic(id) = thread.count {
            few.consts[id.index()].value = Some(Value::Int(i128::from(copies)));
        }
        if is_unbounded(thread) {
            thread.count = Count::Copies(u64::from(copies));
        }
    }
    few
}

/// Whether every failure of the task also fails with few copies.
fn is_shown(task: &Decided<Task>) -> bool {
    let fails_small = |id: &ObligationId| {
        let small = task.small.as_ref();
        let small = small.and_then(|small| small.failure_of(task.obligation(*id)));
        small.is_some_and(|witness| !witness.failure.candidate)
    };
    task.outcomes
        .iter()
        .all(|(id, outcome)| !matches!(outcome, Outcome::Failed(_)) || fails_small(id))
}
