//! The typed program. True of it: every name is resolved, every expression has a type, permissions occur in
//! [`Assertion`]s only (so that translating an [`Expr`] never meets one), and shorthands are gone: `lock` blocks are
//! acquire and release, a bare predicate is `acc` of it, a bare field is a field of `this`, implicit locals are declared.
//! What Rely knows how to read but not how to verify is `Unsupported` at its place.

use source::{Name, Span};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Program::classes`].
    ClassId,
    /// Index into [`Program::channels`].
    ChannelId,
    /// Index into [`Program::fields`].
    FieldId,
    /// Index into [`Program::methods`].
    MethodId,
    /// Index into [`Program::predicates`].
    PredicateId,
    /// Index into [`Program::functions`].
    FunctionId,
    /// Index into [`Program::conditions`].
    ConditionId,
    /// Index into the locals of the declaration at hand.
    LocalId,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Classes in order.
    pub classes: Vec<Class>,
    /// Channel types in order.
    pub channels: Vec<Channel>,
    /// Fields of all classes.
    pub fields: Vec<Field>,
    /// Methods of all classes.
    pub methods: Vec<Method>,
    /// Predicates of all classes.
    pub predicates: Vec<Predicate>,
    /// Functions of all classes.
    pub functions: Vec<Function>,
    /// Condition variables of all classes.
    pub conditions: Vec<Condition>,
    /// The options of a first line `// chalice-parameter=...`.
    pub parameters: Vec<String>,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// Its fields, without the built-in ones.
    pub fields: Vec<FieldId>,
    /// Its methods.
    pub methods: Vec<MethodId>,
    /// Its predicates.
    pub predicates: Vec<PredicateId>,
    /// Its functions.
    pub functions: Vec<FunctionId>,
    /// Its condition variables.
    pub conditions: Vec<ConditionId>,
    /// The parts of the monitor invariant, over `this` and bound variables; `old` is the state of the last acquire.
    pub invariants: Vec<Assertion>,
    /// Variables bound in the invariants.
    pub locals: Vec<Local>,
    /// A part of the class that cannot be verified, such as a refinement: what, and where.
    pub unsupported: Option<(String, Span)>,
}

/// A channel type.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// What a message carries: the first locals.
    pub params: Vec<LocalId>,
    /// Parameters, then bound variables.
    pub locals: Vec<Local>,
    /// What a message brings; `this` is the channel.
    pub where_clause: Option<Assertion>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// Its class.
    pub class: ClassId,
    /// Its type.
    pub ty: Type,
    /// Whether it is there for specifications only.
    pub ghost: bool,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// Its class.
    pub class: ClassId,
    /// In-parameters.
    pub params: Vec<LocalId>,
    /// Out-parameters.
    pub results: Vec<LocalId>,
    /// Parameters, results, local variables, variables bound in specifications and body.
    pub locals: Vec<Local>,
    /// The contract.
    pub spec: Spec,
    /// The code.
    pub body: Vec<Stmt>,
    /// The place of the closing brace, where the postcondition must hold.
    pub end: Span,
}

/// A contract.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// What the caller gives.
    pub requires: Vec<Assertion>,
    /// What the caller gets; `old` is the state at entry.
    pub ensures: Vec<Assertion>,
    /// Objects whose monitors may be held afterwards and not before, or the other way round.
    pub lockchange: Vec<Expr>,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// Its class.
    pub class: ClassId,
    /// Its parameters.
    pub params: Vec<LocalId>,
    /// Parameters, then bound variables.
    pub locals: Vec<Local>,
    /// What it stands for.
    pub body: Assertion,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// Its class.
    pub class: ClassId,
    /// Whether it has no receiver.
    pub is_static: bool,
    /// Whether its definition may be unfolded without bound.
    pub unlimited: bool,
    /// Its parameters.
    pub params: Vec<LocalId>,
    /// Parameters, then bound variables.
    pub locals: Vec<Local>,
    /// The type of its value.
    pub ty: Type,
    /// What must hold, with permissions.
    pub requires: Vec<Assertion>,
    /// What is true of the value, [`ExprKind::Result`].
    pub ensures: Vec<Expr>,
    /// Its value, if it is defined.
    pub body: Option<Expr>,
}

/// A condition variable.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// Its class.
    pub class: ClassId,
    /// What holds when a waiting thread goes on.
    pub where_clause: Option<Assertion>,
    /// Variables bound in it.
    pub locals: Vec<Local>,
}

/// A parameter, local or bound variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Name,
    /// The place where it is declared, or first assigned if implicit.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// What kind it is.
    pub kind: LocalKind,
}

/// What kind of variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// An in-parameter: never assigned.
    Param,
    /// An out-parameter.
    Result,
    /// An ordinary variable.
    Var,
    /// A constant: assigned at most once; `assigned(x)` asks whether it was.
    Const,
    /// Bound by a quantifier.
    Bound,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// Texts.
    Str,
    /// References to objects of a class, or null.
    Object(ClassId),
    /// References to channels, or null.
    Channel(ChannelId),
    /// References to tokens of forked calls of a method, or null.
    Token(MethodId),
    /// The type of `null` alone.
    Null,
    /// Positions in the locking order.
    Mu,
    /// Finite sequences.
    Seq(Box<Type>),
    /// Something that is read but not verified.
    Unsupported,
}

/// A location of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loc {
    /// A declared field.
    Field(FieldId),
    /// `mu` of an object or channel.
    Mu,
    /// `joinable` of a token.
    Joinable,
}

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
    /// `waitlevel`; only as an operand of `==`, `!=` or [`BinaryOp::Below`], where it may stand inside [`Self::Old`].
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
    /// Read but not verified: what it is.
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
    /// `<<`: below in the locking order. Operands of reference type stand for their `mu`; the encoder reads it.
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
    /// `tk.fork o.m(args)`: when the token's call was forked; says that the call was this one. `None` is `_`.
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
    /// Read but not verified: what it is.
    Unsupported(String),
}

/// What a permission is to.
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
    /// `rd(e)` as an amount: the part that `rd` meant for the token's call, or in the invariant of the monitor or in the
    /// `where` of the channel, whichever type `e` has.
    ReadOf(Expr),
    /// `rd(x, n)` and `rd(n)` with a number: so many infinitesimals.
    Epsilons(Expr),
    /// `rd*`: some, nobody knows how much.
    Star,
    /// Sum.
    Add(Box<Amount>, Box<Amount>),
    /// Difference.
    Sub(Box<Amount>, Box<Amount>),
    /// So many times.
    Times(Expr, Box<Amount>),
}

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
    /// Runs that do not satisfy it are not looked at. Without permissions.
    Assume(Expr),
    /// A local gets a value. A declaration without one is not a statement: locals start with any value.
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
    /// `spec x, y [pre, post]`: the variables get values such that `post` holds, if `pre` does. Without permissions.
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
    /// Read but not verified: what it is.
    Unsupported(String),
}

/// The right-hand side of an assignment.
#[derive(Clone, Debug)]
pub enum Rhs {
    /// A value.
    Value(Expr),
    /// A new object; the fields listed get values, the others zero.
    New(ClassId, Vec<(FieldId, Expr)>),
    /// A new channel.
    NewChannel(ChannelId, Bounds),
}

/// Where in the locking order: above all of the first and below all of the second. Each is a reference, of which `mu` is
/// meant and which may be null (then it is no bound), or a position, or `waitlevel`.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Above these.
    pub above: Vec<Expr>,
    /// Below these.
    pub below: Vec<Expr>,
}
