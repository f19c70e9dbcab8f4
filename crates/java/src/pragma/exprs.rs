//! Expressions of annotations: those of Java without effects, and a few words of logic.

use super::Pragma;
use super::tokens::TokenKind;
use crate::tree::{
    BinaryOp, CallExpr, Expr, ExprKind, Ident, Literal, Pattern, Quantified, Receiver, Type,
    UnaryOp,
};
use parsing::operators::{Grouping, Infix, Node, Operation, Operators, Tall};
use parsing::{Parsed, Rules as _};
use source::{Name, Span};

impl Node for Expr {
    type Binary = BinaryOp;
    type Kind = ExprKind;

    fn new(kind: ExprKind, span: Span) -> Self {
        Self { kind, span }
    }

    fn span(&self) -> Span {
        self.span
    }

    fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }
}

impl From<Operation<BinaryOp, Expr>> for ExprKind {
    fn from(operation: Operation<BinaryOp, Expr>) -> Self {
        match operation {
            Operation::Not(operand) => Self::Unary(UnaryOp::Not, operand),
            Operation::Neg(operand) => Self::Unary(UnaryOp::Minus, operand),
            Operation::And(operands) => chain(BinaryOp::And, operands),
            Operation::Or(operands) => chain(BinaryOp::Or, operands),
            Operation::Conditional(cond, one, other) => Self::Conditional(cond, one, other),
            Operation::Binary(op, left, right) => Self::Binary(op, left, right),
        }
    }
}

/// `a op b op c`, from the left.
fn chain(op: BinaryOp, operands: Vec<Expr>) -> ExprKind {
    let joined = operands.into_iter().reduce(|left, right| {
        let span = left.span.to(right.span);
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
    });
    joined.map_or(ExprKind::Error, |expr| expr.kind)
}

/// How tightly operators bind, loosest first.
mod precedence {
    pub(super) const CONDITIONAL: u8 = 1;
    pub(super) const IFF: u8 = 2;
    pub(super) const IMPLIES: u8 = 3;
    pub(super) const OR: u8 = 4;
    pub(super) const AND: u8 = 5;
    pub(super) const EQUALITY: u8 = 6;
    pub(super) const COMPARISON: u8 = 7;
    pub(super) const SUM: u8 = 8;
    pub(super) const PRODUCT: u8 = 9;
}

