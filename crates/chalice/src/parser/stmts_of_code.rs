//! Statements that are one word and its operands.

use super::Parser;
use crate::lexer::TokenKind;
use crate::syntax::{ExprKind, Ident, Mode, StmtKind, Target};
use parsing::operators::Operators;
use parsing::{Kind, Parsed, Reported, Rules, syntax_error};
use source::Span;

impl Parser<'_> {
    /// Statements without a block of their own.
    pub(super) fn simple_stmt(&mut self) -> Parsed<StmtKind> {
        if self.is_at_word("install") && self.starts_operand(1) {
            self.bump();
            return self.reorder();
        }
        let soft = self.kind().is_name();
        if soft && (self.is_at(TokenKind::Ident) || !self.starts_operand(1)) {
            return self.assignment();
        }
        match self.kind() {
            TokenKind::Var | TokenKind::Const | TokenKind::Spec | TokenKind::Ghost => {
                self.declaration()
            }
            TokenKind::Call
            | TokenKind::Fork
            | TokenKind::Join
            | TokenKind::Send
            | TokenKind::Receive
            | TokenKind::Wait
            | TokenKind::Signal => self.communication(),
            TokenKind::This | TokenKind::OpenParen | TokenKind::Old | TokenKind::Result => {
                self.assignment()
            }
            _ => self.operand_stmt(),
        }
    }

    /// Whether the token this far ahead can begin an operand, so that a word before it is not a
    /// variable that is assigned.
    fn starts_operand(&self, ahead: usize) -> bool {
        let kind = self.nth(ahead);
        kind.is_name()
            || matches!(
                kind,
                TokenKind::This
                    | TokenKind::OpenParen
                    | TokenKind::Forall
                    | TokenKind::Null
                    | TokenKind::Result
                    | TokenKind::Old
            )
    }

    fn declaration(&mut self) -> Parsed<StmtKind> {
        let ghost = self.eat(TokenKind::Ghost);
        let constant = self.is_at(TokenKind::Const);
        if !matches!(self.kind(), TokenKind::Var | TokenKind::Const | TokenKind::Spec) {
            return Err(self.unexpected("`var` or `const`"));
        }
        self.bump();
        self.local(ghost, constant)
    }

    /// A word and one expression.
    fn operand_stmt(&mut self) -> Parsed<StmtKind> {
        let keyword = self.kind();
        match keyword {
            TokenKind::Share
            | TokenKind::Unshare
            | TokenKind::Reorder
            | TokenKind::Assert
            | TokenKind::Assume
            | TokenKind::Acquire
            | TokenKind::Release
            | TokenKind::Downgrade
            | TokenKind::Free
            | TokenKind::Fold
            | TokenKind::Unfold => self.bump(),
            TokenKind::Rd if matches!(self.nth(1), TokenKind::Acquire | TokenKind::Release) => {
                self.bump();
                let word = self.bump().kind;
                let object = self.expr()?;
                return Ok(match word {
                    TokenKind::Acquire => StmtKind::Acquire(Mode::Read, object),
                    _ => StmtKind::Release(Mode::Read, object),
                });
            }
            _ => return Err(self.not_a_stmt()),
        };
        if keyword == TokenKind::Reorder {
            return self.reorder();
        }
        let operand = self.expr()?;
        Ok(match keyword {
            TokenKind::Share => StmtKind::Share(operand, self.bounds()?),
            TokenKind::Unshare => StmtKind::Unshare(operand),
            TokenKind::Assert => StmtKind::Assert(operand),
            TokenKind::Assume => StmtKind::Assume(operand),
            TokenKind::Acquire => StmtKind::Acquire(Mode::Write, operand),
            TokenKind::Release => StmtKind::Release(Mode::Write, operand),
            TokenKind::Downgrade => StmtKind::Downgrade(operand),
            TokenKind::Free => StmtKind::Free(operand),
            TokenKind::Fold => StmtKind::Fold(operand),
            _ => StmtKind::Unfold(operand),
        })
    }

    fn reorder(&mut self) -> Parsed<StmtKind> {
        let object = self.expr()?;
        Ok(StmtKind::Reorder(object, self.bounds()?))
    }

    fn not_a_stmt(&mut self) -> Reported {
        let found = self.describe();
        let error = syntax_error(self.span(), format!("expected a statement, found {found}"))
            .at("not a statement");
        let error = match self.kind() {
            TokenKind::Requires | TokenKind::Ensures => {
                error.help("a contract stands between the parameters and the `{`")
            }
            TokenKind::Invariant => {
                error.help("a loop invariant stands between the condition and the `{`")
            }
            TokenKind::Lockchange => error.help("`lockchange` stands before the `{`"),
            TokenKind::Else => error.help("`else` stands directly after the `}` of an `if`"),
            _ => error,
        };
        self.error(error)
    }

    /// `lock (e) { .. }`, `rd lock (e) { .. }`
    pub(super) fn lock_stmt(&mut self) -> Parsed<(StmtKind, Span)> {
        let start = self.span();
        let mode = if self.eat(TokenKind::Rd) { Mode::Read } else { Mode::Write };
        self.bump();
        let object = self.cond("lock")?;
        let span = self.span_from(start);
        Ok((StmtKind::Lock(mode, object, self.block()?), span))
    }

    /// Calls, threads, channels and conditions.
    fn communication(&mut self) -> Parsed<StmtKind> {
        let keyword = self.bump().kind;
        match keyword {
            TokenKind::Call => {
                let targets = self.targets()?;
                Ok(StmtKind::Call(targets, Box::new(self.call_target()?)))
            }
            TokenKind::Fork => {
                let mut targets = self.targets()?;
                if let [_, second, ..] = &targets[..] {
                    let error = syntax_error(second.span, "a fork gives one token")
                        .at("a second variable")
                        .help("the results are assigned by `join x, y := token`");
                    return Err(self.error(error));
                }
                Ok(StmtKind::Fork(targets.pop(), Box::new(self.call_target()?)))
            }
            TokenKind::Join => {
                let targets = self.targets()?;
                Ok(StmtKind::Join(targets, self.expr()?))
            }
            TokenKind::Receive => {
                let targets = self.targets()?;
                Ok(StmtKind::Receive(targets, self.expr()?))
            }
            TokenKind::Send => self.send(),
            TokenKind::Wait => Ok(StmtKind::Wait(self.postfix_expr()?)),
            _ => {
                let all = self.eat(TokenKind::Forall);
                Ok(StmtKind::Signal(all, self.postfix_expr()?))
            }
        }
    }

    /// `x, y :=` or nothing.
    fn targets(&mut self) -> Parsed<Vec<Ident>> {
        let mut ahead = 0;
        while self.nth(ahead).is_name() && self.nth(ahead + 1) == TokenKind::Comma {
            ahead += 2;
        }
        if !(self.nth(ahead).is_name() && self.nth(ahead + 1) == TokenKind::Assign) {
            return Ok(Vec::new());
        }
        let targets = self.comma_list(|p| p.ident("the name of a variable"))?;
        self.expect(TokenKind::Assign)?;
        Ok(targets)
    }

    /// `e.m(..)`
    pub(super) fn call_target(&mut self) -> Parsed<Target> {
        let start = self.span();
        let callee = self.postfix_expr()?;
        match callee.kind {
            ExprKind::Apply(target) => Ok(*target),
            _ if self.is_at(TokenKind::End) => Err(self.unexpected("`(`")),
            _ => {
                let error = syntax_error(self.span_from(start), "expected a call of a method")
                    .at("not a call")
                    .help("write `object.method(arguments)`");
                Err(self.error(error))
            }
        }
    }

    /// `send ch(..)`: the last parentheses hold the values that are sent.
    fn send(&mut self) -> Parsed<StmtKind> {
        let channel = self.postfix_expr()?;
        if let ExprKind::Apply(target) = channel.kind {
            let Target { receiver, name, args, .. } = *target;
            let span = receiver.as_ref().map_or(name.span, |object| object.span.to(name.span));
            let kind = match receiver {
                Some(object) => ExprKind::Field(Box::new(object), name),
                None => ExprKind::Name(name.name),
            };
            return Ok(StmtKind::Send(crate::syntax::Expr { kind, span }, args));
        }
        self.expect(TokenKind::OpenParen)?;
        let (args, _) = self.list_until(TokenKind::CloseParen)?;
        Ok(StmtKind::Send(channel, args))
    }
}
