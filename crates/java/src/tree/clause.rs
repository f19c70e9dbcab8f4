//! What annotations in comments say.

use super::{Expr, FieldDecl, Ident, Type};
use source::{Name, Span};

/// One statement of the annotation language.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) kind: ClauseKind,
    /// Keyword and what follows.
    pub(crate) span: Span,
}

/// What a clause says.
#[derive(Clone, Debug)]
pub(crate) enum ClauseKind {
    // About a class.
    /// `env_assumption P`: what others do between steps of a thread.
    EnvAssumption(Expr),
    /// `global_invariant P` and `invariant P`.
    GlobalInvariant(Expr),
    /// `axiom P`
    Axiom(Expr),
    /// `ghost T x`
    Ghost(Box<FieldDecl>),

    // About a field.
    /// `unwritable_by_env_if P`
    Unwritable(Expr),
    /// `elems_unwritable_by_env_if[i] P`
    ElementsUnwritable(Ident, Expr),
    /// `guarded_by e`, `monitored_by e, ..`; `monitored` is by `this`.
    Guarded(Vec<Expr>, Guard),
    /// `non_null`
    NonNull,

    // About a method.
    /// `requires P`
    Requires(Expr),
    /// `modifies x, y`
    Modifies(Vec<Expr>),
    /// `ensures P`
    Ensures(Expr),
    /// `@EnsuresLockHeld`: these locks are held afterwards.
    EnsuresHeld(Vec<Expr>),
    /// `exsures (T e) P`
    Exsures(Type, Option<Ident>, Option<Expr>),
    /// `action name: also_modifies x ensures P`, and `performs ..`
    Action(Acts),
    /// `helper`
    Helper,
    /// `pure`: has no effect that others see.
    Pure,

    // In a body.
    /// `loop_invariant P`
    LoopInvariant(Expr),
    /// `assert P`
    Assert(Expr),
    /// `assume P`
    Assume(Expr),
    /// `set x = e`
    Set(Expr, Expr),
    /// `set \witness = "label"`: the next step performs that action.
    Witness(Name),
    /// `{{`
    AtomicBegin,
    /// `}}`
    AtomicEnd,
    /// `unreachable`
    Unreachable,
    /// `spec_public`, `nowarn` and the like, which change nothing here.
    NoEffect,
    /// Reported already.
    Error,
}

/// How strictly a guard is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Every access needs all of the locks.
    All,
    /// Reads need one of them, writes all.
    OneForReads,
}

/// The visible steps of a method.
#[derive(Clone, Debug)]
pub(crate) enum Acts {
    One(Act),
    /// `A ; B`
    Sequence(Vec<Acts>),
    /// `A [] B`
    Choice(Vec<Acts>),
}

/// One visible step.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub(crate) name: Option<Ident>,
    pub(crate) modifies: Vec<Expr>,
    pub(crate) ensures: Option<Expr>,
}

impl ClauseKind {
    /// Whether it stands in a class, and is about all of it.
    pub(crate) fn is_of_class(&self) -> bool {
        matches!(
            self,
            Self::EnvAssumption(_) | Self::GlobalInvariant(_) | Self::Axiom(_) | Self::Ghost(_)
        )
    }

    /// Whether it is about a variable.
    pub(crate) fn is_of_field(&self) -> bool {
        let is_own = matches!(
            self,
            Self::Unwritable(_) | Self::ElementsUnwritable(..) | Self::Guarded(..) | Self::NonNull
        );
        is_own || self.is_anywhere()
    }

    /// Whether it is about a method.
    pub(crate) fn is_of_method(&self) -> bool {
        let is_own = matches!(
            self,
            Self::Requires(_)
                | Self::Modifies(_)
                | Self::Ensures(_)
                | Self::Exsures(..)
                | Self::EnsuresHeld(_)
                | Self::Action(_)
                | Self::Helper
                | Self::Pure
                | Self::NonNull
                | Self::Guarded(..)
        );
        is_own || self.is_anywhere()
    }

    /// Whether it stands among statements.
    pub(crate) fn is_of_body(&self) -> bool {
        let is_own = matches!(
            self,
            Self::Assert(_)
                | Self::Assume(_)
                | Self::Set(..)
                | Self::Witness(_)
                | Self::AtomicBegin
                | Self::AtomicEnd
                | Self::Unreachable
        );
        is_own || self.is_anywhere()
    }

    /// Whether it means nothing wherever it stands.
    pub(crate) fn is_anywhere(&self) -> bool {
        matches!(self, Self::NoEffect | Self::Error)
    }
}
