//! Text to tokens, with the preprocessor: comments and `#include` are dropped, macros replaced.

use source::{FileId, Span};
use std::collections::BTreeMap;

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
    /// The value, and whether it says `u` or `l`.
    Number(i128, bool, bool),
    Text,
    /// An operator or a bracket.
    Sign(&'static str),
    /// Something C does not know, or a number with a fraction.
    Strange,
    End,
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "{", "}", "(", ")", "[", "]", ";", ",", ":",
    "?", "=", "+", "-", "*", "/", "%", "<", ">", "!", "&", "|", "^", "~", ".", "#",
];

/// A macro.
#[derive(Clone, Debug)]
struct Macro {
    /// Nothing if it has no parameter list.
    params: Option<Vec<String>>,
    body: Vec<Token>,
}

/// What came of a text.
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<Token>,
    /// Definitions from outside that the text defines too.
    pub(crate) used: Vec<String>,
}

/// Macros may expand to so many tokens in all.
const MAX_TOKENS: usize = 2_000_000;
/// And so deep.
const MAX_DEPTH: usize = 40;

/// The tokens of a text, ended by [`Kind::End`]. `definitions` take the place of macros of the same names.
pub(crate) fn tokens(file: FileId, text: &str, definitions: &[(String, String)]) -> Tokens {
    let mut reader = Reader { file, text, at: 0 };
    let mut state = Preprocessor {
        definitions,
        macros: BTreeMap::new(),
        used: Vec::new(),
        skipping: Vec::new(),
    };
    let mut raw = Vec::new();
    let mut out = Vec::new();
    loop {
        let fresh = reader.skip_blank();
        if reader.rest().is_empty() {
            break;
        }
        if fresh && reader.rest().starts_with('#') {
            state.expand_all(&mut raw, &mut out);
            let line = reader.directive();
            raw.extend(state.directive(file, line));
            continue;
        }
        let token = reader.token();
        if state.is_kept() {
            raw.push(token);
        }
    }
    state.expand_all(&mut raw, &mut out);
    let end = offset(text.len());
    out.push(Token { kind: Kind::End, span: Span::new(file, end, end) });
    Tokens { tokens: out, used: state.used }
}

struct Preprocessor<'d> {
    definitions: &'d [(String, String)],
    macros: BTreeMap<String, Macro>,
    used: Vec<String>,
    /// Per open `#if`, whether what stands here is left out; nothing if that is not known, then all of it is.
    skipping: Vec<Option<bool>>,
}

impl Preprocessor<'_> {
    /// Which of two texts is meant must not be guessed: a condition that is not understood is a strange token.
    fn directive(&mut self, file: FileId, (start, line): (usize, &str)) -> Option<Token> {
        let mut reader = Reader { file, text: line, at: 1 };
        let mut words = Vec::new();
        loop {
            reader.skip_blank();
            if reader.rest().is_empty() {
                break;
            }
            let mut token = reader.token();
            token.span.start += offset(start);
            token.span.end += offset(start);
            words.push(token);
        }
        let Some(Token { kind: Kind::Name(word), .. }) = words.first() else { return None };
        let name = match words.get(1).map(|token| &token.kind) {
            Some(Kind::Name(name)) => Some(name.clone()),
            _ => None,
        };
        let known =
            |name: &Option<String>| name.as_ref().is_some_and(|n| self.macros.contains_key(n));
        match word.as_str() {
            "ifdef" => self.skipping.push(Some(!known(&name))),
            "ifndef" => self.skipping.push(Some(known(&name))),
            "if" => match words.get(1..).unwrap_or_default() {
                [Token { kind: Kind::Number(value, ..), .. }] => {
                    self.skipping.push(Some(*value == 0));
                }
                _ => return self.not_understood(true, words.remove(0)),
            },
            "elif" => return self.not_understood(false, words.remove(0)),
            "else" => {
                if let Some(Some(skipped)) = self.skipping.last_mut() {
                    *skipped = !*skipped;
                }
            }
            "endif" => {
                self.skipping.pop();
            }
            "define" if self.is_kept() => {
                if let Some(name) = name {
                    self.define(file, name, line, &words);
                }
            }
            "undef" if self.is_kept() => {
                if let Some(name) = name {
                    self.macros.remove(&name);
                }
            }
            _ => {}
        }
        None
    }

    /// Whether what stands here counts.
    fn is_kept(&self) -> bool {
        self.skipping.iter().all(|skipped| *skipped == Some(false))
    }

    /// None of the texts counts, and a strange token stands for them; inside a part that is left out nothing is said.
    fn not_understood(&mut self, opens: bool, word: Token) -> Option<Token> {
        let outside = if opens { self.is_kept() } else { true };
        if !opens {
            self.skipping.pop();
        }
        self.skipping.push(None);
        outside.then_some(Token { kind: Kind::Strange, span: word.span })
    }

    fn define(&mut self, file: FileId, name: String, line: &str, words: &[Token]) {
        let given = self.definitions.iter().find(|(defined, _)| *defined == name);
        if let Some((_, value)) = given {
            let mut reader = Reader { file, text: value, at: 0 };
            reader.skip_blank();
            let body = if reader.rest().is_empty() { Vec::new() } else { vec![reader.token()] };
            self.used.push(name.clone());
            self.macros.insert(name, Macro { params: None, body });
            return;
        }
        // Parameters follow only if the parenthesis touches the name.
        let touches = line.find(&name).is_some_and(|at| line[at + name.len()..].starts_with('('));
        let close = words.iter().position(|token| token.kind == Kind::Sign(")"));
        let made = match close {
            Some(close) if touches => {
                let params = words[2..close].iter().filter_map(|token| match &token.kind {
                    Kind::Name(name) => Some(name.clone()),
                    _ => None,
                });
                Macro { params: Some(params.collect()), body: words[close + 1..].to_vec() }
            }
            _ => Macro { params: None, body: words[2..].to_vec() },
        };
        self.macros.insert(name, made);
    }

    /// Replaces macros in what was read so far.
    fn expand_all(&self, raw: &mut Vec<Token>, out: &mut Vec<Token>) {
        let taken = std::mem::take(raw);
        self.expand(&taken, &mut Vec::new(), out);
    }

    fn expand(&self, tokens: &[Token], inside: &mut Vec<String>, out: &mut Vec<Token>) {
        let mut at = 0;
        while at < tokens.len() && out.len() < MAX_TOKENS {
            let token = &tokens[at];
            at += 1;
            let Kind::Name(name) = &token.kind else {
                out.push(token.clone());
                continue;
            };
            let made = self
                .macros
                .get(name)
                .filter(|_| !inside.contains(name) && inside.len() < MAX_DEPTH);
            let (body, next) = match made {
                Some(Macro { params: None, body }) => (body.clone(), at),
                Some(Macro { params: Some(params), body }) => match arguments(&tokens[at..]) {
                    Some((given, length)) => (substituted(params, &given, body), at + length),
                    None => {
                        out.push(token.clone());
                        continue;
                    }
                },
                None => {
                    out.push(token.clone());
                    continue;
                }
            };
            at = next;
            let moved: Vec<Token> =
                body.into_iter().map(|t| Token { span: token.span, ..t }).collect();
            inside.push(name.clone());
            self.expand(&moved, inside, out);
            inside.pop();
        }
    }
}

