//! `fold` and `unfold`: exchange a predicate and its body.

use super::exhale::Exhale;
use super::inhale::Inhale;
use super::pieces::PieceOwner;
use super::sorts::Place;
use super::state::Env;
use super::{Encoder, Reason};
use crate::hir::{AmountKind, Assertion, AssertionKind, PredicateAccess};
use diagnostic::Code;
use logic::Term;
use source::Span;

impl Encoder<'_> {
    /// `fold P`: gives the body, takes the predicate, whose snapshot records the values.
    pub(crate) fn fold(&mut self, access: &PredicateAccess, span: Span) {
        let env = self.here();
        let (env, key, scale) = self.predicate_operands(access, &env, span);
        let program = self.program;
        let predicate = &program.predicates[access.predicate.index()];
        let mut body = self.body_env(access, &env);
        let saved = std::mem::replace(&mut self.locals, &predicate.locals);
        let parts = std::slice::from_ref(&predicate.body);
        let pieces = self.pieces(parts, &mut body, &mut |_, _, _| {});
        let values: Vec<Term> =
            pieces.iter().map(|piece| self.piece_value(piece, &body.state)).collect();
        let values: Vec<Term> = values.into_iter().map(|value| self.pin("piece", value)).collect();
        let guards: Vec<Term> = pieces.iter().map(|piece| piece.guard).collect();
        let guards: Vec<Term> = guards.into_iter().map(|guard| self.pin("if", guard)).collect();
        body.state = self.save("folded");
        let text = format!("what `{}` stands for need not hold here", predicate.name);
        let how = Exhale { scale, ..Exhale::new(span, Code::PredicateNotTrue, text) };
        self.exhale(std::slice::from_ref(&predicate.body), &body, &how);
        self.assume_not_inside_itself(access, key, &body);
        self.locals = saved;
        let taken = self.snapshot_of(access.predicate, &values);
        let taken = self.pin("snapshot", taken);
        let opened = self.opened(taken);
        self.assume(opened);
        for (index, (&value, &guard)) in values.iter().zip(&guards).enumerate() {
            let sort = self.terms.sort(value).clone();
            let back = self.projection(access.predicate, index, taken, sort);
            let same = self.terms.eq(back, value);
            let same = self.terms.implies(guard, same);
            self.assume(same);
        }
        self.gain_predicate(access, key, taken, &env);
    }

    fn gain_predicate(&mut self, access: &PredicateAccess, key: Term, taken: Term, env: &Env) {
        let place = Place::Predicate(access.predicate);
        let yes = self.terms.bool(true);
        let state = self.now.clone();
        let held = self.permission(&state, place, key);
        let had = self.is_some(held);
        let heap = self.now.heap[&place];
        let before = self.terms.select(heap, key);
        let same = self.terms.eq(before, taken);
        let same = self.terms.implies(had, same);
        self.assume(same);
        let changed = self.terms.store(heap, key, taken);
        self.assign(self.variable_of(heap), changed);
        let amount = self.amount(&access.amount, env);
        let total = self.plus(held, amount);
        self.set_permission(yes, place, key, total);
    }

    /// `unfold P`: gives the predicate, takes the body with the values of its snapshot.
    pub(crate) fn unfold(&mut self, access: &PredicateAccess, span: Span) {
        let env = self.here();
        let (env, key, scale) = self.predicate_operands(access, &env, span);
        let place = Place::Predicate(access.predicate);
        let state = self.now.clone();
        let taken = self.read(&state, place, key);
        let taken = self.pin("snapshot", taken);
        let opened = self.opened(taken);
        self.assume(opened);
        let parts =
            [Assertion { kind: AssertionKind::Predicate(access.clone()), span: access.span }];
        let saved_state = self.save("unfolded");
        let before = Env { state: saved_state, ..env.clone() };
        let how = Exhale::new(span, Code::AssertionFailed, "");
        self.exhale(&parts, &before, &how);
        let program = self.program;
        let predicate = &program.predicates[access.predicate.index()];
        let body = self.body_env(access, &env);
        let saved = std::mem::replace(&mut self.locals, &predicate.locals);
        let how = Inhale { scale, from: Some((access.predicate, taken)), ..Inhale::default() };
        self.inhale(std::slice::from_ref(&predicate.body), &body, &how);
        self.assume_not_inside_itself(access, key, &body);
        self.locals = saved;
    }

    /// No predicate contains itself: predicates are folded one by one.
    fn assume_not_inside_itself(&mut self, access: &PredicateAccess, key: Term, body: &Env) {
        let program = self.program;
        let predicate = &program.predicates[access.predicate.index()];
        let mut env = body.clone();
        let parts = std::slice::from_ref(&predicate.body);
        let pieces = self.pieces(parts, &mut env, &mut |_, _, _| {});
        for piece in pieces {
            if let (true, PieceOwner::One(inner)) =
                (piece.place == Place::Predicate(access.predicate), piece.owner)
            {
                let same = self.terms.eq(inner, key);
                let both = self.terms.and(vec![piece.guard, same]);
                let fact = self.terms.not(both);
                self.assume(fact);
            }
        }
    }

    /// The folded or unfolded instance, with its operands fixed, and the factor of its amounts.
    fn predicate_operands(
        &mut self,
        access: &PredicateAccess,
        env: &Env,
        span: Span,
    ) -> (Env, Term, Option<Term>) {
        let receiver = self.checked_value(&access.receiver, env);
        let yes = self.terms.bool(true);
        let (fine, reason) = self.not_null(receiver, access.receiver.span);
        self.check(yes, fine, &reason);
        access.args.iter().for_each(|arg| self.check_defined(yes, arg, env));
        let mut conditions = Vec::new();
        self.amount_defined(&access.amount, env, &mut conditions);
        self.check_all(yes, conditions);
        let key = self.key_of(access, env);
        let key = self.pin("instance", key);
        if matches!(access.amount.kind, AmountKind::Full) {
            return (env.clone(), key, None);
        }
        let amount = self.amount(&access.amount, env);
        let positive = self.is_some(amount);
        let text = "this amount of permission need not be positive";
        let reason = Reason::new(Code::NegativePermission, span, text).about(access.amount.span);
        self.check(yes, positive, &reason);
        if amount.epsilons.is_some_and(|count| !self.is_zero(count)) {
            self.unsupported("infinitesimals of a predicate", access.amount.span);
        }
        let hundredth = self.terms.real(1, 100);
        let scale = self.terms.mul(hundredth, amount.parts);
        (env.clone(), key, Some(scale))
    }
}
