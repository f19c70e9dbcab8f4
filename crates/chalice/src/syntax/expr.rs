//! Expressions, assertions and permission amounts: one tree, because only types tell them apart.

use super::{Ident, Mode, Target, Type};
use source::{Name, Span};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where it stands, with its parentheses.
    pub span: Span,
}

/// Which expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `17`
    Int(i128),
    /// `true`
    Bool(bool),
    /// `null`
    Null,
    /// `"text"`
    Str(Name),
    /// `this`
    This,
    /// `result`
    Result,
    /// `waitlevel`
    Waitlevel,
    /// `lockbottom`
    Lockbottom,
    /// A variable or, if there is none, a member of `this`.
    Name(Name),
    /// `e.f`
    Field(Box<Expr>, Ident),
    /// `e.f(..)`, `f(..)`
    Apply(Box<Target>),
    /// `e.*`
    AllFields(Box<Expr>),
    /// `e[*]`
    AllElements(Box<Expr>),
    /// `e.~(C.f)`
    BackPointers(Option<Box<Expr>>, Ident, Ident),
    /// `_`
    Any,
    /// `!e`
    Not(Box<Expr>),
    /// `-e`
    Neg(Box<Expr>),
    /// `a && b && ..`
    And(Vec<Expr>),
    /// `a || b || ..`
    Or(Vec<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`, `ite(c, a, b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `s[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `s[i..j]`
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `[a..b]`
    Range(Box<Expr>, Box<Expr>),
    /// `[a, b, ..]`
    Seq(Vec<Expr>),
    /// `nil<T>`
    Nil(Type),
    /// `{a, b, ..}`
    Set(Vec<Expr>),
    /// `empty<T>`
    EmptySet(Type),
    /// `|e|`
    Length(Box<Expr>),
    /// `old(e)`
    Old(Box<Expr>),
    /// `assigned(x)`
    Assigned(Ident),
    /// `holds(e)`
    Holds(Mode, Box<Expr>),
    /// `credit(ch, n)`
    Credit(Box<Expr>, Option<Box<Expr>>),
    /// `unfolding e.P in e`
    Unfolding(Box<Expr>, Box<Expr>),
    /// `eval(state, e)`
    Eval(Box<State>, Box<Expr>),
    /// `forall x in s :: e`
    Quantified(Quantifier, Vec<Ident>, Box<Domain>, Box<Expr>),
    /// `acc(loc, amount)`
    Acc(Box<Expr>, Option<Box<Expr>>),
    /// `rd(loc, count)`, or an amount `rd(e)`.
    Rd(Box<Expr>, Option<Box<Expr>>),
    /// `rd*(loc)`
    RdStar(Box<Expr>),
    /// The amount `rd`.
    RdAmount,
    /// Reported already.
    Error,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `<<`
    LockBelow,
    /// `in`
    In,
    /// `!in`
    NotIn,
    /// `++`
    Append,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
}

impl BinaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Iff => "<==>",
            Self::Implies => "==>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::LockBelow => "<<",
            Self::In => "in",
            Self::NotIn => "!in",
            Self::Append => "++",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
        }
    }
}

/// Which quantifier or aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
    /// `max`
    Max,
}

/// The range of a quantified variable.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `x in s`
    In(Expr),
    /// `x: T`
    Type(Type),
    /// `x: s` with a set
    Set(Expr),
}

/// A state in which an expression is evaluated.
#[derive(Clone, Debug)]
pub struct State {
    /// The object or token.
    pub base: Expr,
    /// Which state of it.
    pub kind: StateKind,
}

/// Which state.
#[derive(Clone, Debug)]
pub enum StateKind {
    /// `e.acquire`
    Acquire,
    /// `e.release`
    Release,
    /// `tk.fork e.m(..)`
    Fork(Target),
}

impl Expr {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Str(_)
            | ExprKind::This
            | ExprKind::Result
            | ExprKind::Waitlevel
            | ExprKind::Lockbottom
            | ExprKind::Name(_)
            | ExprKind::Any
            | ExprKind::Nil(_)
            | ExprKind::EmptySet(_)
            | ExprKind::Assigned(_)
            | ExprKind::RdAmount
            | ExprKind::Error => Vec::new(),
            ExprKind::Field(e, _)
            | ExprKind::AllFields(e)
            | ExprKind::AllElements(e)
            | ExprKind::Not(e)
            | ExprKind::Neg(e)
            | ExprKind::Length(e)
            | ExprKind::Old(e)
            | ExprKind::Holds(_, e)
            | ExprKind::RdStar(e) => vec![e],
            ExprKind::BackPointers(e, ..) => e.as_deref().into_iter().collect(),
            ExprKind::Apply(target) => target.receiver.iter().chain(&target.args).collect(),
            ExprKind::And(parts)
            | ExprKind::Or(parts)
            | ExprKind::Seq(parts)
            | ExprKind::Set(parts) => parts.iter().collect(),
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Unfolding(a, b) => vec![a, b],
            ExprKind::Conditional(a, b, c) => vec![a, b, c],
            ExprKind::Slice(a, b, c) => {
                [Some(a), b.as_ref(), c.as_ref()].into_iter().flatten().map(|e| &**e).collect()
            }
            ExprKind::Credit(a, b) | ExprKind::Acc(a, b) | ExprKind::Rd(a, b) => {
                [Some(a), b.as_ref()].into_iter().flatten().map(|e| &**e).collect()
            }
            ExprKind::Eval(state, body) => {
                let target = match &state.kind {
                    StateKind::Fork(target) => Some(target),
                    StateKind::Acquire | StateKind::Release => None,
                };
                let inside = target.iter().flat_map(|t| t.receiver.iter().chain(&t.args));
                std::iter::once(&state.base).chain(inside).chain([&**body]).collect()
            }
            ExprKind::Quantified(_, _, domain, body) => match &**domain {
                Domain::In(e) | Domain::Set(e) => vec![e, body],
                Domain::Type(_) => vec![body],
            },
        }
    }
}
