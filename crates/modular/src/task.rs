//! A task of a program in Plato: with what is needed to explain a failure.

use crate::layout::{Layout, Roll};
use diagnostic::Code;
use logic::{Symbol, Term};
use plato::hir::{ThreadId, Ty};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use verdict::{Obligation, Relevance};

/// One body to be verified by itself.
#[derive(Clone, Debug)]
pub struct Task {
    /// What every task has.
    pub common: gcl::Task,
    /// The thread's or procedure's name, if it is about one.
    pub thread: Option<String>,
    /// The procedures whose specifications stand for them.
    pub uses: Vec<String>,
    /// The specification that the body is compared with.
    pub specified: Option<crate::Specified>,
    /// Symbols worth showing.
    pub shown: BTreeMap<Symbol, Shown>,
    /// How threads are numbered.
    pub numbering: Numbering,
    /// Whether a rely says anything about other threads.
    pub has_rely: bool,
    /// Variables that no other thread writes.
    pub not_written_by_others: BTreeSet<Symbol>,
    /// Loop invariants that were guessed and do not hold.
    pub dropped: Vec<Dropped>,
}

/// A loop invariant that was guessed and does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// What it says.
    pub words: String,
    /// The loop.
    pub span: Span,
    /// Whether it fails where the loop is entered, rather than after an iteration.
    pub at_entry: bool,
}

impl Deref for Task {
    type Target = gcl::Task;

    fn deref(&self) -> &gcl::Task {
        &self.common
    }
}

impl DerefMut for Task {
    fn deref_mut(&mut self) -> &mut gcl::Task {
        &mut self.common
    }
}

/// How to show a symbol.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The user's name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Whether it is shared.
    pub shared: bool,
    /// Whether it has a value when the run starts.
    pub from_start: bool,
}

impl Shown {
    /// A variable that all threads see.
    pub(crate) fn shared(name: &str, ty: &Ty) -> Self {
        Self { name: name.to_owned(), ty: ty.clone(), shared: true, from_start: true }
    }
}

/// How threads are numbered in a model.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// The threads, and the numbers of those of known size.
    pub roll: Arc<Roll>,
    /// The first and last number of each thread of unknown size.
    pub symbolic: BTreeMap<ThreadId, (Term, Term)>,
    /// The running thread, and another one whose rely is looked at.
    pub tid: Option<Term>,
    /// The other one.
    pub other: Option<Term>,
}

impl Numbering {
    /// The names of the program's threads with their numbers.
    pub(crate) fn new(layout: &Layout) -> Self {
        let (roll, symbolic) = (layout.roll.clone(), layout.symbolic.clone());
        Self { roll, symbolic, tid: None, other: None }
    }
}

/// A check of the specification itself.
pub(crate) fn hygiene(code: Code, span: Span, failed: impl Into<String>) -> Obligation {
    Obligation { relevance: Relevance::Hygiene, ..Obligation::new(code, span, failed) }
}

/// A step of the proof that the user did not ask for.
pub(crate) fn internal(code: Code, span: Span) -> Obligation {
    Obligation { relevance: Relevance::Internal, ..Obligation::new(code, span, "") }
}
