//! A task: one body of guarded commands with its obligations and what is needed to explain a failure.

use super::sorts::{Place, small};
use crate::hir::Type;
use diagnostic::Code;
use gcl::Body;
use logic::{Symbol, Terms};
use source::Span;
use std::collections::BTreeMap;
use verdict::{Obligation, ObligationId, StopReason};

/// One declaration to be verified by itself.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is about: "method Cell.get".
    pub name: String,
    /// The name of the lane in pictures.
    pub lane: String,
    /// The store of all terms below.
    pub terms: Terms,
    /// The code.
    pub body: Body,
    /// What is to be shown.
    pub obligations: Vec<Obligation>,
    /// Obligations whose verdict is known to be unknown.
    pub undecided: Vec<(ObligationId, StopReason)>,
    /// If something was left out, why: then nothing here counts as proved.
    pub incomplete: Option<StopReason>,
    /// What the marks in the code mean.
    pub marks: Vec<Mark>,
    /// Symbols worth showing.
    pub shown: BTreeMap<Symbol, Shown>,
    /// Those among them that have one value throughout.
    pub constants: Vec<Symbol>,
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
    /// A statement is about to be executed.
    Statement,
    /// A loop ran for a while.
    LoopHead,
    /// Permissions are about to be given away one by one.
    Giving,
    /// They were given away.
    Given,
}

/// How to show a symbol.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A parameter or local.
    Local {
        /// Its name.
        name: String,
        /// Its type.
        ty: Type,
        /// Whether it has a value from the start.
        given: bool,
    },
    /// The values of a place.
    Values {
        /// Its name, without the class.
        name: String,
        /// Its type; snapshots of predicates have none.
        ty: Option<Type>,
    },
    /// The permissions to a place, in hundredths.
    Permissions {
        /// Its name, without the class.
        name: String,
    },
    /// The infinitesimals held of a place.
    Epsilons {
        /// Its name, without the class.
        name: String,
    },
    /// The monitors held.
    Held,
    /// The monitors held for reading.
    RdHeld,
    /// Credits with channels.
    Credits,
    /// How much permission there was at the last check that there is enough, in hundredths.
    Had,
    /// How much was needed there.
    Needed,
    /// `null`.
    Null,
    /// `lockbottom`.
    LockBottom,
}

/// The obligations of a task under construction. Copies of the same code share their obligations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Obligations {
    pub(crate) list: Vec<Obligation>,
    pub(crate) undecided: Vec<(ObligationId, StopReason)>,
    by_key: BTreeMap<(Code, Span, Option<Span>, String), ObligationId>,
}

impl Obligations {
    /// The obligation of this code at this place with this text, made if need be.
    pub(crate) fn id(&mut self, new: Obligation) -> ObligationId {
        let key = (new.code, new.span, new.declared, new.failed.clone());
        if let Some(&id) = self.by_key.get(&key) {
            return id;
        }
        let id = ObligationId(small(self.list.len()));
        self.list.push(new);
        self.by_key.insert(key, id);
        id
    }
}

/// The last part of a place's name.
pub(crate) fn short_name(full: &str, place: Place) -> String {
    match place {
        Place::Loc(_) | Place::Predicate(_) => {
            full.rsplit_once('.').map_or(full, |(_, name)| name).to_owned()
        }
    }
}
