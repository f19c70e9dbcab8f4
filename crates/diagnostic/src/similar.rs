//! "Did you mean ...?"

use source::Name;

/// Longer names are not compared: the work grows with the square of the length.
const MAX_LENGTH: usize = 40;

/// The candidate most similar to a misspelt name, if one is similar enough. The first of equals
/// wins.
pub fn most_similar<'n>(
    name: &Name,
    candidates: impl Iterator<Item = &'n Name>,
) -> Option<&'n Name> {
    let length = name.as_str().chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .filter(|candidate| candidate.as_str().len() <= MAX_LENGTH * 4)
        .map(|candidate| (distance(name.as_str(), candidate.as_str()), candidate))
        .filter(|&(distance, candidate)| {
            distance <= limit && distance < candidate.as_str().chars().count()
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours; a difference in case only counts
/// as one.
fn distance(wanted: &str, candidate: &str) -> usize {
    if wanted.to_lowercase() == candidate.to_lowercase() {
        return 1;
    }
    strsim::osa_distance(wanted, candidate)
}
