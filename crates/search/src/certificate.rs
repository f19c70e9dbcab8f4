//! An independent check of what the thread-modular search claims. It shares the transition relation
//! with the search, and nothing else: plain sets, every rule looked at once, nothing clever.
//!
//! A set `R` of facts `(thread, store, local state)` is a proof if it holds the initial states, is
//! closed under the threads' own steps and under what these do to the others, and no member of it
//! and no state made of members goes wrong. Then by induction over runs every reachable state is
//! made of members (paper 5, lemma 1).

mod pairs;

pub use pairs::{Member, PairCertificate, Together};

use crate::threads::{Effect, Global, Local, Threads};
use std::collections::{BTreeMap, BTreeSet};

/// A claim that nothing goes wrong: all that each thread can see, at each store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Per store and thread the local states.
    pub facts: BTreeMap<Global, BTreeMap<usize, BTreeSet<Local>>>,
}

impl Certificate {
    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.facts.values().flat_map(BTreeMap::values).map(BTreeSet::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn has(&self, thread: usize, global: Global, local: Local) -> bool {
        let here = self.facts.get(&global).and_then(|threads| threads.get(&thread));
        here.is_some_and(|locals| locals.contains(&local))
    }

    /// Checks the claim; says what is missing or wrong if it does not hold.
    pub fn check(&self, threads: &mut impl Threads) -> Result<(), String> {
        self.check_initiation(threads)?;
        for (&global, there) in &self.facts {
            for (&thread, locals) in there {
                for &local in locals {
                    self.check_closure(threads, thread, global, local)?;
                }
            }
            check_safety(threads, global, there)?;
        }
        Ok(())
    }

    fn check_initiation(&self, threads: &mut impl Threads) -> Result<(), String> {
        for (global, locals) in threads.initial() {
            if !threads.initial_faults(global, &locals).is_empty() {
                return Err(format!("the initial store {global} is at fault"));
            }
            for (thread, &local) in locals.iter().enumerate() {
                if !self.has(thread, global, local) {
                    return Err(format!(
                        "thread {thread} is missing in the initial store {global}"
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_closure(
        &self,
        threads: &mut impl Threads,
        thread: usize,
        global: Global,
        local: Local,
    ) -> Result<(), String> {
        let mut steps = Vec::new();
        threads.steps(thread, global, local, &mut steps);
        for step in steps {
            if !step.faults.is_empty() {
                return Err(format!("a step of thread {thread} at store {global} is at fault"));
            }
            let (after, next) = match step.effect {
                Effect::To(after, next) => (after, next),
                Effect::Wrong => return Err(format!("thread {thread} goes wrong at {global}")),
                Effect::Cut(reason) => return Err(reason.to_string()),
            };
            if !self.has(thread, after, next) {
                return Err(format!("thread {thread} steps from store {global} out of the set"));
            }
            for (&other, locals) in &self.facts[&global] {
                let missing = locals.iter().find(|&&local| !self.has(other, after, local));
                if let Some(local) = missing.filter(|_| other != thread) {
                    return Err(format!(
                        "thread {thread} takes thread {other} at {local} from store {global} out of the set"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// No state that is made of members is in an error set.
fn check_safety(
    threads: &mut impl Threads,
    global: Global,
    there: &BTreeMap<usize, BTreeSet<Local>>,
) -> Result<(), String> {
    if threads.quorum().is_none() {
        return Ok(());
    }
    let mut states: Vec<Vec<Local>> = vec![Vec::new()];
    for thread in 0..threads.count() {
        let locals = there.get(&thread).cloned().unwrap_or_default();
        // Local states that no property looks at are alike.
        let (watched, others): (Vec<Local>, Vec<Local>) =
            locals.into_iter().partition(|&local| threads.is_watched(thread, global, local));
        let chosen: Vec<Local> = watched.into_iter().chain(others.first().copied()).collect();
        let longer = |state: &Vec<Local>| {
            let state = state.clone();
            chosen.clone().into_iter().map(move |local| [state.as_slice(), &[local]].concat())
        };
        states = states.iter().flat_map(longer).collect();
        if states.len() > 1_000_000 {
            return Err("too many combinations of threads".to_owned());
        }
    }
    if states.iter().any(|locals| !threads.bad(global, locals).is_empty()) {
        return Err(format!("a state with store {global} is in an error set"));
    }
    Ok(())
}
