//! Questions about a state.

use crate::design::{ThreadId, UnitId};
use crate::negotiate::{Negotiation, Views};
use crate::state::State;
use crate::syntax::Formula;
use crate::system::{Policy, System};

/// A question about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A unit is in a state of its class.
    At(UnitId, usize),
    /// A condition of a unit is true.
    Is(UnitId, usize),
    /// A unit is held, by this thread if one is named.
    Held(UnitId, Option<ThreadId>),
    /// A thread waits, for this unit if one is named.
    Waits(ThreadId, Option<UnitId>),
    /// A variable, by its number among all, refers to a unit or to nothing.
    Refers(usize, Option<UnitId>),
}

/// Whether a formula holds in a state.
pub(super) fn holds(
    formula: &Formula<Fact>,
    system: &System,
    policy: Policy,
    state: &State,
) -> bool {
    crate::design::holds(formula, &mut |fact| match *fact {
        Fact::At(unit, at) => state.states[unit] == at,
        Fact::Is(unit, condition) => {
            system.class(unit).states[state.states[unit]].truths[condition]
        }
        Fact::Held(unit, None) => state.owners[unit].is_some(),
        Fact::Held(unit, by) => state.owners[unit] == by,
        Fact::Waits(thread, unit) => {
            let asks = Views.asks(system, policy, state, thread);
            unit.map_or(!asks.blocked.is_empty(), |unit| asks.blocked.contains(&unit))
        }
        Fact::Refers(slot, None) => state.bindings[slot].is_empty(),
        Fact::Refers(slot, Some(unit)) => state.bindings[slot].contains(&unit),
    })
}
