//! Formulas with permissions. Permissions stand in positive positions only: every other position is
//! an expression.

use super::symbols::Member;
use super::{Checker, Owner};
use crate::hir::{
    Amount, AmountKind, Assertion, AssertionKind, BinaryOp, Expr, ExprKind, PredicateAccess,
    PredicateId, Quantified, Type,
};
use crate::syntax::{self, Quantifier};
use source::{Name, Span};

impl Checker<'_> {
    pub(super) fn assertion(&mut self, e: &syntax::Expr) -> Assertion {
        let span = e.span;
        let kind = match &e.kind {
            syntax::ExprKind::And(parts) => {
                AssertionKind::And(parts.iter().map(|part| self.assertion(part)).collect())
            }
            syntax::ExprKind::Binary(syntax::BinaryOp::Implies, left, right) => {
                let left = self.bool_expr(left, "the left side of `==>`");
                let right = self.assertion(right);
                return implies(left, right, span);
            }
            syntax::ExprKind::Conditional(cond, then, otherwise) => {
                let cond = self.bool_expr(cond, "the condition");
                let then = self.assertion(then);
                let otherwise = self.assertion(otherwise);
                return conditional(cond, then, otherwise, span);
            }
            syntax::ExprKind::Quantified(Quantifier::Forall, names, domain, body) => {
                return self.forall_assertion(names, domain, body, span);
            }
            syntax::ExprKind::Acc(place, amount) => {
                return self.acc(place, amount.as_deref(), span);
            }
            syntax::ExprKind::Rd(place, count) => return self.rd(place, count.as_deref(), span),
            syntax::ExprKind::RdStar(place) => {
                let amount = Amount { kind: AmountKind::Star, span };
                return self.access(place, amount, span);
            }
            syntax::ExprKind::Credit(channel, count) => {
                return self.credit(channel, count.as_deref(), span);
            }
            syntax::ExprKind::Eval(state, body) => return self.eval_assertion(state, body, span),
            _ => match self.predicate_use(e) {
                Some(access) => AssertionKind::Predicate(access),
                None => AssertionKind::Pure(self.bool_expr(e, "a formula")),
            },
        };
        Assertion { kind, span }
    }

    fn credit(
        &mut self,
        channel: &syntax::Expr,
        count: Option<&syntax::Expr>,
        span: Span,
    ) -> Assertion {
        let channel = self.expr(channel);
        if !matches!(channel.ty, Type::Channel(_) | Type::Unsupported) {
            let found = self.show(&channel.ty);
            self.mismatch(channel.span, format!("a credit is for a channel, not for `{found}`"));
        }
        let count = count.map(|e| self.typed(e, &Type::Int, "the number of credits"));
        Assertion { kind: AssertionKind::Credit(channel, count), span }
    }

    fn eval_assertion(
        &mut self,
        state: &syntax::State,
        body: &syntax::Expr,
        span: Span,
    ) -> Assertion {
        self.refuse_eval(span);
        let state = self.eval_state(state);
        let body = self.with_place(|place| place.two_state = false, |c| c.assertion(body));
        let kind = match as_pure(body) {
            Ok(body) => {
                let ty = body.ty.clone();
                let kind = ExprKind::Eval(Box::new(state), Box::new(body));
                AssertionKind::Pure(Expr { kind, ty, span })
            }
            Err(_) => AssertionKind::Unsupported("permissions in `eval`".into()),
        };
        Assertion { kind, span }
    }

    fn forall_assertion(
        &mut self,
        names: &[syntax::Ident],
        domain: &syntax::Domain,
        body: &syntax::Expr,
        span: Span,
    ) -> Assertion {
        self.scoped(|c| {
            let domain = c.domain(names, domain);
            let body = c.assertion(body);
            let (binders, range) = match (domain, is_pure(&body)) {
                (Ok(domain), _) => domain,
                (Err(what), true) => {
                    let kind = ExprKind::Unsupported(what);
                    let kind = AssertionKind::Pure(Expr { kind, ty: Type::Bool, span });
                    return Assertion { kind, span };
                }
                (Err(what), false) => {
                    return Assertion { kind: AssertionKind::Unsupported(what), span };
                }
            };
            let kind = match as_pure(body) {
                Ok(body) => {
                    let quantified = Quantified { forall: true, binders, range, body };
                    let kind = ExprKind::Quantified(Box::new(quantified));
                    AssertionKind::Pure(Expr { kind, ty: Type::Bool, span })
                }
                Err(body) => {
                    let quantified = Quantified { forall: true, binders, range, body: *body };
                    AssertionKind::Forall(Box::new(quantified))
                }
            };
            Assertion { kind, span }
        })
    }

    /// `e.P`, `P`, `e.P(..)`, `P(..)` where that is a predicate: full permission to it.
    pub(super) fn predicate_use(&mut self, e: &syntax::Expr) -> Option<PredicateAccess> {
        let amount = Amount { kind: AmountKind::Full, span: e.span };
        self.predicate_access(e, amount)
    }

    /// Permission to the predicate that the expression names, if it names one.
    pub(super) fn predicate_access(
        &mut self,
        e: &syntax::Expr,
        amount: Amount,
    ) -> Option<PredicateAccess> {
        let (receiver, name, args): (_, &Name, &[syntax::Expr]) = match &e.kind {
            syntax::ExprKind::Name(name) => (None, name, &[]),
            syntax::ExprKind::Field(object, name) => (Some(&**object), &name.name, &[]),
            syntax::ExprKind::Apply(target) => {
                (target.receiver.as_ref(), &target.name.name, &target.args)
            }
            _ => return None,
        };
        if !self.may_be_predicate(name) {
            return None;
        }
        let receiver = match receiver {
            None if self.lookup(name).is_some() && args.is_empty() => return None,
            None => self.implicit_this(e.span)?,
            // A fault is reported when the object is checked as part of the whole.
            Some(object) => self.quietly(|c| c.expr(object)),
        };
        let predicate = self.predicate_of(&receiver.ty, name)?;
        let receiver = match &e.kind {
            syntax::ExprKind::Field(object, _) => self.expr(object),
            syntax::ExprKind::Apply(target) if target.receiver.is_some() => {
                let object = target.receiver.as_ref()?;
                self.expr(object)
            }
            _ if self.place.is_static => self.this(e.span),
            _ => receiver,
        };
        let symbols = self.symbols;
        let types = &symbols.predicates[predicate.index()];
        let args = self.args(args, types, e.span, &format!("the predicate `{name}`"));
        Some(PredicateAccess { receiver, predicate, args, amount, span: e.span })
    }

    /// Whether any class has a predicate of this name; avoids looking at receivers in vain.
    fn may_be_predicate(&self, name: &Name) -> bool {
        self.program.predicates.iter().any(|predicate| predicate.name == *name)
    }

    fn predicate_of(&self, ty: &Type, name: &Name) -> Option<PredicateId> {
        let Type::Object(class) = ty else { return None };
        match self.symbols.member(*class, name) {
            Some(Member::Predicate(id)) => Some(id),
            _ => None,
        }
    }

    /// The receiver of a member that is named without one; `None` in channels, which have no
    /// members.
    fn implicit_this(&self, span: Span) -> Option<Expr> {
        match self.owner {
            Owner::Class(class) => {
                Some(Expr { kind: ExprKind::This, ty: Type::Object(class), span })
            }
            Owner::Channel(_) => None,
        }
    }

    /// Runs a check and throws its reports and variables away.
    fn quietly<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (reports, locals) = (self.diagnostics.len(), self.locals.len());
        let result = run(self);
        self.diagnostics.truncate(reports);
        self.locals.truncate(locals);
        self.ghosts.truncate(locals);
        result
    }
}

