//! Classes and channels.

use super::Parser;
use crate::lexer::TokenKind;
use crate::syntax::{Channel, Class, Item, Member};
use parsing::{Parsed, Rules, syntax_error};

impl Parser<'_> {
    pub(super) fn program_items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.is_at(TokenKind::End) {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            items.extend(self.one_or_skip(Self::item, Self::skip_to_item));
        }
        items
    }

    fn item(&mut self) -> Parsed<Item> {
        match self.kind() {
            TokenKind::Class | TokenKind::External => self.class().map(Item::Class),
            TokenKind::Channel => self.channel().map(Item::Channel),
            _ => {
                let found = self.describe();
                let error = syntax_error(
                    self.span(),
                    format!("expected `class` or `channel`, found {found}"),
                )
                .at("not a declaration")
                .help("fields, methods and predicates stand inside a class");
                Err(self.error(error))
            }
        }
    }

    fn class(&mut self) -> Parsed<Class> {
        let start = self.span();
        let external = self.eat(TokenKind::External);
        self.expect(TokenKind::Class)?;
        let name = self.ident("the name of a class")?;
        let mut module = None;
        if self.eat(TokenKind::Module) {
            module = Some(self.ident("the name of a module")?);
        }
        let mut refines = None;
        if self.eat(TokenKind::Refines) {
            refines = Some(self.ident("the name of a class")?);
        }
        let span = self.span_from(start);
        let members = self.class_body()?;
        Ok(Class { external, name, module, refines, members, span })
    }

    fn class_body(&mut self) -> Parsed<Vec<Member>> {
        let open = self.expect(TokenKind::OpenBrace)?.span;
        let mut members = Vec::new();
        while !self.is_at(TokenKind::CloseBrace) {
            if self.is_at(TokenKind::End) || self.is_at_item() {
                self.missing_close_brace(open);
                return Ok(members);
            }
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            let start = self.at;
            match self.member() {
                Ok(member) => members.push(member),
                Err(_) => {
                    if self.at == start && !self.is_at_item() {
                        self.bump();
                    }
                    self.skip_to_member();
                }
            }
        }
        self.bump();
        Ok(members)
    }

    fn channel(&mut self) -> Parsed<Channel> {
        let start = self.bump().span;
        let name = self.ident("the name of a channel")?;
        let params = self.params()?;
        let condition = if self.eat(TokenKind::Where) { Some(self.expr_or_error()) } else { None };
        let span = self.span_from(start);
        self.eat(TokenKind::Semicolon);
        Ok(Channel { name, params, condition, span })
    }
}
