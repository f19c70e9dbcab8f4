//! Tokens to a tree. A declaration outside of functions that is not understood is skipped, and so
//! is everything else that the text says about its names; if something needs them, that is reported
//! there.

mod attributes;
mod declarations;
mod exprs;
mod specifiers;
mod stmts;

pub(crate) use exprs::{ASSIGNMENTS, LEVELS};

use crate::syntax::{Type, Unit};
use crate::tokens::{Kind, Token};
use source::Span;
use std::collections::BTreeMap;

/// Limit on the nesting of expressions and statements.
const MAX_DEPTH: usize = 150;

/// The reason why something could not be read; reported at its place.
pub(crate) struct Stuck {
    pub(crate) span: Span,
    pub(crate) message: String,
}

type Answer<T> = Result<T, Stuck>;

pub(crate) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The meaning of names, innermost scope last.
    scopes: Vec<BTreeMap<String, Meaning>>,
    /// Constructs that make the behaviour of the program unknown, wherever they stand.
    refused: Vec<Stuck>,
    globals: declarations::Globals,
}

/// The meaning of a name to the grammar.
#[derive(Clone)]
enum Meaning {
    Type(Type),
    Constant(i128),
    /// A variable or a function.
    Value,
}

/// Reads a text. Also returns the faults that are so severe that the text is not C.
pub(crate) fn parse(tokens: Vec<Token>) -> (Unit, Vec<Stuck>) {
    let mut parser = Parser::new(tokens);
    let mut unit = Unit::default();
    while *parser.kind() != Kind::End {
        let before = parser.at;
        if let Err(why) = parser.external(&mut unit) {
            // Skipped: the text may use features that only some compilers know.
            parser.at = before;
            parser.depth = 0;
            parser.scopes.truncate(1);
            if !parser.skip_declaration() {
                parser.refused.push(why);
                break;
            }
            parser.lose(before, &mut unit);
        }
        if parser.at == before {
            parser.at += 1;
        }
    }
    parser.globals.lose_undefined(&mut unit);
    let lost = &unit.lost;
    unit.globals.retain(|declared| !lost.contains(&declared.name));
    unit.functions.retain(|function| !lost.contains(&function.name));
    (unit, parser.refused)
}

/// The value of tokens that are a constant expression, and nothing else.
pub(crate) fn constant(mut tokens: Vec<Token>) -> Option<i128> {
    let span = tokens.last()?.span;
    tokens.push(Token { kind: Kind::End, span });
    let mut parser = Parser::new(tokens);
    let expr = parser.conditional().ok().filter(|_| *parser.kind() == Kind::End)?;
    crate::constant::value(&expr, &|_| None).map(|(value, _)| value)
}

impl Parser {
    fn new(tokens: Vec<Token>) -> Self {
        let scopes = vec![BTreeMap::new()];
        let globals = declarations::Globals::default();
        Self { tokens, at: 0, depth: 0, scopes, refused: Vec::new(), globals }
    }

    /// Records the names that were skipped as unknown.
    fn lose(&self, before: usize, unit: &mut Unit) {
        for token in &self.tokens[before..self.at.min(self.tokens.len())] {
            if let Kind::Name(name) = &token.kind {
                unit.lost.insert(name.clone());
            }
        }
    }

    fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn declare(&mut self, name: &str, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), meaning);
        }
    }

    /// Runs a part with names of its own.
    fn scoped<T>(&mut self, part: impl FnOnce(&mut Self) -> Answer<T>) -> Answer<T> {
        let before = self.scopes.len();
        self.scopes.push(BTreeMap::new());
        let result = part(self);
        self.scopes.truncate(before);
        result
    }

    fn kind(&self) -> &Kind {
        &self.tokens[self.at.min(self.tokens.len() - 1)].kind
    }

    fn ahead(&self, by: usize) -> &Kind {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at.min(self.tokens.len() - 1)].span
    }

    /// From a place to the last token that was taken.
    fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span;
        if last.end < start.start { start } else { start.to(last) }
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.kind(), Kind::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Name(found) if found == word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Answer<()> {
        if self.eat(sign) { Ok(()) } else { self.stuck(format!("`{sign}` is expected here")) }
    }

    fn name(&mut self) -> Answer<String> {
        match self.kind().clone() {
            Kind::Name(name) => {
                self.advance();
                Ok(name)
            }
            _ => self.stuck("a name is expected here"),
        }
    }

    fn stuck<T>(&self, message: impl Into<String>) -> Answer<T> {
        Err(Stuck { span: self.span(), message: message.into() })
    }

    /// Runs a part one level deeper.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Answer<T>) -> Answer<T> {
        if self.depth >= MAX_DEPTH {
            return self.stuck("this is nested too deeply");
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Skips brackets that begin here; false if they do not end.
    fn skip_brackets(&mut self) -> bool {
        let mut open = 0_usize;
        loop {
            match self.kind() {
                Kind::Sign("(" | "[" | "{") => open += 1,
                Kind::Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                Kind::End => return false,
                _ => {}
            }
            self.advance();
            if open == 0 {
                return true;
            }
        }
    }

    /// Skips a declaration: to its semicolon, or to the end of its body.
    fn skip_declaration(&mut self) -> bool {
        loop {
            match self.kind() {
                Kind::End => return true,
                Kind::Sign(";") => {
                    self.advance();
                    return true;
                }
                Kind::Sign("{") => {
                    if !self.skip_brackets() {
                        return false;
                    }
                    if !matches!(self.kind(), Kind::Name(_) | Kind::Sign(";" | "," | "*" | "=")) {
                        return true;
                    }
                    // A function's body ends a declaration, a structure's does not.
                    if matches!(self.kind(), Kind::Name(_))
                        && !matches!(self.ahead(1), Kind::Sign(";" | "," | "[" | "="))
                    {
                        return true;
                    }
                }
                Kind::Sign("(" | "[") => {
                    if !self.skip_brackets() {
                        return false;
                    }
                }
                _ => self.advance(),
            }
        }
    }
}
