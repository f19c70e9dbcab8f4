//! Suffixes of an operand: members, indices, slices, states.

use super::Parser;
use super::exprs::Tall;
use crate::lexer::TokenKind;
use crate::syntax::{Expr, ExprKind, State, StateKind, Target};
use parsing::operators::Operators;
use parsing::{Parsed, Rules, syntax_error};

impl Parser<'_> {
    pub(super) fn postfix_expr(&mut self) -> Parsed<Expr> {
        self.postfix().map(|tall| tall.expr)
    }

    /// An atom and any number of suffixes.
    pub(super) fn with_members(&mut self) -> Parsed<Tall> {
        let mut base = self.atom()?;
        loop {
            base = match self.kind() {
                TokenKind::Dot if self.is_at_state() => {
                    let start = base.expr.span;
                    let (state, height) = self.state(base)?;
                    self.expect(TokenKind::OpenBrace)?;
                    let body = self.inner()?;
                    self.expect(TokenKind::CloseBrace)?;
                    let kind = ExprKind::Eval(Box::new(state), Box::new(body.expr));
                    self.node(kind, start, height.max(body.height))?
                }
                TokenKind::Dot => self.member_of(base)?,
                TokenKind::OpenBracket if !self.is_at_double(TokenKind::OpenBracket) => {
                    self.bracket(base)?
                }
                TokenKind::At => {
                    self.bump();
                    let index = self.nested(Self::atom)?;
                    self.index_node(base, index)?
                }
                _ => return Ok(base),
            }
        }
    }

    fn is_at_state(&self) -> bool {
        matches!(self.nth(1), TokenKind::Acquire | TokenKind::Release | TokenKind::Fork)
    }

    /// `eval(e.acquire, e)` after its first word was taken.
    pub(super) fn eval(&mut self, start: source::Span) -> Parsed<Tall> {
        self.expect(TokenKind::OpenParen)?;
        let base = self.nested(Self::eval_base)?;
        let (state, height) = self.state(base)?;
        self.expect(TokenKind::Comma)?;
        let body = self.inner()?;
        self.expect(TokenKind::CloseParen)?;
        let kind = ExprKind::Eval(Box::new(state), Box::new(body.expr));
        self.node(kind, start, height.max(body.height))
    }

    /// The object or token before the state.
    fn eval_base(&mut self) -> Parsed<Tall> {
        let mut base = self.atom()?;
        loop {
            base = match self.kind() {
                TokenKind::Dot if self.is_at_state() => return Ok(base),
                TokenKind::Dot => self.member_of(base)?,
                TokenKind::OpenBracket => self.bracket(base)?,
                _ => return Err(self.unexpected("`.acquire`, `.release` or `.fork`")),
            }
        }
    }

    /// `.acquire`, `.release` or `.fork e.m(..)`
    fn state(&mut self, base: Tall) -> Parsed<(State, u32)> {
        self.bump();
        let mut height = base.height;
        let kind = match self.bump().kind {
            TokenKind::Acquire => StateKind::Acquire,
            TokenKind::Release => StateKind::Release,
            _ => {
                let start = self.span();
                let target = self.nested(Self::postfix)?;
                height = height.max(target.height);
                let ExprKind::Apply(target) = target.expr.kind else {
                    let span = self.span_from(start);
                    let error = syntax_error(span, "expected a call of a method")
                        .at("not a call")
                        .help("write `token.fork object.method(arguments)`");
                    return Err(self.error(error));
                };
                StateKind::Fork(*target)
            }
        };
        Ok((State { base: base.expr, kind }, height))
    }

    /// `.f`, `.f(..)`, `.*`, `.~(C.f)`
    fn member_of(&mut self, base: Tall) -> Parsed<Tall> {
        self.bump();
        let start = base.expr.span;
        let object = base.expr;
        if self.eat(TokenKind::Star) {
            return self.node(ExprKind::AllFields(Box::new(object)), start, base.height);
        }
        if self.is_at(TokenKind::Tilde) {
            let kind = self.back_pointers(Some(Box::new(object)))?;
            return self.node(kind, start, base.height);
        }
        let name = self.ident("the name of a member")?;
        if self.is_at(TokenKind::OpenParen) {
            self.bump();
            let (args, height) = self.list_until(TokenKind::CloseParen)?;
            let span = self.span_from(start);
            let target = Target { receiver: Some(object), name, args, span };
            return self.node(ExprKind::Apply(Box::new(target)), start, base.height.max(height));
        }
        self.node(ExprKind::Field(Box::new(object), name), start, base.height)
    }

    /// `~(C.f)`
    pub(super) fn back_pointers(&mut self, object: Option<Box<Expr>>) -> Parsed<ExprKind> {
        self.bump();
        self.expect(TokenKind::OpenParen)?;
        let class = self.ident("the name of a class")?;
        self.expect(TokenKind::Dot)?;
        let field = self.ident("the name of a field")?;
        self.expect(TokenKind::CloseParen)?;
        Ok(ExprKind::BackPointers(object, class, field))
    }

    /// `[*]`, `[i]`, `[i..]`, `[..j]`, `[i..j]`
    fn bracket(&mut self, base: Tall) -> Parsed<Tall> {
        self.bump();
        let start = base.expr.span;
        if self.is_at(TokenKind::Star) && self.nth(1) == TokenKind::CloseBracket {
            self.bump();
            self.bump();
            return self.node(ExprKind::AllElements(Box::new(base.expr)), start, base.height);
        }
        let mut low = None;
        if !self.is_at(TokenKind::DotDot) {
            let index = self.inner()?;
            if self.eat(TokenKind::CloseBracket) {
                return self.index_node(base, index);
            }
            low = Some(index);
        }
        if !self.is_at(TokenKind::DotDot) {
            return Err(self.unexpected("`]` or `..`"));
        }
        self.bump();
        let mut high = None;
        if low.is_none() || !self.is_at(TokenKind::CloseBracket) {
            high = Some(self.inner()?);
        }
        self.expect(TokenKind::CloseBracket)?;
        let height_of = |bound: &Option<Tall>| bound.as_ref().map_or(0, |tall| tall.height);
        let height = base.height.max(height_of(&low)).max(height_of(&high));
        let [low, high] = [low, high].map(|bound| bound.map(|tall| Box::new(tall.expr)));
        self.node(ExprKind::Slice(Box::new(base.expr), low, high), start, height)
    }

    fn index_node(&mut self, base: Tall, index: Tall) -> Parsed<Tall> {
        let start = base.expr.span;
        let height = base.height.max(index.height);
        let kind = ExprKind::Index(Box::new(base.expr), Box::new(index.expr));
        self.node(kind, start, height)
    }
}
