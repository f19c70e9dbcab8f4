//! Statements that start with a name, and the right-hand sides of `:=`.

use super::Parser;
use crate::ast::{Call, Cas, Fork, Join, LocalVar, Path, Place, Source, StmtKind};
use crate::lexer::TokenKind;
use parsing::{Kind, Parsed, Rules, syntax_error};

impl Parser<'_> {
    /// `x := e`, `p(a)`, `acquire m`, `release m`. The last two words are ordinary names elsewhere.
    pub(super) fn name_stmt(&mut self) -> Parsed<StmtKind> {
        let (acquire, release) = (self.is_at_word("acquire"), self.is_at_word("release"));
        if (acquire || release) && self.nth(1) == TokenKind::Ident {
            self.bump();
            let place = self.place()?;
            return Ok(if acquire { StmtKind::Acquire(place) } else { StmtKind::Release(place) });
        }
        if let Some(kind) = self.synchronizing()? {
            return Ok(kind);
        }
        let first = self.place()?;
        if self.is_at(TokenKind::OpenParen) && first.indices.is_empty() {
            return Ok(StmtKind::Call(self.call_of(first.path)?));
        }
        let mut places = vec![first];
        while self.eat(TokenKind::Comma) {
            places.push(self.place()?);
        }
        self.assignment_sign(&places)?;
        Ok(StmtKind::Assign(places, self.source()?))
    }

    /// Whether a word that is an ordinary name elsewhere begins a statement or a value here.
    fn is_at_verb(&self, word: &str) -> bool {
        self.is_at_word(word) && self.nth(1) == TokenKind::Ident
    }

    /// `wait c with m`, `signal c`, `broadcast c`, `fork T(a)`, `join T t`.
    #[inline(never)] // so that nested statements need less room on the stack
    fn synchronizing(&mut self) -> Parsed<Option<StmtKind>> {
        if self.is_at_verb("wait") {
            self.bump();
            let condition = self.place()?;
            if !self.is_at_word("with") {
                return Err(self.unexpected("`with` and the lock that is let go"));
            }
            self.bump();
            return Ok(Some(StmtKind::Wait(condition, self.place()?)));
        }
        let (signal, broadcast) = (self.is_at_verb("signal"), self.is_at_verb("broadcast"));
        if signal || broadcast {
            self.bump();
            let place = self.place()?;
            let kind = if signal { StmtKind::Signal(place) } else { StmtKind::Broadcast(place) };
            return Ok(Some(kind));
        }
        if self.is_at_verb("fork") {
            return Ok(Some(StmtKind::Fork(self.fork()?)));
        }
        if self.is_at_verb("join") {
            return Ok(Some(StmtKind::Join(self.join()?)));
        }
        Ok(None)
    }

    fn fork(&mut self) -> Parsed<Fork> {
        let start = self.bump().span;
        let thread = self.path("the name of a thread")?;
        let args = self.args()?;
        Ok(Fork { thread, args, span: self.span_from(start) })
    }

    fn join(&mut self) -> Parsed<Join> {
        let start = self.bump().span;
        let thread = self.path("the name of a thread")?;
        let which = if self.is_at(TokenKind::Semicolon) { None } else { Some(self.expr()?) };
        Ok(Join { thread, which, span: self.span_from(start) })
    }

    fn assignment_sign(&mut self, places: &[Place]) -> Parsed<()> {
        if self.eat(TokenKind::Assign) {
            return Ok(());
        }
        let target = self.text_of(places[0].span).to_owned();
        let sign = self.kind();
        let error = match sign {
            TokenKind::Eq | TokenKind::EqEq => {
                syntax_error(self.span(), format!("`{}` where `:=` is expected", sign.text()))
                    .at("does not assign")
                    .help("an assignment is written `x := e;`")
            }
            TokenKind::PlusPlus => self.no_such_operator(&target, "+ 1"),
            TokenKind::PlusAssign => self.no_such_operator(&target, "+ ..."),
            TokenKind::MinusMinus => self.no_such_operator(&target, "- 1"),
            TokenKind::MinusAssign => self.no_such_operator(&target, "- ..."),
            _ => {
                let found = self.describe();
                syntax_error(self.span(), format!("expected `:=`, found {found}"))
                    .at(format!("expected `:=` after `{target}`"))
                    .help("a statement that starts with a name is an assignment `x := e;` or a call `p(a);`")
            }
        };
        let reported = self.error(error);
        if matches!(sign, TokenKind::Eq | TokenKind::EqEq) {
            self.bump();
            return Ok(());
        }
        Err(reported)
    }

    fn no_such_operator(&self, target: &str, change: &str) -> diagnostic::Diagnostic {
        syntax_error(self.span(), format!("there is no operator `{}`", self.kind().text()))
            .at("not part of the language")
            .help(format!("write `{target} := {target} {change};`"))
    }

    /// The right-hand side of `:=`.
    fn source(&mut self) -> Parsed<Source> {
        if self.eat(TokenKind::Call) {
            return Ok(Source::Call(self.call()?));
        }
        if self.is_at(TokenKind::Cas) {
            return Ok(Source::Cas(Box::new(self.cas()?)));
        }
        if self.is_at_verb("fork") {
            return Ok(Source::Fork(self.fork()?));
        }
        if self.is_at_verb("join") {
            return Ok(Source::Join(self.join()?));
        }
        let mut values = vec![self.expr_or_error()];
        while self.eat(TokenKind::Comma) {
            values.push(self.expr_or_error());
        }
        Ok(Source::Values(values))
    }

    pub(super) fn call(&mut self) -> Parsed<Call> {
        let callee = self.path("the name of a procedure")?;
        self.call_of(callee)
    }

    fn call_of(&mut self, callee: Path) -> Parsed<Call> {
        let args = self.args()?;
        let span = self.span_from(callee.span);
        Ok(Call { callee, args, span })
    }

    pub(super) fn cas(&mut self) -> Parsed<Cas> {
        let start = self.bump().span;
        self.expect(TokenKind::OpenParen)?;
        let location = self.place()?;
        self.expect(TokenKind::Comma)?;
        let expected = self.nested(Self::expr)?;
        self.expect(TokenKind::Comma)?;
        let new = self.nested(Self::expr)?;
        self.expect(TokenKind::CloseParen)?;
        Ok(Cas { location, expected, new, span: self.span_from(start) })
    }

    /// The rest of a local declaration, after `var`.
    pub(super) fn local_var(&mut self) -> Parsed<LocalVar> {
        let names = self.comma_list(|p| p.ident("the name of a variable"))?;
        let ty = if self.eat(TokenKind::Colon) { Some(self.type_or_error()) } else { None };
        if self.is_at(TokenKind::Eq) {
            let error = syntax_error(self.span(), "`=` where `:=` is expected")
                .at("does not assign")
                .help("a local variable gets its value with `:=`");
            self.error(error);
            self.bump();
        } else if !self.eat(TokenKind::Assign) {
            if ty.is_none() {
                let error = syntax_error(self.previous_span(), "a variable without type and value")
                    .at("expected `:` and a type, or `:=` and a value, after this");
                self.error(error);
            }
            return Ok(LocalVar { names, ty, value: None });
        }
        let value = Some(self.source()?);
        Ok(LocalVar { names, ty, value })
    }
}
