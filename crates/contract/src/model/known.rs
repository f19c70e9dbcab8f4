//! Steps by what a thread knows.
//!
//! A thread reads and changes only units that it can get to know (`family/restrict.rs`), which are
//! few in large systems. So its steps are computed once for all stores that agree on those units,
//! and say which words of the store they change.

use super::{Model, number};
use crate::design::{ThreadId, UnitId};
use crate::family::restrict;
use crate::system::System;
use search::{Fault, Global, Interner, Local};
use std::rc::Rc;

/// Units that a thread waits for, and who holds them.
pub(super) type Waited = [(UnitId, ThreadId)];

/// What was computed, by thread, local state and the words of the store that the thread knows.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Where in a store the units of each thread stand; nothing if all of the store matters.
    places: Vec<Option<Vec<usize>>>,
    keys: Interner<Vec<u32>>,
    steps: Vec<Option<Rc<[Made]>>>,
    waits: Vec<Option<Rc<Waited>>>,
}

/// A step, for all stores that agree on what the thread knows.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) site: u32,
    pub(super) faults: Vec<Fault>,
    /// The store and the local state afterwards; nothing if it goes wrong.
    pub(super) next: Option<(Store, Local)>,
}

/// A store after a step.
#[derive(Debug)]
pub(super) enum Store {
    /// As before, except for these words.
    Changed(Vec<(usize, u32)>),
    /// All of its words; with stacks inside, stores are not of one length.
    Whole(Vec<u32>),
}

impl Store {
    pub(super) fn after(&self, before: &[u32]) -> Vec<u32> {
        match self {
            Self::Whole(words) => words.clone(),
            Self::Changed(changes) => {
                let mut words = before.to_vec();
                changes.iter().for_each(|&(at, word)| words[at] = word);
                words
            }
        }
    }
}

impl Memory {
    /// `is_split` says that roots and stacks are not in the store.
    pub(super) fn new(system: &System, is_split: bool) -> Self {
        let mut first = vec![0; system.units.len()];
        let mut length = 0;
        for (id, unit) in system.units.iter().enumerate() {
            if unit.thread.is_none() {
                first[id] = length;
                length += 2 + system.class(id).variables.len();
            }
        }
        let places = |thread: usize| {
            let known = restrict(system, &[thread]).whole.into_iter();
            let suppliers = known.filter(|&id| system.units[id].thread.is_none());
            suppliers
                .flat_map(|id| first[id]..first[id] + 2 + system.class(id).variables.len())
                .collect()
        };
        let places = (0..system.roots.len()).map(|thread| is_split.then(|| places(thread)));
        Self { places: places.collect(), ..Self::default() }
    }
}

impl Model<'_> {
    fn key(&mut self, thread: usize, global: Global, local: Local) -> usize {
        let words = self.stores.get(global);
        let mut key = vec![number(thread), local];
        match &self.memory.places[thread] {
            Some(places) => key.extend(places.iter().map(|&at| words[at])),
            None => key.extend(words),
        }
        let length = key.len() as u64;
        let at = self.memory.keys.intern(key) as usize;
        if at == self.memory.steps.len() {
            self.memory.steps.push(None);
            self.memory.waits.push(None);
            self.bytes += 80 + 4 * length;
        }
        at
    }

    /// The steps of a thread.
    pub(super) fn made(&mut self, thread: usize, global: Global, local: Local) -> Rc<[Made]> {
        let at = self.key(thread, global, local);
        if let Some(made) = &self.memory.steps[at] {
            return Rc::clone(made);
        }
        let made: Rc<[Made]> = self.make(thread, global, local).into();
        self.memory.steps[at] = Some(Rc::clone(&made));
        made
    }

    /// What a thread waits for.
    pub(super) fn waits(&mut self, thread: usize, global: Global, local: Local) -> Rc<Waited> {
        let at = self.key(thread, global, local);
        if let Some(waits) = &self.memory.waits[at] {
            return Rc::clone(waits);
        }
        let waits: Rc<Waited> = self.find_waits(thread, global, local).into();
        self.memory.waits[at] = Some(Rc::clone(&waits));
        waits
    }
}
