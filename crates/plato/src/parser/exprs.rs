//! Operators, by precedence climbing.

use super::Parser;
use crate::ast::{BinaryOp, Expr, ExprKind, precedence};
use crate::lexer::TokenKind;
use parsing::{Language, Parsed, syntax_error};
use source::Span;

/// An expression and the height of its tree.
pub(super) struct Tall {
    pub(super) expr: Expr,
    pub(super) height: u32,
}

/// What may stand between or after operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    And,
    Or,
    Binary(BinaryOp),
    Question,
}

impl Infix {
    fn precedence(self) -> u8 {
        match self {
            Self::And => precedence::AND,
            Self::Or => precedence::OR,
            Self::Binary(op) => op.precedence(),
            Self::Question => precedence::CONDITIONAL,
        }
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.operand(precedence::QUANTIFIER)
    }

    /// An expression, or an error node in place of it, so that the declaration around it is not lost.
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

    pub(super) fn tall(&mut self, least: u8) -> Parsed<Tall> {
        let mut left = self.unary()?;
        while let Some(infix) = self.infix() {
            if infix.precedence() < least {
                break;
            }
            left = match infix {
                Infix::And | Infix::Or => self.chain(infix, left)?,
                Infix::Question => self.conditional(left)?,
                Infix::Binary(op) => self.binary(op, left)?,
            };
        }
        Ok(left)
    }

    /// The operator at the current token, if there is one. Wrong spellings count as what they mean.
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

    /// Takes the operator and reports it if it is spelled wrongly.
    fn take_infix(&mut self) {
        let kind = self.kind();
        let (wrong, right) = match kind {
            TokenKind::And => ("&", "&&"),
            TokenKind::Pipe => ("|", "||"),
            TokenKind::FatArrow => ("=>", "==>"),
            TokenKind::ThinArrow => ("->", "==>"),
            TokenKind::Eq => ("=", "=="),
            _ => {
                self.bump();
                if kind == TokenKind::Bang {
                    self.bump();
                }
                return;
            }
        };
        let error =
            syntax_error(self.span(), format!("`{wrong}` is not an operator of expressions"))
                .at(format!("did you mean `{right}`?"))
                .help(format!("write `{right}`"));
        self.error(error);
        self.bump();
    }

    /// `a && b && c` or `a || b || c`, any number of them.
    fn chain(&mut self, infix: Infix, first: Tall) -> Parsed<Tall> {
        let mut height = first.height;
        let start = first.expr.span;
        let mut operands = vec![first.expr];
        while self.infix() == Some(infix) {
            self.take_infix();
            let next = self.tall(infix.precedence() + 1)?;
            height = height.max(next.height);
            operands.push(next.expr);
        }
        let kind =
            if infix == Infix::And { ExprKind::And(operands) } else { ExprKind::Or(operands) };
        self.node(kind, start, height)
    }

    fn conditional(&mut self, cond: Tall) -> Parsed<Tall> {
        self.bump();
        let then = self.nested(|p| p.tall(precedence::QUANTIFIER))?;
        if !self.is_at(TokenKind::Colon) {
            return Err(self.unexpected("`:` of the conditional expression"));
        }
        self.bump();
        let otherwise = self.nested(|p| p.tall(precedence::CONDITIONAL))?;
        let height = cond.height.max(then.height).max(otherwise.height);
        let start = cond.expr.span;
        let [cond, then, otherwise] = [cond, then, otherwise].map(|tall| Box::new(tall.expr));
        self.node(ExprKind::Conditional(cond, then, otherwise), start, height)
    }

    fn binary(&mut self, op: BinaryOp, left: Tall) -> Parsed<Tall> {
        self.take_infix();
        let precedence = op.precedence();
        let right = if matches!(op, BinaryOp::Implies | BinaryOp::Iff) {
            self.nested(|p| p.tall(precedence))?
        } else {
            self.tall(precedence + 1)?
        };
        if precedence == precedence::COMPARISON {
            self.refuse_second_comparison()?;
        }
        let height = left.height.max(right.height);
        let start = left.expr.span;
        self.node(ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr)), start, height)
    }

    fn refuse_second_comparison(&mut self) -> Parsed<()> {
        match self.infix() {
            Some(Infix::Binary(op)) if op.precedence() == precedence::COMPARISON => {
                let error = syntax_error(self.span(), "comparisons cannot be chained")
                    .at("a second comparison")
                    .help("write `a < b && b < c`, or put one comparison in parentheses");
                Err(self.error(error))
            }
            _ => Ok(()),
        }
    }

    fn unary(&mut self) -> Parsed<Tall> {
        let start = self.span();
        match self.kind() {
            TokenKind::Bang => {
                self.bump();
                let operand = self.nested(Self::unary)?;
                self.node(ExprKind::Not(Box::new(operand.expr)), start, operand.height)
            }
            TokenKind::Minus => {
                self.bump();
                let operand = self.nested(Self::unary)?;
                self.node(ExprKind::Neg(Box::new(operand.expr)), start, operand.height)
            }
            _ => self.postfix(),
        }
    }

    /// A node one higher than its highest child, unless that is too high.
    pub(super) fn node(&mut self, kind: ExprKind, start: Span, height: u32) -> Parsed<Tall> {
        let expr = Expr { kind, span: self.span_from(start) };
        if height >= TokenKind::MAX_HEIGHT {
            return Err(self.too_deep(expr.span));
        }
        Ok(Tall { expr, height: height + 1 })
    }
}
