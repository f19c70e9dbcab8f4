//! The operators of expressions.

use super::Parser;
use crate::ast::{BinaryOp, Expr, ExprKind, precedence};
use crate::lexer::TokenKind;
use parsing::Parsed;
use parsing::operators::{Grouping, InfixOf, Operators};

/// An expression and the height of its tree.
pub(super) type Tall = parsing::operators::Tall<Expr>;

type Infix = InfixOf<Expr>;

parsing::node!(Expr, ExprKind, BinaryOp);

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.operand(precedence::QUANTIFIER)
    }

    /// An expression, or an error node in place of it, so that the declaration around it is not
    /// lost.
    pub(super) fn expr_or_error(&mut self) -> Expr {
        let start = self.span();
        self.expr().unwrap_or(Expr { kind: ExprKind::Error, span: start })
    }

    /// An expression whose operators bind at least this tightly.
    pub(super) fn operand(&mut self, least: u8) -> Parsed<Expr> {
        self.tall(least).map(|tall| tall.expr)
    }

    pub(super) fn continues_expr(&self) -> bool {
        self.infix().is_some()
    }
}

impl<'t> Operators<'t, TokenKind> for Parser<'t> {
    type Expr = Expr;

    const LOOSEST: u8 = precedence::QUANTIFIER;

    fn infix(&self) -> Option<Infix> {
        Some(match self.kind() {
            TokenKind::AndAnd | TokenKind::And => Infix::And,
            TokenKind::OrOr | TokenKind::Pipe => Infix::Or,
            TokenKind::Question => Infix::Question,
            TokenKind::Iff => Infix::Binary(BinaryOp::Iff),
            TokenKind::Implies | TokenKind::FatArrow | TokenKind::ThinArrow => {
                Infix::Binary(BinaryOp::Implies)
            }
            TokenKind::EqEq | TokenKind::Eq => Infix::Binary(BinaryOp::Eq),
            TokenKind::NotEq => Infix::Binary(BinaryOp::Ne),
            TokenKind::Less => Infix::Binary(BinaryOp::Lt),
            TokenKind::LessEq => Infix::Binary(BinaryOp::Le),
            TokenKind::Greater => Infix::Binary(BinaryOp::Gt),
            TokenKind::GreaterEq => Infix::Binary(BinaryOp::Ge),
            TokenKind::In => Infix::Binary(BinaryOp::In),
            TokenKind::Bang if self.nth(1) == TokenKind::In => Infix::Binary(BinaryOp::NotIn),
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
            TokenKind::And => Some("&&"),
            TokenKind::Pipe => Some("||"),
            TokenKind::FatArrow | TokenKind::ThinArrow => Some("==>"),
            TokenKind::Eq => Some("=="),
            _ => None,
        }
    }

    fn precedence(infix: Infix) -> u8 {
        match infix {
            Infix::And => precedence::AND,
            Infix::Or => precedence::OR,
            Infix::Binary(op) => op.precedence(),
            Infix::Question => precedence::CONDITIONAL,
        }
    }

    fn grouping(op: BinaryOp) -> Grouping {
        match op.precedence() {
            precedence::IFF | precedence::IMPLIES => Grouping::Right,
            precedence::COMPARISON => Grouping::Comparison,
            _ => Grouping::Left,
        }
    }

    fn postfix(&mut self) -> Parsed<Tall> {
        self.with_indices()
    }
}
