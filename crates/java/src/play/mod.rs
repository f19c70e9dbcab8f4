//! Runs of a program on real values, one step of one thread at a time, in an order drawn by lot.
//!
//! It shares the typed program with the translation to Plato and nothing else, so that the two
//! check each other. Code outside of the program is drawn by lot too: it makes objects through
//! constructors and calls methods on them from several threads, as what they require allows. The
//! first check that fails ends a run and shows that the failure is real. If no run fails, that
//! shows nothing. What is not known here, such as most methods of the library, ends a run without a
//! result.

mod calls;
mod checks;
mod client;
mod clock;
mod code;
mod compile;
mod exec;
mod fields;
mod formula;
mod library;
mod log;
mod machine;
mod monitors;
mod operators;
mod order;
mod player;
mod readers;
mod schedule;
mod store;

pub use machine::Failure;

use crate::typed::{MethodId, Program};
use client::Choice;
use machine::{Machine, Races, Stop};
use player::Player;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Trace;

/// A program that can be run.
#[derive(Clone, Debug, Default)]
pub struct Play {
    program: Program,
}

impl Play {
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All threads came to their ends.
    Done,
    /// Threads wait for each other, or to be notified.
    Stuck,
    /// It is too long.
    Long,
    /// A check failed.
    Failed(Failure),
    /// It did something that is not known here.
    GaveUp(String),
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// The heads of the methods that code outside of the program called.
    pub roots: Vec<Span>,
    /// How many instructions it had.
    pub length: usize,
    /// What happened, if that was asked for and a check failed.
    pub trace: Option<Trace>,
}

/// What runs are made.
#[derive(Clone, Copy)]
pub struct Wanted<'w> {
    /// Whether the method with this head may be called from outside.
    pub may: &'w dyn Fn(Span) -> bool,
    /// The head of the method that the runs are about.
    pub about: Option<Span>,
}

/// Longer runs are left.
const MOST_STEPS: usize = 600;

impl Play {
    pub(crate) fn new(program: Program) -> Self {
        Self { program }
    }

    /// Makes runs with these seeds, until somebody has seen enough or all of them together are too
    /// long.
    pub fn runs(
        &self,
        seeds: std::ops::Range<u64>,
        most: usize,
        wanted: &Wanted<'_>,
        mut see: impl FnMut(u64, Run) -> bool,
    ) {
        let player = Player::new(&self.program);
        let mut left = most;
        for seed in seeds {
            let (run, _) = self.one(&player, seed, wanted, (Races::All, false));
            left = left.saturating_sub(run.length + 20);
            if !see(seed, run) || left == 0 {
                return;
            }
        }
    }

    /// Makes one run again, up to a failure, with what happens in it.
    pub fn shown(&self, seed: u64, wanted: &Wanted<'_>, failure: &Failure) -> Option<Trace> {
        let player = Player::new(&self.program);
        let (run, _) = self.one(&player, seed, wanted, (Races::One(*failure), true));
        run.trace.filter(|_| run.end == End::Failed(*failure))
    }

    /// A run, and the races that it had and went on after.
    fn one(
        &self,
        player: &Player<'_>,
        seed: u64,
        wanted: &Wanted<'_>,
        (races, is_logged): (Races, bool),
    ) -> (Run, BTreeSet<Failure>) {
        let head = |id: MethodId| self.program.method(id).span;
        let may = |id: MethodId| (wanted.may)(head(id));
        let ids = || (0..self.program.methods.len()).map(MethodId::from_index);
        let about = wanted.about.and_then(|span| ids().find(|id| head(*id) == span));
        let choice = Choice { may: &may, about };
        let mut machine = Machine::new(player, seed, is_logged);
        machine.races = races;
        let end = match machine.play(&choice, MOST_STEPS) {
            Ok(end) => end,
            Err(Stop::Failed(_)) if machine.is_starting => {
                End::GaveUp("a class initializer that fails".to_owned())
            }
            Err(Stop::Failed(_)) if machine.breaks_axiom() => {
                End::GaveUp("an axiom that does not hold".to_owned())
            }
            Err(Stop::Failed(failure)) => End::Failed(failure),
            Err(Stop::GiveUp(what)) => End::GaveUp(what),
            Err(Stop::Blocked | Stop::Thrown(_)) => End::Stuck,
        };
        let roots = machine.roots.iter().map(|id| head(*id)).collect();
        let threads = machine.threads.len();
        let trace = match &end {
            End::Failed(failure) => machine.log.map(|log| log.trace(threads, failure)),
            _ => None,
        };
        (Run { end, roots, length: machine.instructions, trace }, machine.passed)
    }

    /// The failures of runs, each with the seed of a short one that shows it. A run goes on after
    /// races.
    pub fn failures(
        &self,
        seeds: std::ops::Range<u64>,
        most: usize,
        wanted: &Wanted<'_>,
    ) -> BTreeMap<Failure, (usize, u64)> {
        let mut best: BTreeMap<Failure, (usize, u64)> = BTreeMap::new();
        let player = Player::new(&self.program);
        let mut left = most;
        for seed in seeds {
            let (run, mut failures) = self.one(&player, seed, wanted, (Races::None, false));
            if let End::Failed(failure) = run.end {
                failures.insert(failure);
            }
            for failure in failures {
                let this = (run.length, seed);
                let known = best.entry(failure).or_insert(this);
                *known = (*known).min(this);
            }
            left = left.saturating_sub(run.length + 20);
            if left == 0 {
                break;
            }
        }
        best
    }
}
