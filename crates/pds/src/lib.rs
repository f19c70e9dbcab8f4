//! Concurrent pushdown systems: threads with stacks over one shared state, in the text format of
//! the tool CUBA (`.pds`; Liu, Wahl, "CUBA: Interprocedural Context-UnBounded Analysis of
//! Concurrent Programs", PLDI 2018).
//!
//! [`parse`] reads a text, [`Model`] is its meaning as a model for the strategies of `search`, and
//! [`verify`] runs them, cheap ones first. Stacks may grow without bound. What the format is, and
//! what Rely adds to it, is told in `docs/pds.md`.
//!
//! ```
//! use pds::{parse, verify};
//! use search::{Engine, Found};
//!
//! let text = "
//! 2                      # shared states 0 and 1
//! #@ init: 0|1,5
//! #@ never: 1|2,*
//! PDA 1 2
//! 0 1 -> 0 1 1
//! 0 1 -> 0 2
//! PDA 5 5
//! 0 5 -> 1 -
//! ";
//! let mut sources = source::SourceMap::default();
//! let (system, faults) = parse(sources.add("two.pds", text), text);
//! assert!(faults.is_empty());
//! let verified = verify(&system, Engine::Ladder, &search::Budget::default());
//! let Found::Violated(trace) = &verified.targets[0].1.found else { panic!("not found") };
//! assert_eq!(trace.steps.len(), 2);
//! ```

mod model;
mod parser;
mod system;
mod trace;
mod verify;

pub use model::Model;
pub use parser::parse;
pub use system::{Configuration, Rule, State, Symbol, System, Target, Thread, Top};
pub use verify::{Verified, verify};
