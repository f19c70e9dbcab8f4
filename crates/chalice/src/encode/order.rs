//! The locking order: `waitlevel`, and choosing positions (paper 3, sections 3 and 4).

use super::expr::is_wait_level;
use super::sorts::{Place, position, reference};
use super::state::{Env, State};
use super::{Encoder, Reason};
use crate::hir::{BinaryOp, Bounds, Expr, ExprKind, Loc};
use diagnostic::Code;
use logic::{Quantifier, Sort, Term};
use source::Span;

impl Encoder<'_> {
    /// Whether the thread keeps others waiting at this object: it holds the monitor, or owes the
    /// channel a message.
    fn blocks(&mut self, state: &State, object: Term) -> (Term, Vec<Vec<Term>>) {
        let held = self.terms.select(state.held(), object);
        let rd_held = self.terms.select(state.rd_held(), object);
        let credits = self.terms.select(state.credits(), object);
        let zero = self.terms.int(0);
        let owes = self.terms.lt(credits, zero);
        let any = self.terms.or(vec![held, rd_held, owes]);
        (any, vec![vec![held], vec![rd_held], vec![credits]])
    }

    /// `waitlevel << p`: `forall o :: held(o) ==> mu(o) << p`, and `p` is no longer bottom.
    pub(crate) fn above_wait_level(&mut self, state: &State, level: Term) -> Term {
        let state = state.keeper();
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (blocks, triggers) = self.blocks(state, object);
        let mu = self.read(state, Place::Loc(Loc::Mu), object);
        let below = self.below(mu, level);
        let body = self.terms.implies(blocks, below);
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers, body);
        let bottom = self.lock_bottom();
        let shared = self.below(bottom, level);
        self.terms.and(vec![shared, all])
    }

    /// `waitlevel == p`: no held monitor is above `p`, and one is at `p`, or none is held and `p`
    /// is bottom.
    pub(crate) fn is_wait_level(&mut self, state: &State, level: Term) -> Term {
        let state = state.keeper();
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (blocks, triggers) = self.blocks(state, object);
        let mu = self.read(state, Place::Loc(Loc::Mu), object);
        let (below, there) = (self.below(mu, level), self.terms.eq(mu, level));
        let at_most = self.terms.or(vec![below, there]);
        let body = self.terms.implies(blocks, at_most);
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers.clone(), body);
        let body = self.terms.and(vec![blocks, there]);
        let some = self.terms.quantified(Quantifier::Exists, vec![binder], triggers, body);
        let bottom = self.lock_bottom();
        let is_bottom = self.terms.eq(level, bottom);
        let some = self.terms.or(vec![is_bottom, some]);
        self.terms.and(vec![all, some])
    }

    /// A comparison in which one side is `waitlevel`.
    pub(crate) fn compare_wait_level(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        env: &Env,
    ) -> Term {
        let state_of = |expr: &Expr| {
            let old = matches!(expr.kind, ExprKind::Old(_));
            is_wait_level(expr).then(|| if old { env.in_old().state } else { env.state.clone() })
        };
        match (state_of(left), state_of(right)) {
            (Some(a), Some(b)) => self.compare_two_levels(op, &a, &b),
            (Some(state), None) => {
                let level = self.position_of(right, env);
                match op {
                    BinaryOp::Below => self.above_wait_level(&state, level),
                    _ => self.equals_wait_level(op, &state, level),
                }
            }
            (None, Some(state)) => {
                let level = self.position_of(left, env);
                match op {
                    BinaryOp::Below => self.below_wait_level(&state, level),
                    _ => self.equals_wait_level(op, &state, level),
                }
            }
            (None, None) => panic!("internal error: no waitlevel to compare with"),
        }
    }

    fn equals_wait_level(&mut self, op: BinaryOp, state: &State, level: Term) -> Term {
        let same = self.is_wait_level(state, level);
        if op == BinaryOp::Eq { same } else { self.terms.not(same) }
    }

    /// `p << waitlevel`: a held monitor is above `p`.
    fn below_wait_level(&mut self, state: &State, level: Term) -> Term {
        let state = state.keeper();
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (blocks, triggers) = self.blocks(state, object);
        let mu = self.read(state, Place::Loc(Loc::Mu), object);
        let below = self.below(level, mu);
        let body = self.terms.and(vec![blocks, below]);
        self.terms.quantified(Quantifier::Exists, vec![binder], triggers, body)
    }

    /// Compares two levels: for `==`, each is at most the other; for `<<`, some monitor of the
    /// second state is above all of the first.
    fn compare_two_levels(&mut self, op: BinaryOp, a: &State, b: &State) -> Term {
        let (a, b) = (a.keeper(), b.keeper());
        if op == BinaryOp::Below {
            let binder = self.terms.binder("o", reference());
            let object = self.terms.bound(binder);
            let (blocks, triggers) = self.blocks(b, object);
            let mu = self.read(b, Place::Loc(Loc::Mu), object);
            let above = self.above_wait_level(a, mu);
            let body = self.terms.and(vec![blocks, above]);
            return self.terms.quantified(Quantifier::Exists, vec![binder], triggers, body);
        }
        let parts = vec![self.level_at_most(a, b), self.level_at_most(b, a)];
        let same = self.terms.and(parts);
        if op == BinaryOp::Eq { same } else { self.terms.not(same) }
    }

    /// Every monitor held in the first state is at most some monitor held in the second.
    fn level_at_most(&mut self, a: &State, b: &State) -> Term {
        let (first, then) =
            (self.terms.binder("o", reference()), self.terms.binder("p", reference()));
        let (o, p) = (self.terms.bound(first), self.terms.bound(then));
        let ((blocks, triggers), (others, other_triggers)) = (self.blocks(a, o), self.blocks(b, p));
        let low = self.read(a, Place::Loc(Loc::Mu), o);
        let high = self.read(b, Place::Loc(Loc::Mu), p);
        let parts = vec![self.below(low, high), self.terms.eq(low, high)];
        let at_most = self.terms.or(parts);
        let body = self.terms.and(vec![others, at_most]);
        let some = self.terms.quantified(Quantifier::Exists, vec![then], other_triggers, body);
        let body = self.terms.implies(blocks, some);
        self.terms.quantified(Quantifier::Forall, vec![first], triggers, body)
    }

    /// Chooses a position within bounds (paper 3: `install`; the order is dense, so there is one if
    /// every lower bound is below every upper bound). Without bounds, chooses one above everything
    /// held.
    pub(crate) fn choose_position(&mut self, bounds: &Bounds, env: &Env, span: Span) -> Term {
        let yes = self.terms.bool(true);
        let mut limits = [Vec::new(), Vec::new()];
        for (list, out) in [&bounds.above, &bounds.below].into_iter().zip(&mut limits) {
            for bound in list {
                out.push(self.bound(bound, env));
            }
        }
        let [above, below] = limits;
        // Every chosen position is above bottom.
        let bottom = Limit::Position { exists: yes, position: self.lock_bottom() };
        for (high_expr, high) in bounds.below.iter().zip(&below) {
            for low in above.iter().chain([&bottom]) {
                let ordered = self.between(low, high, env);
                let text = "a lower bound need not be below an upper bound";
                let reason = Reason::new(Code::BoundsOutOfOrder, span, text).about(high_expr.span);
                self.check(yes, ordered, &reason);
            }
        }
        let chosen = self.any("position", position());
        let here = Limit::Position { exists: yes, position: chosen };
        let mut facts = Vec::new();
        for low in &above {
            facts.push(self.between(low, &here, env));
        }
        for high in &below {
            facts.push(self.between(&here, high, env));
        }
        if above.is_empty() && below.is_empty() {
            facts.push(self.above_wait_level(&env.state, chosen));
        }
        let bottom = self.lock_bottom();
        facts.push(self.below(bottom, chosen));
        facts.into_iter().for_each(|fact| self.assume(fact));
        chosen
    }

    fn bound(&mut self, bound: &Expr, env: &Env) -> Limit {
        if matches!(bound.kind, ExprKind::WaitLevel) {
            return Limit::WaitLevel;
        }
        let value = self.value(bound, env);
        if *self.terms.sort(value) != reference() {
            let exists = self.terms.bool(true);
            return Limit::Position { exists, position: value };
        }
        let null = self.null();
        let none = self.terms.eq(value, null);
        let exists = self.terms.not(none);
        let position = self.read(&env.state, Place::Loc(Loc::Mu), value);
        Limit::Position { exists, position }
    }

    /// One limit is below the other, if both exist.
    fn between(&mut self, low: &Limit, high: &Limit, env: &Env) -> Term {
        match (low, high) {
            (
                Limit::Position { exists: a, position: low },
                Limit::Position { exists: b, position: high },
            ) => {
                let both = self.terms.and(vec![*a, *b]);
                let below = self.below(*low, *high);
                self.terms.implies(both, below)
            }
            (Limit::WaitLevel, Limit::Position { exists, position }) => {
                let above = self.above_wait_level(&env.state, *position);
                self.terms.implies(*exists, above)
            }
            // Below the highest held monitor: some held monitor is above it.
            (Limit::Position { exists, position }, Limit::WaitLevel) => {
                let some = self.below_wait_level(&env.state, *position);
                self.terms.implies(*exists, some)
            }
            (Limit::WaitLevel, Limit::WaitLevel) => self.terms.bool(false),
        }
    }

    /// Between the two states, only these objects change in whether they are held.
    pub(crate) fn only_these_change(
        &mut self,
        before: Term,
        after: Term,
        changed: &[Term],
    ) -> Term {
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (was, is) = (self.terms.select(before, object), self.terms.select(after, object));
        let mut parts = vec![self.terms.eq(was, is)];
        for &allowed in changed {
            parts.push(self.terms.eq(object, allowed));
        }
        let body = self.terms.or(parts);
        self.terms.quantified(Quantifier::Forall, vec![binder], vec![vec![is], vec![was]], body)
    }

    /// No monitor is held for reading and for writing.
    pub(crate) fn assume_held_one_way(&mut self) {
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let held = self.terms.select(self.now.held(), object);
        let rd_held = self.terms.select(self.now.rd_held(), object);
        let both = self.terms.and(vec![held, rd_held]);
        let fine = self.terms.not(both);
        let triggers = vec![vec![held], vec![rd_held]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers, fine);
        self.assume(all);
    }

    /// The moment at which the monitor was last acquired.
    pub(crate) fn acquired_at(&mut self, object: Term) -> Term {
        self.moment_of("acquired", object)
    }

    /// The moment at which the monitor was last released.
    pub(crate) fn released_at(&mut self, object: Term) -> Term {
        self.moment_of("released", object)
    }

    /// A moment at which the monitor was released and since which nobody can have unshared it: the
    /// invariant holds from there to any later state.
    pub(crate) fn seen_at(&mut self, object: Term) -> Term {
        self.moment_of("seen", object)
    }

    /// Forgets when monitors were acquired and released. Returns what was known.
    pub(crate) fn forget_moments(&mut self) -> Vec<(logic::Symbol, Term)> {
        let mut before = Vec::new();
        if self.looks_back {
            for which in ["acquired", "released"] {
                let symbol = self.moments(which);
                let map = self.terms.constant(symbol);
                before.push((symbol, self.pin(which, map)));
                self.emit(gcl::Stmt::Havoc(vec![symbol]));
            }
        }
        before
    }

    /// A monitor that was held when a method was called and that its `lockchange` does not name was
    /// neither released nor acquired.
    pub(crate) fn keep_moments_of_held(
        &mut self,
        known: &[(logic::Symbol, Term)],
        before: &State,
        changed: &[Term],
    ) {
        for &(symbol, was) in known {
            let now = self.terms.constant(symbol);
            let binder = self.terms.binder("o", reference());
            let object = self.terms.bound(binder);
            let (was, is) = (self.terms.select(was, object), self.terms.select(now, object));
            let parts = vec![
                self.terms.select(before.held(), object),
                self.terms.select(before.rd_held(), object),
            ];
            let held = self.terms.or(parts);
            let free = self.terms.not(held);
            let mut parts = vec![self.terms.eq(was, is), free];
            parts.extend(changed.iter().map(|&named| self.terms.eq(object, named)));
            let body = self.terms.or(parts);
            let triggers = vec![vec![is], vec![was]];
            let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers, body);
            self.assume(all);
        }
    }

    /// Forgets whether these monitors are held; their positions are known only with permission to
    /// read them.
    pub(crate) fn forget_positions(&mut self, changed: &[Term]) {
        let place = Place::Loc(Loc::Mu);
        for &object in changed {
            let state = self.now.clone();
            let left = self.permission(&state, place, object);
            let known = self.is_some(left);
            let anywhere = self.any("position", position());
            let heap = state.heap[&place];
            let stored = self.terms.store(heap, object, anywhere);
            let stored = self.terms.ite(known, heap, stored);
            self.assign(self.variable_of(heap), stored);
            let yes = self.terms.bool(true);
            self.assume_shared_if_held(yes, object);
        }
    }

    fn moment_of(&mut self, which: &str, object: Term) -> Term {
        let symbol = self.moments(which);
        let map = self.terms.constant(symbol);
        self.terms.select(map, object)
    }

    /// The variable with the moments of all monitors.
    pub(crate) fn moments(&mut self, which: &str) -> logic::Symbol {
        let symbol = self.terms.symbol(which, Sort::array(reference(), Sort::Int));
        self.variables.insert(symbol);
        symbol
    }
}

/// A bound for a position.
enum Limit {
    /// A position, if the object it belongs to is not null.
    Position { exists: Term, position: Term },
    /// Everything held.
    WaitLevel,
}
