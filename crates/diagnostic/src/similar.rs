//! "Did you mean ...?"

/// Longer names are not compared: the work grows with the square of the length.
const MAX_LENGTH: usize = 40;

/// The candidate most similar to a misspelt name, if one is similar enough. The first of equals
/// wins.
pub fn most_similar<'n, T: AsRef<str> + ?Sized>(
    name: &(impl AsRef<str> + ?Sized),
    candidates: impl Iterator<Item = &'n T>,
) -> Option<&'n T> {
    let name = name.as_ref();
    let length = name.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .filter(|candidate| candidate.as_ref().len() <= MAX_LENGTH * 4)
        .map(|candidate| (distance(name, candidate.as_ref()), candidate))
        .filter(|&(distance, candidate)| {
            distance <= limit && distance < candidate.as_ref().chars().count()
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
