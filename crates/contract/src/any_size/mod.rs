//! Systems of any size: `system S(n >= 3)`, answered for all `n` at once.
//!
//! Units of families that grow with `n` lie on a line, each at the place of its number. Systems
//! that are understood here (`shape.rs`) look alike on every line: there are two ends, and
//! everything in between is bound in the same way to units at a fixed distance and to units at
//! fixed places near the ends. So one long line stands for all longer ones, and the shorter ones
//! are looked at one by one (`verify.rs`).
//!
//! *The long line.* Let `spread` be the largest number in an index. Ends of loops and units that
//! are named by a fixed place lie within `2 * spread` of an end of the line: there are two such
//! numbers in each of them. Let `width` be such that every thread gets to know units at a distance
//! of at most `width` from its root, and units near the ends. From these follow the zones
//! (`line.rs`):
//!
//! ```text
//! fixed   = 2 * spread + width + 1   named places, and what is reached from them, lie before
//! units   = fixed + 2 * width        units from here on are in the middle: no unit within
//!                                    2 * width is at a named place
//! threads = units + width            threads from here on are in the middle: all units that they
//!                                    know at a distance are
//! size    = 2 * threads + 2 * width + 2
//! ```
//!
//! The same zones lie at the right end. That bindings in the middle are alike and that no thread
//! knows more than its width is looked at on the long line. Both follow for longer ones from the
//! form of the indexes: a unit in the middle is declared and bound by the iterations of loops that
//! are at a fixed distance from it, wherever it is. A thread of a longer line corresponds to one of
//! the long line: at an end, to the one with the same distance to this end, in the middle, to every
//! one of its family there. What it knows corresponds as well, and different units stay different,
//! because no unit at a distance is at a named place.
//!
//! *Views.* Threads are searched alone on the long line, as in `family`. All units of a family in
//! the middle share the ways in which they are left, moved along the line. Then the claim of
//! `family` holds of every longer line, by the same induction: what a thread sees is a view of
//! the thread that it corresponds to, and a free unit in the middle is left as some unit of its
//! family in the middle is left in a view.
//!
//! *Circles* (`circles.rs`). Threads in the middle are not told apart. Each edge of a real circle
//! has its image in the graph of situations up to their place, with the distance from one thread to
//! the next if both are in the middle and their common unit is. A real circle is a closed walk
//! there, so it lies in one strongly connected part. If such a part has distances at all of its
//! edges, those of a closed walk add up to zero, and a closed walk is made of simple ones. So there
//! is no circle if all simple closed walks go to the right, or all go to the left.
//!
//! *Lost threads.* Whether a thread can let go what it holds is a matter of its own views, so it is
//! the same on longer lines. Units are not told apart here, only their classes: if no thread that
//! holds something wants a unit of a class of which some thread may not be able to let one go, then
//! the premise of `family/letting_go.rs` holds on every line.
//!
//! *Whole families.* `P.x = { F[*] }` binds to more units on longer lines. Those that are not at
//! fixed places become one, which may be held by several threads at once; they have neither
//! variables nor transitions, no thread that knows all of them also knows one of them, and a
//! variable refers to all of them or none. Under `aon` they are acquired and let go together.
//! Otherwise a thread may hold some of them while it waits for others, and is said to hold and to
//! want them.

mod circles;
mod line;
mod shape;
mod sizes;
mod verify;

pub use sizes::Sizes;
pub(crate) use verify::verify;

use crate::design::{ClassId, UnitId};
use crate::family::{Situation, Views, shared_views};
use crate::model::{CIRCULAR_WAIT, STUCK};
use crate::system::{Policy, System};
use line::{Line, Long};
use search::Budget;
use std::collections::BTreeSet;
use verdict::StopReason;

/// What was found out about all large sizes.
struct Large {
    /// From this size on.
    from: i64,
    views: u64,
    /// The faults that are not excluded.
    alarms: BTreeSet<u32>,
}

/// Threads that get to know units at greater distances are not looked at.
const MOST_WIDTH: i64 = 8;
/// Longer lines are not looked at.
const MOST_SIZE: i64 = 400;

/// Searches the long line that stands for all longer ones.
fn large(
    system: &System,
    sizes: &Sizes,
    policy: Policy,
    budget: &Budget<'_>,
) -> Result<Large, StopReason> {
    let line = long_line(system, sizes).map_err(StopReason::Unsupported)?;
    let shared = |unit, left: &_| line.everywhere(unit, left);
    let Views { count, mut alarms, situations, kept, .. } =
        shared_views(&line.system, policy, budget, &shared)?;
    let class = |unit: &UnitId| line.system.units[*unit].class;
    let kept: BTreeSet<ClassId> = kept.keys().map(class).collect();
    let may_be_lost = |one: &Situation| {
        // Of a whole family some units may be held already, unless all come at once.
        let in_part = policy != Policy::Aon && one.wants.iter().any(|&unit| line.is_bulk(unit));
        (in_part || !one.holds.is_empty())
            && one.wants.iter().any(|unit| kept.contains(&class(unit)))
    };
    if situations.iter().any(may_be_lost) {
        alarms.insert(STUCK);
    }
    if !circles::are_excluded(&line, policy, situations) {
        alarms.insert(CIRCULAR_WAIT);
    }
    Ok(Large { from: line.size(), views: count, alarms })
}

fn long_line(system: &System, sizes: &Sizes) -> Result<Line, String> {
    let shape = sizes.shape()?;
    let mut width = 1;
    while width <= MOST_WIDTH {
        let long = Long { spread: shape.spread, width, least: sizes.least() };
        if long.size() > MOST_SIZE {
            break;
        }
        let instance = sizes.system(system, long.size())?;
        if let Some(line) = Line::new(instance, &shape, long)? {
            return Ok(line);
        }
        width *= 2;
    }
    let name = sizes.parameter();
    Err(format!(
        "threads that get to know more units, or more distant ones, the larger `{name}` is"
    ))
}
