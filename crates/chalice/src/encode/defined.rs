//! The conditions under which an expression has a value: permission to the locations it reads,
//! receivers that are not null, indices in bounds, divisors that are not zero, preconditions of
//! functions (paper 3, section 4, "Field access").

use super::functions::Application;
use super::sorts::Place;
use super::state::Env;
use super::{Encoder, Reason};
use crate::hir::{
    Amount, AmountKind, BinaryOp, EvalState, Expr, ExprKind, Loc, PredicateAccess, Quantified, Type,
};
use diagnostic::Code;
use logic::{Quantifier, Term};
use source::Span;

/// The conditions in order: each may use those before it.
pub(crate) type Conditions = Vec<Condition>;

/// One of them.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// It must hold; the reason is reported if it does not.
    Must(Term, Reason),
    /// It holds if those before it do.
    Does(Term),
}

impl Condition {
    /// The same condition about another formula.
    fn map(self, change: impl FnOnce(Term) -> Term) -> Self {
        match self {
            Self::Must(term, reason) => Self::Must(change(term), reason),
            Self::Does(term) => Self::Does(change(term)),
        }
    }
}

impl Encoder<'_> {
    /// Checks that the expression has a value, if the guard holds.
    pub(crate) fn check_defined(&mut self, guard: Term, expr: &Expr, env: &Env) {
        let mut conditions = Conditions::new();
        self.defined(expr, env, &mut conditions);
        self.check_all(guard, conditions);
    }

    /// Checks conditions in order, if the guard holds.
    pub(crate) fn check_all(&mut self, guard: Term, conditions: Conditions) {
        for condition in conditions {
            match condition {
                Condition::Must(holds, reason) => self.check(guard, holds, &reason),
                Condition::Does(fact) => {
                    let fact = self.terms.implies(guard, fact);
                    self.assume(fact);
                }
            }
        }
    }

    /// The value, after checking that there is one.
    pub(crate) fn checked_value(&mut self, expr: &Expr, env: &Env) -> Term {
        let yes = self.terms.bool(true);
        self.check_defined(yes, expr, env);
        self.value(expr, env)
    }

    /// Collects the conditions under which the expression has a value.
    pub(crate) fn defined(&mut self, expr: &Expr, env: &Env, out: &mut Conditions) {
        match &expr.kind {
            ExprKind::Read(object, loc) => {
                self.defined(object, env, out);
                if env.unframed && self.unframed_read(expr).is_some() {
                    let key = self.value(object, env);
                    let (fine, reason) = self.not_null(key, object.span);
                    out.push(Condition::Must(fine, reason));
                } else {
                    self.readable((object, *loc), env, expr.span, out);
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Implies, left, right) => {
                self.defined(left, env, out);
                let premise = self.value(left, env);
                self.defined_if(premise, right, env, out);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                self.defined(left, env, out);
                let left = self.value(left, env);
                let otherwise = self.terms.not(left);
                self.defined_if(otherwise, right, env, out);
            }
            ExprKind::Binary(op, left, right) => {
                self.defined(left, env, out);
                self.defined(right, env, out);
                self.operands_defined(*op, [left, right], env, out);
            }
            ExprKind::Ite(cond, then, otherwise) => {
                self.defined(cond, env, out);
                let cond = self.value(cond, env);
                self.defined_if(cond, then, env, out);
                let not = self.terms.not(cond);
                self.defined_if(not, otherwise, env, out);
            }
            ExprKind::Old(inner) => self.defined(inner, &env.in_old(), out),
            ExprKind::Call(id, receiver, args) => {
                for operand in expr.kind.operands() {
                    self.defined(operand, env, out);
                }
                let receiver = receiver.as_deref();
                let application = Application { function: *id, receiver, args };
                self.applicable(application, env, expr.span, out);
            }
            ExprKind::Unfolding(access, inner) => self.unfolding_defined(access, inner, env, out),
            ExprKind::Eval(state, _) => self.state_defined(state, env, out),
            ExprKind::Quantified(quantified) => self.quantified_defined(quantified, env, out),
            _ => {
                expr.kind
                    .operands()
                    .into_iter()
                    .for_each(|operand| self.defined(operand, env, out));
                self.indices_defined(expr, env, out);
            }
        }
    }

    fn unfolding_defined(
        &mut self,
        access: &PredicateAccess,
        inner: &Expr,
        env: &Env,
        out: &mut Conditions,
    ) {
        self.defined(&access.receiver, env, out);
        access.args.iter().for_each(|arg| self.defined(arg, env, out));
        self.amount_defined(&access.amount, env, out);
        let receiver = self.value(&access.receiver, env);
        let (fine, reason) = self.not_null(receiver, access.receiver.span);
        out.push(Condition::Must(fine, reason));
        let key = self.key_of(access, env);
        let place = Place::Predicate(access.predicate);
        let held = self.permission(&env.state, place, key);
        let enough = self.enough_for(held, &access.amount, env);
        let text = format!(
            "no permission to unfold `{}` here",
            self.program.predicates[access.predicate.index()].name
        );
        let reason = Reason::new(Code::InsufficientPermission, access.span, text);
        out.push(Condition::Must(enough, reason));
        let (env, facts) = self.unfolded_with_facts(access, env);
        let env = Env { unframed: false, ..env };
        out.extend(facts.into_iter().map(Condition::Does));
        self.defined(inner, &env, out);
    }

    /// Everything that was readable at that moment may be read; no permission is needed now.
    fn state_defined(&mut self, state: &EvalState, env: &Env, out: &mut Conditions) {
        match state {
            EvalState::Acquire(object) | EvalState::Release(object) => {
                self.defined(object, env, out);
            }
            EvalState::Fork { token, receiver, args, .. } => {
                self.defined(token, env, out);
                self.defined(receiver, env, out);
                args.iter().flatten().for_each(|arg| self.defined(arg, env, out));
            }
        }
    }

    fn quantified_defined(
        &mut self,
        quantified: &Quantified<Expr>,
        env: &Env,
        out: &mut Conditions,
    ) {
        quantified.range.iter().for_each(|range| self.defined(range, env, out));
        let (inner, binders, range) = self.bind(quantified, env);
        let inner = Env { unframed: false, ..inner };
        let mut conditions = Conditions::new();
        self.defined(&quantified.body, &inner, &mut conditions);
        for condition in conditions {
            out.push(condition.map(|term| {
                let body = self.terms.implies(range, term);
                self.quantify(Quantifier::Forall, binders.clone(), body)
            }));
        }
    }

    fn defined_if(&mut self, premise: Term, expr: &Expr, env: &Env, out: &mut Conditions) {
        let mut conditions = Conditions::new();
        self.defined(expr, env, &mut conditions);
        for condition in conditions {
            out.push(condition.map(|term| self.terms.implies(premise, term)));
        }
    }

    fn operands_defined(
        &mut self,
        op: BinaryOp,
        [left, right]: [&Expr; 2],
        env: &Env,
        out: &mut Conditions,
    ) {
        match op {
            BinaryOp::Div | BinaryOp::Mod => {
                let (divisor, zero) = (self.value(right, env), self.terms.int(0));
                let zero = self.terms.eq(divisor, zero);
                let fine = self.terms.not(zero);
                let reason =
                    Reason::new(Code::DivisionByZero, right.span, "the divisor can be zero");
                out.push(Condition::Must(fine, reason));
            }
            // The order compares `mu` of references.
            BinaryOp::Below => {
                for side in [left, right] {
                    let is_reference = matches!(side.ty, Type::Object(_) | Type::Channel(_));
                    if is_reference && !matches!(side.kind, ExprKind::WaitLevel) {
                        self.readable((side, Loc::Mu), env, side.span, out);
                    }
                }
            }
            _ => {}
        }
    }

    fn indices_defined(&mut self, expr: &Expr, env: &Env, out: &mut Conditions) {
        let (seq, index, end_allowed) = match &expr.kind {
            ExprKind::SeqAt(seq, index) => (seq, index, false),
            ExprKind::SeqDrop(seq, index) | ExprKind::SeqTake(seq, index) => (seq, index, true),
            _ => return,
        };
        let (seq, at) = (self.value(seq, env), self.value(index, env));
        let (zero, length) = (self.terms.int(0), self.seq_length(seq));
        let low = self.terms.le(zero, at);
        let high = if end_allowed { self.terms.le(at, length) } else { self.terms.lt(at, length) };
        let text = "the index can be outside the sequence";
        let inside = self.terms.and(vec![low, high]);
        let reason = Reason::new(Code::IndexOutOfRange, index.span, text);
        out.push(Condition::Must(inside, reason));
    }

    /// `CanRead(o.f)` of paper 3: not null, and some permission.
    fn readable(
        &mut self,
        (object, loc): (&Expr, Loc),
        env: &Env,
        span: Span,
        out: &mut Conditions,
    ) {
        let key = self.value(object, env);
        let (fine, reason) = self.not_null(key, object.span);
        out.push(Condition::Must(fine, reason));
        let place = Place::Loc(loc);
        let held = self.permission(&env.state, place, key);
        let some = self.is_some(held);
        let text = format!("no permission to read `{}` here", self.short_place_name(place));
        let name = self.short_place_name(place);
        let help = if self.volatile_class(place).is_some() {
            format!("without `acc` or `rd` of `{name}`, read it into a variable of its own first")
        } else {
            format!("`acc` or `rd` of `{name}` is needed")
        };
        let reason = Reason::new(Code::InsufficientPermission, span, text).help(help);
        out.push(Condition::Must(some, reason));
    }

    pub(crate) fn short_place_name(&self, place: Place) -> String {
        super::task::short_name(&self.place_name(place), place)
    }

    pub(crate) fn not_null(&mut self, object: Term, span: Span) -> (Term, Reason) {
        let null = self.null();
        let is_null = self.terms.eq(object, null);
        let fine = self.terms.not(is_null);
        (fine, Reason::new(Code::NullReceiver, span, "this can be null"))
    }

    /// Collects the conditions under which an amount has a value.
    pub(crate) fn amount_defined(&mut self, amount: &Amount, env: &Env, out: &mut Conditions) {
        match &amount.kind {
            AmountKind::Full | AmountKind::Read | AmountKind::PredicateRead | AmountKind::Star => {}
            AmountKind::Percent(expr) | AmountKind::ReadOf(expr) | AmountKind::Epsilons(expr) => {
                self.defined(expr, env, out);
            }
            AmountKind::Add(left, right) | AmountKind::Sub(left, right) => {
                self.amount_defined(left, env, out);
                self.amount_defined(right, env, out);
            }
            AmountKind::Times(factor, inner) => {
                self.defined(factor, env, out);
                self.amount_defined(inner, env, out);
            }
        }
    }

    /// Whether the thread holds enough to look inside: at least the amount, or some permission if
    /// the amount is a `rd`.
    pub(crate) fn enough_for(
        &mut self,
        held: super::amount::Permission,
        amount: &Amount,
        env: &Env,
    ) -> Term {
        match &amount.kind {
            AmountKind::Full | AmountKind::Percent(_) | AmountKind::Epsilons(_) => {
                let needed = self.amount(amount, env);
                let parts = vec![self.at_least(held, needed), self.is_some(needed)];
                self.terms.and(parts)
            }
            _ => self.is_some(held),
        }
    }
}
