//! Expressions, assertions and amounts of permission.

use super::{ClassId, FunctionId, Loc, LocalId, MethodId, PredicateId, Type};
use source::Span;

/// An expression without permissions.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A text.
    Str(String),
    /// `null`.
    Null,
    /// The receiver.
    This,
    /// The value of the function, in its postcondition.
    Result,
    /// A parameter, local or bound variable.
    Local(LocalId),
    /// A location read.
    Read(Box<Expr>, Loc),
    /// `lockbottom`.
    LockBottom,
    /// `waitlevel`; only as an operand of `==`, `!=` or [`BinaryOp::Below`], where it may stand
    /// inside [`Self::Old`].
    WaitLevel,
    /// Negation.
    Not(Box<Expr>),
    /// Minus.
    Neg(Box<Expr>),
    /// Two operands. Of `&&`, `||`, `==>` the right one is evaluated only if it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function applied; no receiver if it is static.
    Call(FunctionId, Option<Box<Expr>>, Vec<Expr>),
    /// `old(e)`.
    Old(Box<Expr>),
    /// `assigned(x)`.
    Assigned(LocalId),
    /// `holds(e)`.
    Holds(Box<Expr>),
    /// `rd holds(e)`.
    RdHolds(Box<Expr>),
    /// `unfolding acc(e.P(args), amount) in e`.
    Unfolding(Box<PredicateAccess>, Box<Expr>),
    /// `eval(state, e)`.
    Eval(Box<EvalState>, Box<Expr>),
    /// A quantified formula over the elements of a sequence, or over a type.
    Quantified(Box<Quantified<Expr>>),
    /// `[a, b, ..]`; `nil<T>` is the empty one.
    SeqLiteral(Vec<Expr>),
    /// `[a..b]`: the integers from `a` up to but not `b`.
    SeqRange(Box<Expr>, Box<Expr>),
    /// `|s|`.
    SeqLength(Box<Expr>),
    /// `s[i]`.
    SeqAt(Box<Expr>, Box<Expr>),
    /// `s[i..]`: without the first `i`.
    SeqDrop(Box<Expr>, Box<Expr>),
    /// `s[..j]`: the first `j`.
    SeqTake(Box<Expr>, Box<Expr>),
    /// Read but not verified; the text names it.
    Unsupported(String),
}

/// Operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `<==>`.
    Iff,
    /// `==>`.
    Implies,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `==`, of any type.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `<<`: below in the locking order. Operands of reference type stand for their `mu`; the
    /// encoder reads it.
    Below,
    /// Element of a sequence. `!in` is its negation.
    In,
    /// `++`.
    Append,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Mod,
}

/// `(forall|exists) x, y in s :: body`, `(forall|exists) x, y: T :: body`.
#[derive(Clone, Debug)]
pub struct Quantified<T> {
    /// Whether all or some.
    pub forall: bool,
    /// The bound variables.
    pub binders: Vec<LocalId>,
    /// The sequence they range over; without, the whole type.
    pub range: Option<Expr>,
    /// The body.
    pub body: T,
}

/// A state that `eval` looks back at.
#[derive(Clone, Debug)]
pub enum EvalState {
    /// `e.acquire`: when the monitor was last acquired.
    Acquire(Expr),
    /// `e.release`: when the monitor was last released.
    Release(Expr),
    /// `tk.fork o.m(args)`: when the token's call was forked; says that the call was this one.
    /// `None` is `_`.
    Fork {
        /// The token.
        token: Expr,
        /// The receiver of the call.
        receiver: Expr,
        /// The method.
        method: MethodId,
        /// The arguments.
        args: Vec<Option<Expr>>,
    },
}

/// A formula with permissions.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What it is.
    pub kind: AssertionKind,
    /// Its place.
    pub span: Span,
}

/// What a formula with permissions is.
#[derive(Clone, Debug)]
pub enum AssertionKind {
    /// A formula without permissions, of type `bool`.
    Pure(Expr),
    /// All of these, in order.
    And(Vec<Assertion>),
    /// `condition ==> assertion`.
    Implies(Expr, Box<Assertion>),
    /// `condition ? assertion : assertion`.
    Ite(Expr, Box<Assertion>, Box<Assertion>),
    /// Permission to locations.
    Access(Target, Amount),
    /// Permission to a predicate.
    Predicate(PredicateAccess),
    /// `credit(ch, n)`; without a number, one.
    Credit(Expr, Option<Expr>),
    /// `forall x in s :: assertion`.
    Forall(Box<Quantified<Assertion>>),
    /// Read but not verified; the text names it.
    Unsupported(String),
}

/// The target of a permission.
#[derive(Clone, Debug)]
pub enum Target {
    /// `e.f`.
    One(Expr, Loc),
    /// `e.*`: all fields of the class, built-in ones excluded.
    All(Expr, ClassId),
    /// `s[*].f`: of every element of a sequence.
    Each(Expr, Loc),
    /// `s[*].*`.
    EachAll(Expr, ClassId),
}

/// Permission to a predicate.
#[derive(Clone, Debug)]
pub struct PredicateAccess {
    /// Its receiver.
    pub receiver: Expr,
    /// Which.
    pub predicate: PredicateId,
    /// Its arguments.
    pub args: Vec<Expr>,
    /// How much.
    pub amount: Amount,
    /// The place.
    pub span: Span,
}

/// How much permission.
#[derive(Clone, Debug)]
pub struct Amount {
    /// What it is.
    pub kind: AmountKind,
    /// Its place, or that of the `acc` or `rd` around it.
    pub span: Span,
}

/// How much permission.
#[derive(Clone, Debug)]
pub enum AmountKind {
    /// All of it.
    Full,
    /// So many hundredths.
    Percent(Expr),
    /// `rd`: an unknown part, the same throughout the contract.
    Read,
    /// `rd(e)` as an amount: the part that `rd` meant for the token's call, or in the invariant of
    /// the monitor or in the `where` of the channel, whichever type `e` has.
    ReadOf(Expr),
    /// `rd(P)` as an amount: the part that `rd` means in predicates.
    PredicateRead,
    /// `rd(x, n)` and `rd(n)` with a number: this number of infinitesimals.
    Epsilons(Expr),
    /// `rd*`: some, of unknown amount.
    Star,
    /// Sum.
    Add(Box<Amount>, Box<Amount>),
    /// Difference.
    Sub(Box<Amount>, Box<Amount>),
    /// So many times.
    Times(Expr, Box<Amount>),
}
