//! Exhale (paper 3, figure 3): checks an assertion and gives its permissions away.
//!
//! All parts are evaluated in the state before; since the heap does not change, their order does
//! not matter for values.
//!
//! DIVERGENCE: the paper branches on conditions. Here every part has a guard, so that code stays
//! linear in the contract.

use super::amount::Permission;
use super::parts::{Part, Portion};
use super::pieces::PieceOwner;
use super::sorts::{Place, position, reference};
use super::state::Env;
use super::{Encoder, MarkKind, Reason, Shown};
use crate::hir::{AmountKind, Assertion, AssertionKind, Loc};
use diagnostic::Code;
use logic::{Sort, Term};
use source::Span;

const MU: Place = Place::Loc(Loc::Mu);

/// How to exhale.
#[derive(Clone, Debug)]
pub(crate) struct Exhale {
    /// The statement that gives something away.
    pub(crate) span: Span,
    /// The code for a formula that is false.
    pub(crate) code: Code,
    /// The message about it.
    pub(crate) failed: String,
    /// Only this part of each amount.
    pub(crate) scale: Option<Term>,
    /// Whether the permissions stay with this thread: a method that it calls, or a round of a loop,
    /// gets them.
    pub(crate) within_thread: bool,
    /// Whether a debt may be given away: to a thread, which must pay it, but to no monitor, message
    /// or predicate.
    pub(crate) may_owe: bool,
}

impl Exhale {
    pub(crate) fn new(span: Span, code: Code, failed: impl Into<String>) -> Self {
        let failed = failed.into();
        Self { span, code, failed, scale: None, within_thread: false, may_owe: false }
    }

    /// Not enough permission.
    pub(crate) fn lacking(&self, what: &str, declared: Span) -> Reason {
        let text = format!("not enough permission to `{what}` here");
        Reason::new(Code::InsufficientPermission, self.span, text).about(declared)
    }
}

