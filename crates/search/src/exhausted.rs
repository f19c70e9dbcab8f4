//! Evidence of searches. Nothing else in this crate, and nobody who uses it, issues a warrant.

use crate::report::Report;
use crate::rung::End;
use verdict::{Evidence, Warrant};

/// The evidence for what a search does not violate: there is some if it saw everything.
pub(crate) fn completed(end: &End, states: u64) -> Option<Evidence> {
    match end {
        End::Complete => Some(Evidence::exhausted(&Warrant::issue(), states)),
        End::Cut(_) | End::Enough => None,
    }
}

/// The evidence for what no search of these worlds violates, if they are all worlds of a program
/// and every state of each was visited.
pub fn exhausted<V>(worlds: &[Report<V>]) -> Option<Evidence> {
    let states = worlds.iter().map(|report| report.states).sum();
    let is_complete = worlds.iter().all(|report| report.cut.is_none());
    // A search without a start has seen nothing.
    if is_complete && states > 0 { completed(&End::Complete, states) } else { None }
}
