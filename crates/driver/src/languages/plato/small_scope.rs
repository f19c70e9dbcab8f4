//! Failures shown on few copies of each thread, few values of each uninterpreted type, and in few
//! iterations of each loop.
//!
//! A thread of which any number of copies may run is checked for all numbers at once, and a type
//! without declared values for all sizes. A failure then has numbers of the solver's liking, and
//! quantifiers may leave it a candidate, or be too hard altogether. In a small world there are no
//! quantifiers over threads and such types, and what fails there fails: the annotations speak of
//! every world.

use super::plan::Plan;
use super::settle::fails_after_guesses;
use crate::deduce::{Answer, Decided, Decision, Prepared, is_limit, prepare};
use crate::options::Options;
use crate::pool::Executor;
use gcl::Outcome;
use modular::{Facts, Guesses, Task, facts};
use plato::hir::{Count, Program, Thread, Ty, Value};
use smt::Session;
use std::time::Duration;
use verdict::{Limits, Obligation, ObligationId};

/// How many iterations of each loop are followed.
const ITERATIONS: u32 = 1;

/// What a query of that kind may cost: it only makes a failure clearer.
const SHORT: Limits =
    Limits { resources: 6_000_000, wall_clock: Duration::from_secs(20), memory_mib: 0 };

/// Repeats the tasks in which something fails after a loop that was passed over by guesses: a run
/// that follows the loop needs none.
pub(crate) fn look_at_few_iterations(
    executor: &mut impl Executor,
    (program, facts): (&Program, &Facts),
    decided: &mut [(Plan<'_>, Decision<Task>)],
    options: &Options,
) {
    if options.unroll.is_some() {
        return;
    }
    let open: Vec<usize> = (0..decided.len())
        .filter(|&index| decided[index].1.as_ref().is_ok_and(fails_after_guesses))
        .collect();
    if open.is_empty() || options.halt.reason().is_some() {
        return;
    }
    let short = Options { unroll: Some(ITERATIONS), ..with_short_limits(options) };
    let world = World::new(with_few(program, &SCOPES[0]), &short);
    let lowering = modular::Options { guesses: Guesses::Nothing, ..options.lowering() };
    let results = executor.run(&open, open.len() * 100, |session, &index| {
        let (plan, task) = &decided[index];
        let failing: Vec<&Obligation> = task.iter().flat_map(failing).collect();
        let is_wanted = |about: &Obligation| failing.contains(&about);
        session.set_limits(short.limits);
        let few = world.refute(session, plan, Guesses::Nothing, &is_wanted);
        let decided = few.unwrap_or_else(|| {
            let prepared = prepare(plan.task(program, facts, &lowering), short.unroll);
            let sites = prepared.solve_those(session, &short, is_wanted);
            Decided::new(prepared, sites)
        });
        session.set_limits(options.limits);
        decided
    });
    for (&index, result) in open.iter().zip(results) {
        if let (Ok(task), Ok(short)) = (&mut decided[index].1, result) {
            task.short = Some(Box::new(short));
        }
    }
}

/// The obligations that fail, in a small world or in any.
fn failing(task: &Decided<Task>) -> impl Iterator<Item = &Obligation> {
    let fails = |id: &ObligationId| matches!(task.answer(*id), Answer::Failed(_, None));
    task.obligations().filter(move |(id, _)| fails(id)).map(|(_, about)| about)
}

/// Whether there is a small world other than the program's own.
pub(crate) fn is_smaller(program: &Program) -> bool {
    !program.opaques.is_empty() || program.threads.iter().any(is_unbounded)
}

/// Repeats the tasks in which something failed or was too hard, with few copies of threads and few
/// values of uninterpreted types.
pub(crate) fn look_at_few(
    executor: &mut impl Executor,
    program: &Program,
    decided: &mut [(Plan<'_>, Decision<Task>)],
    options: &Options,
) {
    let is_smaller = is_smaller(program);
    let is_open = |task: &Decided<Task>| {
        let mut failed = task.failed();
        let fails = if is_smaller { failed.next().is_some() } else { task.has_candidate() };
        fails || task.too_hard().next().is_some()
    };
    let mut open: Vec<usize> =
        (0..decided.len()).filter(|&index| decided[index].1.as_ref().is_ok_and(is_open)).collect();
    let short = with_short_limits(options);
    // A program that is small itself has one world.
    let scopes = if is_smaller { &SCOPES[..] } else { &SCOPES[..1] };
    for scope in scopes {
        if open.is_empty() || options.halt.reason().is_some() {
            return;
        }
        let world = World::new(with_few(program, scope), &short);
        let results = executor.run(&open, open.len() * 100, |session, &index| {
            let (plan, decision) = &decided[index];
            let is_about_code = !matches!(plan, Plan::Init | Plan::Rely(_));
            let goes_on = options.halt.reason().is_none();
            session.set_limits(short.limits);
            let small = decision.as_ref().ok().filter(|_| is_about_code && goes_on);
            let small = small.map(|task| world.look_at(session, plan, task));
            session.set_limits(options.limits);
            small
        });
        for (&index, result) in open.iter().zip(results) {
            if let (Ok(task), Ok(Some(small))) = (&mut decided[index].1, result) {
                task.small = Some(Box::new(small));
            }
        }
        open.retain(|&index| decided[index].1.as_ref().is_ok_and(|task| !is_shown(task)));
    }
}

/// A program with few threads and objects.
struct World<'a> {
    few: Program,
    facts: Facts,
    /// The greatest key that maps from numbers have a cell for.
    last: u32,
    options: &'a Options,
}

impl<'a> World<'a> {
    fn new(few: Program, options: &'a Options) -> Self {
        Self { facts: facts(&few), last: last_key(&few), few, options }
    }

    /// What is open in a task, in this world. Where maps can be written out as their cells, nothing
    /// but real failures is found, and soon; otherwise the solver does what it can.
    fn look_at(
        &self,
        session: &mut Session,
        plan: &Plan<'_>,
        task: &Decided<Task>,
    ) -> Decided<Task> {
        let used = task.prepared.task.candidates.iter().map(|guess| guess.number).collect();
        let guesses = Guesses::Only(used);
        let wanted: Vec<&Obligation> = task.failed().chain(task.too_hard()).collect();
        let is_wanted = |about: &Obligation| wanted.contains(&about);
        let written = self.refute(session, plan, guesses.clone(), &is_wanted);
        let mut small = written.unwrap_or_else(|| {
            let prepared = self.prepare(plan, guesses, false);
            let sites = prepared.solve_those(session, self.options, is_wanted);
            Decided::new(prepared, sites)
        });
        small.prepared.task.dropped.clone_from(&task.prepared.task.dropped);
        small
    }

    /// Failures in this world, with maps written out, if they can be.
    fn refute(
        &self,
        session: &mut Session,
        plan: &Plan<'_>,
        guesses: Guesses,
        is_wanted: &dyn Fn(&Obligation) -> bool,
    ) -> Option<Decided<Task>> {
        let prepared =
            self.prepare(plan, guesses, true).written_out(self.last, &self.options.halt)?;
        let failures = prepared.refute_those(session, self.options, is_wanted);
        let failed = |(id, failure)| (id, Outcome::Failed(Box::new(failure)));
        Some(Decided::new(prepared, failures.into_iter().map(failed).collect()))
    }

    fn prepare(&self, plan: &Plan<'_>, guesses: Guesses, list_more: bool) -> Prepared<Task> {
        let lowering = modular::Options { guesses, list_more, ..self.options.lowering() };
        prepare(plan.task(&self.few, &self.facts, &lowering), self.options.unroll)
    }
}

/// Asks about what no small world shows with all that a solver may do: candidates may be excluded
/// after all, and what was too hard in haste may hold.
pub(crate) fn look_at_all(
    executor: &mut impl Executor,
    decided: &mut [(Plan<'_>, Decision<Task>)],
    options: &Options,
) {
    let is_open = |task: &Decided<Task>| doubtful(task).next().is_some();
    let open: Vec<usize> =
        (0..decided.len()).filter(|&index| decided[index].1.as_ref().is_ok_and(is_open)).collect();
    let results = executor.run(&open, open.len() * 100, |session, &index| {
        let Ok(task) = &decided[index].1 else { return Vec::new() };
        let open: Vec<&Obligation> = doubtful(task).collect();
        task.prepared.solve_those(session, options, |about| open.contains(&about))
    });
    for (&index, result) in open.iter().zip(results) {
        if let (Ok(task), Ok(sites)) = (&mut decided[index].1, result) {
            task.decide_anew(sites);
        }
    }
}

/// The obligations that no small world shows to fail: with a candidate, or too hard in haste.
fn doubtful(task: &Decided<Task>) -> impl Iterator<Item = &Obligation> {
    let is_doubtful = |id: &ObligationId| match task.answer(*id) {
        Answer::Failed(_, doubt) => doubt.is_some(),
        Answer::Unknown(reason) => is_limit(&reason),
        Answer::Proved(_) => false,
    };
    task.obligations().filter(move |(id, _)| is_doubtful(id)).map(|(_, about)| about)
}

fn with_short_limits(options: &Options) -> Options {
    let limits = Limits {
        resources: options.limits.resources.min(SHORT.resources),
        wall_clock: options.limits.wall_clock.min(SHORT.wall_clock),
        ..options.limits
    };
    Options { limits, ..options.clone() }
}

/// A small world: copies of each thread that may have any number, and values of each uninterpreted
/// type.
struct Scope {
    copies: u32,
    values: u32,
}

/// The worlds that are looked at, in order. In the last, two objects may each have two others.
const SCOPES: [Scope; 3] = [
    Scope { copies: 2, values: 3 },
    Scope { copies: 3, values: 4 },
    Scope { copies: 2, values: 6 },
];

fn is_unbounded(thread: &Thread) -> bool {
    matches!(thread.count, Count::Any | Count::Symbolic(_))
}

/// The program in a small world.
fn with_few(program: &Program, &Scope { copies, values }: &Scope) -> Program {
    let mut few = program.clone();
    few.opaques.iter_mut().for_each(|opaque| opaque.size = Some(values));
    for thread in &mut few.threads {
        if let Count::Symbolic(id) = thread.count {
            few.consts[id.index()].value = Some(Value::Int(i128::from(copies)));
        }
        if is_unbounded(thread) {
            thread.count = Count::Copies(u64::from(copies));
        }
    }
    few
}

/// The greatest key that matters: threads and values of types have the numbers from zero on, and
/// of numbers a few are enough.
fn last_key(few: &Program) -> u32 {
    const NUMBERS: u32 = 3;
    const MOST: u32 = 12;
    let copies = few.threads.iter().map(|thread| match thread.count {
        Count::One => 1,
        Count::Copies(copies) => u32::try_from(copies).unwrap_or(MOST),
        Count::Any | Count::Symbolic(_) => MOST,
    });
    let threads = copies.fold(0, u32::saturating_add);
    let values = few.opaques.iter().filter_map(|opaque| opaque.size).max().unwrap_or(0);
    let globals = few.globals.iter().map(|global| greatest_key(&global.ty));
    let constants = few.consts.iter().map(|constant| greatest_key(&constant.ty));
    let ranges = globals.chain(constants).filter(|key| *key <= MOST).max().unwrap_or(0);
    threads.max(values).max(ranges).clamp(NUMBERS, MOST)
}

/// The greatest key of the maps of a type that are from a range.
fn greatest_key(ty: &Ty) -> u32 {
    match ty {
        Ty::Map(key, value) => match **key {
            Ty::Range(_, high) => u32::try_from(high).unwrap_or(0).max(greatest_key(value)),
            _ => greatest_key(value),
        },
        Ty::Set(element) => match **element {
            Ty::Range(_, high) => u32::try_from(high).unwrap_or(0),
            _ => 0,
        },
        Ty::Bool | Ty::Int | Ty::Range(..) | Ty::Enum(_) | Ty::Tid | Ty::Opaque(_) => 0,
    }
}

/// Whether everything that is open fails in the small world, without a doubt.
fn is_shown(task: &Decided<Task>) -> bool {
    let fails_small = |about: &Obligation| {
        let small = task.small.as_ref().and_then(|small| small.failure_of(about));
        small.is_some_and(|witness| !witness.failure.candidate)
    };
    task.failed().chain(task.too_hard()).all(fails_small)
}
