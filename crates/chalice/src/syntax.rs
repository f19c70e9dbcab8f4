//! The syntax tree: what the user wrote, with a place on every node; nothing is resolved, nothing
//! desugared.
//!
//! A tree that was made with errors holds error nodes where something is missing.

use source::{Name, Span};

/// A whole text.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Classes and channels in the order of the text.
    pub items: Vec<Item>,
}

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// An item of the top level.
#[derive(Clone, Debug)]
pub enum Item {
    /// `class C { .. }`
    Class(Class),
    /// `channel Ch(x: T) where e`
    Channel(Channel),
}

/// `external class C module M refines D { .. }`
#[derive(Clone, Debug)]
pub struct Class {
    /// Whether it is marked as implemented elsewhere.
    pub external: bool,
    /// Its name.
    pub name: Ident,
    /// The module it belongs to.
    pub module: Option<Ident>,
    /// The class it refines.
    pub refines: Option<Ident>,
    /// Its members in the order of the text.
    pub members: Vec<Member>,
    /// The whole class.
    pub span: Span,
}

/// A kind of message.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: Ident,
    /// What a message carries.
    pub params: Vec<Param>,
    /// The formula about a message.
    pub condition: Option<Expr>,
    /// The whole declaration.
    pub span: Span,
}

/// A name with a type, which may be left out.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name.
    pub name: Ident,
    /// The type, if written.
    pub ty: Option<Type>,
}

/// A member of a class.
#[derive(Clone, Debug)]
pub enum Member {
    /// `ghost var f: T`
    Field(Field),
    /// `invariant e`
    Invariant(Expr),
    /// `method m(..) ..`
    Method(Method),
    /// `predicate P(..) { e }`
    Predicate(Predicate),
    /// `function f(..): T ..`
    Function(Function),
    /// `condition c where e`
    Condition(Condition),
    /// `replaces x, y by e`, of a refinement.
    Coupling(Span),
    /// `refines m(..)` or `transforms m(..)`, of a refinement.
    Transform(Ident, Span),
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Whether only specifications may use it.
    pub ghost: bool,
    /// Whether it may be read without permission.
    pub volatile: bool,
    /// Whether the objects that point to an object by it are known.
    pub tracked: bool,
    /// Name and type.
    pub param: Param,
    /// The whole declaration.
    pub span: Span,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub name: Ident,
    /// What comes in.
    pub params: Vec<Param>,
    /// What goes out.
    pub results: Vec<Param>,
    /// Its contract.
    pub specs: Vec<Spec>,
    /// Its code.
    pub body: Block,
    /// From the keyword to the end of the parameters.
    pub span: Span,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Ident,
    /// Its parameters besides the receiver.
    pub params: Vec<Param>,
    /// What it stands for.
    pub body: Expr,
    /// The whole declaration.
    pub span: Span,
}

/// A pure function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Whether its definition may be unrolled without bound.
    pub unlimited: bool,
    /// Whether it has no receiver.
    pub is_static: bool,
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type of its value.
    pub ty: Type,
    /// Its contract.
    pub specs: Vec<Spec>,
    /// Its value; without it, only the contract is known.
    pub body: Option<Expr>,
    /// From the first keyword to the type.
    pub span: Span,
}

/// A condition variable.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Its name.
    pub name: Ident,
    /// The formula that holds when it is signalled.
    pub condition: Option<Expr>,
    /// The whole declaration.
    pub span: Span,
}

/// A clause of a contract.
#[derive(Clone, Debug)]
pub enum Spec {
    /// `requires e`
    Requires(Expr),
    /// `ensures e`
    Ensures(Expr),
    /// `lockchange e, ..`
    Lockchange(Vec<Expr>, Span),
}

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// Which.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// Which type.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `int`
    Int,
    /// `bool`
    Bool,
    /// `string`
    String,
    /// A class or channel.
    Name(Name),
    /// `seq<T>`
    Seq(Box<Type>),
    /// `set<T>`
    Set(Box<Type>),
    /// `token<C.m>`
    Token(Box<Type>, Ident),
    /// Reported already.
    Error,
}

