//! Tokens to syntax tree, by recursive descent.
//!
//! Items and statements catch a rule that failed, skip to where the next one may start, and go on.

mod assigns;
mod atoms;
mod exprs;
mod items;
mod procs;
mod recovery;
mod stmts;
mod types;

use crate::ast::{File, Ident, Path};
use crate::lexer::TokenKind;
use diagnostic::Diagnostic;
use parsing::{Cursor, Parsed};
use source::FileId;

/// The syntax tree of a text and the errors in it. Whatever the text, this neither fails nor
/// panics.
pub fn parse(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let mut parser = Parser(Cursor::new(file, text));
    let items = parser.file_items();
    (File { items }, parser.0.finish())
}

parsing::parser!(Parser, TokenKind);

impl Parser<'_> {
    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let starts = self.is_at_item();
        let (name, span) = self.name(what, starts)?;
        Ok(Ident { name, span })
    }

    fn path(&mut self, what: &str) -> Parsed<Path> {
        let mut segments = vec![self.ident(what)?];
        while self.eat(TokenKind::Dot) {
            segments.push(self.ident("a name")?);
        }
        let span = self.span_from(segments[0].span);
        Ok(Path { segments, span })
    }
}
