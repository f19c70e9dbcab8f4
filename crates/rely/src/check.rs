//! `rely check`.

use crate::arguments::{CheckArguments, Format, InferWhen};
use crate::cache::Cache;
use crate::inputs::Inputs;
use crate::progress::Progress;
use crate::project::{self, Project};
use crate::{baseline, inputs, interruption, library, memory, output, results, solver};
use driver::{Baseline, Choice, Engine, Input, Options, Settings};
use smt::{Memory, Solver};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdict::{Halt, Limits};

pub(crate) fn check(arguments: &CheckArguments) -> anyhow::Result<u8> {
    let Prepared { inputs, options, cache, baseline, known_as } = Prepared::new(arguments)?;
    for line in &inputs.unreadable {
        output::error(&format!("error: cannot read {line}"));
    }
    interruption::ends(&options.halt);
    let watched = output::watched();
    let progress = Progress::new(options.meter.clone());
    let check = || driver::check(&inputs.texts, &options, &|event| progress.hears(event));
    let mut run = if watched { progress.during(check) } else { check() };
    run.unreadable = inputs.unreadable;
    run.known_as = known_as;
    if let Some(cache) = cache {
        cache.save();
    }
    if watched {
        output::progress("");
    }
    if let Some(baseline) = baseline {
        baseline::apply(&baseline, &mut run);
    }
    if let Some(path) = &arguments.write_baseline {
        if options.halt.reason().is_some() {
            anyhow::bail!("the run was ended early: no baseline is written");
        }
        baseline::write(path, &run)?;
    }
    results::write(arguments, &run)?;
    Ok(run.exit_code())
}

/// Everything that a check needs, from the command line and the project.
pub(crate) struct Prepared {
    pub(crate) inputs: Inputs,
    pub(crate) options: Options,
    cache: Option<Arc<Cache>>,
    pub(crate) baseline: Option<Baseline>,
    /// The names of inputs as they are seen from the folder of the project.
    pub(crate) known_as: BTreeMap<String, String>,
}

impl Prepared {
    pub(crate) fn new(arguments: &CheckArguments) -> anyhow::Result<Self> {
        let project = if arguments.no_project { None } else { project::find()? };
        if arguments.paths.is_empty() && project.is_none() {
            anyhow::bail!(
                "nothing is named to check, and there is no {} in this folder or above; \
                 `rely init` writes one",
                project::FILE
            );
        }
        let project = project.unwrap_or_default();
        let baseline = baseline_of(arguments, &project)?;
        let inputs = read(arguments, &project)?;
        let cache = if arguments.no_cache { None } else { Cache::open().map(Arc::new) };
        let found = solver::find();
        let solver = found.as_ref().map_or_else(|_| solver::missing(), Clone::clone);
        let mut options = options(arguments, &project, cache.clone(), solver);
        if let Some(told) = unsuitable(arguments, &options, &inputs.texts) {
            anyhow::bail!(told);
        }
        let mut definitions = project.definitions();
        definitions.append(&mut options.definitions);
        options.definitions = definitions;
        options.settings = Arc::new(settings(arguments, &project, &inputs.texts));
        options.library = library::open(&project.libraries(&arguments.library)?, &inputs.texts)?;
        // Searches need no solver.
        if let Err(error) = found
            && driver::needs_solver(&inputs.texts, &options)
        {
            return Err(error);
        }
        let known_as = project.names(&inputs.texts);
        Ok(Self { inputs, options, cache, baseline, known_as })
    }
}

/// The baseline that counts. One that is about to be written need not be there.
fn baseline_of(arguments: &CheckArguments, project: &Project) -> anyhow::Result<Option<Baseline>> {
    let is_whole = arguments.only.is_empty() && arguments.unroll.is_none();
    if arguments.write_baseline.is_some() && !is_whole {
        anyhow::bail!(
            "a baseline is of everything: --write-baseline is not for --only and --unroll"
        );
    }
    let path = arguments.baseline.clone().or_else(|| project.baseline());
    let is_new = |path: &PathBuf| arguments.write_baseline.as_ref() == Some(path) && !path.exists();
    path.filter(|path| !is_new(path)).as_deref().map(baseline::read).transpose()
}

