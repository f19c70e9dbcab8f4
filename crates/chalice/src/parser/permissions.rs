//! `acc` and `rd`.

use super::Parser;
use super::exprs::Tall;
use crate::lexer::TokenKind;
use crate::syntax::{BinaryOp, Expr, ExprKind, Mode};
use parsing::Parsed;
use parsing::operators::Operators;
use source::Span;

impl Parser<'_> {
    /// `acc(loc)`, `acc(loc, amount)`
    pub(super) fn acc(&mut self, start: Span) -> Parsed<Tall> {
        self.bump();
        self.expect(TokenKind::OpenParen)?;
        let place = self.inner()?;
        let mut height = place.height;
        let mut amount = None;
        if self.eat(TokenKind::Comma) {
            let tall = self.inner()?;
            height = height.max(tall.height);
            amount = Some(Box::new(tall.expr));
        }
        self.expect(TokenKind::CloseParen)?;
        self.node(ExprKind::Acc(Box::new(place.expr), amount), start, height)
    }

    /// `rd`, `rd(loc)`, `rd(loc, n)`, `rd*(loc)`, `rd holds(e)`. The types decide whether `rd(x)`
    /// is a permission or an amount.
    pub(super) fn rd(&mut self, start: Span) -> Parsed<Tall> {
        self.bump();
        match self.kind() {
            TokenKind::Holds => self.wrapped(start, |e| ExprKind::Holds(Mode::Read, e)),
            TokenKind::OpenParen => self.rd_of(start),
            TokenKind::Star if self.nth(1) == TokenKind::OpenParen => self.rd_star(start),
            _ => self.node(ExprKind::RdAmount, start, 0),
        }
    }

    fn rd_of(&mut self, start: Span) -> Parsed<Tall> {
        self.bump();
        let place = self.inner()?;
        let mut height = place.height;
        let mut count = None;
        if self.eat(TokenKind::Comma) {
            if self.is_at(TokenKind::Star) && self.nth(1) == TokenKind::CloseParen {
                self.bump();
                self.bump();
                return self.node(ExprKind::RdStar(Box::new(place.expr)), start, height);
            }
            let tall = self.inner()?;
            height = height.max(tall.height);
            count = Some(Box::new(tall.expr));
        }
        self.expect(TokenKind::CloseParen)?;
        self.node(ExprKind::Rd(Box::new(place.expr), count), start, height)
    }

    /// `rd*(loc)`, but `rd*(2)` is a product of amounts.
    fn rd_star(&mut self, start: Span) -> Parsed<Tall> {
        let rd = Expr { kind: ExprKind::RdAmount, span: start };
        self.bump();
        self.bump();
        let place = self.inner()?;
        self.expect(TokenKind::CloseParen)?;
        let inside = Box::new(place.expr);
        let kind = match inside.kind {
            ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::Apply(_)
            | ExprKind::AllFields(_)
            | ExprKind::BackPointers(..) => ExprKind::RdStar(inside),
            _ => ExprKind::Binary(BinaryOp::Mul, Box::new(rd), inside),
        };
        self.node(kind, start, place.height)
    }
}
