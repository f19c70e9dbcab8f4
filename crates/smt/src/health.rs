//! The health of a solver, shared by all sessions of a run.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use verdict::{Halt, StopReason};

/// Whether a solver can be believed, and whether it is worth asking. Copies refer to the same
/// solver.
#[derive(Clone, Debug, Default)]
pub struct Health(Arc<State>);

#[derive(Debug, Default)]
struct State {
    tested: Mutex<Tested>,
    /// How often in a row it had to be killed because it did not answer, and how many milliseconds
    /// that took.
    hangs: AtomicU32,
    lost: AtomicU64,
}

/// What a test of the solver found.
#[derive(Clone, Debug, Default)]
enum Tested {
    #[default]
    Not,
    Fit,
    /// The solver has a fault.
    Unfit(String),
}

/// A solver that hangs this often in a row, for this many milliseconds in all, is given up. A
/// healthy solver that has to wait for a processor can miss short limits.
const MANY_HANGS: u32 = 2;
const LONG: u64 = 5_000;

impl Health {
    /// A run begins: what hung before may not hang again, and a fault may be mended.
    pub fn begin(&self) {
        self.answered();
        let mut tested = self.tested();
        if matches!(*tested, Tested::Unfit(_)) {
            *tested = Tested::Not;
        }
    }

    /// The fault of the solver, if it was tested and failed.
    pub fn unfit(&self) -> Option<String> {
        match &*self.tested() {
            Tested::Unfit(why) => Some(why.clone()),
            Tested::Not | Tested::Fit => None,
        }
    }

    /// Tests the solver if nobody did before; says why it cannot be asked. A run that is about to
    /// end learns nothing of the solver.
    pub(crate) fn test(
        &self,
        halt: &Halt,
        test: impl FnOnce() -> Option<String>,
    ) -> Result<(), StopReason> {
        let mut tested = self.tested();
        if matches!(*tested, Tested::Not) {
            *tested = match test() {
                None => Tested::Fit,
                Some(why) => match halt.reason() {
                    Some(reason) => return Err(reason),
                    None => Tested::Unfit(why),
                },
            };
        }
        match &*tested {
            Tested::Unfit(why) => Err(StopReason::SolverFailed(why.clone())),
            Tested::Not | Tested::Fit => Ok(()),
        }
    }

    fn tested(&self) -> MutexGuard<'_, Tested> {
        self.0.tested.lock().unwrap_or_else(PoisonError::into_inner)
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
