//! Rule text as tokens.

use crate::parser::{ParseError, Place};

/// One token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A constant or predicate.
    Name(String),
    /// A variable.
    Variable(String),
    Integer(i64),
    /// A symbol of the language.
    Sign(&'static str),
    /// The end of a rule or declaration.
    Stop,
    End,
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "==>", "<=>", "==", "!=", "<=", ">=", "<", ">", "(", ")", ",", "\\", "|", "@", ";", "/", "+",
    "-", "*",
];

/// All tokens. Characters that form no token are reported and skipped.
pub(crate) fn tokens(text: &str, errors: &mut Vec<ParseError>) -> Vec<Token> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if first == '%' || rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = token(rest, first);
        let place = Place { start: at, end: at + length };
        at += length;
        match kind {
            Some(kind) => all.push(Token { kind, place }),
            None => {
                let message = format!("`{first}` has no meaning here");
                errors.push(ParseError { place, message });
            }
        }
    }
    all.push(Token { kind: TokenKind::End, place: Place { start: at, end: at } });
    all
}

fn token(rest: &str, first: char) -> (Option<TokenKind>, usize) {
    let word = |more: fn(char) -> bool| rest.find(|c| !more(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let length = word(|c| c.is_ascii_digit());
        return (rest[..length].parse().ok().map(TokenKind::Integer), length);
    }
    if first.is_alphabetic() || first == '_' {
        let length = word(|c| c.is_alphanumeric() || c == '_');
        let name = rest[..length].to_owned();
        let is_variable = first.is_uppercase() || first == '_';
        let kind = if is_variable { TokenKind::Variable(name) } else { TokenKind::Name(name) };
        return (Some(kind), length);
    }
    if first == '\'' {
        return match rest[1..].find('\'') {
            Some(end) => (Some(TokenKind::Name(rest[1..=end].to_owned())), end + 2),
            None => (None, 1),
        };
    }
    if first == '.' {
        return (Some(TokenKind::Stop), 1);
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => (Some(TokenKind::Sign(sign)), sign.len()),
        None => (None, first.len_utf8()),
    }
}
