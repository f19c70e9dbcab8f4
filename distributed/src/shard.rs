//! One worker's part of the search: the facts about the stores that are its own.
//!
//! ```text
//! (AG INIT)                  (AG ENV)                          (AG STEP)
//!                             R(t,g,l)  G(e,g,g')  t != e       R(t,g,l)   T(t,g,l,g',l')
//! ------------------         ---------------------------       --------------------------
//! R(t, g0, ls0(t))                   R(t,g',l)                   R(t,g',l')   G(t,g,g')
//! ```
//!
//! All premises of a rule are about one store `g` (paper 5, section 2.2). So the owner of `g` keeps
//! `R(_, g, _)` and `G(_, g, _)` and applies the rules there; it sends conclusions about `R` at
//! `g'` to the owner of `g'`.

use crate::facts::{Facts, numbers};
use crate::outcome::Outcome;
use crate::parcel::{Parcel, Reader};
use machine::Machine;
use search::{Budget, Effect, Fault, Global, Interner, Local, Mixer, Step, Threads, join};
use std::collections::{BTreeSet, VecDeque};
use std::hash::Hasher as _;

/// A number that is the same in every process. It decides which worker owns a store.
pub(crate) fn hash(content: &[u8]) -> u64 {
    let mut mixer = Mixer::default();
    mixer.write(content);
    mixer.finish()
}

/// One worker's part.
pub(crate) struct Shard {
    machine: Machine<'static>,
    me: u64,
    peers: u64,
    /// Words in a set of threads.
    words: usize,
    /// By the store's number in this machine.
    rows: Vec<Row>,
    /// Own stores with fresh facts. The one that waits longest is next, so that facts from many
    /// steps travel together.
    queue: VecDeque<Global>,
    /// Stores of others with fresh facts.
    outbox: Vec<Global>,
    stores: Names,
    locals: Names,
    faults: BTreeSet<Fault>,
    outcome: Outcome,
    /// Whether the search ended early here.
    is_over: bool,
}

/// The facts about a store. For another worker's store: the facts that were sent to that worker.
struct Row {
    owner: u64,
    known: Facts,
    fresh: Facts,
    /// `G`: stores that steps lead to, in order, each with the threads that take them, in order.
    out: Vec<(Global, Vec<u32>)>,
}

/// The numbers of stores or local states that came as bytes.
#[derive(Default)]
struct Names {
    contents: Interner<Vec<u8>>,
    numbers: Vec<u32>,
}

impl Names {
    fn number(&mut self, content: &[u8], read: impl FnOnce(&[u8]) -> Option<u32>) -> Option<u32> {
        if let Some(at) = self.contents.find(content) {
            return Some(self.numbers[at as usize]);
        }
        let number = read(content)?;
        self.contents.intern(content.to_vec());
        self.numbers.push(number);
        Some(number)
    }
}

impl Shard {
    /// (AG INIT)
    pub(crate) fn new(machine: Machine<'static>, me: usize, peers: usize) -> Self {
        let words = machine.count().div_ceil(64).max(1);
        let mut shard = Self {
            machine,
            me: me as u64,
            peers: peers as u64,
            words,
            rows: Vec::new(),
            queue: VecDeque::new(),
            outbox: Vec::new(),
            stores: Names::default(),
            locals: Names::default(),
            faults: BTreeSet::new(),
            outcome: Outcome::default(),
            is_over: false,
        };
        for (global, locals) in shard.machine.initial() {
            shard.reach(global);
            if shard.rows[global as usize].owner != shard.me {
                continue;
            }
            let faults = shard.machine.initial_faults(global, &locals);
            shard.faults.extend(faults);
            for (thread, local) in locals.into_iter().enumerate() {
                shard.add_one(thread, global, local);
            }
        }
        shard
    }

    /// Takes in the facts that another worker found about stores of this one.
    pub(crate) fn receive(&mut self, parcel: &Parcel) {
        if self.take_in(parcel.reader()).is_none() {
            self.end_early("another worker speaks of another program".to_owned());
        }
    }

    /// `None` if a worker on the same program does not write such a parcel.
    fn take_in(&mut self, mut reader: Reader<'_>) -> Option<()> {
        let mut threads = vec![0; self.words];
        while !reader.is_empty() {
            let machine = &mut self.machine;
            let global = self.stores.number(reader.bytes()?, |bytes| machine.store_of(bytes))?;
            self.reach(global);
            for _ in 0..reader.number()? {
                let machine = &mut self.machine;
                let local = self.locals.number(reader.bytes()?, |bytes| machine.local_of(bytes))?;
                reader.words(&mut threads)?;
                self.add(global, local, &threads);
            }
        }
        Some(())
    }

    /// Applies the rules at some of the stores with fresh facts. Returns whether more are left.
    pub(crate) fn advance(&mut self, most: usize) -> bool {
        for _ in 0..most {
            if let Some(reason) = self.machine.exceeded() {
                self.end_early(reason.to_string());
            }
            if self.outcome.facts > Budget::default().states {
                self.end_early("too many facts".to_owned());
            }
            let Some(global) = self.queue.pop_front() else { break };
            self.close(global);
        }
        !self.queue.is_empty()
    }

