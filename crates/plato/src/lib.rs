//! The Plato language (papers 1 and 2): text to syntax tree to typed program, and back to text.

pub mod ast;
pub mod hir;
mod lexer;
mod parser;
mod printer;
mod resolve;

pub use parser::parse;
pub use printer::print;
pub use resolve::{Resolved, resolve};
