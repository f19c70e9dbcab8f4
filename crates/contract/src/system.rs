//! An instance configuration with everything expanded: units, what their variables refer to, one
//! thread per root.

use crate::any_size::Sizes;
use crate::design::{Class, ClassId, ThreadId, UnitId};
use crate::property::Property;
use source::{Name, Span};
use std::fmt;
use std::sync::Arc;

/// Units and their bindings.
#[derive(Clone, Debug)]
pub struct System {
    /// What it is called.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// All classes of the design.
    pub classes: Arc<[Class]>,
    /// The units, in the order of declaration.
    pub units: Vec<Unit>,
    /// The root of each thread.
    pub roots: Vec<UnitId>,
    /// What the variables refer to at the start, in the order of [`Unit::slots`].
    pub bindings: Vec<Vec<UnitId>>,
    /// The policies that must be safe, if the text says which.
    pub policies: Vec<Policy>,
    /// Further promises.
    pub properties: Vec<Property>,
    /// The other sizes, if the system stands for all of them; it is itself the smallest one.
    pub sizes: Option<Arc<Sizes>>,
}

/// A unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What it is called: `P` or `P[0]`.
    pub name: Name,
    /// The family that it is a member of, and its number there.
    pub member: Option<(Name, i64)>,
    /// Its class.
    pub class: ClassId,
    /// Where it is declared.
    pub span: Span,
    /// The number of its first variable among all variables of all units.
    pub slots: usize,
    /// Its thread, if it is a root.
    pub thread: Option<ThreadId>,
}

impl System {
    /// The class of a unit.
    pub fn class(&self, unit: UnitId) -> &Class {
        &self.classes[self.units[unit].class]
    }

    /// The name of a unit.
    pub fn name(&self, unit: UnitId) -> &str {
        self.units[unit].name.as_str()
    }

    /// The name of a thread is that of its root.
    pub fn thread_name(&self, thread: ThreadId) -> &str {
        self.name(self.roots[thread])
    }

    /// The numbers of a unit's variables.
    pub fn slots(&self, unit: UnitId) -> std::ops::Range<usize> {
        let first = self.units[unit].slots;
        first..first + self.class(unit).variables.len()
    }
}

/// How a thread gets the units that its contract entails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// One by one, in any order.
    Unit,
    /// One by one, in the order of declaration.
    Declared,
    /// One by one, in one order of all units.
    Ranked,
    /// All that are free, at once.
    Thread,
    /// Free units are handed out as soon as somebody needs them.
    Saturate,
    /// Like `Saturate`, with a FIFO queue per unit.
    Fifo,
    /// All or none.
    Aon,
}

impl Policy {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Unit,
        Self::Declared,
        Self::Ranked,
        Self::Thread,
        Self::Saturate,
        Self::Fifo,
        Self::Aon,
    ];

    /// The policy of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Declared => "declared",
            Self::Ranked => "ranked",
            Self::Thread => "thread",
            Self::Saturate => "saturate",
            Self::Fifo => "fifo",
            Self::Aon => "aon",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
