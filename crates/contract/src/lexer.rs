//! Design text as tokens.

use diagnostic::{Code, Diagnostic};
use source::{FileId, Name, Span, number};

/// One token and its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name(Name),
    Number(i64),
    Sign(&'static str),
    End,
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "==>", "->", ":=", "!=", "==", ">=", "..", "{", "}", "(", ")", "[", "]", ";", ":", ",", ".",
    "=", "^", "&", "|", "!", "*", "/", "+", "%", "-",
];

/// All tokens of a text that begins at a given offset of its file. Characters that form no token
/// are reported and skipped.
pub(crate) fn tokens(
    file: FileId,
    offset: usize,
    text: &str,
    faults: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = token(rest, first);
        let span = place(file, offset + at, offset + at + length);
        at += length;
        match kind {
            Ok(kind) => all.push(Token { kind, span }),
            Err(message) => faults.push(Diagnostic::new(Code::SyntaxError, span, message)),
        }
    }
    all.push(Token { kind: TokenKind::End, span: place(file, offset + at, offset + at) });
    all
}

fn token(rest: &str, first: char) -> (Result<TokenKind, String>, usize) {
    let word = |more: fn(char) -> bool| rest.find(|c| !more(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let length = word(|c| c.is_ascii_digit());
        let number = rest[..length].parse().map(TokenKind::Number);
        return (number.map_err(|_| "this number is too large".to_owned()), length);
    }
    if first.is_alphabetic() || first == '_' {
        let length = word(|c| c.is_alphanumeric() || c == '_');
        return (Ok(TokenKind::Name(rest[..length].into())), length);
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => (Ok(TokenKind::Sign(sign)), sign.len()),
        None => (Err(format!("`{first}` has no meaning here")), first.len_utf8()),
    }
}

pub(crate) fn place(file: FileId, start: usize, end: usize) -> Span {
    Span::new(file, number(start), number(end))
}
