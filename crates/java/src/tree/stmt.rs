//! Statements.

use super::{Clause, Expr, Ident, Pattern, Type, TypeDecl};
use source::Span;

/// `{ stmts }`
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) stmts: Vec<Stmt>,
    pub(crate) span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    /// All of it; for those with blocks, up to the first block.
    pub(crate) span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Empty,
    Block(Block),
    Local(Box<LocalDecl>),
    LocalClass(Box<TypeDecl>),
    Expr(Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Vec<Clause>, Box<Stmt>),
    Do(Box<Stmt>, Vec<Clause>, Expr),
    /// `for (init; condition; update) body`
    For(Vec<Stmt>, Option<Expr>, Vec<Expr>, Vec<Clause>, Box<Stmt>),
    /// `for (T x : values) body`
    ForEach(Box<LocalDecl>, Expr, Vec<Clause>, Box<Stmt>),
    Labelled(Ident, Box<Stmt>),
    Switch(Box<Switch>),
    Return(Option<Expr>),
    Break(Option<Ident>),
    Continue(Option<Ident>),
    Yield(Expr),
    Throw(Expr),
    Synchronized(Expr, Block),
    /// `try (resources) { } catch .. finally { }`
    Try(Vec<Resource>, Block, Vec<Catch>, Option<Block>),
    Assert(Expr, Option<Expr>),
    Constructor(Box<ConstructorCall>),
    /// `//@ set x = e`, `//@ assert e`, `//@ assume e`, ...
    Clause(Clause),
    /// Part of the text that makes no sense; reported already.
    Error,
}

/// One local variable.
#[derive(Clone, Debug)]
pub(crate) struct LocalDecl {
    pub(crate) ty: Type,
    pub(crate) name: Ident,
    pub(crate) value: Option<Expr>,
}

/// `switch (value) { cases }`
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Expr,
    pub(crate) cases: Vec<Case>,
    pub(crate) span: Span,
}

/// `case labels: statements` or `case labels -> rule`
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) labels: Vec<CaseLabel>,
    pub(crate) guard: Option<Expr>,
    pub(crate) rule: Rule,
    pub(crate) span: Span,
}

/// What a case is for.
#[derive(Clone, Debug)]
pub(crate) enum CaseLabel {
    Default,
    Value(Expr),
    Pattern(Pattern),
}

/// What a case does.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    /// After `:`; goes on with the next case.
    Group(Vec<Stmt>),
    /// After `->`: a value or an expression statement.
    Expr(Expr),
    /// After `->`: a block or `throw`.
    Stmt(Box<Stmt>),
}

/// `T x = e` or `x` of a `try`.
#[derive(Clone, Debug)]
pub(crate) enum Resource {
    Declared(Box<LocalDecl>),
    Value(Expr),
}

/// `catch (A | B e) { }`
#[derive(Clone, Debug)]
pub(crate) struct Catch {
    pub(crate) types: Vec<Type>,
    pub(crate) name: Ident,
    pub(crate) body: Block,
    pub(crate) span: Span,
}

/// `this(args)` or `outer.super(args)`
#[derive(Clone, Debug)]
pub(crate) struct ConstructorCall {
    pub(crate) is_super: bool,
    pub(crate) outer: Option<Expr>,
    pub(crate) args: Vec<Expr>,
}
