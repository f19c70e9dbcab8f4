//! Every interleaving, breadth first.
//!
//! Paper 5, section 2.1. The least `R` with
//!
//! ```text
//! (BASIC INIT)  R(g0, ls0)
//! (BASIC STEP)  R(g, ls)  T(t, g, ls(t), g', l')  ==>  R(g', ls[t := l'])
//! ```
//!
//! A state is a few bits per component in one to sixteen machine words. How a state was reached is
//! not stored: a run is found again from the levels of the search, which are kept while they are
//! small and computed once more otherwise.

mod progress;

pub(crate) use progress::{Found, Search};

use crate::layout::Layout;
use crate::moves::{Entry, FIRST_WITH_STEPS, MISSING, Moves, WATCHED};
use crate::report::{Budget, Options, Report, Violation};
use crate::table::{BATCH, Packed, Table};
use crate::threads::Threads;
use crate::trace;
use verdict::StopReason;

/// Visits every reachable state, or as many as the budget allows.
pub fn explore<M: Threads>(model: &mut M, budget: &Budget, options: &Options) -> Report {
    let mut search = Search::new(model, budget, options);
    let violations = in_words(&mut search);
    Report {
        violations,
        states: search.states,
        transitions: search.transitions,
        depth: search.depth,
        bytes: search.bytes,
        cut: search.cut,
    }
}

/// Searches with states of one word, and with wider ones as soon as one word is not enough.
fn in_words<M: Threads>(search: &mut Search<M>) -> Vec<Violation> {
    let one = match Frontier::<1>::new().finish(search) {
        Ok(found) => return found,
        Err(frontier) => frontier,
    };
    let two = match one.wider::<2>(search).finish(search) {
        Ok(found) => return found,
        Err(frontier) => frontier,
    };
    let four = match two.wider::<4>(search).finish(search) {
        Ok(found) => return found,
        Err(frontier) => frontier,
    };
    let sixteen = match four.wider::<16>(search).finish(search) {
        Ok(found) => return found,
        Err(frontier) => frontier,
    };
    match sixteen.wider::<128>(search).finish(search) {
        Ok(found) => found,
        Err(_) => {
            search.cut(StopReason::Unsupported("states of so many threads".to_owned()));
            Vec::new()
        }
    }
}

/// Why a sweep through a level stopped.
enum Pause {
    /// The level is done.
    Done,
    /// The steps of the state at the cursor must be tabulated first.
    Missing,
    /// Some component no longer fits into its bits.
    Outgrown,
    /// A limit was hit, or a violation is enough.
    Over,
}

/// The states of a search, packed into N words each.
pub(crate) struct Frontier<const N: usize> {
    pub(crate) layout: Layout,
    table: Table<N>,
    level: Vec<Packed<N>>,
    /// The next state of the level to be expanded.
    cursor: usize,
    next: Vec<Packed<N>>,
    /// Successors that were not looked up yet.
    pending: Vec<Packed<N>>,
    /// The threads of the present state that have steps.
    active: Vec<(usize, Entry)>,
    depth: u32,
    started: bool,
    /// All earlier levels, while they are kept.
    pub(crate) levels: Option<Vec<Vec<Packed<N>>>>,
}

/// Levels are kept up to this number of bytes, unless a run is wanted. They are needed only for
/// what goes wrong, and computing them again takes less time than the search did, since all steps
/// are tabulated then.
const KEPT: u64 = 1 << 20;
/// Components have fewer than this number of bits more than they need. Numbers are of 32 bits.
const SPARE: u32 = 24;

impl<const N: usize> Frontier<N> {
    fn new() -> Self {
        Self {
            layout: Layout { fields: Vec::new() },
            table: Table::new(),
            level: Vec::new(),
            cursor: 0,
            next: Vec::new(),
            pending: Vec::new(),
            active: Vec::new(),
            depth: 0,
            started: false,
            levels: Some(Vec::new()),
        }
    }

    /// Searches to the end and finds the runs. Comes back if N words are not enough for a state.
    fn finish<M: Threads>(mut self, search: &mut Search<M>) -> Result<Vec<Violation>, Box<Self>> {
        if !self.run(search) {
            return Err(Box::new(self));
        }
        if !search.retracing {
            search.states = self.table.len() as u64;
            search.depth = self.depth;
        }
        if search.found.is_empty() {
            return Ok(Vec::new());
        }
        if self.levels.is_none() {
            drop(self);
            search.retracing = true;
            let mut again = Self::new();
            if !again.run(search) {
                return Err(Box::new(again));
            }
            return Ok(trace::violations(&again, search));
        }
        self.keep_level();
        Ok(trace::violations(&self, search))
    }

