//! Circles of situations.

use super::Situation;
use crate::design::UnitId;
use std::collections::{BTreeMap, BTreeSet};

/// Whether situations of different threads can form a circle.
pub(super) enum Circles {
    /// They cannot.
    None,
    /// These can: each wants something that the next one holds, and what they hold is disjoint.
    Found(Vec<Situation>),
    /// The search for one was given up.
    Unclear,
}

/// The search for a circle with disjoint holdings takes at most so many steps.
const MOST_STEPS: usize = 2_000_000;

/// Looks for a circle.
pub(super) fn find(situations: &[Situation]) -> Circles {
    // Who holds nothing is waited for by nobody.
    let nodes: Vec<&Situation> = situations.iter().filter(|one| !one.holds.is_empty()).collect();
    let mut holders: BTreeMap<UnitId, Vec<usize>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        node.holds.iter().for_each(|&unit| holders.entry(unit).or_default().push(at));
    }
    let next = |at: usize| -> BTreeSet<usize> {
        let wanted = nodes[at].wants.iter().filter_map(|unit| holders.get(unit)).flatten().copied();
        wanted.filter(|&other| nodes[other].thread != nodes[at].thread).collect()
    };
    let edges: Vec<Vec<usize>> =
        (0..nodes.len()).map(|at| next(at).into_iter().collect()).collect();
    let parts = parts(&edges);
    let mut steps = 0;
    for start in 0..nodes.len() {
        // A circle lies in one strongly connected part; it is looked for from its first member only.
        let inside = |other: usize| parts[other] == parts[start] && other >= start;
        match from(start, &nodes, &edges, &inside, &mut steps) {
            Ok(Some(circle)) => {
                return Circles::Found(circle.into_iter().map(|at| nodes[at].clone()).collect());
            }
            Ok(None) => {}
            Err(GivenUp) => return Circles::Unclear,
        }
    }
    Circles::None
}

struct GivenUp;

/// A circle through a node, by depth-first search for simple paths.
fn from(
    start: usize,
    nodes: &[&Situation],
    edges: &[Vec<usize>],
    inside: &dyn Fn(usize) -> bool,
    steps: &mut usize,
) -> Result<Option<Vec<usize>>, GivenUp> {
    let mut path: Vec<(usize, usize)> = vec![(start, 0)];
    let mut threads = BTreeSet::from([nodes[start].thread]);
    let mut held: BTreeSet<UnitId> = nodes[start].holds.clone();
    while let Some(&mut (at, ref mut edge)) = path.last_mut() {
        *steps += 1;
        if *steps > MOST_STEPS {
            return Err(GivenUp);
        }
        let Some(&other) = edges[at].get(*edge) else {
            path.pop();
            threads.remove(&nodes[at].thread);
            nodes[at].holds.iter().for_each(|unit| {
                held.remove(unit);
            });
            continue;
        };
        *edge += 1;
        if other == start && path.len() > 1 {
            return Ok(Some(path.iter().map(|&(at, _)| at).collect()));
        }
        let fits = inside(other)
            && !threads.contains(&nodes[other].thread)
            && nodes[other].holds.is_disjoint(&held);
        if fits {
            threads.insert(nodes[other].thread);
            held.extend(&nodes[other].holds);
            path.push((other, 0));
        }
    }
    Ok(None)
}

/// The number of the strongly connected part of each node (Kosaraju's algorithm, without recursion).
fn parts(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut back = vec![Vec::new(); edges.len()];
    for (at, next) in edges.iter().enumerate() {
        next.iter().for_each(|&other| back[other].push(at));
    }
    let mut order = Vec::new();
    let mut seen = vec![false; edges.len()];
    for start in 0..edges.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some(&mut (at, ref mut edge)) = path.last_mut() {
            let Some(&other) = edges[at].get(*edge) else {
                order.push(at);
                path.pop();
                continue;
            };
            *edge += 1;
            if !std::mem::replace(&mut seen[other], true) {
                path.push((other, 0));
            }
        }
    }
    let mut parts = vec![usize::MAX; edges.len()];
    for &start in order.iter().rev() {
        let mut left = vec![start];
        while let Some(at) = left.pop() {
            if parts[at] == usize::MAX {
                parts[at] = start;
                left.extend(&back[at]);
            }
        }
    }
    parts
}
