//! The same for pairs of threads: an independent check of what `views.rs` claims.

use crate::threads::{Effect, Global, Local, Threads};
use std::collections::{BTreeMap, BTreeSet};

/// A thread and its local state.
pub type Member = (usize, Local);

/// A claim that nothing goes wrong: which local states each thread may have at each store, and
/// which of them together.
///
/// It is a proof if it holds the initial states, is closed under (STEP) and (ENV) of the search of
/// pairs, and no state whose pairs are all in it goes wrong. Then by induction over runs all
/// threads of a reachable state are members, and all its pairs are pairs of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairCertificate {
    /// Per store.
    pub stores: BTreeMap<Global, Together>,
}

/// What is claimed of one store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// The local states of threads.
    pub members: BTreeSet<Member>,
    /// Those of different threads that may be together, the smaller first.
    pub pairs: BTreeSet<(Member, Member)>,
}

/// Limit on the combinations of local states that are looked at for one store.
const COMBINATIONS: usize = 1_000_000;

impl Together {
    fn has(&self, one: Member, other: Member) -> bool {
        self.pairs.contains(&(one.min(other), one.max(other)))
    }
}

impl PairCertificate {
    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.stores.values().map(|there| there.members.len() + there.pairs.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks the claim; says what is missing or wrong if it does not hold.
    pub fn check(&self, threads: &mut impl Threads) -> Result<(), String> {
        for (global, locals) in threads.initial() {
            if !threads.initial_faults(global, &locals).is_empty() {
                return Err(format!("the initial store {global} is at fault"));
            }
            let state: Vec<Member> = locals.into_iter().enumerate().collect();
            self.require(global, &state)?;
        }
        for (&global, there) in &self.stores {
            for &member in &there.members {
                self.check_closure(threads, global, there, member)?;
            }
            check_safety(threads, global, there)?;
        }
        Ok(())
    }

    /// All of these are members at the store, and any two of them are a pair.
    fn require(&self, global: Global, state: &[Member]) -> Result<(), String> {
        let missing = || format!("a pair is missing at store {global}");
        let there = self.stores.get(&global).ok_or_else(missing)?;
        for (at, &one) in state.iter().enumerate() {
            let has_all = state[at + 1..].iter().all(|&other| there.has(one, other));
            if !there.members.contains(&one) || !has_all {
                return Err(missing());
            }
        }
        Ok(())
    }

    fn check_closure(
        &self,
        threads: &mut impl Threads,
        global: Global,
        there: &Together,
        member: Member,
    ) -> Result<(), String> {
        let (thread, local) = member;
        let others = there.members.iter().copied();
        let near: Vec<Member> = others.filter(|&other| there.has(member, other)).collect();
        let mut steps = Vec::new();
        threads.steps(thread, global, local, &mut steps);
        for step in steps {
            if !step.faults.is_empty() {
                return Err(format!("a step of thread {thread} at store {global} is at fault"));
            }
            let (after, next) = match step.effect {
                Effect::To(after, next) => (after, (thread, next)),
                Effect::Wrong => return Err(format!("thread {thread} goes wrong at {global}")),
                Effect::Cut(reason) => return Err(reason.to_string()),
            };
            self.require(after, &[next])?;
            for (at, &one) in near.iter().enumerate() {
                // (STEP)
                self.require(after, &[one, next])?;
                // (ENV)
                for &other in near[at + 1..].iter().filter(|&&other| there.has(one, other)) {
                    self.require(after, &[one, other])?;
                }
            }
        }
        Ok(())
    }
}

/// No state whose pairs are all claimed is in an error set.
fn check_safety(
    threads: &mut impl Threads,
    global: Global,
    there: &Together,
) -> Result<(), String> {
    if threads.quorum().is_none() {
        return Ok(());
    }
    let mut states: Vec<Vec<Member>> = vec![Vec::new()];
    for thread in 0..threads.count() {
        let mut longer = Vec::new();
        for state in &states {
            for &member in there.members.iter().filter(|(who, _)| *who == thread) {
                if state.iter().all(|&other| there.has(other, member)) {
                    longer.push([state.as_slice(), &[member]].concat());
                }
            }
        }
        states = longer;
        if states.len() > COMBINATIONS {
            return Err("too many combinations of threads".to_owned());
        }
    }
    for state in states {
        let locals: Vec<Local> = state.into_iter().map(|(_, local)| local).collect();
        if !threads.bad(global, &locals).is_empty() {
            return Err(format!("a state with store {global} is in an error set"));
        }
    }
    Ok(())
}
