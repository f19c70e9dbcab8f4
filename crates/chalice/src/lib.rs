//! The Chalice language.
mod lexer;
mod parser;
pub mod syntax;
pub use parser::parse;
