//! Expressions with operators, by precedence climbing.
//!
//! A language says in [`Operators`] which operators it has, how tightly they bind and what its tree
//! looks like. It writes the rule for operands itself; the rules for everything around operands are
//! here.

use crate::{Language, Parsed, Rules, syntax_error};
use source::Span;

/// An expression and the height of its tree.
pub struct Tall<E> {
    /// The expression.
    pub expr: E,
    /// The number of nodes on the longest way from its root to a leaf.
    pub height: u32,
}

/// An operator that stands between operands or after one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Infix<B> {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `?` of `c ? a : b`
    Question,
    /// An operator between two operands.
    Binary(B),
}

/// The meaning of `a op b op c`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// `(a op b) op c`
    Left,
    /// `a op (b op c)`
    Right,
    /// None: such a text is refused.
    Comparison,
}

/// An operator with its operands.
pub enum Operation<B, E> {
    /// `!a`
    Not(Box<E>),
    /// `-a`
    Neg(Box<E>),
    /// `a && b && c`
    And(Vec<E>),
    /// `a || b || c`
    Or(Vec<E>),
    /// `c ? a : b`
    Conditional(Box<E>, Box<E>, Box<E>),
    /// `a op b`
    Binary(B, Box<E>, Box<E>),
}

/// An expression of a language's tree.
pub trait Node: Sized {
    /// The operators between two operands.
    type Binary: Copy + Eq;
    /// An expression without its place.
    type Kind: From<Operation<Self::Binary, Self>>;

    /// An expression at a place.
    fn new(kind: Self::Kind, span: Span) -> Self;

    /// Its place.
    fn span(&self) -> Span;

    /// The same expression at another place, such as that of the parentheses around it.
    fn at(self, span: Span) -> Self;
}

/// Implements [`Node`](crate::operators::Node) for a struct with the fields `kind` and `span`,
/// whose kinds have the variants of [`Operation`](crate::operators::Operation).
#[macro_export]
macro_rules! node {
    ($expr:ty, $kind:ty, $binary:ty) => {
        impl $crate::operators::Node for $expr {
            type Binary = $binary;
            type Kind = $kind;

            fn new(kind: $kind, span: source::Span) -> Self {
                Self { kind, span }
            }

            fn span(&self) -> source::Span {
                self.span
            }

            fn at(self, span: source::Span) -> Self {
                Self { span, ..self }
            }
        }

        impl From<$crate::operators::Operation<$binary, $expr>> for $kind {
            fn from(operation: $crate::operators::Operation<$binary, $expr>) -> Self {
                use $crate::operators::Operation;
                match operation {
                    Operation::Not(operand) => Self::Not(operand),
                    Operation::Neg(operand) => Self::Neg(operand),
                    Operation::And(operands) => Self::And(operands),
                    Operation::Or(operands) => Self::Or(operands),
                    Operation::Conditional(cond, then, otherwise) => {
                        Self::Conditional(cond, then, otherwise)
                    }
                    Operation::Binary(op, left, right) => Self::Binary(op, left, right),
                }
            }
        }
    };
}

/// The expressions of a language.
pub trait Operators<'t, L: Language>: Rules<'t, L> + Sized {
    /// The tree of an expression.
    type Expr: Node;

    /// How tightly the loosest construct binds.
    const LOOSEST: u8;

    /// The operator at the current token, if there is one. Wrong spellings count as what they mean.
    fn infix(&self) -> Option<InfixOf<Self::Expr>>;

    /// How tightly an operator binds.
    fn precedence(infix: InfixOf<Self::Expr>) -> u8;

    /// How several of an operator in a row group.
    fn grouping(op: <Self::Expr as Node>::Binary) -> Grouping;

    /// How an operator is written, if this token is a wrong spelling of it.
    fn right_spelling(kind: L) -> Option<&'static str>;

    /// An operand without operators before it.
    fn postfix(&mut self) -> Parsed<Tall<Self::Expr>>;

    /// An expression whose operators bind at least this tightly.
    fn tall(&mut self, least: u8) -> Parsed<Tall<Self::Expr>> {
        let mut left = unary(self)?;
        while let Some(infix) = self.infix() {
            if Self::precedence(infix) < least {
                break;
            }
            left = match infix {
                Infix::And | Infix::Or => chain(self, infix, left)?,
                Infix::Question => conditional(self, left)?,
                Infix::Binary(op) => binary(self, op, left)?,
            };
        }
        Ok(left)
    }

    /// Any expression, one level deeper.
    fn inner(&mut self) -> Parsed<Tall<Self::Expr>> {
        self.nested(|parser| parser.tall(Self::LOOSEST))
    }

    /// `(e)`, at its parenthesis.
    fn parenthesised(&mut self) -> Parsed<Tall<Self::Expr>> {
        let start = self.bump().span;
        let Tall { expr, height } = self.inner()?;
        self.expect(L::CLOSE_PAREN)?;
        Ok(Tall { expr: expr.at(self.span_from(start)), height })
    }