    /// Searches until nothing is left or the search is over; false if N words are not enough for a
    /// state.
    fn run<M: Threads>(&mut self, search: &mut Search<M>) -> bool {
        if !self.fit(search) {
            return false;
        }
        if !self.started {
            self.started = true;
            self.pending = search.starts.iter().map(|parts| self.layout.pack(parts)).collect();
            self.flush(search);
            self.level = std::mem::take(&mut self.next);
        }
        loop {
            match self.sweep(search) {
                Pause::Over => return true,
                Pause::Outgrown if !self.fit(search) => return false,
                Pause::Outgrown => {}
                Pause::Missing => {
                    let parts = self.parts(&self.level[self.cursor]);
                    search.tabulate(&parts, self.depth);
                    let halted = search.budget.halted().filter(|_| !search.retracing);
                    if let Some(reason) = search.model.exceeded().or(halted) {
                        search.cut(reason);
                        return true;
                    }
                    if !self.fit(search) {
                        return false;
                    }
                }
                Pause::Done if !self.go_down(search) => return true,
                Pause::Done => {}
            }
        }
    }

    /// Goes on with the next level; false if there is none, or none that is wanted.
    fn go_down<M: Threads>(&mut self, search: &mut Search<M>) -> bool {
        if !self.flush(search) {
            return false;
        }
        let deepest = search.found.iter().map(|found| found.depth).max();
        if search.is_over() || self.next.is_empty() {
            return false;
        }
        if search.retracing && deepest.is_some_and(|deepest| self.depth >= deepest) {
            return false;
        }
        if self.depth >= search.budget.depth {
            search.cut(StopReason::ResourceLimit);
            return false;
        }
        self.keep_level();
        std::mem::swap(&mut self.level, &mut self.next);
        self.next.clear();
        self.cursor = 0;
        self.depth += 1;
        let kept = (self.table.len() * size_of::<Packed<N>>()) as u64;
        if kept > KEPT && !search.retracing {
            self.levels = None;
        }
        true
    }

    fn keep_level(&mut self) {
        if let Some(levels) = &mut self.levels {
            levels.push(std::mem::take(&mut self.level));
        }
    }

    /// Expands the states of the level from the cursor on.
    fn sweep<M: Threads>(&mut self, search: &mut Search<M>) -> Pause {
        while self.cursor < self.level.len() {
            let state = self.level[self.cursor];
            let Some(watched) = self.gather(&search.moves, &state) else { return Pause::Missing };
            if watched >= search.quorum || self.active.is_empty() {
                let parts = self.parts(&state);
                search.judge(&parts, self.depth, self.active.is_empty());
            }
            if search.is_over() {
                return Pause::Over;
            }
            if search.options.symmetry {
                if !self.push_canonical(&state, search) {
                    return Pause::Outgrown;
                }
            } else {
                for at in 0..self.active.len() {
                    let (thread, entry) = self.active[at];
                    self.push_moves(&search.moves, &state, thread, entry);
                }
            }
            self.cursor += 1;
            if self.pending.len() >= BATCH && !self.flush(search) {
                return Pause::Over;
            }
        }
        Pause::Done
    }

    /// Collects the threads that have steps, and counts those that are watched. Nothing if
    /// something is not tabulated.
    #[inline]
    fn gather(&mut self, moves: &Moves, state: &Packed<N>) -> Option<u32> {
        self.active.clear();
        let mut watched = 0;
        let (first, fields) = self.layout.fields.split_first()?;
        let global = first.get(state);
        let row = moves.row(global);
        for (thread, field) in fields.iter().enumerate() {
            let local = field.get(state);
            let entry = match row {
                Some((row, width)) => {
                    row.get((thread << width) + usize::try_from(local).ok()?).copied()?
                }
                None => moves.entry(global, thread, local),
            };
            if entry == MISSING {
                return None;
            }
            watched += entry & WATCHED;
            if entry >= FIRST_WITH_STEPS {
                self.active.push((thread, entry));
            }
        }
        Some(watched)
    }

