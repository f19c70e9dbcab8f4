//! The Plato language (papers 1 and 2): text to syntax tree to typed program, and back to text.

pub mod hir;
