//! Inhale (paper 3, figure 3): assumes an assertion and takes its permissions, from left to right.
//! A location to which the thread had no permission first gets an arbitrary value: others may have
//! changed it.

use super::Encoder;
use super::amount::Permission;
use super::parts::{Portion, conjuncts};
use super::pieces::PieceOwner;
use super::sorts::{Place, reference};
use super::state::Env;
use crate::hir::{
    Amount, AmountKind, Assertion, AssertionKind, Expr, Loc, PredicateId, Quantified, Type,
};
use logic::{Sort, Term};

const MU: Place = Place::Loc(Loc::Mu);

/// How to inhale.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inhale {
    /// Only this part of each amount.
    pub(crate) scale: Option<Term>,
    /// Values come from this snapshot of a predicate.
    pub(crate) from: Option<(PredicateId, Term)>,
    /// Check that every part has a value when its turn comes: the assertion is self-framing.
    pub(crate) checked: bool,
    /// Nobody can have changed the values in the meantime.
    pub(crate) keep_values: bool,
    /// For reading only, so that the same permission may serve twice: a function does not take the
    /// permissions that it requires.
    pub(crate) read_only: bool,
    /// The assertion must not read any value without permission, volatile or not: it is the body of
    /// a predicate.
    pub(crate) framed: bool,
}

/// The progress of an inhale.
struct Progress<'i> {
    how: &'i Inhale,
    /// The number of the next piece, as `pieces` counts.
    piece: usize,
}

