//! A real run behind a circle of situations.
//!
//! Only the threads of the circle run, the others do nothing yet; that is a run of the whole
//! system. A few threads are searched exactly. Many are run one after the other, each until it is
//! in its situation (`in_turn.rs`).

use super::Situation;
use super::in_turn::in_turn;
use super::restrict::restrict;
use crate::design::ThreadId;
use crate::explain;
use crate::model::{CIRCULAR_WAIT, Model};
use crate::system::{Policy, System};
use crate::verify::Refutation;
use search::{Budget, Options, explore};

/// Up to this number of threads, the search is exact.
const FEW: usize = 6;
/// Limit on the states of an exact search.
const MOST_STATES: u64 = 300_000;
/// Limit on the memory of an exact search, in bytes.
const MOST_BYTES: u64 = 512 << 20;

pub(super) fn confirm(
    system: &System,
    policy: Policy,
    found: &[Situation],
) -> Option<Box<Refutation>> {
    if matches!(policy, Policy::Saturate | Policy::Fifo) {
        // These policies hand out units also to threads that would do nothing.
        return None;
    }
    let refutation = if found.len() <= FEW {
        let mut threads: Vec<ThreadId> = found.iter().map(|one| one.thread).collect();
        threads.sort_unstable();
        exactly(&restrict(system, &threads).system, policy)
    } else {
        in_turn(system, policy, found)
    };
    refutation.map(Box::new)
}

fn exactly(system: &System, policy: Policy) -> Option<Refutation> {
    let mut model = Model::new(system, policy, MOST_BYTES);
    let budget = Budget { states: MOST_STATES, bytes: MOST_BYTES, ..Budget::default() };
    let symmetry = model.is_symmetric();
    let options = Options { all: true, symmetry };
    let report = explore(&mut model, &budget, &options);
    let violation = report.violations.iter().find(|one| one.fault == CIRCULAR_WAIT)?;
    let replayed = model.replay(&violation.run);
    Some(explain::refutation(system, policy, CIRCULAR_WAIT, &replayed))
}
