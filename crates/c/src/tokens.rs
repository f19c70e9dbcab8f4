//! Text to tokens. Comments and broken lines were removed before; macros are replaced afterwards.

use crate::text::Plain;
use source::{FileId, Span};

/// A token. One that comes from a macro has the place where the macro is used.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name(String),
    /// The value and its type: the number of bits, and whether there are negative numbers.
    Number(i128, u32, bool),
    Text(String),
    /// An operator or a bracket.
    Sign(&'static str),
    /// Something that is not C, or a number with a fraction.
    Strange,
    End,
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "{", "}", "(", ")", "[", "]", ";", ",", ":",
    "?", "=", "+", "-", "*", "/", "%", "<", ">", "!", "&", "|", "^", "~", ".", "#",
];

/// Reads tokens from a part of a text.
pub(crate) struct Reader<'t> {
    pub(crate) file: FileId,
    pub(crate) plain: &'t Plain,
    pub(crate) at: usize,
    pub(crate) end: usize,
}

impl<'t> Reader<'t> {
    pub(crate) fn rest(&self) -> &'t str {
        &self.plain.text[self.at..self.end]
    }

    /// Skips blanks; returns whether a line begins here.
    pub(crate) fn skip_blank(&mut self) -> bool {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let fresh = self.at == 0 || rest[..rest.len() - trimmed.len()].contains('\n');
        self.at += rest.len() - trimmed.len();
        fresh
    }

    /// The rest of this line.
    pub(crate) fn line(&mut self) -> Reader<'t> {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        let line = Reader { end: self.at + length, ..*self };
        self.at += length;
        line
    }

    /// All tokens that are left.
    pub(crate) fn all(mut self) -> Vec<Token> {
        let mut all = Vec::new();
        loop {
            self.skip_blank();
            if self.rest().is_empty() {
                return all;
            }
            all.push(self.token());
        }
    }

    pub(crate) fn token(&mut self) -> Token {
        let start = self.at;
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or(' ');
        let (kind, length) = if first.is_ascii_alphabetic() || first == '_' {
            let length =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            (Kind::Name(rest[..length].to_owned()), length)
        } else if first.is_ascii_digit() {
            number(rest)
        } else if first == '"' {
            let length = quoted(rest, '"');
            let inner = rest[1..length].strip_suffix('"');
            (inner.map_or(Kind::Strange, |inner| Kind::Text(inner.to_owned())), length)
        } else if first == '\'' {
            character(rest)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            (Kind::Strange, first.len_utf8())
        };
        self.at += length;
        Token { kind, span: self.span(start, self.at) }
    }

    /// The place in the text as it was written.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let origin = |at: usize| source::number(self.plain.origin(at));
        let start_origin = origin(start);
        let end = if end > start { origin(end - 1) + 1 } else { start_origin };
        Span::new(self.file, start_origin, end.max(start_origin))
    }
}

/// A number and its length. A number that is not a whole number of at most 64 bits is strange.
fn number(rest: &str) -> (Kind, usize) {
    let mut length =
        rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
    // The sign of an exponent belongs to the number.
    let is_exponent = |c: char| matches!(c.to_ascii_lowercase(), 'e' | 'p');
    if rest[..length].ends_with(is_exponent)
        && !rest.starts_with("0x")
        && rest[length..].starts_with(['+', '-'])
    {
        length += 1;
    }
    let whole = rest[..length].to_ascii_lowercase();
    let digits = whole.trim_end_matches(['u', 'l']);
    let (value, is_decimal) = match digits.strip_prefix("0x") {
        Some(hexadecimal) => (i128::from_str_radix(hexadecimal, 16), false),
        None if digits.len() > 1 && digits.starts_with('0') => {
            (i128::from_str_radix(&digits[1..], 8), false)
        }
        None => (digits.parse(), true),
    };
    let suffix = &whole[digits.len()..];
    let is_suffix = matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu");
    let kind = match value {
        Ok(value) if is_suffix => typed(value, suffix, is_decimal),
        _ => Kind::Strange,
    };
    (kind, length)
}

/// The first type that the number fits into; only decimal numbers are never unsigned by themselves.
fn typed(value: i128, suffix: &str, is_decimal: bool) -> Kind {
    let (unsigned, long) = (suffix.contains('u'), suffix.contains('l'));
    for (bits, signed) in [(32, true), (32, false), (64, true), (64, false)] {
        let allowed =
            (bits == 64 || !long) && if signed { !unsigned } else { unsigned || !is_decimal };
        let most = if signed { 1_i128 << (bits - 1) } else { 1_i128 << bits };
        if allowed && value < most {
            return Kind::Number(value, bits, signed);
        }
    }
    Kind::Strange
}

/// The length of a quoted text.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, c) in rest.char_indices() {
        match c {
            '\n' => return at.max(1),
            _ if at > 0 && c == quote && !escaped => return at + 1,
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            _ => {}
        }
        escaped = false;
    }
    rest.len()
}

fn character(rest: &str) -> (Kind, usize) {
    let length = quoted(rest, '\'');
    let inner = rest[..length].strip_prefix('\'').and_then(|inner| inner.strip_suffix('\''));
    let inner: Vec<char> = inner.unwrap_or_default().chars().collect();
    let value = match inner[..] {
        [c] if c.is_ascii() && c != '\\' => Some(u32::from(c)),
        ['\\', c] => match c {
            'n' => Some(10),
            't' => Some(9),
            'r' => Some(13),
            'a' => Some(7),
            'b' => Some(8),
            'f' => Some(12),
            'v' => Some(11),
            '\\' | '\'' | '"' | '?' => Some(u32::from(c)),
            '0'..='7' => c.to_digit(8),
            _ => None,
        },
        _ => None,
    };
    (value.map_or(Kind::Strange, |value| Kind::Number(i128::from(value), 32, true)), length)
}
