//! `rely check`.

use crate::arguments::{CheckArguments, Format};
use crate::cache::Cache;
use crate::{inputs, output, solver};
use diagnostic::Style;
use driver::{Options, Progress};
use smt::Memory;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use verdict::Limits;

pub(crate) fn check(arguments: &CheckArguments) -> anyhow::Result<u8> {
    let inputs = inputs::read(&arguments.paths);
    for line in &inputs.unreadable {
        output::error(&format!("error: cannot read {line}"));
    }
    if inputs.texts.is_empty() {
        return Ok(3);
    }
    let cache = if arguments.no_cache { None } else { Cache::open().map(Arc::new) };
    let found = solver::find();
    let solver = found.as_ref().map_or_else(|_| solver::missing(), Clone::clone);
    let options = Options {
        memory: cache.clone().map(|cache| -> Arc<dyn Memory> { cache }),
        limits: limits(arguments.timeout),
        jobs: arguments.jobs.map_or_else(cores, usize::from),
        unroll: arguments.unroll,
        only: arguments.only.clone(),
        definitions: arguments.definitions.clone(),
        hygiene: !arguments.no_hygiene,
        engine: arguments.engine.into(),
        states: arguments.states,
        policy: arguments.policy.map(Into::into),
        one_cluster: arguments.one_cluster,
        environment_steps: arguments.environment_steps,
        ..Options::new(solver)
    };
    // Searches need no solver.
    if let Err(error) = found
        && driver::needs_solver(&inputs.texts, &options)
    {
        return Err(error);
    }
    let watched = output::watched();
    let last = Mutex::new(Instant::now());
    let run = driver::check(&inputs.texts, &options, &|progress| {
        if watched {
            show(progress, &last);
        }
    });
    if let Some(cache) = cache {
        cache.save();
    }
    if watched {
        output::progress("");
    }
    let style = if output::wants_colour() { Style::Colour } else { Style::Plain };
    let proof = || if arguments.proof { report::proof(&run) } else { String::new() };
    output::result(&match arguments.format {
        Format::Text if arguments.quiet => report::summary(&run) + &proof(),
        Format::Text => report::text(&run, style) + &proof(),
        Format::Json => report::json(&run),
        Format::Sequence => report::sequence(&run),
        Format::Svg => report::svg(&run),
    });
    Ok(match run.exit_code() {
        0 | 4 | 5 if !inputs.unreadable.is_empty() => 3,
        code => code,
    })
}

/// The resource limit is what decides; the wall clock is a backstop for a solver that does not count.
fn limits(seconds: u64) -> Limits {
    const RESOURCES_PER_SECOND: u64 = 4_000_000;
    Limits {
        resources: seconds.saturating_mul(RESOURCES_PER_SECOND),
        wall_clock: Duration::from_secs(seconds),
        ..Limits::default()
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// At most ten times a second.
fn show(progress: Progress, last: &Mutex<Instant>) {
    let Ok(mut last) = last.lock() else { return };
    if last.elapsed() >= Duration::from_millis(100) {
        *last = Instant::now();
        output::progress(&format!("{} of {} queries", progress.done, progress.total));
    }
}
