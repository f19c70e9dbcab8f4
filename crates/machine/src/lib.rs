//! What Plato programs do: the small-step semantics of the language, written once, as the reference
//! for every engine.
//!
//! An interpreter reads the meaning of one step off [`plato::hir`] and plain [`Value`]s; it shares
//! no code with the verifier. A [`Machine`] tabulates its answers: shared stores, frames and stacks
//! are numbered as they are met, and the steps of a thread at a store and a frame are computed
//! once. So the interpreter stays plain and searches are fast. This crate knows no solver, and
//! relies and specifications of procedures only as something that a run may be compared
//! with ([`Settings::annotations`], [`Settings::specifications`]).
//!
//! [`check`] visits every interleaving of a world: a program with a number of copies of each thread
//! ([`worlds`]).
//!
//! ```
//! let text = "var x: int = 0; thread T { x := x + 1; assert x == 1; } thread U { x := 5; }";
//! let mut sources = source::SourceMap::default();
//! let file = sources.add("two.plato", text);
//! let program = plato::resolve(&plato::parse(file, text).0, &[]).program;
//!
//! let world = machine::worlds(&program, &machine::Sizes::default()).remove(0);
//! let checked = machine::check(world, &machine::Request::default());
//! let violation = &checked.violations[0];
//! assert_eq!(violation.fault.code.as_str(), "assertion-failed");
//! assert_eq!(violation.trace.steps.len(), 3);
//! ```

mod access;
mod action;
mod certify;
mod check;
mod content;
mod covers;
mod cutoff;
mod entries;
mod eval;
mod footprint;
mod found;
mod goals;
mod graph;
mod initial;
mod model;
mod order;
mod place;
mod promela;
mod properties;
mod rungs;
mod samples;
mod scope;
mod show;
mod standing;
mod step;
mod symbolic;
mod symmetry;
mod tables;
mod trace;
mod value;
mod verify;
mod watch;

pub use certify::{Certified, Refused, certify, recheck};
pub use check::{Request, Violation, check};
pub use covers::{Strategy, uncovered};
pub use cutoff::{copies, infinite, is_recursive};
pub use entries::Entries;
pub use found::Verified;
pub use goals::{Goal, Goals, goals};
pub use graph::{Branch, Graph, Node, Owner, Pc, compile};
pub use initial::has_no_start;
pub use promela::promela;
pub use properties::Fault;
pub use samples::{Samples, samples};
pub use scope::{Scope, Sizes, crowd, worlds};
pub use standing::{UnreachableLabel, unreachable_labels};
pub use symbolic::{Symbolic, symbolic};
pub use tables::{Machine, Settings};
pub use value::Value;
pub use verify::verify;
