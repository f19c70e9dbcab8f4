//! Why an obligation is known to hold. Nobody can say so without a warrant.

/// Why an obligation is known to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Unsat { solver: String },
    Exhausted { states: u64 },
}

/// What evidence says, for those who report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground<'a> {
    /// A solver refuted the negation.
    Unsat {
        /// Name and version of the solver.
        solver: &'a str,
    },
    /// All reachable states were visited.
    Exhausted {
        /// How many there were.
        states: u64,
    },
}

/// The right to make evidence: somebody has just seen that something holds.
///
/// A warrant is handed on by reference, from the one who saw it to the one who knows which
/// obligations it decides.
#[derive(Debug, PartialEq, Eq)]
pub struct Warrant(());

impl Warrant {
    /// Issues a warrant. `cargo xtask tidy` lists the files that may: where a solver answered
    /// `unsat`, where a search came to its end, and where nothing was left to ask.
    pub fn issue() -> Self {
        Self(())
    }
}

impl Evidence {
    /// A solver refuted the negation.
    pub fn unsat(_: &Warrant, solver: impl Into<String>) -> Self {
        Self(Kind::Unsat { solver: solver.into() })
    }

    /// All reachable states were visited.
    pub fn exhausted(_: &Warrant, states: u64) -> Self {
        Self(Kind::Exhausted { states })
    }

    /// What it says.
    pub fn ground(&self) -> Ground<'_> {
        match &self.0 {
            Kind::Unsat { solver } => Ground::Unsat { solver },
            Kind::Exhausted { states } => Ground::Exhausted { states: *states },
        }
    }
}
