//! The operators of expressions.

use super::Parser;
use crate::lexer::TokenKind;
use crate::syntax::{BinaryOp, Expr, ExprKind};
use parsing::operators::{Grouping, InfixOf, Operators};
use parsing::{Parsed, Rules};

/// An expression and the height of its tree.
pub(super) type Tall = parsing::operators::Tall<Expr>;

type Infix = InfixOf<Expr>;

parsing::node!(Expr, ExprKind, BinaryOp);

/// How tightly operators bind, loosest first.
mod precedence {
    pub(super) const CONDITIONAL: u8 = 0;
    pub(super) const IFF: u8 = 1;
    pub(super) const IMPLIES: u8 = 2;
    pub(super) const LOGICAL: u8 = 3;
    pub(super) const COMPARISON: u8 = 4;
    pub(super) const APPEND: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.tall(Self::LOOSEST).map(|tall| tall.expr)
    }

    /// An expression, or an error node in place of it, so that the declaration around it is not
    /// lost.
    pub(super) fn expr_or_error(&mut self) -> Expr {
        let start = self.span();
        self.expr().unwrap_or(Expr { kind: ExprKind::Error, span: start })
    }

    /// Expressions with commas between; perhaps none.
    pub(super) fn expr_list(&mut self) -> Parsed<Vec<Expr>> {
        if self.starts_expr() { self.comma_list(Self::expr) } else { Ok(Vec::new()) }
    }
}

impl<'t> Operators<'t, TokenKind> for Parser<'t> {
    type Expr = Expr;

    const LOOSEST: u8 = precedence::CONDITIONAL;

    fn infix(&self) -> Option<Infix> {
        Some(match self.kind() {
            TokenKind::AndAnd | TokenKind::Ampersand => Infix::And,
            TokenKind::OrOr => Infix::Or,
            TokenKind::Question => Infix::Question,
            TokenKind::Iff => Infix::Binary(BinaryOp::Iff),
            TokenKind::Implies => Infix::Binary(BinaryOp::Implies),
            TokenKind::EqEq | TokenKind::Eq => Infix::Binary(BinaryOp::Eq),
            TokenKind::NotEq => Infix::Binary(BinaryOp::Ne),
            TokenKind::Less => Infix::Binary(BinaryOp::Lt),
            TokenKind::LessEq => Infix::Binary(BinaryOp::Le),
            TokenKind::Greater => Infix::Binary(BinaryOp::Gt),
            TokenKind::GreaterEq => Infix::Binary(BinaryOp::Ge),
            TokenKind::LockBelow => Infix::Binary(BinaryOp::LockBelow),
            TokenKind::In => Infix::Binary(BinaryOp::In),
            TokenKind::Bang if self.nth(1) == TokenKind::In => Infix::Binary(BinaryOp::NotIn),
            TokenKind::PlusPlus => Infix::Binary(BinaryOp::Append),
            TokenKind::Plus => Infix::Binary(BinaryOp::Add),
            TokenKind::Minus => Infix::Binary(BinaryOp::Sub),
            TokenKind::Star => Infix::Binary(BinaryOp::Mul),
            TokenKind::Slash => Infix::Binary(BinaryOp::Div),
            TokenKind::Percent => Infix::Binary(BinaryOp::Mod),
            _ => return None,
        })
    }

    fn right_spelling(kind: TokenKind) -> Option<&'static str> {
        match kind {
            TokenKind::Ampersand => Some("&&"),
            TokenKind::Eq => Some("=="),
            _ => None,
        }
    }

    fn precedence(infix: Infix) -> u8 {
        match infix {
            Infix::And | Infix::Or => precedence::LOGICAL,
            Infix::Question => precedence::CONDITIONAL,
            Infix::Binary(op) => match op {
                BinaryOp::Iff => precedence::IFF,
                BinaryOp::Implies => precedence::IMPLIES,
                BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::LockBelow
                | BinaryOp::In
                | BinaryOp::NotIn => precedence::COMPARISON,
                BinaryOp::Append => precedence::APPEND,
                BinaryOp::Add | BinaryOp::Sub => precedence::SUM,
                BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => precedence::PRODUCT,
            },
        }
    }

    fn grouping(op: BinaryOp) -> Grouping {
        match Self::precedence(Infix::Binary(op)) {
            precedence::IFF | precedence::IMPLIES => Grouping::Right,
            precedence::COMPARISON => Grouping::Comparison,
            _ => Grouping::Left,
        }
    }

    fn postfix(&mut self) -> Parsed<Tall> {
        self.with_members()
    }
}