fn implies(left: Expr, right: Assertion, span: Span) -> Assertion {
    let kind = match right.kind {
        AssertionKind::Pure(right) => {
            AssertionKind::Pure(binary(BinaryOp::Implies, left, right, span))
        }
        _ => AssertionKind::Implies(left, Box::new(right)),
    };
    Assertion { kind, span }
}

fn conditional(cond: Expr, then: Assertion, otherwise: Assertion, span: Span) -> Assertion {
    let kind = match (then.kind, otherwise.kind) {
        (AssertionKind::Pure(then), AssertionKind::Pure(otherwise)) => {
            let [cond, then, otherwise] = [cond, then, otherwise].map(Box::new);
            let kind = ExprKind::Ite(cond, then, otherwise);
            AssertionKind::Pure(Expr { kind, ty: Type::Bool, span })
        }
        (then_kind, otherwise_kind) => {
            let then = Assertion { kind: then_kind, span: then.span };
            let otherwise = Assertion { kind: otherwise_kind, span: otherwise.span };
            AssertionKind::Ite(cond, Box::new(then), Box::new(otherwise))
        }
    };
    Assertion { kind, span }
}

fn binary(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
    Expr { kind, ty: Type::Bool, span }
}

/// All of these as one expression. The tree is balanced, so that a long list does not make a deep
/// one.
pub(super) fn chain(op: BinaryOp, mut parts: Vec<Expr>, span: Span) -> Expr {
    match parts.len() {
        0 => Expr { kind: ExprKind::Bool(op == BinaryOp::And), ty: Type::Bool, span },
        1 => parts.remove(0),
        length => {
            let right = parts.split_off(length / 2);
            let (left, right) = (chain(op, parts, span), chain(op, right, span));
            let span = left.span.to(right.span);
            binary(op, left, right, span)
        }
    }
}