impl Encoder<'_> {
    /// Checks all parts and gives their permissions away.
    pub(crate) fn exhale(&mut self, assertions: &[Assertion], env: &Env, how: &Exhale) {
        self.mark(MarkKind::Giving, None, "");
        for (guard, part) in self.parts_of(assertions, env) {
            match part {
                Part::Condition(_) => {}
                Part::Formula(expr) => {
                    let holds = self.value(expr, env);
                    let reason = Reason::new(how.code, how.span, how.failed.clone());
                    self.check(guard, holds, &reason.about(expr.span));
                }
                Part::Other(assertion) => self.exhale_other(guard, assertion, env, how),
            }
        }
        self.mark(MarkKind::Given, None, "");
    }

    fn exhale_other(&mut self, guard: Term, assertion: &Assertion, env: &Env, how: &Exhale) {
        match &assertion.kind {
            AssertionKind::Predicate(access) => {
                let receiver = self.value(&access.receiver, env);
                let (fine, reason) = self.not_null(receiver, how.span);
                self.check(guard, fine, &reason.about(access.receiver.span));
            }
            AssertionKind::Credit(channel, count) => {
                if how.scale.is_some() {
                    self.unsupported("a part of a credit", assertion.span);
                }
                let place = channel.span;
                let channel = self.value(channel, env);
                let (fine, reason) = self.not_null(channel, how.span);
                self.check(guard, fine, &reason.about(place));
                let counted = count.as_ref().filter(|_| !how.may_owe);
                let count = self.credit_count(count.as_ref(), env);
                if let Some(counted) = counted {
                    let zero = self.terms.int(0);
                    let fine = self.terms.le(zero, count);
                    let text = "a debt would be left where nobody need pay it";
                    let reason = Reason::new(Code::MessageOwed, how.span, text).about(counted.span);
                    self.check(guard, fine, &reason);
                }
                let count = self.terms.neg(count);
                self.add_credits(guard, channel, count);
            }
            _ => {}
        }
        for portion in self.portions(guard, assertion, env) {
            self.give(&portion, env, how);
        }
    }

    fn give(&mut self, portion: &Portion<'_>, env: &Env, how: &Exhale) {
        let (guard, place) = (portion.guard, portion.place);
        let PieceOwner::One(key) = portion.owner else {
            return self.give_each(portion, env, how);
        };
        if *self.terms.sort(key) == reference() {
            let (fine, reason) = self.not_null(key, how.span);
            self.check(guard, fine, &reason.about(portion.span));
        }
        let state = self.now.clone();
        let held = self.permission(&state, place, key);
        let reason = how.lacking(&self.short_place_name(place), portion.span);
        let given = if matches!(portion.amount.kind, AmountKind::Star) {
            let some = self.is_divisible(held);
            self.check(guard, some, &reason);
            self.some_of(guard, held)
        } else {
            let needed = self.checked_amount(portion, env, how);
            let enough = self.shown_enough(held, needed);
            self.check(guard, enough, &reason);
            needed
        };
        let left = self.minus(held, given);
        self.set_permission(guard, place, key, left);
        if place == MU && how.within_thread {
            self.position_given_away(guard, key, how.span);
        }
    }

    /// Whether there is enough; both amounts are shown if there is not.
    fn shown_enough(&mut self, held: Permission, needed: Permission) -> Term {
        if self.counts_epsilons {
            return self.at_least(held, needed);
        }
        let amounts = [("had", held, Shown::Had), ("needed", needed, Shown::Needed)];
        let [held, needed] = amounts.map(|(name, amount, shown)| {
            let symbol = self.terms.symbol(name, Sort::Real);
            self.variables.insert(symbol);
            self.shown.insert(symbol, shown);
            self.assign(symbol, amount.parts);
            self.terms.constant(symbol)
        });
        self.terms.le(needed, held)
    }

    /// The amount, after a check that it is not negative.
    pub(crate) fn checked_amount(
        &mut self,
        portion: &Portion<'_>,
        env: &Env,
        how: &Exhale,
    ) -> Permission {
        let amount = portion.amount;
        let needed = self.amount(amount, env);
        if !matches!(amount.kind, AmountKind::Full | AmountKind::Read | AmountKind::ReadOf(_)) {
            let fine = self.is_amount(needed);
            let text = "this amount of permission can be negative";
            let reason = Reason::new(Code::NegativePermission, how.span, text).about(amount.span);
            self.check(portion.guard, fine, &reason);
        }
        portion.scaled(self, needed, how.scale)
    }

    /// An unknown part of what the thread holds. Hundredths can always be divided, so some of them
    /// stay.
    fn some_of(&mut self, guard: Term, held: Permission) -> Permission {
        let given = self.some_part();
        let some = self.is_divisible(given);
        let fewer = self.terms.lt(given.parts, held.parts);
        let fits = self.terms.and(vec![some, fewer]);
        let fits = self.terms.implies(guard, fits);
        self.assume(fits);
        given
    }

    /// The called method may move a monitor that this thread holds, if it gets all permission to
    /// its `mu`.
    ///
    /// DIVERGENCE: paper 3 keeps some permission to `mu` of every held monitor, which its own
    /// example A.0 does not do when it enters the loop. Here, as in the tool, a thread may give all
    /// of it away. That is sound, because while a thread holds a monitor nobody else can move it:
    /// `reorder` and `unshare` need it held, `share` needs it unshared. So its position is known to
    /// stay whatever others do. The position is forgotten only when the thread itself gives all
    /// permission to a method or loop, which is refused if a caller may know the position and its
    /// contract does not say that it may change (`check_may_move`).
    fn position_given_away(&mut self, guard: Term, key: Term, span: Span) {
        let state = self.now.clone();
        let left = self.permission(&state, MU, key);
        let some = self.is_some(left);
        let (locked, none) = (self.locked(key), self.terms.not(some));
        let moved = self.terms.and(vec![guard, locked, none]);
        self.check_may_move(moved, key, span);
        let heap = self.now.heap[&MU];
        let anywhere = self.any("position", position());
        let stored = self.terms.store(heap, key, anywhere);
        let stored = self.terms.ite(moved, stored, heap);
        self.assign(self.variable_of(heap), stored);
        self.assume_shared_if_held(guard, key);
    }

    /// Whether the object's monitor is held, for reading or writing.
    pub(crate) fn locked(&mut self, key: Term) -> Term {
        let parts = vec![
            self.terms.select(self.now.held(), key),
            self.terms.select(self.now.rd_held(), key),
        ];
        self.terms.or(parts)
    }

    /// A monitor that was held when the method was entered may be moved only if the caller gave
    /// permission to its `mu`: then the caller has none left, or nobody has all of it.
    pub(crate) fn check_may_move(&mut self, guard: Term, key: Term, span: Span) {
        let Some(method) = &self.method else { return };
        let old = method.old.clone();
        let parts = vec![self.terms.select(old.held(), key), self.terms.select(old.rd_held(), key)];
        let was_held = self.terms.or(parts);
        let given = self.permission(&old, MU, key);
        let given = self.is_some(given);
        let fine = self.terms.implies(was_held, given);
        let text = "this may move a monitor that the caller holds, and the precondition does not ask for its `mu`";
        let help = "an object that is not shared is not held: say `mu == lockbottom` where the permission to its `mu` comes from";
        self.check(guard, fine, &Reason::new(Code::LockOrder, span, text).help(help));
    }

    /// Gives the thread this number of credits more with the channel.
    pub(crate) fn add_credits(&mut self, guard: Term, channel: Term, count: Term) {
        let credits = self.now.credits();
        let had = self.terms.select(credits, channel);
        let has = self.terms.add(vec![had, count]);
        let changed = self.terms.store(credits, channel, has);
        let changed = self.terms.ite(guard, changed, credits);
        self.assign(self.variable_of(credits), changed);
    }
}
