//! Runs Chalice programs on real values, one step of one thread at a time, in a random order.
//!
//! A thread has the permissions that contracts give it, so the interpreter can make every check of
//! the verifier. The first check that fails ends a run and shows that the failure is real. If no
//! run fails, that shows nothing.
//!
//! Anybody may call a method that requires nothing at any time, so its runs are runs of the
//! program. Other methods start in states that their preconditions allow (`start`).

mod eval;
mod fraction;
mod log;
mod loops;
mod machine;
mod monitors;
mod start;
mod state;
mod steps;
mod transfer;

pub use machine::End;
pub use state::Failure;

use chalice::hir::{MethodId, Program};
use diagnostic::Code;
use machine::literals;
use std::collections::BTreeMap;
use verdict::{Confirmation, Halt, Trace};

/// A run that fails.
#[derive(Clone, Debug)]
pub struct Run {
    /// The check that fails.
    pub failure: Failure,
    /// What happens.
    pub trace: Trace,
}

/// Longer runs are left.
const MOST_STEPS: usize = 400;

/// Limit on the steps of all runs together.
const STEPS_OF_ALL_RUNS: usize = 100_000;

/// How this number of runs of a method end.
pub fn ends(program: &Program, method: MethodId, runs: u64) -> Vec<End> {
    let literals = literals(program);
    let end = |seed| machine::run(program, &literals, method, (seed, MOST_STEPS), false).0;
    (0..runs).map(end).collect()
}

/// How a run ended.
struct Ended {
    entry: MethodId,
    seed: u64,
    end: End,
    steps: usize,
}

/// Makes this number of runs of each of these methods, in turn, as long as all together are not too
/// long.
fn each_run<'a>(
    program: &'a Program,
    literals: &'a [i128],
    entries: &'a [MethodId],
    (runs, halt): (u64, &'a Halt),
) -> impl Iterator<Item = Ended> + 'a {
    let starts = (0..runs).flat_map(|seed| entries.iter().map(move |&entry| (entry, seed)));
    let mut left = STEPS_OF_ALL_RUNS;
    starts.map_while(move |(entry, seed)| {
        let goes_on = left > 0 && halt.reason().is_none();
        let start = goes_on.then_some((seed, MOST_STEPS))?;
        let (end, steps, _) = machine::run(program, literals, entry, start, false);
        left = left.saturating_sub(steps);
        Some(Ended { entry, seed, end, steps })
    })
}

/// The failures of this number of runs of these methods and of each that requires nothing, with a
/// short run that shows each of them.
pub fn failures(program: &Program, methods: &[MethodId], runs: u64, halt: &Halt) -> Vec<Run> {
    let literals = literals(program);
    // Prefer runs of the program to others, and short ones to long ones.
    let mut best: BTreeMap<Failure, (bool, usize, MethodId, u64)> = BTreeMap::new();
    let mut entries = real_entries(program);
    let others = methods.iter().filter(|id| !is_real(program, **id));
    entries.extend(others.copied());
    for Ended { entry, seed, end, steps } in each_run(program, &literals, &entries, (runs, halt)) {
        if let End::Failed(failure) = end {
            let this = (!is_real(program, entry), steps, entry, seed);
            let known = best.entry(failure).or_insert(this);
            *known = (*known).min(this);
        }
    }
    let shown = best.into_iter().filter_map(|(failure, (is_other, _, entry, seed))| {
        let (_, _, log) = machine::run(program, &literals, entry, (seed, MOST_STEPS), true);
        let confirmation = if is_other { Confirmation::Allowed } else { Confirmation::Confirmed };
        log.map(|log| log.run(failure, confirmation))
    });
    shown.collect()
}

/// A check that fails in one of this number of runs of the program: of each method that requires
/// nothing.
pub fn real_failure(program: &Program, runs: u64, halt: &Halt) -> Option<Failure> {
    let (literals, entries) = (literals(program), real_entries(program));
    each_run(program, &literals, &entries, (runs, halt)).find_map(|ended| match ended.end {
        End::Failed(failure) if failure.code != Code::InternalError => Some(failure),
        _ => None,
    })
}

/// The methods that require nothing.
fn real_entries(program: &Program) -> Vec<MethodId> {
    let ids = (0..program.methods.len()).map(MethodId::from_index);
    ids.filter(|id| is_real(program, *id)).collect()
}

/// Whether runs of the method are runs of the program.
fn is_real(program: &Program, id: MethodId) -> bool {
    program.methods[id.index()].spec.requires.is_empty()
}
