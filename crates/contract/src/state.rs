//! A state of a system.

use crate::design::{ThreadId, UnitId};
use crate::system::System;
use source::Name;

/// The states, bindings and owners of all units, and the stacks of all threads. Its form makes sure
/// that a unit has at most one owner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The state of each unit.
    pub states: Vec<usize>,
    /// What each variable refers to.
    pub bindings: Vec<Vec<UnitId>>,
    /// Who holds each unit.
    pub owners: Vec<Option<ThreadId>>,
    /// The units that each thread is inside of, the root first. The last one is active.
    pub stacks: Vec<Vec<Frame>>,
    /// The threads that wait for each unit, in order; only the policy `fifo` uses it.
    pub queues: Vec<Vec<ThreadId>>,
}

/// A unit that a thread is inside of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The unit.
    pub unit: UnitId,
    /// The operation; none for a root.
    pub operation: Option<Name>,
}

/// How often a thread may be inside the same unit at once; deeper recursion is not searched.
const MOST_ENTRIES: usize = 4;

impl State {
    /// Every unit is in its initial state, and threads hold their roots only.
    pub fn initial(system: &System) -> Self {
        let mut owners = vec![None; system.units.len()];
        for (thread, &root) in system.roots.iter().enumerate() {
            owners[root] = Some(thread);
        }
        let units = 0..system.units.len();
        Self {
            states: units.map(|unit| system.class(unit).initial).collect(),
            bindings: system.bindings.clone(),
            owners,
            stacks: system
                .roots
                .iter()
                .map(|&unit| vec![Frame { unit, operation: None }])
                .collect(),
            queues: vec![Vec::new(); system.units.len()],
        }
    }

    /// The units that a unit's contract entails now, in the order of declaration, perhaps with
    /// repetitions.
    pub fn entailed<'s>(
        &'s self,
        system: &'s System,
        unit: UnitId,
    ) -> impl Iterator<Item = UnitId> + 's {
        let class = system.class(unit);
        let first = system.units[unit].slots;
        let variables = class.states[self.states[unit]].entails.iter();
        variables.flat_map(move |variable| self.bindings[first + variable].iter().copied())
    }

    /// The unit that a thread is executing.
    pub fn active(&self, thread: ThreadId) -> &Frame {
        self.stacks[thread].last().expect("internal error: a thread is inside its root")
    }

    /// Whether a thread has entered its active unit so often that the search does not follow it any
    /// further. Nothing is known about its later steps.
    pub(crate) fn is_deep(&self, thread: ThreadId) -> bool {
        let unit = self.active(thread).unit;
        self.stacks[thread].iter().filter(|frame| frame.unit == unit).count() > MOST_ENTRIES
    }

    /// Whether a thread has ended: it is not inside a supplier, and nothing can happen in its root
    /// any more.
    pub fn is_final(&self, system: &System, thread: ThreadId) -> bool {
        let root = system.roots[thread];
        self.stacks[thread].len() == 1 && system.class(root).is_final(self.states[root])
    }
}
