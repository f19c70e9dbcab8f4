//! The preprocessor: directives, and the text that they leave.
//!
//! Directives decide what the program is. So an unknown one is refused, and the text with it.

use crate::headers;
use crate::macros::{Macro, Macros};
use crate::parse::{self, Stuck};
use crate::text::Plain;
use crate::tokens::{Kind, Reader, Token};
use source::{FileId, Span, number};

/// The result of preprocessing a text.
pub(crate) struct Preprocessed {
    pub(crate) tokens: Vec<Token>,
    /// Definitions from outside that the text defines, too.
    pub(crate) used: Vec<String>,
    /// The reasons why it is not known what the program is.
    pub(crate) refused: Vec<Stuck>,
}

/// The tokens of a text, ended by [`Kind::End`]. `definitions` replace macros of the same names.
pub(crate) fn tokens(file: FileId, text: &str, definitions: &[(String, String)]) -> Preprocessed {
    let plain = Plain::of(text);
    let mut reader = Reader { file, plain: &plain, at: 0, end: plain.text.len() };
    let mut state = Preprocessor {
        file,
        definitions,
        macros: Macros::default(),
        raw: Vec::new(),
        out: Preprocessed { tokens: Vec::new(), used: Vec::new(), refused: Vec::new() },
        open: Vec::new(),
    };
    loop {
        let fresh = reader.skip_blank();
        if reader.rest().is_empty() {
            break;
        }
        if fresh && (reader.rest().starts_with('#') || reader.rest().starts_with("%:")) {
            let line = reader.line();
            state.directive(line);
            continue;
        }
        let token = reader.token();
        if state.is_kept() {
            state.raw.push(token);
        }
    }
    state.flush();
    let end = reader.span(plain.text.len(), plain.text.len());
    if let Some(at) = plain.open_comment {
        let at = number(at);
        state.refuse(Span::new(file, at, at + 2), "this comment does not end");
    }
    if !state.open.is_empty() {
        state.refuse(end, "an `#if` does not end");
    }
    let mut out = state.out;
    out.tokens.push(Token { kind: Kind::End, span: end });
    out
}

/// An open `#if`.
struct Open {
    /// Whether the text here counts, as far as this `#if` says.
    kept: bool,
    /// Whether one of its texts was chosen, so that the others are not.
    chosen: bool,
    /// Whether `#else` was seen.
    last: bool,
}

struct Preprocessor<'d> {
    file: FileId,
    definitions: &'d [(String, String)],
    macros: Macros,
    /// Tokens in which macros are not replaced yet.
    raw: Vec<Token>,
    out: Preprocessed,
    open: Vec<Open>,
}

