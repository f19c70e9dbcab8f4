//! What a run of Rely answers: obligations, verdicts, traces, limits.
//!
//! A [`Verdict`] never lies: `Proved` carries [`Evidence`], `Refuted` carries a [`Trace`], and
//! every other way to stop has a [`StopReason`]. Nobody makes evidence without a [`Warrant`], which
//! is issued where a solver said `unsat`, where a search came to its end, and where nothing was
//! left to ask (`xtask tidy` lists the files).

mod evidence;
mod halt;
mod heap;
mod obligation;
mod sequence;
mod task_name;
mod trace;

pub use evidence::{Evidence, Ground, Warrant};
pub use halt::{Halt, MemoryLimit};
pub use heap::{Cell, Object};
pub use obligation::{Obligation, ObligationId, Relevance};
pub use sequence::{Lifeline, Message, MessageKind, Sequence};
pub use task_name::{TaskKind, TaskName};
pub use trace::{Change, Confirmation, Lane, Step, StepKind, Trace};

use std::fmt;
use std::time::Duration;

/// The answer for one obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The obligation holds for every interleaving.
    Proved(Evidence),
    /// The obligation fails; the trace shows how.
    Refuted(Box<Trace>),
    /// Neither was established.
    Unknown(StopReason),
}

/// Why a verdict is `Unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The solver used up its deterministic resource limit, or a search its number of states.
    ResourceLimit,
    /// The wall-clock backstop struck.
    Timeout,
    /// The solver's memory limit struck.
    MemoryLimit,
    /// The solver gave up and said why.
    SolverGaveUp(String),
    /// The solver died or answered nonsense.
    SolverFailed(String),
    /// Loops were unrolled this many times; nothing is claimed beyond.
    Unrolled(u32),
    /// A construct that no engine handles.
    Unsupported(String),
    /// Something is taken for granted, and the user asked that nothing is.
    Assumed(String),
    /// Something that the engine that was used does not look at; another one may.
    Engine(String),
    /// A defect of Rely itself.
    InternalError(String),
    /// Something goes wrong in an abstraction of the program, and no real run was found that does
    /// the same.
    Unconfirmed(String),
    /// Nothing was written that could show it, and no real run was found that violates it.
    Missing(String),
    /// The user or another limit of the run ended it early.
    Cancelled,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ResourceLimit => f.write_str("the resource limit was reached"),
            Self::Timeout => f.write_str("the time limit was reached"),
            Self::MemoryLimit => f.write_str("the memory limit was reached"),
            Self::SolverGaveUp(why) => write!(f, "the solver gave up: {why}"),
            Self::SolverFailed(why) => write!(f, "the solver failed: {why}"),
            Self::Unrolled(count) => {
                write!(
                    f,
                    "no error within {count} unrollings of each loop; longer runs were not checked"
                )
            }
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::Assumed(what) => write!(f, "taken for granted: {what}"),
            Self::Engine(what) => write!(f, "the engine does not look at {what}"),
            Self::InternalError(what) => write!(f, "internal error: {what}"),
            Self::Unconfirmed(why) => {
                write!(f, "an alarm that may not be real: {why}")
            }
            Self::Missing(what) => {
                write!(f, "{what}, and no real run that violates this was found")
            }
            Self::Cancelled => f.write_str("the run was ended early"),
        }
    }
}

/// How much work one obligation may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The solver's deterministic resource limit per query; 0 means none.
    pub resources: u64,
    /// The wall-clock backstop per query, after which the solver is killed.
    pub wall_clock: Duration,
    /// The solver's memory limit in MiB.
    pub memory_mib: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { resources: 50_000_000, wall_clock: Duration::from_secs(30), memory_mib: 4096 }
    }
}
