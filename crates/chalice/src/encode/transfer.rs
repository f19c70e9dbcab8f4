//! Inhale and exhale (paper 3, figure 3): permissions and facts that the thread gets or gives away.
//!
//! Exhale evaluates everything in the state before it; since it does not change the heap, the order of its parts does
//! not matter for values. Inhale goes from left to right; a location of which the thread had no permission gets an
//! arbitrary value first.
//!
//! DIVERGENCE: the paper branches on conditions. Here every part has a guard, so that code stays linear in the contract.

use super::amount::Permission;
use super::pieces::PieceOwner;
use super::sorts::{Place, reference};
use super::state::Env;
use super::{Encoder, Reason};
use crate::hir::{
    Amount, AmountKind, Assertion, AssertionKind, BinaryOp, Expr, ExprKind, Loc, PredicateAccess,
    PredicateId, Type,
};
use logic::{Quantifier, Sort, Term};
use source::Span;

/// How to exhale.
#[derive(Clone, Debug)]
pub(crate) struct Exhale {
    /// The statement that gives something away.
    pub(crate) span: Span,
    /// The code for a formula that is false.
    pub(crate) code: &'static str,
    /// What to say of it.
    pub(crate) failed: String,
    /// Only this part of each amount.
    pub(crate) scale: Option<Term>,
    /// Whether what is given stays with this thread: it is given to a method it calls, or to a round of a loop.
    pub(crate) within_thread: bool,
}

/// How to inhale.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inhale {
    /// Only this part of each amount.
    pub(crate) scale: Option<Term>,
    /// Values come from this snapshot of a predicate.
    pub(crate) from: Option<(PredicateId, Term)>,
    /// Check that every part has a value when it is its turn: the assertion is self-framing.
    pub(crate) checked: bool,
    /// Nobody can have changed the values in the meantime.
    pub(crate) keep_values: bool,
}

impl Exhale {
    pub(crate) fn new(span: Span, code: &'static str, failed: impl Into<String>) -> Self {
        Self { span, code, failed: failed.into(), scale: None, within_thread: false }
    }

    fn lacking(&self, what: &str, declared: Span) -> Reason {
        let text = format!("not enough permission to `{what}` here");
        Reason::new("insufficient-permission", self.span, text).about(declared)
    }
}

