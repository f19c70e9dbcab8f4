//! The run itself, stage by stage: parse, check the annotations, check the threads, look for empty specifications.

use crate::decide::Decided;
use crate::diagnose;
use crate::pool::{Alone, Executor, Pool};
use crate::prepare::{Prepared, prepare};
use crate::run::{FileReport, Input, ObligationResult, Options, Progress, Run, UnknownOption};
use diagnostic::Diagnostic;
use gcl::{Group, Outcome, solve_covers, solve_group};
use modular::{Conjunct, conjuncts, init_task, rely_task, thread_task, transitivity_task};
use plato::hir::{Program, ThreadId};
use smt::Session;
use source::{FileId, SourceMap, Span};
use std::collections::BTreeSet;
use verdict::{Obligation, ObligationId, Relevance, StopReason, Verdict};

/// Checks every input. A small file is one job, a large one many.
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
    let (small, large): (Vec<&File>, Vec<&File>) = files.iter().partition(|file| file.is_small());
    let weight = small.len() * SMALL_FILE_WEIGHT;
    let reports = pool.run(&small, weight, |session, file| {
        check_file(&mut Alone(session), file, options, &sources)
    });
    let mut reports: Vec<FileReport> = small
        .iter()
        .zip(reports)
        .map(|(file, report)| report.unwrap_or_else(|message| failed(file, &message)))
        .collect();
    reports.extend(large.iter().map(|file| check_file(&mut pool, file, options, &sources)));
    reports.sort_by_key(|report| report.file);
    Run { sources, unknown_options: unknown_options(&files, &used, options), files: reports }
}

fn unknown_options(
    files: &[File],
    used: &BTreeSet<String>,
    options: &Options,
) -> Vec<UnknownOption> {
    let constants =
        options.definitions.iter().map(|(name, _)| name).filter(|name| !used.contains(*name));
    let has_thread = |name: &String| {
        let mut programs = files.iter().filter_map(|file| file.program.as_ref());
        programs.any(|program| program.threads.iter().any(|thread| thread.name.as_str() == name))
    };
    let threads = options.only.iter().filter(|name| !has_thread(name));
    constants
        .cloned()
        .map(UnknownOption::Constant)
        .chain(threads.cloned().map(UnknownOption::Thread))
        .collect()
}

/// What checking a small file weighs, in nodes of its graphs.
const SMALL_FILE_WEIGHT: usize = 150;
/// A file with fewer statements is checked in one conversation with a solver: starting another costs as much as checking
/// a few hundred obligations.
const SMALL_FILE_STATEMENTS: usize = 150;

fn check_file(
    executor: &mut impl Executor,
    file: &File,
    options: &Options,
    sources: &SourceMap,
) -> FileReport {
    let mut found = Findings::new(file);
    if let Some(program) = &file.program {
        let relies = check_relies(executor, program, options);
        let tasks = make_tasks(executor, program, &relies, options);
        let decided = decide(executor, tasks, options);
        relies.iter().for_each(|rely| found.weakened(rely));
        decided.iter().for_each(|task| found.task(task, sources));
    }
    found.report(file)
}

/// The report on a file of which Rely could not make sense.
fn failed(file: &File, message: &str) -> FileReport {
    let mut found = Findings::new(file);
    found.unknown("internal error", found.start, StopReason::InternalError(message.to_owned()));
    FileReport::new(file.id, found.diagnostics, found.results)
}

/// A parsed input.
struct File {
    id: FileId,
    /// Present unless the input was rejected.
    program: Option<Program>,
    diagnostics: Vec<Diagnostic>,
    used_definitions: Vec<String>,
}

impl File {
    fn is_small(&self) -> bool {
        self.program
            .as_ref()
            .is_none_or(|program| modular::statement_count(program) <= SMALL_FILE_STATEMENTS)
    }
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
    thread: Option<ThreadId>,
    /// Indices into `conjuncts(program, thread)`.
    dropped: BTreeSet<usize>,
    /// Why each was dropped, as a diagnostic.
    warnings: Vec<Diagnostic>,
}

