//! The common part of the hand-written parsers: text to tokens, a cursor over them, rules and
//! operators, and reports of faults without echo.
//!
//! A language lists its tokens with [`tokens!`] and says how it differs in [`Language`]; its parser
//! wraps a [`Cursor`] and adds the rules. A rule that fails has reported why and returns
//! [`Reported`]; the rule that catches it skips to where something may start and goes on. At most
//! one error is reported per token, so that one fault does not echo.
//!
//! ```
//! use parsing::{Cursor, Language};
//! use source::FileId;
//!
//! parsing::tokens! {
//!     others {}
//!     keywords { Let "let" }
//!     soft {}
//!     symbols {
//!         Eq "=" Semicolon ";" OpenBrace "{" CloseBrace "}" Underscore "_"
//!         Comma "," Colon ":" CloseParen ")" Bang "!" Minus "-"
//!     }
//! }
//!
//! impl Language for TokenKind {
//!     const MAX_DEPTH: u32 = 10;
//!     const MAX_HEIGHT: u32 = 10;
//!     const SHALLOWER: &str = "name parts of it with `let`";
//!     const COMMENTS_NEST: bool = false;
//!     const UNDERSCORES_IN_NUMBERS: bool = false;
//! }
//!
//! let mut cursor = Cursor::new(FileId(0), "let x 1;");
//! assert!(cursor.eat(TokenKind::Let));
//! assert_eq!(cursor.name("a name", false).unwrap().0.as_str(), "x");
//! assert!(cursor.expect(TokenKind::Eq).is_err());
//! assert_eq!(cursor.finish()[0].message, "expected `=`, found `1`");
//! ```

mod cursor;
pub mod fuzz;
mod lexer;
pub mod operators;
mod recovery;
mod rules;
pub mod testing;
mod token;

pub use cursor::{Cursor, Parsed, Reported};
pub use rules::Rules;
pub use token::{Kind, LARGEST_LITERAL, Language, Token, of_mathematics};

use diagnostic::{Code, Diagnostic};
use source::Span;

/// A fault in how a text is written.
pub fn syntax_error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::SyntaxError, span, message)
}
