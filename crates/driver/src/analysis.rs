//! Checking texts, once or again and again as they change.

use crate::allow::Allowances;
use crate::deduce::Known;
use crate::events::Event;
use crate::findings::{Findings, start};
use crate::language::{Language, unsuitable};
use crate::languages;
use crate::load::{File, load};
use crate::options::{Input, Options};
use crate::pool::{Alone, Executor, Pool};
use crate::results::{Effort, FileReport, Run, UnknownOption};
use crate::texts::Texts;
use source::{FileId, SourceMap};
use std::collections::BTreeSet;
use std::time::Instant;
use verdict::{Halt, TaskKind, Verdict};

/// Somebody who listens to what happens.
pub type Listener<'a> = &'a (dyn Fn(&Event<'_>) + Sync);

/// Checks texts again and again. It keeps its workers, their solvers and the tasks that were
/// proved: what did not change since is not made and not asked again.
pub struct Analysis {
    options: Options,
    pool: Pool,
    known: Option<Known>,
}

/// What every part of a check needs to know.
pub(crate) struct Context<'a> {
    pub(crate) options: &'a Options,
    pub(crate) sources: &'a SourceMap,
    pub(crate) known: Option<&'a Known>,
    allowances: &'a Allowances,
    listener: Listener<'a>,
}

impl<'a> Context<'a> {
    /// Tells whoever listens what happens.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        (self.listener)(event);
    }

    /// The same with other options.
    pub(crate) fn with<'b>(&'b self, options: &'b Options) -> Context<'b>
    where
        'a: 'b,
    {
        Context { options, ..*self }
    }

    /// The same without what earlier checks found.
    pub(crate) fn without_memory(&self) -> Self {
        Self { known: None, ..*self }
    }

    /// Makes a search, and measures it.
    pub(crate) fn search<R>(
        &self,
        file: FileId,
        search: impl FnOnce(&Options) -> R,
    ) -> (R, Effort) {
        let task = TaskKind::Search.alone();
        self.tell(&Event::Planned { file, tasks: vec![task.clone()] });
        self.tell(&Event::Started { file, task: &task });
        let begun = Instant::now();
        let found = search(self.options);
        (found, Effort { time: begun.elapsed(), ..Effort::default() })
    }
}

/// Checks every input, once.
pub fn check(inputs: &[Input], options: &Options, listener: Listener<'_>) -> Run {
    let (pool, options) = (Pool::new(options), options.clone());
    let halt = options.halt.clone();
    Analysis { options, pool, known: None }.check(inputs, &halt, listener)
}

/// What checking a small file weighs, in nodes of its graphs.
const SMALL_FILE_WEIGHT: usize = 150;

impl Analysis {
    /// An analysis that has seen no text yet.
    pub fn new(options: Options) -> Self {
        Self { pool: Pool::new(&options), options, known: Some(Known::default()) }
    }

    /// Goes on with other options. What was proved with these counts only under the same ones.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Checks every input. A small file is one job, a large one many.
    ///
    /// Whoever holds a copy of `halt` can end the check at any time; what is not decided by then is
    /// unknown. The texts may be others than last time.
    pub fn check(&mut self, inputs: &[Input], halt: &Halt, listener: Listener<'_>) -> Run {
        self.check_texts(&Texts::read(inputs, &self.options), halt, listener)
    }

    /// The same for texts that were read before, with the same options.
    pub fn check_texts(&mut self, texts: &Texts, halt: &Halt, listener: Listener<'_>) -> Run {
        self.pool.join(halt);
        let options = Options { halt: halt.clone(), ..self.options.clone() };
        let Texts { sources, files } = texts;
        for file in files {
            listener(&Event::Parsed { file: file.id, accepted: file.loaded.is_some() });
        }
        let known = self.known.as_ref();
        if let Some(known) = known {
            known.contents.begin();
        }
        let allowances = &Allowances::read(sources);
        let context = Context { options: &options, sources, known, allowances, listener };
        let mut reports = check_files(&mut self.pool, files, &context);
        let unfit_solver = self.pool.health.unfit();
        if unfit_solver.is_some() {
            reports.iter_mut().for_each(FileReport::without_solver_failures);
        }
        let is_whole = options.only.is_empty() && options.unroll.is_none();
        let is_complete = is_whole && unfit_solver.is_none();
        for told in allowances.faults(&reports, sources, is_complete) {
            let place = told.primary.span.file;
            let report = reports.iter_mut().find(|report| report.file == place);
            report.into_iter().for_each(|report| report.warn(told.clone()));
        }
        for report in &mut reports {
            if let Some(settings) = options.settings.get(&sources.file(report.file).name) {
                settings.apply(report);
            }
        }
        Run {
            unknown_options: unknown_options(files, &options),
            only: options.only.clone(),
            files: reports,
            unfit_solver,
            ..Run::of(sources.clone())
        }
    }
}

