//! Threads that can always let go of what they hold.
//!
//! *The set `W`.* A view of a thread is in `W` if the thread can get by its own steps to a view in
//! which it has ended or holds nothing but its root, in whatever state the units are that it
//! acquires on the way:
//!
//! ```text
//! holds nothing, or has ended                             ==> in W
//! complete, and some step leads into W                    ==> in W
//! not complete, and whatever it acquires next leads into W ==> in W
//! ```
//!
//! This is a least fixpoint, so each view of `W` has a rank: the largest number of steps that this
//! takes. If the policy hands out units (`saturate`, `fifo`), a thread that holds nothing and is
//! not complete may be given units at any time; there the first rule is for complete views only.
//!
//! *Claim.* Let `K(t)` be all units that thread `t` holds in views outside of `W`. If no run leads
//! into a circle, nobody waits for an ended thread, no view is complete without a step, and no
//! thread that holds something wants a unit of the `K` of another one, then nobody ever waits for a
//! lost thread (`stuck.rs`).
//!
//! *Proof.* From any state, let threads with a view in `W` that hold something run, each as its
//! ranks say, as long as one of them does not wait. Every step lowers the sum of their ranks, since
//! no thread changes the view of another; where units are handed out, they lower it as well, or
//! they go to threads outside of `W`, which happens finitely often because those do not move. So
//! this ends. If a thread of `W` holds something in the end, it waits, for a thread that holds
//! something: not for one that has ended, and not for one outside of `W`, so for another thread of
//! `W`; and so on, in a circle, but there is none. So the threads of `W` hold nothing any more. Now
//! let `d` be lost and waited for in the state that we began with. It holds something and did not
//! move, so it is outside of `W`. It is not complete, or it had a step. What it asks for is held by
//! nobody in `W`, by nobody outside of it, and by no thread that has ended; so it is free, and `d`
//! has a step. But it is lost.

use std::collections::VecDeque;

/// What the computation of `W` needs to know of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The thread has nothing to let go of.
    Free,
    /// The thread is complete and holds something.
    Complete,
    /// The thread is not complete.
    Incomplete,
}

/// Which views are in `W`. `next` are the views that a view leads to.
pub(super) fn lets_go(kinds: &[Kind], next: &[Vec<usize>]) -> Vec<bool> {
    let mut before = vec![Vec::new(); kinds.len()];
    for (view, next) in next.iter().enumerate() {
        next.iter().for_each(|&after| before[after].push(view));
    }
    let mut missing: Vec<usize> = next.iter().map(Vec::len).collect();
    let mut is_in = vec![false; kinds.len()];
    let mut work: VecDeque<usize> = VecDeque::new();
    for (view, kind) in kinds.iter().enumerate() {
        if *kind == Kind::Free {
            is_in[view] = true;
            work.push_back(view);
        }
    }
    while let Some(view) = work.pop_front() {
        for &from in &before[view] {
            missing[from] -= 1;
            let enters = match kinds[from] {
                Kind::Free => false,
                Kind::Complete => true,
                Kind::Incomplete => missing[from] == 0,
            };
            if enters && !std::mem::replace(&mut is_in[from], true) {
                work.push_back(from);
            }
        }
    }
    is_in
}
