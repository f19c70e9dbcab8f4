//! How far to search, and what came of it.

use crate::threads::{Fault, Global, Local, Site, Threads};
use std::sync::atomic::{AtomicU64, Ordering};
use verdict::{Halt, StopReason};

/// How much a search may cost. A search that is cut short never counts as complete.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Limit on states.
    pub states: u64,
    /// Limit on the bytes of states and tables, as far as the search itself uses them.
    pub bytes: u64,
    /// Limit on the steps from the start.
    pub depth: u32,
    /// Ends the search with the run that it is a part of.
    pub halt: Option<&'a Halt>,
    /// Counts the states that are visited.
    pub meter: Option<&'a Meter>,
}

/// Counts states, for those who watch.
#[derive(Debug, Default)]
pub struct Meter(AtomicU64);

impl Meter {
    /// How many states were visited so far, by all searches that count here.
    pub fn states(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Self { states: 200_000_000, bytes: 4 << 30, depth: u32::MAX, halt: None, meter: None }
    }
}

impl Budget<'_> {
    /// Why a search with this number of facts and bytes must end.
    pub(crate) fn exceeded(
        &self,
        threads: &impl Threads,
        facts: u64,
        bytes: u64,
    ) -> Option<StopReason> {
        self.count(1);
        if let Some(reason) = self.halted() {
            return Some(reason);
        }
        if facts > self.states {
            return Some(StopReason::ResourceLimit);
        }
        let too_large = bytes > self.bytes;
        threads.exceeded().or_else(|| too_large.then_some(StopReason::MemoryLimit))
    }

    /// Counts states that were visited.
    pub fn count(&self, states: u64) {
        if let Some(Meter(count)) = self.meter {
            count.fetch_add(states, Ordering::Relaxed);
        }
    }

    /// Why the run has to end that the search is a part of.
    pub fn halted(&self) -> Option<StopReason> {
        self.halt.and_then(Halt::reason)
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether to go on after the first violation, and report each fault once.
    pub all: bool,
    /// Whether states that differ in the names of interchangeable threads only count as one.
    pub symmetry: bool,
}

/// What came of a search. `V` is what goes wrong, in the words of who asked.
#[derive(Clone, Debug)]
pub struct Report<V = Violation> {
    /// What goes wrong, each fault once, in the order of discovery.
    pub violations: Vec<V>,
    /// How many states were visited.
    pub states: u64,
    /// How many steps lead from one to another.
    pub transitions: u64,
    /// The longest distance from a start.
    pub depth: u32,
    /// The most memory that states and tables took.
    pub bytes: u64,
    /// Why the search did not see everything. Nothing is proved unless this is `None`.
    pub cut: Option<StopReason>,
}

impl<V> Report<V> {
    /// Whether every reachable state was visited and none is at fault.
    pub fn is_exhausted(&self) -> bool {
        self.cut.is_none() && self.violations.is_empty()
    }
}

/// Something that goes wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What.
    pub fault: Fault,
    /// A run that shows it.
    pub run: Run,
}

/// A run: where it starts, and its steps. What goes wrong does so in the last step, or in the state
/// after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The shared store at the start.
    pub global: Global,
    /// The local states at the start.
    pub locals: Vec<Local>,
    /// The steps.
    pub steps: Vec<Moved>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Who.
    pub thread: usize,
    /// Where in the code.
    pub site: Site,
    /// The shared store and all local states afterwards; nothing if the step goes wrong.
    pub after: Option<(Global, Vec<Local>)>,
}
