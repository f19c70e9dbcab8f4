//! The syntax tree.
//!
//! These facts hold of it: it is the program as written, unresolved and untyped, each node with its
//! place. Parentheses are gone (the printer puts them back where needed), groups such as `i, j:
//! Tid` are spread out, and a part that could not be parsed is an `Error` node that the resolver
//! skips in silence.

mod operator;
mod stmt;
mod walk;

pub use operator::BinaryOp;
pub(crate) use operator::precedence;
pub use stmt::{
    Action, Block, Call, Cas, Cond, Fault, Fork, IfArm, Join, LocalVar, LoopFormulas, Performs,
    Place, Source, Stmt, StmtKind,
};

use source::{Name, Span};

/// A file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The items in order.
    pub items: Vec<Item>,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// `x` or `M.x`; at least one segment.
#[derive(Clone, Debug)]
pub struct Path {
    /// The names between the dots.
    pub segments: Vec<Ident>,
    /// All of it.
    pub span: Span,
}

/// A top-level declaration or one in a module.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The whole item.
    pub span: Span,
}

/// What an item is.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `const N: int = 3;`
    Const(ConstItem),
    /// `type Node;` or `type Index = 0..7;`
    Type(TypeItem),
    /// `enum Mode { Idle, Busy }`
    Enum(EnumItem),
    /// `var x, y: int = 1;`
    Var(VarItem),
    /// `mutex m, n;`
    Mutex(Vec<Ident>),
    /// `condition c, d;`
    Condition(Vec<Ident>),
    /// `init e;`
    Init(Formula),
    /// `invariant e;`
    Invariant(Formula),
    /// `rely e;`
    Rely(Formula),
    /// `never ...;`
    Never(Never),
    /// `pred p(i: Tid) = e;` or `func f(i: int): int = e;`
    Pred(PredItem),
    /// `proc p() { }`
    Proc(Box<Proc>),
    /// `thread T { }`
    Thread(Box<Thread>),
    /// `module M { }`
    Module(ModuleItem),
    /// Something that a translation to Plato could not express, so that nothing is known of the
    /// program; the text names it. No text of Plato says this.
    Unsupported(String),
}

/// `const name: ty = value;`
#[derive(Clone, Debug)]
pub struct ConstItem {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Its value; without one it stands for every value.
    pub value: Option<Expr>,
}

/// `type name = alias;`
#[derive(Clone, Debug)]
pub struct TypeItem {
    /// Its name.
    pub name: Ident,
    /// The type that it abbreviates; `None` means an uninterpreted type.
    pub alias: Option<Type>,
}

/// `enum name { variants }`
#[derive(Clone, Debug)]
pub struct EnumItem {
    /// Its name.
    pub name: Ident,
    /// Its variants.
    pub variants: Vec<Ident>,
}

/// `var names: ty = value guarded by lock;`
#[derive(Clone, Debug)]
pub struct VarItem {
    /// The names.
    pub names: Vec<Ident>,
    /// The type of all of them.
    pub ty: Type,
    /// The initial value of each of them.
    pub value: Option<Expr>,
    /// The lock that protects them: `guarded by lock`.
    pub guard: Option<Path>,
}

/// `name: expr`, the name being optional.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its name.
    pub name: Option<Ident>,
    /// The formula.
    pub expr: Expr,
    /// Keyword, name and formula.
    pub span: Span,
}

/// What must never happen.
#[derive(Clone, Debug)]
pub enum Never {
    /// `never e;`
    Formula(Formula),
    /// `never deadlock;`
    Deadlock,
    /// `never race;` or `never race on x, y;`
    Race(Vec<Path>),
}

/// `pred name(params) = body;` or `func name(params): ty = body;`
#[derive(Clone, Debug)]
pub struct PredItem {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type of the values of a function; a predicate has truth values.
    pub ty: Option<Type>,
    /// Its body.
    pub body: Expr,
}

