//! Finds the way back after a fault, where code stands in braces.

use crate::{Cursor, Language, Reported, syntax_error};
use source::Span;

impl<L: Language> Cursor<'_, L> {
    /// Skips a token on the way to the next statement and counts the braces that are open. False
    /// when the way ends: at the end of the text and at the `}` of the block, and after a `;` or a
    /// group in braces.
    pub fn skip_one(&mut self, braces: &mut u32) -> bool {
        let kind = self.kind();
        if kind == L::END || (kind == L::CLOSE_BRACE && *braces == 0) {
            return false;
        }
        if kind == L::OPEN_BRACE {
            *braces += 1;
        } else if kind == L::CLOSE_BRACE {
            *braces -= 1;
        }
        self.bump();
        *braces > 0 || (kind != L::CLOSE_BRACE && kind != L::SEMICOLON)
    }

    /// Skips a group in braces, however deep, without recursion.
    pub fn skip_braces(&mut self) {
        let mut braces = 0;
        while self.skip_one(&mut braces) {}
    }

    /// Reports that a block does not start here.
    pub fn missing_open_brace(&mut self) -> Reported {
        let found = self.describe();
        let error = syntax_error(self.span(), format!("expected `{{`, found {found}"))
            .at("a block is expected here")
            .help("statements of a body stand in braces, also a single one");
        self.error(error)
    }

    /// Reports that something in braces is still open here.
    pub fn missing_close_brace(&mut self, open: Span) -> Reported {
        let found = self.describe();
        let error = syntax_error(self.span(), format!("expected `}}`, found {found}"))
            .at("a `}` is missing before this")
            .label(open, "this brace is still open");
        self.error(error)
    }
}
