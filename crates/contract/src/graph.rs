//! Strongly connected parts of graphs.

/// The number of the strongly connected part of each node (Kosaraju's algorithm, without
/// recursion).
pub(crate) fn parts(edges: &[Vec<usize>]) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn circles_are_parts() {
        let edges = [vec![1], vec![2, 3], vec![0], vec![4], vec![3], vec![0]];
        let parts = parts(&edges);
        assert_eq!((parts[0], parts[3]), (parts[1], parts[4]));
        assert_eq!(parts[0], parts[2]);
        assert!(parts[0] != parts[3] && parts[5] != parts[0] && parts[5] != parts[3]);
    }
}
