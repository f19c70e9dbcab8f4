//! Blocks, control, declarations and assignments.

use super::Parser;
use crate::lexer::TokenKind;
use crate::syntax::{
    Block, Bounds, Expr, ExprKind, Ident, Local, New, Rhs, Specification, Stmt, StmtKind, While,
};
use parsing::{Kind, Parsed, Rules, syntax_error};
use source::Span;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        if !self.is_at(TokenKind::OpenBrace) {
            return Err(self.missing_open_brace());
        }
        let open = self.span();
        if self.enter().is_err() {
            self.skip_braces();
            return Ok(Block { stmts: Vec::new(), span: self.span_from(open) });
        }
        self.bump();
        let block = self.block_inside(open, TokenKind::CloseBrace);
        self.depth -= 1;
        Ok(block)
    }

    /// Statements up to and including `}` or `]]`.
    fn block_inside(&mut self, open: Span, close: TokenKind) -> Block {
        let mut stmts = Vec::new();
        while !self.is_at(close) {
            let ends = self.is_at(TokenKind::End) || self.is_at(TokenKind::CloseBrace);
            if ends || self.is_at_member() {
                self.missing_close_brace(open);
                return Block { stmts, span: self.span_from(open) };
            }
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            stmts.extend(self.one_or_skip(Self::stmt, Self::skip_to_stmt));
        }
        self.bump();
        if close == TokenKind::CloseBracket && !self.eat(close) {
            let error = syntax_error(self.previous_span(), "expected `]]`, found `]`")
                .at("closes only one of two brackets");
            self.error(error);
        }
        Block { stmts, span: self.span_from(open) }
    }

    pub(super) fn stmt(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let (kind, span) = match self.kind() {
            TokenKind::If => self.if_stmt()?,
            TokenKind::While => self.while_stmt()?,
            TokenKind::OpenBrace => (StmtKind::Block(self.block()?), start),
            TokenKind::Lock => self.lock_stmt()?,
            TokenKind::Rd if self.nth(1) == TokenKind::Lock => self.lock_stmt()?,
            TokenKind::OpenBracket if self.is_at_double(TokenKind::OpenBracket) => {
                self.lock_this()?
            }
            _ => {
                let kind = self.simple_stmt()?;
                (kind, self.span_from(start))
            }
        };
        self.eat(TokenKind::Semicolon);
        Ok(Stmt { kind, span })
    }

    /// `[[ .. ]]`
    fn lock_this(&mut self) -> Parsed<(StmtKind, Span)> {
        let start = self.bump().span;
        self.bump();
        let open = self.span_from(start);
        let body = self.nested(|p| Ok(p.block_inside(open, TokenKind::CloseBracket)))?;
        let this = Expr { kind: ExprKind::This, span: open };
        Ok((StmtKind::Lock(crate::syntax::Mode::Write, this, body), open))
    }

    /// Each `else if` is one level deeper in later trees, so it counts as one here.
    fn if_stmt(&mut self) -> Parsed<(StmtKind, Span)> {
        let start = self.bump().span;
        let cond = self.cond("if")?;
        let span = self.span_from(start);
        let then = self.block()?;
        let mut otherwise = None;
        if self.eat(TokenKind::Else) {
            if self.is_at(TokenKind::CloseBrace) {
                return Err(self.unexpected("a statement after `else`"));
            }
            otherwise = Some(Box::new(self.nested(Self::stmt)?));
        }
        Ok((StmtKind::If(cond, then, otherwise), span))
    }

    fn while_stmt(&mut self) -> Parsed<(StmtKind, Span)> {
        let start = self.bump().span;
        let cond = self.cond("while")?;
        let span = self.span_from(start);
        let (mut invariants, mut lockchange) = (Vec::new(), Vec::new());
        loop {
            if self.eat(TokenKind::Invariant) {
                invariants.push(self.clause_expr());
            } else if self.eat(TokenKind::Lockchange) {
                lockchange.extend(self.expr_list()?);
            } else {
                break;
            }
            self.end_clause();
        }
        let body = self.block()?;
        Ok((StmtKind::While(Box::new(While { cond, invariants, lockchange, body })), span))
    }

    /// `(e)`
    pub(super) fn cond(&mut self, keyword: &str) -> Parsed<Expr> {
        if !self.is_at(TokenKind::OpenParen) {
            let error = syntax_error(self.span(), format!("expected `(` after `{keyword}`"))
                .at("parentheses are needed")
                .help(format!("write `{keyword} (...) {{ ... }}`"));
            return Err(self.error(error));
        }
        self.bump();
        let expr = self.nested(Self::expr)?;
        self.expect(TokenKind::CloseParen)?;
        Ok(expr)
    }

    /// `var x: T := e`, `var x, y [pre, post]`, after the words before the names were taken.
    pub(super) fn local(&mut self, ghost: bool, constant: bool) -> Parsed<StmtKind> {
        let mut params = self.comma_list(|p| p.param("the name of a variable"))?;
        if self.is_at(TokenKind::OpenBracket) && !self.is_at_double(TokenKind::OpenBracket) {
            self.bump();
            let mut before = None;
            let mut after = self.nested(Self::expr)?;
            if self.eat(TokenKind::Comma) {
                before = Some(after);
                after = self.nested(Self::expr)?;
            }
            self.expect(TokenKind::CloseBracket)?;
            let spec = Specification { ghost, constant, targets: params, before, after };
            return Ok(StmtKind::Specification(Box::new(spec)));
        }
        let Some(param) = params.pop().filter(|_| params.is_empty()) else {
            let error = syntax_error(self.previous_span(), "several variables in one declaration")
                .at("a second name")
                .help("declare each in a statement of its own: `var x: int; var y: int;`");
            return Err(self.error(error));
        };
        let init = if self.eat(TokenKind::Assign) { Some(self.rhs()?) } else { None };
        Ok(StmtKind::Local(Local { ghost, constant, param, init }))
    }

    pub(super) fn assignment(&mut self) -> Parsed<StmtKind> {
        let place = self.postfix_expr()?;
        if !self.is_at(TokenKind::Assign) {
            if self.is_at(TokenKind::Eq) {
                let error = syntax_error(self.span(), "`=` does not assign")
                    .at("did you mean `:=`?")
                    .help("write `:=` to assign and `==` to compare");
                return Err(self.error(error));
            }
            if matches!(place.kind, ExprKind::Apply(_)) {
                let error = syntax_error(place.span, "a call without `call`")
                    .at("not a statement")
                    .help("write `call` before it");
                return Err(self.error(error));
            }
            return Err(self.unexpected("`:=`"));
        }
        self.bump();
        Ok(StmtKind::Assign(place, self.rhs()?))
    }

    fn rhs(&mut self) -> Parsed<Rhs> {
        if !self.is_at(TokenKind::New) {
            return Ok(Rhs::Expr(self.expr()?));
        }
        let start = self.bump().span;
        let class = self.ident("the name of a class or channel")?;
        let mut inits = Vec::new();
        if self.is_at_inits() {
            self.bump();
            if !self.is_at(TokenKind::CloseBrace) {
                inits = self.comma_list(Self::field_init)?;
            }
            self.expect(TokenKind::CloseBrace)?;
        }
        let bounds = self.bounds()?;
        let span = self.span_from(start);
        Ok(Rhs::New(Box::new(New { class, inits, bounds, span })))
    }

    /// Whether the brace after `new C` holds first values: it may also be a block that follows
    /// without a `;`.
    fn is_at_inits(&self) -> bool {
        self.is_at(TokenKind::OpenBrace)
            && (self.nth(1) == TokenKind::CloseBrace
                || (self.nth(1).is_name() && self.nth(2) == TokenKind::Assign))
    }

    fn field_init(&mut self) -> Parsed<(Ident, Expr)> {
        let field = self.ident("the name of a field")?;
        self.expect(TokenKind::Assign)?;
        Ok((field, self.nested(Self::expr)?))
    }

    /// `between a and b`, `below b above a`, `above a below b`, or nothing.
    pub(super) fn bounds(&mut self) -> Parsed<Bounds> {
        let mut bounds = Bounds::default();
        if self.eat(TokenKind::Between) {
            bounds.lower = self.expr_list()?;
            self.expect(TokenKind::And)?;
            bounds.upper = self.expr_list()?;
        } else if self.eat(TokenKind::Below) {
            bounds.upper = self.expr_list()?;
            if self.eat(TokenKind::Above) {
                bounds.lower = self.expr_list()?;
            }
        } else if self.eat(TokenKind::Above) {
            bounds.lower = self.expr_list()?;
            if self.eat(TokenKind::Below) {
                bounds.upper = self.expr_list()?;
            }
        }
        Ok(bounds)
    }
}
