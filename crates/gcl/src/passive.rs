//! The passive form: a directed acyclic graph of nodes. True of it: predecessors come before their
//! successors; there are no assignments, every variable has an incarnation (a symbol of its own)
//! for each value it may have; a run is a path from the first node that satisfies all assumptions
//! on it.

use crate::MarkId;
use logic::{Symbol, Term};
use verdict::ObligationId;

/// Index into [`Graph::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The nodes; the first is the entry.
    pub nodes: Vec<Node>,
    /// Where what is to be shown.
    pub sites: Vec<Site>,
    /// What some run should satisfy.
    pub covers: Vec<Cover>,
    /// True of symbols that are no variables.
    pub background: Vec<Term>,
    /// The number of unrollings after which runs were cut off, if they were.
    pub bounded: Option<u32>,
}

/// A stretch of code without branches.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Where runs come from; none for the entry.
    pub predecessors: Vec<NodeId>,
    /// What holds of runs that pass.
    pub assumptions: Vec<Term>,
    /// What to show of it.
    pub events: Vec<Event>,
}

/// Something that happens along a run and leaves no trace in the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// From here on the variable's value is that of the incarnation.
    Bind {
        /// The variable.
        variable: Symbol,
        /// Its incarnation.
        incarnation: Symbol,
        /// Whether it may have any value: nothing but assumptions says which.
        free: bool,
    },
    /// A point to be shown.
    Mark(MarkId),
}

/// Something to be shown of all runs that pass a node.
#[derive(Clone, Debug)]
pub struct Site {
    /// The node; its assumptions hold.
    pub node: NodeId,
    /// What must hold.
    pub parts: Vec<Term>,
    /// The obligation.
    pub obligation: ObligationId,
}

/// Something that some run that passes a node should satisfy.
#[derive(Clone, Debug)]
pub struct Cover {
    /// The node.
    pub node: NodeId,
    /// The formula.
    pub term: Term,
    /// The obligation.
    pub obligation: ObligationId,
}