impl Encoder<'_> {
    /// Checks all parts and gives their permissions away.
    pub(crate) fn exhale(&mut self, assertions: &[Assertion], env: &Env, how: &Exhale) {
        let yes = self.terms.bool(true);
        assertions.iter().for_each(|assertion| self.exhale_part(assertion, env, yes, how));
    }

    fn exhale_part(&mut self, assertion: &Assertion, env: &Env, guard: Term, how: &Exhale) {
        match &assertion.kind {
            AssertionKind::Pure(expr) => self.exhale_formula(expr, env, guard, how),
            AssertionKind::And(parts) => {
                parts.iter().for_each(|part| self.exhale_part(part, env, guard, how));
            }
            AssertionKind::Implies(premise, conclusion) => {
                let premise = self.value(premise, env);
                let guard = self.terms.and(vec![guard, premise]);
                self.exhale_part(conclusion, env, guard, how);
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                let condition = self.value(condition, env);
                let yes = self.terms.and(vec![guard, condition]);
                let not = self.terms.not(condition);
                let no = self.terms.and(vec![guard, not]);
                self.exhale_part(then, env, yes, how);
                self.exhale_part(otherwise, env, no, how);
            }
            AssertionKind::Access(target, amount) => {
                let receiver = Self::receiver_of(target);
                for (place, owner) in self.owners(target, env) {
                    self.give(guard, place, owner, amount, env, how, receiver.span);
                }
            }
            AssertionKind::Predicate(access) => {
                let receiver = self.value(&access.receiver, env);
                let (fine, reason) = self.not_null(receiver, how.span);
                self.check(guard, fine, &reason.about(access.receiver.span));
                let owner = PieceOwner::One(self.key_of(access, env));
                let place = Place::Predicate(access.predicate);
                self.give(guard, place, owner, &access.amount, env, how, access.span);
            }
            AssertionKind::Credit(channel, count) => {
                let channel = self.value(channel, env);
                let count = self.credit_count(count.as_ref(), env);
                let count = self.terms.neg(count);
                self.add_credits(guard, channel, count);
            }
            AssertionKind::Forall(quantified) => match self.each_of(quantified, env) {
                Some((owner, place, amount)) => {
                    self.give(guard, place, owner, &amount, env, how, assertion.span);
                }
                None => self.unsupported("this quantified permission", assertion.span),
            },
            AssertionKind::Unsupported(what) => self.unsupported(what, assertion.span),
        }
    }

    /// Conjuncts are checked one by one, so that the one that fails has a name.
    fn exhale_formula(&mut self, expr: &Expr, env: &Env, guard: Term, how: &Exhale) {
        if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind {
            self.exhale_formula(left, env, guard, how);
            return self.exhale_formula(right, env, guard, how);
        }
        let holds = self.value(expr, env);
        let reason = Reason::new(how.code, how.span, how.failed.clone()).about(expr.span);
        self.check(guard, holds, &reason);
    }

    #[expect(clippy::too_many_arguments, reason = "one permission: who, what, how much, and why")]
    fn give(
        &mut self,
        guard: Term,
        place: Place,
        owner: PieceOwner,
        amount: &Amount,
        env: &Env,
        how: &Exhale,
        declared: Span,
    ) {
        let PieceOwner::One(key) = owner else {
            return self.give_each(guard, place, owner, amount, env, how, declared);
        };
        if *self.terms.sort(key) == reference() {
            let (fine, reason) = self.not_null(key, how.span);
            self.check(guard, fine, &reason.about(declared));
        }
        let state = self.now.clone();
        let held = self.permission(&state, place, key);
        let name = self.short_place_name(place);
        let reason = how.lacking(&name, declared);
        if matches!(amount.kind, AmountKind::Star) {
            let some = self.is_some(held);
            self.check(guard, some, &reason);
            let given = self.some_of(guard, held);
            let left = self.minus(held, given);
            return self.set_permission(guard, place, key, left);
        }
        let needed = self.checked_amount(guard, amount, env, how.span);
        let needed = self.scaled(needed, how.scale, amount.span);
        let enough = self.at_least(held, needed);
        self.check(guard, enough, &reason);
        let left = self.minus(held, needed);
        self.set_permission(guard, place, key, left);
        if place == Place::Loc(Loc::Mu) && how.within_thread {
            self.position_given_away(guard, key, how.span);
        }
    }

    /// What is called may move a monitor that this thread holds, if it is given all permission to its `mu`.
    ///
    /// DIVERGENCE: paper 3 keeps some permission to `mu` of everything that is held, which its own example A.0 does not
    /// when it enters the loop. Here, as in the tool, all of it may be given away. That is sound, for while a thread
    /// holds a monitor nobody else can move it: `reorder` and `unshare` need it held, `share` needs it unshared. So its
    /// position is known to stay whatever others do, and forgotten only when the thread itself gives all permission to
    /// a method or loop, which is refused if a caller may know the position and was not told (`may_move`).
    fn position_given_away(&mut self, guard: Term, key: Term, span: Span) {
        let place = Place::Loc(Loc::Mu);
        let state = self.now.clone();
        let left = self.permission(&state, place, key);
        let some = self.is_some(left);
        let parts = vec![
            self.terms.select(state.held(), key),
            self.terms.select(state.rd_held(), key),
        ];
        let locked = self.terms.or(parts);
        let none = self.terms.not(some);
        let moved = self.terms.and(vec![guard, locked, none]);
        self.check_may_move(moved, key, span);
        let heap = self.now.heap[&place];
        let anywhere = self.any("position", super::sorts::position());
        let stored = self.terms.store(heap, key, anywhere);
        let stored = self.terms.ite(moved, stored, heap);
        self.assign(self.variable_of(heap), stored);
        self.assume_shared_if_held(guard, key);
    }

    /// A monitor that was held when the method was entered may be moved only if the caller gave permission to its `mu`:
    /// then the caller has none left, or nobody has all of it.
    pub(crate) fn check_may_move(&mut self, guard: Term, key: Term, span: Span) {
        let Some(method) = &self.method else { return };
        let old = method.old.clone();
        let parts =
            vec![self.terms.select(old.held(), key), self.terms.select(old.rd_held(), key)];
        let was_held = self.terms.or(parts);
        let given = self.permission(&old, Place::Loc(Loc::Mu), key);
        let given = self.is_some(given);
        let fine = self.terms.implies(was_held, given);
        let text = "this may move a monitor that the caller holds, and the precondition does not ask for its `mu`";
        self.check(guard, fine, &Reason::new("lock-order", span, text));
    }

    /// The amount, after a check that it is not negative.
    fn checked_amount(&mut self, guard: Term, amount: &Amount, env: &Env, span: Span) -> Permission {
        let needed = self.amount(amount, env);
        if !matches!(amount.kind, AmountKind::Full | AmountKind::Read | AmountKind::ReadOf(_)) {
            let fine = self.is_amount(needed);
            let text = "this amount of permission can be negative";
            let reason = Reason::new("negative-permission", span, text).about(amount.span);
            self.check(guard, fine, &reason);
        }
        needed
    }

    /// Some of what is held, of an amount that nobody knows. Hundredths can always be divided, so some of them stay;
    /// infinitesimals cannot.
    fn some_of(&mut self, guard: Term, held: Permission) -> Permission {
        let given = self.any_permission("some");
        let some = self.is_some(given);
        let zero = self.terms.real(0, 1);
        let divisible = self.terms.lt(zero, held.parts);
        let fits = if self.counts_epsilons {
            let fewer = self.terms.lt(given.parts, held.parts);
            let at_most = self.at_least(held, given);
            self.terms.ite(divisible, fewer, at_most)
        } else {
            self.more_than(held, given)
        };
        let fits = self.terms.and(vec![some, fits]);
        let fits = self.terms.implies(guard, fits);
        self.assume(fits);
        given
    }

    /// `s[*].f`: every element, each once.
    #[expect(clippy::too_many_arguments, reason = "one permission: who, what, how much, and why")]
    fn give_each(
        &mut self,
        guard: Term,
        place: Place,
        owner: PieceOwner,
        amount: &Amount,
        env: &Env,
        how: &Exhale,
        declared: Span,
    ) {
        let PieceOwner::Each(seq) = owner else { return };
        let binder = self.terms.binder("i", Sort::Int);
        let index = self.terms.bound(binder);
        let element = self.seq_at(seq, index);
        let inside = self.in_bounds(seq, index);
        let state = self.now.clone();
        let held = self.permission(&state, place, element);
        if matches!(amount.kind, AmountKind::Star) {
            self.unsupported("`rd*` of the elements of a sequence", amount.span);
        }
        let needed = self.checked_amount(guard, amount, env, how.span);
        let needed = self.scaled(needed, how.scale, amount.span);
        let (fine, _) = self.not_null(element, declared);
        let enough = self.at_least(held, needed);
        let both = self.terms.and(vec![fine, enough]);
        let body = self.terms.implies(inside, both);
        let all = self.terms.quantified(
            Quantifier::Forall,
            vec![binder],
            vec![vec![element]],
            body,
        );
        let reason = how.lacking(&self.short_place_name(place), declared);
        self.check(guard, all, &reason);
        self.change_each(guard, place, seq, needed, true, amount.span);
    }

    /// Every element gets or loses the amount.
    #[expect(clippy::too_many_arguments, reason = "one permission: who, what, how much, and where")]
    fn change_each(
        &mut self,
        guard: Term,
        place: Place,
        seq: Term,
        amount: Permission,
        lose: bool,
        span: Span,
    ) {
        let before = self.now.mask[&place];
        let old = self.pin("before", before.parts);
        let symbol = self.variable_of(before.parts);
        self.emit(gcl::Stmt::Havoc(vec![symbol]));
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (was, is) = (self.terms.select(old, object), self.terms.select(before.parts, object));
        let member = self.seq_contains(seq, object);
        let applies = self.terms.and(vec![guard, member]);
        let changed = if lose {
            self.terms.sub(was, amount.parts)
        } else {
            self.terms.add(vec![was, amount.parts])
        };
        let value = self.terms.ite(applies, changed, was);
        let body = self.terms.eq(is, value);
        let all = self.terms.quantified(
            Quantifier::Forall,
            vec![binder],
            vec![vec![is], vec![was]],
            body,
        );
        self.assume(all);
        if amount.epsilons.is_some_and(|count| !self.is_zero(count)) {
            self.unsupported("infinitesimals of the elements of a sequence", span);
        }
    }

    /// How many credits.
    fn credit_count(&mut self, count: Option<&Expr>, env: &Env) -> Term {
        match count {
            Some(count) => self.value(count, env),
            None => self.terms.int(1),
        }
    }

    /// The thread has so many more credits with the channel.
    pub(crate) fn add_credits(&mut self, guard: Term, channel: Term, count: Term) {
        let credits = self.now.credits();
        let had = self.terms.select(credits, channel);
        let has = self.terms.add(vec![had, count]);
        let changed = self.terms.store(credits, channel, has);
        let changed = self.terms.ite(guard, changed, credits);
        self.assign(self.variable_of(credits), changed);
    }

    /// Assumes all parts and takes their permissions.
    pub(crate) fn inhale(&mut self, assertions: &[Assertion], env: &Env, how: &Inhale) {
        let yes = self.terms.bool(true);
        let mut piece = 0;
        assertions.iter().for_each(|part| self.inhale_part(part, env, yes, how, &mut piece));
    }

    fn inhale_part(
        &mut self,
        assertion: &Assertion,
        env: &Env,
        guard: Term,
        how: &Inhale,
        piece: &mut usize,
    ) {
        match &assertion.kind {
            AssertionKind::Pure(expr) => self.inhale_formula(expr, env, guard, how),
            AssertionKind::And(parts) => {
                parts.iter().for_each(|part| self.inhale_part(part, env, guard, how, piece));
            }
            AssertionKind::Implies(premise, conclusion) => {
                self.when_checked(guard, premise, env, how);
                let premise = self.value(premise, env);
                let guard = self.terms.and(vec![guard, premise]);
                let guard = self.pin("if", guard);
                self.inhale_part(conclusion, env, guard, how, piece);
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                self.when_checked(guard, condition, env, how);
                let condition = self.value(condition, env);
                let condition = self.pin("if", condition);
                let yes = self.terms.and(vec![guard, condition]);
                let not = self.terms.not(condition);
                let no = self.terms.and(vec![guard, not]);
                self.inhale_part(then, env, yes, how, piece);
                self.inhale_part(otherwise, env, no, how, piece);
            }
            AssertionKind::Access(target, amount) => {
                self.when_checked(guard, Self::receiver_of(target), env, how);
                self.amount_when_checked(guard, amount, env, how);
                for (place, owner) in self.owners(target, env) {
                    self.take(guard, place, owner, amount, env, how, piece);
                }
            }
            AssertionKind::Predicate(access) => {
                self.predicate_when_checked(guard, access, env, how);
                let receiver = self.value(&access.receiver, env);
                self.assume_not_null(guard, receiver);
                let owner = PieceOwner::One(self.key_of(access, env));
                let place = Place::Predicate(access.predicate);
                self.take(guard, place, owner, &access.amount, env, how, piece);
            }
            AssertionKind::Credit(channel, count) => {
                self.when_checked(guard, channel, env, how);
                count.iter().for_each(|count| self.when_checked(guard, count, env, how));
                let channel = self.value(channel, env);
                self.assume_not_null(guard, channel);
                let count = self.credit_count(count.as_ref(), env);
                self.add_credits(guard, channel, count);
            }
            AssertionKind::Forall(quantified) => match self.each_of(quantified, env) {
                Some((owner, place, amount)) => {
                    let range = quantified.range.as_ref();
                    range.iter().for_each(|range| self.when_checked(guard, range, env, how));
                    self.take(guard, place, owner, &amount, env, how, piece);
                }
                None => self.unsupported("this quantified permission", assertion.span),
            },
            AssertionKind::Unsupported(what) => self.unsupported(what, assertion.span),
        }
    }

    fn inhale_formula(&mut self, expr: &Expr, env: &Env, guard: Term, how: &Inhale) {
        if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind {
            self.inhale_formula(left, env, guard, how);
            return self.inhale_formula(right, env, guard, how);
        }
        self.when_checked(guard, expr, env, how);
        let fact = self.value(expr, env);
        let fact = self.terms.implies(guard, fact);
        self.assume(fact);
    }

    fn when_checked(&mut self, guard: Term, expr: &Expr, env: &Env, how: &Inhale) {
        if how.checked {
            self.check_defined(guard, expr, env);
        }
    }

    fn amount_when_checked(&mut self, guard: Term, amount: &Amount, env: &Env, how: &Inhale) {
        if how.checked {
            let mut conditions = Vec::new();
            self.amount_defined(amount, env, &mut conditions);
            self.check_all(guard, conditions);
        }
    }

    fn predicate_when_checked(
        &mut self,
        guard: Term,
        access: &PredicateAccess,
        env: &Env,
        how: &Inhale,
    ) {
        self.when_checked(guard, &access.receiver, env, how);
        access.args.iter().for_each(|arg| self.when_checked(guard, arg, env, how));
        self.amount_when_checked(guard, &access.amount, env, how);
    }

    pub(crate) fn assume_not_null(&mut self, guard: Term, object: Term) {
        let null = self.null();
        let is_null = self.terms.eq(object, null);
        let fine = self.terms.not(is_null);
        let fine = self.terms.implies(guard, fine);
        self.assume(fine);
    }

    #[expect(clippy::too_many_arguments, reason = "one permission: who, what, how much, and whence")]
    fn take(
        &mut self,
        guard: Term,
        place: Place,
        owner: PieceOwner,
        amount: &Amount,
        env: &Env,
        how: &Inhale,
        piece: &mut usize,
    ) {
        let index = *piece;
        *piece += 1;
        let PieceOwner::One(key) = owner else {
            return self.take_each(guard, place, owner, amount, env, how, index);
        };
        if *self.terms.sort(key) == reference() {
            self.assume_not_null(guard, key);
        }
        let taken = self.assumed_amount(guard, amount, env);
        let taken = self.scaled(taken, how.scale, amount.span);
        let state = self.now.clone();
        let held = self.permission(&state, place, key);
        let mut had = self.is_some(held);
        if place == Place::Loc(Loc::Mu) {
            // Nobody else moves a monitor that this thread holds.
            let parts = vec![
                had,
                self.terms.select(state.held(), key),
                self.terms.select(state.rd_held(), key),
            ];
            had = self.terms.or(parts);
        }
        let heap = self.now.heap[&place];
        let value = match how.from {
            Some((predicate, snapshot)) => {
                let sort = self.place_sort(place);
                let value = self.projection(predicate, index, snapshot, sort);
                let now = self.terms.select(heap, key);
                let same = self.terms.eq(now, value);
                let known = self.terms.and(vec![guard, had]);
                let same = self.terms.implies(known, same);
                self.assume(same);
                self.assume_less_deep(guard, place, snapshot, value);
                Some(value)
            }
            None if how.keep_values => None,
            None => {
                let sort = self.place_sort(place);
                Some(self.any("value", sort))
            }
        };
        if let Some(value) = value {
            let had_none = self.terms.not(had);
            let changed = self.terms.and(vec![guard, had_none]);
            let stored = self.terms.store(heap, key, value);
            let stored = self.terms.ite(changed, stored, heap);
            self.assign(self.variable_of(heap), stored);
        }
        let total = self.plus(held, taken);
        self.set_permission(guard, place, key, total);
        let (full, now) = (self.full(), self.now.clone());
        let total = self.permission(&now, place, key);
        let fits = self.at_least(full, total);
        let fits = self.terms.implies(guard, fits);
        self.assume(fits);
        self.assume_typed(guard, place, key);
        if place == Place::Loc(Loc::Mu) {
            self.assume_shared_if_held(guard, key);
        }
    }

    /// A monitor that is held is shared: only whoever holds it can unshare it.
    fn assume_shared_if_held(&mut self, guard: Term, key: Term) {
        let state = self.now.clone();
        let position = self.read(&state, Place::Loc(Loc::Mu), key);
        let bottom = self.lock_bottom();
        let shared = self.below(bottom, position);
        let parts = vec![
            guard,
            self.terms.select(state.held(), key),
            self.terms.not(shared),
        ];
        let wrong = self.terms.and(parts);
        let fine = self.terms.not(wrong);
        self.assume(fine);
        let parts = vec![
            guard,
            self.terms.select(state.rd_held(), key),
            self.terms.not(shared),
        ];
        let wrong = self.terms.and(parts);
        let fine = self.terms.not(wrong);
        self.assume(fine);
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

    /// What is true of every value that a place can hold.
    pub(crate) fn assume_typed(&mut self, guard: Term, place: Place, key: Term) {
        if let Some(ty) = self.type_of_place(place) {
            let state = self.now.clone();
            let value = self.read(&state, place, key);
            if let Some(fact) = self.fact_of_value(value, &ty) {
                let fact = self.terms.implies(guard, fact);
                self.assume(fact);
            }
        }
    }

    fn type_of_place(&self, place: Place) -> Option<Type> {
        match place {
            Place::Loc(Loc::Field(id)) => Some(self.program.fields[id.index()].ty.clone()),
            _ => None,
        }
    }

    /// The amount, known not to be negative: whoever gave it away checked that.
    fn assumed_amount(&mut self, guard: Term, amount: &Amount, env: &Env) -> Permission {
        if matches!(amount.kind, AmountKind::Star) {
            let some = self.any_permission("some");
            let positive = self.is_some(some);
            self.assume(positive);
            return some;
        }
        let taken = self.amount(amount, env);
        if !matches!(amount.kind, AmountKind::Full) {
            let fine = self.is_amount(taken);
            let fine = self.terms.implies(guard, fine);
            self.assume(fine);
        }
        taken
    }

    #[expect(clippy::too_many_arguments, reason = "one permission: who, what, how much, and whence")]
    fn take_each(
        &mut self,
        guard: Term,
        place: Place,
        owner: PieceOwner,
        amount: &Amount,
        env: &Env,
        how: &Inhale,
        index: usize,
    ) {
        let PieceOwner::Each(seq) = owner else { return };
        let taken = self.assumed_amount(guard, amount, env);
        let taken = self.scaled(taken, how.scale, amount.span);
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let mask = self.now.mask[&place];
        let old_mask = self.pin("before", mask.parts);
        let heap = self.now.heap[&place];
        if !how.keep_values {
            let old = self.pin("before", heap);
            let symbol = self.variable_of(heap);
            self.emit(gcl::Stmt::Havoc(vec![symbol]));
            let (was, is) = (self.terms.select(old, object), self.terms.select(heap, object));
            let member = self.seq_contains(seq, object);
            let applies = self.terms.and(vec![guard, member]);
            let held = self.terms.select(old_mask, object);
            let zero = self.terms.real(0, 1);
            let none = self.terms.le(held, zero);
            let changed = self.terms.and(vec![applies, none]);
            let same = self.terms.eq(was, is);
            let body = self.terms.or(vec![changed, same]);
            let triggers = vec![vec![is], vec![was]];
            let all =
                self.terms.quantified(Quantifier::Forall, vec![binder], triggers.clone(), body);
            self.assume(all);
            if let Some((predicate, snapshot)) = how.from {
                let sort = self.terms.sort(heap).clone();
                let values = self.projection(predicate, index, snapshot, sort);
                let value = self.terms.select(values, object);
                let same = self.terms.eq(is, value);
                let body = self.terms.implies(applies, same);
                let triggers = vec![vec![is], vec![value]];
                let all =
                    self.terms.quantified(Quantifier::Forall, vec![binder], triggers, body);
                self.assume(all);
            }
        }
        let (null, i) = (self.null(), self.terms.binder("i", Sort::Int));
        let at = self.terms.bound(i);
        let element = self.seq_at(seq, at);
        let is_null = self.terms.eq(element, null);
        let (fine, inside) = (self.terms.not(is_null), self.in_bounds(seq, at));
        let premise = self.terms.and(vec![guard, inside]);
        let body = self.terms.implies(premise, fine);
        let all = self.terms.quantified(Quantifier::Forall, vec![i], vec![vec![element]], body);
        self.assume(all);
        self.change_each(guard, place, seq, taken, false, amount.span);
    }
}
