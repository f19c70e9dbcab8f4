//! Relies, invariants and loop invariants that nobody wrote.
//!
//! [`search`] takes a program whose annotations do not suffice. It makes formulas from the words
//! of the program (its variables, locks, conditions and numbers), drops those that some real run
//! breaks, and asks a [`Prover`] which of the others hold together (Houdini: Flanagan and Leino,
//! FME 2001). If these are enough it looks for a smallest part that is.
//!
//! Nothing here is evidence. What is found is text; whoever asked writes it into the program and
//! verifies that as if a person had written it.
//!
//! This crate knows no solver and no proof rule: the prover takes a program in which each formula
//! stands under an unknown truth value, its switch.

mod candidate;
mod facts;
mod filter;
mod ghosts;
mod horn;
mod hull;
mod invariants;
mod loops;
mod needed;
mod places;
mod relies;
mod search;
mod sketch;
mod specifications;
mod vocabulary;
mod words;

pub use candidate::{Candidate, Place};
pub use horn::{Definition, Term};
pub use search::{Annotation, Found, Prover, Request, Settled, TooLittle, Until, search};
pub use sketch::{Piece, Sketch, Written, switch};
