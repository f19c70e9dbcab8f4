//! Which of the formulas that prove everything are needed: the ugliest are left out first.

use crate::candidate::{Candidate, merged};
use crate::filter::Subject;
use crate::search::{Annotation, Prover, Until, chosen, load, moved};
use std::collections::{BTreeMap, BTreeSet};
use verdict::Obligation;

/// The formulas that are needed, of some that are enough, each with what it is needed for. Those
/// that read best come first.
///
/// With fewer formulas less is proved, so that a formula that is needed once stays needed, and one
/// look at each is enough. What is open without it then is open without it later, too.
pub(crate) fn needed(
    subject: Subject<'_>,
    prover: &mut impl Prover,
    mut candidates: Vec<Candidate>,
) -> Vec<Annotation> {
    let mut size = candidates.len().div_ceil(4);
    // Without the time to find out what is needed, all of it is.
    let mut needed_for = BTreeMap::new();
    while size > 0 {
        let before = candidates.len();
        let written = load(subject, prover, &candidates);
        let Some(Parts { kept, open }) = without(prover, before, size) else { break };
        candidates = chosen(&candidates, &kept);
        if size == 1 {
            let of_kept = (0..).zip(&kept).filter_map(|(new, at)| Some((new, open.get(at)?)));
            needed_for = of_kept.map(|(new, open)| (new, moved(open.clone(), &written))).collect();
            break;
        }
        // Where nearly all are needed, all have to be looked at one by one.
        let is_tight = candidates.len() > before / 4 * 3 && before <= FEW;
        size = if is_tight { 1 } else { size.div_ceil(4).min(candidates.len()) };
    }
    let annotation = |(formula, of): (Candidate, Vec<usize>)| {
        let needed_for = of.iter().find_map(|at: &usize| needed_for.get(at).cloned());
        Annotation { formula, needed_for }
    };
    merged(&candidates).into_iter().map(annotation).collect()
}

/// If there are no more than this and most are needed, each is looked at by itself.
const FEW: usize = 60;

/// What is kept, and with the first formula of each part that is needed what is open without it.
struct Parts {
    kept: Vec<usize>,
    open: BTreeMap<usize, Obligation>,
}

/// Some that are enough: parts of this size are left out, from the last to the first, if the others
/// are enough. What is not kept without them goes with them.
fn without(prover: &mut impl Prover, count: usize, size: usize) -> Option<Parts> {
    let mut off: BTreeSet<usize> = BTreeSet::new();
    let mut open = BTreeMap::new();
    let mut end = count;
    while end > 0 {
        let start = end.saturating_sub(size);
        let part: BTreeSet<usize> = (start..end).filter(|at| !off.contains(at)).collect();
        end = start;
        let Some(&first) = part.first() else { continue };
        let tried: BTreeSet<usize> = off.union(&part).copied().collect();
        let settled = prover.settle(&tried, Until::Open)?;
        match settled.open.into_iter().next() {
            None => off = settled.off,
            Some(one) => {
                open.insert(first, one);
            }
        }
    }
    Some(Parts { kept: (0..count).filter(|at| !off.contains(at)).collect(), open })
}
