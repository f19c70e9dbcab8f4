//! Sets of facts `(thread, store, column)`, one row of bits per store, for fixpoints in which facts
//! travel from store to store along steps of the environment.
//!
//! What a column is, the strategy says: a local state, or a local state with the start of the
//! procedure it belongs to. A step of another thread leaves it as it is, so that rule (AG ENV) of
//! paper 5 is an `or` of rows: all columns of all threads but the one that steps.

use crate::intern::Interner;
use crate::threads::Global;
use std::collections::VecDeque;

/// The facts, and those that were not looked at yet.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    threads: usize,
    /// Words per thread and row.
    width: usize,
    known: Vec<Vec<u64>>,
    fresh: Vec<Vec<u64>>,
    /// Stores with fresh facts. The one that waits longest is next, so that facts from many steps
    /// travel on together.
    queue: VecDeque<Global>,
    queued: Vec<bool>,
    /// Steps of the environment, by number.
    pairs: Interner<(Global, Global)>,
    /// Per pair the threads that take it, in order.
    by: Vec<Vec<u32>>,
    /// Per store the pairs that start there.
    out: Vec<Vec<u32>>,
    facts: u64,
}

/// The threads that a row is copied for.
#[derive(Clone, Copy)]
enum Which {
    All,
    Only(usize),
    Not(usize),
}

