//! Which of the formulas that prove everything are needed: the ugliest are left out first.

use crate::candidate::{Candidate, merged};
use crate::filter::Subject;
use crate::search::{Annotation, Prover, Until, chosen, load, moved};
use std::collections::BTreeSet;

/// The formulas that are needed, of some that are enough, each with what it is needed for. Those
/// that read best come first.
///
/// With fewer formulas less is proved, so that a formula that is needed once stays needed, and one
/// look at each is enough.
pub(crate) fn needed(
    subject: Subject<'_>,
    prover: &mut impl Prover,
    mut candidates: Vec<Candidate>,
) -> Vec<Annotation> {
    let mut size = candidates.len();
    while size > 1 {
        size = size.div_ceil(4);
        load(subject, prover, &candidates);
        let Some(kept) = without(prover, candidates.len(), size) else { break };
        candidates = chosen(&candidates, &kept);
        size = size.min(candidates.len());
    }
    let written = load(subject, prover, &candidates);
    let mut annotations = Vec::new();
    for (formula, of) in merged(&candidates) {
        // Without the time to find out what is needed, all of it is.
        let open = prover.settle(&of.into_iter().collect(), Until::Open);
        let open = open.and_then(|settled| settled.open.into_iter().next());
        annotations
            .push(Annotation { formula, needed_for: open.map(|open| moved(open, &written)) });
    }
    annotations
}

/// Some that are enough: parts of this size are left out, from the last to the first, if the others
/// are enough. What is not kept without them goes with them.
fn without(prover: &mut impl Prover, count: usize, size: usize) -> Option<Vec<usize>> {
    let mut off: BTreeSet<usize> = BTreeSet::new();
    let mut end = count;
    while end > 0 {
        let start = end.saturating_sub(size);
        let part: BTreeSet<usize> = (start..end).filter(|at| !off.contains(at)).collect();
        end = start;
        if part.is_empty() {
            continue;
        }
        let tried: BTreeSet<usize> = off.union(&part).copied().collect();
        let settled = prover.settle(&tried, Until::Open)?;
        if settled.open.is_empty() {
            off = settled.off;
        }
    }
    Some((0..count).filter(|at| !off.contains(at)).collect())
}
