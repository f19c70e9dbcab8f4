//! What annotations say about classes, fields and methods, typed.

use super::{Expr, FieldId, MethodId, Place, Ty};
use crate::tree::Guard;
use source::{Name, Span};
use std::collections::BTreeSet;

/// A formula with the place of the whole annotation.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) expr: Expr,
    pub(crate) span: Span,
}

/// About a class. `this` stands for every object of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassSpec {
    /// `env_assumption`: two stores.
    pub(crate) env_assumptions: Vec<Formula>,
    /// `global_invariant`: one store.
    pub(crate) invariants: Vec<Formula>,
    pub(crate) axioms: Vec<Formula>,
}

/// About a field. `this` stands for every object of the class.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldSpec {
    /// `unwritable_by_env_if`
    pub(crate) unwritable: Vec<Formula>,
    /// `elems_unwritable_by_env_if[i]`; `i` is the bound variable.
    pub(crate) elements_unwritable: Vec<(super::BoundId, Formula)>,
    pub(crate) guards: Vec<Guarding>,
    pub(crate) is_non_null: bool,
}

/// `@GuardedBy` and the like.
#[derive(Clone, Debug)]
pub(crate) struct Guarding {
    /// The objects whose monitors are meant. `itself` is the field's own value.
    pub(crate) locks: Vec<Expr>,
    pub(crate) kind: Guard,
    pub(crate) span: Span,
}

/// About a method.
#[derive(Clone, Debug, Default)]
pub(crate) struct MethodSpec {
    pub(crate) requires: Vec<Formula>,
    /// `None` if nothing is said, so that a call stands for its body.
    pub(crate) modifies: Option<Vec<Place>>,
    /// What steps may change besides, of any object; found, not written.
    pub(crate) summary: Option<Summary>,
    /// `modifies o.holder`: monitors that the method gives up for a while, as `wait` does.
    pub(crate) gives_up: Vec<Formula>,
    pub(crate) actions: Vec<Acts>,
    /// `\result`, `\old`.
    pub(crate) ensures: Vec<Formula>,
    /// `exsures`: holds if an exception ends the method; `\result` is the exception.
    pub(crate) exsures: Vec<Formula>,
    /// Parameters that are not null, by position.
    pub(crate) non_null_params: Vec<usize>,
    pub(crate) is_non_null: bool,
    /// The overridden method whose steps are written for this one too.
    pub(crate) inherits: Option<MethodId>,
    pub(crate) is_helper: bool,
    pub(crate) is_pure: bool,
}

/// What the code of a method writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) fields: BTreeSet<FieldId>,
    /// Types of elements of arrays.
    pub(crate) elements: BTreeSet<Ty>,
    /// Elements of arrays of any type.
    pub(crate) all_elements: bool,
    /// Whether monitors are given up for a while.
    pub(crate) gives_up: bool,
}

/// Visible steps.
#[derive(Clone, Debug)]
pub(crate) enum Acts {
    One(Act),
    Sequence(Vec<Acts>),
    Choice(Vec<Acts>),
}

/// One visible step.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub(crate) name: Option<Name>,
    pub(crate) modifies: Vec<Place>,
    pub(crate) ensures: Option<Formula>,
}
