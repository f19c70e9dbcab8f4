//! The outcome of a search, in words that mean the same everywhere.

use machine::Fault;
use serde::{Deserialize, Serialize};
use source::SourceMap;
use std::collections::BTreeSet;
use std::fmt;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The number of facts in `R`.
    pub facts: u64,
    /// The number of facts in `G`, without steps that leave the shared store as it is.
    pub guarantees: u64,
    /// The possible faults, with their places.
    pub alarms: BTreeSet<String>,
    /// The reasons why the search did not see everything. Nothing is proved unless this is empty.
    pub cuts: BTreeSet<String>,
}

impl Outcome {
    /// Whether nothing can go wrong.
    pub fn is_proof(&self) -> bool {
        self.alarms.is_empty() && self.cuts.is_empty()
    }

    /// Both together.
    pub(crate) fn add(&mut self, other: Self) {
        self.facts += other.facts;
        self.guarantees += other.guarantees;
        self.alarms.extend(other.alarms);
        self.cuts.extend(other.cuts);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "R facts: {}", self.facts)?;
        writeln!(f, "G facts: {}", self.guarantees)?;
        for alarm in &self.alarms {
            writeln!(f, "alarm: {alarm}")?;
        }
        for reason in &self.cuts {
            writeln!(f, "ended early: {reason}")?;
        }
        write!(f, "{}", if self.is_proof() { "nothing goes wrong" } else { "nothing is proved" })
    }
}

/// A fault, with its code and its place.
pub(crate) fn describe(sources: &SourceMap, fault: &Fault) -> String {
    let place = |span| {
        let (line, column) = sources.line_column(span);
        format!("{line}:{column}")
    };
    let declared = fault.declared.map(|span| format!(", declared at {}", place(span)));
    format!("{} at {}{}", fault.code, place(fault.span), declared.unwrap_or_default())
}
