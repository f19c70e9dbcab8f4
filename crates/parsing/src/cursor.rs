//! Looks at tokens, takes them and reports faults in them.

use crate::lexer::lex;
use crate::{Language, Token, syntax_error};
use diagnostic::{Code, Diagnostic};
use source::{FileId, Name, Span};

/// Limit on kept errors; nobody reads more, so further ones are only counted.
const MAX_ERRORS: usize = 200;

/// The fault was reported already.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

/// What a rule gives.
pub type Parsed<T> = Result<T, Reported>;

/// A place in a text's tokens, and the diagnostics up to there.
pub struct Cursor<'t, L> {
    text: &'t str,
    tokens: Vec<Token<L>>,
    /// The number of the current token.
    pub at: usize,
    /// The number of open levels of nesting.
    pub depth: u32,
    too_deep: bool,
    last_error: Option<usize>,
    error_count: usize,
    diagnostics: Vec<Diagnostic>,
}

#[expect(missing_docs, reason = "the short ones are what their names say")]
impl<'t, L: Language> Cursor<'t, L> {
    /// At the first token of a text.
    pub fn new(file: FileId, text: &'t str) -> Self {
        Self::of_part(file, text, 0)
    }

    /// At the first token of a text from a byte on.
    pub fn of_part(file: FileId, text: &'t str, start: usize) -> Self {
        let (tokens, diagnostics) = lex(file, text, start);
        Self {
            text,
            tokens,
            at: 0,
            depth: 0,
            too_deep: false,
            last_error: None,
            error_count: diagnostics.len(),
            diagnostics,
        }
    }

    /// All diagnostics, in the order of the text.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        diagnostics
    }

    pub fn token(&self) -> Token<L> {
        self.tokens[self.at]
    }

    pub fn kind(&self) -> L {
        self.token().kind
    }

    pub fn span(&self) -> Span {
        self.token().span
    }

    pub fn nth(&self, ahead: usize) -> L {
        self.tokens.get(self.at + ahead).map_or(L::END, |token| token.kind)
    }

    /// The place of a token further on.
    pub fn nth_span(&self, ahead: usize) -> Span {
        self.tokens.get(self.at + ahead).map_or(self.span(), |token| token.span)
    }

    pub fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// From the token that started at `start` up to the last token taken.
    pub fn span_from(&self, start: Span) -> Span {
        start.to(Span { start: start.start, ..self.previous_span() })
    }

    pub fn text_of(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub fn is_at(&self, kind: L) -> bool {
        self.kind() == kind
    }

    /// Whether the token is a name with this text: a word that means something only here.
    pub fn is_at_word(&self, word: &str) -> bool {
        self.is_at(L::IDENT) && self.text_of(self.span()) == word
    }

    /// Whether two tokens of this kind stand here without a gap, as in `[[`.
    pub fn is_at_double(&self, kind: L) -> bool {
        self.is_at(kind)
            && self.nth(1) == kind
            && self.span().end == self.tokens[self.at + 1].span.start
    }

    pub fn bump(&mut self) -> Token<L> {
        let token = self.token();
        if token.kind != L::END {
            self.at += 1;
        }
        token
    }

    /// Takes the first byte of a symbol; the rest of it is a token of this kind.
    pub fn bump_first_byte(&mut self, rest: L) {
        let token = &mut self.tokens[self.at];
        token.kind = rest;
        token.span.start += 1;
    }

    pub fn eat(&mut self, kind: L) -> bool {
        let found = self.is_at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub fn expect(&mut self, kind: L) -> Parsed<Token<L>> {
        if self.is_at(kind) {
            return Ok(self.bump());
        }
        let text = kind.text();
        Err(self.unexpected(&if kind.is_fixed() { format!("`{text}`") } else { text.into() }))
    }

    /// A name. A keyword in place of it is reported and taken as one, unless the keyword starts
    /// something, so that the name is missing.
    pub fn name(&mut self, what: &str, starts: bool) -> Parsed<(Name, Span)> {
        let Token { kind, span, .. } = self.token();
        if kind.is_keyword() && !starts {
            let word = kind.text();
            self.error(
                syntax_error(span, format!("`{word}` is a keyword"))
                    .at(format!("cannot be {what}"))
                    .help(format!("choose another name, such as `{word}_`")),
            );
        } else if !kind.is_name() {
            return Err(self.unexpected(what));
        }
        self.bump();
        Ok((Name::from(self.text_of(span)), span))
    }

    /// Opens a level of nesting, unless that is too deep.
    pub fn enter(&mut self) -> Parsed<()> {
        if self.depth >= L::MAX_DEPTH {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        Ok(())
    }
}

/// Reporting.
impl<L: Language> Cursor<'_, L> {
    /// Reports a fault at the current token, unless it would echo. After nesting that is too deep,
    /// the way back is guesswork, and errors found on it would mislead.
    pub fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.last_error != Some(self.at) && !self.too_deep && !self.token().after_stray {
            self.error_count += 1;
            if self.error_count <= MAX_ERRORS {
                self.diagnostics.push(diagnostic);
            }
        }
        self.last_error = Some(self.at);
        Reported
    }

    /// Reports that something else stands here.
    pub fn unexpected(&mut self, expected: &str) -> Reported {
        let found = self.describe();
        let message = format!("expected {expected}, found {found}");
        self.error(syntax_error(self.span(), message).at(format!("expected {expected}")))
    }

    /// A description of the current token for messages.
    pub fn describe(&self) -> String {
        match self.kind() {
            kind if kind == L::END => kind.text().into(),
            kind if kind.is_keyword() => format!("keyword `{}`", kind.text()),
            _ => format!("`{}`", self.text_of(self.span())),
        }
    }

    /// Reports nesting that is too deep, once.
    pub fn too_deep(&mut self, span: Span) -> Reported {
        if !self.too_deep {
            self.too_deep = true;
            let (depth, height) = (L::MAX_DEPTH, L::MAX_HEIGHT);
            self.diagnostics.push(
                Diagnostic::new(Code::NestingTooDeep, span, "nested too deeply")
                    .at(format!("more than {depth} levels, or an expression higher than {height}"))
                    .help(L::SHALLOWER),
            );
        }
        self.hush();
        Reported
    }

    /// Suppresses further reports at the current token.
    pub fn hush(&mut self) {
        self.last_error = Some(self.at);
    }
}
