//! Tokens to a tree. What is not understood outside functions is passed over; if something needs it, that is reported there.

mod declarations;
mod exprs;
mod stmts;

use crate::syntax::{Type, Unit};
use crate::tokens::{Kind, Token};
use source::Span;
use std::collections::BTreeMap;

/// Expressions and statements may be nested so deep.
const MAX_DEPTH: usize = 150;

/// Why something could not be read; told at its place.
pub(crate) struct Stuck {
    pub(crate) span: Span,
    pub(crate) message: String,
}

type Answer<T> = Result<T, Stuck>;

pub(crate) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    typedefs: BTreeMap<String, Type>,
    constants: BTreeMap<String, i128>,
}

/// Reads a text. Also told is what is so broken that the text is no C.
pub(crate) fn parse(tokens: Vec<Token>) -> (Unit, Vec<Stuck>) {
    let mut parser =
        Parser { tokens, at: 0, depth: 0, typedefs: BTreeMap::new(), constants: BTreeMap::new() };
    let mut unit = Unit::default();
    let mut stuck = Vec::new();
    while *parser.kind() != Kind::End {
        let before = parser.at;
        if let Err(why) = parser.external(&mut unit) {
            // Passed over: the text may use what only some compilers know.
            parser.at = before;
            if !parser.skip_declaration() {
                stuck.push(why);
                break;
            }
        }
        if parser.at == before {
            parser.at += 1;
        }
    }
    (unit, stuck)
}

impl Parser {
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

    /// Passes over brackets that begin here; false if they do not end.
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

    /// Passes over a declaration: to its semicolon, or to the end of its body.
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

    /// Passes over `__attribute__((...))` and the like.
    fn skip_attributes(&mut self) {
        loop {
            match self.kind() {
                Kind::Name(name)
                    if matches!(
                        name.as_str(),
                        "__attribute__" | "__asm__" | "__asm" | "asm" | "__declspec" | "_Alignas"
                    ) =>
                {
                    self.advance();
                    if self.is("(") && !self.skip_brackets() {
                        return;
                    }
                }
                Kind::Name(name)
                    if matches!(
                        name.as_str(),
                        "__extension__" | "__restrict" | "restrict" | "__inline"
                    ) =>
                {
                    self.advance();
                }
                _ => return,
            }
        }
    }
}
