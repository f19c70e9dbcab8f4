//! Solvers as child processes that speak SMT-LIB 2, with limits, restarts and models.
//!
//! The front door is [`Session`]: start one per worker, [`Session::begin`] for each group of
//! queries that share declarations, [`Session::send`] commands, [`Session::check`] as often as
//! needed. The session works on SMT-LIB text and knows neither terms nor programs.
//!
//! The crate promises:
//!
//! - `Unsat` is answered only if the solver said `unsat` and accepted every command before it. One
//!   rejected assertion makes every check until the next [`Session::begin`] an `Unknown`.
//! - A solver that hangs, dies or answers nonsense costs the current query, nothing more: the next
//!   use starts another process and replays all commands.
//! - No process outlives its session, and neither do processes that it started; every dead one is
//!   reaped.
//! - Before the first question of a run the solver is asked one that is satisfiable and one that is
//!   not; a solver that gets them wrong is asked nothing else ([`Health`]). One that hangs twice in
//!   a row is given up.
//!
//! ```no_run
//! use smt::{Answer, Kind, Session, Solver};
//!
//! let solver = Solver { program: "z3".into(), kind: Kind::Z3, version: "5.3.2".into() };
//! let mut session = Session::start(&solver, verdict::Limits::default());
//! session.begin();
//! session.send("(declare-fun x () Int) (assert (> x 2))");
//! assert_eq!(session.check(&[]), Answer::Sat);
//! let values = session.values(&["x".to_owned()]).expect("there is a model");
//! assert_eq!(smt::Value::from_sexp(&values[0]), smt::Value::Int(3));
//! ```

mod answer;
mod health;
mod horn;
mod memory;
mod process;
mod session;
mod sexp;
mod solver;
mod splitter;
mod value;

pub use answer::Answer;
pub use health::Health;
pub use memory::{Memory, key};
pub use session::{Count, Session};
pub use sexp::{Sexp, SexpError};
pub use solver::{Kind, Solver};
pub use value::Value;

use std::io;
use std::path::PathBuf;
use verdict::StopReason;

/// The reason why a solver could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    /// The program could not be started.
    #[error("cannot start the solver {}: {source}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program runs but does not present itself as a solver of the expected kind.
    #[error("{} is not the expected solver: {answer}", program.display())]
    NotASolver {
        /// What was run.
        program: PathBuf,
        /// Its own description.
        answer: String,
    },
    /// The solver refused a command.
    #[error("the solver rejected a command: {0}")]
    Rejected(String),
    /// The solver gave no usable reply.
    #[error("{0}")]
    Stopped(StopReason),
}

impl SmtError {
    /// The reason as part of a verdict.
    pub fn into_stop_reason(self) -> StopReason {
        match self {
            Self::Stopped(reason) => reason,
            Self::Spawn { .. } | Self::NotASolver { .. } | Self::Rejected(_) => {
                StopReason::SolverFailed(self.to_string())
            }
        }
    }
}
