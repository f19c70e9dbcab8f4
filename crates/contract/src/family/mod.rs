//! Large families: each thread alone.
//!
//! What a thread does depends on itself and on what it holds. So each thread is searched alone,
//! with everything that it holds; the units that it acquires may come in any state in which some
//! thread ever left them, or in their initial one. This is a least fixpoint over all threads, but
//! not over their interleavings: the cost is the sum of the local state spaces, and a thousand
//! threads are as easy as ten.
//!
//! *Soundness.* Let `V(t)` be what thread `t` sees of a state: its root, its stack, the units that
//! it holds, with their states and bindings. Claim: in every reachable state, `V(t)` is among the
//! views found for `t`, and every free unit is as it was at the start or as some thread left it in
//! a view. By induction over runs:
//!
//! - A step of `t` reads and changes `V(t)` only. So its effect on `V(t)` is a step from the view,
//!   and what it lets go is left as the view says. A step that goes wrong does so in the view.
//! - A step of another thread changes its own root and stack, units that it holds and the owners of
//!   units that `t` does not hold, hence nothing of `V(t)`.
//! - When `t` acquires units, they were free, so their states are among those that were left.
//!
//! From that follows, for every policy:
//!
//! - *No violation* in a view means no violation.
//! - *Circular wait.* Its threads are distinct and wait, so they have views that are not complete;
//!   call `H` what such a view holds (without the root) and `W` what it may wait for. In the circle
//!   each thread waits for a unit of the `H` of the next one, and what they hold is disjoint. If no
//!   such circle of views exists, there is no circular wait. Under `aon`, a thread that is not
//!   complete holds only what it held before its contract grew, and `W` is everything that the
//!   contract may entail. Under the other policies `H` may be anything that can be acquired one by
//!   one: their deadlocks are among those of `unit`, because each of their steps is a sequence of
//!   its steps. If many units are acquired one by one, not all of their subsets are looked at, but
//!   each unit alone as if it was the first: a circle needs one unit that is held and one that is
//!   wanted, and still is one if its threads hold less besides.
//! - *Orphaned wait* needs a thread that has ended and holds something.
//! - *Stuck without either:* follow who waits for whom. There is no circle, so this ends at a
//!   thread that does not wait; it has not ended, or that were an orphaned wait or all threads have
//!   ended. So it is complete and has no step.
//! - *Waiting for a lost thread* (`stuck.rs`): such a thread is complete and has no step in its
//!   view, or some thread cannot surely let go what another one wants that holds something itself.
//!   Why there is no other case is written in `letting_go.rs`.
//!
//! An alarm need not be real: views of different threads may not fit together. `confirm.rs`
//! confirms circles by a real run; other alarms stay open here.

mod circles;
mod confirm;
mod in_turn;
mod letting_go;
mod local;
mod restrict;

use crate::design::{ThreadId, UnitId};
pub(crate) use crate::graph::parts;
use crate::hygiene::Seen;
use crate::model::{CIRCULAR_WAIT, STUCK};
use crate::system::{Policy, System};
use crate::verify::Refutation;
use circles::Circles;
pub(crate) use circles::least;
pub(crate) use local::{Left, Views, shared_views};
pub(crate) use restrict::restrict;
use search::Budget;
use std::collections::BTreeSet;
use verdict::StopReason;

/// The result of searching each thread alone.
pub(crate) struct Alone {
    /// How many views there are.
    pub(crate) views: u64,
    /// The faults that some view or circle of views shows; all others are excluded.
    pub(crate) alarms: BTreeSet<u32>,
    /// A real run into a circular wait.
    pub(crate) circular_wait: Option<Box<Refutation>>,
    /// The events that happen in the views.
    pub(crate) seen: Seen,
}

/// A view of a thread that is not complete.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Situation {
    pub(crate) thread: ThreadId,
    /// The units that it holds, without its root.
    pub(crate) holds: BTreeSet<UnitId>,
    /// The units that it may wait for.
    pub(crate) wants: BTreeSet<UnitId>,
}

/// Whether a search of each thread alone excludes a circular wait.
pub(crate) fn excludes_circles(system: &System, policy: Policy, budget: &Budget<'_>) -> bool {
    let found = alarms(system, policy, budget, true);
    found.is_ok_and(|(_, alarms)| !alarms.contains(&CIRCULAR_WAIT))
}

/// Whether a search of each thread alone excludes that somebody waits for a thread which is not
/// complete and never will be. The caller has excluded circles and waits for ended threads.
pub(crate) fn excludes_lost(system: &System, policy: Policy, budget: &Budget<'_>) -> bool {
    local::views(system, policy, budget)
        .is_ok_and(|views| !views.alarms.contains(&STUCK) && !views.may_lose())
}

impl Views {
    /// Whether a thread that holds something wants a unit that another one may be unable to let go
    /// of.
    fn may_lose(&self) -> bool {
        let is_kept = |one: &Situation, unit: &UnitId| {
            self.kept.get(unit).is_some_and(|by| by.iter().any(|&other| other != one.thread))
        };
        let may_be_lost = |one: &Situation| {
            !one.holds.is_empty() && one.wants.iter().any(|unit| is_kept(one, unit))
        };
        self.situations.iter().any(may_be_lost)
    }
}

/// The number of views, and the faults that a search of each thread alone does not exclude. A
/// circular wait that the caller does not ask for counts as not excluded.
///
/// # Errors
/// The error says why nothing is known: there are too many views.
pub(crate) fn alarms(
    system: &System,
    policy: Policy,
    budget: &Budget<'_>,
    asks_for_circles: bool,
) -> Result<(u64, BTreeSet<u32>), StopReason> {
    let views = local::views(system, policy, budget)?;
    let may_lose = views.may_lose();
    let Views { count, mut alarms, situations, .. } = views;
    if may_lose {
        alarms.insert(STUCK);
    }
    if !asks_for_circles || !matches!(circles::find(situations), Circles::None) {
        alarms.insert(CIRCULAR_WAIT);
    }
    Ok((count, alarms))
}

/// Searches each thread alone.
///
/// # Errors
/// The error says why nothing is known: there are too many views.
pub(crate) fn each_alone(
    system: &System,
    policy: Policy,
    budget: &Budget<'_>,
) -> Result<Alone, StopReason> {
    let views = local::views(system, policy, budget)?;
    let may_lose = views.may_lose();
    let Views { count, mut alarms, situations, seen, .. } = views;
    if may_lose {
        alarms.insert(STUCK);
    }
    let mut circular_wait = None;
    match circles::find(situations) {
        Circles::None => {}
        Circles::Unclear => {
            alarms.insert(CIRCULAR_WAIT);
        }
        Circles::Found(circle) => {
            alarms.insert(CIRCULAR_WAIT);
            circular_wait = confirm::confirm(system, policy, &circle);
        }
    }
    Ok(Alone { views: count, alarms, circular_wait, seen })
}
