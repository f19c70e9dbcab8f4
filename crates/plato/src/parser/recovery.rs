//! Finds the way back after a fault.

use super::Parser;
use crate::lexer::TokenKind;
use parsing::{Kind, Reported, syntax_error};
use source::Span;

/// Whether this word starts an item and nothing else, so that seeing it in code means that a `}` is
/// missing.
pub(super) fn starts_item(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Const
            | TokenKind::Type
            | TokenKind::Enum
            | TokenKind::Mutex
            | TokenKind::Init
            | TokenKind::Never
            | TokenKind::Pred
            | TokenKind::Proc
            | TokenKind::Thread
            | TokenKind::Module
    )
}

/// Whether an item may start here when one is looked for.
pub(super) fn may_start_item(kind: TokenKind) -> bool {
    starts_item(kind) || matches!(kind, TokenKind::Var | TokenKind::Invariant | TokenKind::Rely)
}

/// Whether the word before this token may be the start of an item. After anything else, such as `:`
/// in `var init: int`, it is meant as a name.
fn may_follow_item_word(kind: TokenKind) -> bool {
    kind.is_keyword()
        || matches!(
            kind,
            TokenKind::Ident
                | TokenKind::Int(_)
                | TokenKind::End
                | TokenKind::OpenParen
                | TokenKind::OpenBrace
                | TokenKind::OpenBracket
                | TokenKind::Bang
                | TokenKind::Minus
        )
}

fn starts_stmt(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Var
            | TokenKind::Havoc
            | TokenKind::Assert
            | TokenKind::Assume
            | TokenKind::Atomic
            | TokenKind::If
            | TokenKind::While
            | TokenKind::Loop
            | TokenKind::Choose
            | TokenKind::Call
            | TokenKind::Return
            | TokenKind::Break
            | TokenKind::Continue
            | TokenKind::Skip
    )
}

impl Parser<'_> {
    /// Whether an item starts here where a name is wanted, so that the name is missing. On the same
    /// line as the text before the missing name, only a name after the word makes an item of it:
    /// `thread init {` is a thread with a bad name.
    pub(super) fn is_at_item(&self) -> bool {
        starts_item(self.kind())
            && may_follow_item_word(self.nth(1))
            && (self.is_on_new_line() || self.nth(1) == TokenKind::Ident)
    }

    /// Whether a word that starts items stands here as if it were a name.
    pub(super) fn is_at_word_as_name(&self) -> bool {
        starts_item(self.kind()) && !may_follow_item_word(self.nth(1))
    }

    /// Skips to where the next item may start. Takes at least one token unless it stands at one of
    /// the stops.
    pub(super) fn skip_to_item(&mut self, in_module: bool) {
        let mut braces = 0;
        while !(starts_item(self.kind()) || (braces == 0 && may_start_item(self.kind()))) {
            if braces == 0 && !in_module && self.eat(TokenKind::CloseBrace) {
                return;
            }
            if !self.skip_one(&mut braces) {
                return;
            }
        }
    }

    /// Skips to where the next statement may start.
    pub(super) fn skip_to_stmt(&mut self) {
        let mut braces = 0;
        while !(starts_item(self.kind()) || (braces == 0 && starts_stmt(self.kind())))
            && self.skip_one(&mut braces)
        {}
    }

    /// Takes the `;` of a statement. If it is missing, finds the next statement; the parsed part
    /// stays.
    pub(super) fn end_stmt(&mut self) {
        if self.eat(TokenKind::Semicolon) {
            return;
        }
        let next_may_start = starts_stmt(self.kind())
            || matches!(self.kind(), TokenKind::CloseBrace | TokenKind::Ident);
        let new_line = self.is_on_new_line();
        self.missing_semicolon();
        if !(next_may_start && new_line) {
            self.skip_to_stmt();
        }
    }

    /// Takes the `;` of an item.
    pub(super) fn end_item(&mut self, in_module: bool) {
        if self.eat(TokenKind::Semicolon) {
            return;
        }
        self.missing_semicolon();
        if !may_start_item(self.kind()) {
            self.skip_to_item(in_module);
        }
    }

    fn missing_semicolon(&mut self) -> Reported {
        let found = self.describe();
        let error = match self.kind() {
            TokenKind::AndAnd
            | TokenKind::OrOr
            | TokenKind::CloseParen
            | TokenKind::CloseBracket => {
                syntax_error(self.span(), format!("unexpected {found}")).at("does not belong here")
            }
            _ => syntax_error(self.previous_span(), format!("expected `;`, found {found}"))
                .at("a `;` is missing after this"),
        };
        self.error(error)
    }

    fn is_on_new_line(&self) -> bool {
        let (before, here) = (self.previous_span(), self.span());
        let gap = Span { start: before.end, end: here.start, ..here };
        self.text_of(gap).contains('\n') || self.is_at(TokenKind::CloseBrace)
    }
}
