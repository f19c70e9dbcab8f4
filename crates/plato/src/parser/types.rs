//! Types.

use super::Parser;
use crate::ast::{ExprKind, Type, TypeKind, precedence};
use crate::lexer::TokenKind;
use parsing::{Parsed, Rules, syntax_error};

impl Parser<'_> {
    /// A type, or an error node in place of it, so that the declaration around it is not lost.
    pub(super) fn type_or_error(&mut self) -> Type {
        let start = self.span();
        self.ty().unwrap_or(Type { kind: TypeKind::Error, span: start })
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::IntType => self.word(TypeKind::Int),
            TokenKind::Bool => self.word(TypeKind::Bool),
            TokenKind::TidType => self.word(TypeKind::Tid),
            TokenKind::OpenBracket => {
                self.bump();
                let key = self.nested(Self::ty)?;
                self.expect(TokenKind::CloseBracket)?;
                let value = self.nested(Self::ty)?;
                TypeKind::Map(Box::new(key), Box::new(value))
            }
            TokenKind::Ident if self.is_at_word("set") && self.nth(1) == TokenKind::Less => {
                self.bump();
                self.bump();
                let element = self.nested(Self::ty)?;
                self.close_angle()?;
                TypeKind::Set(Box::new(element))
            }
            _ => self.range_or_name()?,
        };
        Ok(Type { kind, span: self.span_from(start) })
    }

    fn word(&mut self, kind: TypeKind) -> TypeKind {
        self.bump();
        kind
    }

    /// `>`, also as the first half of `>=` in `set<int>= {}`.
    fn close_angle(&mut self) -> Parsed<()> {
        if self.is_at(TokenKind::GreaterEq) {
            self.bump_first_byte(TokenKind::Eq);
            return Ok(());
        }
        self.expect(TokenKind::Greater).map(|_| ())
    }

    fn range_or_name(&mut self) -> Parsed<TypeKind> {
        let starts = matches!(
            self.kind(),
            TokenKind::Ident | TokenKind::Int(_) | TokenKind::Minus | TokenKind::OpenParen
        );
        if !starts {
            return Err(self.unexpected("a type"));
        }
        let low = self.operand(precedence::SUM)?;
        if self.eat(TokenKind::DotDot) {
            let high = self.operand(precedence::SUM)?;
            return Ok(TypeKind::Range(Box::new(low), Box::new(high)));
        }
        match low.kind {
            ExprKind::Name(name) if !name.primed => Ok(TypeKind::Named(name.path)),
            _ => {
                let error = syntax_error(low.span, "expected a type, found a number")
                    .at("not a type")
                    .help("a range of numbers is written `low..high`");
                Err(self.error(error))
            }
        }
    }
}
