//! Statements.

use super::{
    Assertion, ChannelId, ClassId, ConditionId, Expr, FieldId, LocalId, MethodId, PredicateAccess,
};
use source::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Checks, changes nothing.
    Assert(Assertion),
    /// Runs that do not satisfy it are not considered. Without permissions.
    Assume(Expr),
    /// A local gets a value. A declaration without one is not a statement: locals start with any
    /// value.
    Assign(LocalId, Rhs),
    /// A local gets any value: a declaration without an initial one.
    Havoc(LocalId),
    /// A field gets a value.
    Write(Expr, FieldId, Rhs),
    /// A call; results go to locals, each at most once.
    Call {
        /// Where results go.
        results: Vec<LocalId>,
        /// The receiver.
        receiver: Expr,
        /// The method.
        method: MethodId,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A call by a new thread.
    Fork {
        /// Where the token goes.
        token: Option<LocalId>,
        /// The receiver.
        receiver: Expr,
        /// The method.
        method: MethodId,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// Waits for the token's thread.
    Join {
        /// Where results go; empty means they are dropped.
        results: Vec<LocalId>,
        /// The token.
        token: Expr,
    },
    /// One of two.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A loop.
    While {
        /// Goes on while this holds.
        condition: Expr,
        /// The invariants, in order.
        invariants: Vec<Assertion>,
        /// Monitors whose being held may change.
        lockchange: Vec<Expr>,
        /// One round.
        body: Vec<Stmt>,
    },
    /// Makes an object a monitor.
    Share(Expr, Bounds),
    /// Makes a held monitor an object of this thread.
    Unshare(Expr),
    /// Moves a held monitor in the locking order.
    Reorder(Expr, Bounds),
    /// Enters the monitor.
    Acquire(Expr),
    /// Leaves the monitor.
    Release(Expr),
    /// Enters as a reader.
    RdAcquire(Expr),
    /// Leaves as a reader.
    RdRelease(Expr),
    /// Becomes a reader.
    Downgrade(Expr),
    /// Gives the object up.
    Free(Expr),
    /// Exchanges the body for the predicate.
    Fold(PredicateAccess),
    /// Exchanges the predicate for the body.
    Unfold(PredicateAccess),
    /// Waits for a condition variable of the object.
    Wait(Expr, ConditionId),
    /// Wakes one thread, or all.
    Signal {
        /// The object.
        receiver: Expr,
        /// The condition variable.
        condition: ConditionId,
        /// Whether all.
        all: bool,
    },
    /// Sends a message.
    Send(Expr, ChannelId, Vec<Expr>),
    /// Receives a message.
    Receive {
        /// Where its parts go.
        results: Vec<LocalId>,
        /// The channel.
        channel: Expr,
        /// Its type.
        of: ChannelId,
    },
    /// `spec x, y [pre, post]`: the variables get values such that `post` holds, if `pre` does.
    /// Without permissions.
    Specify {
        /// The variables.
        vars: Vec<LocalId>,
        /// Must hold before.
        requires: Option<Expr>,
        /// Holds after.
        ensures: Expr,
    },
    /// A block with its own scope.
    Block(Vec<Stmt>),
    /// Read but not verified; the text names it.
    Unsupported(String),
}

/// The right-hand side of an assignment.
#[derive(Clone, Debug)]
pub enum Rhs {
    /// An expression.
    Value(Expr),
    /// A new object; the fields listed get values, the others zero.
    New(ClassId, Vec<(FieldId, Expr)>),
    /// A new channel.
    NewChannel(ChannelId, Bounds),
}

/// A position in the locking order: above all of the first and below all of the second. Each bound
/// is a reference, whose `mu` is meant and which may be null (then it is no bound), or a position,
/// or `waitlevel`.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Above these.
    pub above: Vec<Expr>,
    /// Below these.
    pub below: Vec<Expr>,
}