    #[inline]
    fn push_moves(&mut self, moves: &Moves, state: &Packed<N>, thread: usize, entry: Entry) {
        let (global, local) = (self.layout.fields[0], self.layout.fields[thread + 1]);
        for made in moves.list(entry) {
            let mut next = *state;
            global.set(&mut next, u64::from(made.global));
            local.set(&mut next, u64::from(made.local));
            self.pending.push(next);
        }
    }

    /// Adds the representatives of all successors; false if one of them does not fit.
    fn push_canonical<M: Threads>(&mut self, state: &Packed<N>, search: &mut Search<M>) -> bool {
        let successors = search.successors(&self.parts(state));
        if !self.layout.fits(&search.moves.most) {
            return false;
        }
        self.pending.extend(successors.iter().map(|(_, _, parts)| self.layout.pack::<N>(parts)));
        true
    }

    /// Looks the pending states up; false if a limit was hit.
    fn flush<M: Threads>(&mut self, search: &mut Search<M>) -> bool {
        if !search.retracing {
            search.transitions += self.pending.len() as u64;
        }
        let before = self.table.len();
        self.table.insert_all(&self.pending, &mut self.next);
        search.budget.count((self.table.len() - before) as u64);
        self.pending.clear();
        let bytes = self.bytes() + search.moves.bytes();
        search.bytes = search.bytes.max(bytes);
        if search.retracing {
            return true;
        }
        if self.table.len() as u64 > search.budget.states {
            search.cut(StopReason::ResourceLimit);
        } else if bytes > search.budget.bytes {
            search.cut(StopReason::MemoryLimit);
        } else if let Some(reason) = search.budget.halted() {
            search.cut(reason);
        } else {
            return true;
        }
        false
    }

    fn bytes(&self) -> u64 {
        // The levels that are kept hold every state once. Adding up their sizes here would cost the
        // square of the depth.
        let levels = self.levels.as_ref().map_or(0, |_| self.table.len());
        let states = levels + self.level.capacity() + self.next.capacity();
        self.table.bytes() + (states * size_of::<Packed<N>>()) as u64
    }

    pub(crate) fn parts(&self, state: &Packed<N>) -> Vec<u64> {
        let mut parts = Vec::new();
        self.layout.unpack(state, &mut parts);
        parts
    }

    /// Packs all states anew if some component has outgrown its bits; false if there is no room for
    /// it.
    fn fit<M: Threads>(&mut self, search: &mut Search<M>) -> bool {
        let most = &search.moves.most;
        if self.layout.fields.len() == most.len() && self.layout.fits(most) {
            return true;
        }
        // With bits to spare, as long as there is room, so that this happens seldom.
        let spare = |bits: u32| -> Vec<u64> {
            most.iter().map(|most| (most << bits) | ((1 << bits) - 1)).collect()
        };
        let layouts = (0..SPARE).rev().filter_map(|bits| Layout::new(&spare(bits), N));
        let Some(layout) = { layouts }.next() else { return false };
        self.flush(search);
        let old = std::mem::replace(self, Self::new());
        *self = old.repacked(layout);
        true
    }

    /// The same in more words.
    fn wider<const K: usize>(mut self, search: &mut Search<impl Threads>) -> Frontier<K> {
        self.flush(search);
        match Layout::new(&search.moves.most, K) {
            Some(layout) => self.repacked(layout),
            None => Frontier::new(),
        }
    }

    fn repacked<const K: usize>(self, layout: Layout) -> Frontier<K> {
        let again = |states: Vec<Packed<N>>| -> Vec<Packed<K>> {
            let mut parts = Vec::new();
            let mut one = |state: &Packed<N>| {
                self.layout.unpack(state, &mut parts);
                layout.pack(&parts)
            };
            states.iter().map(&mut one).collect()
        };
        let mut table = Table::with_room(self.table.len());
        let mut parts = Vec::new();
        for state in self.table.iter() {
            self.layout.unpack(&state, &mut parts);
            table.insert(&layout.pack(&parts));
        }
        Frontier {
            table,
            level: again(self.level),
            cursor: self.cursor,
            next: again(self.next),
            pending: Vec::new(),
            active: self.active,
            depth: self.depth,
            started: self.started,
            levels: self.levels.map(|levels| levels.into_iter().map(again).collect()),
            layout,
        }
    }
}
