//! Text to tokens. Never fails: what is no token is reported and left out.

use diagnostic::{Code, Diagnostic};
use source::{FileId, Span};

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// Something before it was reported and left out, so that a complaint about this token would only echo.
    pub(crate) after_stray: bool,
}

/// Integer literals beyond this are refused, so that arithmetic on constants has room.
pub(crate) const LARGEST_LITERAL: i128 = 1 << 100;

/// The tokens of a text; the last one is [`TokenKind::End`].
pub(crate) fn lex(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let span = Span::new(file, 0, 0);
        let end = Token { kind: TokenKind::End, span, after_stray: false };
        return (vec![end], vec![syntax_error(span, "the text is larger than 4 GiB")]);
    }
    let (tokens, diagnostics) = (Vec::new(), Vec::new());
    let mut lexer = Lexer { file, text, at: 0, after_stray: false, tokens, diagnostics };
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

macro_rules! tokens {
    (
        keywords { $($keyword:ident $word:literal)* }
        soft { $($soft:ident $soft_word:literal)* }
        symbols { $($symbol:ident $text:literal)* }
    ) => {
        /// What a token is. The text of a name is found through its span.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum TokenKind {
            Ident,
            Int(i128),
            Str,
            End,
            $($keyword,)*
            $($soft,)*
            $($symbol,)*
        }

        impl TokenKind {
            /// The text of tokens that have only one.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    Self::Ident => "a name",
                    Self::Int(_) => "a number",
                    Self::Str => "a string",
                    Self::End => "the end of the file",
                    $(Self::$keyword => $word,)*
                    $(Self::$soft => $soft_word,)*
                    $(Self::$symbol => $text,)*
                }
            }

            /// Whether it is a word that cannot be a name.
            pub(crate) fn is_keyword(self) -> bool {
                matches!(self, $(Self::$keyword)|*)
            }

            /// Whether it can be a name: later editions of the language reserved words that earlier programs use.
            pub(crate) fn is_name(self) -> bool {
                matches!(self, Self::Ident $(| Self::$soft)*)
            }

            fn keyword(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$keyword),)*
                    $($soft_word => Some(Self::$soft),)*
                    _ => None,
                }
            }
        }

        /// Longest first, so that the first match is the right one.
        const SYMBOLS: &[(&str, TokenKind)] = &[$(($text, TokenKind::$symbol),)*];
    };
}

