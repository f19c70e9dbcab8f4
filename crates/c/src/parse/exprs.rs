//! Expressions.

use super::{Answer, Meaning, Parser, Stuck};
use crate::headers;
use crate::syntax::{Expr, ExprKind, Stmt, StmtKind, Type};
use crate::tokens::Kind;
use source::Span;

/// Operators with two operands, loosest first.
pub(crate) const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

pub(crate) const ASSIGNMENTS: &[(&str, Option<&str>)] = &[
    ("=", None),
    ("+=", Some("+")),
    ("-=", Some("-")),
    ("*=", Some("*")),
    ("/=", Some("/")),
    ("%=", Some("%")),
    ("&=", Some("&")),
    ("|=", Some("|")),
    ("^=", Some("^")),
    ("<<=", Some("<<")),
    (">>=", Some(">>")),
];

impl Parser {
    /// An expression with commas.
    pub(super) fn expr(&mut self) -> Answer<Expr> {
        let start = self.span();
        let mut expr = self.assignment()?;
        while self.eat(",") {
            let other = self.assignment()?;
            let kind = ExprKind::Comma(Box::new(expr), Box::new(other));
            expr = Expr { kind, span: self.since(start) };
        }
        Ok(expr)
    }

    pub(super) fn assignment(&mut self) -> Answer<Expr> {
        self.deeper(|parser| {
            let start = parser.span();
            let left = parser.conditional()?;
            let found = ASSIGNMENTS.iter().find(|(sign, _)| parser.is(sign));
            let Some((_, operator)) = found else { return Ok(left) };
            parser.advance();
            let right = parser.assignment()?;
            let kind = ExprKind::Assign(*operator, Box::new(left), Box::new(right));
            Ok(Expr { kind, span: parser.since(start) })
        })
    }

    pub(super) fn conditional(&mut self) -> Answer<Expr> {
        let start = self.span();
        let cond = self.binary(0)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let one = self.deeper(Self::expr)?;
        self.expect(":")?;
        let other = self.deeper(Self::conditional)?;
        let kind = ExprKind::Conditional(Box::new(cond), Box::new(one), Box::new(other));
        Ok(Expr { kind, span: self.since(start) })
    }

