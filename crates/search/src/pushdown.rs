//! Thread-modular search of threads with stacks (paper 5, section 3.1). Stacks may grow without
//! bound; the search ends.
//!
//! ```text
//! (AG PDA INIT)   P(t, g0,ls0(t), g0,ls0(t))
//! (AG PDA ENV1)   P(t, g1,l1, g2,l2),  G(e, g2,g3),  e != t   =>  P(t, g1,l1, g3,l2)
//! (AG PDA ENV2)   Q(t, g1,l1,f, g2,l2),  G(e, g2,g3),  e != t =>  Q(t, g1,l1,f, g3,l2)
//! (AG PDA STEP1)  P(t, g1,l1, g2,l2),  T(t, g2,l2, g3,l3)     =>  P(t, g1,l1, g3,l3),  G(t, g2,g3)
//! (AG PDA STEP2)  Q(t, g1,l1,f, g2,l2),  P(t, g2,l2, g3,l3)   =>  Q(t, g1,l1,f, g3,l3)
//! (AG PDA PUSH)   P(t, g1,l1, g2,l2),  T+(t, g2,l2, l3,f)     =>  Q(t, g1,l1,f, g2,l3),
//!                                                                 P(t, g2,l3, g2,l3)
//! (AG PDA POP)    Q(t, g1,l1,f, g2,l2),  T-(t, g2,l2,f, l3)   =>  P(t, g1,l1, g2,l3)
//! ```
//!
//! A pair `(g1, l1)` is the start of a procedure. `Q` is not stored: by (PUSH), (ENV2) and (STEP2)
//! `Q(t, g1,l1,f, _)` consists of the `P(t, g2,l3, _)` of the starts `(g2, l3)` that were pushed
//! from `(g1, l1)` with frame `f`, since `P` is closed under (ENV1) too. So each start keeps the
//! list of those who wait for it, and its ends are handed to all of them.
//!
//! DIVERGENCE: a step that pushes or pops may also change the shared store; arguments and results
//! are passed that way. It counts for `G` like any other step.

use crate::alarms::{Alarm, Notes};
use crate::intern::Interner;
use crate::report::Budget;
use crate::rows::Rows;
use crate::stacked::{FrameEffect, FrameStep, Stacked};
use crate::threads::{Global, Local};
use std::collections::BTreeSet;
use verdict::StopReason;

/// What a search of threads with stacks found: the least `P` and `G`.
#[derive(Clone, Debug)]
pub struct Summaries {
    rows: Rows,
    threads: Vec<Thread>,
    /// What may go wrong, each fault once.
    pub alarms: Vec<Alarm>,
    /// Why the search did not see everything. Nothing is proved unless this is `None`.
    pub cut: Option<StopReason>,
}

/// The procedures of one thread.
#[derive(Clone, Debug, Default)]
struct Thread {
    /// Stores and frames in which a procedure, or the thread, starts.
    starts: Interner<(Global, Local)>,
    /// A start and a frame of the same activation.
    columns: Interner<(u32, Local)>,
    /// Per start, who waits for it: the start of the caller, and its frame.
    waiting: Vec<Vec<(u32, Local)>>,
    /// Per start, the stores and frames in which it ends.
    ends: Vec<Vec<(Global, Local)>>,
}

/// Computes the least relations that satisfy the rules.
pub fn pushdown(threads: &mut impl Stacked, budget: &Budget<'_>) -> Summaries {
    let count = threads.count();
    let mut search = Search {
        summaries: Summaries {
            rows: Rows::new(count),
            threads: vec![Thread::default(); count],
            alarms: Vec::new(),
            cut: None,
        },
        notes: Notes::default(),
    };
    search.notes.initial(threads, budget);
    // (AG PDA INIT)
    for (global, frames) in threads.initial_frames() {
        if search.notes.is_halted(budget) {
            break;
        }
        for (thread, frame) in frames.into_iter().enumerate() {
            let start = search.start(thread, global, frame);
            search.add(thread, start, global, frame);
        }
    }
    search.close(threads, budget);
    search.join(threads, budget);
    let Notes { alarms, cut, .. } = search.notes;
    Summaries { alarms, cut, ..search.summaries }
}

struct Search {
    summaries: Summaries,
    notes: Notes,
}