    /// Expressions with commas between, perhaps none, and the closing token. Also the height of the
    /// highest.
    fn list_until(&mut self, close: L) -> Parsed<(Vec<Self::Expr>, u32)> {
        let (mut all, mut height) = (Vec::new(), 0);
        while !self.is_at(close) {
            let one = self.inner()?;
            height = height.max(one.height);
            all.push(one.expr);
            if !self.eat(L::COMMA) {
                break;
            }
        }
        if !self.is_at(close) {
            return Err(self.unexpected(&format!("`,` or `{}`", close.text())));
        }
        self.bump();
        Ok((all, height))
    }

    /// `cond ? then : otherwise`, however it was written.
    fn conditional_node(
        &mut self,
        cond: Tall<Self::Expr>,
        then: Tall<Self::Expr>,
        otherwise: Tall<Self::Expr>,
    ) -> Parsed<Tall<Self::Expr>> {
        let height = cond.height.max(then.height).max(otherwise.height);
        let start = cond.expr.span();
        let [cond, then, otherwise] = [cond, then, otherwise].map(|tall| Box::new(tall.expr));
        self.node(Operation::Conditional(cond, then, otherwise), start, height)
    }

    /// A node one higher than its highest child, unless that is too high.
    fn node(
        &mut self,
        kind: impl Into<<Self::Expr as Node>::Kind>,
        start: Span,
        height: u32,
    ) -> Parsed<Tall<Self::Expr>> {
        let span = self.span_from(start);
        if height >= L::MAX_HEIGHT {
            return Err(self.too_deep(span));
        }
        Ok(Tall { expr: Self::Expr::new(kind.into(), span), height: height + 1 })
    }
}

/// The operators of a tree.
pub type InfixOf<E> = Infix<<E as Node>::Binary>;

fn unary<'t, L: Language, P: Operators<'t, L>>(parser: &mut P) -> Parsed<Tall<P::Expr>> {
    let start = parser.span();
    let operation = match parser.kind() {
        kind if kind == L::BANG => Operation::Not,
        kind if kind == L::MINUS => Operation::Neg,
        _ => return parser.postfix(),
    };
    parser.bump();
    let operand = parser.nested(unary)?;
    parser.node(operation(Box::new(operand.expr)), start, operand.height)
}

/// `a && b && c` or `a || b || c`, any number of them.
fn chain<'t, L: Language, P: Operators<'t, L>>(
    parser: &mut P,
    infix: InfixOf<P::Expr>,
    first: Tall<P::Expr>,
) -> Parsed<Tall<P::Expr>> {
    let precedence = P::precedence(infix);
    let mut height = first.height;
    let start = first.expr.span();
    let mut operands = vec![first.expr];
    while parser.infix() == Some(infix) {
        take_infix(parser);
        let next = parser.tall(precedence + 1)?;
        height = height.max(next.height);
        operands.push(next.expr);
    }
    let other = parser.infix().filter(|other| matches!(other, Infix::And | Infix::Or));
    if other.is_some_and(|other| P::precedence(other) == precedence) {
        let error = syntax_error(parser.span(), "`&&` and `||` mixed without parentheses")
            .at("which binds tighter?")
            .help("write `(a && b) || c` or `a && (b || c)`");
        return Err(parser.error(error));
    }
    let operation = if infix == Infix::And { Operation::And } else { Operation::Or };
    parser.node(operation(operands), start, height)
}

fn conditional<'t, L: Language, P: Operators<'t, L>>(
    parser: &mut P,
    cond: Tall<P::Expr>,
) -> Parsed<Tall<P::Expr>> {
    parser.bump();
    let then = parser.inner()?;
    if !parser.is_at(L::COLON) {
        return Err(parser.unexpected("`:` of the conditional expression"));
    }
    parser.bump();
    let otherwise = parser.nested(|parser| parser.tall(P::precedence(Infix::Question)))?;
    parser.conditional_node(cond, then, otherwise)
}

fn binary<'t, L: Language, P: Operators<'t, L>>(
    parser: &mut P,
    op: <P::Expr as Node>::Binary,
    left: Tall<P::Expr>,
) -> Parsed<Tall<P::Expr>> {
    take_infix(parser);
    let precedence = P::precedence(Infix::Binary(op));
    let right = match P::grouping(op) {
        Grouping::Right => parser.nested(|parser| parser.tall(precedence))?,
        Grouping::Left | Grouping::Comparison => parser.tall(precedence + 1)?,
    };
    let second = parser.infix().filter(|&second| P::precedence(second) == precedence);
    if P::grouping(op) == Grouping::Comparison && second.is_some() {
        let error = syntax_error(parser.span(), "comparisons cannot be chained")
            .at("a second comparison")
            .help("write `a < b && b < c`, or put one comparison in parentheses");
        return Err(parser.error(error));
    }
    let height = left.height.max(right.height);
    let start = left.expr.span();
    parser.node(Operation::Binary(op, Box::new(left.expr), Box::new(right.expr)), start, height)
}

/// Takes the operator and reports it if it is spelled wrongly. Only `!in` has two tokens.
fn take_infix<'t, L: Language, P: Operators<'t, L>>(parser: &mut P) {
    let wrong = parser.kind();
    if let Some(right) = P::right_spelling(wrong) {
        let message = format!("`{}` is not an operator of expressions", wrong.text());
        let error = syntax_error(parser.span(), message)
            .at(format!("did you mean `{right}`?"))
            .help(format!("write `{right}`"));
        parser.error(error);
    }
    if parser.bump().kind == L::BANG {
        parser.bump();
    }
}
