//! The verification conditions: for each node a flag "a run gets through here", for each site a
//! flag "and fails here".
//!
//! ```text
//! reach(n)  ==>  (or reach(p) for p before n)  &&  assumptions(n)
//! fail(s)   ==>  reach(node(s))  &&  !parts(s)
//! ```
//!
//! Implications in one direction suffice: a model with `fail(s)` makes the flags on some path back
//! to the entry true, and every run that fails at `s` gives such a model. So all obligations of a
//! group hold iff the disjunction of their failure flags has no model. Each node's assumptions
//! occur once: the size is linear in the graph.

use crate::passive::{Graph, NodeId};
use logic::{Node, Sort, Term, Terms};

/// The formulas for a whole graph; a group of sites uses the part before it.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Per node its flag.
    pub reach: Vec<Term>,
    /// Per node what its flag implies.
    pub nodes: Vec<Term>,
    /// Per site its flag, and what the flag implies; `None` if the parts are trivially true.
    pub sites: Vec<Option<(Term, Term)>>,
    /// Per cover its flag and what the flag implies.
    pub covers: Vec<(Term, Term)>,
}

/// Sites that are decided together, as indices into [`Graph::sites`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The sites.
    pub sites: Vec<usize>,
}

/// The formulas of the graph.
pub fn conditions(terms: &mut Terms, graph: &Graph) -> Conditions {
    let reach: Vec<Term> =
        (0..graph.nodes.len()).map(|index| flag(terms, "reach", index)).collect();
    let mut nodes = Vec::with_capacity(graph.nodes.len());
    for (index, node) in graph.nodes.iter().enumerate() {
        let mut parts = Vec::with_capacity(node.assumptions.len() + 1);
        if !node.predecessors.is_empty() {
            parts.push(terms.or(node.predecessors.iter().map(|p| reach[p.0 as usize]).collect()));
        }
        parts.extend(node.assumptions.iter().copied());
        let all = terms.and(parts);
        nodes.push(terms.implies(reach[index], all));
    }
    let at = |node: NodeId| reach[node.0 as usize];
    let mut sites = Vec::with_capacity(graph.sites.len());
    for (index, site) in graph.sites.iter().enumerate() {
        let holds = terms.and(site.parts.clone());
        sites.push(if matches!(terms.node(holds), Node::Bool(true)) {
            None
        } else {
            let fails = terms.not(holds);
            let both = terms.and(vec![at(site.node), fails]);
            let fail = flag(terms, "fail", index);
            Some((fail, terms.implies(fail, both)))
        });
    }
    let mut covers = Vec::with_capacity(graph.covers.len());
    for (index, cover) in graph.covers.iter().enumerate() {
        let both = terms.and(vec![at(cover.node), cover.term]);
        let covered = flag(terms, "cover", index);
        covers.push((covered, terms.implies(covered, both)));
    }
    Conditions { reach, nodes, sites, covers }
}

/// The sites in groups of neighbours, each small enough that one hard obligation does not spoil
/// many, and large enough that what the sites share is sent to the solver rarely. Depends on the
/// graph alone, so that verdicts do not depend on the number of workers.
pub fn groups(graph: &Graph, size: usize) -> Vec<Group> {
    let all: Vec<usize> = (0..graph.sites.len()).collect();
    all.chunks(size.max(1)).map(|sites| Group { sites: sites.to_vec() }).collect()
}

/// The nodes that runs to the given nodes can pass, in order.
pub(crate) fn ancestors(graph: &Graph, of: impl Iterator<Item = NodeId>) -> Vec<usize> {
    let mut wanted = vec![false; graph.nodes.len()];
    for node in of {
        wanted[node.0 as usize] = true;
    }
    for index in (0..graph.nodes.len()).rev() {
        if wanted[index] {
            for predecessor in &graph.nodes[index].predecessors {
                wanted[predecessor.0 as usize] = true;
            }
        }
    }
    (0..wanted.len()).filter(|&index| wanted[index]).collect()
}

fn flag(terms: &mut Terms, stem: &str, index: usize) -> Term {
    let symbol = terms.symbol(format!("{stem}@@{index}"), Sort::Bool);
    terms.constant(symbol)
}
