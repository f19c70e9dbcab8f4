//! The steps of each thread, tabulated by store and local state.

use crate::intern::Interner;
use crate::threads::{Effect, Global, Local, Step, Threads};

/// What is known of a thread at one store and local state.
///
/// Zero: nothing yet. Otherwise bit 0 says whether it is watched, and the rest is the number of its
/// list of moves. List 1 is that of a thread without steps; list 2 that of one whose steps all end
/// the run.
pub(crate) type Entry = u32;

/// Not tabulated yet.
pub(crate) const MISSING: Entry = 0;
/// The thread is watched.
pub(crate) const WATCHED: Entry = 1;
/// Entries from here on have steps.
pub(crate) const FIRST_WITH_STEPS: Entry = 2 << 1;

/// Where one step leads, as parts of a packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) global: u32,
    pub(crate) local: u32,
}

/// All steps that were asked for so far. In packed states a store is its number plus one, so that
/// no state is all zero, and a local state is its number among those that its thread was met in, so
/// that few bits are enough.
pub(crate) struct Moves {
    threads: usize,
    locals: Vec<Interner<Local>>,
    /// The greatest part met, for the store and each thread.
    pub(crate) most: Vec<u64>,
    entries: Entries,
    /// Bits for a local state in the index of the dense table.
    width: u32,
    starts: Vec<u32>,
    list: Vec<Move>,
}

enum Entries {
    /// By store, then thread, then local state.
    Dense(Vec<Entry>),
    Sparse(Interner<(u32, u32, u32)>, Vec<Entry>),
}

/// Limit on the entries of a dense table.
const DENSE: usize = 1 << 24;

impl Moves {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads,
            locals: (0..threads).map(|_| Interner::default()).collect(),
            most: vec![0; threads + 1],
            entries: Entries::Dense(Vec::new()),
            width: 0,
            // List 0 does not exist, lists 1 and 2 are empty.
            starts: vec![0; 4],
            list: Vec::new(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let entries = match &self.entries {
            Entries::Dense(all) => all.capacity() * size_of::<Entry>(),
            Entries::Sparse(keys, _) => keys.len() * 28,
        };
        (entries + self.starts.capacity() * 4 + self.list.capacity() * size_of::<Move>()) as u64
    }

    /// A state as parts of a packed one.
    pub(crate) fn parts(&mut self, global: Global, locals: &[Local]) -> Vec<u64> {
        let mut parts = Vec::with_capacity(locals.len() + 1);
        parts.push(u64::from(self.global_part(global)));
        for (thread, &local) in locals.iter().enumerate() {
            parts.push(u64::from(self.local_part(thread, local)));
        }
        parts
    }

    /// The state that has these parts.
    pub(crate) fn state(&self, parts: &[u64]) -> (Global, Vec<Local>) {
        let locals = self.locals.iter().zip(&parts[1..]);
        (number(parts[0]) - 1, locals.map(|(met, &part)| *met.get(number(part))).collect())
    }

    fn global_part(&mut self, global: Global) -> u32 {
        self.most[0] = self.most[0].max(u64::from(global) + 1);
        global + 1
    }

    fn local_part(&mut self, thread: usize, local: Local) -> u32 {
        let part = self.locals[thread].intern(local);
        self.most[thread + 1] = self.most[thread + 1].max(u64::from(part));
        part
    }

    /// The entries of all threads at a store, if the table is dense and has them, and the bits of a
    /// local state in it.
    #[inline]
    pub(crate) fn row(&self, global: u64) -> Option<(&[Entry], u32)> {
        let Entries::Dense(all) = &self.entries else { return None };
        let length = self.threads << self.width;
        let start = usize::try_from(global).ok()? * length;
        Some((all.get(start..start + length)?, self.width))
    }

    pub(crate) fn entry(&self, global: u64, thread: usize, local: u64) -> Entry {
        match &self.entries {
            Entries::Dense(all) => {
                let in_row = local >> self.width == 0;
                let at = self.dense_index(global, thread, local);
                if in_row { all.get(at).copied().unwrap_or(MISSING) } else { MISSING }
            }
            Entries::Sparse(keys, all) => {
                let found = keys.find(&(number(global), number(thread as u64), number(local)));
                found.map_or(MISSING, |at| all[at as usize])
            }
        }
    }

