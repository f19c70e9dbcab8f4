//! A task: one body with its obligations, whatever language it comes from.

use crate::{Body, MarkId};
use diagnostic::Code;
use logic::{Symbol, Term, Terms};
use source::Span;
use std::collections::BTreeMap;
use verdict::{Obligation, ObligationId, StopReason, TaskName};

/// One body to be verified by itself. What is needed to explain a failure in the words of its
/// language stays with the language.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is about.
    pub name: TaskName,
    /// The store of all terms below.
    pub terms: Terms,
    /// The code.
    pub body: Body,
    /// What is to be shown.
    pub obligations: Vec<Obligation>,
    /// Per obligation the places of its parts.
    pub parts: BTreeMap<ObligationId, Vec<Span>>,
    /// Obligations that nobody decides, each with the reason.
    pub undecided: Vec<(ObligationId, StopReason)>,
    /// What the body lacks.
    pub gap: Option<Gap>,
    /// Guessed loop invariants.
    pub candidates: Vec<Candidate>,
    /// What the marks in the code mean.
    pub marks: Vec<Mark>,
    /// Symbols that have one value throughout and are needed in explanations.
    pub observed: Vec<Symbol>,
    /// Whether runs are looked at from the start: what happens shortly before a site rarely
    /// justifies it.
    pub whole: bool,
}

/// What a body lacks: then nothing about it counts as proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Code was left out. What fails before it, fails.
    LeftOut(StopReason),
    /// Something that is not supported has any value: that something fails then says as little as
    /// that it holds.
    AnyValue(StopReason),
}

impl Gap {
    /// Why.
    pub fn reason(&self) -> &StopReason {
        match self {
            Self::LeftOut(reason) | Self::AnyValue(reason) => reason,
        }
    }
}

/// A guessed loop invariant.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its number in the task, the same whatever else is guessed.
    pub number: usize,
    /// The obligations that show it.
    pub shown_by: [ObligationId; 2],
    /// The truth value under which it is used; true unless it has a switch.
    pub switch: Term,
    /// Whether it is rarely needed, so that the task is tried without it first.
    pub spare: bool,
    /// What it says, if it is one that a user could have written.
    pub words: Option<String>,
}

/// A point of the code.
#[derive(Clone, Debug)]
pub struct Mark {
    /// What happens there.
    pub kind: MarkKind,
    /// Where.
    pub span: Option<Span>,
    /// A few words about it; may be empty.
    pub text: String,
}

/// What happens at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// The run starts.
    Start,
    /// A statement is about to be executed.
    Attempt,
    /// A statement was executed.
    Statement,
    /// Other threads took steps.
    Environment,
    /// A loop ran for a while.
    LoopHead,
    /// Permissions are about to be given away one by one.
    Giving,
    /// They were given away.
    Given,
    /// A procedure is entered whose body stands for the call.
    Enter,
    /// It is left.
    Leave,
}

/// The marks of a task under construction.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// All of them, by number.
    pub list: Vec<Mark>,
}

impl Marks {
    /// A new mark.
    pub fn add(&mut self, kind: MarkKind, span: Option<Span>, text: impl Into<String>) -> MarkId {
        let id = MarkId::from_index(self.list.len());
        self.list.push(Mark { kind, span, text: text.into() });
        id
    }
}

/// The obligations of a task under construction. Copies of the same code share their obligations.
#[derive(Clone, Debug, Default)]
pub struct Obligations {
    /// All of them, by number.
    pub list: Vec<Obligation>,
    /// Per obligation the places of its parts.
    pub parts: BTreeMap<ObligationId, Vec<Span>>,
    by_key: BTreeMap<Key, ObligationId>,
}

/// Obligations with the same code, place and declaration are one; where texts tell them apart,
/// with the same text.
type Key = (Code, Span, Option<Span>, Option<String>);

impl Obligations {
    /// A new obligation, whatever others there are.
    pub fn fresh(&mut self, new: Obligation, parts: Vec<Span>) -> ObligationId {
        let id = ObligationId::from_index(self.list.len());
        self.list.push(new);
        self.parts.insert(id, parts);
        id
    }

    /// The obligation of this code at this place about this declaration, made if need be.
    pub fn id(&mut self, new: Obligation, parts: Vec<Span>) -> ObligationId {
        let key = (new.code, new.span, new.declared, None);
        self.by_key(key, new, parts)
    }

    /// The same, where texts tell obligations apart too.
    pub fn id_with_text(&mut self, new: Obligation) -> ObligationId {
        let key = (new.code, new.span, new.declared, Some(new.failed.clone()));
        self.by_key(key, new, Vec::new())
    }

    fn by_key(&mut self, key: Key, new: Obligation, parts: Vec<Span>) -> ObligationId {
        if let Some(&id) = self.by_key.get(&key) {
            return id;
        }
        let id = self.fresh(new, parts);
        self.by_key.insert(key, id);
        id
    }
}
