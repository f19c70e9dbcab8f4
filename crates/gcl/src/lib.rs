//! Guarded commands to verdicts.
//!
//! A front end lowers one thread, procedure or method to a [`Body`]: assignments, assumptions,
//! assertions, choices, loops over logic variables. The pipeline is a list of functions, each from
//! one form to the next:
//!
//! 1. [`slice()`]: what the body does not need is left out;
//! 2. [`cut_loops`]: loops become their invariants (or are unrolled, which is remembered);
//! 3. [`passify`]: no assignments any more, a graph of assumptions (see [`passive`]);
//! 4. [`conditions`]: formulas of size linear in the graph, one failure flag per assertion;
//! 5. [`solve_group`]: the solver decides all assertions of a group at once, failing ones are told
//!    apart by the model, and a path through the graph is read off it.
//!
//! This crate knows no programming language and no threads.

mod acyclic;
mod body;
mod calm;
mod conditions;
mod covers;
mod dump;
mod houdini;
mod model;
mod passify;
pub mod passive;
mod refute;
mod slice;
mod solve;
mod task;
mod unasked;
mod write_out;

pub use acyclic::{Acyclic, LoopMode, cut_loops};
pub use body::{BlockLabel, Body, Check, Loop, LoopInvariant, MarkId, Stmt, Variable};
pub use conditions::{Conditions, Group, conditions, groups};
pub use covers::solve_covers;
pub use dump::{dump_body, dump_graph, dump_smt};
pub use houdini::{Guess, Patience, wrong_guesses};
pub use model::{Failure, PathEvent};
pub use passify::passify;
pub use refute::refute;
pub use slice::slice;
pub use smt::Value;
pub use solve::{Outcome, Question, solve_group};
pub use task::{Candidate, Gap, Mark, MarkKind, Marks, Obligations, Task};
pub use unasked::no_path;
pub use write_out::{WrittenOut, write_out};
