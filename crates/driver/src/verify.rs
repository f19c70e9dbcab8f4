//! The run itself, stage by stage: parse, check the annotations, check the threads, look for empty specifications.

use crate::decide::Decided;
use crate::diagnose;
use crate::pool::Pool;
use crate::prepare::{Prepared, prepare};
use crate::run::{FileReport, Input, ObligationResult, Options, Progress, Run, UnusedDefinition};
use diagnostic::Diagnostic;
use gcl::{Group, Outcome, solve_covers, solve_group};
use modular::{Conjunct, Facts, conjuncts, init_task, rely_task, thread_task, transitivity_task};
use plato::hir::{Program, ThreadId};
use smt::Session;
use source::{FileId, SourceMap, Span};
use std::collections::BTreeSet;
use verdict::{Obligation, ObligationId, Relevance, StopReason, Verdict};

/// Checks every input.
pub fn check(inputs: &[Input], options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Run {
    let mut sources = SourceMap::default();
    let mut files: Vec<File> = Vec::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for input in inputs {
        let id = sources.add(input.name.as_str(), input.text.as_str());
        let file = parse(id, &input.text, options);
        used.extend(file.used_definitions.iter().cloned());
        files.push(file);
    }
    let mut pool = Pool::new(&options.solver, options.limits, options.jobs, progress);
    let relies = check_relies(&mut pool, &files, options);
    let tasks = make_tasks(&mut pool, &files, &relies, options);
    let decided = decide(&mut pool, tasks, options);
    let mut reports: Vec<FileReport> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let mut found = Findings::new(file);
        relies.iter().filter(|rely| rely.file == index).for_each(|rely| found.weakened(rely));
        decided
            .iter()
            .filter(|(of, _)| *of == index)
            .for_each(|(_, task)| found.task(task, &sources));
        reports.push(found.report(file, options));
    }
    let unused_definitions = options
        .definitions
        .iter()
        .filter(|(name, _)| !used.contains(name))
        .map(|(name, _)| UnusedDefinition { name: name.clone() })
        .collect();
    Run { sources, files: reports, unused_definitions }
}

/// A parsed input.
struct File {
    id: FileId,
    /// Present unless the input was rejected.
    program: Option<Program>,
    diagnostics: Vec<Diagnostic>,
    used_definitions: Vec<String>,
}

fn parse(id: FileId, text: &str, options: &Options) -> File {
    let (tree, mut diagnostics) = plato::parse(id, text);
    let resolved = plato::resolve(&tree, &options.definitions);
    diagnostics.extend(resolved.diagnostics);
    let rejected = diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input);
    let program = (!rejected).then_some(resolved.program);
    File { id, program, diagnostics, used_definitions: resolved.used_definitions }
}

/// The relies that a thread may use: the transitive part of those that were written.
struct UsableRely {
    file: usize,
    thread: Option<ThreadId>,
    /// Indices into `conjuncts(program, thread)`.
    dropped: BTreeSet<usize>,
    /// Why each was dropped, as a diagnostic.
    warnings: Vec<Diagnostic>,
}

fn check_relies(pool: &mut Pool<'_>, files: &[File], options: &Options) -> Vec<UsableRely> {
    let mut jobs: Vec<(usize, &Program, Option<ThreadId>)> = Vec::new();
    for (index, program) in programs(files) {
        if !program.relies.is_empty() {
            jobs.push((index, program, None));
        }
        let own = thread_ids(program).filter(|id| !program.threads[id.index()].relies.is_empty());
        jobs.extend(own.map(|id| (index, program, Some(id))));
    }
    let weight = jobs.len() * 20;
    let results = pool.run(&jobs, weight, |session, &(file, program, thread)| {
        transitive_part(session, file, program, thread, options)
    });
    let failed = |&(file, program, thread): &(usize, &Program, Option<ThreadId>)| UsableRely {
        file,
        thread,
        dropped: (0..conjuncts(program, thread).len()).collect(),
        warnings: Vec::new(),
    };
    jobs.iter().zip(results).map(|(job, result)| result.unwrap_or_else(|_| failed(job))).collect()
}

/// Drops conjuncts until the rest is transitive (see `transitivity_task` for why that is the largest such part).
fn transitive_part(
    session: &mut Session,
    file: usize,
    program: &Program,
    thread: Option<ThreadId>,
    options: &Options,
) -> UsableRely {
    let all = conjuncts(program, thread);
    let mut kept: Vec<usize> = (0..all.len()).collect();
    let mut warnings = Vec::new();
    loop {
        let chosen: Vec<Conjunct<'_>> = kept.iter().map(|&index| all[index]).collect();
        let prepared = prepare(transitivity_task(program, thread, &chosen), None);
        let sites = solve(session, &prepared, options);
        let decided = Decided::new(prepared, sites);
        let mut failing = BTreeSet::new();
        for (position, (id, result, failure)) in decided.results().into_iter().enumerate() {
            if !matches!(result.verdict, Verdict::Proved(_)) {
                failing.insert(kept[position]);
                warnings.push(diagnose::not_transitive(&decided, id, &result, failure));
            }
        }
        if failing.is_empty() {
            let dropped = (0..all.len()).filter(|index| !kept.contains(index)).collect();
            return UsableRely { file, thread, dropped, warnings };
        }
        kept.retain(|index| !failing.contains(index));
    }
}

