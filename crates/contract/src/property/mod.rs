//! Promises of a design beyond the absence of deadlock. Each kind of promise is a module of its
//! own; a new one is a variant of [`Claim`] and a file here.
//!
//! - `never`: a combination of states is not reachable (`facts.rs`).
//! - `always`: a formula holds in every reachable state (`facts.rs`).
//! - `no interference`: no two threads are inside the same unit (`interference.rs`).
//! - `no starvation of`: no thread waits for ever while everybody gets their turn
//!   (`starvation.rs`).

mod facts;
mod interference;
mod scope;
pub(crate) mod starvation;

pub use facts::Fact;
pub(crate) use scope::Scope;

use crate::design::ThreadId;
use crate::state::State;
use crate::syntax::Formula;
use crate::system::{Policy, System};
use diagnostic::Code;
use source::{Name, Span};

/// A promise with its name.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it is called.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// What it says.
    pub claim: Claim,
}

/// What is promised.
#[derive(Clone, Debug)]
pub enum Claim {
    /// No reachable state satisfies it.
    Never(Formula<Fact>),
    /// Every reachable state satisfies it.
    Always(Formula<Fact>),
    /// No two threads are inside the same unit.
    NoInterference,
    /// None of these threads waits for ever while everybody gets their turn.
    NoStarvation(Vec<ThreadId>),
}

impl Property {
    /// Whether a state breaks the promise. Promises about whole runs are never broken by a state.
    pub(crate) fn is_broken(&self, system: &System, policy: Policy, state: &State) -> bool {
        match &self.claim {
            Claim::Never(formula) => facts::holds(formula, system, policy, state),
            Claim::Always(formula) => !facts::holds(formula, system, policy, state),
            Claim::NoInterference => interference::has_two_inside(system, state),
            Claim::NoStarvation(_) => false,
        }
    }

    /// The code under which a broken promise is reported.
    pub fn code(&self) -> Code {
        match self.claim {
            Claim::Never(_) => Code::NeverReached,
            Claim::Always(_) | Claim::NoInterference => Code::InvariantBroken,
            Claim::NoStarvation(_) => Code::Starvation,
        }
    }

    /// Whether it can tell threads apart, so that they are not interchangeable.
    pub(crate) fn tells_threads_apart(&self) -> bool {
        !matches!(self.claim, Claim::NoInterference)
    }
}
