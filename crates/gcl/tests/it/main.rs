//! Guarded commands from outside: each pass on its own, then all of them with the real solver.

#![expect(clippy::needless_raw_string_hashes, reason = "`UPDATE_EXPECT=1` writes them")]

mod brute_force;
mod covers;
mod cut_loops;
mod differential;
mod formulas;
mod passify;
mod program;
mod solver;
mod solving;
