//! Expressions of the typed program.

use super::{BoundId, ConstId, EnumId, LabelId, PredId, Root, ThreadId, Ty};
use source::Span;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type. Arithmetic has type `Int`; variables have their declared type.
    pub ty: Ty,
    /// Its text.
    pub span: Span,
}

/// The expressions directly below one of some kind: by reference, or to be changed.
macro_rules! children {
    ($kind:expr, $one:ident, $all:ident) => {
        match $kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Var { .. }
            | ExprKind::Const(_)
            | ExprKind::Bound(_)
            | ExprKind::Tid
            | ExprKind::Nobody
            | ExprKind::Thread(_)
            | ExprKind::Variant(..) => Vec::new(),
            ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::Size(a)
            | ExprKind::ConstMap(a)
            | ExprKind::At(a, _)
            | ExprKind::Quantified(_, _, a) => vec![a.$one()],
            ExprKind::And(all)
            | ExprKind::Or(all)
            | ExprKind::Set(all)
            | ExprKind::Pred { args: all, .. } => all.$all().collect(),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::In(a, b) => {
                vec![a.$one(), b.$one()]
            }
            ExprKind::Conditional(a, b, c) | ExprKind::Update(a, b, c) => {
                vec![a.$one(), b.$one(), c.$one()]
            }
        }
    };
}

impl Expr {
    /// The expressions directly below.
    pub fn children(&self) -> Vec<&Self> {
        children!(&self.kind, as_ref, iter)
    }

    /// The expressions directly below, to be changed.
    pub(crate) fn children_mut(&mut self) -> Vec<&mut Self> {
        children!(&mut self.kind, as_mut, iter_mut)
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A variable, in the post-store if `primed`.
    Var {
        /// The variable.
        root: Root,
        /// Whether it has a prime.
        primed: bool,
    },
    /// A named constant.
    Const(ConstId),
    /// A quantified variable or a parameter of a predicate.
    Bound(BoundId),
    /// The running thread.
    Tid,
    /// `0` of type `Tid`.
    Nobody,
    /// A single thread (`Tid`) or a family (`set<Tid>`).
    Thread(ThreadId),
    /// A variant of an enumeration.
    Variant(EnumId, u32),
    /// Negation of a truth value.
    Not(Box<Expr>),
    /// Negation of a number.
    Neg(Box<Expr>),
    /// All of them; two or more.
    And(Vec<Expr>),
    /// One of them; two or more.
    Or(Vec<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `m[k]`.
    Index(Box<Expr>, Box<Expr>),
    /// `m[k := v]`.
    Update(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `[_ => v]`: the map that is `v` everywhere.
    ConstMap(Box<Expr>),
    /// `{a, b}`; may be empty.
    Set(Vec<Expr>),
    /// `#s`: how many elements a set has.
    Size(Box<Expr>),
    /// `a in s`.
    In(Box<Expr>, Box<Expr>),
    /// `forall` or `exists`.
    Quantified(Quantifier, Vec<BoundId>, Box<Expr>),
    /// An instance of a predicate or function; with `primed`, of the post-store (one-store
    /// predicates only).
    Pred {
        /// Which.
        pred: PredId,
        /// Its arguments.
        args: Vec<Expr>,
        /// Whether the predicate's name has a prime.
        primed: bool,
    },
    /// Whether this thread's next step is at one of these labels. In a resolved program it stands
    /// in `never` only.
    At(Box<Expr>, Vec<LabelId>),
}

/// A quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// All values.
    Forall,
    /// Some value.
    Exists,
}

/// An operator with two operands. Division and remainder are Euclidean, as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+` of numbers.
    Add,
    /// `-` of numbers.
    Sub,
    /// `*` of numbers.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Mod,
    /// `==` of any type.
    Eq,
    /// `!=` of any type.
    Ne,
    /// `<`.
    Lt,
    /// `<=` of numbers.
    Le,
    /// `>`.
    Gt,
    /// `>=` of numbers.
    Ge,
    /// `==>`.
    Implies,
    /// `<==>`.
    Iff,
    /// `+` of sets.
    Union,
    /// `-` of sets.
    Difference,
    /// `*` of sets.
    Intersection,
    /// `<=` of sets; `>=` has its operands swapped.
    Subset,
}
