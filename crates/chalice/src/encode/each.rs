//! `s[*].f`: permission to a location of every element of a sequence, of each object once.

use super::Encoder;
use super::amount::Permission;
use super::exhale::Exhale;
use super::inhale::Inhale;
use super::parts::Portion;
use super::pieces::PieceOwner;
use super::sorts::{Place, reference};
use super::state::Env;
use crate::hir::{AmountKind, Loc};
use logic::{Quantifier, Sort, Term};

/// How the permission to each element changes.
#[derive(Clone, Copy)]
enum EachAmount {
    /// Every element gets this amount more.
    Same(Permission),
    /// Each element gets the amount in the map more.
    More(Term),
    /// Each element has the amount in the map.
    Is(Term),
}

impl Encoder<'_> {
    /// Checks that the thread has enough of each, and gives it away.
    pub(crate) fn give_each(&mut self, portion: &Portion<'_>, env: &Env, how: &Exhale) {
        let PieceOwner::Each(seq) = portion.owner else { return };
        if portion.place == Place::Loc(Loc::Mu) && how.within_thread {
            self.unsupported("giving away `mu` of the elements of a sequence", portion.span);
        }
        let binder = self.terms.binder("i", Sort::Int);
        let index = self.terms.bound(binder);
        let (element, inside) = (self.seq_at(seq, index), self.in_bounds(seq, index));
        let state = self.now.clone();
        let held = self.permission(&state, portion.place, element);
        let star = matches!(portion.amount.kind, AmountKind::Star);
        let needed = (!star).then(|| self.checked_amount(portion, env, how));
        let (fine, _) = self.not_null(element, portion.span);
        let enough = match needed {
            Some(needed) => self.at_least(held, needed),
            None => self.is_divisible(held),
        };
        let both = self.terms.and(vec![fine, enough]);
        let body = self.terms.implies(inside, both);
        let trigger = vec![vec![element]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], trigger, body);
        let reason = how.lacking(&self.short_place_name(portion.place), portion.span);
        self.check(portion.guard, all, &reason);
        match needed {
            Some(needed) => {
                let lost = Permission { parts: self.terms.neg(needed.parts), ..needed };
                self.change_each(portion, seq, EachAmount::Same(lost));
            }
            None => {
                let left = self.some_of_each(seq, Some(portion.place));
                self.change_each(portion, seq, EachAmount::Is(left));
            }
        }
    }

    /// An unknown, positive permission for each element: less than the thread has of the place, if
    /// one is given.
    fn some_of_each(&mut self, seq: Term, of: Option<Place>) -> Term {
        let some = self.any("some", Sort::array(reference(), Sort::Real));
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (amount, zero) = (self.terms.select(some, object), self.terms.real(0, 1));
        let mut parts = vec![self.terms.lt(zero, amount)];
        if let Some(place) = of {
            let held = self.terms.select(self.now.mask[&place].parts, object);
            parts.push(self.terms.lt(amount, held));
        }
        let fine = self.terms.and(parts);
        let inside = self.seq_contains(seq, object);
        let body = self.terms.implies(inside, fine);
        let trigger = vec![vec![amount]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], trigger, body);
        self.assume(all);
        some
    }

    /// Takes permission to each element. Elements to which the thread had none get arbitrary
    /// values, or those of the snapshot.
    pub(crate) fn take_each(
        &mut self,
        portion: &Portion<'_>,
        env: &Env,
        how: &Inhale,
        index: usize,
    ) {
        let PieceOwner::Each(seq) = portion.owner else { return };
        let star = matches!(portion.amount.kind, AmountKind::Star);
        let taken = if star {
            EachAmount::More(self.some_of_each(seq, None))
        } else {
            EachAmount::Same(self.assumed_amount(portion, env, how))
        };
        if self.volatile_class(portion.place).is_some_and(|class| self.has_many_volatile(class)) {
            // Their values would be those of now, and those of the other volatile fields those of
            // before.
            let what = "a volatile field of the elements of a sequence, beside others";
            self.unsupported(what, portion.span);
        }
        if !how.keep_values {
            let guard = self.if_some(portion, env);
            self.take_values(&Portion { guard, ..*portion }, seq, how, index);
        }
        let binder = self.terms.binder("i", Sort::Int);
        let at = self.terms.bound(binder);
        let (element, inside) = (self.seq_at(seq, at), self.in_bounds(seq, at));
        let (fine, _) = self.not_null(element, portion.span);
        let premise = self.terms.and(vec![portion.guard, inside]);
        let body = self.terms.implies(premise, fine);
        let trigger = vec![vec![element]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], trigger, body);
        self.assume(all);
        if portion.place == Place::Loc(Loc::Mu) && self.looks_back {
            // Another thread may have unshared some of them; see `forget_last_seen`.
            let seen = self.moments("seen");
            self.emit(gcl::Stmt::Havoc(vec![seen]));
        }
        self.change_each(portion, seq, taken);
        if !how.read_only {
            self.assume_nobody_has_more_than_all(portion.place);
        }
    }

    fn assume_nobody_has_more_than_all(&mut self, place: Place) {
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (state, full) = (self.now.clone(), self.full());
        let held = self.permission(&state, place, object);
        let fits = self.at_least(full, held);
        let trigger = vec![vec![held.parts]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], trigger, fits);
        self.assume(all);
    }

    fn take_values(&mut self, portion: &Portion<'_>, seq: Term, how: &Inhale, index: usize) {
        let heap = self.now.heap[&portion.place];
        let mask = self.now.mask[&portion.place].parts;
        let (old, old_mask) = (self.pin("before", heap), self.pin("before", mask));
        let symbol = self.variable_of(heap);
        self.emit(gcl::Stmt::Havoc(vec![symbol]));
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (was, is) = (self.terms.select(old, object), self.terms.select(heap, object));
        let member = self.seq_contains(seq, object);
        let applies = self.terms.and(vec![portion.guard, member]);
        let (held, zero) = (self.terms.select(old_mask, object), self.terms.real(0, 1));
        let none = self.terms.le(held, zero);
        let changed = self.terms.and(vec![applies, none]);
        let same = self.terms.eq(was, is);
        let body = self.terms.or(vec![changed, same]);
        let triggers = vec![vec![is], vec![was]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers, body);
        self.assume(all);
        if let Some((predicate, snapshot)) = how.from {
            let sort = self.terms.sort(heap).clone();
            let values = self.projection(predicate, index, snapshot, sort);
            let value = self.terms.select(values, object);
            let same = self.terms.eq(is, value);
            let body = self.terms.implies(applies, same);
            let triggers = vec![vec![is], vec![value]];
            let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers, body);
            self.assume(all);
        }
    }

    /// Changes the permission to every element.
    fn change_each(&mut self, portion: &Portion<'_>, seq: Term, amount: EachAmount) {
        let counted = match amount {
            EachAmount::Same(amount) => amount.epsilons.is_some_and(|count| !self.is_zero(count)),
            EachAmount::More(_) | EachAmount::Is(_) => false,
        };
        if counted {
            self.unsupported("infinitesimals of the elements of a sequence", portion.amount.span);
        }
        let mask = self.now.mask[&portion.place].parts;
        let old = self.pin("before", mask);
        let symbol = self.variable_of(mask);
        self.emit(gcl::Stmt::Havoc(vec![symbol]));
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (was, is) = (self.terms.select(old, object), self.terms.select(mask, object));
        let member = self.seq_contains(seq, object);
        let applies = self.terms.and(vec![portion.guard, member]);
        let changed = match amount {
            EachAmount::Same(amount) => self.terms.add(vec![was, amount.parts]),
            EachAmount::More(map) => {
                let more = self.terms.select(map, object);
                self.terms.add(vec![was, more])
            }
            EachAmount::Is(map) => self.terms.select(map, object),
        };
        let value = self.terms.ite(applies, changed, was);
        let body = self.terms.eq(is, value);
        let triggers = vec![vec![is], vec![was]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers, body);
        self.assume(all);
    }
}
