//! Text to [`Design`]. Parsing never fails: faults are reported, and reading goes on after the next
//! `;` or `}`.

mod classes;
mod formulas;
mod systems;

use crate::lexer::{Token, TokenKind, tokens};
use crate::syntax::{Design, Ident};
use diagnostic::{Code, Diagnostic};
use source::{FileId, Span};

/// Limit on the number of reported faults; the rest of the text is not read.
const MAX_DIAGNOSTICS: usize = 100;
/// Formulas, numbers and `for` are nested up to this depth, so that no text exhausts the stack.
const MAX_DEPTH: usize = 100;
/// Words with a meaning; they cannot be names.
const KEYWORDS: &[&str] = &[
    "root", "unit", "class", "cond", "var", "sync", "state", "initial", "calls", "before", "after",
    "step", "true", "nil", "any", "system", "for", "in", "policy", "property",
];
/// Words that will get a meaning later.
const RESERVED: &[&str] = &["when", "or", "final", "rank"];

/// Reads a design. Every text gives one; the faults in it are reported beside it.
pub fn parse(file: FileId, text: &str) -> (Design, Vec<Diagnostic>) {
    let mut faults = Vec::new();
    let tokens = tokens(file, 0, text, &mut faults);
    let mut parser = Parser { tokens, at: 0, faults, depth: 0 };
    let mut design = Design::default();
    while parser.peek().kind != TokenKind::End && parser.faults.len() < MAX_DIAGNOSTICS {
        parser.item(&mut design);
    }
    parser.faults.truncate(MAX_DIAGNOSTICS);
    (design, parser.faults)
}

/// Something that cannot be read; the fault was reported where it was met.
#[derive(Debug)]
pub(crate) struct Unreadable;

pub(crate) type Parsed<T> = Result<T, Unreadable>;

pub(crate) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    faults: Vec<Diagnostic>,
    depth: usize,
}

impl Parser {
    /// Reads a part of a text in another format, to its end. Faults are added to `into`.
    pub(crate) fn part<T>(
        (file, offset, text): (FileId, usize, &str),
        into: &mut Vec<Diagnostic>,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Option<T> {
        let mut faults = Vec::new();
        let tokens = tokens(file, offset, text, &mut faults);
        let mut parser = Self { tokens, at: 0, faults, depth: 0 };
        let mut found = read(&mut parser).ok();
        if found.is_some() && parser.peek().kind != TokenKind::End {
            found = parser.expected::<T>("the end of the line").ok();
        }
        into.append(&mut parser.faults);
        found
    }

    fn item(&mut self, design: &mut Design) {
        let read = if self.is_word("system") {
            self.system().map(|system| design.systems.push(system))
        } else if self.is_word("root") || self.is_word("unit") {
            self.class().map(|class| design.classes.push(class))
        } else {
            self.expected("`root class`, `unit class` or `system`")
        };
        if read.is_err() {
            self.skip_item();
        }
    }

    pub(crate) fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// The place of the token before.
    pub(crate) fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(crate) fn next(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Sign(found) if found == sign)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Name(found) if found.as_str() == word)
    }

    pub(crate) fn takes(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn takes_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    pub(crate) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.takes_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// A name that is not a keyword.
    pub(crate) fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let Token { kind, span } = self.peek().clone();
        let TokenKind::Name(name) = kind else { return self.expected(what) };
        if RESERVED.contains(&name.as_str()) {
            return self.fault(span, format!("`{name}` is reserved for a later version"));
        }
        if KEYWORDS.contains(&name.as_str()) {
            return self.fault(span, format!("{what} is expected here, and `{name}` is a keyword"));
        }
        self.next();
        Ok(Ident { name, span })
    }

    /// One or more of them, separated by commas.
    pub(crate) fn idents(&mut self, what: &str) -> Parsed<Vec<Ident>> {
        let mut all = vec![self.ident(what)?];
        while self.takes(",") {
            all.push(self.ident(what)?);
        }
        Ok(all)
    }

    pub(crate) fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let span = self.peek().span;
        self.fault(span, format!("{what} is expected here"))
    }

    pub(crate) fn fault<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.faults.push(Diagnostic::new(Code::SyntaxError, span, message));
        Err(Unreadable)
    }

    /// Reads something that may contain itself, unless that goes too deep.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek().span;
            let message = format!("nested more than {MAX_DEPTH} times");
            self.faults.push(Diagnostic::new(Code::NestingTooDeep, span, message));
            // A fault inside would only repeat this one.
            self.at = self.tokens.len() - 1;
            return Err(Unreadable);
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Goes behind the next `;`, or before the next `}`.
    pub(crate) fn skip_member(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                TokenKind::End => return,
                TokenKind::Sign("{") => depth += 1,
                TokenKind::Sign("}") if depth == 0 => return,
                TokenKind::Sign("}") => depth -= 1,
                TokenKind::Sign(";") if depth == 0 => {
                    self.next();
                    return;
                }
                _ => {}
            }
            self.next();
        }
    }

    /// Goes to the next class or system.
    fn skip_item(&mut self) {
        loop {
            self.next();
            let starts = self.is_word("root") || self.is_word("unit") || self.is_word("system");
            if starts || self.peek().kind == TokenKind::End {
                return;
            }
        }
    }
}
