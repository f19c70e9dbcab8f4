//! Which steps of threads are ordered, and accesses that are not.

use super::clock::Seen;
use super::machine::{Failure, Machine, Races, Stop};
use super::store::Cell;
use crate::typed::MethodId;
use diagnostic::Code as Fault;
use source::Span;

impl Machine<'_, '_> {
    /// Notes an access of a field that others may know.
    pub(super) fn note_access(
        &mut self,
        thread: usize,
        cell: &Cell,
        is_write: bool,
        span: Span,
    ) -> Result<(), Stop> {
        if self.is_starting {
            return Ok(());
        }
        let root = self.root(thread);
        let clock = self.threads[thread].clock.clone();
        let seen = Seen { time: clock.get(thread), span: self.place(thread, span), root };
        match self.accesses.access(cell, is_write, (thread, &clock), seen) {
            None => Ok(()),
            Some(other) => {
                let mut failure = self.failure(thread, Fault::DataRace, span);
                let head = |id: MethodId| self.program().method(id).span;
                failure.other = Some((other.span, other.root.map_or(other.span, head)));
                self.race(failure)
            }
        }
    }

    /// A race, or an access without a lock that is asked for. Steps are taken one after the other
    /// here, so that a run can go on after it.
    pub(super) fn race(&mut self, failure: Failure) -> Result<(), Stop> {
        let ends = match self.races {
            Races::All => true,
            Races::None => false,
            Races::One(wanted) => wanted == failure,
        };
        if ends {
            return Err(Stop::Failed(failure));
        }
        self.passed.insert(failure);
        Ok(())
    }

    /// Comes after all that wrote something that orders threads.
    pub(super) fn acquire(&mut self, thread: usize, cell: &Cell) {
        let mut clock = std::mem::take(&mut self.threads[thread].clock);
        self.accesses.acquire(cell, &mut clock);
        self.threads[thread].clock = clock;
    }

    /// What this thread did so far comes before all that read it.
    pub(super) fn release(&mut self, thread: usize, cell: &Cell) {
        self.accesses.release(cell, &self.threads[thread].clock);
        self.threads[thread].clock.tick(thread);
    }
}
