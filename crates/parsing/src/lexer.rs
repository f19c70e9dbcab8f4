//! Text to tokens. It never fails: characters that form no token are reported and left out.

use crate::{LARGEST_LITERAL, Language, Token, syntax_error};
use diagnostic::Diagnostic;
use source::{FileId, Span, number};

/// The tokens of a text from a byte on; the last one is [`Kind::END`](crate::Kind::END).
pub(crate) fn lex<L: Language>(
    file: FileId,
    text: &str,
    at: usize,
) -> (Vec<Token<L>>, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let span = Span::new(file, 0, 0);
        let end = Token { kind: L::END, span, after_stray: false };
        return (vec![end], vec![syntax_error(span, "the text is larger than 4 GiB")]);
    }
    let (tokens, diagnostics) = (Vec::new(), Vec::new());
    let mut lexer = Lexer { file, text, at, after_stray: false, tokens, diagnostics };
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'t, L> {
    file: FileId,
    text: &'t str,
    at: usize,
    after_stray: bool,
    tokens: Vec<Token<L>>,
    diagnostics: Vec<Diagnostic>,
}

impl<L: Language> Lexer<'_, L> {
    fn run(&mut self) {
        if self.rest().starts_with('\u{feff}') {
            self.at += '\u{feff}'.len_utf8();
        }
        while let Some(next) = self.rest().chars().next() {
            let start = self.at;
            if next.is_whitespace() {
                self.at += next.len_utf8();
            } else if self.rest().starts_with("//") {
                self.skip_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                self.block_comment();
            } else if next.is_ascii_digit() {
                self.number();
            } else if let (Some(kind), '"' | '\'') = (L::STRING, next) {
                self.string(kind, next);
            } else if starts_name(next) {
                self.skip_while(continues_name);
                let kind = match &self.text[start..self.at] {
                    "_" => L::UNDERSCORE,
                    word => L::word(word).unwrap_or(L::IDENT),
                };
                self.push(kind, start);
            } else if let Some(&(text, kind)) =
                L::SYMBOLS.iter().find(|(text, _)| self.rest().starts_with(text))
            {
                self.at += text.len();
                self.push(kind, start);
            } else {
                self.stray(next);
            }
        }
        self.push(L::END, self.at);
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, number(start), number(self.at))
    }

    fn push(&mut self, kind: L, start: usize) {
        let span = self.span(start);
        let after_stray = std::mem::take(&mut self.after_stray);
        self.tokens.push(Token { kind, span, after_stray });
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while let Some(next) = self.rest().chars().next() {
            if self.rest().starts_with("/*") && (L::COMMENTS_NEST || depth == 0) {
                depth += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.at += next.len_utf8();
            }
        }
        let span = Span { end: self.span(start).start + 2, ..self.span(start) };
        let help = if L::COMMENTS_NEST {
            "comments nest: close each `/*` with a `*/`"
        } else {
            "close it with `*/`"
        };
        let error = syntax_error(span, "a comment that does not end").at("starts here").help(help);
        self.diagnostics.push(error);
    }

    fn number(&mut self) {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit() || (L::UNDERSCORES_IN_NUMBERS && c == '_'));
        let digits = self.text[start..self.at].replace('_', "");
        let value = digits.parse().ok().filter(|&value: &i128| value <= LARGEST_LITERAL);
        if value.is_none() {
            let error = syntax_error(self.span(start), "a number that is too large")
                .at("more than 2^100")
                .help("numbers up to 2^100 can be written");
            self.diagnostics.push(error);
        }
        if self.rest().starts_with(starts_name) {
            self.skip_while(continues_name);
            let sample = if L::UNDERSCORES_IN_NUMBERS { "1_000" } else { "1000" };
            let error = syntax_error(self.span(start), "a name cannot start with a digit")
                .at("neither a name nor a number")
                .help(format!("numbers are decimal, as in `{sample}`"));
            self.diagnostics.push(error);
        }
        self.push(L::int(value.unwrap_or(0)), start);
    }

    /// A string ends on the line it starts on.
    fn string(&mut self, kind: L, quote: char) {
        let start = self.at;
        self.at += 1;
        loop {
            match self.rest().chars().next() {
                Some(next) if next == quote => {
                    self.at += 1;
                    break;
                }
                Some('\\') if self.rest().len() > 1 => {
                    self.at += 1;
                    let escaped = self.rest().chars().next().filter(|&c| c != '\n');
                    self.at += escaped.map_or(0, char::len_utf8);
                }
                None | Some('\n') => {
                    let error = syntax_error(self.span(start), "a string that does not end")
                        .at("starts here")
                        .help(format!("close it with `{quote}` on the same line"));
                    self.diagnostics.push(error);
                    break;
                }
                Some(other) => self.at += other.len_utf8(),
            }
        }
        self.push(kind, start);
    }

    /// Reports a run of characters that belong to no token as one error. A symbol whose meaning is
    /// clear counts as the tokens it means.
    fn stray(&mut self, first: char) {
        let start = self.at;
        self.at += first.len_utf8();
        let repair = L::repair_of_symbol(first);
        if repair.is_none() {
            self.skip_while(|c| {
                let other = c.is_whitespace() || c.is_ascii() || starts_name(c);
                !other && L::repair_of_symbol(c).is_none()
            });
        }
        let shown =
            if first.is_control() { first.escape_default().to_string() } else { first.into() };
        let message = format!("unexpected character `{shown}`");
        let mut error = syntax_error(self.span(start), message).at("not part of the language");
        if let Some(text) = repair {
            error = error.help(format!("write `{text}`"));
            kinds_of(text).for_each(|kind| self.push(kind, start));
        } else {
            self.after_stray = true;
        }
        self.diagnostics.push(error);
    }
}

/// The tokens of a text without spaces that has only symbols and keywords.
fn kinds_of<L: Language>(mut text: &'static str) -> impl Iterator<Item = L> {
    std::iter::from_fn(move || {
        let symbol = L::SYMBOLS.iter().find(|(symbol, _)| text.starts_with(symbol)).copied();
        let (found, kind) = symbol.or_else(|| Some((text, L::word(text)?)))?;
        text = &text[found.len()..];
        Some(kind)
    })
}

fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
