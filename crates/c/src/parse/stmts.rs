//! Statements. One that is not understood becomes an `Unsupported` statement, and reading goes on
//! after it.

use super::{Answer, Parser};
use crate::syntax::{Stmt, StmtKind};
use crate::tokens::Kind;

impl Parser {
    /// `{ ... }`
    pub(super) fn block(&mut self) -> Answer<Vec<Stmt>> {
        self.expect("{")?;
        self.scoped(|parser| {
            let mut stmts = Vec::new();
            while !parser.eat("}") {
                if *parser.kind() == Kind::End {
                    return parser.stuck("`}` is expected here");
                }
                stmts.push(parser.stmt()?);
            }
            Ok(stmts)
        })
    }

    fn stmt(&mut self) -> Answer<Stmt> {
        let (before, start, depth, scopes) = (self.at, self.span(), self.depth, self.scopes.len());
        match self.deeper(Self::try_stmt) {
            Ok(stmt) => Ok(stmt),
            Err(why) => {
                self.at = before;
                self.depth = depth;
                self.scopes.truncate(scopes);
                self.skip_stmt();
                if *self.kind() == Kind::End || self.at == before {
                    return Err(why);
                }
                Ok(Stmt { kind: StmtKind::Unsupported(why.message), span: self.since(start) })
            }
        }
    }

    /// To the next semicolon, or the end of a block.
    fn skip_stmt(&mut self) {
        loop {
            match self.kind() {
                Kind::End | Kind::Sign("}") => return,
                Kind::Sign(";") => {
                    self.advance();
                    return;
                }
                Kind::Sign("{") => {
                    self.skip_brackets();
                    return;
                }
                Kind::Sign("(" | "[") => {
                    if !self.skip_brackets() {
                        return;
                    }
                }
                _ => self.advance(),
            }
        }
    }

    fn try_stmt(&mut self) -> Answer<Stmt> {
        let start = self.span();
        if self.fence()? || self.static_assertion()? {
            return Ok(Stmt { kind: StmtKind::Empty, span: self.since(start) });
        }
        self.attributes()?;
        if self.is("{") {
            let stmts = self.block()?;
            return Ok(Stmt { kind: StmtKind::Block(stmts), span: start });
        }
        if self.eat(";") {
            return Ok(Stmt { kind: StmtKind::Empty, span: start });
        }
        if let Kind::Name(word) = self.kind().clone() {
            if let Some(stmt) = self.keyword(&word)? {
                return Ok(stmt);
            }
            if *self.ahead(1) == Kind::Sign(":") {
                if word.starts_with("__") {
                    return self
                        .stuck(format!("the label `{word}`, which may mean more than a place"));
                }
                self.advance();
                self.advance();
                let label = Stmt { kind: StmtKind::Label(word), span: self.since(start) };
                if self.is("}") {
                    return Ok(label);
                }
                // A label belongs to the statement behind it.
                let kind = StmtKind::Block(vec![label, self.stmt()?]);
                return Ok(Stmt { kind, span: start });
            }
            if self.starts_type() {
                let base = self.base()?;
                let all = self.declared(&base)?;
                return Ok(Stmt { kind: StmtKind::Declare(all), span: self.since(start) });
            }
        }
        let expr = self.expr()?;
        self.expect(";")?;
        Ok(Stmt { kind: StmtKind::Expr(expr), span: self.since(start) })
    }

    fn keyword(&mut self, word: &str) -> Answer<Option<Stmt>> {
        let start = self.span();
        let kind = match word {
            "if" | "while" | "switch" => return self.with_condition(word).map(Some),
            "for" => return self.for_loop().map(Some),
            "do" => {
                self.advance();
                let body = Box::new(self.stmt()?);
                if !self.eat_word("while") {
                    return self.stuck("`while` is expected here");
                }
                self.expect("(")?;
                let cond = self.expr()?;
                self.expect(")")?;
                self.expect(";")?;
                StmtKind::DoWhile(body, cond)
            }
            "case" => {
                self.advance();
                let value = self.conditional()?;
                self.expect(":")?;
                StmtKind::Case(value)
            }
            "default" => {
                self.advance();
                self.expect(":")?;
                StmtKind::Default
            }
            "break" | "continue" => {
                self.advance();
                self.expect(";")?;
                if word == "break" { StmtKind::Break } else { StmtKind::Continue }
            }
            "return" => {
                self.advance();
                let value = if self.is(";") { None } else { Some(self.expr()?) };
                self.expect(";")?;
                StmtKind::Return(value)
            }
            "goto" => {
                self.advance();
                let label = self.name()?;
                self.expect(";")?;
                StmtKind::Goto(label)
            }
            _ => return Ok(None),
        };
        Ok(Some(Stmt { kind, span: self.since(start) }))
    }

    fn with_condition(&mut self, word: &str) -> Answer<Stmt> {
        let start = self.span();
        self.advance();
        self.expect("(")?;
        let cond = self.expr()?;
        self.expect(")")?;
        let span = self.since(start);
        let body = Box::new(self.stmt()?);
        let kind = match word {
            "while" => StmtKind::While(cond, body),
            "switch" => StmtKind::Switch(cond, body),
            _ => {
                let otherwise =
                    if self.eat_word("else") { Some(Box::new(self.stmt()?)) } else { None };
                StmtKind::If(cond, body, otherwise)
            }
        };
        Ok(Stmt { kind, span })
    }

    fn for_loop(&mut self) -> Answer<Stmt> {
        self.scoped(Self::scoped_for_loop)
    }

    fn scoped_for_loop(&mut self) -> Answer<Stmt> {
        let start = self.span();
        self.advance();
        self.expect("(")?;
        let first = self.deeper(Self::try_stmt)?;
        let cond = if self.is(";") { None } else { Some(self.expr()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expr()?) };
        self.expect(")")?;
        let span = self.since(start);
        let body = self.stmt()?;
        Ok(Stmt { kind: StmtKind::For(Box::new(first), cond, step, Box::new(body)), span })
    }
}
