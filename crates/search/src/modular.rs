//! Thread-modular search (paper 5, section 2.2): the states of each thread alone, and what it does
//! to the shared store.
//!
//! ```text
//! (AG INIT)                  (AG ENV)                          (AG STEP)
//!                             R(t,g,l)  G(e,g,g')  t != e       R(t,g,l)   T(t,g,l,g',l')
//! ------------------         ---------------------------       --------------------------
//! R(t, g0, ls0(t))                   R(t,g',l)                   R(t,g',l')   G(t,g,g')
//! ```
//!
//! If a state `(g, ls)` is reachable, then `R(t, g, ls(t))` for every thread (lemma 1). So what
//! does not go wrong here does not go wrong; what does may still be impossible, and is an alarm.

use crate::alarms::{Alarm, Notes};
use crate::certificate::Certificate;
use crate::intern::Interner;
use crate::report::Budget;
use crate::rows::Rows;
use crate::threads::{Effect, Global, Local, Step, Threads};
use verdict::StopReason;

/// What a thread-modular search found: the least `R` and `G`.
#[derive(Clone, Debug)]
pub struct Relations {
    rows: Rows,
    /// Per thread its local states.
    locals: Vec<Interner<Local>>,
    /// What may go wrong, each fault once.
    pub alarms: Vec<Alarm>,
    /// Why the search did not see everything. Nothing is proved unless this is `None`.
    pub cut: Option<StopReason>,
}

/// Computes the least relations that satisfy the rules.
pub fn thread_modular(threads: &mut impl Threads, budget: &Budget<'_>) -> Relations {
    let count = threads.count();
    let mut search = Search {
        rows: Rows::new(count),
        locals: vec![Interner::default(); count],
        notes: Notes::default(),
    };
    // (AG INIT)
    for (global, locals) in search.notes.initial(threads, budget) {
        if search.notes.is_halted(budget) {
            break;
        }
        for (thread, local) in locals.into_iter().enumerate() {
            search.add(thread, global, local);
        }
    }
    search.close(threads, budget);
    let Search { rows, locals, notes } = search;
    let relations = Relations { rows, locals, alarms: Vec::new(), cut: None };
    let notes = relations.joined(threads, notes, budget);
    Relations { alarms: notes.alarms, cut: notes.cut, ..relations }
}

struct Search {
    rows: Rows,
    locals: Vec<Interner<Local>>,
    notes: Notes,
}

impl Search {
    fn close(&mut self, threads: &mut impl Threads, budget: &Budget<'_>) {
        let mut steps: Vec<Step> = Vec::new();
        // (AG ENV) is what `Rows` does before it hands out new facts.
        while let Some((global, facts)) = self.rows.next() {
            if let Some(reason) = budget.exceeded(threads, self.rows.len(), self.rows.bytes()) {
                return self.notes.cut(reason);
            }
            for (thread, column) in facts {
                let column = crate::number(column);
                let local = *self.locals[thread].get(column);
                if threads.is_idle(global, local) {
                    continue;
                }
                threads.steps(thread, global, local, &mut steps);
                for step in steps.drain(..) {
                    self.step(thread, global, local, step);
                }
            }
        }
    }

    /// (AG STEP)
    fn step(&mut self, thread: usize, global: Global, local: Local, step: Step) {
        self.notes.faults(&step.faults, global, (thread, local));
        match step.effect {
            Effect::To(after, local) => {
                self.add(thread, after, local);
                self.rows.add_edge(thread, global, after);
            }
            Effect::Wrong => {}
            Effect::Cut(reason) => self.notes.cut(reason),
        }
    }

    fn add(&mut self, thread: usize, global: Global, local: Local) {
        let column = self.locals[thread].intern(local);
        self.rows.add(thread, global, column as usize);
    }
}

impl Relations {
    /// Adds what error sets over several threads say.
    fn joined(&self, threads: &mut impl Threads, mut notes: Notes, budget: &Budget<'_>) -> Notes {
        if threads.quorum().is_some() {
            for global in self.stores() {
                if notes.is_halted(budget) {
                    break;
                }
                notes.join(threads, global, |thread| self.reachable(thread, global));
            }
        }
        notes
    }

    /// `R` as plain sets, for an independent check.
    pub fn certificate(&self) -> Certificate {
        let mut certificate = Certificate::default();
        for global in self.stores() {
            let there = certificate.facts.entry(global).or_default();
            for thread in 0..self.locals.len() {
                there.insert(thread, self.reachable(thread, global).into_iter().collect());
            }
        }
        certificate
    }

    /// How many facts `R` has.
    pub fn states(&self) -> u64 {
        self.rows.len()
    }

    /// How many facts `G` has, steps that leave the shared store as it is not counted.
    pub fn guarantees(&self) -> u64 {
        let edges = self.rows.globals().flat_map(|global| self.rows.edges(global));
        edges.map(|(_, by)| by.len() as u64).sum()
    }

    /// Whether nothing can go wrong.
    pub fn is_proof(&self) -> bool {
        self.cut.is_none() && self.alarms.is_empty()
    }

    /// The shared stores that were met.
    pub fn stores(&self) -> impl Iterator<Item = Global> + use<> {
        self.rows.globals()
    }

    /// The local states of a thread at a store: `R(thread, global, _)`.
    pub fn reachable(&self, thread: usize, global: Global) -> Vec<Local> {
        let columns = self.rows.columns(thread, global).into_iter();
        let number = |column| crate::number(column);
        columns.map(|column| *self.locals[thread].get(number(column))).collect()
    }

    /// Whether `R(thread, global, local)`.
    pub fn is_reachable(&self, thread: usize, global: Global, local: Local) -> bool {
        let column = self.locals[thread].find(&local);
        column.is_some_and(|column| self.rows.contains(thread, global, column as usize))
    }
}
