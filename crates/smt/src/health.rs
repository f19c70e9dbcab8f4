//! The health of a solver, shared by all sessions of a run.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Whether a solver can be believed, and whether it is worth asking. Copies refer to the same
/// solver.
#[derive(Clone, Debug, Default)]
pub struct Health(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The fault of the solver, once it was tested.
    tested: OnceLock<Option<String>>,
    /// How often in a row it had to be killed because it did not answer, and how many milliseconds
    /// that took.
    hangs: AtomicU32,
    lost: AtomicU64,
}

/// A solver that hangs this often in a row, for this many milliseconds in all, is given up. A
/// healthy solver that has to wait for a processor can miss short limits.
const MANY_HANGS: u32 = 2;
const LONG: u64 = 5_000;

impl Health {
    /// The fault of the solver, if it was tested and failed.
    pub fn unfit(&self) -> Option<&str> {
        self.0.tested.get().and_then(Option::as_deref)
    }

    /// Tests the solver if nobody did before; returns its fault.
    pub(crate) fn test(&self, test: impl FnOnce() -> Option<String>) -> Option<&str> {
        self.0.tested.get_or_init(test).as_deref()
    }

    /// Records that the solver had to be killed because it did not answer in time.
    pub(crate) fn hung(&self, after: Duration) {
        self.0.hangs.fetch_add(1, Ordering::Relaxed);
        let lost = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        self.0.lost.fetch_add(lost, Ordering::Relaxed);
    }

    /// The solver answered.
    pub(crate) fn answered(&self) {
        self.0.hangs.store(0, Ordering::Relaxed);
        self.0.lost.store(0, Ordering::Relaxed);
    }

    /// Whether the solver hung so often that no session asks it any more.
    pub(crate) fn is_given_up(&self) -> bool {
        self.0.hangs.load(Ordering::Relaxed) >= MANY_HANGS
            && self.0.lost.load(Ordering::Relaxed) >= LONG
    }
}