fn check_files(pool: &mut Pool, files: &[File], context: &Context<'_>) -> Vec<FileReport> {
    let (small, large): (Vec<&File>, Vec<&File>) = files.iter().partition(|file| file.is_small());
    let weight = small.len() * SMALL_FILE_WEIGHT;
    let reports =
        pool.run(&small, weight, |session, file| check_file(&mut Alone(session), file, context));
    let reports = small.iter().zip(reports);
    let mut reports: Vec<FileReport> = reports
        .map(|(file, report)| report.unwrap_or_else(|message| failed(file, &message, context)))
        .collect();
    reports.extend(large.iter().map(|file| check_file(pool, file, context)));
    reports.sort_by_key(|report| report.file);
    reports
}

fn check_file(executor: &mut impl Executor, file: &File, context: &Context<'_>) -> FileReport {
    let mut found = Findings::of(&file.diagnostics);
    // The command line refuses choices that are not for the language; a library cannot.
    let name = &context.sources.file(file.id).name;
    let options = context.options.of(name);
    let context = &context.with(&options);
    let wrong = unsuitable(name, &context.options.choices()).into_iter().next();
    let accepted = match (&file.loaded, wrong) {
        (None, _) => false,
        (Some(_), Some(why)) => {
            found.not_looked_at(&why, start(file.id));
            true
        }
        (Some(loaded), None) => {
            found.extend(languages::check(executor, loaded, file.id, context));
            !found.is_rejected()
        }
    };
    finished(found, file, accepted, context)
}

/// The report on a file about which everything is known.
fn finished(found: Findings, file: &File, accepted: bool, context: &Context<'_>) -> FileReport {
    let mut report = found.report(file.id, accepted);
    context.allowances.apply(&mut report, context.sources);
    // Deduction tells of its own tasks as they are decided; what searches found is one task.
    let task = TaskKind::Search.alone();
    let mut searched = report.results.iter().filter(|result| result.task == task).peekable();
    if searched.peek().is_some() {
        let proved = searched.all(|result| matches!(result.verdict, Verdict::Proved(_)));
        context.tell(&Event::Decided { file: file.id, task: &task, proved });
    }
    context.tell(&Event::Finished { report: &report });
    report
}

/// Whether some input is decided by deduction, which needs a solver.
pub fn needs_solver(inputs: &[Input], options: &Options) -> bool {
    let mut sources = SourceMap::default();
    inputs.iter().any(|input| {
        if Language::of(&input.name) == Language::Java {
            return true;
        }
        let id = sources.add(input.name.as_str(), input.text.as_str());
        let file = load(id, input, options.given());
        let options = options.of(&input.name);
        file.loaded.is_some_and(|loaded| languages::needs_solver(&loaded, &options))
    })
}

fn unknown_options(files: &[File], options: &Options) -> Vec<UnknownOption> {
    let used: BTreeSet<&String> = files.iter().flat_map(|file| &file.used_definitions).collect();
    let names = options.definitions.iter().map(|(name, _)| name);
    let constants = names.filter(|name| !used.contains(name));
    let has_part = |name: &str| {
        let mut loaded = files.iter().filter_map(|file| file.loaded.as_ref());
        loaded.any(|loaded| languages::has_part(loaded, name))
    };
    let parts = options.only.iter().filter(|name| !has_part(name));
    let constants = constants.cloned().map(UnknownOption::Constant);
    constants.chain(parts.cloned().map(UnknownOption::Part)).collect()
}

/// The report on a file of which Rely could not make sense.
fn failed(file: &File, message: &str, context: &Context<'_>) -> FileReport {
    let mut found = Findings::of(&file.diagnostics);
    found.internal_error(TaskKind::Failed.alone(), message, start(file.id));
    finished(found, file, false, context)
}