/// The arguments of a macro, and how many tokens they take with their parentheses.
fn arguments(tokens: &[Token]) -> Option<(Vec<Vec<Token>>, usize)> {
    if tokens.first()?.kind != Kind::Sign("(") {
        return None;
    }
    let mut given = vec![Vec::new()];
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Sign("(") => depth += 1,
            Kind::Sign(")") if depth == 1 => return Some((given, at + 1)),
            Kind::Sign(")") => depth -= 1,
            Kind::Sign(",") if depth == 1 => {
                given.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if at > 0 {
            given.last_mut()?.push(token.clone());
        }
    }
    None
}

fn substituted(params: &[String], given: &[Vec<Token>], body: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    for token in body {
        let param = match &token.kind {
            Kind::Name(name) => params.iter().position(|param| param == name),
            _ => None,
        };
        match param.and_then(|at| given.get(at)) {
            Some(argument) => out.extend(argument.iter().cloned()),
            None => out.push(token.clone()),
        }
    }
    out
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments; whether a line begins here.
    fn skip_blank(&mut self) -> bool {
        let mut fresh = self.at == 0;
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            fresh |= rest[..rest.len() - trimmed.len()].contains('\n');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.at += trimmed.find("*/").map_or(trimmed.len(), |end| end + 2);
            } else if trimmed.starts_with("\\\n") {
                self.at += 2;
            } else {
                return fresh;
            }
        }
    }

    /// A line with `#`, and those it is continued on.
    fn directive(&mut self) -> (usize, &'t str) {
        let start = self.at;
        loop {
            let end = self.rest().find('\n').map_or(self.text.len(), |end| self.at + end);
            let continued = self.text[start..end].trim_end_matches('\r').ends_with('\\');
            self.at = end;
            if !continued || end == self.text.len() {
                return (start, &self.text[start..end]);
            }
            self.at += 1;
        }
    }

    fn token(&mut self) -> Token {
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
            (Kind::Text, quoted(rest, '"'))
        } else if first == '\'' {
            character(rest)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            (Kind::Strange, first.len_utf8())
        };
        self.at += length;
        Token { kind, span: Span::new(self.file, offset(start), offset(self.at)) }
    }
}

fn number(rest: &str) -> (Kind, usize) {
    let end = |c: char| !c.is_ascii_alphanumeric() && c != '.';
    let length = rest.find(end).unwrap_or(rest.len());
    let whole = rest[..length].to_ascii_lowercase();
    let digits = whole.trim_end_matches(['u', 'l']);
    let value = match digits.strip_prefix("0x") {
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16),
        None if digits.len() > 1 && digits.starts_with('0') => {
            i128::from_str_radix(&digits[1..], 8)
        }
        None => digits.parse(),
    };
    let suffix = &whole[digits.len()..];
    let kind = value
        .map_or(Kind::Strange, |v| Kind::Number(v, suffix.contains('u'), suffix.contains('l')));
    (kind, length)
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
    let inner: Vec<char> = rest[..length].trim_matches('\'').chars().collect();
    let value = match inner[..] {
        [c] => Some(u32::from(c)),
        ['\\', 'n'] => Some(10),
        ['\\', 't'] => Some(9),
        ['\\', '0'] => Some(0),
        _ => None,
    };
    (value.map_or(Kind::Strange, |value| Kind::Number(i128::from(value), false, false)), length)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
