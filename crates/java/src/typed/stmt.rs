//! Typed statements.

use super::{ClassId, Expr, Formula, LocalId, MethodId, Place, Ty};
use source::{Name, Span};

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    /// All of it; for those with blocks, up to the first block.
    pub(crate) span: Span,
}

/// Names a statement that `break` or `continue` leaves; different for every one of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Label(pub(crate) u32);

/// What is written about a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopSpec {
    pub(crate) invariants: Vec<Formula>,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Block(Vec<Stmt>),
    /// A declaration: `local = value`, or no value yet.
    Local(LocalId, Option<Expr>),
    Expr(Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `while (cond) { body; update }`, where `continue` goes to the update. For `do`, the
    /// condition is not tested at first. `break label` and `continue label` leave it.
    Loop {
        label: Label,
        spec: LoopSpec,
        test_first: bool,
        cond: Option<Expr>,
        body: Vec<Stmt>,
        update: Vec<Expr>,
    },
    /// `for (local : values) body`; `element` is the type of what is iterated over, an array or an
    /// `Iterable`.
    ForEach {
        label: Label,
        spec: LoopSpec,
        local: LocalId,
        values: Expr,
        body: Vec<Stmt>,
    },
    /// `L: { }`, which `break` leaves.
    Labelled(Label, Vec<Stmt>),
    Switch(Label, Box<Switch>),
    Return(Option<Expr>),
    Break(Label),
    Continue(Label),
    /// The value of the switch expression around.
    Yield(Expr),
    Throw(Expr),
    Synchronized(Expr, Vec<Stmt>),
    /// Resources of a `try` are unfolded to `finally` by the resolver.
    Try {
        body: Vec<Stmt>,
        catches: Vec<Catch>,
        finally: Vec<Stmt>,
    },
    /// Java's `assert`.
    Check(Expr),
    /// The constructor that a constructor calls first.
    Construct {
        constructor: MethodId,
        args: Vec<Expr>,
    },
    /// First value of a field of `this` or of a static one.
    Init(Place, Expr),
    /// `//@ assert P`
    Assert(Formula),
    /// `//@ assume P`
    Assume(Formula),
    /// `//@ set place = value`
    Set(Place, Formula),
    /// `//@ set \witness = "name"`: the next step performs that action.
    Witness(Name),
    /// `//@ {{` .. `//@ }}`
    Atomic(Vec<Stmt>),
    Unsupported(String),
}

/// `catch (A | B local) { }`
#[derive(Clone, Debug)]
pub(crate) struct Catch {
    pub(crate) types: Vec<ClassId>,
    /// Whether a type is not known, so that anything may be caught here.
    pub(crate) catches_unknown: bool,
    pub(crate) local: LocalId,
    pub(crate) body: Vec<Stmt>,
    pub(crate) span: Span,
}

/// `switch (value) { cases }`
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Expr,
    pub(crate) cases: Vec<Case>,
    /// Of a switch expression; `Void` otherwise.
    pub(crate) ty: Ty,
    pub(crate) span: Span,
}

impl Switch {
    /// Whether a case is for objects of a class.
    pub(crate) fn has_types(&self) -> bool {
        let mut labels = self.cases.iter().flat_map(|case| &case.labels);
        labels.any(|label| matches!(label, SwitchLabel::Type(..)))
    }
}

/// One case. The value of a rule `-> e` of a switch expression is a `Yield`.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) labels: Vec<SwitchLabel>,
    pub(crate) guard: Option<Expr>,
    pub(crate) body: Vec<Stmt>,
    /// Whether it goes on with the next case if it comes to its end.
    pub(crate) falls_through: bool,
    pub(crate) span: Span,
}

/// What a case is for.
#[derive(Clone, Debug)]
pub(crate) enum SwitchLabel {
    Default,
    /// A number, a string or `null`.
    Value(Expr),
    /// A constant of an enumeration, as `Static`.
    Constant(Expr),
    /// `T x`
    Type(Ty, Option<LocalId>),
    Unsupported(String),
}
