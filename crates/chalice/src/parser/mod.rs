//! Tokens to syntax tree, by recursive descent.
//!
//! A rule that fails has reported why and returns [`Reported`]; items, members and statements catch it, skip to where the
//! next one may start, and go on. At most one error is reported per token, so that one fault does not echo.

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

use crate::lexer::{Token, TokenKind, lex, syntax_error};
use crate::syntax::{Ident, Program};
use diagnostic::{Code, Diagnostic};
use source::{FileId, Name, Span};

/// The syntax tree of a text and what is wrong with it. Whatever the text, this neither fails nor panics.
pub fn parse(file: FileId, text: &str) -> (Program, Vec<Diagnostic>) {
    let (tokens, diagnostics) = lex(file, text);
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        depth: 0,
        too_deep: false,
        last_error: None,
        error_count: diagnostics.len(),
        diagnostics,
    };
    let items = parser.program_items();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    (Program { items, parameters: parameters(text) }, diagnostics)
}

/// The options that a test asks for in its first line.
fn parameters(text: &str) -> Vec<String> {
    let first = text.lines().next().unwrap_or_default();
    let options = first.strip_prefix("// chalice-parameter=").unwrap_or_default();
    options.split_whitespace().map(str::to_owned).collect()
}

/// How deep blocks, parentheses and the like may nest, together. Every later pass may recurse this deep.
const MAX_DEPTH: u32 = 200;

/// How high an expression's tree may be: long sums are deep on their left side without nesting in the text.
const MAX_HEIGHT: u32 = 500;

/// Errors beyond this many are counted but not kept: nobody reads them.
const MAX_ERRORS: usize = 200;

/// The fault was reported already.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    too_deep: bool,
    last_error: Option<usize>,
    error_count: usize,
    diagnostics: Vec<Diagnostic>,
}

/// Looking at tokens and taking them.
impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn nth(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.at + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// From the token that started at `start` up to the last token taken.
    fn span_from(&self, start: Span) -> Span {
        start.to(Span { start: start.start, ..self.previous_span() })
    }

    fn token_text(&self, token: Token) -> &str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    fn is_at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Whether the token is a name with this text: a word that means something only here.
    fn is_at_word(&self, word: &str) -> bool {
        self.is_at(TokenKind::Ident) && self.token_text(self.token()) == word
    }

    /// Whether two tokens of this kind stand here without a gap, as in `[[`.
    fn is_at_double(&self, kind: TokenKind) -> bool {
        self.is_at(kind)
            && self.nth(1) == kind
            && self.span().end == self.tokens[self.at + 1].span.start
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is_at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.is_at(kind) { Ok(self.bump()) } else { Err(self.unexpected(&quoted(kind))) }
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let token = self.token();
        if token.kind.is_keyword() && !self.is_at_member() {
            let word = token.kind.text();
            self.error(
                syntax_error(token.span, format!("`{word}` is a keyword"))
                    .at(format!("cannot be {what}"))
                    .help(format!("choose another name, such as `{word}_`")),
            );
        } else if !token.kind.is_name() {
            return Err(self.unexpected(what));
        }
        let name = Name::from(self.token_text(token));
        self.bump();
        Ok(Ident { name, span: token.span })
    }

    /// One or more, with commas between.
    fn comma_list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(TokenKind::Comma) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Runs a rule one level deeper, unless that is too deep.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }
}

/// Reporting.
impl Parser<'_> {
    /// After nesting that is too deep, the way back is guesswork, and errors found on it would mislead.
    fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.last_error != Some(self.at) && !self.too_deep && !self.token().after_stray {
            self.error_count += 1;
            if self.error_count <= MAX_ERRORS {
                self.diagnostics.push(diagnostic);
            }
        }
        self.last_error = Some(self.at);
        Reported
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        let found = self.describe();
        let message = format!("expected {expected}, found {found}");
        self.error(syntax_error(self.span(), message).at(format!("expected {expected}")))
    }

    fn describe(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the file".into(),
            kind if kind.is_keyword() => format!("keyword `{}`", kind.text()),
            _ => format!("`{}`", self.token_text(self.token())),
        }
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        if !self.too_deep {
            self.too_deep = true;
            self.diagnostics.push(
                Diagnostic::new(Code::of("nesting-too-deep"), span, "nested too deeply")
                    .at(format!(
                        "more than {MAX_DEPTH} levels, or an expression higher than {MAX_HEIGHT}"
                    ))
                    .help("name parts of it with `predicate`, `function` or `method`"),
            );
        }
        self.last_error = Some(self.at);
        Reported
    }
}

fn quoted(kind: TokenKind) -> String {
    match kind {
        TokenKind::Ident | TokenKind::Int(_) | TokenKind::Str | TokenKind::End => {
            kind.text().into()
        }
        _ => format!("`{}`", kind.text()),
    }
}
