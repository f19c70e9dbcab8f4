//! Rule text to [`Program`]. A wrong rule is reported and skipped, so that all faults are found at
//! once.

use crate::build::{Builder, Heads};
use crate::lexer::{Token, TokenKind, tokens};
use crate::plan::variables;
use crate::program::{Atom, Compare, Comparison, Expr, Goal, Kind, Program, Variable};
use std::collections::BTreeSet;
use std::fmt;

/// Bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A fault in a text, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where.
    pub place: Place,
    /// What.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.place.start, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Limit on the nesting of bodies, so that no text exhausts the stack.
const MAX_DEPTH: usize = 64;

impl Program {
    /// Reads declarations and rules.
    ///
    /// # Errors
    /// All faults of the text, in order.
    pub fn parse(text: &str) -> Result<Self, Vec<ParseError>> {
        let mut errors = Vec::new();
        let tokens = tokens(text, &mut errors);
        let mut parser =
            Parser { tokens, at: 0, builder: Builder::default(), variables: Vec::new(), depth: 0 };
        while parser.peek().kind != TokenKind::End {
            if let Err(error) = parser.item() {
                errors.push(error);
                parser.skip_item();
            }
        }
        errors.sort_by_key(|error| error.place.start);
        if errors.is_empty() { Ok(parser.builder.finish()) } else { Err(errors) }
    }
}

type Parsed<T> = Result<T, ParseError>;

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    builder: Builder,
    /// The variables of the current rule, by number. `_` is a new one each time.
    variables: Vec<String>,
    depth: usize,
}

impl Parser {
    fn item(&mut self) -> Parsed<()> {
        if self.peek().kind == TokenKind::Name("constraints".to_owned()) {
            self.next();
            return self.declarations();
        }
        self.rule()
    }

    /// `p/2 set, q/1, r/3 key 2.`
    fn declarations(&mut self) -> Parsed<()> {
        loop {
            let place = self.peek().place;
            let name = self.name("the name of a constraint")?;
            self.sign("/")?;
            let arity = self.count("how many arguments it has")?;
            let kind = match &self.peek().kind {
                TokenKind::Name(word) if word == "set" => {
                    self.next();
                    Kind::Set
                }
                TokenKind::Name(word) if word == "key" => {
                    self.next();
                    let place = self.peek().place;
                    let length = self.count("how many arguments determine the others")?;
                    if length > arity {
                        return fault(place, format!("there are only {arity} arguments"));
                    }
                    Kind::Key(length)
                }
                _ => Kind::Bag,
            };
            if self.builder.find(&name).is_some() {
                return fault(place, format!("`{name}` is declared already"));
            }
            self.builder.declare(&name, arity, kind);
            if !self.takes(",") {
                return self.stop();
            }
        }
    }

    /// `name @ kept \ removed <=> guard | body.`
    fn rule(&mut self) -> Parsed<()> {
        self.variables.clear();
        let start = self.peek().place;
        let named = matches!(self.tokens.get(self.at + 1), Some(token) if token.kind == TokenKind::Sign("@"));
        let name = if named { self.name("the name of a rule")? } else { String::new() };
        if named {
            self.next();
        }
        let first = self.heads()?;
        let second = if self.takes("\\") { Some(self.heads()?) } else { None };
        let heads = match (&self.peek().kind, second) {
            (TokenKind::Sign("<=>"), Some(removed)) => Heads { kept: first, removed },
            (TokenKind::Sign("<=>"), None) => Heads::removed(first),
            (TokenKind::Sign("==>"), None) => Heads::kept(first),
            (TokenKind::Sign("==>"), Some(_)) => {
                return fault(self.peek().place, "a rule with `\\` has `<=>`");
            }
            _ => return fault(self.peek().place, "`<=>` or `==>` is expected here"),
        };
        self.next();
        let mut bound = BTreeSet::new();
        let all = heads.kept.iter().chain(&heads.removed);
        all.flat_map(|head| &head.arguments).for_each(|one| variables(one, &mut bound));
        let guard = if self.has_guard() { self.guard(&bound)? } else { Vec::new() };
        let body = self.body(&mut bound)?;
        self.stop()?;
        if self.variables.len() > 1 << 16 {
            return fault(start, "a rule has at most 65536 variables");
        }
        self.builder.rule(&name, heads, guard, body);
        Ok(())
    }

