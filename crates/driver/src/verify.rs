//! The run itself, stage by stage: parse, check the annotations, check the threads, look for empty specifications.

use crate::decide::Decided;
use crate::deciding::{decide, uncovered};
use crate::designs::search_design;
use crate::diagnose;
use crate::findings::{FAILED, Findings, start};
use crate::language::{Language, unsuitable};
use crate::load::{File, Loaded, load};
use crate::objects::{check_objects, declares};
use crate::pool::{Alone, Executor, Pool};
use crate::prepare::{Askable, prepare};
use crate::relies::check_relies;
use crate::replay::real_runs;
use crate::run::{FileReport, Input, Options, Progress, Run, UnknownOption};
use crate::searching::{chosen, is_for_search, search};
use crate::settle::Settling;
use crate::small_scope::{look_at_few_copies, look_at_few_iterations};
use crate::systems::search_system;
use crate::tasks::{make_tasks, plans};
use crate::translated::search_translated;
use machine::{Goal, goals};
use plato::hir::Program;
use source::{FileId, SourceMap, Span};
use std::collections::BTreeSet;
use verdict::ObligationId;

/// Checks every input. A small file is one job, a large one many.
pub fn check(inputs: &[Input], options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Run {
    let mut sources = SourceMap::default();
    let mut files: Vec<File> = Vec::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for input in inputs {
        let id = sources.add(input.name.as_str(), input.text.as_str());
        let file = load(id, input, &options.definitions);
        used.extend(file.used_definitions.iter().cloned());
        files.push(file);
    }
    let mut pool = Pool::new(options, progress);
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
    let unknown_options = unknown_options(&files, &used, options);
    let unfit_solver = pool.health.unfit().map(str::to_owned);
    if unfit_solver.is_some() {
        reports.iter_mut().for_each(FileReport::without_solver_failures);
    }
    let only = options.only.clone();
    let unreadable = Vec::new();
    Run { sources, only, unknown_options, unfit_solver, unreadable, files: reports }
}

/// Whether some input is decided by deduction, which needs a solver.
pub fn needs_solver(inputs: &[Input], options: &Options) -> bool {
    let mut sources = SourceMap::default();
    inputs.iter().any(|input| {
        let id = sources.add(input.name.as_str(), input.text.as_str());
        let file = load(id, input, &options.definitions);
        match &file.loaded {
            Some(Loaded::Program(program)) => {
                file.language == Language::Plato && chosen(program, options).is_none()
            }
            Some(Loaded::Objects(_)) => true,
            Some(Loaded::System(_) | Loaded::Design(_)) | None => false,
        }
    })
}

fn unknown_options(
    files: &[File],
    used: &BTreeSet<String>,
    options: &Options,
) -> Vec<UnknownOption> {
    let constants =
        options.definitions.iter().map(|(name, _)| name).filter(|name| !used.contains(*name));
    let is_declared = |name: &String| {
        files.iter().any(|file| match &file.loaded {
            Some(Loaded::Program(program)) => has_part(program, name),
            Some(Loaded::Objects(program)) => declares(program, name),
            Some(Loaded::System(_) | Loaded::Design(_)) | None => false,
        })
    };
    let threads = options.only.iter().filter(|name| !is_declared(name));
    constants
        .cloned()
        .map(UnknownOption::Constant)
        .chain(threads.cloned().map(UnknownOption::Part))
        .collect()
}

/// Whether a thread, or a procedure with a specification, has this name.
fn has_part(program: &Program, name: &str) -> bool {
    let mut specified = program.procs.iter().filter(|procedure| procedure.spec.is_some());
    program.threads.iter().any(|thread| thread.name.as_str() == name)
        || specified.any(|procedure| procedure.name.as_str() == name)
}

/// What checking a small file weighs, in nodes of its graphs.
const SMALL_FILE_WEIGHT: usize = 150;

fn check_file(
    executor: &mut impl Executor,
    file: &File,
    options: &Options,
    sources: &SourceMap,
) -> FileReport {
    let diagnostics = file.diagnostics.clone();
    let mut found = Findings { diagnostics, ..Findings::default() };
    let Some(loaded) = &file.loaded else { return found.report(file.id, false) };
    // The command line refuses such a call; a library cannot.
    let unsuitable = unsuitable(&sources.file(file.id).name, &options.choices());
    if let Some(why) = unsuitable.into_iter().next() {
        found.not_looked_at(&why, start(file.id));
        return found.report(file.id, true);
    }
    found.extend(match loaded {
        Loaded::System(system) => search_system(system, options, sources),
        Loaded::Objects(program) => check_objects(executor, program, options, sources),
        Loaded::Design(systems) => search_design(systems, options, sources),
        Loaded::Program(program) if file.language == Language::C => {
            search_translated(program, options, sources)
        }
        Loaded::Program(program) => check_program(executor, program, options, sources, file.id),
    });
    let accepted = !found.is_rejected();
    found.report(file.id, accepted)
}

/// Decides a program in Plato, by deduction or by a search.
fn check_program(
    executor: &mut impl Executor,
    program: &Program,
    options: &Options,
    sources: &SourceMap,
    file: FileId,
) -> Findings {
    let mut found = Findings::default();
    let engine = chosen(program, options);
    if let Some(span) = contradictory_init(executor, program, engine.is_none(), options) {
        found.diagnostics.push(diagnose::contradictory_init(span));
        return found;
    }
    found.uncalled(program);
    found.unreachable_labels(program);
    if let Some(engine) = engine {
        found.extend(search(program, engine, options, sources, |_| true));
        return found;
    }
    let for_search = |goal: &Goal| is_for_search(program, goal);
    if goals(program).searched.iter().any(for_search) {
        let ladder = machine::Engine::Ladder;
        found.extend(search(program, ladder, options, sources, for_search));
    }
    let relies = check_relies(executor, program, options);
    let plans = plans(program, &relies, options);
    let tasks = make_tasks(executor, program, &plans, options);
    let mut decided = decide(executor, tasks, options);
    look_at_few_copies(executor, program, &plans, &mut decided, options);
    look_at_few_iterations(executor, program, &plans, &mut decided, options);
    relies.iter().for_each(|rely| found.weakened(rely));
    let proved = decided.iter().all(|task| task.as_ref().is_ok_and(Decided::all_proved));
    let runs = real_runs(program, options, &decided, proved);
    let settling = Settling::new(program, &runs, options);
    decided.iter().for_each(|task| found.task(task, &settling, sources, file));
    // With some threads only, the others may do anything.
    let whole = options.only.is_empty();
    if let Some(fault) = runs.first(program).filter(|_| proved && whole) {
        let message = format!("a run shows `{}` although everything is proved", fault.code);
        found.internal_error(FAILED, &message, start(file));
    }
    found
}

/// Where the conditions on initial stores stand, if no store satisfies them all. A search tells
/// for finite types, a solver for others.
fn contradictory_init(
    executor: &mut impl Executor,
    program: &Program,
    by_deduction: bool,
    options: &Options,
) -> Option<Span> {
    let last = program.inits.last()?.span;
    if machine::has_no_start(program) {
        return Some(last);
    }
    if !by_deduction {
        return None;
    }
    let prepared = prepare(modular::init_task(program), None);
    let found = uncovered(executor, vec![(0, &prepared)], options);
    let is_about_init =
        |id: &ObligationId| prepared.obligations()[id.0 as usize].code == "contradictory-init";
    found.iter().any(|(_, ids)| ids.iter().any(is_about_init)).then_some(last)
}

/// The report on a file of which Rely could not make sense.
fn failed(file: &File, message: &str) -> FileReport {
    let diagnostics = file.diagnostics.clone();
    let mut found = Findings { diagnostics, ..Findings::default() };
    found.internal_error(FAILED, message, start(file.id));
    found.report(file.id, false)
}
