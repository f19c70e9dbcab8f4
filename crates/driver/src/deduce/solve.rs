//! Asking solvers about all tasks of a program.

use super::decided::{Decided, Decision};
use super::prepare::{AnyTask, Prepared};
use crate::analysis::Context;
use crate::events::Event;
use crate::pool::Executor;
use crate::results::Effort;
use gcl::{Group, Outcome, Question, solve_covers, solve_group};
use smt::Session;
use source::FileId;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;
use verdict::{ObligationId, TaskKind};

/// Decides every task; what could not be built or decided leaves its message. With `hasty`,
/// candidates that are not soon confirmed or excluded are left at that.
pub(crate) fn decide<T: AnyTask>(
    executor: &mut impl Executor,
    tasks: Vec<Result<Prepared<T>, String>>,
    (file, hasty): (FileId, bool),
    context: &Context<'_>,
) -> Vec<Decision<T>> {
    let by_task = ask(executor, &tasks, (file, hasty), context);
    let decided = |(task, sites): (Result<Prepared<T>, String>, Sites)| {
        let (task, (sites, effort)) = (task?, sites?);
        Ok(Decided { effort, ..Decided::new(task, sites) })
    };
    let mut decided: Vec<Decision<T>> = tasks.into_iter().zip(by_task).map(decided).collect();
    if context.options.hygiene {
        look_for_uncovered(executor, &mut decided, context);
    }
    decided
}

/// The outcomes at the sites of one task, and what they took.
type Sites = Result<(Vec<(ObligationId, Outcome)>, Effort), String>;

/// One question about a task.
struct Query<'a, T> {
    index: usize,
    task: &'a Prepared<T>,
    group: &'a Group,
    progress: &'a TaskProgress,
    hasty: bool,
}

/// How far a task is decided.
struct TaskProgress {
    /// The groups that are not decided yet.
    left: AtomicUsize,
    is_begun: AtomicBool,
    /// Whether something fails, is open or was left out.
    is_open: AtomicBool,
}

/// Asks about every group of every task; outcomes come by task.
fn ask<T: AnyTask>(
    executor: &mut impl Executor,
    tasks: &[Result<Prepared<T>, String>],
    (file, hasty): (FileId, bool),
    context: &Context<'_>,
) -> Vec<Sites> {
    let progress: Vec<TaskProgress> = tasks.iter().map(TaskProgress::new).collect();
    let mut queries = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let Ok(task) = task else { continue };
        let progress = &progress[index];
        queries.extend(task.groups.iter().map(|group| Query {
            index,
            task,
            group,
            progress,
            hasty,
        }));
    }
    let weight = tasks.iter().flatten().map(Prepared::weight).sum();
    let jobs = batches(queries, |query| query.task.weight());
    let outcomes = executor.run(&jobs, weight, |session, job| {
        let solved = |query: &Query<'_, T>| (query.index, query.solve(session, file, context));
        job.iter().map(solved).collect::<Vec<_>>()
    });
    let mut by_task: Vec<Sites> =
        tasks.iter().map(|_| Ok((Vec::new(), Effort::default()))).collect();
    for (job, outcome) in jobs.iter().zip(outcomes) {
        match outcome {
            Ok(outcomes) => {
                for (index, (sites, effort)) in outcomes {
                    if let Ok((all, total)) = &mut by_task[index] {
                        all.extend(sites);
                        *total += effort;
                    }
                }
            }
            Err(message) => {
                job.iter().for_each(|query| by_task[query.index] = Err(message.clone()));
            }
        }
    }
    by_task
}

impl TaskProgress {
    fn new<T: AnyTask>(task: &Result<Prepared<T>, String>) -> Self {
        let groups = task.as_ref().map_or(0, |task| task.groups.len());
        let lacks = |task: &Prepared<T>| task.task.gap.is_some() || !task.task.undecided.is_empty();
        Self {
            left: AtomicUsize::new(groups),
            is_begun: AtomicBool::new(false),
            is_open: AtomicBool::new(task.as_ref().is_ok_and(lacks)),
        }
    }
}

impl<T: AnyTask> Query<'_, T> {
    /// Decides the sites. A task that is proved is announced at once; the others when they are
    /// settled.
    fn solve(
        &self,
        session: &mut Session,
        file: FileId,
        context: &Context<'_>,
    ) -> (Vec<(ObligationId, Outcome)>, Effort) {
        let name = &self.task.task.name;
        if !self.progress.is_begun.swap(true, Ordering::Relaxed) {
            context.tell(&Event::Started { file, task: name });
        }
        let (begun, before) = (Instant::now(), session.count());
        let question = Question { hasty: self.hasty, ..self.task.question(context.options) };
        let sites = solve_group(session, question, self.group);
        let count = session.count();
        let effort = Effort {
            time: begun.elapsed(),
            asked: count.asked - before.asked,
            remembered: count.remembered - before.remembered,
        };
        let is_proved =
            |(_, outcome): &(ObligationId, Outcome)| matches!(outcome, Outcome::Proved(_));
        if !sites.iter().all(is_proved) {
            self.progress.is_open.store(true, Ordering::Relaxed);
        }
        let is_last = self.progress.left.fetch_sub(1, Ordering::AcqRel) == 1;
        if is_last && !self.progress.is_open.load(Ordering::Acquire) {
            context.tell(&Event::Decided { file, task: name, proved: true });
        }
        (sites, effort)
    }
}

/// Queries that are small enough to share one conversation with a solver. Depends on the queries
/// alone, so that answers do not depend on the number of workers.
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

/// A failing assertion hides what comes after it, so only tasks that hold are looked at, and those
/// about annotations alone.
fn look_for_uncovered<T: AnyTask>(
    executor: &mut impl Executor,
    decided: &mut [Decision<T>],
    context: &Context<'_>,
) {
    let about_annotations = |task: &Decided<T>| {
        let kind = task.prepared.task.name.kind;
        matches!(kind, TaskKind::Init | TaskKind::Relies | TaskKind::ReliesOf)
    };
    let queries: Vec<(usize, &Prepared<T>)> = decided
        .iter()
        .enumerate()
        .filter_map(|(index, task)| task.as_ref().ok().map(|task| (index, task)))
        .filter(|(_, task)| task.holds() || about_annotations(task))
        .map(|(index, task)| (index, &task.prepared))
        .collect();
    for (index, uncovered) in uncovered(executor, queries, context) {
        if let Ok(task) = &mut decided[index] {
            task.uncovered = uncovered;
        }
    }
}

/// Per task the hygiene obligations that no run covers.
pub(crate) fn uncovered<T: AnyTask>(
    executor: &mut impl Executor,
    queries: Vec<(usize, &Prepared<T>)>,
    context: &Context<'_>,
) -> Vec<(usize, Vec<ObligationId>)> {
    let weight = queries.iter().map(|(_, task)| task.weight()).sum();
    let jobs = batches(queries, |(_, task)| task.weight());
    let results = executor.run(&jobs, weight, |session, job| {
        let mut uncovered = Vec::new();
        for (index, task) in job {
            let mut none = task.never_covered();
            none.extend(solve_covers(session, task.question(context.options)));
            uncovered.push((*index, none));
        }
        uncovered
    });
    results.into_iter().flat_map(Result::unwrap_or_default).collect()
}
