//! Errors of programs on the middleware.

use std::fmt;

/// An error in a program on the middleware. Units and threads are given by their names; a thread
/// has that of its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The design is inconsistent; the text says why.
    Design(String),
    /// A thread has entered this root before.
    Entered(String),
    /// The thread uses a unit that it does not hold.
    Access {
        /// The unit; `None` if a variable refers to nothing.
        unit: Option<String>,
    },
    /// The sync-state machine of a unit does not allow a transition or call here.
    Refused {
        /// The unit.
        unit: String,
        /// Its state.
        state: String,
        /// What was tried.
        tried: String,
    },
    /// The transition would let go of a unit that the thread is inside of. Nothing was changed.
    Released {
        /// The unit.
        unit: String,
    },
    /// Threads wait for each other in a circle, so none of them ever goes on.
    Deadlock {
        /// Each thread with the unit that it waits for and the next thread holds.
        circle: Vec<(String, String)>,
    },
    /// The thread waits for a unit of a thread that has ended.
    Orphaned {
        /// The unit.
        unit: String,
        /// The thread that has ended.
        holder: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Design(why) => write!(f, "the design does not fit together: {why}"),
            Self::Entered(root) => write!(f, "a thread has entered {root} before"),
            Self::Access { unit: Some(unit) } => write!(f, "{unit} is used and not held"),
            Self::Access { unit: None } => f.write_str("a variable that refers to nothing is used"),
            Self::Refused { unit, state, tried } => {
                write!(f, "{unit} in state {state} does not allow {tried}")
            }
            Self::Released { unit } => write!(f, "{unit} would be let go from inside"),
            Self::Deadlock { circle } => {
                f.write_str("deadlock: ")?;
                for (at, (thread, unit)) in circle.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{thread} waits for {unit}")?;
                }
                Ok(())
            }
            Self::Orphaned { unit, holder } => {
                write!(f, "{unit} is held by {holder}, which has ended")
            }
        }
    }
}

impl std::error::Error for Error {}
