//! Failures shown on few copies of each thread, few values of each uninterpreted type, and in few
//! iterations of each loop.
//!
//! A thread of which any number of copies may run is checked for all numbers at once, and a type
//! without declared values for all sizes. A failure then has numbers of the solver's liking, and
//! quantifiers may leave it a candidate, or be too hard altogether. In a small world there are no
//! quantifiers over threads and such types, and what fails there fails: the annotations speak of
//! every world.

use super::plan::Plan;
use super::settle::fails_after_guesses;
use crate::deduce::{Decided, Decision, prepare};
use crate::options::Options;
use crate::pool::Executor;
use modular::{Facts, Guesses, Task, facts};
use plato::hir::{Count, Program, Thread, Value};
use std::time::Duration;
use verdict::{Limits, Obligation};

/// How many iterations of each loop are followed.
const ITERATIONS: u32 = 1;

/// What a query of that kind may cost: it only makes a failure clearer.
const SHORT: Limits =
    Limits { resources: 6_000_000, wall_clock: Duration::from_secs(20), memory_mib: 0 };

/// Repeats the tasks in which something fails after a loop that was passed over by guesses: a run
/// that follows the loop needs none.
pub(crate) fn look_at_few_iterations(
    executor: &mut impl Executor,
    (program, facts): (&Program, &Facts),
    decided: &mut [(Plan<'_>, Decision<Task>)],
    options: &Options,
) {
    if options.unroll.is_some() {
        return;
    }
    let lowering = modular::Options { guesses: Guesses::Nothing, ..options.lowering() };
    let open: Vec<usize> = (0..decided.len())
        .filter(|&index| decided[index].1.as_ref().is_ok_and(fails_after_guesses))
        .collect();
    let short = with_short_limits(options);
    let results = executor.run(&open, open.len() * 100, |session, &index| {
        let (plan, task) = &decided[index];
        let prepared = prepare(plan.task(program, facts, &lowering), Some(ITERATIONS));
        let failed: Vec<&Obligation> = task.iter().flat_map(Decided::failed).collect();
        let is_wanted = |about: &Obligation| failed.contains(&about);
        session.set_limits(short.limits);
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

/// Repeats the tasks in which something failed or was too hard, with few copies of threads and few
/// values of uninterpreted types.
pub(crate) fn look_at_few(
    executor: &mut impl Executor,
    program: &Program,
    decided: &mut [(Plan<'_>, Decision<Task>)],
    options: &Options,
) {
    if program.opaques.is_empty() && !program.threads.iter().any(is_unbounded) {
        return;
    }
    let is_open =
        |task: &Decided<Task>| task.failed().next().is_some() || task.too_hard().next().is_some();
    let mut open: Vec<usize> =
        (0..decided.len()).filter(|&index| decided[index].1.as_ref().is_ok_and(is_open)).collect();
    let short = with_short_limits(options);
    for scope in SCOPES {
        if open.is_empty() {
            return;
        }
        let few = with_few(program, scope);
        let facts = facts(&few);
        let lowering = options.lowering();
        let results = executor.run(&open, open.len() * 100, |session, &index| {
            let (plan, decision) = &decided[index];
            if matches!(plan, Plan::Init | Plan::Rely(_)) {
                return None;
            }
            let wanted: Vec<&Obligation> =
                decision.iter().flat_map(|task| task.failed().chain(task.too_hard())).collect();
            let prepared = prepare(plan.task(&few, &facts, &lowering), options.unroll);
            session.set_limits(short.limits);
            let sites = prepared.solve_those(session, &short, |about| wanted.contains(&about));
            session.set_limits(options.limits);
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

fn with_short_limits(options: &Options) -> Options {
    let limits = Limits {
        resources: options.limits.resources.min(SHORT.resources),
        wall_clock: options.limits.wall_clock.min(SHORT.wall_clock),
        ..options.limits
    };
    Options { limits, ..options.clone() }
}

/// A small world: copies of each thread that may have any number, and values of each uninterpreted
/// type.
struct Scope {
    copies: u32,
    values: u32,
}

/// The worlds that are looked at, in order.
const SCOPES: [Scope; 2] = [Scope { copies: 2, values: 3 }, Scope { copies: 3, values: 4 }];

fn is_unbounded(thread: &Thread) -> bool {
    matches!(thread.count, Count::Any | Count::Symbolic(_))
}

/// The program in a small world.
fn with_few(program: &Program, Scope { copies, values }: Scope) -> Program {
    let mut few = program.clone();
    few.opaques.iter_mut().for_each(|opaque| opaque.size = Some(values));
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

/// Whether everything that is open fails in the small world, without a doubt.
fn is_shown(task: &Decided<Task>) -> bool {
    let fails_small = |about: &Obligation| {
        let small = task.small.as_ref().and_then(|small| small.failure_of(about));
        small.is_some_and(|witness| !witness.failure.candidate)
    };
    task.failed().chain(task.too_hard()).all(fails_small)
}