    /// The parcels for other workers; each fact is sent once.
    pub(crate) fn parcels(&mut self) -> impl Iterator<Item = Parcel> + use<> {
        let mut all: Vec<Parcel> = (0..self.peers).map(Parcel::new).collect();
        let mut content = Vec::new();
        for global in std::mem::take(&mut self.outbox) {
            let row = &mut self.rows[global as usize];
            let fresh = std::mem::take(&mut row.fresh);
            let parcel = &mut all[usize::try_from(row.owner).unwrap_or(0)];
            content.clear();
            self.machine.write_store(global, &mut content);
            parcel.put_bytes(&content);
            parcel.put_number(fresh.len());
            for (local, threads) in fresh.iter() {
                content.clear();
                self.machine.write_local(local, &mut content);
                parcel.put_bytes(&content);
                parcel.put_words(threads);
            }
        }
        all.into_iter().filter(|parcel| !parcel.reader().is_empty())
    }

    /// The outcome here, once nothing is left on any worker.
    pub(crate) fn outcome(&mut self, describe: impl Fn(&machine::Fault) -> String) -> Outcome {
        let mut outcome = std::mem::take(&mut self.outcome);
        for (number, row) in (0..).zip(&self.rows).filter(|(_, row)| row.owner == self.me) {
            outcome.guarantees += row.out.iter().map(|(_, by)| by.len() as u64).sum::<u64>();
            match join(&mut self.machine, number, |thread| row.known.of(thread)) {
                Ok(alarms) => self.faults.extend(alarms.iter().map(|alarm| alarm.fault)),
                Err(reason) => {
                    outcome.cuts.insert(reason.to_string());
                }
            }
        }
        outcome.cuts.extend(self.machine.incomplete().map(|reason| reason.to_string()));
        outcome.alarms = self.faults.iter().map(|&f| describe(self.machine.fault(f))).collect();
        outcome
    }

    fn end_early(&mut self, why: String) {
        self.outcome.cuts.insert(why);
        self.queue.clear();
        self.is_over = true;
    }

    /// The rules at one store, for the facts that are fresh there.
    fn close(&mut self, global: Global) {
        let row = &mut self.rows[global as usize];
        let fresh = std::mem::take(&mut row.fresh);
        let out = std::mem::take(&mut row.out);
        for (to, takers) in &out {
            let skipped = if let [only] = takers.as_slice() { Some(*only) } else { None };
            self.env(&fresh, *to, skipped);
        }
        self.rows[global as usize].out = out;
        let mut steps = Vec::new();
        for (local, threads) in fresh.iter() {
            if self.machine.is_idle(global, local) {
                continue;
            }
            for thread in numbers(threads) {
                self.machine.steps(thread, global, local, &mut steps);
                for step in steps.drain(..) {
                    self.step(thread, global, step);
                }
            }
        }
    }

    /// (AG ENV) for all threads but one.
    fn env(&mut self, facts: &Facts, to: Global, skipped: Option<u32>) {
        let mut others = vec![0; self.words];
        for (local, threads) in facts.iter() {
            others.copy_from_slice(threads);
            if let Some(thread) = skipped {
                others[thread as usize / 64] &= !(1 << (thread % 64));
            }
            self.add(to, local, &others);
        }
    }

    /// (AG STEP)
    fn step(&mut self, thread: usize, global: Global, step: Step) {
        self.faults.extend(step.faults);
        match step.effect {
            Effect::To(after, local) => {
                self.add_one(thread, after, local);
                self.add_edge(thread, global, after);
            }
            Effect::Wrong => {}
            Effect::Cut(reason) => {
                self.outcome.cuts.insert(reason.to_string());
            }
        }
    }

    /// `G(thread, from, to)`: the facts known at `from` so far hold after this step, too, for other
    /// threads.
    fn add_edge(&mut self, thread: usize, from: Global, to: Global) {
        if from == to {
            return;
        }
        let number = source::number(thread);
        let row = &mut self.rows[from as usize];
        let at = row.out.binary_search_by_key(&to, |(to, _)| *to).unwrap_or_else(|at| {
            row.out.insert(at, (to, Vec::new()));
            at
        });
        let takers = &mut row.out[at].1;
        let Err(place) = takers.binary_search(&number) else { return };
        takers.insert(place, number);
        let skipped = match takers.len() {
            1 => Some(number),
            // With a second thread that takes it, the first one sees it, too.
            2 => None,
            _ => return,
        };
        let known = std::mem::take(&mut self.rows[from as usize].known);
        self.env(&known, to, skipped);
        self.rows[from as usize].known = known;
    }

    fn add_one(&mut self, thread: usize, global: Global, local: Local) {
        let mut threads = vec![0; self.words];
        threads[thread / 64] |= 1 << (thread % 64);
        self.add(global, local, &threads);
    }

    fn add(&mut self, global: Global, local: Local, threads: &[u64]) {
        self.reach(global);
        let row = &mut self.rows[global as usize];
        let was_empty = row.fresh.is_empty();
        let added = row.known.add(local, threads, &mut row.fresh);
        if row.owner == self.me {
            self.outcome.facts += added;
        }
        if added == 0 || !was_empty || self.is_over {
            return;
        }
        if row.owner == self.me {
            self.queue.push_back(global);
        } else {
            self.outbox.push(global);
        }
    }

    /// Makes room for a store.
    fn reach(&mut self, global: Global) {
        let mut content = Vec::new();
        for number in (0..=global).skip(self.rows.len()) {
            content.clear();
            self.machine.write_store(number, &mut content);
            let owner = hash(&content) % self.peers;
            let (known, fresh) = (Facts::default(), Facts::default());
            self.rows.push(Row { owner, known, fresh, out: Vec::new() });
        }
    }
}