tokens! {
    keywords {
        Above "above" Acc "acc" Acquire "acquire" And "and" Assert "assert" Assigned "assigned" Assume "assume"
        Below "below" Between "between" Bool "bool" Call "call" Class "class" Const "const" Downgrade "downgrade"
        Else "else" Ensures "ensures" Eval "eval" Exists "exists" External "external" False "false" Fold "fold"
        Forall "forall" Fork "fork" Free "free" Function "function" Ghost "ghost" Holds "holds" If "if" In "in"
        IntType "int" Invariant "invariant" Ite "ite" Join "join" Lock "lock" Lockbottom "lockbottom"
        Lockchange "lockchange" Method "method" New "new" Nil "nil" Null "null" Old "old" Predicate "predicate" Rd "rd"
        Release "release" Reorder "reorder" Requires "requires" Result "result" Returns "returns" Seq "seq"
        Share "share" This "this" Token "token" True "true" Unfold "unfold" Unfolding "unfolding"
        Unshare "unshare" Var "var" Waitlevel "waitlevel" While "while"
    }
    soft {
        By "by" Channel "channel" Condition "condition" Credit "credit" Empty "empty" Max "max" Module "module"
        Receive "receive" Refines "refines" Replaces "replaces" Send "send" Set "set" Signal "signal" Spec "spec"
        Static "static" StringType "string" Sum "sum" Tracked "tracked" Transforms "transforms" Unlimited "unlimited"
        Volatile "volatile"
        Wait "wait" Where "where"
    }
    symbols {
        Iff "<==>" Implies "==>" AndAnd "&&" OrOr "||" Assign ":=" ColonColon "::" EqEq "==" NotEq "!=" LessEq "<="
        GreaterEq ">=" LockBelow "<<" DotDot ".." PlusPlus "++"
        OpenBrace "{" CloseBrace "}" OpenParen "(" CloseParen ")" OpenBracket "[" CloseBracket "]" Semicolon ";"
        Comma "," Colon ":" Dot "." Question "?" Eq "=" Less "<" Greater ">" Plus "+" Minus "-" Star "*" Slash "/"
        Percent "%" Bang "!" Pipe "|" Ampersand "&" Tilde "~" At "@" Underscore "_"
    }
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    after_stray: bool,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
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
            } else if next == '"' || next == '\'' {
                self.string(next);
            } else if starts_name(next) {
                self.skip_while(continues_name);
                let kind = match &self.text[start..self.at] {
                    "_" => TokenKind::Underscore,
                    word => TokenKind::keyword(word).unwrap_or(TokenKind::Ident),
                };
                self.push(kind, start);
            } else if let Some(&(text, kind)) =
                SYMBOLS.iter().find(|(text, _)| self.rest().starts_with(text))
            {
                self.at += text.len();
                self.push(kind, start);
            } else {
                self.stray(next);
            }
        }
        self.push(TokenKind::End, self.at);
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(self.file, offset(start), offset(self.at))
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.span(start);
        let after_stray = std::mem::take(&mut self.after_stray);
        self.tokens.push(Token { kind, span, after_stray });
    }

    /// Comments do not nest.
    fn block_comment(&mut self) {
        let start = self.at;
        if let Some(length) = self.rest()[2..].find("*/") {
            self.at += length + 4;
            return;
        }
        self.at = self.text.len();
        let span = Span { end: self.span(start).start + 2, ..self.span(start) };
        self.diagnostics.push(
            syntax_error(span, "a comment that does not end")
                .at("starts here")
                .help("close it with `*/`"),
        );
    }

    fn number(&mut self) {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit());
        let digits = &self.text[start..self.at];
        let value = digits.parse().ok().filter(|&value: &i128| value <= LARGEST_LITERAL);
        if value.is_none() {
            let error = syntax_error(self.span(start), "a number that is too large")
                .at("more than 2^100")
                .help("numbers up to 2^100 can be written");
            self.diagnostics.push(error);
        }
        if self.rest().starts_with(starts_name) {
            self.skip_while(continues_name);
            let error = syntax_error(self.span(start), "a name cannot start with a digit")
                .at("neither a name nor a number")
                .help("numbers are decimal, as in `1000`");
            self.diagnostics.push(error);
        }
        self.push(TokenKind::Int(value.unwrap_or(0)), start);
    }

    /// A string ends on the line it starts on.
    fn string(&mut self, quote: char) {
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
        self.push(TokenKind::Str, start);
    }

    /// Reports a run of characters that belong to no token as one error. A symbol whose meaning is clear counts as what it
    /// means.
    fn stray(&mut self, first: char) {
        let start = self.at;
        self.at += first.len_utf8();
        let repair = repair_of_symbol(first);
        if repair.is_none() {
            self.skip_while(|c| {
                let other = c.is_whitespace() || c.is_ascii() || starts_name(c);
                !other && repair_of_symbol(c).is_none()
            });
        }
        let shown =
            if first.is_control() { first.escape_default().to_string() } else { first.into() };
        let message = format!("unexpected character `{shown}`");
        let mut error = syntax_error(self.span(start), message).at("not part of the language");
        if let Some((text, kind)) = repair {
            error = error.help(format!("write `{text}`"));
            self.push(kind, start);
        } else {
            self.after_stray = true;
        }
        self.diagnostics.push(error);
    }
}

/// What people who write mathematics mean by a symbol.
fn repair_of_symbol(symbol: char) -> Option<(&'static str, TokenKind)> {
    Some(match symbol {
        '¬' => ("!", TokenKind::Bang),
        '∧' => ("&&", TokenKind::AndAnd),
        '∨' => ("||", TokenKind::OrOr),
        '⇒' | '→' => ("==>", TokenKind::Implies),
        '⇔' | '↔' => ("<==>", TokenKind::Iff),
        '≠' => ("!=", TokenKind::NotEq),
        '≤' => ("<=", TokenKind::LessEq),
        '≥' => (">=", TokenKind::GreaterEq),
        '⊏' => ("<<", TokenKind::LockBelow),
        '∀' => ("forall", TokenKind::Forall),
        '∃' => ("exists", TokenKind::Exists),
        '∈' => ("in", TokenKind::In),
        '≔' => (":=", TokenKind::Assign),
        _ => return None,
    })
}

fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

pub(crate) fn syntax_error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::of("syntax-error"), span, message)
}
