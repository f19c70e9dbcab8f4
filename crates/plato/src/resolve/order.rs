//! Sorts definitions before their uses.

/// The nodes in an order in which all needs of a node come before it, and the cycles that prevent
/// such an order. Does not recurse: chains of definitions are as long as the file.
pub(super) fn order(needs: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; needs.len()];
    let (mut done, mut cycles) = (Vec::new(), Vec::new());
    for root in 0..needs.len() {
        if states[root] != State::New {
            continue;
        }
        states[root] = State::Open;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            let Some(&need) = needs[node].get(*next) else {
                states[node] = State::Done;
                done.push(node);
                path.pop();
                continue;
            };
            *next += 1;
            match states[need] {
                State::New => {
                    states[need] = State::Open;
                    path.push((need, 0));
                }
                State::Open => {
                    let on_cycle = path.iter().skip_while(|&&(node, _)| node != need);
                    cycles.push(on_cycle.map(|&(node, _)| node).collect());
                }
                State::Done => {}
            }
        }
    }
    (done, cycles)
}
