//! Non-interference: no two threads are inside the same unit. This does not look at owners, so that
//! it checks the negotiation rather than the way owners are represented.

use crate::state::State;
use crate::system::System;

/// Whether some unit has two threads inside.
pub(super) fn has_two_inside(system: &System, state: &State) -> bool {
    let mut entered = vec![false; system.units.len()];
    let frames = state.stacks.iter().flatten();
    frames.into_iter().any(|frame| std::mem::replace(&mut entered[frame.unit], true))
}
