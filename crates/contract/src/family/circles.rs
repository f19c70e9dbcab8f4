//! Circles of situations.

use super::Situation;
use crate::design::{ThreadId, UnitId};
use crate::graph::parts;
use std::collections::{BTreeMap, BTreeSet};

/// Whether situations of different threads can form a circle.
pub(super) enum Circles {
    /// They cannot.
    None,
    /// These can: each wants something that the next one holds, and what they hold is disjoint.
    Found(Vec<Situation>),
    /// The search gave up.
    Unclear,
}

/// Limit on the steps of the search for a circle with disjoint holdings.
const MOST_STEPS: usize = 2_000_000;

/// Looks for a circle.
pub(super) fn find(situations: Vec<Situation>) -> Circles {
    let situations = least(situations);
    let nodes: Vec<&Situation> = situations.iter().collect();
    let mut holders: BTreeMap<UnitId, Vec<usize>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        node.holds.iter().for_each(|&unit| holders.entry(unit).or_default().push(at));
    }
    let next = |at: usize| -> BTreeSet<usize> {
        let wanted = nodes[at].wants.iter().filter_map(|unit| holders.get(unit)).flatten().copied();
        let fits = |other: &usize| {
            nodes[*other].thread != nodes[at].thread
                && nodes[*other].holds.is_disjoint(&nodes[at].holds)
        };
        wanted.filter(fits).collect()
    };
    let edges: Vec<Vec<usize>> =
        (0..nodes.len()).map(|at| next(at).into_iter().collect()).collect();
    let parts = parts(&edges);
    let mut steps = 0;
    for start in 0..nodes.len() {
        // A circle lies in one strongly connected part; the search starts at its first member only.
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

/// The situations that circles can be made of, without those that hold more than they need to.
///
/// In a circle, a thread holds one unit that the one before wants, and wants one that the next one
/// holds. If another situation of the thread has both and holds less, it can take the place: what
/// the threads of the circle hold stays disjoint.
pub(crate) fn least(situations: Vec<Situation>) -> Vec<Situation> {
    let mut by_thread: BTreeMap<ThreadId, BTreeMap<BTreeSet<UnitId>, BTreeSet<UnitId>>> =
        BTreeMap::new();
    // A thread that holds no unit cannot be part of a circle: nobody waits for it.
    for Situation { thread, holds, wants } in situations {
        if !holds.is_empty() {
            by_thread.entry(thread).or_default().entry(holds).or_default().extend(wants);
        }
    }
    let mut all = Vec::new();
    for (thread, wants_by_holds) in by_thread {
        let mut sorted: Vec<_> = wants_by_holds.into_iter().collect();
        sorted.sort_by_key(|(holds, _)| holds.len());
        let mut kept: Vec<Situation> = Vec::new();
        for (holds, wants) in sorted {
            let smaller: Vec<&Situation> =
                kept.iter().filter(|one| one.holds.is_subset(&holds)).collect();
            let is_known = |held: &UnitId, wanted: &UnitId| {
                smaller.iter().any(|one| one.holds.contains(held) && one.wants.contains(wanted))
            };
            let is_needed =
                holds.iter().any(|held| wants.iter().any(|wanted| !is_known(held, wanted)));
            if is_needed {
                kept.push(Situation { thread, holds, wants });
            }
        }
        all.append(&mut kept);
    }
    all
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
