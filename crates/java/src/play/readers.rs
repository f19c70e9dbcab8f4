//! Locks for readers and writers: who writes holds the monitor of the whole lock.

use super::library::{Effect, side};
use super::machine::{Machine, Stop};
use super::store::{Cell, Value};
use diagnostic::Code;
use source::Span;

impl Machine<'_, '_> {
    /// The whole lock of a side, and whether that is the side of readers.
    pub(super) fn whole_lock(&self, object: usize) -> Option<(usize, bool)> {
        let (field, reads) = side(self.program(), self.store.class_of(object)?)?;
        let lock = self.store.get(&Cell::Field(object, field))?.object()?;
        Some((lock, reads))
    }

    /// Whether some thread reads under a lock.
    pub(super) fn is_read(&self, lock: usize) -> bool {
        (0..self.threads.len()).any(|thread| self.store.reads(lock, thread) > 0)
    }

    /// Whether a thread holds a lock; for a read, as a reader at least.
    pub(super) fn holds_lock(&self, thread: usize, lock: usize, is_write: bool) -> bool {
        let lock = self.whole_lock(lock).map_or(lock, |(lock, _)| lock);
        self.store.holder(lock) == Some(thread) || !is_write && self.store.reads(lock, thread) > 0
    }

    /// What methods of the side of readers do.
    pub(super) fn effect_of_reader(
        &mut self,
        thread: usize,
        effect: Effect,
        lock: usize,
        span: Span,
    ) -> Result<Value, Stop> {
        match effect {
            Effect::Enter { interrupted } | Effect::TryEnter { interrupted } if interrupted => {
                self.interrupted()?;
            }
            _ => {}
        }
        let count = self.store.reads(lock, thread);
        match effect {
            Effect::Enter { .. } => self.enter_reading(thread, lock)?,
            Effect::TryEnter { .. } => {
                return Ok(Value::Bool(self.enter_reading(thread, lock).is_ok()));
            }
            Effect::Exit if count == 0 => {
                return Err(Stop::Failed(self.failure(thread, Code::MonitorNotHeld, span)));
            }
            Effect::Exit => {
                self.store.put(Cell::Reads(lock, thread), Value::Int(count - 1));
                self.release(thread, &Cell::Holder(lock));
            }
            _ => return Err(Stop::GiveUp("a lock of readers".to_owned())),
        }
        Ok(Value::Null)
    }

    fn enter_reading(&mut self, thread: usize, lock: usize) -> Result<(), Stop> {
        if self.store.holder(lock).is_some_and(|holder| holder != thread) {
            return Err(Stop::Blocked);
        }
        let count = self.store.reads(lock, thread) + 1;
        self.store.put(Cell::Reads(lock, thread), Value::Int(count));
        self.acquire(thread, &Cell::Holder(lock));
        Ok(())
    }
}
