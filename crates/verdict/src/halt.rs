//! When a run has to end: at a moment, with too much memory, or because somebody says so.

use crate::StopReason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Tells everything that works for a run when to end. Copies speak of the same run.
#[derive(Clone, Debug, Default)]
pub struct Halt {
    cancelled: Arc<AtomicBool>,
    deadline: Option<Instant>,
    memory: Option<MemoryLimit>,
}

/// How much memory the process may use.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// How many bytes it uses now.
    pub used: fn() -> u64,
    /// How many bytes it may use.
    pub bytes: u64,
}

impl Halt {
    /// A run that ends at a moment, or with too much memory, if there are such limits.
    pub fn new(deadline: Option<Instant>, memory: Option<MemoryLimit>) -> Self {
        Self { deadline, memory, ..Self::default() }
    }

    /// Ends the run.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Why the run has to end now, if it has.
    pub fn reason(&self) -> Option<StopReason> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(StopReason::Cancelled);
        }
        if self.memory.is_some_and(|limit| (limit.used)() > limit.bytes) {
            return Some(StopReason::MemoryLimit);
        }
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late.then_some(StopReason::Timeout)
    }

    /// The same run, of which a part has to end after this time at the latest.
    pub fn within(&self, time: Duration) -> Self {
        let soon = Instant::now().checked_add(time);
        let first = self.deadline.into_iter().chain(soon).min();
        Self { deadline: first, ..self.clone() }
    }

    /// When the run has to end.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

#[cfg(test)]
mod tests {
    use super::{Halt, MemoryLimit};
    use crate::StopReason;
    use std::time::{Duration, Instant};

    #[test]
    fn every_limit_is_a_reason() {
        assert_eq!(Halt::default().reason(), None);
        let now = Instant::now();
        assert_eq!(Halt::new(Some(now), None).reason(), Some(StopReason::Timeout));
        let later = now.checked_add(Duration::from_secs(1000));
        let full = MemoryLimit { used: || 11, bytes: 10 };
        assert_eq!(Halt::new(later, Some(full)).reason(), Some(StopReason::MemoryLimit));
        let halt = Halt::new(later, Some(MemoryLimit { bytes: 11, ..full }));
        assert_eq!(halt.reason(), None);
        assert_eq!(halt.within(Duration::ZERO).reason(), Some(StopReason::Timeout));
        assert_eq!(Halt::default().within(Duration::from_secs(1000)).reason(), None);
        halt.within(Duration::from_secs(1)).cancel();
        assert_eq!(halt.reason(), Some(StopReason::Cancelled));
    }
}
