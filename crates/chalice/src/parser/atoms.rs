//! Operands: names, literals, parentheses and everything that is written like a function.

use super::Parser;
use super::exprs::Tall;
use crate::lexer::TokenKind;
use crate::syntax::{Expr, ExprKind, Mode, Target};
use parsing::operators::Operators;
use parsing::{Kind, Parsed, Rules, syntax_error};
use source::{Name, Span};

impl Parser<'_> {
    /// Whether an expression may start here.
    pub(super) fn starts_expr(&self) -> bool {
        let kind = self.kind();
        kind.is_name()
            || matches!(
                kind,
                TokenKind::Int(_)
                    | TokenKind::Str
                    | TokenKind::True
                    | TokenKind::False
                    | TokenKind::Null
                    | TokenKind::This
                    | TokenKind::Result
                    | TokenKind::Waitlevel
                    | TokenKind::Lockbottom
                    | TokenKind::OpenParen
                    | TokenKind::OpenBracket
                    | TokenKind::Pipe
                    | TokenKind::Bang
                    | TokenKind::Minus
                    | TokenKind::Old
                    | TokenKind::Eval
                    | TokenKind::Ite
                    | TokenKind::Unfolding
                    | TokenKind::Nil
                    | TokenKind::Forall
                    | TokenKind::Exists
            )
    }

    pub(super) fn atom(&mut self) -> Parsed<Tall> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Int(value) => ExprKind::Int(value),
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            TokenKind::Null => ExprKind::Null,
            TokenKind::Str => {
                let text = self.text_of(self.span());
                ExprKind::Str(Name::from(text.trim_matches(['"', '\''])))
            }
            TokenKind::This => ExprKind::This,
            TokenKind::Result => ExprKind::Result,
            TokenKind::Waitlevel => ExprKind::Waitlevel,
            TokenKind::Lockbottom => ExprKind::Lockbottom,
            TokenKind::Underscore => ExprKind::Any,
            _ => return self.larger_atom(start),
        };
        self.bump();
        self.node(kind, start, 0)
    }

    fn larger_atom(&mut self, start: Span) -> Parsed<Tall> {
        match self.kind() {
            TokenKind::Forall | TokenKind::Exists => self.quantified(),
            TokenKind::Sum | TokenKind::Max if self.is_at_aggregate() => self.quantified(),
            TokenKind::Empty if self.is_at_empty_set() => self.typed_empty(start),
            TokenKind::Nil => self.typed_empty(start),
            TokenKind::Credit if self.nth(1) == TokenKind::OpenParen => self.credit(start),
            kind if kind.is_name() => self.name_or_application(),
            TokenKind::OpenParen => self.parenthesised(),
            TokenKind::OpenBracket => self.seq_or_range(start),
            TokenKind::OpenBrace => {
                self.bump();
                let (elements, height) = self.list_until(TokenKind::CloseBrace)?;
                self.node(ExprKind::Set(elements), start, height)
            }
            TokenKind::Pipe => {
                self.bump();
                let inside = self.inner()?;
                self.expect(TokenKind::Pipe)?;
                self.node(ExprKind::Length(Box::new(inside.expr)), start, inside.height)
            }
            TokenKind::Acc => self.acc(start),
            TokenKind::Rd => self.rd(start),
            TokenKind::Tilde => {
                let kind = self.back_pointers(None)?;
                self.node(kind, start, 0)
            }
            TokenKind::Old => self.wrapped(start, ExprKind::Old),
            TokenKind::Holds => self.wrapped(start, |e| ExprKind::Holds(Mode::Write, e)),
            TokenKind::Assigned => {
                self.bump();
                self.expect(TokenKind::OpenParen)?;
                let name = self.ident("the name of a variable")?;
                self.expect(TokenKind::CloseParen)?;
                self.node(ExprKind::Assigned(name), start, 0)
            }
            TokenKind::Unfolding => self.unfolding(start),
            TokenKind::Eval => {
                self.bump();
                self.eval(start)
            }
            TokenKind::Ite => self.ite(start),
            TokenKind::New => {
                let error = syntax_error(start, "`new` inside an expression")
                    .at("creates an object, so it is no value")
                    .help("assign it first: `var x: C := new C;`");
                Err(self.error(error))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// A word, and an expression in parentheses.
    pub(super) fn wrapped(
        &mut self,
        start: Span,
        wrap: impl FnOnce(Box<Expr>) -> ExprKind,
    ) -> Parsed<Tall> {
        self.bump();
        self.expect(TokenKind::OpenParen)?;
        let inside = self.inner()?;
        self.expect(TokenKind::CloseParen)?;
        self.node(wrap(Box::new(inside.expr)), start, inside.height)
    }

    fn name_or_application(&mut self) -> Parsed<Tall> {
        let name = self.ident("a name")?;
        let start = name.span;
        if !self.is_at(TokenKind::OpenParen) {
            return self.node(ExprKind::Name(name.name), start, 0);
        }
        self.bump();
        let (args, height) = self.list_until(TokenKind::CloseParen)?;
        let span = self.span_from(start);
        let target = Target { receiver: None, name, args, span };
        self.node(ExprKind::Apply(Box::new(target)), start, height)
    }

    /// `[a..b]`, in older programs `[a:b]`, or `[a, b, ..]`.
    fn seq_or_range(&mut self, start: Span) -> Parsed<Tall> {
        self.bump();
        if self.eat(TokenKind::CloseBracket) {
            return self.node(ExprKind::Seq(Vec::new()), start, 0);
        }
        let first = self.inner()?;
        if self.eat(TokenKind::DotDot) || self.eat(TokenKind::Colon) {
            let last = self.inner()?;
            self.expect(TokenKind::CloseBracket)?;
            let height = first.height.max(last.height);
            let kind = ExprKind::Range(Box::new(first.expr), Box::new(last.expr));
            return self.node(kind, start, height);
        }
        let (mut elements, mut height) = (vec![first.expr], first.height);
        if self.eat(TokenKind::Comma) {
            let (rest, rest_height) = self.list_until(TokenKind::CloseBracket)?;
            elements.extend(rest);
            height = height.max(rest_height);
        } else {
            self.expect(TokenKind::CloseBracket)?;
        }
        self.node(ExprKind::Seq(elements), start, height)
    }

    /// Whether `empty` is followed by a type, so that it is not a name.
    fn is_at_empty_set(&self) -> bool {
        self.nth(1) == TokenKind::Less
            && (matches!(
                self.nth(2),
                TokenKind::IntType | TokenKind::Bool | TokenKind::Seq | TokenKind::Token
            ) || (self.nth(2).is_name()
                && matches!(self.nth(3), TokenKind::Greater | TokenKind::Less)))
    }

    /// `nil<T>`, `empty<T>`
    fn typed_empty(&mut self, start: Span) -> Parsed<Tall> {
        let is_nil = self.bump().kind == TokenKind::Nil;
        let ty = self.type_argument()?;
        let kind = if is_nil { ExprKind::Nil(ty) } else { ExprKind::EmptySet(ty) };
        self.node(kind, start, 0)
    }

    /// `credit(ch)`, `credit(ch, n)`
    fn credit(&mut self, start: Span) -> Parsed<Tall> {
        self.bump();
        self.bump();
        let channel = self.inner()?;
        let mut height = channel.height;
        let mut count = None;
        if self.eat(TokenKind::Comma) {
            let tall = self.inner()?;
            height = height.max(tall.height);
            count = Some(Box::new(tall.expr));
        }
        self.expect(TokenKind::CloseParen)?;
        self.node(ExprKind::Credit(Box::new(channel.expr), count), start, height)
    }

    /// `unfolding e.P in e`: the body reaches as far as it can.
    fn unfolding(&mut self, start: Span) -> Parsed<Tall> {
        self.bump();
        let predicate = self.nested(Self::postfix)?;
        self.expect(TokenKind::In)?;
        let body = self.inner()?;
        let height = predicate.height.max(body.height);
        let kind = ExprKind::Unfolding(Box::new(predicate.expr), Box::new(body.expr));
        self.node(kind, start, height)
    }

    /// `ite(c, a, b)`
    fn ite(&mut self, start: Span) -> Parsed<Tall> {
        self.bump();
        self.expect(TokenKind::OpenParen)?;
        let cond = self.inner()?;
        self.expect(TokenKind::Comma)?;
        let then = self.inner()?;
        self.expect(TokenKind::Comma)?;
        let otherwise = self.inner()?;
        self.expect(TokenKind::CloseParen)?;
        let mut whole = self.conditional_node(cond, then, otherwise)?;
        whole.expr.span = self.span_from(start);
        Ok(whole)
    }
}
