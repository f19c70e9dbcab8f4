//! Statements that are one step.

use super::Lowering;
use crate::expr::Scope;
use crate::mentions::Touched;
use crate::task::hygiene;
use diagnostic::Code;
use gcl::MarkKind;
use logic::{Symbol, Term};
use plato::ast::Fault;
use plato::hir::{Action, BinaryOp, Expr, ExprKind, Place, Root, Stmt, StmtKind, Ty};
use source::Span;
use std::collections::BTreeMap;
use verdict::{Obligation, StopReason};

impl Lowering<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// The encodings of paper 1 section 3 and paper 2 figure 2.
    fn stmt(&mut self, stmt: &Stmt) {
        self.frames.inlined += 1;
        self.emit.current = Some(stmt.span);
        self.check_mover(stmt);
        self.replace_performs(stmt.performs.clone());
        self.is_undisturbed = stmt.undisturbed;
        match &stmt.kind {
            StmtKind::Skip => self.simple(stmt, |_| {}),
            // x := e  is  <x' == e>_x
            StmtKind::Assign(pairs) => self.simple(stmt, |this| this.assign(pairs)),
            StmtKind::Havoc(places) => self.simple(stmt, |this| this.havoc(places)),
            // assert e  is  <true> checked by e
            StmtKind::Assert(expr) => self.simple(stmt, |this| this.assert(stmt.span, expr)),
            StmtKind::Check(expr, fault) => {
                self.simple(stmt, |this| this.check(stmt.span, expr, fault));
            }
            // assume e  is  <e>
            StmtKind::Assume(expr) => self.simple(stmt, |this| {
                this.check_defined([expr]);
                let term = this.context.term(&this.scope(), expr);
                this.emit.block_unless(term);
            }),
            // acquire m  is  <m == 0 && m' == tid>_m
            StmtKind::Acquire(place) => self.simple(stmt, |this| this.acquire(place)),
            // release m  is  <m' == 0>_m checked by m == tid
            StmtKind::Release(place) => self.simple(stmt, |this| this.release(stmt.span, place)),
            StmtKind::CasSwap { location, expected, new } => self.simple(stmt, |this| {
                this.check_defined([expected]);
                this.swap_if_equal(location, expected, new);
            }),
            StmtKind::Cas { result, location, expected, new } => self.simple(stmt, |this| {
                this.check_defined([expected, new]);
                this.check_fits(new, &location.ty);
                let value = this.context.term(&this.scope(), new);
                this.set_if_equal(result.as_ref(), location, expected, value);
            }),
            StmtKind::Action(action) => {
                let touched = self.touched(stmt);
                self.step(stmt.span, &touched, |this| this.action(stmt.span, action, &touched));
            }
            StmtKind::Atomic(body) => self.atomic(stmt, body),
            StmtKind::If { cond, then, otherwise } => {
                self.branch(stmt, cond.as_ref(), then, otherwise);
            }
            StmtKind::While { cond, invariants, guesses, body } => {
                self.iterate(stmt, cond.as_ref(), (invariants, guesses), body);
            }
            StmtKind::Choose(branches) => self.choose(branches),
            StmtKind::Block(body) => self.block(stmt, body),
            StmtKind::Call { callee, args, results } => self.call(stmt, *callee, args, results),
            StmtKind::Unsupported(what) => self.unsupported(stmt, what),
            StmtKind::Return(values) => self.leave(stmt, values),
            StmtKind::Break(label) => {
                let exit = self.frames.current().exit(*label);
                self.emit.jump(exit.map(|exit| exit.leave));
            }
            StmtKind::Continue(label) => {
                let exit = self.frames.current().exit(*label);
                self.emit.jump(exit.and_then(|exit| exit.next));
            }
        }
    }

    fn acquire(&mut self, place: &Place) {
        let holder = self.read(place);
        let zero = self.context.terms.int(0);
        let free = self.context.terms.eq(holder, zero);
        self.emit.block_unless(free);
        let tid = self.tid();
        self.write(vec![(place, tid)]);
    }

    /// What a run does from here on is not known, so that nothing that follows is verified.
    fn unsupported(&mut self, stmt: &Stmt, what: &str) {
        let about = Obligation::new(Code::Unsupported, stmt.span, what);
        let unknown = (about, StopReason::Unsupported(what.to_owned()));
        let falsity = self.context.terms.bool(false);
        self.emit.give_up(Some(unknown), falsity);
    }

    fn simple(&mut self, stmt: &Stmt, effect: impl FnOnce(&mut Self)) {
        let touched = self.touched(stmt);
        self.step(stmt.span, &touched, effect);
    }

    fn assign(&mut self, pairs: &[(Place, Expr)]) {
        self.check_defined(pairs.iter().map(|(_, value)| value));
        for (place, value) in pairs {
            self.check_fits(value, &place.ty);
        }
        let scope = self.scope();
        let writes =
            pairs.iter().map(|(place, value)| (place, self.context.term(&scope, value))).collect();
        self.write(writes);
    }

    fn havoc(&mut self, places: &[Place]) {
        let mut writes = Vec::new();
        for place in places {
            if place.indices.is_empty() {
                self.check_place_access(place, &[]);
                self.emit.havoc(vec![self.root_symbol(place.root)]);
            } else {
                let value = self.arbitrary(&place.ty);
                writes.push((place, value));
            }
        }
        self.write(writes);
    }

    /// An arbitrary value of the type.
    fn arbitrary(&mut self, ty: &Ty) -> Term {
        let sort = self.context.sort(ty);
        let name = format!("any.{}@", self.frames.fresh());
        let symbol = self.context.terms.symbol(name, sort);
        self.declare(symbol, ty);
        self.emit.havoc(vec![symbol]);
        self.context.terms.constant(symbol)
    }

    fn assert(&mut self, span: Span, expr: &Expr) {
        self.check_defined([expr]);
        let scope = self.scope();
        if let ExprKind::Binary(BinaryOp::Implies, premise, _) = &expr.kind {
            let about = hygiene(
                Code::VacuousAssertion,
                span,
                "this assertion holds only because its premise is never true",
            );
            let premise = self.context.term(&scope, premise);
            self.emit.cover(about, premise);
        }
        let parts = self.context.parts(&scope, expr);
        self.emit
            .check(Obligation::new(Code::AssertionFailed, span, "this assertion can fail"), parts);
    }

    /// A check of another language, told in its words.
    fn check(&mut self, span: Span, expr: &Expr, fault: &Fault) {
        self.check_defined([expr]);
        let scope = self.scope();
        let parts = self.context.parts(&scope, expr);
        let mut about = Obligation::new(fault.code, span, fault.failed.as_str());
        about.help.clone_from(&fault.help);
        about.declared = fault.declared;
        self.emit.check_then(about, parts, !fault.goes_on);
    }

    fn release(&mut self, span: Span, place: &Place) {
        let holder = self.read(place);
        let held = self.context.terms.eq(holder, self.tid());
        let mut about = Obligation::new(
            Code::ReleaseNotHeld,
            span,
            "this thread may not hold the mutex it releases",
        );
        about.help = Some(
            "acquire it before, and rely on others not taking it away: `m == tid ==> m' == m`"
                .to_owned(),
        );
        self.emit.check(about, vec![(held, place.span)]);
        let zero = self.context.terms.int(0);
        self.write(vec![(place, zero)]);
    }

    /// Paper 2, figure 2: `l != e ==> (l' == l && n' == n)`, `l == e ==> (l' == n && n' == l)`.
    fn swap_if_equal(&mut self, location: &Place, expected: &Expr, new: &Place) {
        let (old_location, old_new) = (self.read(location), self.read(new));
        let expected = self.context.term(&self.scope(), expected);
        let terms = &mut self.context.terms;
        let equal = terms.eq(old_location, expected);
        let to_location = terms.ite(equal, old_new, old_location);
        let to_new = terms.ite(equal, old_location, old_new);
        self.check_term_fits(to_location, location);
        self.check_term_fits(to_new, new);
        self.write(vec![(location, to_location), (new, to_new)]);
    }

    fn set_if_equal(
        &mut self,
        result: Option<&Place>,
        location: &Place,
        expected: &Expr,
        value: Term,
    ) {
        let old = self.read(location);
        let expected = self.context.term(&self.scope(), expected);
        let equal = self.context.terms.eq(old, expected);
        let new = self.context.terms.ite(equal, value, old);
        let mut writes = vec![(location, new)];
        writes.extend(result.map(|place| (place, equal)));
        self.write(writes);
    }

    pub(super) fn check_term_fits(&mut self, term: Term, place: &Place) {
        if matches!(place.ty, Ty::Range(..))
            && let Some(inside) = self.context.in_type(&place.ty, term)
        {
            let about = Obligation::new(
                Code::ValueOutOfRange,
                place.span,
                "the value can be outside the type of the variable",
            );
            self.emit.check(about, vec![(inside, place.span)]);
        }
    }

    /// `requires ? <action>_modifies`, checked by `ensures`.
    fn action(&mut self, span: Span, action: &Action, touched: &Touched) {
        let now = self.scope();
        self.check_accesses(&touched.used, span);
        if let Some(requires) = &action.requires {
            self.check_defined([requires]);
            let parts = self.context.parts(&now, requires);
            self.emit.check(
                Obligation::new(
                    Code::PreconditionFailed,
                    span,
                    "the `requires` of this operation can be false",
                ),
                parts,
            );
        }
        let mut before = BTreeMap::new();
        let mut pairs = Vec::new();
        let mut changed = Vec::new();
        for &root in &action.modifies {
            let symbol = self.root_symbol(root);
            let copy = self.copy_symbol(symbol, "action");
            pairs.push((copy, self.context.terms.constant(symbol)));
            before.insert(root, copy);
            changed.push(symbol);
        }
        self.emit.assign(pairs);
        self.emit.havoc(changed);
        let scope = Scope { before, ..now };
        self.check_defined_in(&scope, std::iter::once(&action.action).chain(&action.ensures));
        let relation = self.context.term(&scope, &action.action);
        self.emit.block_unless(relation);
        if let Some(ensures) = &action.ensures {
            self.emit.mark(MarkKind::Attempt, span, "");
            let parts = self.context.parts(&scope, ensures);
            self.emit.check(
                Obligation::new(
                    Code::ActionCheckFailed,
                    span,
                    "the `ensures` of this operation can be false",
                ),
                parts,
            );
        }
    }

    pub(super) fn copy_symbol(&mut self, symbol: Symbol, role: &str) -> Symbol {
        let name = format!("{}{role}", self.context.terms.name(symbol));
        let sort = self.context.terms.symbol_sort(symbol).clone();
        let copy = self.context.terms.symbol(name, sort);
        self.emit.variables.entry(copy).or_insert(None);
        copy
    }

    /// All of the statements in one step. It goes wrong as soon as one of them does, also if a
    /// later one would block: a run that gets that far has no way to take its steps back.
    fn atomic(&mut self, stmt: &Stmt, body: &[Stmt]) {
        let touched = self.touched(stmt);
        self.step(stmt.span, &touched, |this| {
            let outer = std::mem::replace(&mut this.in_atomic, true);
            let outer_text = this.atomic_text.replace(stmt.span);
            let reduction = this.reduction.take();
            this.stmts(body);
            this.in_atomic = outer;
            this.atomic_text = outer_text;
            this.reduction = reduction;
        });
    }

    /// The value of a place.
    pub(super) fn read(&mut self, place: &Place) -> Term {
        let symbol = self.root_symbol(place.root);
        let root = self.context.terms.constant(symbol);
        let keys = self.keys(place);
        keys.into_iter().fold(root, |value, key| self.context.terms.select(value, key))
    }

    /// The indices of a place, each checked to be defined and in the domain of its map.
    fn keys(&mut self, place: &Place) -> Vec<Term> {
        let scope = self.scope();
        let mut keys = Vec::new();
        let mut ty = self.root_ty(place.root);
        for index in &place.indices {
            self.check_defined([index]);
            let Ty::Map(key, inner) = ty else { break };
            self.check_index(index, &key);
            keys.push(self.context.term(&scope, index));
            ty = *inner;
        }
        self.check_place_access(place, &keys);
        keys
    }

    /// Writes all places at once; indices are evaluated before.
    pub(super) fn write(&mut self, writes: Vec<(&Place, Term)>) {
        let mut roots: BTreeMap<Root, Term> = BTreeMap::new();
        for (place, value) in writes {
            let symbol = self.root_symbol(place.root);
            let old = match roots.get(&place.root) {
                Some(&term) => term,
                None => self.context.terms.constant(symbol),
            };
            let keys = self.keys(place);
            if matches!(place.root, Root::Global(_)) {
                self.note_written_at(&keys);
            }
            let new = self.stored(old, &keys, value);
            roots.insert(place.root, new);
        }
        let pairs: Vec<(Symbol, Term)> =
            roots.into_iter().map(|(root, term)| (self.root_symbol(root), term)).collect();
        self.emit.assign_any(pairs);
    }

    /// `map[k1][k2].. := value`.
    fn stored(&mut self, map: Term, keys: &[Term], value: Term) -> Term {
        let Some((&key, rest)) = keys.split_first() else { return value };
        let inner = self.context.terms.select(map, key);
        let inner = self.stored(inner, rest, value);
        self.context.terms.store(map, key, inner)
    }
}
