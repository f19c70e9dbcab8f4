//! Statements.

use super::{Expr, Ident, Path, Type};
use diagnostic::Code;
use source::Span;

/// `{ stmts }`
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its label.
    pub label: Option<Ident>,
    /// The action that its step performs.
    pub performs: Option<Performs>,
    /// Whether it makes no difference if others step just before or just after it. A translation
    /// from another language may say so, and must be sure of it; there is no text for it.
    pub undisturbed: bool,
    /// What it is.
    pub kind: StmtKind,
    /// Its text without its label and without the blocks it contains.
    pub span: Span,
}

/// What is written about a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopFormulas {
    /// `invariant e`
    pub invariants: Vec<Expr>,
    /// `guess e`: used if it turns out to be an invariant.
    pub guesses: Vec<Expr>,
}

/// What is told of a check that fails.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The fault.
    pub code: Code,
    /// The message.
    pub failed: String,
    /// What would repair it.
    pub help: Option<String>,
    /// Another place that matters.
    pub declared: Option<Span>,
    /// Whether a run that fails goes on, so that nothing is known afterwards.
    pub goes_on: bool,
}

/// `performs name if (e):`
#[derive(Clone, Debug)]
pub struct Performs {
    /// The action of the specification.
    pub action: Ident,
    /// The action is performed if this holds after the step.
    pub cond: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `skip;`
    Skip,
    /// `var t, u: T := e;`
    Var(LocalVar),
    /// `x, y := e, f;`
    Assign(Vec<Place>, Source),
    /// `havoc x, y;`
    Havoc(Vec<Place>),
    /// `assert e;`
    Assert(Expr),
    /// `assert e;` of a translation: what goes wrong where it fails is told in other words. No text
    /// of Plato says this.
    Check(Expr, Box<Fault>),
    /// `assume e;`
    Assume(Expr),
    /// `acquire m;`
    Acquire(Place),
    /// `release m;`
    Release(Place),
    /// `wait c with m;`
    Wait(Place, Place),
    /// `signal c;`
    Signal(Place),
    /// `broadcast c;`
    Broadcast(Place),
    /// `fork T(a);`
    Fork(Fork),
    /// `join T t;`
    Join(Join),
    /// `cas(l, e, n);`
    Cas(Box<Cas>),
    /// `atomic modifies x requires p action X ensures Y;`
    Action(Box<Action>),
    /// `atomic { }`
    Atomic(Block),
    /// `if (e) { } else if (f) { } else { }`; at least one arm.
    If(Vec<IfArm>, Option<Block>),
    /// `while (e) invariant I { }`
    While(Cond, LoopFormulas, Block),
    /// `loop invariant I { }`
    Loop(LoopFormulas, Block),
    /// `choose { } or { }`
    Choose(Vec<Block>),
    /// `{ }`
    Block(Block),
    /// `call p(a);` or `p(a);`
    Call(Call),
    /// `return e, f;`
    Return(Vec<Expr>),
    /// `break;` or `break L;`
    Break(Option<Ident>),
    /// `continue;` or `continue L;`
    Continue(Option<Ident>),
    /// Something that a translation to Plato could not express; the text names it. No text of Plato
    /// says this.
    Unsupported(String),
}

/// A local declaration.
#[derive(Clone, Debug)]
pub struct LocalVar {
    /// The names.
    pub names: Vec<Ident>,
    /// Their type; without one it follows from the value.
    pub ty: Option<Type>,
    /// The value.
    pub value: Option<Source>,
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum Source {
    /// Values; a single application may turn out to be a procedure call.
    Values(Vec<Expr>),
    /// `call p(a)`
    Call(Call),
    /// `cas(l, e, n)`
    Cas(Box<Cas>),
    /// `fork T(a)`: the thread that runs then.
    Fork(Fork),
    /// `join T t`: its results.
    Join(Join),
}

/// `fork thread(args)`
#[derive(Clone, Debug)]
pub struct Fork {
    /// The thread or family.
    pub thread: Path,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Its text.
    pub span: Span,
}

/// `join thread which`
#[derive(Clone, Debug)]
pub struct Join {
    /// The thread or family.
    pub thread: Path,
    /// Which one of a family.
    pub which: Option<Expr>,
    /// Its text.
    pub span: Span,
}

/// `callee(args)` of a procedure.
#[derive(Clone, Debug)]
pub struct Call {
    /// The procedure.
    pub callee: Path,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Its text.
    pub span: Span,
}

/// `cas(location, expected, new)`
#[derive(Clone, Debug)]
pub struct Cas {
    /// The shared place.
    pub location: Place,
    /// The expected value.
    pub expected: Expr,
    /// The new value, or the place it is swapped with.
    pub new: Expr,
    /// Its text.
    pub span: Span,
}

/// An atomic operation in full.
#[derive(Clone, Debug)]
pub struct Action {
    /// What may change.
    pub modifies: Vec<Path>,
    /// Goes wrong unless these hold before.
    pub requires: Vec<Expr>,
    /// The relation.
    pub action: Expr,
    /// Goes wrong unless these hold of both stores.
    pub ensures: Vec<Expr>,
}

/// `if (cond) then`
#[derive(Clone, Debug)]
pub struct IfArm {
    /// The condition.
    pub cond: Cond,
    /// If it holds.
    pub then: Block,
    /// Keyword and condition.
    pub span: Span,
}

/// A condition in parentheses.
#[derive(Clone, Debug)]
pub enum Cond {
    /// `(e)`
    Expr(Expr),
    /// `(*)`
    Any,
}

/// `x`, `m[i]`, `m[i][j]`
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub path: Path,
    /// The indices.
    pub indices: Vec<Expr>,
    /// Its text.
    pub span: Span,
}
