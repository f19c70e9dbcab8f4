//! The members of a class.

use super::Parser;
use crate::lexer::TokenKind;
use crate::syntax::{
    Condition, Expr, ExprKind, Field, Function, Ident, Member, Method, Param, Predicate, Spec,
};
use parsing::{Parsed, Rules, syntax_error};
use source::Span;

impl Parser<'_> {
    pub(super) fn member(&mut self) -> Parsed<Member> {
        match self.kind() {
            TokenKind::Var | TokenKind::Ghost | TokenKind::Tracked | TokenKind::Volatile => {
                self.field().map(Member::Field)
            }
            TokenKind::Invariant => {
                self.bump();
                let invariant = self.expr_or_error();
                self.end_clause();
                Ok(Member::Invariant(invariant))
            }
            TokenKind::Method => self.method().map(Member::Method),
            TokenKind::Predicate => self.predicate().map(Member::Predicate),
            TokenKind::Unlimited | TokenKind::Static | TokenKind::Function => {
                self.function().map(Member::Function)
            }
            TokenKind::Condition => self.condition().map(Member::Condition),
            TokenKind::Replaces => self.coupling(),
            TokenKind::Refines | TokenKind::Transforms => self.transform(),
            _ => {
                let found = self.describe();
                let error = syntax_error(self.span(), format!("expected a member of the class, found {found}"))
                    .at("not a member")
                    .help("members start with `var`, `invariant`, `method`, `predicate`, `function` or `condition`");
                Err(self.error(error))
            }
        }
    }

    /// The `;` after a clause may be left out.
    pub(super) fn end_clause(&mut self) {
        self.eat(TokenKind::Semicolon);
    }

    fn field(&mut self) -> Parsed<Field> {
        let start = self.span();
        let volatile = self.eat(TokenKind::Volatile);
        let tracked = self.eat(TokenKind::Tracked);
        let ghost = self.eat(TokenKind::Ghost);
        self.expect(TokenKind::Var)?;
        let param = self.param("the name of a field")?;
        let span = self.span_from(start);
        self.end_clause();
        Ok(Field { ghost, volatile, tracked, param, span })
    }

    fn method(&mut self) -> Parsed<Method> {
        let start = self.bump().span;
        let name = self.ident("the name of a method")?;
        let (params, results) = self.signature()?;
        let span = self.span_from(start);
        let specs = self.specs()?;
        let body = self.block()?;
        Ok(Method { name, params, results, specs, body, span })
    }

    fn signature(&mut self) -> Parsed<(Vec<Param>, Vec<Param>)> {
        let params = self.params()?;
        let results = if self.eat(TokenKind::Returns) { self.params()? } else { Vec::new() };
        Ok((params, results))
    }

    fn specs(&mut self) -> Parsed<Vec<Spec>> {
        let mut specs = Vec::new();
        loop {
            let start = self.span();
            let spec = match self.kind() {
                TokenKind::Requires => {
                    self.bump();
                    Spec::Requires(self.clause_expr())
                }
                TokenKind::Ensures => {
                    self.bump();
                    Spec::Ensures(self.clause_expr())
                }
                TokenKind::Lockchange => {
                    self.bump();
                    let exprs = self.expr_list()?;
                    Spec::Lockchange(exprs, self.span_from(start))
                }
                _ => return Ok(specs),
            };
            self.end_clause();
            specs.push(spec);
        }
    }

    /// The formula of a clause. If it is broken, the parser finds the next clause or the body, so
    /// that only the clause is lost.
    pub(super) fn clause_expr(&mut self) -> Expr {
        let start = self.span();
        if let Ok(expr) = self.expr() {
            return expr;
        }
        while !matches!(
            self.kind(),
            TokenKind::Requires
                | TokenKind::Ensures
                | TokenKind::Lockchange
                | TokenKind::Invariant
                | TokenKind::OpenBrace
                | TokenKind::CloseBrace
                | TokenKind::Semicolon
                | TokenKind::End
        ) && !self.is_at_member()
        {
            self.bump();
        }
        Expr { kind: ExprKind::Error, span: start }
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        let start = self.bump().span;
        let name = self.ident("the name of a predicate")?;
        let params = if self.is_at(TokenKind::OpenParen) { self.params()? } else { Vec::new() };
        let span = self.span_from(start);
        let body = self.braced_expr()?;
        self.end_clause();
        Ok(Predicate { name, params, body, span })
    }

    /// `{ e }`
    pub(super) fn braced_expr(&mut self) -> Parsed<Expr> {
        self.expect(TokenKind::OpenBrace)?;
        let body = self.nested(Self::expr)?;
        self.expect(TokenKind::CloseBrace)?;
        Ok(body)
    }

    fn function(&mut self) -> Parsed<Function> {
        let start = self.span();
        let unlimited = self.eat(TokenKind::Unlimited);
        let is_static = self.eat(TokenKind::Static);
        self.expect(TokenKind::Function)?;
        let name = self.ident("the name of a function")?;
        let params = self.params()?;
        self.expect(TokenKind::Colon)?;
        let ty = self.ty()?;
        let span = self.span_from(start);
        let specs = self.specs()?;
        let body = if self.is_at(TokenKind::OpenBrace) { Some(self.braced_expr()?) } else { None };
        self.end_clause();
        Ok(Function { unlimited, is_static, name, params, ty, specs, body, span })
    }

    fn condition(&mut self) -> Parsed<Condition> {
        let start = self.bump().span;
        let name = self.ident("the name of a condition")?;
        let condition = if self.eat(TokenKind::Where) { Some(self.expr_or_error()) } else { None };
        let span = self.span_from(start);
        self.end_clause();
        Ok(Condition { name, condition, span })
    }

    /// `replaces x, y by e`
    fn coupling(&mut self) -> Parsed<Member> {
        let start = self.bump().span;
        self.comma_list(|p| p.ident("the name of a field"))?;
        self.expect(TokenKind::By)?;
        self.expr()?;
        let span = self.span_from(start);
        self.end_clause();
        Ok(Member::Coupling(span))
    }

    /// `refines m(..) .. { .. }` or `transforms m(..) .. { .. }`. Refinement is not supported and
    /// nothing would use the patterns of its body, so the body is skipped.
    fn transform(&mut self) -> Parsed<Member> {
        let start: Span = self.bump().span;
        let name: Ident = self.ident("the name of a method")?;
        self.signature()?;
        let span = self.span_from(start);
        self.specs()?;
        if !self.is_at(TokenKind::OpenBrace) {
            return Err(self.unexpected("`{`"));
        }
        self.skip_braces();
        Ok(Member::Transform(name, span))
    }
}