/// The formula as an expression if no permission occurs in it, otherwise as it was.
pub(super) fn as_pure(assertion: Assertion) -> Result<Expr, Box<Assertion>> {
    if is_pure(&assertion) { Ok(pure(assertion)) } else { Err(Box::new(assertion)) }
}

fn is_pure(assertion: &Assertion) -> bool {
    match &assertion.kind {
        AssertionKind::Pure(_) => true,
        AssertionKind::And(parts) => parts.iter().all(is_pure),
        AssertionKind::Implies(_, body) => is_pure(body),
        AssertionKind::Ite(_, then, otherwise) => is_pure(then) && is_pure(otherwise),
        AssertionKind::Forall(quantified) => is_pure(&quantified.body),
        AssertionKind::Access(..)
        | AssertionKind::Predicate(_)
        | AssertionKind::Credit(..)
        | AssertionKind::Unsupported(_) => false,
    }
}

fn pure(assertion: Assertion) -> Expr {
    let span = assertion.span;
    match assertion.kind {
        AssertionKind::Pure(expr) => expr,
        AssertionKind::And(parts) => {
            chain(BinaryOp::And, parts.into_iter().map(pure).collect(), span)
        }
        AssertionKind::Implies(left, right) => binary(BinaryOp::Implies, left, pure(*right), span),
        AssertionKind::Ite(cond, then, otherwise) => {
            let [cond, then, otherwise] = [cond, pure(*then), pure(*otherwise)].map(Box::new);
            Expr { kind: ExprKind::Ite(cond, then, otherwise), ty: Type::Bool, span }
        }
        AssertionKind::Forall(quantified) => {
            let Quantified { forall, binders, range, body } = *quantified;
            let quantified = Quantified { forall, binders, range, body: pure(body) };
            let kind = ExprKind::Quantified(Box::new(quantified));
            Expr { kind, ty: Type::Bool, span }
        }
        AssertionKind::Unsupported(what) => {
            Expr { kind: ExprKind::Unsupported(what), ty: Type::Bool, span }
        }
        AssertionKind::Access(..) | AssertionKind::Predicate(_) | AssertionKind::Credit(..) => {
            super::error_expr(span)
        }
    }
}

/// Where a credit occurs.
pub(super) fn credit_in(assertion: &Assertion) -> Option<Span> {
    match &assertion.kind {
        AssertionKind::Credit(..) => Some(assertion.span),
        AssertionKind::And(parts) => parts.iter().find_map(credit_in),
        AssertionKind::Implies(_, body) => credit_in(body),
        AssertionKind::Ite(_, then, otherwise) => credit_in(then).or_else(|| credit_in(otherwise)),
        AssertionKind::Forall(quantified) => credit_in(&quantified.body),
        AssertionKind::Pure(_)
        | AssertionKind::Access(..)
        | AssertionKind::Predicate(_)
        | AssertionKind::Unsupported(_) => None,
    }
}

/// Where an `unfolding` occurs among the conjuncts.
pub(super) fn unfolding_in(e: &syntax::Expr) -> Option<Span> {
    if matches!(e.kind, syntax::ExprKind::Unfolding(..)) {
        return Some(e.span);
    }
    e.children().into_iter().find_map(unfolding_in)
}