impl<'t> Operators<'t, TokenKind> for Pragma<'t> {
    type Expr = Expr;
    const LOOSEST: u8 = precedence::CONDITIONAL;

    fn infix(&self) -> Option<Infix<BinaryOp>> {
        Some(Infix::Binary(match self.kind() {
            TokenKind::AndAnd => return Some(Infix::And),
            TokenKind::OrOr => return Some(Infix::Or),
            TokenKind::Question => return Some(Infix::Question),
            TokenKind::Iff => BinaryOp::Iff,
            TokenKind::Implies => BinaryOp::Implies,
            TokenKind::EqEq => BinaryOp::Eq,
            TokenKind::NotEq => BinaryOp::Ne,
            TokenKind::Less => BinaryOp::Lt,
            TokenKind::LessEq => BinaryOp::Le,
            TokenKind::Greater => BinaryOp::Gt,
            TokenKind::GreaterEq => BinaryOp::Ge,
            TokenKind::Plus => BinaryOp::Add,
            TokenKind::Minus => BinaryOp::Sub,
            TokenKind::Star => BinaryOp::Mul,
            TokenKind::Slash => BinaryOp::Div,
            TokenKind::Percent => BinaryOp::Rem,
            _ => return None,
        }))
    }

    fn precedence(infix: Infix<BinaryOp>) -> u8 {
        match infix {
            Infix::And => precedence::AND,
            Infix::Or => precedence::OR,
            Infix::Question => precedence::CONDITIONAL,
            Infix::Binary(op) => match op {
                BinaryOp::Iff => precedence::IFF,
                BinaryOp::Implies => precedence::IMPLIES,
                BinaryOp::Eq | BinaryOp::Ne => precedence::EQUALITY,
                BinaryOp::Add | BinaryOp::Sub => precedence::SUM,
                BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => precedence::PRODUCT,
                _ => precedence::COMPARISON,
            },
        }
    }

    fn grouping(op: BinaryOp) -> Grouping {
        match op {
            BinaryOp::Implies => Grouping::Right,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Grouping::Comparison,
            _ => Grouping::Left,
        }
    }

    fn right_spelling(_: TokenKind) -> Option<&'static str> {
        None
    }

    fn postfix(&mut self) -> Parsed<Tall<Expr>> {
        let Tall { mut expr, mut height } = self.primary()?;
        let start = expr.span;
        loop {
            let kind = if self.eat(TokenKind::Dot) {
                self.member(expr)?
            } else if self.eat(TokenKind::OpenBracket) {
                let key = self.nested(Self::expr)?;
                if self.eat(TokenKind::Assign) {
                    let value = self.nested(Self::expr)?;
                    self.expect(TokenKind::CloseBracket)?;
                    ExprKind::Update(Box::new(expr), Box::new(key), Box::new(value))
                } else {
                    self.expect(TokenKind::CloseBracket)?;
                    ExprKind::Index(Box::new(expr), Box::new(key))
                }
            } else if self.eat(TokenKind::InstanceOf) {
                ExprKind::InstanceOf(Box::new(expr), Pattern::Type(self.ty()?, None))
            } else if let Some(op) = self.logical_word() {
                let right = self.postfix()?;
                ExprKind::Binary(op, Box::new(expr), Box::new(right.expr))
            } else {
                return Ok(Tall { expr, height });
            };
            height += 1;
            expr = Expr { kind, span: self.span_from(start) };
        }
    }
}

