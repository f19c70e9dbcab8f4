//! "Did you mean ...?"

use source::Name;

/// Longer names are not compared: the work grows with the square of the length.
const MAX_LENGTH: usize = 40;

/// The candidate most similar to a misspelt name, if one is similar enough. The first of equals wins.
pub fn most_similar<'n>(
    name: &Name,
    candidates: impl Iterator<Item = &'n Name>,
) -> Option<&'n Name> {
    let wanted: Vec<char> = name.as_str().chars().collect();
    if wanted.len() > MAX_LENGTH {
        return None;
    }
    let limit = (wanted.len() / 3).max(1);
    candidates
        .filter(|candidate| candidate.as_str().len() <= MAX_LENGTH * 4)
        .map(|candidate| (distance(&wanted, candidate), candidate))
        .filter(|&(distance, candidate)| {
            distance <= limit && distance < candidate.as_str().chars().count()
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours; a difference in case only counts as one.
fn distance(wanted: &[char], candidate: &Name) -> usize {
    let other: Vec<char> = candidate.as_str().chars().collect();
    if other.len().abs_diff(wanted.len()) > MAX_LENGTH / 3 {
        return usize::MAX;
    }
    let lower = |chars: &[char]| chars.iter().flat_map(|c| c.to_lowercase()).collect::<Vec<_>>();
    if lower(wanted) == lower(&other) {
        return 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, &a) in wanted.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &b) in other.iter().enumerate() {
            let mut best = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a == other[j - 1] && wanted[i - 1] == b {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[other.len()]
}
