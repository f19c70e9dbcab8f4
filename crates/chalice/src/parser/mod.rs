//! Tokens to syntax tree, by recursive descent.
//!
//! Items, members and statements catch a rule that failed, skip to where the next one may start,
//! and go on.

mod atoms;
mod exprs;
mod items;
mod members;
mod permissions;
mod postfix;
mod quantifiers;
mod recovery;
mod stmts;
mod stmts_of_code;
mod types;

use crate::lexer::TokenKind;
use crate::syntax::{Ident, Program};
use diagnostic::Diagnostic;
use parsing::{Cursor, Parsed};
use source::FileId;

/// The syntax tree of a text and the errors in it. Whatever the text, this neither fails nor
/// panics.
pub fn parse(file: FileId, text: &str) -> (Program, Vec<Diagnostic>) {
    let mut parser = Parser(Cursor::new(file, text));
    let items = parser.program_items();
    (Program { items }, parser.0.finish())
}

parsing::parser!(Parser, TokenKind);

impl Parser<'_> {
    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let starts = self.is_at_member();
        let (name, span) = self.name(what, starts)?;
        Ok(Ident { name, span })
    }
}