    #[inline]
    pub(crate) fn list(&self, entry: Entry) -> &[Move] {
        let id = (entry >> 1) as usize;
        &self.list[self.starts[id] as usize..self.starts[id + 1] as usize]
    }

    /// Tabulates the steps of a thread. All of the model's steps are returned, since they may be at
    /// fault.
    pub(crate) fn tabulate<M: Threads>(
        &mut self,
        model: &mut M,
        parts: &[u64],
        thread: usize,
    ) -> Vec<Step> {
        let (part, local_part) = (parts[0], parts[thread + 1]);
        let (global, local) = (number(part) - 1, *self.locals[thread].get(number(local_part)));
        let mut steps = Vec::new();
        if !model.is_idle(global, local) {
            model.steps(thread, global, local, &mut steps);
        }
        let before = self.list.len();
        for step in &steps {
            if let Effect::To(global, local) = step.effect {
                let made = Move {
                    global: self.global_part(global),
                    local: self.local_part(thread, local),
                };
                self.list.push(made);
            }
        }
        let id = if steps.is_empty() {
            1
        } else if self.list.len() == before {
            2
        } else {
            self.starts.push(number(self.list.len() as u64));
            number(self.starts.len() as u64) - 2
        };
        let watched = model.quorum().is_some() && model.is_watched(thread, global, local);
        let entry = (id << 1) | if watched { WATCHED } else { 0 };
        self.put(part, thread, local_part, entry);
        steps
    }

    fn dense_index(&self, global: u64, thread: usize, local: u64) -> usize {
        ((number(global) as usize * self.threads + thread) << self.width) + number(local) as usize
    }

    fn put(&mut self, global: u64, thread: usize, local: u64, entry: Entry) {
        self.widen();
        let at = self.dense_index(global, thread, local);
        let length = self.threads << self.width;
        match &mut self.entries {
            Entries::Dense(all) => {
                if at >= all.len() {
                    all.resize((number(global) as usize + 1) * length, MISSING);
                }
                all[at] = entry;
            }
            Entries::Sparse(keys, all) => {
                keys.intern((number(global), number(thread as u64), number(local)));
                all.push(entry);
            }
        }
    }

    /// Makes room in the dense table for all local states and stores met, or gives it up for a
    /// sparse one.
    fn widen(&mut self) {
        let Entries::Dense(old) = &self.entries else { return };
        let most = self.most[1..].iter().max().copied().unwrap_or(0);
        let width = self.width.max(64 - most.leading_zeros());
        let rows = number(self.most[0]) as usize + 1;
        let is_dense = width < 24 && rows.saturating_mul(self.threads << width) <= DENSE;
        if is_dense && width == self.width {
            return;
        }
        let filled = old.iter().enumerate().filter(|(_, entry)| **entry != MISSING);
        let mask = (1usize << self.width) - 1;
        if is_dense {
            let rows = old.len() / (self.threads << self.width);
            let mut wider = vec![MISSING; rows * (self.threads << width)];
            for (at, &entry) in filled {
                wider[((at >> self.width) << width) + (at & mask)] = entry;
            }
            self.entries = Entries::Dense(wider);
            self.width = width;
        } else {
            let (mut keys, mut all) = (Interner::default(), Vec::new());
            for (at, &entry) in filled {
                let (row, local) = (at >> self.width, at & mask);
                let key = [row / self.threads, row % self.threads, local];
                let [global, thread, local] = key.map(|one| number(one as u64));
                keys.intern((global, thread, local));
                all.push(entry);
            }
            self.entries = Entries::Sparse(keys, all);
        }
    }
}

/// Parts are numbers of 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "parts are made from numbers of 32 bits")]
pub(crate) fn number(part: u64) -> u32 {
    debug_assert!(u32::try_from(part).is_ok());
    part as u32
}
