//! `rely check`.

use crate::arguments::{CheckArguments, Format, InferWhen};
use crate::cache::Cache;
use crate::progress::Progress;
use crate::{baseline, inputs, interruption, library, memory, output, results, solver};
use driver::{Choice, Input, Options};
use smt::{Memory, Solver};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdict::{Halt, Limits};

pub(crate) fn check(arguments: &CheckArguments) -> anyhow::Result<u8> {
    let baseline = arguments.baseline.as_deref().map(baseline::read).transpose()?;
    let inputs = inputs::read(&arguments.paths, &arguments.stdin_name);
    for line in &inputs.unreadable {
        output::error(&format!("error: cannot read {line}"));
    }
    let cache = if arguments.no_cache { None } else { Cache::open().map(Arc::new) };
    let found = solver::find();
    let solver = found.as_ref().map_or_else(|_| solver::missing(), Clone::clone);
    let mut options = options(arguments, cache.clone(), solver);
    if let Some(told) = unsuitable(arguments, &options, &inputs.texts) {
        anyhow::bail!(told);
    }
    options.library = library::open(&arguments.library, &inputs.texts)?;
    // Searches need no solver.
    if let Err(error) = found
        && driver::needs_solver(&inputs.texts, &options)
    {
        return Err(error);
    }
    let watched = output::watched();
    let progress = Progress::new(options.meter.clone());
    let check = || driver::check(&inputs.texts, &options, &|event| progress.hears(event));
    let mut run = if watched { progress.during(check) } else { check() };
    run.unreadable = inputs.unreadable;
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
        baseline::write(path, &run)?;
    }
    results::write(arguments, &run)?;
    Ok(run.exit_code())
}

fn options(arguments: &CheckArguments, cache: Option<Arc<Cache>>, solver: Solver) -> Options {
    let jobs = arguments.jobs.map_or_else(cores, usize::from);
    let memory = arguments.memory.unwrap_or_else(|| memory::default_mib(jobs));
    let deadline = arguments.time_limit.map(Duration::from_secs);
    let deadline = deadline.and_then(|time| Instant::now().checked_add(time));
    let halt = Halt::new(deadline, Some(memory::limit(memory)));
    interruption::ends(&halt);
    Options {
        memory: cache.map(|cache| -> Arc<dyn Memory> { cache }),
        limits: limits(arguments.timeout.unwrap_or(TIMEOUT), memory),
        jobs,
        halt,
        unroll: arguments.unroll,
        only: arguments.only.clone(),
        definitions: arguments.definitions.clone(),
        hygiene: !arguments.no_hygiene,
        engine: arguments.engine.into(),
        states: arguments.states.unwrap_or(Options::STATES),
        policy: arguments.policy.map(Into::into),
        infer: (!arguments.never_infers()).then(|| infer_budget(arguments.infer_budget)),
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
        self.no_infer || self.infer == InferWhen::Never
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