impl Preprocessor<'_> {
    /// Whether the text here counts.
    fn is_kept(&self) -> bool {
        self.open.iter().all(|open| open.kept)
    }

    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.out.refused.push(Stuck { span, message: message.into() });
    }

    /// Replaces macros in the tokens read so far, before the macros change.
    fn flush(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        let end = raw.last().map(|token| token.span);
        if !self.macros.expand(raw, &mut self.out.tokens)
            && let Some(span) = end
        {
            self.refuse(span, "macros become too much text before this");
        }
    }

    fn directive(&mut self, line: Reader<'_>) {
        let (text, span) = (line.rest(), line.span(line.at, line.end));
        if text.starts_with('%') {
            if self.is_kept() {
                self.refuse(span, "`%:` is not supported; write `#`");
            }
            return;
        }
        let words = Reader { at: line.at + 1, ..line }.all();
        let Some(first) = words.first() else { return };
        let word = match &first.kind {
            Kind::Name(word) => word.as_str(),
            // A line number from another preprocessor; it says nothing about the program.
            Kind::Number(..) => return,
            _ => "",
        };
        match word {
            "if" | "ifdef" | "ifndef" => self.open_if(word, &words, span),
            "elif" | "else" | "endif" => self.next_if(word, &words, span),
            _ if !self.is_kept() => {}
            "define" => {
                self.flush();
                self.define(text, &words, span);
            }
            "undef" => {
                self.flush();
                match &words[1..] {
                    [Token { kind: Kind::Name(name), .. }] => self.macros.remove(name),
                    _ => self.refuse(span, "one name is expected here"),
                }
            }
            "include" => self.include(text, span),
            "pragma" => self.pragma(&words, span),
            "line" | "ident" | "sccs" | "warning" => {}
            "error" => self.refuse(span, "the text says that this is an error"),
            _ => self.refuse(span, "this directive is not known"),
        }
    }

    fn open_if(&mut self, word: &str, words: &[Token], span: Span) {
        let kept = self.is_kept() && self.condition(word, words, span);
        // Inside of a text that is left out no text is chosen.
        let chosen = kept || !self.is_kept();
        self.open.push(Open { kept, chosen, last: false });
    }

    fn next_if(&mut self, word: &str, words: &[Token], span: Span) {
        let Some(mut open) = self.open.pop().filter(|open| word == "endif" || !open.last) else {
            self.refuse(span, format!("`#{word}` without its `#if`"));
            return;
        };
        if word == "endif" {
            return;
        }
        open.kept = !open.chosen && (word == "else" || self.condition("if", words, span));
        open.chosen |= open.kept;
        open.last = word == "else";
        self.open.push(open);
    }

    /// Whether a condition holds. The preprocessor must not guess which of two texts is meant.
    fn condition(&mut self, word: &str, words: &[Token], span: Span) -> bool {
        let value = if word == "if" {
            self.number(&words[1..])
        } else {
            match &words[1..] {
                [Token { kind: Kind::Name(name), .. }] => {
                    self.is_defined(name).map(|defined| defined == (word == "ifdef"))
                }
                _ => Err("one name is expected here".to_owned()),
            }
        };
        value.unwrap_or_else(|message| {
            self.refuse(span, message);
            false
        })
    }

    fn is_defined(&self, name: &str) -> Result<bool, String> {
        if self.macros.contains(name) {
            return Ok(true);
        }
        if headers::may_be_defined(name) {
            return Err(format!(
                "whether `{name}` is defined depends on the compiler and its headers; define it, or check \
                 the output of `cc -E`"
            ));
        }
        Ok(false)
    }

    /// The value of a condition of `#if`.
    fn number(&self, words: &[Token]) -> Result<bool, String> {
        let mut given = Vec::new();
        let mut at = 0;
        while let Some(token) = words.get(at) {
            at += 1;
            if token.kind != Kind::Name("defined".to_owned()) {
                given.push(token.clone());
                continue;
            }
            let kinds: Vec<&Kind> = words[at..].iter().take(3).map(|token| &token.kind).collect();
            let (name, length) = match kinds[..] {
                [Kind::Name(name), ..] => (name, 1),
                [Kind::Sign("("), Kind::Name(name), Kind::Sign(")")] => (name, 3),
                _ => return Err("a name is expected after `defined`".to_owned()),
            };
            at += length;
            let value = i128::from(self.is_defined(name)?);
            given.push(Token { kind: Kind::Number(value, 64, true), span: token.span });
        }
        let mut all = Vec::new();
        if !self.macros.expand(given, &mut all) {
            return Err("macros become too much text here".to_owned());
        }
        for token in &mut all {
            match &token.kind {
                // Names that are not macros are 0.
                Kind::Name(name) => {
                    self.is_defined(name)?;
                    token.kind = Kind::Number(0, 64, true);
                }
                // All numbers have 64 bits here.
                &Kind::Number(value, _, signed) => token.kind = Kind::Number(value, 64, signed),
                _ => {}
            }
        }
        let value = parse::constant(all);
        value.map(|value| value != 0).ok_or_else(|| "this condition is not understood".to_owned())
    }

    /// Headers are not read. Those of the libraries are known; others might say anything.
    fn include(&mut self, text: &str, span: Span) {
        let name = text.trim_start_matches('#').trim_start().trim_start_matches("include").trim();
        let known = name.strip_prefix('<').and_then(|name| name.strip_suffix('>')).map(str::trim);
        match known {
            Some("assert.h") => {
                self.flush();
                self.macros.include_assert();
            }
            Some(name) if headers::is_header(name) => {}
            _ => self.refuse(
                span,
                format!("{name} is not read, and may change what the program is; check the output of `cc -E`"),
            ),
        }
    }

    /// Pragmas that are about warnings and layout only.
    fn pragma(&mut self, words: &[Token], span: Span) {
        let names: Vec<&str> = words[1..]
            .iter()
            .map_while(|token| match &token.kind {
                Kind::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let known = matches!(
            names[..],
            ["once" | "message" | "pack" | "STDC", ..]
                | ["GCC" | "clang", "diagnostic" | "system_header", ..]
        );
        if !known {
            self.refuse(span, "this pragma is not known, and may change what the program does");
        }
    }

    fn define(&mut self, text: &str, words: &[Token], span: Span) {
        let Some(Token { kind: Kind::Name(name), .. }) = words.get(1) else {
            self.refuse(span, "a name is expected here");
            return;
        };
        let given = self.definitions.iter().find(|(defined, _)| defined == name);
        if let Some((_, value)) = given {
            let plain = Plain::of(value);
            let reader = Reader { file: self.file, plain: &plain, at: 0, end: plain.text.len() };
            let body = reader.all();
            self.out.used.push(name.clone());
            self.macros.insert(name.clone(), Macro { params: None, is_open: false, body });
            return;
        }
        // Parameters follow only if the parenthesis touches the name.
        let after = text.find("define").map_or("", |at| text[at + "define".len()..].trim_start());
        let made = if after[name.len().min(after.len())..].starts_with('(') {
            Macro::with_params(&words[2..])
        } else {
            Some(Macro { params: None, is_open: false, body: words[2..].to_vec() })
        };
        match made {
            Some(made) => self.macros.insert(name.clone(), made),
            None => self.refuse(span, "parameters of a macro are names in parentheses"),
        }
    }
}
