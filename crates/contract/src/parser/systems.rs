//! Instance configurations.

use super::{Parsed, Parser};
use crate::lexer::{Token, TokenKind};
use crate::syntax::{Claim, Decl, Index, Number, Operator, Parameter, Property, Reference, System};

impl Parser {
    /// `system S(n = 3) { ... }`, `system S(n >= 3) { ... }`
    pub(super) fn system(&mut self) -> Parsed<System> {
        self.next();
        let name = self.ident("the name of a system")?;
        let mut parameters = Vec::new();
        if self.takes("(") {
            loop {
                let name = self.ident("a parameter")?;
                let is_any = self.takes(">=");
                if !is_any {
                    self.sign("=")?;
                }
                parameters.push(Parameter { name, value: self.literal_number()?, is_any });
                if !self.takes(",") {
                    break;
                }
            }
            self.sign(")")?;
        }
        let decls = self.block()?;
        Ok(System { name, parameters, decls })
    }

    fn block(&mut self) -> Parsed<Vec<Decl>> {
        self.sign("{")?;
        let mut decls = Vec::new();
        while !self.takes("}") {
            if self.peek().kind == TokenKind::End {
                return self.expected("`}`");
            }
            match self.decl() {
                Ok(decl) => decls.push(decl),
                Err(_) => self.skip_member(),
            }
        }
        Ok(decls)
    }

    fn decl(&mut self) -> Parsed<Decl> {
        if self.takes_word("for") {
            let name = self.ident("a name")?;
            let (from, to) = self.range()?;
            let body = self.nested(Self::block)?;
            return Ok(Decl::For { name, from, to, body });
        }
        if self.takes_word("policy") {
            let policies = self.policies()?;
            self.sign(";")?;
            return Ok(Decl::Policies(policies));
        }
        if self.takes_word("property") {
            let property = self.property()?;
            self.sign(";")?;
            return Ok(Decl::Property(property));
        }
        let unit = self.reference()?;
        if self.takes(":") {
            let class = self.ident("a class")?;
            self.sign(";")?;
            return Ok(Decl::Unit(unit, class));
        }
        self.sign(".")?;
        let variable = self.ident("a variable")?;
        self.sign("=")?;
        let mut values = Vec::new();
        if self.takes("{") {
            while !self.takes("}") {
                values.push(self.reference()?);
                if !self.takes(",") {
                    self.sign("}")?;
                    break;
                }
            }
        } else if !self.takes_word("nil") {
            values.push(self.reference()?);
        }
        self.sign(";")?;
        Ok(Decl::Binding { unit, variable, values })
    }

    /// The word `unit` is a policy here, though it is a keyword elsewhere.
    fn policies(&mut self) -> Parsed<Vec<crate::syntax::Ident>> {
        let mut all = Vec::new();
        loop {
            let Token { kind, span } = self.peek().clone();
            let TokenKind::Name(name) = kind else { return self.expected("a policy") };
            self.next();
            all.push(crate::syntax::Ident { name, span });
            if !self.takes(",") {
                return Ok(all);
            }
        }
    }

    /// `p: never F`, `p: always F`, `p: no interference`, `p: no starvation of P[*]`
    fn property(&mut self) -> Parsed<Property> {
        let name = self.ident("the name of a property")?;
        self.sign(":")?;
        let claim = if self.takes_word("never") {
            Claim::Never(self.formula(&mut Self::atom)?)
        } else if self.takes_word("always") {
            Claim::Always(self.formula(&mut Self::atom)?)
        } else if self.takes_word("no") {
            if self.takes_word("interference") {
                Claim::NoInterference
            } else {
                self.word("starvation")?;
                self.word("of")?;
                Claim::NoStarvation(self.reference()?)
            }
        } else {
            return self.expected("`never`, `always` or `no`");
        };
        Ok(Property { name, claim })
    }

    /// `in 0..n`
    pub(super) fn range(&mut self) -> Parsed<(Number, Number)> {
        self.word("in")?;
        let from = self.number()?;
        self.sign("..")?;
        Ok((from, self.number()?))
    }

    /// `P`, `P[i]` or `P[*]`
    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let name = self.ident("a unit")?;
        if !self.takes("[") {
            let span = name.span;
            return Ok(Reference { name, index: None, span });
        }
        let index = if self.takes("*") { Index::All } else { Index::Number(self.number()?) };
        self.sign("]")?;
        let span = name.span.to(self.last());
        Ok(Reference { name, index: Some(index), span })
    }

    /// Sums and differences.
    pub(super) fn number(&mut self) -> Parsed<Number> {
        let mut left = self.product()?;
        loop {
            let operator = if self.takes("+") {
                Operator::Add
            } else if self.takes("-") {
                Operator::Subtract
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = binary(left, operator, right);
        }
    }

    fn product(&mut self) -> Parsed<Number> {
        let mut left = self.operand()?;
        loop {
            let operator = if self.takes("*") {
                Operator::Multiply
            } else if self.takes("%") {
                Operator::Modulo
            } else {
                return Ok(left);
            };
            let right = self.operand()?;
            left = binary(left, operator, right);
        }
    }

    fn operand(&mut self) -> Parsed<Number> {
        if self.takes("(") {
            let inner = self.nested(Self::number)?;
            self.sign(")")?;
            return Ok(inner);
        }
        if let Token { kind: TokenKind::Number(value), span } = *self.peek() {
            self.next();
            return Ok(Number::Literal(value, span));
        }
        Ok(Number::Name(self.ident("a number")?))
    }

    fn literal_number(&mut self) -> Parsed<i64> {
        let TokenKind::Number(value) = self.peek().kind else { return self.expected("a number") };
        self.next();
        Ok(value)
    }
}

fn binary(left: Number, operator: Operator, right: Number) -> Number {
    let span = left.span().to(right.span());
    Number::Binary(Box::new([left, right]), operator, span)
}
