//! Exhaustive exploration.

use crate::simple::{ASSERTION, STUCK, Simple, TWO_INSIDE};
use search::{Budget, Effect, Fault, Global, Local, Options, Report, Run, Step, Threads, explore};
use verdict::StopReason;

fn run(model: &mut impl Threads, options: Options) -> Report {
    explore(model, &Budget::default(), &options)
}

/// Checks that a run is one of the model.
fn check_run(model: &mut impl Threads, run: &Run) {
    assert!(model.initial().contains(&(run.global, run.locals.clone())), "{run:?}");
    let (mut global, mut locals) = (run.global, run.locals.clone());
    for (at, moved) in run.steps.iter().enumerate() {
        let mut steps = Vec::new();
        model.steps(moved.thread, global, locals[moved.thread], &mut steps);
        steps.retain(|step| step.site == moved.site);
        let Some((after, after_locals)) = &moved.after else {
            assert!(steps.iter().any(|step| step.effect == Effect::Wrong), "{run:?}");
            assert_eq!(at + 1, run.steps.len());
            return;
        };
        locals[moved.thread] = after_locals[moved.thread];
        assert_eq!(&locals, after_locals, "others do not move");
        let effect = Effect::To(*after, locals[moved.thread]);
        assert!(steps.iter().any(|step| step.effect == effect), "{run:?}");
        global = *after;
    }
}

#[test]
fn simple_has_the_states_of_the_formula() {
    for n in 1..=12usize {
        let expected = (1u64 << n) * (1 + 2 * n as u64);
        let report = run(&mut Simple::new(n), Options::default());
        assert!(report.is_exhausted());
        assert_eq!((n, report.states), (n, expected));
        let watched = run(&mut Simple { exclusion: true, ..Simple::new(n) }, Options::default());
        assert!(watched.is_exhausted());
        assert_eq!(watched.states, expected);
    }
}

#[test]
fn symmetry_leaves_five_states_per_thread() {
    for n in [1, 2, 3, 10, 40] {
        let options = Options { symmetry: true, ..Options::default() };
        let report = run(&mut Simple { exclusion: true, ..Simple::new(n) }, options);
        assert!(report.is_exhausted());
        assert_eq!(report.states, 5 * n as u64 + 1);
    }
}

#[test]
fn a_shortest_run_is_shown() {
    for symmetry in [false, true] {
        let mut model = Simple { broken: true, ..Simple::new(5) };
        let report = run(&mut model, Options { symmetry, ..Options::default() });
        assert_eq!(report.violations.len(), 1);
        let violation = &report.violations[0];
        assert_eq!(violation.fault, ASSERTION);
        assert_eq!(violation.run.steps.len(), 4);
        check_run(&mut model, &violation.run);
    }
}

/// Threads that count down from their own number; the store counts who is done. Wrong when all are
/// done.
struct Countdown {
    threads: usize,
    from: u32,
    /// Whether the last one to finish goes wrong.
    wrong: bool,
}

impl Threads for Countdown {
    fn count(&self) -> usize {
        self.threads
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        vec![(0, vec![self.from; self.threads])]
    }

    fn steps(&mut self, _: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let (effect, faults) = match local {
            0 => return,
            1 if self.wrong && global as usize + 1 == self.threads => (Effect::Wrong, vec![1]),
            1 => (Effect::To(global + 1, 0), vec![]),
            _ => (Effect::To(global, local - 1), vec![]),
        };
        into.push(Step { site: local, effect, faults });
    }
}

#[test]
fn wide_states_and_runs_from_recomputed_levels() {
    // 7^8 states are too many to keep their levels.
    let mut model = Countdown { threads: 8, from: 6, wrong: true };
    let report = run(&mut model, Options::default());
    // All but those in which all are done.
    assert_eq!(report.states, 7u64.pow(8) - 1);
    assert_eq!(report.violations[0].run.steps.len(), 48);
    check_run(&mut model, &report.violations[0].run);
    // More threads than bits in a word.
    let mut model = Countdown { threads: 300, from: 1, wrong: false };
    let budget = Budget { depth: 1, ..Budget::default() };
    let report = explore(&mut model, &budget, &Options::default());
    assert_eq!(report.states, 1 + 300 + 300 * 299 / 2);
    assert_eq!(report.cut, Some(StopReason::ResourceLimit));
}

#[test]
fn limits_are_no_proof() {
    let mut cases = vec![
        (Budget { states: 100, ..Budget::default() }, StopReason::ResourceLimit),
        (Budget { bytes: 20_000, ..Budget::default() }, StopReason::MemoryLimit),
        (Budget { depth: 3, ..Budget::default() }, StopReason::ResourceLimit),
    ];
    let halt = verdict::Halt::default();
    halt.cancel();
    cases.push((Budget { halt: Some(&halt), ..Budget::default() }, StopReason::Cancelled));
    for (budget, reason) in cases {
        let report = explore(&mut Simple::new(12), &budget, &Options::default());
        assert_eq!(report.cut, Some(reason));
        assert!(!report.is_exhausted());
    }
}

/// Two threads that take two locks in opposite order. Store: owner of each lock.
struct TwoLocks;

impl Threads for TwoLocks {
    fn count(&self) -> usize {
        2
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        vec![(0, vec![0, 0])]
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let bit = if (local == 0) == (thread == 0) { 1 } else { 2 };
        let effect = match local {
            0 | 1 if global & bit == 0 => Effect::To(global | bit, local + 1),
            2 => Effect::To(0, 3),
            _ => return,
        };
        into.push(Step { site: local, effect, faults: Vec::new() });
    }

    fn quorum(&self) -> Option<usize> {
        Some(0)
    }

    fn bad(&mut self, _: Global, locals: &[Local]) -> Vec<Fault> {
        if locals == [2, 2] { vec![TWO_INSIDE] } else { Vec::new() }
    }

    fn stuck(&mut self, _: Global, locals: &[Local]) -> Vec<Fault> {
        if locals == [3, 3] { Vec::new() } else { vec![STUCK] }
    }
}

#[test]
fn a_state_without_steps_is_a_deadlock_unless_all_have_ended() {
    let report = run(&mut TwoLocks, Options { all: true, ..Options::default() });
    assert_eq!(report.cut, None);
    assert_eq!(report.violations.len(), 1);
    let violation = &report.violations[0];
    assert_eq!((violation.fault, violation.run.steps.len()), (STUCK, 2));
    check_run(&mut TwoLocks, &violation.run);
}
