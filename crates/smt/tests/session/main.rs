//! Sessions with the real solver and with one that misbehaves.

mod misbehaving;
mod z3;

use smt::{Session, Solver};
use std::time::Duration;
use verdict::Limits;

/// Limits that no healthy query of these tests reaches.
const AMPLE: Limits =
    Limits { resources: 10_000_000, wall_clock: Duration::from_secs(60), memory_mib: 2048 };

fn session(solver: &Solver, limits: Limits) -> Session {
    let mut session = Session::start(solver, limits);
    session.begin();
    session
}
