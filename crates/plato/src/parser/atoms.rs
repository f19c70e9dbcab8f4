//! Operands: names, literals, parentheses, quantifiers, and their suffixes.

use super::Parser;
use super::exprs::Tall;
use crate::ast::{Expr, ExprKind, NameExpr};
use crate::lexer::TokenKind;
use parsing::operators::Operators;
use parsing::{Kind, Parsed, Reported, Rules as _, syntax_error};

impl Parser<'_> {
    /// An atom and any number of `[k]` and `[k := v]`.
    pub(super) fn with_indices(&mut self) -> Parsed<Tall> {
        let mut base = self.atom()?;
        loop {
            match self.kind() {
                TokenKind::OpenBracket => base = self.index(base)?,
                TokenKind::Prime => return Err(self.misplaced_prime(&base.expr)),
                TokenKind::PlusPlus | TokenKind::MinusMinus => {
                    let text = self.kind().text();
                    let error = syntax_error(self.span(), format!("there is no operator `{text}`"))
                        .at("not part of the language")
                        .help("assign in a statement of its own: `x := x + 1;`");
                    return Err(self.error(error));
                }
                _ => return Ok(base),
            }
        }
    }

    fn misplaced_prime(&mut self, base: &Expr) -> Reported {
        let error =
            syntax_error(self.span(), "a prime after something that is not a name").at("misplaced");
        let error = match base.kind {
            ExprKind::Index(..) => error.help("put it on the variable: `m'[i]` instead of `m[i]'`"),
            ExprKind::Name(NameExpr { primed: true, .. }) => {
                error.help("one prime is enough: there are only two stores")
            }
            ExprKind::Tid => error.help("`tid` never changes; drop the prime"),
            _ => error.help("put it on the names of the variables"),
        };
        self.error(error)
    }

    fn index(&mut self, base: Tall) -> Parsed<Tall> {
        self.bump();
        let start = base.expr.span;
        let key = self.inner()?;
        let mut height = base.height.max(key.height);
        let (base, key) = (Box::new(base.expr), Box::new(key.expr));
        let kind = if self.eat(TokenKind::Assign) {
            let value = self.inner()?;
            height = height.max(value.height);
            ExprKind::Update(base, key, Box::new(value.expr))
        } else {
            ExprKind::Index(base, key)
        };
        self.expect(TokenKind::CloseBracket)?;
        self.node(kind, start, height)
    }

    fn atom(&mut self) -> Parsed<Tall> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Int(value) => ExprKind::Int(value),
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            TokenKind::Tid => ExprKind::Tid,
            TokenKind::Ident => return self.name_or_application(),
            _ if self.is_at_word_as_name() => return self.name_or_application(),
            TokenKind::At => return self.at_label(),
            TokenKind::OpenParen => return self.parenthesised(),
            TokenKind::OpenBrace => return self.set(),
            TokenKind::Hash => return self.size(),
            TokenKind::OpenBracket => return self.const_map(),
            TokenKind::Forall | TokenKind::Exists => return self.quantified(),
            TokenKind::Cas | TokenKind::Call => return Err(self.call_in_expr()),
            _ => return Err(self.unexpected("an expression")),
        };
        self.bump();
        self.node(kind, start, 0)
    }

    fn call_in_expr(&mut self) -> Reported {
        let word = self.kind().text();
        let error = syntax_error(self.span(), format!("`{word}` inside an expression"))
            .at("calls are statements")
            .help("store the result first: `b := cas(l, e, n);` or `x := p(a);`");
        let reported = self.error(error);
        // The word starts statements too, but not this time.
        self.bump();
        self.hush();
        reported
    }

    fn name_or_application(&mut self) -> Parsed<Tall> {
        let path = self.path("a name")?;
        let start = path.span;
        let primed = self.eat(TokenKind::Prime);
        let name = NameExpr { path, primed };
        if !self.is_at(TokenKind::OpenParen) {
            return self.node(ExprKind::Name(name), start, 0);
        }
        let (args, height) = self.tall_args()?;
        self.node(ExprKind::Apply(name, args), start, height)
    }

    /// `(a, b)`
    pub(super) fn args(&mut self) -> Parsed<Vec<Expr>> {
        self.tall_args().map(|(args, _)| args)
    }

    fn tall_args(&mut self) -> Parsed<(Vec<Expr>, u32)> {
        self.expect(TokenKind::OpenParen)?;
        self.list_until(TokenKind::CloseParen)
    }

    fn at_label(&mut self) -> Parsed<Tall> {
        let start = self.bump().span;
        self.expect(TokenKind::OpenParen)?;
        let thread = self.inner()?;
        self.expect(TokenKind::Comma)?;
        let label = self.path("a label")?;
        self.expect(TokenKind::CloseParen)?;
        self.node(ExprKind::At(Box::new(thread.expr), label), start, thread.height)
    }

    fn set(&mut self) -> Parsed<Tall> {
        let start = self.bump().span;
        let (elements, height) = self.list_until(TokenKind::CloseBrace)?;
        self.node(ExprKind::Set(elements), start, height)
    }

    /// `#s`
    fn size(&mut self) -> Parsed<Tall> {
        let start = self.bump().span;
        let set = self.nested(Self::with_indices)?;
        self.node(ExprKind::Size(Box::new(set.expr)), start, set.height)
    }

    fn const_map(&mut self) -> Parsed<Tall> {
        let start = self.bump().span;
        if !self.is_at(TokenKind::Underscore) {
            let error = syntax_error(self.span(), "expected `_ => e` in a map").help(
                "`[_ => e]` is the map that is `e` everywhere; change entries with `m[k := v]`",
            );
            return Err(self.error(error));
        }
        self.bump();
        self.expect(TokenKind::FatArrow)?;
        let value = self.inner()?;
        self.expect(TokenKind::CloseBracket)?;
        self.node(ExprKind::ConstMap(Box::new(value.expr)), start, value.height)
    }

    fn quantified(&mut self) -> Parsed<Tall> {
        let keyword = self.bump();
        let params = self.param_groups()?;
        if !self.is_at(TokenKind::ColonColon) {
            return Err(self.unexpected("`::` and the body of the quantifier"));
        }
        self.bump();
        let body = self.inner()?;
        let inside = Box::new(body.expr);
        let kind = if keyword.kind == TokenKind::Forall {
            ExprKind::Forall(params, inside)
        } else {
            ExprKind::Exists(params, inside)
        };
        self.node(kind, keyword.span, body.height)
    }
}