fn check_relies(
    executor: &mut impl Executor,
    program: &Program,
    options: &Options,
) -> Vec<UsableRely> {
    let mut jobs: Vec<Option<ThreadId>> = Vec::new();
    if !program.relies.is_empty() {
        jobs.push(None);
    }
    jobs.extend(
        thread_ids(program).filter(|id| !program.threads[id.index()].relies.is_empty()).map(Some),
    );
    let weight = jobs.len() * 20;
    let results = executor
        .run(&jobs, weight, |session, &thread| transitive_part(session, program, thread, options));
    // A rely that nothing is known of is not used.
    let unusable = |thread: Option<ThreadId>| UsableRely {
        thread,
        dropped: (0..conjuncts(program, thread).len()).collect(),
        warnings: Vec::new(),
    };
    jobs.iter()
        .zip(results)
        .map(|(&thread, result)| result.unwrap_or_else(|_| unusable(thread)))
        .collect()
}

/// Drops conjuncts until the rest is transitive (see `transitivity_task` for why that is the largest such part).
fn transitive_part(
    session: &mut Session,
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
            return UsableRely { thread, dropped, warnings };
        }
        kept.retain(|index| !failing.contains(index));
    }
}

fn solve(
    session: &mut Session,
    prepared: &Prepared,
    options: &Options,
) -> Vec<(ObligationId, Outcome)> {
    let question = prepared.question(options);
    prepared.groups.iter().flat_map(|group| solve_group(session, question, group)).collect()
}

/// What there is to build: one job per task.
enum Plan<'a> {
    Init,
    Rely(Option<ThreadId>),
    Thread(ThreadId, Vec<Conjunct<'a>>),
}

fn make_tasks(
    executor: &mut impl Executor,
    program: &Program,
    relies: &[UsableRely],
    options: &Options,
) -> Vec<Result<Prepared, String>> {
    let wanted = |id: &ThreadId| {
        let name = program.threads[id.index()].name.as_str();
        options.only.is_empty() || options.only.iter().any(|only| only == name)
    };
    let mut plans: Vec<Plan<'_>> = Vec::new();
    if options.only.is_empty() {
        plans.extend([Plan::Init, Plan::Rely(None)]);
        plans.extend(thread_ids(program).map(|id| Plan::Rely(Some(id))));
    }
    plans.extend(
        thread_ids(program).filter(wanted).map(|id| Plan::Thread(id, usable(program, id, relies))),
    );
    let facts = modular::facts(program);
    let lowering = modular::Options { one_cluster: options.one_cluster };
    let weight = plans.len() * 20;
    let tasks = executor.run(&plans, weight, |_, plan| {
        let task = match plan {
            Plan::Init => Some(init_task(program)),
            Plan::Rely(thread) => rely_task(program, *thread),
            Plan::Thread(thread, relies) => {
                Some(thread_task(program, &facts, *thread, relies, lowering))
            }
        };
        task.map(|task| prepare(task, options.unroll))
    });
    tasks.into_iter().filter_map(Result::transpose).collect()
}

/// The conjuncts that the thread may rely on.
fn usable<'a>(program: &'a Program, id: ThreadId, relies: &[UsableRely]) -> Vec<Conjunct<'a>> {
    let own = !program.threads[id.index()].relies.is_empty();
    let thread = own.then_some(id);
    let all = conjuncts(program, thread);
    let found = relies.iter().find(|rely| rely.thread == thread);
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
    executor: &mut impl Executor,
    tasks: Vec<Result<Prepared, String>>,
    options: &Options,
) -> Vec<Decision> {
    let queries: Vec<(usize, &Prepared, &Group)> = tasks
        .iter()
        .enumerate()
        .filter_map(|(index, task)| task.as_ref().ok().map(|task| (index, task)))
        .flat_map(|(index, task)| task.groups.iter().map(move |group| (index, task, group)))
        .collect();
    let weight = tasks.iter().filter_map(|task| task.as_ref().ok()).map(Prepared::weight).sum();
    let jobs = batches(queries, |(_, task, _)| task.weight());
    let outcomes = executor.run(&jobs, weight, |session, job| {
        let mut outcomes = Vec::new();
        for (index, task, group) in job {
            outcomes.push((*index, solve_group(session, task.question(options), group)));
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
    let found: Vec<(usize, Vec<ObligationId>)> =
        results.into_iter().flat_map(Result::unwrap_or_default).collect();
    for (index, uncovered) in found {
        if let Ok(task) = &mut decided[index] {
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

    fn report(mut self, file: &File) -> FileReport {
        if self.results.is_empty() && file.program.is_some() {
            self.diagnostics.push(diagnose::nothing(self.start));
        }
        FileReport::new(file.id, self.diagnostics, self.results)
    }
}

fn thread_ids(program: &Program) -> impl Iterator<Item = ThreadId> + use<> {
    (0..u32::try_from(program.threads.len()).unwrap_or(u32::MAX)).map(ThreadId)
}
