//! Monitors (paper 3, section 4, "Acquiring and releasing monitors", "Sharing and unsharing").

use super::amount::Reader;
use super::exhale::Exhale;
use super::inhale::Inhale;
use super::sorts::{Place, reference};
use super::state::{Env, State};
use super::{Encoder, Reason};
use crate::hir::{Bounds, ClassId, ConditionId, Expr, ExprKind, Loc, Type};
use diagnostic::Code;
use logic::{Sort, Term};
use source::Span;
use std::collections::BTreeMap;

const MU: Place = Place::Loc(Loc::Mu);

impl Encoder<'_> {
    /// The meaning of the names in a class's monitor invariant.
    pub(crate) fn monitor_env(&mut self, this: Term, state: State, old: State) -> Env {
        Env {
            state,
            old: Some(Box::new(old)),
            this: Some(this),
            locals: BTreeMap::new(),
            result: None,
            read: Some(self.read_part(Reader::Monitor)),
            limited: false,
            unframed: false,
        }
    }

    /// The object of a statement about monitors: fixed, not null, with its class.
    fn monitor(&mut self, object: &Expr, span: Span) -> Option<(Term, ClassId)> {
        let term = self.code_value(object);
        let term = self.pin("monitor", term);
        let yes = self.terms.bool(true);
        let (fine, reason) = self.not_null(term, object.span);
        self.check(yes, fine, &reason);
        if let Type::Object(class) = object.ty {
            Some((term, class))
        } else {
            self.unsupported("a monitor that is no object", span);
            None
        }
    }

    fn exhale_invariant(&mut self, object: Term, class: ClassId, old: State, how: &Exhale) {
        let program = self.program;
        let info = &program.classes[class.index()];
        let state = self.save("monitor");
        let env = self.monitor_env(object, state, old);
        let saved = std::mem::replace(&mut self.locals, &info.locals);
        self.exhale(&info.invariants, &env, how);
        self.locals = saved;
    }

    fn inhale_invariant(&mut self, object: Term, class: ClassId, how: &Inhale) {
        let program = self.program;
        let info = &program.classes[class.index()];
        // A relation that holds between the state last seen and any later one holds between it and
        // this one: the invariant is reflexive and transitive. A monitor that was never seen was
        // last seen in some state.
        let moment = self.seen_at(object);
        let old = self.heap_at(moment);
        let env = self.monitor_env(object, self.now.clone(), old);
        let saved = std::mem::replace(&mut self.locals, &info.locals);
        self.inhale(&info.invariants, &env, how);
        self.locals = saved;
    }

    /// Remembers the present heap as that of the last acquire or release of the object.
    fn remember(&mut self, which: &str, object: Term) {
        if !self.looks_back {
            return;
        }
        let moment = self.moment(which);
        let maps = if which == "released" { vec![which, "seen"] } else { vec![which] };
        for which in maps {
            let symbol = self.moments(which);
            let map = self.terms.constant(symbol);
            let changed = self.terms.store(map, object, moment);
            self.assign(symbol, changed);
        }
    }

    /// The method releases a monitor that the caller holds. The caller must know, even if the
    /// method acquires it again: in the meantime another thread may have moved it in the order, and
    /// a two-state invariant refers to another old state.
    pub(crate) fn check_caller_knows(&mut self, object: Term, span: Span) {
        let Some(method) = self.method.clone() else { return };
        let env = self.here().in_old();
        let allowed: Vec<Term> =
            method.lockchange.iter().map(|expr| self.value(expr, &env)).collect();
        let parts = vec![
            self.terms.select(method.old.held(), object),
            self.terms.select(method.old.rd_held(), object),
        ];
        let was_held = self.terms.or(parts);
        let named: Vec<Term> =
            allowed.into_iter().map(|term| self.terms.eq(term, object)).collect();
        let named = self.terms.or(named);
        let text =
            "this releases a monitor that the caller holds, and `lockchange` does not name it";
        self.check(was_held, named, &Reason::new(Code::LockchangeViolated, span, text));
    }

    fn set_held(&mut self, map: Term, object: Term, held: bool) {
        let value = self.terms.bool(held);
        let changed = self.terms.store(map, object, value);
        self.assign(self.variable_of(map), changed);
    }

    /// A thread may wait for a monitor or channel that it may read and that is above everything it
    /// holds or owes.
    pub(crate) fn check_may_wait(&mut self, object: Term, span: Span, what: &str) {
        let yes = self.terms.bool(true);
        let state = self.now.clone();
        let held = self.permission(&state, MU, object);
        let some = self.is_some(held);
        let text = format!("{what} needs permission to read its `mu`");
        self.check(yes, some, &Reason::new(Code::InsufficientPermission, span, text));
        let position = self.read(&state, MU, object);
        let above = self.above_wait_level(&state, position);
        let text = format!("{what} may deadlock: it need not be above everything that is held");
        let help =
            "`waitlevel << o` must be known: from a precondition, or from how `o` was shared";
        self.check(yes, above, &Reason::new(Code::LockOrder, span, text).help(help));
    }

    /// `acquire o`: `assert CanRead(o.mu) && maxlock << o.mu; inhale J(o); held(o) := true`.
    pub(crate) fn acquire(&mut self, object: &Expr, span: Span) {
        let Some((term, class)) = self.monitor(object, span) else { return };
        self.check_may_wait(term, span, "acquiring this monitor");
        self.set_held(self.now.held(), term, true);
        self.time_passes();
        self.inhale_invariant(term, class, &Inhale::default());
        self.remember("acquired", term);
        self.cover_after(span);
    }

    fn check_held(&mut self, object: Term, span: Span, what: &str) {
        let yes = self.terms.bool(true);
        let held = self.terms.select(self.now.held(), object);
        let text = format!("{what}, but its monitor may not be held");
        self.check(yes, held, &Reason::new(Code::MonitorNotHeld, span, text));
    }

    /// `release o`: `assert held(o); exhale J(o); held(o) := false`.
    pub(crate) fn release(&mut self, object: &Expr, span: Span) {
        let Some((term, class)) = self.monitor(object, span) else { return };
        self.check_held(term, span, "this is released");
        self.check_caller_knows(term, span);
        let moment = self.acquired_at(term);
        let old = self.heap_at(moment);
        let text = "the monitor invariant need not hold when the monitor is released";
        let how = Exhale::new(span, Code::MonitorInvariantFailed, text);
        self.exhale_invariant(term, class, old, &how);
        self.set_held(self.now.held(), term, false);
        self.remember("released", term);
    }

    /// Checks that the bounds of a position can be read; null is no bound.
    pub(crate) fn check_bound(&mut self, bound: &Expr, env: &Env) {
        if matches!(bound.kind, ExprKind::WaitLevel) {
            return;
        }
        let value = self.checked_value(bound, env);
        if *self.terms.sort(value) == reference() {
            let null = self.null();
            let none = self.terms.eq(value, null);
            let exists = self.terms.not(none);
            let held = self.permission(&env.state, MU, value);
            let some = self.is_some(held);
            let text = "no permission to read `mu` of this bound";
            let reason = Reason::new(Code::InsufficientPermission, bound.span, text);
            self.check(exists, some, &reason);
        }
    }

    fn check_bounds(&mut self, bounds: &Bounds, env: &Env) {
        bounds.above.iter().chain(&bounds.below).for_each(|bound| self.check_bound(bound, env));
    }

    fn check_writes_mu(&mut self, object: Term, span: Span) {
        let yes = self.terms.bool(true);
        let state = self.now.clone();
        let held = self.permission(&state, MU, object);
        let full = self.is_full(held);
        let text = "full permission to `mu` is needed here";
        self.check(yes, full, &Reason::new(Code::InsufficientPermission, span, text));
    }

    fn set_position(&mut self, object: Term, position: Term) {
        let heap = self.now.heap[&MU];
        let changed = self.terms.store(heap, object, position);
        self.assign(self.variable_of(heap), changed);
    }

    /// `share o between ..`: `assert CanWrite(o.mu) && o.mu == lockbottom`, chooses a position,
    /// `exhale J(o)`.
    ///
    /// DIVERGENCE: paper 3 has a field `shared`; as in the tool, an object is shared if its
    /// position is above bottom.
    pub(crate) fn share(&mut self, object: &Expr, bounds: &Bounds, span: Span) {
        let Some((term, class)) = self.monitor(object, span) else { return };
        let env = self.here();
        self.check_bounds(bounds, &env);
        self.check_writes_mu(term, span);
        let yes = self.terms.bool(true);
        let state = self.now.clone();
        let (position, bottom) = (self.read(&state, MU, term), self.lock_bottom());
        let unshared = self.terms.eq(position, bottom);
        let text = "this object may be shared already";
        self.check(yes, unshared, &Reason::new(Code::AlreadyShared, span, text));
        // A held monitor is shared, so this one is not held.
        for map in [state.held(), state.rd_held()] {
            let held = self.terms.select(map, term);
            let free = self.terms.not(held);
            self.assume(free);
        }
        let chosen = self.choose_position(bounds, &env, span);
        self.set_position(term, chosen);
        let now = self.save("shared");
        let text = "the monitor invariant need not hold when the object is shared";
        let how = Exhale::new(span, Code::MonitorInvariantFailed, text);
        self.exhale_invariant(term, class, now, &how);
        self.remember("released", term);
    }

    /// `unshare o`: needs it held (hence shared) and full permission to `mu`; then the object
    /// belongs to this thread again.
    pub(crate) fn unshare(&mut self, object: &Expr, span: Span) {
        let Some((term, _)) = self.monitor(object, span) else { return };
        self.check_held(term, span, "this is unshared");
        self.check_caller_knows(term, span);
        self.check_writes_mu(term, span);
        let yes = self.terms.bool(true);
        self.check_may_move(yes, term, span);
        let bottom = self.lock_bottom();
        self.set_position(term, bottom);
        self.set_held(self.now.held(), term, false);
    }

    /// `reorder o between ..` (the paper's `install`): needs it held, full permission to `mu`, and
    /// bounds in order.
    pub(crate) fn reorder(&mut self, object: &Expr, bounds: &Bounds, span: Span) {
        let Some((term, _)) = self.monitor(object, span) else { return };
        let env = self.here();
        self.check_bounds(bounds, &env);
        self.check_held(term, span, "this is moved in the locking order");
        self.check_writes_mu(term, span);
        let yes = self.terms.bool(true);
        self.check_may_move(yes, term, span);
        let chosen = self.choose_position(bounds, &env, span);
        self.set_position(term, chosen);
    }

    /// The part of the monitor's permissions that a reader of the object has.
    fn reader_part(&mut self, object: Term) -> Term {
        let symbol = self.reader_parts();
        let map = self.terms.constant(symbol);
        self.terms.select(map, object)
    }

    fn reader_parts(&mut self) -> logic::Symbol {
        let symbol = self.terms.symbol("reader", Sort::array(reference(), Sort::Real));
        self.variables.insert(symbol);
        symbol
    }

    /// A new unknown part, less than all: each reader has one, and the monitor keeps some.
    fn choose_reader_part(&mut self, object: Term) -> Term {
        let part = self.any("reader", Sort::Real);
        let (zero, one) = (self.terms.real(0, 1), self.terms.real(1, 1000));
        let facts = [self.terms.lt(zero, part), self.terms.lt(part, one)];
        facts.into_iter().for_each(|fact| self.assume(fact));
        let symbol = self.reader_parts();
        let map = self.terms.constant(symbol);
        let changed = self.terms.store(map, object, part);
        self.assign(symbol, changed);
        part
    }

    /// `rd acquire o`: like `acquire`, but brings only a part of each permission.
    pub(crate) fn rd_acquire(&mut self, object: &Expr, span: Span) {
        let Some((term, class)) = self.monitor(object, span) else { return };
        self.check_may_wait(term, span, "acquiring this monitor");
        self.set_held(self.now.rd_held(), term, true);
        self.time_passes();
        let part = self.choose_reader_part(term);
        self.inhale_invariant(term, class, &Inhale { scale: Some(part), ..Inhale::default() });
        self.remember("acquired", term);
        self.cover_after(span);
    }

    /// `rd release o`.
    pub(crate) fn rd_release(&mut self, object: &Expr, span: Span) {
        let Some((term, class)) = self.monitor(object, span) else { return };
        let yes = self.terms.bool(true);
        let held = self.terms.select(self.now.rd_held(), term);
        let text = "this is released, but its monitor may not be held for reading";
        self.check(yes, held, &Reason::new(Code::MonitorNotHeld, span, text));
        self.check_caller_knows(term, span);
        let part = self.reader_part(term);
        self.assume_small(part);
        let now = self.save("released");
        let text = "the monitor invariant need not hold when the monitor is released";
        let how =
            Exhale { scale: Some(part), ..Exhale::new(span, Code::MonitorInvariantFailed, text) };
        self.exhale_invariant(term, class, now, &how);
        self.set_held(self.now.rd_held(), term, false);
        self.remember("released", term);
    }

    /// `downgrade o`: gives the monitor's permissions back and keeps a reader's part. Nobody can
    /// write in between.
    pub(crate) fn downgrade(&mut self, object: &Expr, span: Span) {
        let Some((term, class)) = self.monitor(object, span) else { return };
        self.check_held(term, span, "this is downgraded");
        self.check_caller_knows(term, span);
        let moment = self.acquired_at(term);
        let old = self.heap_at(moment);
        let text = "the monitor invariant need not hold when the monitor is downgraded";
        let how = Exhale::new(span, Code::MonitorInvariantFailed, text);
        self.exhale_invariant(term, class, old, &how);
        self.set_held(self.now.held(), term, false);
        self.set_held(self.now.rd_held(), term, true);
        let part = self.choose_reader_part(term);
        let how = Inhale { scale: Some(part), keep_values: true, ..Inhale::default() };
        let program = self.program;
        let info = &program.classes[class.index()];
        let now = self.now.clone();
        let env = self.monitor_env(term, now.clone(), now);
        let saved = std::mem::replace(&mut self.locals, &info.locals);
        self.inhale(&info.invariants, &env, &how);
        self.locals = saved;
        self.remember("released", term);
    }

    /// `wait o.c`: releases the monitor and acquires it again. Everything else that the thread
    /// holds must be below it.
    ///
    /// A thread may wake up for no reason, so only the monitor invariant holds afterwards.
    pub(crate) fn wait(&mut self, object: &Expr, span: Span) {
        let Some((term, class)) = self.monitor(object, span) else { return };
        self.check_held(term, span, "this is waited for");
        self.check_caller_knows(term, span);
        let moment = self.acquired_at(term);
        let old = self.heap_at(moment);
        let text = "the monitor invariant need not hold when the monitor is released to wait";
        let how = Exhale::new(span, Code::MonitorInvariantFailed, text);
        self.exhale_invariant(term, class, old, &how);
        self.set_held(self.now.held(), term, false);
        self.remember("released", term);
        self.check_may_wait(term, span, "waiting in this monitor");
        self.set_held(self.now.held(), term, true);
        self.time_passes();
        self.inhale_invariant(term, class, &Inhale::default());
        self.remember("acquired", term);
    }

    /// `signal o.c`: the thread holds the monitor, and the promise of the condition holds.
    pub(crate) fn signal(&mut self, object: &Expr, condition: ConditionId, span: Span) {
        let Some((term, _)) = self.monitor(object, span) else { return };
        self.check_held(term, span, "this is signalled");
        let program = self.program;
        let info = &program.conditions[condition.index()];
        let Some(clause) = &info.where_clause else { return };
        let masks = self.save_masks("kept");
        let credits = self.now.credits();
        let kept = self.pin("kept", credits);
        let state = self.save("signal");
        let env = self.monitor_env(term, state.clone(), state);
        let saved = std::mem::replace(&mut self.locals, &info.locals);
        let text = format!("what `{}` promises need not hold here", info.name);
        let how = Exhale::new(span, Code::ConditionPromiseFailed, text);
        self.exhale(std::slice::from_ref(clause), &env, &how);
        self.locals = saved;
        self.restore_masks(&masks);
        self.assign(self.variable_of(credits), kept);
    }
}