impl Search {
    fn close(&mut self, threads: &mut impl Stacked, budget: &Budget<'_>) {
        let mut steps = Vec::new();
        // (AG PDA ENV1) is what `Rows` does before it hands out new facts.
        while let Some((global, facts)) = self.summaries.rows.next() {
            let rows = &self.summaries.rows;
            if let Some(reason) = budget.exceeded(threads, rows.len(), rows.bytes()) {
                return self.notes.cut(reason);
            }
            for (thread, column) in facts {
                let column = crate::number(column);
                let &(start, frame) = self.summaries.threads[thread].columns.get(column);
                threads.frame_steps(thread, global, frame, &mut steps);
                for step in steps.drain(..) {
                    self.step(threads, (thread, start, global, frame), step);
                }
            }
        }
    }

    fn step(
        &mut self,
        threads: &mut impl Stacked,
        at: (usize, u32, Global, Local),
        step: FrameStep,
    ) {
        let (thread, start, global, frame) = at;
        self.notes.faults(&step.faults, global, (thread, frame));
        match step.effect {
            // (AG PDA STEP1)
            FrameEffect::Next { global: after, frame } => {
                self.add(thread, start, after, frame);
                self.summaries.rows.add_edge(thread, global, after);
            }
            // (AG PDA PUSH)
            FrameEffect::Push { global: after, callee, caller } => {
                let entered = self.start(thread, after, callee);
                self.summaries.rows.add_edge(thread, global, after);
                self.add(thread, entered, after, callee);
                let waiting = &mut self.summaries.threads[thread].waiting[entered as usize];
                if !waiting.contains(&(start, caller)) {
                    waiting.push((start, caller));
                    let ends = self.summaries.threads[thread].ends[entered as usize].clone();
                    for (global, frame) in ends {
                        self.resume(threads, (thread, global, frame), (start, caller));
                    }
                }
            }
            // (AG PDA POP)
            FrameEffect::Pop => {
                self.summaries.threads[thread].ends[start as usize].push((global, frame));
                let waiting = self.summaries.threads[thread].waiting[start as usize].clone();
                for waits in waiting {
                    self.resume(threads, (thread, global, frame), waits);
                }
            }
            FrameEffect::Wrong => {}
            FrameEffect::Cut(reason) => self.notes.cut(reason),
        }
    }

    /// The caller goes on after the end of its procedure.
    fn resume(
        &mut self,
        threads: &mut impl Stacked,
        (thread, global, callee): (usize, Global, Local),
        (start, caller): (u32, Local),
    ) {
        for step in threads.resume(thread, global, callee, caller) {
            self.step(threads, (thread, start, global, caller), step);
        }
    }

    /// Error sets do not depend on what lies below the innermost frames.
    fn join(&mut self, threads: &mut impl Stacked, budget: &Budget<'_>) {
        if threads.quorum().is_none() {
            return;
        }
        for global in self.summaries.rows.globals() {
            if self.notes.is_halted(budget) {
                return;
            }
            let count = threads.count();
            let locals: Vec<Vec<Local>> = (0..count)
                .map(|thread| {
                    let frames = self.summaries.reachable(thread, global).into_iter();
                    frames.map(|frame| threads.alone(frame)).collect()
                })
                .collect();
            self.notes.join(threads, global, |thread| locals[thread].clone());
        }
    }

    fn start(&mut self, thread: usize, global: Global, frame: Local) -> u32 {
        let thread = &mut self.summaries.threads[thread];
        let start = thread.starts.intern((global, frame));
        if thread.waiting.len() <= start as usize {
            thread.waiting.push(Vec::new());
            thread.ends.push(Vec::new());
        }
        start
    }

    fn add(&mut self, thread: usize, start: u32, global: Global, frame: Local) {
        let column = self.summaries.threads[thread].columns.intern((start, frame));
        self.summaries.rows.add(thread, global, column as usize);
    }
}

impl Summaries {
    /// How many facts `P` has.
    pub fn paths(&self) -> u64 {
        self.rows.len()
    }

    /// Whether nothing can go wrong.
    pub fn is_proof(&self) -> bool {
        self.cut.is_none() && self.alarms.is_empty()
    }

    /// The shared stores that were met.
    pub fn stores(&self) -> impl Iterator<Item = Global> + use<> {
        self.rows.globals()
    }

    /// The innermost frames of a thread at a store.
    pub fn reachable(&self, thread: usize, global: Global) -> BTreeSet<Local> {
        let columns = self.rows.columns(thread, global).into_iter();
        let number = |column| crate::number(column);
        columns.map(|column| self.threads[thread].columns.get(number(column)).1).collect()
    }

    /// What the threads make of a store: `G(_, global, after)`, with those who do it.
    pub fn steps_from(&self, global: Global) -> impl Iterator<Item = (Global, &[u32])> {
        self.rows.edges(global)
    }
}