    fn heads(&mut self) -> Parsed<Vec<Atom>> {
        let mut heads = Vec::new();
        loop {
            let place = self.peek().place;
            let head = self.atom(None)?;
            let plain = |one: &Expr| matches!(one, Expr::Variable(_) | Expr::Constant(_));
            if !head.arguments.iter().all(plain) {
                return fault(place, "the arguments of heads are variables and constants");
            }
            heads.push(head);
            if !self.takes(",") {
                return Ok(heads);
            }
        }
    }

    /// Whether a `|` comes before the rule ends, outside of parentheses.
    fn has_guard(&self) -> bool {
        let rest = self.tokens[self.at..].iter();
        let mut rest =
            rest.take_while(|token| !matches!(token.kind, TokenKind::Stop | TokenKind::End));
        rest.any(|token| token.kind == TokenKind::Sign("|"))
    }

    fn guard(&mut self, bound: &BTreeSet<Variable>) -> Parsed<Vec<Comparison>> {
        let mut guard = Vec::new();
        loop {
            let left = self.expr(Some(bound))?;
            let place = self.peek().place;
            let TokenKind::Sign(sign) = self.peek().kind else {
                return fault(place, "a comparison is expected here");
            };
            self.next();
            let right = self.expr(Some(bound))?;
            let (compare, left, right) = match sign {
                "==" => (Compare::Equal, left, right),
                "!=" => (Compare::Different, left, right),
                "<" => (Compare::Less, left, right),
                "<=" => (Compare::AtMost, left, right),
                ">" => (Compare::Less, right, left),
                ">=" => (Compare::AtMost, right, left),
                _ => return fault(place, "a comparison is expected here"),
            };
            guard.push(Comparison { compare, left, right });
            if !self.takes(",") {
                self.sign("|")?;
                return Ok(guard);
            }
        }
    }

    fn body(&mut self, bound: &mut BTreeSet<Variable>) -> Parsed<Vec<Goal>> {
        let mut goals = Vec::new();
        loop {
            self.goal(bound, &mut goals)?;
            if !self.takes(",") {
                return Ok(goals);
            }
        }
    }

