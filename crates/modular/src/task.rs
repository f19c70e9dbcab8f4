//! A task: one body of guarded commands with its obligations and what is needed to explain a failure.

use crate::layout::{Layout, Roll};
use diagnostic::Code;
use gcl::{Body, MarkId};
use logic::{Symbol, Term, Terms};
use plato::hir::{ThreadId, Ty};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verdict::{Obligation, ObligationId, Relevance, StopReason};

/// One body to be verified by itself.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is about: "thread T1", "init and invariants".
    pub name: String,
    /// The thread's name, if it is about one.
    pub thread: Option<String>,
    /// The store of all terms below.
    pub terms: Terms,
    /// The code.
    pub body: Body,
    /// What is to be shown.
    pub obligations: Vec<Obligation>,
    /// Per obligation the places of its parts.
    pub parts: BTreeMap<ObligationId, Vec<Span>>,
    /// Obligations whose verdict is known to be unknown.
    pub undecided: Vec<(ObligationId, StopReason)>,
    /// If code was left out, why: then nothing here counts as proved.
    pub incomplete: Option<StopReason>,
    /// Guessed loop invariants.
    pub candidates: Vec<Candidate>,
    /// The procedures whose specifications stand for them.
    pub uses: Vec<String>,
    /// The specification that the body is compared with.
    pub specified: Option<crate::Specified>,
    /// What the marks in the code mean.
    pub marks: Vec<Mark>,
    /// Symbols worth showing.
    pub shown: BTreeMap<Symbol, Shown>,
    /// Symbols that have one value throughout and are needed in explanations.
    pub observed: Vec<Symbol>,
    /// How threads are numbered.
    pub numbering: Numbering,
    /// Whether a rely says anything about other threads.
    pub has_rely: bool,
    /// Variables that no other thread writes.
    pub not_written_by_others: BTreeSet<Symbol>,
}

/// A guessed loop invariant.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Its number in the task, the same whatever else is guessed.
    pub number: usize,
    /// The obligations that show it.
    pub shown_by: [ObligationId; 2],
    /// The truth value under which it is used; true unless it has a switch.
    pub switch: Term,
    /// Whether it is rarely needed, so that the task is tried without it first.
    pub spare: bool,
}

/// A point of the code.
#[derive(Clone, Debug)]
pub struct Mark {
    /// What happened just before.
    pub kind: MarkKind,
    /// Where.
    pub span: Option<Span>,
    /// A few words about it; may be empty.
    pub text: String,
}

/// What happened just before a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// The run starts.
    Start,
    /// A statement was executed.
    Statement,
    /// A statement is about to be executed; shown only if the run ends here.
    Attempt,
    /// Other threads took steps.
    Environment,
    /// A loop ran for a while.
    LoopHead,
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

/// The obligations of a task under construction. Copies of the same code share their obligations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Obligations {
    pub(crate) list: Vec<Obligation>,
    pub(crate) parts: BTreeMap<ObligationId, Vec<Span>>,
    by_key: BTreeMap<(Code, Span, Option<Span>), ObligationId>,
}

impl Obligations {
    /// A new obligation, whatever others there are.
    pub(crate) fn fresh(&mut self, new: Obligation, parts: Vec<Span>) -> ObligationId {
        let id = ObligationId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(new);
        self.parts.insert(id, parts);
        id
    }

    /// The obligation of this code at this place about this declaration, made if need be.
    pub(crate) fn id(&mut self, new: Obligation, parts: Vec<Span>) -> ObligationId {
        let key = (new.code, new.span, new.declared);
        if let Some(&id) = self.by_key.get(&key) {
            return id;
        }
        let id = self.fresh(new, parts);
        self.by_key.insert(key, id);
        id
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

/// The marks of a task under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) list: Vec<Mark>,
}

impl Marks {
    /// A new mark.
    pub(crate) fn add(
        &mut self,
        kind: MarkKind,
        span: Option<Span>,
        text: impl Into<String>,
    ) -> MarkId {
        self.list.push(Mark { kind, span, text: text.into() });
        MarkId(u32::try_from(self.list.len() - 1).unwrap_or(u32::MAX))
    }
}