impl Encoder<'_> {
    /// Assumes all parts and takes their permissions.
    pub(crate) fn inhale(&mut self, assertions: &[Assertion], env: &Env, how: &Inhale) {
        let yes = self.terms.bool(true);
        let mut progress = Progress { how, piece: 0 };
        assertions.iter().for_each(|part| self.inhale_part(part, env, yes, &mut progress));
    }

    fn inhale_part(
        &mut self,
        assertion: &Assertion,
        env: &Env,
        guard: Term,
        progress: &mut Progress<'_>,
    ) {
        match &assertion.kind {
            AssertionKind::Pure(expr) => {
                for part in conjuncts(expr) {
                    self.inhale_formula(part, env, guard, progress.how);
                }
            }
            AssertionKind::And(parts) => {
                parts.iter().for_each(|part| self.inhale_part(part, env, guard, progress));
            }
            AssertionKind::Implies(premise, conclusion) => {
                let premise = self.condition(premise, env, guard, progress.how);
                let guard = self.terms.and(vec![guard, premise]);
                self.inhale_part(conclusion, env, guard, progress);
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                let condition = self.condition(condition, env, guard, progress.how);
                let (yes, no) = self.both_ways(guard, condition);
                self.inhale_part(then, env, yes, progress);
                self.inhale_part(otherwise, env, no, progress);
            }
            AssertionKind::Credit(channel, count) => {
                if progress.how.scale.is_some() {
                    self.unsupported("a part of a credit", assertion.span);
                }
                self.when_checked(guard, [channel].into_iter().chain(count), env, progress.how);
                let channel = self.value(channel, env);
                self.assume_not_null(guard, channel);
                let count = self.credit_count(count.as_ref(), env);
                self.add_credits(guard, channel, count);
            }
            AssertionKind::Access(..) | AssertionKind::Predicate(_) | AssertionKind::Forall(_) => {
                self.inhale_permission(assertion, env, guard, progress);
            }
            AssertionKind::Unsupported(what) => self.unsupported(what, assertion.span),
        }
    }

    fn inhale_permission(
        &mut self,
        assertion: &Assertion,
        env: &Env,
        guard: Term,
        progress: &mut Progress<'_>,
    ) {
        match &assertion.kind {
            AssertionKind::Access(target, amount) => {
                self.when_checked(guard, [Self::receiver_of(target)], env, progress.how);
                self.amount_when_checked(guard, amount, env, progress.how);
            }
            AssertionKind::Predicate(access) => {
                let operands = [&access.receiver].into_iter().chain(&access.args);
                self.when_checked(guard, operands, env, progress.how);
                self.amount_when_checked(guard, &access.amount, env, progress.how);
                let receiver = self.value(&access.receiver, env);
                self.assume_not_null(guard, receiver);
            }
            AssertionKind::Forall(quantified) => {
                let Quantified { range, .. } = &**quantified;
                self.when_checked(guard, range, env, progress.how);
            }
            _ => {}
        }
        for portion in self.portions(guard, assertion, env) {
            self.take(&portion, env, progress);
        }
    }

    fn inhale_formula(&mut self, expr: &Expr, env: &Env, guard: Term, how: &Inhale) {
        if how.framed
            || how.read_only
            || how.from.is_some()
            || !self.look_again_for(guard, expr, env)
        {
            self.when_checked(guard, [expr], env, how);
            let fact = self.value(expr, env);
            let fact = self.terms.implies(guard, fact);
            return self.assume(fact);
        }
        let env = Env { unframed: true, ..env.clone() };
        self.when_checked(guard, [expr], &env, how);
        let fact = self.value(expr, &env);
        let fact = self.terms.implies(guard, fact);
        self.assume(fact);
        if how.checked {
            self.check_stable(guard, expr, &env);
        }
    }

    /// The value of a condition now: later parts may change the heap.
    fn condition(&mut self, expr: &Expr, env: &Env, guard: Term, how: &Inhale) -> Term {
        self.when_checked(guard, [expr], env, how);
        let value = self.value(expr, env);
        self.pin("if", value)
    }

    fn when_checked<'e>(
        &mut self,
        guard: Term,
        exprs: impl IntoIterator<Item = &'e Expr>,
        env: &Env,
        how: &Inhale,
    ) {
        if how.checked {
            exprs.into_iter().for_each(|expr| self.check_defined(guard, expr, env));
        }
    }

    fn amount_when_checked(&mut self, guard: Term, amount: &Amount, env: &Env, how: &Inhale) {
        if how.checked {
            let mut conditions = Vec::new();
            self.amount_defined(amount, env, &mut conditions);
            self.check_all(guard, conditions);
        }
    }

    pub(crate) fn assume_not_null(&mut self, guard: Term, object: Term) {
        let null = self.null();
        let is_null = self.terms.eq(object, null);
        let fine = self.terms.not(is_null);
        let fine = self.terms.implies(guard, fine);
        self.assume(fine);
    }

    fn take(&mut self, portion: &Portion<'_>, env: &Env, progress: &mut Progress<'_>) {
        let (guard, place, how) = (portion.guard, portion.place, progress.how);
        let index = progress.piece;
        progress.piece += 1;
        let PieceOwner::One(key) = portion.owner else {
            return self.take_each(portion, env, how, index);
        };
        if *self.terms.sort(key) == reference() {
            self.assume_not_null(guard, key);
        }
        let taken = self.assumed_amount(portion, env, how);
        let state = self.now.clone();
        let held = self.permission(&state, place, key);
        let some = self.if_some(portion, env);
        let mut known = self.is_some(held);
        if place == MU {
            // No other thread moves a monitor that this thread holds.
            let locked = self.locked(key);
            known = self.terms.or(vec![known, locked]);
        }
        self.take_value(&Portion { guard: some, ..*portion }, key, known, (how, index));
        if place == MU {
            self.forget_last_seen(guard, key, known);
        }
        let total = self.plus(held, taken);
        self.set_permission(guard, place, key, total);
        if let (Place::Loc(_), false) = (place, how.read_only) {
            // Nobody has more than all of a location. Of a predicate a thread can have more: one
            // that holds little can be folded many times.
            let (full, now) = (self.full(), self.now.clone());
            let total = self.permission(&now, place, key);
            let fits = self.at_least(full, total);
            let fits = self.terms.implies(guard, fits);
            self.assume(fits);
        }
        self.assume_typed(guard, place, key);
        if place == MU {
            self.assume_shared_if_held(guard, key);
        }
    }

    /// The value of a place that the thread gets permission to: the old value if it is known,
    /// otherwise that of the snapshot or an arbitrary one.
    fn take_value(
        &mut self,
        portion: &Portion<'_>,
        key: Term,
        known: Term,
        (how, index): (&Inhale, usize),
    ) {
        if how.keep_values {
            return;
        }
        let (guard, place) = (portion.guard, portion.place);
        let heap = self.now.heap[&place];
        let sort = self.place_sort(place);
        let value = match how.from {
            Some((predicate, snapshot)) => {
                let value = self.projection(predicate, index, snapshot, sort);
                let now = self.terms.select(heap, key);
                let same = self.terms.eq(now, value);
                let both = self.terms.and(vec![guard, known]);
                let same = self.terms.implies(both, same);
                self.assume(same);
                self.assume_less_deep(guard, place, snapshot, value);
                value
            }
            None => self.any("value", sort),
        };
        let unknown = self.terms.not(known);
        let changed = self.terms.and(vec![guard, unknown]);
        if let (Some(class), false) = (self.volatile_class(place), how.read_only) {
            return self.look_again(changed, (key, class), Some((place, value)));
        }
        let stored = self.terms.store(heap, key, value);
        let stored = self.terms.ite(changed, stored, heap);
        self.assign(self.variable_of(heap), stored);
    }

    /// Without permission to `mu`, another thread may have unshared and shared the object again:
    /// the values last seen say nothing any more.
    fn forget_last_seen(&mut self, guard: Term, key: Term, known: Term) {
        if !self.looks_back {
            return;
        }
        let moment = self.any("moment", Sort::Int);
        let symbol = self.moments("seen");
        let map = self.terms.constant(symbol);
        let unknown = self.terms.not(known);
        let forgotten = self.terms.and(vec![guard, unknown]);
        let stored = self.terms.store(map, key, moment);
        let stored = self.terms.ite(forgotten, stored, map);
        self.assign(symbol, stored);
    }

    /// A held monitor is shared: only the thread that holds it can unshare it.
    pub(crate) fn assume_shared_if_held(&mut self, guard: Term, key: Term) {
        let state = self.now.clone();
        let position = self.read(&state, MU, key);
        let (bottom, locked) = (self.lock_bottom(), self.locked(key));
        let shared = self.below(bottom, position);
        let premise = self.terms.and(vec![guard, locked]);
        let fact = self.terms.implies(premise, shared);
        self.assume(fact);
    }

    /// A predicate inside another is less deep (see `pieces`).
    fn assume_less_deep(&mut self, guard: Term, place: Place, whole: Term, part: Term) {
        if let Place::Predicate(_) = place {
            let (whole, part) = (self.rank(whole), self.rank(part));
            let zero = self.terms.int(0);
            let parts = vec![self.terms.le(zero, part), self.terms.lt(part, whole)];
            let fact = self.terms.and(parts);
            let fact = self.terms.implies(guard, fact);
            self.assume(fact);
        }
    }

    /// Assumes the facts about every value that a place can hold.
    fn assume_typed(&mut self, guard: Term, place: Place, key: Term) {
        let Place::Loc(Loc::Field(id)) = place else { return };
        let ty: Type = self.program.fields[id.index()].ty.clone();
        let state = self.now.clone();
        let value = self.read(&state, place, key);
        if let Some(fact) = self.fact_of_value(value, &ty) {
            let fact = self.terms.implies(guard, fact);
            self.assume(fact);
        }
    }

    /// The amount, which cannot be negative: the thread that gave it away checked that.
    pub(crate) fn assumed_amount(
        &mut self,
        portion: &Portion<'_>,
        env: &Env,
        how: &Inhale,
    ) -> Permission {
        if matches!(portion.amount.kind, AmountKind::Star) {
            let some = self.some_part();
            let positive = self.is_divisible(some);
            self.assume(positive);
            return some;
        }
        let taken = self.amount(portion.amount, env);
        if !matches!(portion.amount.kind, AmountKind::Full) {
            let fine = self.is_amount(taken);
            let fine = self.terms.implies(portion.guard, fine);
            self.assume(fine);
        }
        portion.scaled(self, taken, how.scale)
    }
}