impl Rows {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads,
            width: 1,
            known: Vec::new(),
            fresh: Vec::new(),
            queue: VecDeque::new(),
            queued: Vec::new(),
            pairs: Interner::default(),
            by: Vec::new(),
            out: Vec::new(),
            facts: 0,
        }
    }

    /// How many facts there are.
    pub(crate) fn len(&self) -> u64 {
        self.facts
    }

    /// How many bytes they take, about.
    pub(crate) fn bytes(&self) -> u64 {
        let row = self.threads * self.width * 8;
        (row * 2 * self.known.len()) as u64
    }

    /// Adds a fact.
    pub(crate) fn add(&mut self, thread: usize, global: Global, column: usize) {
        while column >= self.width * 64 {
            self.widen();
        }
        self.reach(global);
        let at = thread * self.width + column / 64;
        let bit = 1 << (column % 64);
        let row = global as usize;
        if self.known[row][at] & bit == 0 {
            self.known[row][at] |= bit;
            self.own_fresh(row)[at] |= bit;
            self.facts += 1;
            self.enqueue(global);
        }
    }

    pub(crate) fn contains(&self, thread: usize, global: Global, column: usize) -> bool {
        let at = thread * self.width + column / 64;
        column < self.width * 64
            && self
                .known
                .get(global as usize)
                .is_some_and(|row| row.get(at).is_some_and(|word| word & (1 << (column % 64)) != 0))
    }

    /// A step of a thread changes the store: others see that. `G(by, from, to)` of paper 5.
    pub(crate) fn add_edge(&mut self, by: usize, from: Global, to: Global) {
        if from == to {
            return;
        }
        self.reach(from.max(to));
        let number = crate::number(by);
        let pair = self.pairs.intern((from, to)) as usize;
        let which = if pair == self.by.len() {
            self.by.push(vec![number]);
            self.out[from as usize].push(crate::number(pair));
            Which::Not(by)
        } else {
            let takers = &mut self.by[pair];
            let Err(at) = takers.binary_search(&number) else { return };
            takers.insert(at, number);
            match takers.as_slice() {
                // With a second thread that takes it, the first one sees it too.
                [one, other] => Which::Only((one + other - number) as usize),
                _ => return,
            }
        };
        let row = self.known[from as usize].clone();
        self.copy(&row, to, which);
    }

    /// The next store with fresh facts: those facts are handed out, and have travelled along all
    /// edges that are there.
    pub(crate) fn next(&mut self) -> Option<(Global, Vec<(usize, usize)>)> {
        let global = self.queue.pop_front()?;
        self.queued[global as usize] = false;
        let fresh = std::mem::take(&mut self.fresh[global as usize]);
        for at in 0..self.out[global as usize].len() {
            let pair = self.out[global as usize][at];
            let which = match self.by[pair as usize].as_slice() {
                [only] => Which::Not(*only as usize),
                _ => Which::All,
            };
            self.copy(&fresh, self.pairs.get(pair).1, which);
        }
        let width = self.width;
        let mut facts = Vec::new();
        for (at, &word) in fresh.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let column = at % width * 64 + rest.trailing_zeros() as usize;
                facts.push((at / width, column));
                rest &= rest - 1;
            }
        }
        Some((global, facts))
    }

    /// The columns of a thread at a store.
    pub(crate) fn columns(&self, thread: usize, global: Global) -> Vec<usize> {
        let Some(row) = self.known.get(global as usize) else { return Vec::new() };
        let start = thread * self.width;
        let words = row.get(start..start + self.width).unwrap_or_default();
        let bits = words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| at * 64 + bit)
        });
        bits.collect()
    }

    /// The stores that were met.
    pub(crate) fn globals(&self) -> impl Iterator<Item = Global> + use<> {
        0..crate::number(self.known.len())
    }

    /// What the environment can make of a store, and who.
    pub(crate) fn edges(&self, global: Global) -> impl Iterator<Item = (Global, &[u32])> {
        let out = self.out.get(global as usize).map(Vec::as_slice).unwrap_or_default();
        out.iter().map(|&pair| (self.pairs.get(pair).1, self.by[pair as usize].as_slice()))
    }

    fn copy(&mut self, from: &[u64], to: Global, which: Which) {
        let width = self.width;
        let threads = self.threads;
        match which {
            Which::All => self.copy_words(from, to, 0..threads * width),
            Which::Only(thread) => self.copy_words(from, to, thread * width..(thread + 1) * width),
            Which::Not(thread) => {
                self.copy_words(from, to, 0..thread * width);
                self.copy_words(from, to, (thread + 1) * width..threads * width);
            }
        }
    }

    fn copy_words(&mut self, from: &[u64], to: Global, range: std::ops::Range<usize>) {
        let Some(source) = from.get(range.clone()) else { return };
        let row = to as usize;
        let target = &self.known[row][range.clone()];
        let added: u32 = source.iter().zip(target).map(|(s, t)| (s & !t).count_ones()).sum();
        if added == 0 {
            return;
        }
        self.facts += u64::from(added);
        self.own_fresh(row);
        let known = &mut self.known[row][range.clone()];
        let fresh = &mut self.fresh[row][range];
        for ((source, known), fresh) in source.iter().zip(known).zip(fresh) {
            *fresh |= source & !*known;
            *known |= source;
        }
        self.enqueue(to);
    }

    /// The fresh facts of a row; the memory is taken only while there are any.
    fn own_fresh(&mut self, row: usize) -> &mut Vec<u64> {
        let length = self.threads * self.width;
        let fresh = &mut self.fresh[row];
        if fresh.is_empty() {
            fresh.resize(length, 0);
        }
        fresh
    }

    fn enqueue(&mut self, global: Global) {
        if !std::mem::replace(&mut self.queued[global as usize], true) {
            self.queue.push_back(global);
        }
    }

    fn reach(&mut self, global: Global) {
        let length = self.threads * self.width;
        while self.known.len() <= global as usize {
            self.known.push(vec![0; length]);
            self.fresh.push(Vec::new());
            self.queued.push(false);
            self.out.push(Vec::new());
        }
    }

    /// Makes room for twice as many columns.
    fn widen(&mut self) {
        let (old, new) = (self.width, self.width * 2);
        for row in self.known.iter_mut().chain(&mut self.fresh) {
            if row.is_empty() {
                continue;
            }
            let mut wide = vec![0; self.threads * new];
            for thread in 0..self.threads {
                wide[thread * new..thread * new + old]
                    .copy_from_slice(&row[thread * old..(thread + 1) * old]);
            }
            *row = wide;
        }
        self.width = new;
    }
}
