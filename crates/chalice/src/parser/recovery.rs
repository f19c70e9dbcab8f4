//! Finds the way back after a fault.

use super::Parser;
use crate::lexer::TokenKind;
use parsing::Kind;

/// Whether this word starts a statement and nothing else.
fn starts_stmt(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Assert
            | TokenKind::Assume
            | TokenKind::Var
            | TokenKind::Const
            | TokenKind::Ghost
            | TokenKind::Call
            | TokenKind::If
            | TokenKind::While
            | TokenKind::Share
            | TokenKind::Unshare
            | TokenKind::Reorder
            | TokenKind::Acquire
            | TokenKind::Release
            | TokenKind::Lock
            | TokenKind::Downgrade
            | TokenKind::Free
            | TokenKind::Fold
            | TokenKind::Unfold
            | TokenKind::Fork
            | TokenKind::Join
    )
}

impl Parser<'_> {
    /// Whether a class or channel starts here, so that seeing it inside a class means that a `}` is
    /// missing.
    pub(super) fn is_at_item(&self) -> bool {
        match self.kind() {
            TokenKind::Class => self.nth(1).is_name(),
            TokenKind::External => self.nth(1) == TokenKind::Class,
            TokenKind::Channel => self.nth(1).is_name() && self.nth(2) == TokenKind::OpenParen,
            _ => false,
        }
    }

    /// Whether something starts here that no code contains, so that seeing it in code means that a
    /// `}` is missing.
    pub(super) fn is_at_member(&self) -> bool {
        self.is_at_item()
            || match self.kind() {
                TokenKind::Method | TokenKind::Predicate | TokenKind::Function => {
                    self.nth(1).is_name()
                }
                TokenKind::Unlimited => {
                    matches!(self.nth(1), TokenKind::Function | TokenKind::Static)
                }
                TokenKind::Static => self.nth(1) == TokenKind::Function,
                _ => false,
            }
    }

    /// Whether a member may start here when one is looked for.
    fn may_start_member(&self) -> bool {
        self.is_at_member()
            || match self.kind() {
                TokenKind::Var | TokenKind::Ghost | TokenKind::Invariant => true,
                TokenKind::Tracked | TokenKind::Volatile => {
                    matches!(self.nth(1), TokenKind::Var | TokenKind::Ghost)
                }
                TokenKind::Condition | TokenKind::Transforms | TokenKind::Replaces => {
                    self.nth(1).is_name()
                }
                _ => false,
            }
    }

    pub(super) fn skip_to_item(&mut self) {
        while !self.is_at(TokenKind::End) && !self.is_at_item() {
            self.bump();
        }
    }

    /// Skips to where the next member may start, or to the `}` of the class.
    pub(super) fn skip_to_member(&mut self) {
        let mut braces = 0u32;
        loop {
            match self.kind() {
                TokenKind::End => return,
                _ if self.is_at_member() || (braces == 0 && self.may_start_member()) => return,
                TokenKind::CloseBrace if braces == 0 => return,
                TokenKind::OpenBrace => braces += 1,
                TokenKind::CloseBrace => braces -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to where the next statement may start.
    pub(super) fn skip_to_stmt(&mut self) {
        let mut braces = 0;
        while !(self.is_at_member() || (braces == 0 && starts_stmt(self.kind())))
            && self.skip_one(&mut braces)
        {}
    }
}
