//! Types, and names with types.

use super::Parser;
use crate::lexer::TokenKind;
use crate::syntax::{Param, Type, TypeKind};
use parsing::{Kind, Parsed, Rules, syntax_error};
use source::Name;

impl Parser<'_> {
    /// `(x: T, y)`
    pub(super) fn params(&mut self) -> Parsed<Vec<Param>> {
        self.expect(TokenKind::OpenParen)?;
        let mut params = Vec::new();
        if !self.is_at(TokenKind::CloseParen) {
            params = self.comma_list(|p| p.param("the name of a parameter"))?;
        }
        self.expect(TokenKind::CloseParen)?;
        Ok(params)
    }

    /// `x: T` or `x`
    pub(super) fn param(&mut self, what: &str) -> Parsed<Param> {
        let name = self.ident(what)?;
        let ty = if self.eat(TokenKind::Colon) { Some(self.ty()?) } else { None };
        Ok(Param { name, ty })
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::IntType => self.simple_type(TypeKind::Int),
            TokenKind::Bool => self.simple_type(TypeKind::Bool),
            TokenKind::StringType => self.simple_type(TypeKind::String),
            TokenKind::Seq => TypeKind::Seq(Box::new(self.element_type()?)),
            TokenKind::Set if self.nth(1) == TokenKind::Less => {
                TypeKind::Set(Box::new(self.element_type()?))
            }
            TokenKind::Token => self.token_type()?,
            kind if kind.is_name() => {
                let name = Name::from(self.text_of(self.span()));
                self.simple_type(TypeKind::Name(name))
            }
            _ => return Err(self.unexpected("a type")),
        };
        if self.is_at(TokenKind::Less) && !matches!(kind, TypeKind::Seq(_) | TypeKind::Set(_)) {
            let error = syntax_error(self.span(), "this type takes no parameters")
                .at("unexpected")
                .help("only `seq<T>`, `set<T>` and `token<C.m>` do");
            return Err(self.error(error));
        }
        Ok(Type { kind, span: self.span_from(start) })
    }

    fn simple_type(&mut self, kind: TypeKind) -> TypeKind {
        self.bump();
        kind
    }

    /// `seq<T>` after its first word was seen.
    fn element_type(&mut self) -> Parsed<Type> {
        self.bump();
        self.type_argument()
    }

    /// `<T>`
    pub(super) fn type_argument(&mut self) -> Parsed<Type> {
        self.expect(TokenKind::Less)?;
        let ty = self.nested(Self::ty)?;
        self.expect(TokenKind::Greater)?;
        Ok(ty)
    }

    fn token_type(&mut self) -> Parsed<TypeKind> {
        self.bump();
        self.expect(TokenKind::Less)?;
        let class = self.nested(Self::ty)?;
        self.expect(TokenKind::Dot)?;
        let method = self.ident("the name of a method")?;
        self.expect(TokenKind::Greater)?;
        Ok(TypeKind::Token(Box::new(class), method))
    }
}
