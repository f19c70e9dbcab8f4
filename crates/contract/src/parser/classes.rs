//! Classes and their members.

use super::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Class, GuardPart, Ident, Member, Transition, TransitionKind, Value};

impl Parser {
    /// `root class A { member... }`
    pub(super) fn class(&mut self) -> Parsed<Class> {
        let is_root = self.is_word("root");
        self.next();
        self.word("class")?;
        let name = self.ident("the name of a class")?;
        self.sign("{")?;
        let mut members = Vec::new();
        while !self.takes("}") {
            if self.peek().kind == TokenKind::End {
                return self.expected("`}`");
            }
            match self.member() {
                Ok(member) => members.push(member),
                Err(_) => self.skip_member(),
            }
        }
        Ok(Class { name, is_root, members })
    }

    fn member(&mut self) -> Parsed<Member> {
        let start = self.peek().span;
        let TokenKind::Name(word) = self.peek().kind.clone() else {
            return self.expected("a member of a class");
        };
        let kind = match word.as_str() {
            "cond" => return self.conditions(),
            "var" => return self.variables(),
            "sync" => return self.constraint(),
            "state" => return self.state(),
            "calls" => {
                self.next();
                self.word("any")?;
                let span = start.to(self.last());
                self.sign(";")?;
                return Ok(Member::CallsAny(span));
            }
            "before" => TransitionKind::Before,
            "after" => TransitionKind::After,
            "step" => TransitionKind::Step,
            _ => {
                return self.expected(
                    "`cond`, `var`, `sync`, `state`, `calls`, `before`, `after` or `step`",
                );
            }
        };
        self.next();
        let mut transition = self.transition(kind)?;
        transition.span = start.to(self.last());
        Ok(Member::Transition(transition))
    }

    /// `cond a, b;`
    fn conditions(&mut self) -> Parsed<Member> {
        self.next();
        let names = self.idents("a condition")?;
        self.sign(";")?;
        Ok(Member::Conditions(names))
    }

    /// `var a, b: C[*];`
    fn variables(&mut self) -> Parsed<Member> {
        self.next();
        let names = self.idents("a variable")?;
        self.sign(":")?;
        let class = self.ident("a class")?;
        let many = self.takes("[");
        if many {
            self.sign("*")?;
            self.sign("]")?;
        }
        self.sign(";")?;
        Ok(Member::Variables { names, class, many })
    }

    /// `sync c ==> a ^ b;`
    fn constraint(&mut self) -> Parsed<Member> {
        let start = self.peek().span;
        self.next();
        let mut constraint = self.entailment()?;
        self.sign(";")?;
        if let Member::Constraint { span, .. } = &mut constraint {
            *span = start.to(self.last());
        }
        Ok(constraint)
    }

    /// `c ==> a ^ b`
    pub(crate) fn entailment(&mut self) -> Parsed<Member> {
        let start = self.peek().span;
        let when = self.formula(&mut |parser| parser.ident("a condition"))?;
        self.sign("==>")?;
        let mut entails = vec![self.ident("a variable")?];
        while self.takes("^") {
            entails.push(self.ident("a variable")?);
        }
        Ok(Member::Constraint { span: start.to(self.last()), when, entails })
    }

    /// `state s {a, b} initial calls x.op, y.op;`
    fn state(&mut self) -> Parsed<Member> {
        self.next();
        let name = self.ident("the name of a state")?;
        let mut truths = Vec::new();
        if self.takes("{") {
            if !self.is_sign("}") {
                truths = self.idents("a condition")?;
            }
            self.sign("}")?;
        }
        let start = self.peek().span;
        let initial = self.takes_word("initial").then_some(start);
        let mut calls = Vec::new();
        if self.takes_word("calls") {
            calls = self.calls()?;
        }
        self.sign(";")?;
        Ok(Member::State { name, truths, initial, calls })
    }

    /// `x.op, y.op`
    pub(crate) fn calls(&mut self) -> Parsed<Vec<(Ident, Ident)>> {
        let mut calls = Vec::new();
        loop {
            let variable = self.ident("a variable")?;
            self.sign(".")?;
            calls.push((variable, self.ident("an operation")?));
            if !self.takes(",") {
                return Ok(calls);
            }
        }
    }

    /// `eat [g]: s -> t / x := y;`, after the word `before`, `after` or `step`.
    fn transition(&mut self, kind: TransitionKind) -> Parsed<Transition> {
        let label = self.ident("an operation or step")?;
        let guard = self.guard()?;
        self.sign(":")?;
        let from = self.ident("a state")?;
        self.sign("->")?;
        let to = self.ident("a state")?;
        let assigns = self.assigns()?;
        self.sign(";")?;
        Ok(Transition { span: label.span, kind, label, guard, from, to, assigns })
    }

    /// `before eat [g] / x := y`: a transition whose states the caller gives.
    pub(crate) fn labelled(&mut self, from: Ident, to: Ident) -> Parsed<Transition> {
        let span = from.span;
        let kind = if self.takes_word("before") {
            TransitionKind::Before
        } else if self.takes_word("after") {
            TransitionKind::After
        } else {
            self.takes_word("step");
            TransitionKind::Step
        };
        let label = self.ident("an operation or step")?;
        let guard = self.guard()?;
        let assigns = self.assigns()?;
        Ok(Transition { span: span.to(self.last()), kind, label, guard, from, to, assigns })
    }

    /// `[x == y & z != nil]`, or nothing
    fn guard(&mut self) -> Parsed<Vec<GuardPart>> {
        let mut guard = Vec::new();
        if self.takes("[") {
            guard.push(self.guard_part()?);
            while self.takes("&") {
                guard.push(self.guard_part()?);
            }
            self.sign("]")?;
        }
        Ok(guard)
    }

    /// `/ x := y, z := nil`, or nothing
    fn assigns(&mut self) -> Parsed<Vec<(Ident, Value)>> {
        let mut assigns = Vec::new();
        if self.takes("/") {
            assigns.push(self.assign()?);
            while self.takes(",") {
                assigns.push(self.assign()?);
            }
        }
        Ok(assigns)
    }

    fn guard_part(&mut self) -> Parsed<GuardPart> {
        let left = self.ident("a variable")?;
        let equal = self.is_sign("==");
        if !equal && !self.is_sign("!=") {
            return self.expected("`==` or `!=`");
        }
        self.next();
        let right =
            if self.takes_word("nil") { None } else { Some(self.ident("a variable or `nil`")?) };
        Ok(GuardPart { left, equal, right })
    }

    fn assign(&mut self) -> Parsed<(Ident, Value)> {
        let variable = self.ident("a variable")?;
        self.sign(":=")?;
        if self.takes_word("nil") {
            return Ok((variable, Value::Nil));
        }
        if self.takes_word("any") {
            return Ok((variable, Value::Any(self.ident("a class")?)));
        }
        let first = self.ident("a variable, `nil` or `any`")?;
        if self.takes(".") {
            return Ok((variable, Value::Path(first, self.ident("a variable")?)));
        }
        Ok((variable, Value::Variable(first)))
    }
}
