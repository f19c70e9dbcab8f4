//! Threads that are interchangeable: their roots are of one class and bound alike at the start.
//!
//! Roots are nobody's suppliers, so exchanging two such threads maps runs to runs: their roots and
//! stacks change places, and so do they as owners. A state is given its canonical form by ordering
//! the threads of a group by local state and by the units that they own. Two threads that are equal
//! in both own nothing and are in the same local state, so that their order does not matter:
//! all states that differ in the names of such threads have the same form.

use super::{Model, number};
use crate::design::ThreadId;
use crate::system::System;
use search::{Global, Local};

/// The groups of at least two interchangeable threads; none if a property tells threads apart.
pub(super) fn groups(system: &System) -> Vec<Vec<ThreadId>> {
    if system.properties.iter().any(super::super::property::Property::tells_threads_apart) {
        return Vec::new();
    }
    let mut groups: Vec<Vec<ThreadId>> = Vec::new();
    for thread in 0..system.roots.len() {
        let looks = |thread: ThreadId| {
            let root = system.roots[thread];
            (system.units[root].class, &system.bindings[system.slots(root)])
        };
        match groups.iter_mut().find(|group| looks(group[0]) == looks(thread)) {
            Some(group) => group.push(thread),
            None => groups.push(vec![thread]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

impl Model<'_> {
    pub(super) fn canonical_state(
        &mut self,
        global: Global,
        locals: &mut [Local],
    ) -> (Global, Vec<usize>) {
        let mut to: Vec<usize> = (0..locals.len()).collect();
        let owned = self.owned(global, locals.len());
        let mut is_changed = false;
        for group in &self.groups {
            let mut order = group.clone();
            order.sort_by_key(|&thread| (locals[thread], &owned[thread], thread));
            for (&old, &new) in order.iter().zip(group) {
                to[old] = new;
                is_changed |= old != new;
            }
        }
        if !is_changed {
            return (global, to);
        }
        let (global, renamed) = self.renamed_state(global, locals, &to);
        locals.copy_from_slice(&renamed);
        (global, to)
    }

    pub(super) fn renamed_state(
        &mut self,
        global: Global,
        locals: &[Local],
        to: &[usize],
    ) -> (Global, Vec<Local>) {
        let mut renamed = locals.to_vec();
        for (thread, &local) in locals.iter().enumerate() {
            renamed[to[thread]] = local;
        }
        let mut words = self.stores.get(global).clone();
        for at in self.owner_words() {
            if let Some(owner) = words[at].checked_sub(1) {
                words[at] = number(to[owner as usize]) + 1;
            }
        }
        (self.stores.intern(words), renamed)
    }

    /// Where in a store the owners stand.
    fn owner_words(&self) -> Vec<usize> {
        let mut at = 0;
        let mut all = Vec::new();
        for unit in self.suppliers() {
            all.push(at);
            at += 2 + self.system.class(unit).variables.len();
        }
        all
    }

    /// The units that each thread owns, by their places in the store.
    fn owned(&self, global: Global, threads: usize) -> Vec<Vec<usize>> {
        let words = self.stores.get(global);
        let mut owned = vec![Vec::new(); threads];
        for at in self.owner_words() {
            if let Some(owner) = words[at].checked_sub(1) {
                owned[owner as usize].push(at);
            }
        }
        owned
    }
}
