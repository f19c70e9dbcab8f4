//! Splits an assertion into parts with the conditions under which they count, all evaluated in one
//! state.

use super::Encoder;
use super::amount::Permission;
use super::pieces::PieceOwner;
use super::sorts::Place;
use super::state::Env;
use crate::hir::{Amount, AmountKind, Assertion, AssertionKind, BinaryOp, Expr, ExprKind};
use logic::Term;
use source::Span;

/// A part of an assertion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'e> {
    /// A condition on which other parts depend.
    Condition(&'e Expr),
    /// A formula that is not a conjunction.
    Formula(&'e Expr),
    /// Anything with permissions or credits.
    Other(&'e Assertion),
}

/// A permission that changes hands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portion<'e> {
    /// It counts only if this holds.
    pub(crate) guard: Term,
    pub(crate) place: Place,
    pub(crate) owner: PieceOwner,
    pub(crate) amount: &'e Amount,
    /// Where it is written.
    pub(crate) span: Span,
}

impl Portion<'_> {
    /// Only a part of the amount, if there is a scale.
    pub(crate) fn scaled(
        &self,
        encoder: &mut Encoder<'_>,
        amount: Permission,
        scale: Option<Term>,
    ) -> Permission {
        encoder.scaled(amount, scale, self.amount.span)
    }
}

impl Encoder<'_> {
    /// The condition under which it counts and is more than nothing: a thread that has nothing of a
    /// place knows nothing of it.
    pub(crate) fn if_some(&mut self, portion: &Portion<'_>, env: &Env) -> Term {
        match &portion.amount.kind {
            AmountKind::Full
            | AmountKind::Read
            | AmountKind::ReadOf(_)
            | AmountKind::PredicateRead
            | AmountKind::Star => portion.guard,
            AmountKind::Percent(Expr { kind: ExprKind::Int(1..), .. }) => portion.guard,
            _ => {
                let amount = self.amount(portion.amount, env);
                let some = self.is_some(amount);
                self.terms.and(vec![portion.guard, some])
            }
        }
    }

    /// The parts in order, each with its guard.
    pub(crate) fn parts_of<'e>(
        &mut self,
        assertions: &'e [Assertion],
        env: &Env,
    ) -> Vec<(Term, Part<'e>)> {
        let mut out = Vec::new();
        let yes = self.terms.bool(true);
        assertions.iter().for_each(|assertion| self.add_parts(assertion, env, yes, &mut out));
        out
    }

    fn add_parts<'e>(
        &mut self,
        assertion: &'e Assertion,
        env: &Env,
        guard: Term,
        out: &mut Vec<(Term, Part<'e>)>,
    ) {
        match &assertion.kind {
            AssertionKind::Pure(expr) => {
                out.extend(conjuncts(expr).into_iter().map(|part| (guard, Part::Formula(part))));
            }
            AssertionKind::And(parts) => {
                parts.iter().for_each(|part| self.add_parts(part, env, guard, out));
            }
            AssertionKind::Implies(premise, conclusion) => {
                out.push((guard, Part::Condition(premise)));
                let premise = self.value(premise, env);
                let guard = self.terms.and(vec![guard, premise]);
                self.add_parts(conclusion, env, guard, out);
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                out.push((guard, Part::Condition(condition)));
                let condition = self.value(condition, env);
                let (yes, no) = self.both_ways(guard, condition);
                self.add_parts(then, env, yes, out);
                self.add_parts(otherwise, env, no, out);
            }
            AssertionKind::Access(..)
            | AssertionKind::Predicate(_)
            | AssertionKind::Credit(..)
            | AssertionKind::Forall(_)
            | AssertionKind::Unsupported(_) => out.push((guard, Part::Other(assertion))),
        }
    }

    /// The guards of the two branches of a condition.
    pub(crate) fn both_ways(&mut self, guard: Term, condition: Term) -> (Term, Term) {
        let yes = self.terms.and(vec![guard, condition]);
        let not = self.terms.not(condition);
        (yes, self.terms.and(vec![guard, not]))
    }

    /// The formulas of assertions, without their permissions.
    pub(crate) fn formulas(&mut self, assertions: &[Assertion], env: &Env) -> Vec<Term> {
        let mut formulas = Vec::new();
        for (guard, part) in self.parts_of(assertions, env) {
            if let Part::Formula(expr) = part {
                let holds = self.value(expr, env);
                formulas.push(self.terms.implies(guard, holds));
            }
        }
        formulas
    }

    /// The credits of assertions: channel and number.
    pub(crate) fn credits_of(
        &mut self,
        assertions: &[Assertion],
        env: &Env,
    ) -> Vec<(Term, Term, Term)> {
        let mut credits = Vec::new();
        for (guard, part) in self.parts_of(assertions, env) {
            if let Part::Other(Assertion { kind: AssertionKind::Credit(channel, count), .. }) = part
            {
                let channel = self.value(channel, env);
                credits.push((guard, channel, self.credit_count(count.as_ref(), env)));
            }
        }
        credits
    }

    /// The number of credits; one if no number is written.
    pub(crate) fn credit_count(&mut self, count: Option<&Expr>, env: &Env) -> Term {
        match count {
            Some(count) => self.value(count, env),
            None => self.terms.int(1),
        }
    }

    /// The permissions of a part that is about locations or predicates; none for other parts.
    pub(crate) fn portions<'e>(
        &mut self,
        guard: Term,
        assertion: &'e Assertion,
        env: &Env,
    ) -> Vec<Portion<'e>> {
        match &assertion.kind {
            AssertionKind::Access(target, amount) => {
                let span = Self::receiver_of(target).span;
                let owners = self.owners(target, env).into_iter();
                owners.map(|(place, owner)| Portion { guard, place, owner, amount, span }).collect()
            }
            AssertionKind::Predicate(access) => {
                let owner = PieceOwner::One(self.key_of(access, env));
                let place = Place::Predicate(access.predicate);
                vec![Portion { guard, place, owner, amount: &access.amount, span: access.span }]
            }
            AssertionKind::Forall(quantified) => match self.each_of(quantified, env) {
                Some((owner, place, amount)) => {
                    vec![Portion { guard, place, owner, amount, span: assertion.span }]
                }
                None => {
                    self.unsupported("this quantified permission", assertion.span);
                    Vec::new()
                }
            },
            AssertionKind::Unsupported(what) => {
                self.unsupported(what, assertion.span);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }
}

/// The conjuncts of a formula.
pub(crate) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        _ => vec![expr],
    }
}
