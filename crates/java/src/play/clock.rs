//! Which accesses are ordered: vector clocks, and the last accesses of every field.

use super::store::Cell;
use crate::typed::MethodId;
use source::Span;
use std::collections::BTreeMap;

/// For each thread, up to which of its steps something comes after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock(Vec<u64>);

impl Clock {
    pub(super) fn get(&self, thread: usize) -> u64 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    pub(super) fn tick(&mut self, thread: usize) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
    }

    /// Comes after all that the other comes after.
    pub(super) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, others) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*others);
        }
    }
}

/// An access that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) time: u64,
    pub(super) span: Span,
    /// The method that the thread was called with.
    pub(super) root: Option<MethodId>,
}

/// The last accesses of every cell, and what writes of synchronizing cells come after.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    writes: BTreeMap<Cell, (usize, Seen)>,
    reads: BTreeMap<Cell, BTreeMap<usize, Seen>>,
    released: BTreeMap<Cell, Clock>,
}

impl Accesses {
    /// Notes an access; gives an earlier one that is not ordered with it.
    pub(super) fn access(
        &mut self,
        cell: &Cell,
        is_write: bool,
        (thread, clock): (usize, &Clock),
        seen: Seen,
    ) -> Option<Seen> {
        let is_open = |other: usize, seen: &Seen| other != thread && seen.time > clock.get(other);
        let write = self.writes.get(cell).filter(|(other, seen)| is_open(*other, seen));
        let mut race = write.map(|(_, seen)| *seen);
        if is_write {
            let reads = self.reads.get(cell).into_iter().flatten();
            let mut open = reads.filter(|(other, seen)| is_open(**other, seen));
            race = race.or_else(|| open.next().map(|(_, seen)| *seen));
            self.writes.insert(cell.clone(), (thread, seen));
            self.reads.remove(cell);
        } else {
            self.reads.entry(cell.clone()).or_default().insert(thread, seen);
        }
        race
    }

    /// Reads something that orders threads: a monitor that is entered, a volatile field.
    pub(super) fn acquire(&self, cell: &Cell, clock: &mut Clock) {
        if let Some(released) = self.released.get(cell) {
            clock.join(released);
        }
    }

    /// Writes something that orders threads.
    pub(super) fn release(&mut self, cell: &Cell, clock: &Clock) {
        self.released.entry(cell.clone()).or_default().join(clock);
    }
}