fn read(arguments: &CheckArguments, project: &Project) -> anyhow::Result<Inputs> {
    let excluded = |path: &Path| project.excludes(path);
    if arguments.paths.is_empty() {
        return Ok(inputs::read(&project.paths()?, &arguments.stdin_name, &excluded));
    }
    Ok(inputs::read(&arguments.paths, &arguments.stdin_name, &excluded))
}

/// What the project sets, but for what the command line says.
fn settings(
    arguments: &CheckArguments,
    project: &Project,
    inputs: &[Input],
) -> BTreeMap<String, Settings> {
    let mut all = project.settings(inputs);
    for settings in all.values_mut() {
        if arguments.engine.is_some() {
            settings.engine = None;
        }
        if arguments.states.is_some() {
            settings.states = None;
        }
        if arguments.strict {
            settings.strict = None;
        }
        if arguments.no_hygiene {
            settings.hygiene = None;
        }
        if arguments.infer.is_some() || arguments.no_infer {
            settings.infer = None;
        }
    }
    all
}

fn options(
    arguments: &CheckArguments,
    project: &Project,
    cache: Option<Arc<Cache>>,
    solver: Solver,
) -> Options {
    let set = &project.text.limits;
    let jobs = arguments.jobs.or(set.jobs).map_or_else(cores, usize::from).max(1);
    let memory = arguments.memory.or(set.memory).unwrap_or_else(|| memory::default_mib(jobs));
    let deadline = arguments.time_limit.or(set.time_limit).map(Duration::from_secs);
    let deadline = deadline.and_then(|time| Instant::now().checked_add(time));
    let halt = Halt::new(deadline, Some(memory::limit(memory)));
    let budget = arguments.infer_budget.or(set.infer_budget);
    Options {
        memory: cache.map(|cache| -> Arc<dyn Memory> { cache }),
        limits: limits(arguments.timeout.or(set.timeout).unwrap_or(TIMEOUT), memory),
        jobs,
        halt,
        unroll: arguments.unroll,
        only: arguments.only.clone(),
        definitions: arguments.definitions.clone(),
        hygiene: !arguments.no_hygiene,
        engine: arguments.engine.map_or_else(Engine::default, Into::into),
        states: arguments.states.unwrap_or(Options::STATES),
        policy: arguments.policy.map(Into::into),
        infer: (!arguments.never_infers()).then(|| infer_budget(budget)),
        strict: arguments.strict,
        one_cluster: arguments.one_cluster,
        environment_steps: arguments.environment_steps,
        solver_name: solver::name(&solver),
        ..Options::new(solver)
    }
}

/// What is asked for that makes no sense for an input.
fn unsuitable(arguments: &CheckArguments, options: &Options, inputs: &[Input]) -> Option<String> {
    let mut choices = options.choices();
    if arguments.states.is_some() {
        choices.push(Choice::States);
    }
    if arguments.timeout.is_some() {
        choices.push(Choice::Timeout);
    }
    if matches!(arguments.format, Format::Sequence | Format::Svg) {
        choices.push(Choice::Drawings);
    }
    if arguments.never_infers() || arguments.infer_budget.is_some() {
        choices.push(Choice::Infer);
    }
    choices.extend(library::choices(&arguments.library));
    inputs.iter().find_map(|input| driver::unsuitable(&input.name, &choices).into_iter().next())
}

/// Seconds that a query may take.
pub(crate) const TIMEOUT: u64 = 30;

/// How long looking for annotations may take.
pub(crate) fn infer_budget(seconds: Option<u64>) -> Duration {
    const USUAL: u64 = 60;
    Duration::from_secs(seconds.unwrap_or(USUAL))
}

impl CheckArguments {
    fn never_infers(&self) -> bool {
        self.no_infer || self.infer == Some(InferWhen::Never)
    }
}

/// The resource limit is what decides; the wall clock is a backstop for a solver that does not
/// count.
pub(crate) fn limits(seconds: u64, memory_mib: u32) -> Limits {
    const RESOURCES_PER_SECOND: u64 = 4_000_000;
    Limits {
        resources: seconds.saturating_mul(RESOURCES_PER_SECOND),
        wall_clock: Duration::from_secs(seconds),
        memory_mib,
    }
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
