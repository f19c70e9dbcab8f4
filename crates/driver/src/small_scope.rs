//! Failures shown on few copies of each thread.
//!
//! A thread of which any number of copies may run is checked for all numbers at once. A failure then has thread numbers of
//! the solver's liking, and quantifiers over threads may leave it a candidate. With two or three copies there are no
//! quantifiers over threads, and what fails there fails.

use crate::decide::{Decided, Decision};
use crate::pool::Executor;
use crate::prepare::prepare;
use crate::run::Options;
use crate::tasks::Plan;
use gcl::Outcome;
use modular::{facts, thread_task};
use plato::hir::{Count, Program, Thread, Value};

/// Repeats the tasks in which something failed with few copies.
pub(crate) fn look_at_few_copies(
    executor: &mut impl Executor,
    program: &Program,
    plans: &[Plan<'_>],
    decided: &mut [Decision],
    options: &Options,
) {
    if !program.threads.iter().any(is_unbounded) {
        return;
    }
    let failed = |task: &Decided| {
        task.outcomes.values().any(|outcome| matches!(outcome, Outcome::Failed(_)))
    };
    let mut open: Vec<usize> =
        (0..plans.len()).filter(|&index| decided[index].as_ref().is_ok_and(failed)).collect();
    for copies in [2, 3] {
        let few = with_copies(program, copies);
        let facts = facts(&few);
        let lowering = options.lowering();
        let results = executor.run(&open, open.len() * 100, |session, &index| {
            let Plan::Thread(thread, relies) = &plans[index] else { return None };
            let prepared =
                prepare(thread_task(&few, &facts, *thread, relies, &lowering), options.unroll);
            let sites = prepared.solve(session, options);
            Some(Decided::new(prepared, sites))
        });
        for (&index, result) in open.iter().zip(results) {
            if let (Ok(task), Ok(Some(small))) = (&mut decided[index], result)
                && small.prepared.task.obligations == task.prepared.task.obligations
            {
                task.small = Some(Box::new(small));
            }
        }
        open.retain(|&index| decided[index].as_ref().is_ok_and(|task| !is_shown(task)));
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
fn is_shown(task: &Decided) -> bool {
    let fails_small = |id| {
        let small = task.small.as_ref().and_then(|small| small.outcomes.get(id));
        matches!(small, Some(Outcome::Failed(failure)) if !failure.candidate)
    };
    task.outcomes
        .iter()
        .all(|(id, outcome)| !matches!(outcome, Outcome::Failed(_)) || fails_small(id))
}