    fn binary(&mut self, level: usize) -> Answer<Expr> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let start = self.span();
        let mut expr = self.binary(level + 1)?;
        let mut length = 0;
        while let Some(sign) = signs.iter().find(|sign| self.is(sign)) {
            self.advance();
            length += 1;
            if length > 200 {
                return self.stuck("this expression is too long");
            }
            let other = self.binary(level + 1)?;
            let kind = ExprKind::Binary(sign, Box::new(expr), Box::new(other));
            expr = Expr { kind, span: self.since(start) };
        }
        Ok(expr)
    }

    fn unary(&mut self) -> Answer<Expr> {
        self.deeper(|parser| {
            let start = parser.span();
            while parser.eat_word("__extension__") {}
            let made = |parser: &Self, kind| Ok(Expr { kind, span: parser.since(start) });
            for (sign, by) in [("++", 1), ("--", -1)] {
                if parser.eat(sign) {
                    let one = Box::new(parser.unary()?);
                    return made(parser, ExprKind::Step(by, false, one));
                }
            }
            for sign in ["-", "!", "~", "+"] {
                if parser.eat(sign) {
                    let one = Box::new(parser.unary()?);
                    return made(parser, ExprKind::Unary(sign, one));
                }
            }
            if parser.eat("*") {
                let one = Box::new(parser.unary()?);
                return made(parser, ExprKind::Deref(one));
            }
            if parser.eat("&") {
                let one = Box::new(parser.unary()?);
                return made(parser, ExprKind::Address(one));
            }
            if parser.is_word("sizeof") {
                return parser.size();
            }
            if parser.is("(") {
                parser.advance();
                if parser.starts_type() {
                    let ty = parser.type_name()?;
                    parser.expect(")")?;
                    let one = Box::new(parser.unary()?);
                    return made(parser, ExprKind::Cast(ty, one));
                }
                parser.at -= 1;
            }
            parser.postfix()
        })
    }

    /// `sizeof`, whose value is known of the types of numbers only.
    fn size(&mut self) -> Answer<Expr> {
        let start = self.span();
        self.advance();
        if !self.is("(") {
            return self.stuck("`sizeof` of this is not supported");
        }
        let before = self.at;
        self.advance();
        let bytes = |bytes: u32| ExprKind::Number(i128::from(bytes), Type::Int(64, false));
        let kind = if self.starts_type() {
            match self.type_name()? {
                Type::Int(bits, _) => bytes(bits / 8),
                Type::Bool => bytes(1),
                Type::Pointer(_) => bytes(8),
                _ => ExprKind::Unsupported("`sizeof` of this type".to_owned()),
            }
        } else {
            ExprKind::Size
        };
        self.at = before;
        if !self.skip_brackets() {
            return self.stuck("this does not end");
        }
        Ok(Expr { kind, span: self.since(start) })
    }

    /// The block of `({ ... })`, of which only choices and expressions are understood.
    fn inner_block(&mut self, start: Span) -> Answer<Expr> {
        let stmts = self.block()?;
        self.expect(")")?;
        let is_plain = |stmt: &Stmt| {
            matches!(
                stmt.kind,
                StmtKind::Empty | StmtKind::Expr(_) | StmtKind::Block(_) | StmtKind::If(..)
            )
        };
        let is_other = |stmt: &Stmt| stmt.any(&|inner: &Stmt| !is_plain(inner));
        if stmts.iter().any(is_other) {
            return Err(Stuck { span: start, message: "a block inside an expression".to_owned() });
        }
        Ok(Expr { kind: ExprKind::Block(stmts), span: self.since(start) })
    }

    fn postfix(&mut self) -> Answer<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        loop {
            let kind = if self.eat("[") {
                let index = self.expr()?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else if self.is("(") {
                let args = self.arguments()?;
                match expr.kind {
                    ExprKind::Name(name) => ExprKind::Call(name, args),
                    _ => ExprKind::Unsupported("a call of something that is no name".to_owned()),
                }
            } else if self.is(".") || self.is("->") {
                self.advance();
                self.name()?;
                ExprKind::Unsupported("a structure".to_owned())
            } else if self.eat("++") {
                ExprKind::Step(1, true, Box::new(expr))
            } else if self.eat("--") {
                ExprKind::Step(-1, true, Box::new(expr))
            } else {
                return Ok(expr);
            };
            expr = Expr { kind, span: self.since(start) };
        }
    }

    fn arguments(&mut self) -> Answer<Vec<Expr>> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.eat(")") {
            args.push(self.assignment()?);
            if !self.eat(",") && !self.is(")") {
                return self.stuck("`,` or `)` is expected here");
            }
        }
        Ok(args)
    }

    fn primary(&mut self) -> Answer<Expr> {
        let start = self.span();
        let kind = match self.kind().clone() {
            Kind::Number(value, bits, signed) => ExprKind::Number(value, Type::Int(bits, signed)),
            Kind::Name(name) => match (self.meaning(&name), headers::constant(&name)) {
                (Some(&Meaning::Constant(value)), _) => {
                    ExprKind::Number(value, Type::Int(32, true))
                }
                (None, Some((value, bits, signed))) => {
                    ExprKind::Number(value, Type::Int(bits, signed))
                }
                (Some(Meaning::Type(_)), _) => return self.stuck("an expression is expected here"),
                _ => ExprKind::Name(name),
            },
            Kind::Text(_) => {
                while matches!(self.ahead(1), Kind::Text(_)) {
                    self.advance();
                }
                ExprKind::Text
            }
            Kind::Sign("(") => {
                self.advance();
                if self.is("{") {
                    return self.deeper(|parser| parser.inner_block(start));
                }
                let expr = self.deeper(Self::expr)?;
                self.expect(")")?;
                return Ok(Expr { kind: expr.kind, span: self.since(start) });
            }
            _ => return self.stuck("an expression is expected here"),
        };
        self.advance();
        Ok(Expr { kind, span: self.since(start) })
    }
}
