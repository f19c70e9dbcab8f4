//! The typed program. These facts hold of it: every name is resolved, every expression has a type,
//! permissions occur in [`Assertion`]s only (so that translating an [`Expr`] never meets one), and
//! shorthands are gone: `lock` blocks are acquire and release, a bare predicate is `acc` of it, a
//! bare field is a field of `this`, implicit locals are declared. Constructs that Rely can read but
//! not verify are `Unsupported` at their place.

mod expr;
mod stmt;

pub use expr::{
    Amount, AmountKind, Assertion, AssertionKind, BinaryOp, EvalState, Expr, ExprKind,
    PredicateAccess, Quantified, Target,
};
pub use stmt::{Bounds, Rhs, Stmt, StmtKind};

use source::{Name, Span};

source::ids! {
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
    /// The parts of the monitor invariant, over `this` and bound variables; `old` is the state of
    /// the last acquire.
    pub invariants: Vec<Assertion>,
    /// The parts of it that are about volatile fields of `this` alone: every write keeps them, so a
    /// reader may rely on them at any time.
    pub rely: Vec<Expr>,
    /// Variables bound in the invariants.
    pub locals: Vec<Local>,
    /// A part of the class that cannot be verified, such as a refinement: its description, and its
    /// place.
    pub unsupported: Option<(String, Span)>,
}

/// A channel type.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub span: Span,
    /// The values that a message carries: the first locals.
    pub params: Vec<LocalId>,
    /// Parameters, then bound variables.
    pub locals: Vec<Local>,
    /// The formula and permissions that a message brings; `this` is the channel.
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
    /// Whether it may be read without permission.
    pub volatile: bool,
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
    /// The formula and permissions that the caller gets; `old` is the state at entry.
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
    /// The precondition, with permissions.
    pub requires: Vec<Assertion>,
    /// The facts about the value, [`ExprKind::Result`].
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
    /// The formula that holds when a waiting thread goes on.
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
    /// A type that is read but not verified.
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