/// `name: ty`, of a procedure, a predicate or a quantifier.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
}

/// `atomic proc name(params) returns (results) spec body`
#[derive(Clone, Debug)]
pub struct Proc {
    /// Whether it says `atomic`.
    pub is_atomic: bool,
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its results; `: T` is one result called `result`.
    pub results: Vec<Param>,
    /// Its specification in the order of writing.
    pub spec: Vec<Clause>,
    /// Its code.
    pub body: Block,
}

/// A clause of a specification.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it is.
    pub kind: ClauseKind,
    /// The whole clause.
    pub span: Span,
}

/// What a clause is.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `requires e`
    Requires(Expr),
    /// `modifies x, y where e`: steps that change these satisfy `e`.
    Modifies(Vec<Path>, Option<Expr>),
    /// `action name modifies x ensures e`
    Action(Option<Ident>, Vec<Path>, Expr),
    /// `ensures e`
    Ensures(Expr),
    /// `choose { actions } or { actions }`
    Choose(Vec<Vec<Clause>>),
    /// `optional { actions }`
    Optional(Vec<Clause>),
    /// `repeat { actions }`
    Repeat(Vec<Clause>),
}

/// `thread name[copies] relies body`
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name.
    pub name: Ident,
    /// How many copies run.
    pub copies: Copies,
    /// What is said of a thread that runs when it is forked; others run from the beginning.
    pub forked: Option<Forked>,
    /// Its own relies.
    pub relies: Vec<Formula>,
    /// Its code.
    pub body: Block,
}

/// `(params) returns (results) requires e ensures e` of a thread.
#[derive(Clone, Debug, Default)]
pub struct Forked {
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its results.
    pub results: Vec<Param>,
    /// What holds from the moment on at which it is forked.
    pub requires: Vec<Expr>,
    /// What holds from its end on.
    pub ensures: Vec<Expr>,
}

/// The number of copies of a thread.
#[derive(Clone, Debug)]
pub enum Copies {
    /// `thread T`
    One,
    /// `thread T[n]`
    Counted(Expr),
    /// `thread T[*]`
    Any,
}

/// `module name { items }`
#[derive(Clone, Debug)]
pub struct ModuleItem {
    /// Its name.
    pub name: Ident,
    /// Its items.
    pub items: Vec<Item>,
}

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Its text.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// Reported already.
    Error,
    /// `int`
    Int,
    /// `bool`
    Bool,
    /// `Tid`
    Tid,
    /// `low..high`
    Range(Box<Expr>, Box<Expr>),
    /// `Mode`
    Named(Path),
    /// `set<T>`
    Set(Box<Type>),
    /// `[K]V`
    Map(Box<Type>, Box<Type>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text, with the parentheses around it.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Reported already.
    Error,
    /// `42`
    Int(i128),
    /// `true`
    Bool(bool),
    /// `tid`
    Tid,
    /// `x` or `x'`
    Name(NameExpr),
    /// `p(a)` or `p'(a)`
    Apply(NameExpr, Vec<Expr>),
    /// `at(i, L)` or `at(i, T.L)`
    At(Box<Expr>, Path),
    /// `!e`
    Not(Box<Expr>),
    /// `-e`
    Neg(Box<Expr>),
    /// `a && b && c`; two or more
    And(Vec<Expr>),
    /// `a || b || c`; two or more
    Or(Vec<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `m[k]`
    Index(Box<Expr>, Box<Expr>),
    /// `m[k := v]`
    Update(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `[_ => v]`
    ConstMap(Box<Expr>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `#s`
    Size(Box<Expr>),
    /// `forall i: T :: e`
    Forall(Vec<Param>, Box<Expr>),
    /// `exists i: T :: e`
    Exists(Vec<Param>, Box<Expr>),
}

/// A name in an expression.
#[derive(Clone, Debug)]
pub struct NameExpr {
    /// The name.
    pub path: Path,
    /// Whether a prime follows.
    pub primed: bool,
}