impl Pragma<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|parser| Ok(parser.tall(precedence::CONDITIONAL)?.expr))
    }

    /// The word after a backslash at the current token.
    fn backslash_word(&self) -> &str {
        if !self.is_at(TokenKind::Backslash) || self.nth(1) != TokenKind::Ident {
            return "";
        }
        self.text_of(self.nth_span(1))
    }

    /// `\in`, `\union`, `\minus`, taken if they stand here.
    fn logical_word(&mut self) -> Option<BinaryOp> {
        let op = match self.backslash_word() {
            "in" => BinaryOp::In,
            "union" => BinaryOp::Union,
            "minus" => BinaryOp::Minus,
            _ => return None,
        };
        self.bump();
        self.bump();
        Some(op)
    }

    /// What follows a dot.
    fn member(&mut self, object: Expr) -> Parsed<ExprKind> {
        let name = self.ident("a member")?;
        if self.eat(TokenKind::OpenParen) {
            let args = self.call_args()?;
            let receiver = Receiver::Expr(object);
            let call = CallExpr { receiver, type_args: Vec::new(), name, args };
            return Ok(ExprKind::Call(Box::new(call)));
        }
        Ok(match name.name.as_str() {
            "this" => ExprKind::OuterThis(Box::new(object)),
            "class" => match type_of(&object) {
                Some(ty) => ExprKind::ClassLiteral(ty),
                None => ExprKind::Error,
            },
            _ => ExprKind::Field(Box::new(object), name),
        })
    }

    fn call_args(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        if !self.is_at(TokenKind::CloseParen) {
            args = self.comma_list(Self::expr)?;
        }
        self.expect(TokenKind::CloseParen)?;
        Ok(args)
    }

    fn primary(&mut self) -> Parsed<Tall<Expr>> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Int(value) => {
                self.bump();
                ExprKind::Literal(Literal::Int(value))
            }
            TokenKind::Text => {
                let span = self.bump().span;
                ExprKind::Literal(Literal::Text(self.text_of(span).to_owned()))
            }
            TokenKind::OpenParen => {
                self.bump();
                let inner = self.expr()?;
                self.expect(TokenKind::CloseParen)?;
                inner.kind
            }
            TokenKind::OpenBrace => {
                self.bump();
                let elements = match self.kind() {
                    TokenKind::CloseBrace => Vec::new(),
                    _ => self.comma_list(Self::expr)?,
                };
                self.expect(TokenKind::CloseBrace)?;
                ExprKind::Set(elements)
            }
            TokenKind::Backslash => self.backslash()?,
            TokenKind::Ident => self.name_or_call()?,
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Tall { expr: Expr { kind, span: self.span_from(start) }, height: 1 })
    }

    fn name_or_call(&mut self) -> Parsed<ExprKind> {
        let name = self.ident("a name")?;
        Ok(match name.name.as_str() {
            "true" => ExprKind::Literal(Literal::Bool(true)),
            "false" => ExprKind::Literal(Literal::Bool(false)),
            "null" => ExprKind::Literal(Literal::Null),
            "this" => ExprKind::This,
            "tid" => ExprKind::Tid,
            _ if self.eat(TokenKind::OpenParen) => {
                let args = self.call_args()?;
                let receiver = Receiver::Implicit;
                ExprKind::Call(Box::new(CallExpr { receiver, type_args: Vec::new(), name, args }))
            }
            _ => ExprKind::Name(name.name),
        })
    }

    /// `\old(e)`, `\result`, `\forall ..`
    fn backslash(&mut self) -> Parsed<ExprKind> {
        let word = self.backslash_word().to_owned();
        match word.as_str() {
            "old" | "size" => {
                self.bump();
                self.bump();
                self.expect(TokenKind::OpenParen)?;
                let inner = Box::new(self.expr()?);
                self.expect(TokenKind::CloseParen)?;
                Ok(if word == "old" { ExprKind::Old(inner) } else { ExprKind::Size(inner) })
            }
            "result" => {
                self.bump();
                self.bump();
                Ok(ExprKind::Result)
            }
            "tid" => {
                self.bump();
                self.bump();
                Ok(ExprKind::Tid)
            }
            "main" => {
                self.bump();
                self.bump();
                Ok(ExprKind::Name(Name::from("main")))
            }
            "forall" | "exists" => {
                self.bump();
                self.bump();
                self.quantified(word == "forall")
            }
            "type" => {
                self.bump();
                self.bump();
                self.expect(TokenKind::OpenParen)?;
                let ty = self.ty()?;
                self.expect(TokenKind::CloseParen)?;
                Ok(ExprKind::ClassLiteral(ty))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// `T x, y; range; body`
    fn quantified(&mut self, is_forall: bool) -> Parsed<ExprKind> {
        let mut vars = Vec::new();
        loop {
            let ty = self.ty()?;
            vars.push((ty.clone(), self.ident("a variable")?));
            while self.is_at(TokenKind::Comma) && self.nth(2) != TokenKind::Ident {
                self.bump();
                vars.push((ty.clone(), self.ident("a variable")?));
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Semicolon)?;
        let first = self.expr()?;
        let (range, body) = if self.eat(TokenKind::Semicolon) {
            (Some(first), self.expr()?)
        } else {
            (None, first)
        };
        Ok(ExprKind::Quantified(Box::new(Quantified { is_forall, vars, range, body })))
    }
}

/// A dotted name as a type.
fn type_of(expr: &Expr) -> Option<Type> {
    let mut segments = Vec::new();
    let mut rest = expr;
    loop {
        let (name, next) = match &rest.kind {
            ExprKind::Name(name) => (Ident { name: name.clone(), span: rest.span }, None),
            ExprKind::Field(object, name) => (name.clone(), Some(&**object)),
            _ => return None,
        };
        segments.push(crate::tree::TypeSegment { name, args: Vec::new() });
        match next {
            Some(next) => rest = next,
            None => break,
        }
    }
    segments.reverse();
    Some(Type { kind: crate::tree::TypeKind::Named(segments), span: expr.span })
}
