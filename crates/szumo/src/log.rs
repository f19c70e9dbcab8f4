//! The log of a run: the steps of all threads, in an order in which they happened, and the changes
//! of owners. A run can be replayed from it.

use crate::UnitId;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of the thread: the place of its root among the roots.
    pub thread: usize,
    /// What it did.
    pub event: Event,
    /// The units that it got.
    pub gained: Vec<UnitId>,
    /// The units that it let go of.
    pub lost: Vec<UnitId>,
}

/// What a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A transition of the unit that the thread is inside of.
    Fire {
        /// The unit.
        unit: UnitId,
        /// The number of the transition in its class.
        transition: usize,
        /// The units that the program chose.
        chosen: Vec<UnitId>,
    },
    /// A call of another unit.
    Call {
        /// Who calls.
        caller: UnitId,
        /// Who is called.
        callee: UnitId,
        /// The number of the `before` transition in its class.
        transition: usize,
        /// The units that the program chose.
        chosen: Vec<UnitId>,
    },
    /// The end of a called operation.
    Return {
        /// The unit that returns.
        unit: UnitId,
        /// The number of the `after` transition in its class, if the class has one.
        transition: Option<usize>,
        /// The units that the program chose.
        chosen: Vec<UnitId>,
    },
    /// The thread got everything that it needs.
    Complete,
    /// The thread begins to wait for these units, which others hold.
    Wait(Vec<UnitId>),
}
