//! Circles of situations on lines of any length; see the module's documentation.

use super::line::Line;
use crate::design::{ThreadId, UnitId};
use crate::family::{Situation, least, parts};
use crate::system::Policy;
use source::Name;
use std::collections::{BTreeMap, BTreeSet};

/// With more pairs of situations to compare, circles are not excluded.
const MOST_PAIRS: usize = 3_000_000;

/// Whether no circle of threads can wait, on this line and on longer ones.
pub(super) fn are_excluded(line: &Line, policy: Policy, mut situations: Vec<Situation>) -> bool {
    if policy != Policy::Aon {
        // Who wants all of a family may hold some of it.
        for situation in &mut situations {
            let bulks = situation.wants.iter().copied().filter(|&unit| line.is_bulk(unit));
            situation.holds.extend(bulks.collect::<Vec<_>>());
        }
    }
    let situations = least(situations);
    let Some(graph) = graph(line, &situations) else { return false };
    let plain: Vec<Vec<usize>> =
        graph.iter().map(|edges| edges.iter().map(|(to, _)| *to).collect()).collect();
    let parts = parts(&plain);
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (node, &part) in parts.iter().enumerate() {
        members.entry(part).or_default().push(node);
    }
    members.values().all(|nodes| is_straight(nodes, &graph))
}

/// For each situation up to its place those that it may wait for, with the distance from thread to
/// thread if that is fixed.
type Graph = Vec<BTreeSet<(usize, Option<i64>)>>;

/// A situation up to its place.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    /// The thread, or the family if it is in the middle.
    who: Result<ThreadId, Name>,
    holds: BTreeSet<(Option<Name>, i64)>,
    wants: BTreeSet<(Option<Name>, i64)>,
}

/// Nothing if it takes too long to make.
fn graph(line: &Line, situations: &[Situation]) -> Option<Graph> {
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut numbers = Vec::new();
    for situation in situations {
        let next = kinds.len();
        numbers.push(*kinds.entry(kind(line, situation)).or_insert(next));
    }
    let mut holders: BTreeMap<UnitId, Vec<usize>> = BTreeMap::new();
    for (at, situation) in situations.iter().enumerate() {
        situation.holds.iter().for_each(|&unit| holders.entry(unit).or_default().push(at));
    }
    let mut graph: Graph = vec![BTreeSet::new(); kinds.len()];
    let mut left = MOST_PAIRS;
    for (at, situation) in situations.iter().enumerate() {
        for &wanted in &situation.wants {
            for met in meets(line, wanted) {
                for &other in holders.get(&met).into_iter().flatten() {
                    left = left.checked_sub(1)?;
                    let holder = &situations[other];
                    if fit(line, situation, holder) {
                        let same = (wanted == met).then_some(wanted);
                        let at_distance = same
                            .and_then(|unit| distance(line, situation.thread, holder.thread, unit));
                        graph[numbers[at]].insert((numbers[other], at_distance));
                    }
                }
            }
        }
    }
    Some(graph)
}

fn kind(line: &Line, situation: &Situation) -> Kind {
    let root = line.system.roots[situation.thread];
    let place = line.middle_thread(situation.thread);
    // Units in the middle are named by their distance, all others by their number.
    let named = |&unit: &UnitId| match (place, line.place(unit), line.family(unit)) {
        (Some(from), Some(to), Some(family)) if line.is_middle(unit) => {
            (Some(family.clone()), to - from)
        }
        _ => (None, i64::try_from(unit).unwrap_or(i64::MAX)),
    };
    let who = match (place, line.family(root)) {
        (Some(_), Some(family)) => Err(family.clone()),
        _ => Ok(situation.thread),
    };
    let holds = situation.holds.iter().map(named).collect();
    Kind { who, holds, wants: situation.wants.iter().map(named).collect() }
}

/// The units that a unit is or may be.
fn meets(line: &Line, unit: UnitId) -> Vec<UnitId> {
    let mut all = vec![unit];
    if line.is_bulk(unit) {
        all.extend(line.gathered(unit));
    } else {
        all.extend(line.bulk(unit));
    }
    all
}

/// Whether two threads can be in these situations at once. Whole families may be held by several
/// threads in part.
fn fit(line: &Line, one: &Situation, other: &Situation) -> bool {
    let mut both = one.holds.intersection(&other.holds);
    one.thread != other.thread && both.all(|&unit| line.is_bulk(unit))
}

/// The distance between two threads of which one wants a unit and the other holds it, if it is the
/// same wherever they are.
fn distance(line: &Line, from: ThreadId, to: ThreadId, unit: UnitId) -> Option<i64> {
    let (from, to) = (line.middle_thread(from)?, line.middle_thread(to)?);
    line.is_middle(unit).then_some(to - from)
}

/// Whether no closed walk inside of a strongly connected part comes back to its place.
fn is_straight(nodes: &[usize], graph: &Graph) -> bool {
    let mut edges = Vec::new();
    for &from in nodes {
        for &(to, distance) in graph[from].iter().filter(|(to, _)| nodes.contains(to)) {
            let Some(distance) = distance else { return false };
            edges.push((from, to, distance));
        }
    }
    all_to_the_right(nodes, &edges) || {
        edges.iter_mut().for_each(|(_, _, distance)| *distance = -*distance);
        all_to_the_right(nodes, &edges)
    }
}

/// Whether the distances of every closed walk add up to more than zero (Bellman and Ford: no closed
/// walk is negative if each distance is made smaller by less than one over the length of a simple
/// walk).
fn all_to_the_right(nodes: &[usize], edges: &[(usize, usize, i64)]) -> bool {
    let scale = i64::try_from(nodes.len()).unwrap_or(i64::MAX - 1) + 1;
    let mut least: BTreeMap<usize, i64> = nodes.iter().map(|&node| (node, 0)).collect();
    for _ in 0..=nodes.len() {
        let mut is_changed = false;
        for &(from, to, distance) in edges {
            let through = least[&from] + distance * scale - 1;
            if through < least[&to] {
                least.insert(to, through);
                is_changed = true;
            }
        }
        if !is_changed {
            return true;
        }
    }
    false
}