    fn goal(&mut self, bound: &mut BTreeSet<Variable>, goals: &mut Vec<Goal>) -> Parsed<()> {
        let place = self.peek().place;
        match self.peek().kind.clone() {
            TokenKind::Name(word) if word == "true" => self.next(),
            TokenKind::Name(word) if word == "fail" => {
                self.next();
                goals.push(Goal::Fail);
            }
            TokenKind::Sign("(") => {
                self.next();
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return fault(place, "bodies are nested too deeply");
                }
                // The variables that a branch binds are its own.
                let first = self.body(&mut bound.clone())?;
                self.sign(";")?;
                let second = self.body(&mut bound.clone())?;
                self.sign(")")?;
                self.depth -= 1;
                goals.push(Goal::Choice(first, second));
            }
            TokenKind::Variable(name) => {
                self.next();
                if self.peek().kind != TokenKind::Name("is".to_owned()) {
                    return fault(self.peek().place, "`is` is expected after a variable");
                }
                self.next();
                let value = self.expr(Some(bound))?;
                let variable = self.variable(&name);
                if !bound.insert(variable) {
                    return fault(place, format!("`{name}` has a value already"));
                }
                goals.push(Goal::Is(variable, value));
            }
            _ => goals.push(Goal::Post(self.atom(Some(bound))?)),
        }
        Ok(())
    }

    fn atom(&mut self, bound: Option<&BTreeSet<Variable>>) -> Parsed<Atom> {
        let place = self.peek().place;
        let name = self.name("a constraint")?;
        let mut arguments = Vec::new();
        if self.takes("(") {
            loop {
                arguments.push(self.expr(bound)?);
                if !self.takes(",") {
                    break;
                }
            }
            self.sign(")")?;
        }
        let Some((predicate, arity)) = self.builder.find(&name) else {
            return fault(
                place,
                format!("`{name}` is not declared: `constraints {name}/{}.`", arguments.len()),
            );
        };
        if arguments.len() != arity {
            return fault(
                place,
                format!("`{name}` has {arity} arguments, not {}", arguments.len()),
            );
        }
        Ok(Atom { predicate, arguments })
    }

    /// Sums; variables must be among the bound ones if those are given.
    fn expr(&mut self, bound: Option<&BTreeSet<Variable>>) -> Parsed<Expr> {
        let mut left = self.product(bound)?;
        loop {
            if self.takes("+") {
                left = Expr::Add(Box::new([left, self.product(bound)?]));
            } else if self.takes("-") {
                left = Expr::Subtract(Box::new([left, self.product(bound)?]));
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self, bound: Option<&BTreeSet<Variable>>) -> Parsed<Expr> {
        let mut left = self.operand(bound)?;
        loop {
            if self.takes("*") {
                left = Expr::Multiply(Box::new([left, self.operand(bound)?]));
            } else if self.peek().kind == TokenKind::Name("mod".to_owned()) {
                self.next();
                left = Expr::Modulo(Box::new([left, self.operand(bound)?]));
            } else {
                return Ok(left);
            }
        }
    }

    fn operand(&mut self, bound: Option<&BTreeSet<Variable>>) -> Parsed<Expr> {
        let Token { kind, place } = self.peek().clone();
        self.next();
        match kind {
            TokenKind::Integer(value) => Ok(Expr::Constant(self.builder.integer(value))),
            TokenKind::Sign("-") => match self.peek().kind {
                TokenKind::Integer(value) => {
                    self.next();
                    Ok(Expr::Constant(self.builder.integer(-value)))
                }
                _ => fault(place, "a value is expected here"),
            },
            TokenKind::Name(name) => Ok(Expr::Constant(self.builder.symbol(&name))),
            TokenKind::Variable(name) => {
                let variable = self.variable(&name);
                if bound.is_some_and(|bound| !bound.contains(&variable)) {
                    return fault(place, format!("`{name}` has no value here"));
                }
                Ok(Expr::Variable(variable))
            }
            _ => fault(place, "a value is expected here"),
        }
    }

    fn variable(&mut self, name: &str) -> Variable {
        let known = self.variables.iter().position(|one| one == name && name != "_");
        let number = known.unwrap_or(self.variables.len());
        if known.is_none() {
            self.variables.push(name.to_owned());
        }
        Variable(u32::try_from(number).expect("internal error: more than 2^32 variables"))
    }

    fn name(&mut self, what: &str) -> Parsed<String> {
        let Token { kind, place } = self.peek().clone();
        let TokenKind::Name(name) = kind else {
            return fault(place, format!("{what} is expected here"));
        };
        self.next();
        Ok(name)
    }

    fn count(&mut self, what: &str) -> Parsed<usize> {
        let Token { kind, place } = self.peek().clone();
        let count = match kind {
            TokenKind::Integer(value) => usize::try_from(value).ok().filter(|&count| count < 256),
            _ => None,
        };
        self.next();
        count.map_or_else(|| fault(place, format!("a number is expected here: {what}")), Ok)
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn next(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek().kind, TokenKind::Sign(found) if found == sign);
        if found {
            self.next();
        }
        found
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign) {
            Ok(())
        } else {
            fault(self.peek().place, format!("`{sign}` is expected here"))
        }
    }

    fn stop(&mut self) -> Parsed<()> {
        let Token { kind, place } = self.peek().clone();
        if kind != TokenKind::Stop {
            return fault(place, "`.` is expected here");
        }
        self.next();
        Ok(())
    }

    /// Goes to the next rule.
    fn skip_item(&mut self) {
        self.depth = 0;
        while !matches!(self.peek().kind, TokenKind::Stop | TokenKind::End) {
            self.next();
        }
        if self.peek().kind == TokenKind::Stop {
            self.next();
        }
    }
}

fn fault<T>(place: Place, message: impl Into<String>) -> Parsed<T> {
    Err(ParseError { place, message: message.into() })
}
