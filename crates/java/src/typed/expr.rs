//! Typed expressions, of Java and of annotations.

use super::{BoundId, ClassId, FieldId, LocalId, MethodId, Switch, Ty};
use crate::tree::{BinaryOp, UnaryOp};
use source::{Name, Span};

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
}

/// What an expression is. Operands are evaluated from left to right.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// A whole number, or the number of a character.
    Int(i128),
    /// A number with a fraction, whose value is not looked at.
    Float,
    Bool(bool),
    Text(Name),
    Null,
    Local(LocalId),
    This,
    /// `o.f`
    Field(Box<Expr>, FieldId),
    /// `C.f`
    Static(FieldId),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a.length`
    Length(Box<Expr>),
    Call(Box<Callee>),
    /// `new C(args)`; the constructor is not known of classes of which nothing is known.
    New {
        class: ClassId,
        constructor: Option<MethodId>,
        args: Vec<Expr>,
        /// First values of fields that the resolver made: captured variables, the object around.
        captured: Vec<(FieldId, Expr)>,
    },
    /// `new T[n][m][]`; `ty` is the type of the whole.
    NewArray(Vec<Expr>),
    /// `new T[] {a, b}`
    ArrayOf(Vec<Expr>),
    /// `a.clone()` of an array.
    CloneOf(Box<Expr>),
    /// `place = value`; its value is the new one.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`: reads the place, then writes it. The operands have the type at which the
    /// operator works; the result is cast back.
    AssignOp(Box<Place>, BinaryOp, Ty, Box<Expr>),
    /// `place++` and the like: reads the place, then writes it.
    Step {
        place: Box<Place>,
        by: i8,
        gives_old: bool,
    },
    Unary(UnaryOp, Box<Expr>),
    /// Operands have the type at which the operator works. `+` of strings is `Concat`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a + b` of strings.
    Concat(Vec<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `e instanceof T`; if it holds, the local gets the value.
    InstanceOf(Box<Expr>, Ty, Option<LocalId>),
    /// Between reference types, which may fail; `ty` is what it is cast to.
    Cast(Box<Expr>),
    /// Between primitive types.
    Convert(Box<Expr>),
    /// A primitive value as an object.
    Box(Box<Expr>),
    /// The value in an object; fails for `null`.
    Unbox(Box<Expr>),
    Switch(Box<Switch>),
    /// `C.class`
    ClassObject(Ty),
    /// What the resolver does not handle; the text names it.
    Unsupported(String),

    // In annotations only.
    /// The value in the store before.
    Old(Box<Expr>),
    /// The result of the method.
    Result,
    /// The thread that runs.
    Tid,
    /// The thread that runs `main`.
    MainThread,
    /// `o.holder`: the thread that holds its monitor.
    Holder(Box<Expr>),
    /// `t.start`: whether the thread was started.
    Started(Box<Expr>),
    /// A variable of a quantifier.
    Bound(BoundId),
    Quantified(Box<Quantified>),
    /// `{a, b}`
    SetOf(Vec<Expr>),
    /// `\size(s)`: the number of elements.
    Size(Box<Expr>),
    /// `m[k]` of a ghost.
    MapAt(Box<Expr>, Box<Expr>),
    /// `m[k := v]` of a ghost.
    MapWith(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Something that can be written.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Local(LocalId, Span),
    Field(Expr, FieldId, Span),
    Static(FieldId, Span),
    Index(Expr, Expr, Span),
    /// `m[k]` of a ghost, in `set` only.
    MapAt(Box<Place>, Expr, Span),
}

impl Place {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Local(_, span)
            | Self::Field(_, _, span)
            | Self::Static(_, span)
            | Self::Index(_, _, span)
            | Self::MapAt(_, _, span) => *span,
        }
    }
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    /// `None` for a method of a library type of which nothing is known.
    pub(crate) method: Option<MethodId>,
    pub(crate) name: Name,
    /// Not of static methods.
    pub(crate) receiver: Option<Expr>,
    /// As many as parameters: several arguments for the last one are an `ArrayOf`.
    pub(crate) args: Vec<Expr>,
    /// Whether the class of the receiver decides what runs. Not so for `super.m()`, private and
    /// static methods and constructors.
    pub(crate) is_virtual: bool,
}

/// `\forall T x; range; body`
#[derive(Clone, Debug)]
pub(crate) struct Quantified {
    pub(crate) is_forall: bool,
    pub(crate) vars: Vec<(BoundId, Name, Ty)>,
    pub(crate) range: Option<Expr>,
    pub(crate) body: Expr,
}
