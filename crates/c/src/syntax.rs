//! The tree of a C text. Types and names are not checked; a part that could not be read is an
//! `Unsupported` node.

use source::Span;
use std::collections::BTreeSet;

/// A text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    pub(crate) globals: Vec<Declared>,
    pub(crate) functions: Vec<Function>,
    /// Names in declarations that were not understood: their meaning outside of functions is
    /// unknown.
    pub(crate) lost: BTreeSet<String>,
}

/// A type, as far as Rely distinguishes types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    /// The number of bits, and whether there are negative numbers.
    Int(u32, bool),
    Bool,
    Mutex,
    Condition,
    Thread,
    /// Attributes of threads and the like, which are ignored.
    Ignored,
    Pointer(Box<Type>),
    /// Sizes are expressions.
    Array(Box<Type>, Option<Box<Expr>>),
    /// A type whose operators that read and write do both in one step. Only named types are atomic;
    /// a declaration says separately whether its variable is.
    Atomic(Box<Type>),
    /// Something else.
    Other(String),
}

impl Type {
    /// The type without `_Atomic`.
    pub(crate) fn plain(self) -> Self {
        match self {
            Self::Atomic(inner) => inner.plain(),
            Self::Pointer(to) => Self::Pointer(Box::new(to.plain())),
            Self::Array(element, size) => Self::Array(Box::new(element.plain()), size),
            other => other,
        }
    }

    /// Whether values of the type, or the elements of an array, are atomic.
    pub(crate) fn is_atomic(&self) -> bool {
        match self {
            Self::Atomic(_) => true,
            Self::Array(element, _) => element.is_atomic(),
            _ => false,
        }
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) value: Option<Initial>,
    pub(crate) is_static: bool,
    pub(crate) is_atomic: bool,
    /// Whether each thread has one of its own.
    pub(crate) is_thread_local: bool,
    /// The number of this declaration; no two have the same.
    pub(crate) number: usize,
    pub(crate) span: Span,
}

/// The first value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Initial {
    Value(Expr),
    List(Vec<Initial>),
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) params: Vec<Declared>,
    pub(crate) body: Vec<Stmt>,
    pub(crate) span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    /// The whole expression, or its first part if others are inside.
    pub(crate) span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StmtKind {
    Empty,
    Expr(Expr),
    Declare(Vec<Declared>),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For(Box<Stmt>, Option<Expr>, Option<Expr>, Box<Stmt>),
    Switch(Expr, Box<Stmt>),
    Case(Expr),
    Default,
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(String),
    Label(String),
    Unsupported(String),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExprKind {
    Number(i128, Type),
    Text,
    Name(String),
    /// `-`, `!`, `~`, `+`
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `=`, or `op=` with its operator.
    Assign(Option<&'static str>, Box<Expr>, Box<Expr>),
    /// `++` and `--`: the number that is added, and whether the old value is meant.
    Step(i128, bool, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Deref(Box<Expr>),
    Address(Box<Expr>),
    Cast(Type, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// `sizeof` of an expression, which is not evaluated; its value is not known.
    Size,
    /// `({ ... })`, without declarations, loops and jumps.
    Block(Vec<Stmt>),
    Unsupported(String),
}

impl Expr {
    /// Parts of an expression.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(..)
            | ExprKind::Text
            | ExprKind::Name(_)
            | ExprKind::Size
            | ExprKind::Unsupported(_) => Vec::new(),
            ExprKind::Block(stmts) => stmts.iter().flat_map(Stmt::all_exprs).collect(),
            ExprKind::Unary(_, one)
            | ExprKind::Step(_, _, one)
            | ExprKind::Deref(one)
            | ExprKind::Address(one)
            | ExprKind::Cast(_, one) => vec![one],
            ExprKind::Binary(_, one, other)
            | ExprKind::Assign(_, one, other)
            | ExprKind::Index(one, other)
            | ExprKind::Comma(one, other) => vec![one, other],
            ExprKind::Conditional(cond, one, other) => vec![cond, one, other],
            ExprKind::Call(_, args) => args.iter().collect(),
        }
    }

    /// Calls `look` with each part once.
    pub(crate) fn each(&self, look: &mut impl FnMut(&Expr)) {
        look(self);
        self.children().into_iter().for_each(|child| child.each(look));
    }

    /// Whether some part satisfies a condition.
    pub(crate) fn any(&self, is: &impl Fn(&Expr) -> bool) -> bool {
        is(self) || self.children().into_iter().any(|child| child.any(is))
    }
}

impl Stmt {
    /// The statements inside.
    pub(crate) fn inside(&self) -> Vec<&Stmt> {
        match &self.kind {
            StmtKind::Block(stmts) => stmts.iter().collect(),
            StmtKind::If(_, then, otherwise) => {
                std::iter::once(&**then).chain(otherwise.as_deref()).collect()
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => {
                vec![body]
            }
            StmtKind::For(first, _, _, body) => vec![first, body],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself.
    pub(crate) fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Expr(one)
            | StmtKind::If(one, ..)
            | StmtKind::While(one, _)
            | StmtKind::DoWhile(_, one)
            | StmtKind::Switch(one, _)
            | StmtKind::Case(one) => vec![one],
            StmtKind::For(_, cond, step, _) => cond.iter().chain(step).collect(),
            StmtKind::Return(value) => value.iter().collect(),
            StmtKind::Declare(all) => {
                all.iter().flat_map(|declared| initial(declared.value.as_ref())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement and of those inside.
    fn all_exprs(&self) -> Vec<&Expr> {
        let inside = self.inside().into_iter().flat_map(Self::all_exprs);
        self.exprs().into_iter().chain(inside).collect()
    }

    /// Whether some statement inside, or this one, satisfies a condition.
    pub(crate) fn any(&self, is: &impl Fn(&Stmt) -> bool) -> bool {
        is(self) || self.inside().into_iter().any(|stmt| stmt.any(is))
    }

    /// Calls `look` with each expression inside once.
    pub(crate) fn each_expr(&self, look: &mut impl FnMut(&Expr)) {
        self.exprs().into_iter().for_each(|expr| expr.each(look));
        self.inside().into_iter().for_each(|stmt| stmt.each_expr(look));
    }

    /// Whether some expression inside satisfies a condition.
    pub(crate) fn any_expr(&self, is: &impl Fn(&Expr) -> bool) -> bool {
        self.any(&|stmt: &Stmt| stmt.exprs().into_iter().any(|expr| expr.any(is)))
    }
}

fn initial(value: Option<&Initial>) -> Vec<&Expr> {
    match value {
        None => Vec::new(),
        Some(Initial::Value(value)) => vec![value],
        Some(Initial::List(all)) => all.iter().flat_map(|one| initial(Some(one))).collect(),
    }
}
