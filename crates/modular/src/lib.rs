//! Thread-modular verification of Plato programs (paper 1: "Thread-Modular Verification for
//! Shared-Memory Programs").
//!
//! A program becomes tasks, each a body of guarded commands that can be decided alone:
//!
//! - [`init_task`]: the initial stores satisfy the invariant;
//! - [`rely_task`], [`transitivity_task`]: relies are reflexive and transitive;
//! - [`thread_task`]: one thread, or all copies of one at once, under its rely;
//! - [`procedure_task`]: one procedure against its specification, for every thread that may call
//!   it.
//!
//! If all obligations of all tasks hold, no run of the program goes wrong and the invariant holds
//! throughout (theorems 1 and 2 of the paper; see `SOUNDNESS.md`): every obligation of a step is
//! decided under the assumption that all earlier steps, of all threads, satisfied theirs.

mod closure;
mod context;
mod environment;
mod expected;
mod explain;
mod expr;
mod for_all;
mod layout;
mod lower;
mod mentions;
mod mutexes;
mod parts;
mod program_tasks;
mod protection;
mod sizes;
mod task;
mod types;

pub use closure::{Closure, closures};
pub use context::{Context, constant_symbol};
pub use environment::{Conjunct, Owner, conjuncts};
pub use expected::{Expectation, Specified, expected};
pub use explain::{advice, other_thread, running_thread, trace};
pub use lower::{procedure_task, thread_task};
pub use program_tasks::{closure_task, init_task, rely_task, transitivity_task};
pub use task::{Dropped, Numbering, Shown, Task};

use plato::hir::{Body, Count, Expr, GlobalId, ProcId, Program, ThreadId};
use source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How to lower.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Let the environment act on all variables before every step, instead of where it matters.
    pub one_cluster: bool,
    /// Let the environment take this many steps in a row where one is enough; 0 means one.
    pub environment_steps: usize,
    /// What to do with guessed loop invariants.
    pub guesses: Guesses,
    /// List the values also of types that are not that small, for questions without maps.
    pub list_more: bool,
}

/// What to do with guessed loop invariants.
#[derive(Clone, Debug)]
pub enum Guesses {
    /// Use each under a switch of its own, to find out which hold.
    Switched,
    /// Use all but those with these numbers.
    AllBut(BTreeSet<usize>),
    /// Use those with these numbers.
    Only(BTreeSet<usize>),
    /// Guess nothing: loops are followed.
    Nothing,
}

impl Default for Guesses {
    fn default() -> Self {
        Self::AllBut(BTreeSet::new())
    }
}

/// Whether a formula of an error set asks where threads are, which deduction does not know.
pub fn asks_where_threads_are(expr: &Expr) -> bool {
    mentions::has_program_counter(expr)
}

/// Procedures without specification that neither a thread calls nor a procedure with one, not even
/// through others. Their bodies are verified where they are called.
pub fn uncalled(program: &Program) -> Vec<(Span, String)> {
    let mut called = BTreeSet::new();
    let threads = program.threads.iter().map(|thread| &thread.body);
    let specified = program.procs.iter().filter(|procedure| procedure.spec.is_some());
    for body in threads.chain(specified.map(|procedure| &procedure.body)) {
        mentions::called(program, &body.stmts, &mut called);
    }
    let procedures = (0u32..).map(ProcId).zip(&program.procs);
    procedures
        .filter(|(id, procedure)| procedure.spec.is_none() && !called.contains(id))
        .map(|(_, procedure)| (procedure.span, procedure.name.to_string()))
        .collect()
}

/// The procedures that a body calls, also through others.
pub fn called(program: &Program, body: &Body) -> BTreeSet<ProcId> {
    let mut called = BTreeSet::new();
    mentions::called(program, &body.stmts, &mut called);
    called
}

/// What is found out once about a program and used for every thread.
#[derive(Clone, Debug)]
pub struct Facts {
    writers: Vec<Writers>,
    roll: Arc<layout::Roll>,
    protections: Vec<protection::Protection>,
}

/// Who writes a global.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writers {
    Nobody,
    /// One thread, of which there is one copy.
    Only(ThreadId),
    Several,
}

/// Looks through all threads once.
pub fn facts(program: &Program) -> Facts {
    let mut writers = vec![Writers::Nobody; program.globals.len()];
    for (index, thread) in program.threads.iter().enumerate() {
        let id = ThreadId::from_index(index);
        for global in mentions::Touched::of_stmts(program, &thread.body.stmts).written {
            let writer = &mut writers[global.index()];
            let first = *writer == Writers::Nobody && thread.count == Count::One;
            *writer = if first { Writers::Only(id) } else { Writers::Several };
        }
    }
    let roll = layout::Roll::of(program);
    Facts { writers, roll, protections: protection::protections(program) }
}

impl Facts {
    /// The globals that no thread but this one writes.
    fn not_written_by_others(&self, thread: ThreadId) -> BTreeSet<GlobalId> {
        let ids = (0..self.writers.len()).map(GlobalId::from_index);
        let here = [Writers::Nobody, Writers::Only(thread)];
        ids.filter(|id| here.contains(&self.writers[id.index()])).collect()
    }
}

/// How many statements the threads have, called procedures not counted.
pub fn statement_count(program: &Program) -> usize {
    fn count(stmts: &[plato::hir::Stmt]) -> usize {
        stmts.iter().map(|stmt| 1 + stmt.blocks().into_iter().map(count).sum::<usize>()).sum()
    }
    let threads = program.threads.iter().map(|thread| &thread.body);
    let procs = program.procs.iter().map(|procedure| &procedure.body);
    threads.chain(procs).map(|body| count(&body.stmts)).sum()
}
