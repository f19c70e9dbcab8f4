//! Expressions, of Java and of annotations.

use super::{Block, ClassBody, Ident, Param, Switch, Type};
use source::{Name, Span};

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// Reported already.
    Error,
    Literal(Literal),
    Name(Name),
    This,
    /// `a.b.C.this`
    OuterThis(Box<Expr>),
    /// `e.f`; `e` may turn out to be a type or a package.
    Field(Box<Expr>, Ident),
    /// `super.f` or `Outer.super.f`
    SuperField(Option<Box<Expr>>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Call(Box<CallExpr>),
    New(Box<NewExpr>),
    NewArray(Box<NewArray>),
    /// `{a, b}` of an array.
    ArrayValues(Vec<Expr>),
    Assign(AssignOp, Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// `++x`, `x--`
    Step {
        target: Box<Expr>,
        by: i8,
        gives_old: bool,
    },
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    InstanceOf(Box<Expr>, Pattern),
    Cast(Vec<Type>, Box<Expr>),
    Lambda(Vec<LambdaParam>, Box<LambdaBody>),
    Reference(Box<Reference>),
    Switch(Box<Switch>),
    ClassLiteral(Type),
    /// `\old(e)`
    Old(Box<Expr>),
    /// `\result`
    Result,
    /// `\tid` or `tid`
    Tid,
    /// `\forall T x; range; body`
    Quantified(Box<Quantified>),
    /// `{a, b}` of annotations.
    Set(Vec<Expr>),
    /// `\size(s)`
    Size(Box<Expr>),
    /// `m[k := v]`
    Update(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// A literal.
#[derive(Clone, Debug)]
pub(crate) enum Literal {
    Int(i128),
    Long(i128),
    /// Their values are not looked at.
    Float,
    Double,
    Bool(bool),
    Char(u32),
    Text(String),
    Null,
}

/// `=` or `op=`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssignOp {
    Plain,
    With(BinaryOp),
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
}

/// An operator between two operands; the last five stand in annotations only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Implies,
    Iff,
    In,
    Union,
    Minus,
}

impl BinaryOp {
    /// The operator of Java that is written so.
    pub(crate) fn of(text: &str) -> Option<Self> {
        Some(match text {
            "||" => Self::Or,
            "&&" => Self::And,
            "|" => Self::BitOr,
            "^" => Self::BitXor,
            "&" => Self::BitAnd,
            "==" => Self::Eq,
            "!=" => Self::Ne,
            "<" => Self::Lt,
            ">" => Self::Gt,
            "<=" => Self::Le,
            ">=" => Self::Ge,
            "<<" => Self::ShiftLeft,
            ">>" => Self::ShiftRight,
            ">>>" => Self::ShiftRightUnsigned,
            "+" => Self::Add,
            "-" => Self::Sub,
            "*" => Self::Mul,
            "/" => Self::Div,
            "%" => Self::Rem,
            _ => return None,
        })
    }
}

/// `receiver.<T>name(args)`
#[derive(Clone, Debug)]
pub(crate) struct CallExpr {
    pub(crate) receiver: Receiver,
    pub(crate) type_args: Vec<Type>,
    pub(crate) name: Ident,
    pub(crate) args: Vec<Expr>,
}

/// What a method is called on.
#[derive(Clone, Debug)]
pub(crate) enum Receiver {
    /// Nothing is written.
    Implicit,
    Expr(Expr),
    /// `super` or `Outer.super`
    Super(Option<Expr>),
}

/// `outer.new T(args) { body }`
#[derive(Clone, Debug)]
pub(crate) struct NewExpr {
    pub(crate) outer: Option<Expr>,
    pub(crate) ty: Type,
    pub(crate) args: Vec<Expr>,
    pub(crate) body: Option<ClassBody>,
}

/// `new T[a][b][] { values }`
#[derive(Clone, Debug)]
pub(crate) struct NewArray {
    pub(crate) element: Type,
    pub(crate) sizes: Vec<Expr>,
    /// Dimensions without a size.
    pub(crate) open: usize,
    pub(crate) values: Option<Vec<Expr>>,
}

/// A pattern.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// `T` or `T x`
    Type(Type, Option<Ident>),
    /// `R(patterns)`
    Record(Type, Vec<Pattern>),
    /// `_`
    Any,
}

/// A parameter of a lambda expression.
#[derive(Clone, Debug)]
pub(crate) enum LambdaParam {
    Inferred(Ident),
    Typed(Box<Param>),
}

/// The right side of a lambda expression.
#[derive(Clone, Debug)]
pub(crate) enum LambdaBody {
    Expr(Expr),
    Block(Block),
}

/// `target::name`
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) target: Receiver,
    /// The target, if it can only be a type.
    pub(crate) ty: Option<Type>,
    /// `None` for `new`.
    pub(crate) name: Option<Ident>,
}

/// `\forall T x; range; body`
#[derive(Clone, Debug)]
pub(crate) struct Quantified {
    pub(crate) is_forall: bool,
    pub(crate) vars: Vec<(Type, Ident)>,
    pub(crate) range: Option<Expr>,
    pub(crate) body: Expr,
}
