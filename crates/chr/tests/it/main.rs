//! Tests of the engine: by text, by hand, and against a naive one.

mod bench;
mod faults;
mod known;
mod naive;
mod random;
