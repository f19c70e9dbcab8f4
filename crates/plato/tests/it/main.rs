//! Tests of the crate from outside, as one binary.

#![expect(clippy::too_many_lines, reason = "expected texts are long")]
#![expect(clippy::needless_raw_string_hashes, reason = "`UPDATE_EXPECT=1` writes them")]

mod deep;
mod fuzz;
mod lexical;
mod outline;
mod programs;
mod resolve_exprs;
mod resolve_names;
mod resolve_stmts;
mod resolve_types;
mod round_trip;
mod show;
mod support;
mod syntax_errors;
