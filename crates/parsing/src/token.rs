//! Tokens, and the properties of a language.

use source::Span;

/// Integer literals beyond this are refused, so that arithmetic on constants has room.
pub const LARGEST_LITERAL: i128 = 1 << 100;

/// A token and its place. The text of a name is found through its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
    /// Something before it was reported and left out, so that a complaint about this token would
    /// only echo.
    pub after_stray: bool,
}

/// The kinds of tokens; [`tokens!`](crate::tokens) implements it.
#[expect(missing_docs, reason = "the constants are named after their tokens")]
pub trait Kind: Copy + Eq + 'static {
    const IDENT: Self;
    const END: Self;
    const SEMICOLON: Self;
    const OPEN_BRACE: Self;
    const CLOSE_BRACE: Self;
    const UNDERSCORE: Self;
    const COMMA: Self;
    const COLON: Self;
    const CLOSE_PAREN: Self;
    const BANG: Self;
    const MINUS: Self;

    /// Longest first, so that the first match is the right one.
    const SYMBOLS: &'static [(&'static str, Self)];

    /// A number.
    fn int(value: i128) -> Self;

    /// The keyword with this text, if there is one.
    fn word(word: &str) -> Option<Self>;

    /// The text of tokens that have only one, a description of others.
    fn text(self) -> &'static str;

    /// Whether there is only one text for it.
    fn is_fixed(self) -> bool;

    /// Whether it is a word that cannot be a name.
    fn is_keyword(self) -> bool;

    /// Whether it can be a name.
    fn is_name(self) -> bool;
}

/// The differences between languages apart from their tokens.
pub trait Language: Kind {
    /// Limit on the nesting of blocks, parentheses and the like, together. Every later pass may
    /// recurse this deep.
    const MAX_DEPTH: u32;

    /// Limit on the height of an expression's tree: long sums are deep on their left side without
    /// nesting in the text.
    const MAX_HEIGHT: u32;

    /// The advice about nesting that is too deep.
    const SHALLOWER: &'static str;

    /// Whether `/*` inside a comment needs a `*/` of its own.
    const COMMENTS_NEST: bool;

    /// Whether numbers may be written as in `1_000`.
    const UNDERSCORES_IN_NUMBERS: bool;

    /// Strings in quotes of either kind, if there are any.
    const STRING: Option<Self> = None;

    /// How to write a symbol of mathematics in the language; see [`of_mathematics`].
    fn repair_of_symbol(_: char) -> Option<&'static str> {
        None
    }
}

/// How to write a symbol of mathematics in a language with the usual operators.
pub fn of_mathematics(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '¬' => "!",
        '∧' => "&&",
        '∨' => "||",
        '⇒' | '→' => "==>",
        '⇔' | '↔' => "<==>",
        '≠' => "!=",
        '≤' => "<=",
        '≥' => ">=",
        '∀' => "forall",
        '∃' => "exists",
        '∈' => "in",
        '≔' => ":=",
        _ => return None,
    })
}

/// Makes the enum `TokenKind` of a language's tokens. Keywords cannot be names, soft ones can; of
/// others there are many texts. Symbols are listed longest first; those that [`Kind`](crate::Kind)
/// has constants for must be among them under the names used here.
#[macro_export]
macro_rules! tokens {
    (
        others { $($other:ident $description:literal)* }
        keywords { $($keyword:ident $word:literal)* }
        soft { $($soft:ident $soft_word:literal)* }
        symbols { $($symbol:ident $text:literal)* }
    ) => {
        /// What a token is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum TokenKind {
            Ident,
            Int(i128),
            End,
            $($other,)*
            $($keyword,)*
            $($soft,)*
            $($symbol,)*
        }

        impl $crate::Kind for TokenKind {
            const IDENT: Self = Self::Ident;
            const END: Self = Self::End;
            const SEMICOLON: Self = Self::Semicolon;
            const OPEN_BRACE: Self = Self::OpenBrace;
            const CLOSE_BRACE: Self = Self::CloseBrace;
            const UNDERSCORE: Self = Self::Underscore;
            const COMMA: Self = Self::Comma;
            const COLON: Self = Self::Colon;
            const CLOSE_PAREN: Self = Self::CloseParen;
            const BANG: Self = Self::Bang;
            const MINUS: Self = Self::Minus;
            const SYMBOLS: &'static [(&'static str, Self)] = &[$(($text, Self::$symbol),)*];

            fn int(value: i128) -> Self {
                Self::Int(value)
            }

            fn word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$keyword),)*
                    $($soft_word => Some(Self::$soft),)*
                    _ => None,
                }
            }

            fn text(self) -> &'static str {
                match self {
                    Self::Ident => "a name",
                    Self::Int(_) => "a number",
                    Self::End => "the end of the file",
                    $(Self::$other => $description,)*
                    $(Self::$keyword => $word,)*
                    $(Self::$soft => $soft_word,)*
                    $(Self::$symbol => $text,)*
                }
            }

            fn is_fixed(self) -> bool {
                !matches!(self, Self::Ident | Self::Int(_) | Self::End $(| Self::$other)*)
            }

            fn is_keyword(self) -> bool {
                matches!(self, $(Self::$keyword)|*)
            }

            fn is_name(self) -> bool {
                matches!(self, Self::Ident $(| Self::$soft)*)
            }
        }
    };
}
