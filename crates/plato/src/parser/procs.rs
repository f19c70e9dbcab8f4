//! Threads and procedures.

use super::Parser;
use crate::ast::{Clause, ClauseKind, Copies, Forked, Formula, Ident, Param, Path, Proc, Thread};
use crate::lexer::TokenKind;
use parsing::{Parsed, Rules, syntax_error};
use source::Name;

impl Parser<'_> {
    pub(super) fn thread_item(&mut self) -> Parsed<Thread> {
        let name = self.ident("the name of a thread")?;
        let copies = self.copies()?;
        let forked = if self.is_at(TokenKind::OpenParen) { Some(self.forked()?) } else { None };
        let relies = self.thread_relies()?;
        let body = self.block()?;
        Ok(Thread { name, copies, forked, relies, body })
    }

    /// `(params) returns (results) requires e ensures e`
    fn forked(&mut self) -> Parsed<Forked> {
        let (params, results) = (self.params()?, self.results()?);
        let (mut requires, mut ensures) = (Vec::new(), Vec::new());
        loop {
            let formulas = match self.kind() {
                TokenKind::Requires => &mut requires,
                TokenKind::Ensures => &mut ensures,
                _ => return Ok(Forked { params, results, requires, ensures }),
            };
            self.bump();
            formulas.push(self.expr()?);
            self.eat(TokenKind::Semicolon);
        }
    }

    fn copies(&mut self) -> Parsed<Copies> {
        if !self.eat(TokenKind::OpenBracket) {
            return Ok(Copies::One);
        }
        let copies = if self.is_at(TokenKind::Star) && self.nth(1) == TokenKind::CloseBracket {
            self.bump();
            Copies::Any
        } else {
            Copies::Counted(self.expr()?)
        };
        self.expect(TokenKind::CloseBracket)?;
        Ok(copies)
    }

    fn thread_relies(&mut self) -> Parsed<Vec<Formula>> {
        let mut relies = Vec::new();
        while self.eat(TokenKind::Rely) {
            relies.push(self.formula()?);
            if !self.eat(TokenKind::Semicolon) {
                self.eat(TokenKind::Comma);
            }
        }
        Ok(relies)
    }

    pub(super) fn proc_item(&mut self, is_atomic: bool) -> Parsed<Proc> {
        let name = self.ident("the name of a procedure")?;
        let params = self.params()?;
        let results = self.results()?;
        let spec = self.spec()?;
        let body = self.block()?;
        Ok(Proc { is_atomic, name, params, results, spec, body })
    }

    /// `(i, j: T, k: U)`, spread out to one type per name.
    pub(super) fn params(&mut self) -> Parsed<Vec<Param>> {
        self.expect(TokenKind::OpenParen)?;
        if self.eat(TokenKind::CloseParen) {
            return Ok(Vec::new());
        }
        let params = self.param_groups()?;
        self.expect(TokenKind::CloseParen)?;
        Ok(params)
    }

    pub(super) fn param_groups(&mut self) -> Parsed<Vec<Param>> {
        let mut params = Vec::new();
        loop {
            let names = self.comma_list(|p| p.ident("a name"))?;
            if !self.is_at(TokenKind::Colon) {
                let error = syntax_error(self.previous_span(), "a name without a type")
                    .at("expected `:` and a type after this")
                    .help("give it a type, as in `i: Tid`");
                return Err(self.error(error));
            }
            self.bump();
            let ty = self.ty()?;
            params.extend(names.into_iter().map(|name| Param { name, ty: ty.clone() }));
            if !self.eat(TokenKind::Comma) {
                return Ok(params);
            }
        }
    }

    fn results(&mut self) -> Parsed<Vec<Param>> {
        if self.eat(TokenKind::Returns) {
            return self.params();
        }
        if !self.eat(TokenKind::Colon) {
            return Ok(Vec::new());
        }
        let ty = self.ty()?;
        Ok(vec![Param { name: Ident { name: Name::from("result"), span: ty.span }, ty }])
    }

    fn spec(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        loop {
            let start = self.span();
            let kind = match self.kind() {
                TokenKind::Requires => {
                    self.bump();
                    ClauseKind::Requires(self.expr()?)
                }
                TokenKind::Ensures => {
                    self.bump();
                    ClauseKind::Ensures(self.expr()?)
                }
                TokenKind::Modifies => {
                    let names = self.modifies()?;
                    let has_frame = self.is_at(TokenKind::Ident) && self.is_at_word("where");
                    if has_frame {
                        self.bump();
                    }
                    let frame = if has_frame { Some(self.expr()?) } else { None };
                    ClauseKind::Modifies(names, frame)
                }
                _ => match self.steps_clause()? {
                    Some(kind) => kind,
                    None => return Ok(clauses),
                },
            };
            clauses.push(Clause { kind, span: self.span_from(start) });
            self.eat(TokenKind::Semicolon);
        }
    }

    /// An action, or several put together; `None` if there is none.
    fn steps_clause(&mut self) -> Parsed<Option<ClauseKind>> {
        let opens = self.nth(1) == TokenKind::OpenBrace;
        Ok(Some(match self.kind() {
            TokenKind::Action => self.action_clause()?,
            TokenKind::Choose => {
                self.bump();
                let mut branches = vec![self.steps_block()?];
                while self.eat(TokenKind::Or) {
                    branches.push(self.steps_block()?);
                }
                ClauseKind::Choose(branches)
            }
            TokenKind::Ident if opens && self.is_at_word("optional") => {
                self.bump();
                ClauseKind::Optional(self.steps_block()?)
            }
            TokenKind::Ident if opens && self.is_at_word("repeat") => {
                self.bump();
                ClauseKind::Repeat(self.steps_block()?)
            }
            _ => return Ok(None),
        }))
    }

    /// `{ actions }`
    fn steps_block(&mut self) -> Parsed<Vec<Clause>> {
        self.expect(TokenKind::OpenBrace)?;
        let mut clauses = Vec::new();
        loop {
            let start = self.span();
            self.nested(|p| {
                if let Some(kind) = p.steps_clause()? {
                    clauses.push(Clause { kind, span: p.span_from(start) });
                    p.eat(TokenKind::Semicolon);
                }
                Ok(())
            })?;
            if self.span() == start {
                break;
            }
        }
        self.expect(TokenKind::CloseBrace)?;
        Ok(clauses)
    }

    fn action_clause(&mut self) -> Parsed<ClauseKind> {
        self.bump();
        let name = if self.is_at(TokenKind::Ident) {
            Some(self.ident("the name of an action")?)
        } else {
            None
        };
        let modifies = if self.is_at(TokenKind::Modifies) { self.modifies()? } else { Vec::new() };
        if !self.is_at(TokenKind::Ensures) {
            let error = syntax_error(self.span(), "expected `ensures`")
                .at("the formula of this step is missing")
                .help("a visible step is written `action modifies m ensures m == 0 && m' == tid`");
            return Err(self.error(error));
        }
        self.bump();
        Ok(ClauseKind::Action(name, modifies, self.expr()?))
    }

    /// `modifies x, y`; the list may be empty.
    pub(super) fn modifies(&mut self) -> Parsed<Vec<Path>> {
        self.expect(TokenKind::Modifies)?;
        if !self.is_at(TokenKind::Ident) {
            return Ok(Vec::new());
        }
        let names = self.comma_list(|p| p.path("the name of a variable"))?;
        if self.is_at(TokenKind::OpenBracket) {
            let error = syntax_error(self.span(), "an index in `modifies`")
                .at("names whole variables only")
                .help("name the map, and say in the formula which entries keep their value");
            return Err(self.error(error));
        }
        Ok(names)
    }
}
