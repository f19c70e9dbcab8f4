//! Quantifiers and aggregates.

use super::Parser;
use super::exprs::Tall;
use crate::lexer::TokenKind;
use crate::syntax::{Domain, ExprKind, Ident, Quantifier};
use parsing::operators::Operators;
use parsing::{Kind, Parsed, Rules};

impl Parser<'_> {
    /// Whether `sum` or `max` is followed by a variable and its range, so that it is not a name.
    pub(super) fn is_at_aggregate(&self) -> bool {
        self.nth(1).is_name()
            && matches!(self.nth(2), TokenKind::In | TokenKind::Colon | TokenKind::Comma)
    }

    /// `forall x, y in s :: e`, `forall x: T :: e`; in older programs `forall{ x in s; e }`. The
    /// body reaches as far as it can.
    pub(super) fn quantified(&mut self) -> Parsed<Tall> {
        let keyword = self.bump();
        let quantifier = match keyword.kind {
            TokenKind::Forall => Quantifier::Forall,
            TokenKind::Exists => Quantifier::Exists,
            TokenKind::Sum => Quantifier::Sum,
            _ => Quantifier::Max,
        };
        let old_form = self.eat(TokenKind::OpenBrace);
        let (names, domain, domain_height) = self.quantified_names(old_form)?;
        let separator = if old_form { TokenKind::Semicolon } else { TokenKind::ColonColon };
        if !self.is_at(separator) {
            let wanted = format!("`{}` and the body of the quantifier", separator.text());
            return Err(self.unexpected(&wanted));
        }
        self.bump();
        let body = self.inner()?;
        if old_form {
            self.expect(TokenKind::CloseBrace)?;
        }
        let height = body.height.max(domain_height);
        let kind = ExprKind::Quantified(quantifier, names, Box::new(domain), Box::new(body.expr));
        self.node(kind, keyword.span, height)
    }

    fn quantified_names(&mut self, old_form: bool) -> Parsed<(Vec<Ident>, Domain, u32)> {
        // The oldest form has the type first: `forall{ int i in s; e }`.
        let typed = self.nth(1).is_name();
        let has_type = matches!(self.kind(), TokenKind::IntType | TokenKind::Bool)
            || (self.kind().is_name() && typed);
        if old_form && has_type {
            self.ty()?;
        }
        let names = self.comma_list(|p| p.ident("the name of a variable"))?;
        if self.eat(TokenKind::In) {
            let tall = self.inner()?;
            return Ok((names, Domain::In(tall.expr), tall.height));
        }
        if !self.is_at(TokenKind::Colon) {
            return Err(self.unexpected("`in` and a sequence, or `:` and a type"));
        }
        self.bump();
        if self.is_at_domain_type() {
            return Ok((names, Domain::Type(self.ty()?), 0));
        }
        let tall = self.inner()?;
        Ok((names, Domain::Set(tall.expr), tall.height))
    }

    /// Whether a type stands after the `:`; anything else is a set.
    fn is_at_domain_type(&self) -> bool {
        match self.kind() {
            TokenKind::IntType | TokenKind::Bool | TokenKind::Seq | TokenKind::Token => true,
            TokenKind::Set => self.nth(1) == TokenKind::Less,
            kind => {
                kind.is_name()
                    && matches!(self.nth(1), TokenKind::ColonColon | TokenKind::Semicolon)
            }
        }
    }
}
