//! Tests of the crate from outside, as one binary.

#![expect(clippy::needless_raw_string_hashes, reason = "`UPDATE_EXPECT=1` writes them")]

mod support;

mod deep;
mod fuzz;
mod lowering;
mod programs;
mod rules;
mod syntax_errors;
mod types;