/// Statements in braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Statements with a block have the place of the text before the block.
    pub span: Span,
}

/// Which statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `assert e`
    Assert(Expr),
    /// `assume e`
    Assume(Expr),
    /// `{ .. }`
    Block(Block),
    /// `var x: T := e`
    Local(Local),
    /// `var x, y [pre, post]`
    Specification(Box<Specification>),
    /// `call x, y := e.m(..)`
    Call(Vec<Ident>, Box<Target>),
    /// `if (e) { .. } else ..`
    If(Expr, Block, Option<Box<Stmt>>),
    /// `while (e) invariant .. { .. }`
    While(Box<While>),
    /// `share e between ..`
    Share(Expr, Bounds),
    /// `unshare e`
    Unshare(Expr),
    /// `reorder e between ..`
    Reorder(Expr, Bounds),
    /// `acquire e`
    Acquire(Mode, Expr),
    /// `release e`
    Release(Mode, Expr),
    /// `lock (e) { .. }` and `[[ .. ]]`
    Lock(Mode, Expr, Block),
    /// `downgrade e`
    Downgrade(Expr),
    /// `free e`
    Free(Expr),
    /// `x := e`, `e.f := e`
    Assign(Expr, Rhs),
    /// `fold e.P`
    Fold(Expr),
    /// `unfold e.P`
    Unfold(Expr),
    /// `fork tk := e.m(..)`
    Fork(Option<Ident>, Box<Target>),
    /// `join x, y := tk`
    Join(Vec<Ident>, Expr),
    /// `wait e.c`
    Wait(Expr),
    /// `signal e.c`; whether all are woken.
    Signal(bool, Expr),
    /// `send ch(..)`
    Send(Expr, Vec<Expr>),
    /// `receive x, y := ch`
    Receive(Vec<Ident>, Expr),
}

/// How a monitor is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Alone.
    Write,
    /// Together with other readers.
    Read,
}

/// `ghost const x: T := e`
#[derive(Clone, Debug)]
pub struct Local {
    /// Whether only specifications may use it.
    pub ghost: bool,
    /// Whether it is assigned at most once.
    pub constant: bool,
    /// Name and type.
    pub param: Param,
    /// Its first value.
    pub init: Option<Rhs>,
}

/// A statement that makes its postcondition true.
#[derive(Clone, Debug)]
pub struct Specification {
    /// Whether the variables it declares are for specifications only.
    pub ghost: bool,
    /// Whether the variables it declares cannot be assigned again.
    pub constant: bool,
    /// The variables that change; declared here if they are new.
    pub targets: Vec<Param>,
    /// What must hold before.
    pub before: Option<Expr>,
    /// What holds after.
    pub after: Expr,
}

/// `e.m(..)` where a method is meant.
#[derive(Clone, Debug)]
pub struct Target {
    /// The object; `this` if left out.
    pub receiver: Option<Expr>,
    /// The method.
    pub name: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// The whole.
    pub span: Span,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct While {
    /// The condition.
    pub cond: Expr,
    /// Its invariants.
    pub invariants: Vec<Expr>,
    /// The objects whose locks it may acquire or release.
    pub lockchange: Vec<Expr>,
    /// The code.
    pub body: Block,
}

/// A position in the locking order.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// What lies below it.
    pub lower: Vec<Expr>,
    /// What lies above it.
    pub upper: Vec<Expr>,
}

impl Bounds {
    /// Whether none is given.
    pub fn is_empty(&self) -> bool {
        self.lower.is_empty() && self.upper.is_empty()
    }
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum Rhs {
    /// `new C { f := e, .. } between ..`
    New(Box<New>),
    /// A value.
    Expr(Expr),
}

/// A new object or channel.
#[derive(Clone, Debug)]
pub struct New {
    /// The class or channel.
    pub class: Ident,
    /// First values of fields.
    pub inits: Vec<(Ident, Expr)>,
    /// The position in the locking order; channels only.
    pub bounds: Bounds,
    /// The whole.
    pub span: Span,
}

pub use expr::{BinaryOp, Domain, Expr, ExprKind, Quantifier, State, StateKind};

mod expr;
