//! The Chalice language (paper 3): text to syntax tree to typed program.
//!
//! Two passes, each a function: [`parse`] gives the tree of any text, however broken, and reports
//! the errors; [`check()`] gives every name its meaning and every expression its type, and tells
//! permissions from truth values. Neither panics, and neither overflows the stack: nesting beyond a
//! limit is refused.
//!
//! ```
//! let text = "
//!     class Counter {
//!         var n: int;
//!         invariant acc(n) && 0 <= n
//!         method Increment()
//!             requires acc(n) && acc(mu)
//!             ensures acc(n) && n == old(n) + 1
//!         {
//!             n := n + 1
//!         }
//!     }
//! ";
//! let mut sources = source::SourceMap::default();
//! let file = sources.add("counter.chalice", text);
//!
//! let (tree, faults) = chalice::parse(file, text);
//! assert!(faults.is_empty());
//! let (program, faults) = chalice::check(&tree);
//! assert!(faults.is_empty());
//! assert_eq!(program.methods[0].name.as_str(), "Increment");
//! assert_eq!(program.classes[0].invariants.len(), 1);
//! ```
//!
//! Constructs that are read but cannot be verified yet, such as sets, are `Unsupported` at their
//! place in [`hir::Program`], so that only the method that uses them is not decided.

mod check;
mod encode;
mod explain;
pub mod guess;
pub mod hir;
mod lexer;
mod mentions;
mod outline;
mod parser;
mod switches;
pub mod syntax;
mod walk;

pub use check::check;
pub use encode::{Facts, Plan, Shown, Task, facts, name_of, plans, statement_count};
pub use explain::{amounts, holds_nameless, trace};
pub use outline::outline;
pub use parser::parse;
pub use switches::switches;
pub use walk::Walk;
