//! Statements, apart from those that start with a name.

use super::Parser;
use super::recovery::starts_item;
use crate::ast::{
    Action, Block, Cond, Expr, ExprKind, Ident, IfArm, LoopFormulas, Path, Performs, Place, Stmt,
    StmtKind,
};
use crate::lexer::TokenKind;
use parsing::{Parsed, Reported, Rules, syntax_error};
use source::{Name, Span};

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        if !self.is_at(TokenKind::OpenBrace) {
            return Err(self.missing_open_brace());
        }
        let start = self.span();
        if self.enter().is_err() {
            self.skip_braces();
            return Ok(Block { stmts: Vec::new(), span: self.span_from(start) });
        }
        let block = self.block_inside();
        self.depth -= 1;
        Ok(block)
    }

    fn block_inside(&mut self) -> Block {
        let open = self.bump().span;
        let mut stmts = Vec::new();
        while !self.is_at(TokenKind::CloseBrace) {
            let item = starts_item(self.kind()) && !self.is_at_word_as_name();
            if item || self.is_at(TokenKind::End) {
                self.missing_close_brace(open);
                return Block { stmts, span: self.span_from(open) };
            }
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            stmts.extend(self.one_or_skip(Self::stmt, Self::skip_to_stmt));
        }
        self.bump();
        Block { stmts, span: self.span_from(open) }
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let label = self.label()?;
        let performs = self.performs()?;
        let start = self.span();
        let (kind, span) = match self.kind() {
            TokenKind::If => self.if_stmt()?,
            TokenKind::While | TokenKind::Loop => self.loop_stmt()?,
            TokenKind::Choose => self.choose()?,
            TokenKind::OpenBrace => (StmtKind::Block(self.block()?), start),
            TokenKind::Atomic if self.nth(1) == TokenKind::OpenBrace => {
                self.bump();
                (StmtKind::Atomic(self.block()?), start)
            }
            _ => {
                let kind = self.simple_stmt()?;
                let span = self.span_from(start);
                self.end_stmt();
                (kind, span)
            }
        };
        Ok(Stmt { label, performs, undisturbed: false, kind, span })
    }

    fn label(&mut self) -> Parsed<Option<Ident>> {
        if !self.is_at_label() {
            return Ok(None);
        }
        let label = self.ident("a label")?;
        self.bump();
        if self.is_at(TokenKind::CloseBrace) {
            let error = syntax_error(label.span, "a label without a statement")
                .at("labels nothing")
                .help("write `skip;` after it");
            return Err(self.error(error));
        }
        while self.is_at_label() {
            let error = syntax_error(self.span(), "a second label on one statement")
                .at("the statement has a label already")
                .help("one label is enough; or write `skip;` between them");
            self.error(error);
            self.bump();
            self.bump();
        }
        Ok(Some(label))
    }

    fn is_at_label(&self) -> bool {
        self.is_at(TokenKind::Ident) && self.nth(1) == TokenKind::Colon
    }

    /// `performs take:` or `performs take if (e):`
    fn performs(&mut self) -> Parsed<Option<Performs>> {
        if !(self.is_at_word("performs") && self.nth(1) == TokenKind::Ident) {
            return Ok(None);
        }
        let start = self.span();
        self.bump();
        let action = self.ident("the name of an action")?;
        let mut cond = None;
        if self.eat(TokenKind::If) {
            self.expect(TokenKind::OpenParen)?;
            cond = Some(self.expr()?);
            self.expect(TokenKind::CloseParen)?;
        }
        let span = self.span_from(start);
        self.expect(TokenKind::Colon)?;
        Ok(Some(Performs { action, cond, span }))
    }

    /// Statements that end with `;`.
    fn simple_stmt(&mut self) -> Parsed<StmtKind> {
        let keyword = self.kind();
        match keyword {
            TokenKind::Ident | TokenKind::Tid => return self.name_stmt(),
            _ if self.is_at_word_as_name() => return self.name_stmt(),
            TokenKind::Cas => return Ok(StmtKind::Cas(Box::new(self.cas()?))),
            TokenKind::Skip
            | TokenKind::Break
            | TokenKind::Continue
            | TokenKind::Assert
            | TokenKind::Assume
            | TokenKind::Havoc
            | TokenKind::Return
            | TokenKind::Call
            | TokenKind::Var
            | TokenKind::Atomic => self.bump(),
            _ => return Err(self.not_a_stmt()),
        };
        Ok(match keyword {
            TokenKind::Skip => StmtKind::Skip,
            TokenKind::Break => StmtKind::Break(self.target()?),
            TokenKind::Continue => StmtKind::Continue(self.target()?),
            TokenKind::Assert => StmtKind::Assert(self.expr_or_error()),
            TokenKind::Assume => StmtKind::Assume(self.expr_or_error()),
            TokenKind::Havoc => StmtKind::Havoc(self.comma_list(Self::place)?),
            TokenKind::Return if self.is_at(TokenKind::Semicolon) => StmtKind::Return(Vec::new()),
            TokenKind::Return => StmtKind::Return(self.comma_list(Self::expr)?),
            TokenKind::Call => StmtKind::Call(self.call()?),
            TokenKind::Var => StmtKind::Var(self.local_var()?),
            _ => StmtKind::Action(Box::new(self.action_stmt()?)),
        })
    }

    /// The label of what `break` or `continue` is about, if one is given.
    fn target(&mut self) -> Parsed<Option<Ident>> {
        if self.is_at(TokenKind::Semicolon) { Ok(None) } else { self.ident("a label").map(Some) }
    }

    fn not_a_stmt(&mut self) -> Reported {
        let found = self.describe();
        let mut error = syntax_error(self.span(), format!("expected a statement, found {found}"))
            .at("no statement starts like this");
        error = match self.kind() {
            TokenKind::Else => error.help("an `else` follows the `}` of its `if` directly"),
            TokenKind::Or => error.help("an `or` follows the `}` of its `choose` directly"),
            TokenKind::Invariant => {
                error.help("a loop invariant stands between the condition and the `{`")
            }
            TokenKind::Rely => {
                error.help("a rely stands between the name of the thread and the `{`")
            }
            TokenKind::Action | TokenKind::Requires | TokenKind::Modifies | TokenKind::Ensures => {
                error.help("an atomic operation starts with `atomic`")
            }
            _ => error,
        };
        self.error(error)
    }

    fn if_stmt(&mut self) -> Parsed<(StmtKind, Span)> {
        let span = self.span();
        let depth = self.depth;
        let result = self.if_arms();
        self.depth = depth;
        let (arms, otherwise) = result?;
        let span = arms.first().map_or(span, |arm: &IfArm| arm.span);
        Ok((StmtKind::If(arms, otherwise), span))
    }

    /// Each `else if` is one level deeper in later trees, so it counts as one here.
    fn if_arms(&mut self) -> Parsed<(Vec<IfArm>, Option<Block>)> {
        let mut arms = Vec::new();
        loop {
            let start = self.bump().span;
            let cond = self.cond("if")?;
            let span = self.span_from(start);
            arms.push(IfArm { cond, then: self.block()?, span });
            if !self.eat(TokenKind::Else) {
                return Ok((arms, None));
            }
            if !self.is_at(TokenKind::If) {
                return Ok((arms, Some(self.block()?)));
            }
            self.enter()?;
        }
    }

    fn loop_stmt(&mut self) -> Parsed<(StmtKind, Span)> {
        let keyword = self.bump();
        if keyword.kind == TokenKind::Loop {
            let formulas = self.loop_formulas()?;
            let body = self.block()?;
            return Ok((StmtKind::Loop(formulas, body), keyword.span));
        }
        let cond = self.cond("while")?;
        let span = self.span_from(keyword.span);
        let formulas = self.loop_formulas()?;
        let body = self.block()?;
        Ok((StmtKind::While(cond, formulas, body), span))
    }

    fn loop_formulas(&mut self) -> Parsed<LoopFormulas> {
        let mut formulas = LoopFormulas::default();
        loop {
            if self.eat(TokenKind::Invariant) {
                formulas.invariants.push(self.expr()?);
            } else if self.is_at_word("guess") {
                self.bump();
                formulas.guesses.push(self.expr()?);
            } else {
                return Ok(formulas);
            }
            self.eat(TokenKind::Semicolon);
        }
    }

    /// `(e)` or `(*)`.
    fn cond(&mut self, keyword: &str) -> Parsed<Cond> {
        if !self.is_at(TokenKind::OpenParen) {
            return self.bare_cond(keyword);
        }
        if self.nth(1) == TokenKind::Star && self.nth(2) == TokenKind::CloseParen {
            self.bump();
            self.bump();
            self.bump();
            return Ok(Cond::Any);
        }
        // Parsed as an expression, so that `(a) && (b)` is noticed as a whole.
        let open = self.bump().span;
        let mut expr = self.nested(Self::expr)?;
        if self.is_at(TokenKind::Assign) {
            let error = syntax_error(self.span(), "an assignment in a condition")
                .at("assigns")
                .help("write `==` to compare; assign in a statement of its own before");
            self.error(error);
            self.bump();
            self.nested(Self::expr)?;
            expr.kind = ExprKind::Error;
        }
        self.expect(TokenKind::CloseParen)?;
        if !matches!(self.kind(), TokenKind::OpenBrace | TokenKind::Invariant) {
            let rest = self.span();
            if self.continues_expr() {
                let error = syntax_error(rest, "the condition goes on after its parenthesis")
                    .label(open, "the condition starts here")
                    .help(format!(
                        "put the whole condition in parentheses: `{keyword} (... && ...)`"
                    ));
                return Err(self.error(error));
            }
        }
        Ok(Cond::Expr(expr))
    }

    fn bare_cond(&mut self, keyword: &str) -> Parsed<Cond> {
        let error = syntax_error(self.span(), format!("expected `(` after `{keyword}`"))
            .at("the condition needs parentheses")
            .help(format!("write `{keyword} (...) {{ ... }}`"));
        self.error(error);
        if self.eat(TokenKind::Star) {
            return Ok(Cond::Any);
        }
        Ok(Cond::Expr(self.nested(Self::expr)?))
    }

    fn choose(&mut self) -> Parsed<(StmtKind, Span)> {
        let span = self.bump().span;
        let mut branches = vec![self.block()?];
        while self.eat(TokenKind::Or) {
            branches.push(self.block()?);
        }
        Ok((StmtKind::Choose(branches), span))
    }

    /// The clauses after `atomic`, in any order.
    fn action_stmt(&mut self) -> Parsed<Action> {
        let start = self.previous_span();
        let (mut modifies, mut requires, mut ensures) = (Vec::new(), Vec::new(), Vec::new());
        let mut action: Option<Expr> = None;
        loop {
            match self.kind() {
                TokenKind::Modifies => modifies.extend(self.modifies()?),
                TokenKind::Requires => {
                    self.bump();
                    requires.push(self.expr()?);
                }
                TokenKind::Ensures => {
                    self.bump();
                    ensures.push(self.expr()?);
                }
                TokenKind::Action if action.is_some() => {
                    let error =
                        syntax_error(self.span(), "a second `action` in one atomic operation")
                            .at("an operation is one step")
                            .help("join them with `&&`, or write two `atomic` statements");
                    return Err(self.error(error));
                }
                TokenKind::Action => {
                    self.bump();
                    action = Some(self.expr()?);
                }
                _ => break,
            }
        }
        let Some(action) = action else {
            let error = syntax_error(start, "an atomic operation without `action`")
                .at("what does it do?")
                .help("write `atomic modifies x action x' == x + 1;` or `atomic { ... }`");
            return Err(self.error(error));
        };
        Ok(Action { modifies, requires, action, ensures })
    }

    pub(super) fn place(&mut self) -> Parsed<Place> {
        // The resolver reports that `tid` cannot be written.
        let path = if self.is_at(TokenKind::Tid) {
            let span = self.bump().span;
            Path { segments: vec![Ident { name: Name::from("tid"), span }], span }
        } else {
            self.path("the name of a variable")?
        };
        let start = path.span;
        if self.is_at(TokenKind::Prime) {
            let error = syntax_error(self.span(), "a prime on a variable that is written")
                .at("primes stand in two-store formulas only")
                .help("drop the prime");
            self.error(error);
            self.bump();
        }
        let mut indices = Vec::new();
        while self.eat(TokenKind::OpenBracket) {
            if indices.len() >= 50 {
                let span = self.span();
                return Err(self.too_deep(span));
            }
            indices.push(self.nested(Self::expr)?);
            self.expect(TokenKind::CloseBracket)?;
        }
        Ok(Place { path, indices, span: self.span_from(start) })
    }
}
