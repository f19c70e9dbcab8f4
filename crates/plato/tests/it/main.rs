//! Tests of the crate from outside, as one binary.

mod show;
mod support;

mod deep;
mod fuzz;
mod lexical;
mod programs;
mod resolve_exprs;
mod resolve_names;
mod resolve_stmts;
mod resolve_types;
mod round_trip;
mod syntax_errors;