fn solve(
    session: &mut Session,
    prepared: &Prepared,
    options: &Options,
) -> Vec<(ObligationId, Outcome)> {
    let question = prepared.question(&options.solver_name);
    prepared.groups.iter().flat_map(|group| solve_group(session, question, group)).collect()
}

/// What there is to build: one job per task.
enum Plan<'a> {
    Init(&'a Program),
    Rely(&'a Program, Option<ThreadId>),
    Thread(&'a Program, &'a Facts, ThreadId, Vec<Conjunct<'a>>),
}

fn make_tasks(
    pool: &mut Pool<'_>,
    files: &[File],
    relies: &[UsableRely],
    options: &Options,
) -> Vec<(usize, Result<Prepared, String>)> {
    let nothing = Program::default();
    let facts: Vec<Facts> = files
        .iter()
        .map(|file| modular::facts(file.program.as_ref().unwrap_or(&nothing)))
        .collect();
    let mut plans: Vec<(usize, Plan<'_>)> = Vec::new();
    for (index, program) in programs(files) {
        let wanted = |id: &ThreadId| {
            options.only.is_empty()
                || options.only.iter().any(|n| n == program.threads[id.index()].name.as_str())
        };
        if options.only.is_empty() {
            plans.push((index, Plan::Init(program)));
            plans.push((index, Plan::Rely(program, None)));
            plans.extend(thread_ids(program).map(|id| (index, Plan::Rely(program, Some(id)))));
        }
        for id in thread_ids(program).filter(wanted) {
            plans.push((
                index,
                Plan::Thread(program, &facts[index], id, usable(program, id, index, relies)),
            ));
        }
    }
    let lowering = modular::Options { one_cluster: options.one_cluster };
    let weight = plans.len() * 20;
    let tasks = pool.run(&plans, weight, |_, (_, plan)| {
        let task = match plan {
            Plan::Init(program) => Some(init_task(program)),
            Plan::Rely(program, thread) => rely_task(program, *thread),
            Plan::Thread(program, facts, thread, relies) => {
                Some(thread_task(program, facts, *thread, relies, lowering))
            }
        };
        task.map(|task| prepare(task, options.unroll))
    });
    let named = plans.iter().zip(tasks).map(|((index, _), task)| (*index, task.transpose()));
    named.filter_map(|(index, task)| task.map(|task| (index, task))).collect()
}

/// The conjuncts that the thread may rely on.
fn usable<'a>(
    program: &'a Program,
    id: ThreadId,
    file: usize,
    relies: &[UsableRely],
) -> Vec<Conjunct<'a>> {
    let own = !program.threads[id.index()].relies.is_empty();
    let thread = own.then_some(id);
    let all = conjuncts(program, thread);
    let found = relies.iter().find(|rely| rely.file == file && rely.thread == thread);
    let dropped = |index: &usize| found.is_some_and(|rely| rely.dropped.contains(index));
    all.iter()
        .enumerate()
        .filter(|(index, _)| !dropped(index))
        .map(|(_, conjunct)| *conjunct)
        .collect()
}

/// A task that could not be built or decided leaves its message.
type Decision = Result<Decided, String>;

fn decide(
    pool: &mut Pool<'_>,
    tasks: Vec<(usize, Result<Prepared, String>)>,
    options: &Options,
) -> Vec<(usize, Decision)> {
    let queries: Vec<(usize, &Prepared, &Group)> = tasks
        .iter()
        .enumerate()
        .filter_map(|(index, (_, task))| task.as_ref().ok().map(|task| (index, task)))
        .flat_map(|(index, task)| task.groups.iter().map(move |group| (index, task, group)))
        .collect();
    let weight =
        tasks.iter().filter_map(|(_, task)| task.as_ref().ok()).map(Prepared::weight).sum();
    let jobs = batches(queries, |&(index, task, _)| (tasks[index].0, task.weight()));
    let outcomes = pool.run(&jobs, weight, |session, job| {
        let mut outcomes = Vec::new();
        for (index, task, group) in job {
            outcomes
                .push((*index, solve_group(session, task.question(&options.solver_name), group)));
        }
        outcomes
    });
    let mut by_task: Vec<Result<Vec<(ObligationId, Outcome)>, String>> =
        tasks.iter().map(|_| Ok(Vec::new())).collect();
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
    let mut decided: Vec<(usize, Decision)> = tasks
        .into_iter()
        .zip(by_task)
        .map(|((file, task), sites)| (file, task.and_then(|task| Ok(Decided::new(task, sites?)))))
        .collect();
    if options.hygiene {
        look_for_uncovered(pool, &mut decided, options);
    }
    decided
}

/// Queries of the same file that are small enough to share one conversation with a solver. Depends on the queries alone,
/// so that answers do not depend on the number of workers.
fn batches<Q>(queries: Vec<Q>, describe: impl Fn(&Q) -> (usize, usize)) -> Vec<Vec<Q>> {
    const BATCH_WEIGHT: usize = 400;
    let mut jobs: Vec<Vec<Q>> = Vec::new();
    let mut last = None;
    let mut weight = 0;
    for query in queries {
        let (file, more) = describe(&query);
        if last != Some(file) || weight + more > BATCH_WEIGHT {
            jobs.push(Vec::new());
            weight = 0;
        }
        last = Some(file);
        weight += more;
        jobs.last_mut().expect("internal error: a job was just begun").push(query);
    }
    jobs
}

/// A failing assertion hides what comes after it, so only tasks that hold are looked at.
fn look_for_uncovered(pool: &mut Pool<'_>, decided: &mut [(usize, Decision)], options: &Options) {
    let queries: Vec<(usize, usize, &Prepared)> = decided
        .iter()
        .enumerate()
        .filter_map(|(index, (file, task))| task.as_ref().ok().map(|task| (index, *file, task)))
        .filter(|(_, _, task)| !task.prepared.graph.covers.is_empty())
        .filter(|(_, _, task)| task.all_proved() || task.prepared.task.thread.is_none())
        .map(|(index, file, task)| (index, file, &task.prepared))
        .collect();
    let weight = queries.iter().map(|(_, _, task)| task.weight()).sum();
    let jobs = batches(queries, |&(_, file, task)| (file, task.weight()));
    let results = pool.run(&jobs, weight, |session, job| {
        let mut uncovered = Vec::new();
        for (index, _, task) in job {
            uncovered.push((*index, solve_covers(session, task.question(&options.solver_name))));
        }
        uncovered
    });
    let found: Vec<(usize, Vec<ObligationId>)> =
        results.into_iter().flat_map(Result::unwrap_or_default).collect();
    for (index, uncovered) in found {
        if let Ok(task) = &mut decided[index].1 {
            task.uncovered = uncovered;
        }
    }
}

/// What was found out about one file.
struct Findings {
    diagnostics: Vec<Diagnostic>,
    results: Vec<ObligationResult>,
    start: Span,
}

impl Findings {
    fn new(file: &File) -> Self {
        let start = Span::new(file.id, 0, 0);
        let mut found = Self { diagnostics: file.diagnostics.clone(), results: Vec::new(), start };
        if let Some(program) = &file.program {
            for (span, what) in modular::unsupported(program) {
                found.unknown("annotations", span, StopReason::Unsupported(what));
            }
        }
        found
    }

    fn weakened(&mut self, rely: &UsableRely) {
        for warning in &rely.warnings {
            let twin =
                |d: &Diagnostic| d.code == warning.code && d.primary.span == warning.primary.span;
            if !self.diagnostics.iter().any(twin) {
                self.diagnostics.push(warning.clone());
            }
        }
    }

    fn task(&mut self, task: &Decision, sources: &SourceMap) {
        match task {
            Ok(task) => {
                for (id, result, failure) in task.results() {
                    self.diagnostics.extend(diagnose::result(task, id, &result, failure, sources));
                    self.results.push(result);
                }
                self.diagnostics.extend(diagnose::uncovered(task));
            }
            Err(message) => {
                self.unknown(
                    "internal error",
                    self.start,
                    StopReason::InternalError(message.clone()),
                );
            }
        }
    }

    fn unknown(&mut self, task: &str, span: Span, reason: StopReason) {
        let code = diagnose::code_of(&reason);
        self.diagnostics.push(diagnose::unknown(&reason, span));
        let obligation = Obligation {
            code,
            relevance: Relevance::Required,
            span,
            declared: None,
            held: String::new(),
            failed: reason.to_string(),
            help: None,
        };
        self.results.push(ObligationResult {
            task: task.to_owned(),
            obligation,
            verdict: Verdict::Unknown(reason),
        });
    }

    fn report(mut self, file: &File, options: &Options) -> FileReport {
        if self.results.is_empty() && file.program.is_some() {
            self.diagnostics.push(diagnose::nothing(self.start, &options.only));
        }
        FileReport::new(file.id, self.diagnostics, self.results)
    }
}

fn programs(files: &[File]) -> impl Iterator<Item = (usize, &Program)> {
    files
        .iter()
        .enumerate()
        .filter_map(|(index, file)| file.program.as_ref().map(|program| (index, program)))
}

fn thread_ids(program: &Program) -> impl Iterator<Item = ThreadId> + use<> {
    (0..u32::try_from(program.threads.len()).unwrap_or(u32::MAX)).map(ThreadId)
}
