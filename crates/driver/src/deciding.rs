//! Deciding all tasks of a program.

use crate::decide::{Decided, Decision};
use crate::pool::Executor;
use crate::prepare::{Askable, Prepared};
use crate::run::Options;
use gcl::{Group, Outcome, solve_covers, solve_group};
use verdict::ObligationId;

/// Decides every task; what could not be built or decided leaves its message.
pub(crate) fn decide(
    executor: &mut impl Executor,
    tasks: Vec<Result<Prepared, String>>,
    options: &Options,
) -> Vec<Decision> {
    let by_task = ask(executor, &tasks, options);
    let mut decided: Vec<Decision> = tasks
        .into_iter()
        .zip(by_task)
        .map(|(task, sites)| task.and_then(|task| Ok(Decided::new(task, sites?))))
        .collect();
    if options.hygiene {
        look_for_uncovered(executor, &mut decided, options);
    }
    decided
}

/// The outcomes at the sites of one task.
type Sites = Result<Vec<(ObligationId, Outcome)>, String>;

/// Asks about every group of every task; outcomes come by task.
pub(crate) fn ask<T: Askable>(
    executor: &mut impl Executor,
    tasks: &[Result<T, String>],
    options: &Options,
) -> Vec<Sites> {
    let queries: Vec<(usize, &T, &Group)> = tasks
        .iter()
        .enumerate()
        .filter_map(|(index, task)| task.as_ref().ok().map(|task| (index, task)))
        .flat_map(|(index, task)| task.groups().iter().map(move |group| (index, task, group)))
        .collect();
    let weight = tasks.iter().filter_map(|task| task.as_ref().ok()).map(Askable::weight).sum();
    let jobs = batches(queries, |(_, task, _)| task.weight());
    let outcomes = executor.run(&jobs, weight, |session, job| {
        let mut outcomes = Vec::new();
        for (index, task, group) in job {
            outcomes.push((*index, solve_group(session, task.question(options), group)));
        }
        outcomes
    });
    let mut by_task: Vec<Sites> = tasks.iter().map(|_| Ok(Vec::new())).collect();
    for (job, outcome) in jobs.iter().zip(outcomes) {
        match outcome {
            Ok(outcomes) => {
                for (index, sites) in outcomes {
                    by_task[index].iter_mut().for_each(|all| all.extend(sites.iter().cloned()));
                }
            }
            Err(message) => {
                job.iter().for_each(|(index, ..)| by_task[*index] = Err(message.clone()));
            }
        }
    }
    by_task
}

/// Queries that are small enough to share one conversation with a solver. Depends on the queries alone, so that answers
/// do not depend on the number of workers.
fn batches<Q>(queries: Vec<Q>, weigh: impl Fn(&Q) -> usize) -> Vec<Vec<Q>> {
    const BATCH_WEIGHT: usize = 400;
    let mut jobs: Vec<Vec<Q>> = Vec::new();
    let mut weight = BATCH_WEIGHT;
    for query in queries {
        weight += weigh(&query);
        if weight > BATCH_WEIGHT {
            jobs.push(Vec::new());
            weight = weigh(&query);
        }
        jobs.last_mut().expect("internal error: a job was just begun").push(query);
    }
    jobs
}

/// A failing assertion hides what comes after it, so only tasks that hold are looked at.
fn look_for_uncovered(executor: &mut impl Executor, decided: &mut [Decision], options: &Options) {
    let queries: Vec<(usize, &Prepared)> = decided
        .iter()
        .enumerate()
        .filter_map(|(index, task)| task.as_ref().ok().map(|task| (index, task)))
        .filter(|(_, task)| task.all_proved() || task.prepared.task.thread.is_none())
        .map(|(index, task)| (index, &task.prepared))
        .collect();
    for (index, uncovered) in uncovered(executor, queries, options) {
        if let Ok(task) = &mut decided[index] {
            task.uncovered = uncovered;
        }
    }
}

/// Per task the hygiene obligations that no run covers.
pub(crate) fn uncovered<T: Askable>(
    executor: &mut impl Executor,
    queries: Vec<(usize, &T)>,
    options: &Options,
) -> Vec<(usize, Vec<ObligationId>)> {
    let weight = queries.iter().map(|(_, task)| task.weight()).sum();
    let jobs = batches(queries, |(_, task)| task.weight());
    let results = executor.run(&jobs, weight, |session, job| {
        let mut uncovered = Vec::new();
        for (index, task) in job {
            let mut none = task.never_covered();
            none.extend(solve_covers(session, task.question(options)));
            uncovered.push((*index, none));
        }
        uncovered
    });
    results.into_iter().flat_map(Result::unwrap_or_default).collect()
}
