//! What a search knows that does not depend on how states are packed.

use crate::moves::{MISSING, Moves};
use crate::report::{Budget, Options};
use crate::threads::{Effect, Fault, Global, Local, Threads};
use std::collections::BTreeSet;
use verdict::StopReason;

/// What a search knows that does not depend on how states are packed.
pub(crate) struct Search<'a, M> {
    pub(crate) model: &'a mut M,
    pub(super) budget: &'a Budget<'a>,
    pub(crate) options: &'a Options,
    pub(crate) moves: Moves,
    /// The initial states, as parts.
    pub(super) starts: Vec<Vec<u64>>,
    pub(crate) found: Vec<Found>,
    seen: BTreeSet<Fault>,
    pub(super) cut: Option<StopReason>,
    pub(super) quorum: u32,
    /// Whether the levels are computed again, and nothing else is asked.
    pub(super) retracing: bool,
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) depth: u32,
    pub(super) bytes: u64,
}

/// Something that goes wrong, and where in the search.
pub(crate) struct Found {
    pub(crate) fault: Fault,
    pub(crate) parts: Vec<u64>,
    pub(crate) depth: u32,
    /// The thread whose step is at fault, and which of its steps it is; none if the state itself
    /// is.
    pub(crate) step: Option<(usize, usize)>,
}

impl<'a, M: Threads> Search<'a, M> {
    pub(super) fn new(model: &'a mut M, budget: &'a Budget, options: &'a Options) -> Self {
        let moves = Moves::new(model.count());
        let quorum =
            model.quorum().map_or(u32::MAX, |quorum| u32::try_from(quorum).unwrap_or(u32::MAX));
        let mut search = Self {
            model,
            budget,
            options,
            moves,
            starts: Vec::new(),
            found: Vec::new(),
            seen: BTreeSet::new(),
            cut: None,
            quorum,
            retracing: false,
            states: 0,
            transitions: 0,
            depth: 0,
            bytes: 0,
        };
        for (global, mut locals) in search.model.initial() {
            let global = search.canonical(global, &mut locals);
            let parts = search.moves.parts(global, &locals);
            for fault in search.model.initial_faults(global, &locals) {
                search.report(fault, &parts, 0, None);
            }
            search.starts.push(parts);
        }
        search
    }

    fn canonical(&mut self, global: Global, locals: &mut [Local]) -> Global {
        if self.options.symmetry { self.model.canonical(global, locals).0 } else { global }
    }

    pub(super) fn cut(&mut self, reason: StopReason) {
        self.cut.get_or_insert(reason);
    }

    fn report(&mut self, fault: Fault, parts: &[u64], depth: u32, step: Option<(usize, usize)>) {
        if !self.retracing && self.seen.insert(fault) {
            self.found.push(Found { fault, parts: parts.to_vec(), depth, step });
        }
    }

    /// Whether there is no use in going on.
    pub(super) fn is_over(&self) -> bool {
        !self.retracing && !self.options.all && !self.found.is_empty()
    }

    /// Tabulates the steps of all threads in a state. Whatever is at fault there is so in a
    /// reachable state, and since levels are visited in order, in one at the least distance
    /// from the start.
    pub(super) fn tabulate(&mut self, parts: &[u64], depth: u32) {
        for thread in 0..parts.len() - 1 {
            if self.moves.entry(parts[0], thread, parts[thread + 1]) != MISSING {
                continue;
            }
            let steps = self.moves.tabulate(self.model, parts, thread);
            for (at, step) in steps.into_iter().enumerate() {
                for fault in step.faults {
                    self.report(fault, parts, depth, Some((thread, at)));
                }
                if let Effect::Cut(reason) = step.effect {
                    self.cut(reason);
                }
            }
        }
    }

    /// Asks what is wrong with a state as a whole.
    pub(super) fn judge(&mut self, parts: &[u64], depth: u32, is_stuck: bool) {
        if self.retracing {
            return;
        }
        let (global, locals) = self.moves.state(parts);
        let mut faults = self.model.bad(global, &locals);
        if is_stuck {
            faults.extend(self.model.stuck(global, &locals));
        }
        for fault in faults {
            self.report(fault, parts, depth, None);
        }
    }

    /// All successors of a state, as parts. For each the thread, which of its moves it is, and the
    /// parts.
    pub(crate) fn successors(&mut self, parts: &[u64]) -> Vec<(usize, usize, Vec<u64>)> {
        let mut all = Vec::new();
        for thread in 0..parts.len() - 1 {
            let entry = self.moves.entry(parts[0], thread, parts[thread + 1]);
            let list = if entry == MISSING { &[] } else { self.moves.list(entry) };
            for (at, made) in list.iter().enumerate() {
                let mut next = parts.to_vec();
                next[0] = u64::from(made.global);
                next[thread + 1] = u64::from(made.local);
                all.push((thread, at, next));
            }
        }
        if self.options.symmetry {
            for (_, _, next) in &mut all {
                let (global, mut locals) = self.moves.state(next);
                let global = self.canonical(global, &mut locals);
                *next = self.moves.parts(global, &locals);
            }
        }
        all
    }
}
