//! Loops are blocks that get permissions by their invariant and give them back (paper 3, section
//! 1).

use super::exhale::Exhale;
use super::inhale::Inhale;
use super::sorts::{Place, reference};
use super::state::Env;
use super::{Encoder, MarkKind, Reason};
use crate::hir::{Assertion, Expr, Loc, LocalId, LocalKind, Stmt, StmtKind};
use diagnostic::Code;
use gcl::Stmt as Command;
use logic::{Quantifier, Term};
use source::Span;
use std::collections::BTreeSet;

/// A loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct While<'e> {
    pub(crate) condition: &'e Expr,
    pub(crate) invariants: &'e [Assertion],
    pub(crate) lockchange: &'e [Expr],
    pub(crate) body: &'e [Stmt],
    pub(crate) span: Span,
}

impl Encoder<'_> {
    pub(crate) fn while_loop(&mut self, stmt: While<'_>) {
        let While { condition, invariants, lockchange, body, span } = stmt;
        let env = self.here();
        let (held, rd_held) = (self.now.held(), self.now.rd_held());
        let before = self.held_without(lockchange, &env);
        // `rd` in the invariant is a part of its own, as for a call.
        let read = self.any_part("rd");
        let now = Env { read: Some(read), ..env };
        self.choose_read(invariants, &now);
        let mut at_entry = Env { state: self.save("loop"), ..now };
        at_entry.state = self.as_owing(invariants, &at_entry);
        let text = "this loop invariant need not hold when the loop is entered";
        let how = Exhale {
            within_thread: true,
            may_owe: true,
            ..Exhale::new(condition.span, Code::LoopInvariantNotEstablished, text)
        };
        self.exhale(invariants, &at_entry, &how);
        // The loop must have the debts itself; otherwise it would not know of them when it waits.
        self.check_no_debt(condition.span);
        self.havoc_positions(body);
        self.havoc_assigned(body);
        if !lockchange.is_empty() {
            let symbols = [held, rd_held].map(|map| self.variable_of(map));
            self.emit(Command::Havoc(symbols.into()));
            self.assume_held_one_way();
        }
        self.time_passes();
        let outside = self.set_read(read);
        let around = self.block(|encoder| {
            encoder.drop_everything();
            encoder.mark(MarkKind::LoopHead, Some(span), "");
            encoder.at_head(invariants, lockchange, before, (read, true));
            let fact = encoder.code_value(condition);
            encoder.assume(fact);
            if let Some(first) = body.first() {
                let text = "no run gets here";
                encoder.cover(&Reason::new(Code::UnreachableCode, first.span, text));
            }
            encoder.stmts(body);
            encoder.at_end(invariants, lockchange, before, (read, condition.span));
            let no = encoder.terms.bool(false);
            encoder.assume(no);
        });
        self.set_read(outside);
        let after = self.block(|encoder| {
            encoder.mark(MarkKind::LoopHead, Some(span), "");
            encoder.at_head(invariants, lockchange, before, (read, false));
            encoder.read_unframed(condition);
            let env = encoder.here();
            let fact = encoder.value(condition, &env);
            let over = encoder.terms.not(fact);
            encoder.assume(over);
        });
        self.emit(Command::Choice(vec![around, after]));
    }

    /// A round may have moved held monitors: those that neither a permission outside the loop nor
    /// the rule for monitors of callers (`check_may_move`) protects. The moment at which a monitor
    /// was last acquired may also be another one.
    fn havoc_positions(&mut self, body: &[Stmt]) {
        if !may_touch_monitors(body) {
            return;
        }
        self.forget_moments();
        let Some(method) = &self.method else { return };
        let old = method.old.clone();
        let (place, now) = (Place::Loc(Loc::Mu), self.now.clone());
        let heap = now.heap[&place];
        let before = self.pin("before", heap);
        let symbol = self.variable_of(heap);
        self.emit(Command::Havoc(vec![symbol]));
        let binder = self.terms.binder("o", reference());
        let object = self.terms.bound(binder);
        let (was, is) = (self.terms.select(before, object), self.terms.select(heap, object));
        let outside = self.permission(&now, place, object);
        let outside = self.is_some(outside);
        let parts =
            vec![self.terms.select(old.held(), object), self.terms.select(old.rd_held(), object)];
        let by_caller = self.terms.or(parts);
        let given = self.permission(&old, place, object);
        let given = self.is_some(given);
        let kept = self.terms.not(given);
        let by_caller = self.terms.and(vec![by_caller, kept]);
        let stays = self.terms.or(vec![outside, by_caller]);
        let same = self.terms.eq(was, is);
        let body = self.terms.implies(stays, same);
        let triggers = vec![vec![is], vec![was]];
        let all = self.terms.quantified(Quantifier::Forall, vec![binder], triggers, body);
        self.assume(all);
    }

    /// Sets what `rd` stands for, and returns what it stood for.
    fn set_read(&mut self, read: Term) -> Term {
        match &mut self.method {
            Some(method) => std::mem::replace(&mut method.read, read),
            None => read,
        }
    }

    fn values_of(&mut self, exprs: &[Expr], env: &Env) -> Vec<Term> {
        let values: Vec<Term> = exprs.iter().map(|expr| self.checked_value(expr, env)).collect();
        values.into_iter().map(|value| self.pin("lockchange", value)).collect()
    }

    /// The monitors that are held when the loop is entered; for the monitors that `lockchange`
    /// names at that moment, whether they were held when the method was entered. Whatever the
    /// rounds do, exactly these are held, except those that `lockchange` names at the moment: a
    /// monitor that it no longer names is as it was before the method touched it.
    fn held_without(&mut self, lockchange: &[Expr], env: &Env) -> [Term; 2] {
        let changed = self.values_of(lockchange, env);
        let old = env.in_old().state;
        let pairs = [(old.held(), env.state.held()), (old.rd_held(), env.state.rd_held())];
        pairs.map(|(old, now)| {
            let mut map = now;
            for &object in &changed {
                let before = self.terms.select(old, object);
                map = self.terms.store(map, object, before);
            }
            self.pin("held", map)
        })
    }

    /// The state after some rounds: the invariant, and the held monitors.
    fn at_head(
        &mut self,
        invariants: &[Assertion],
        lockchange: &[Expr],
        before: [Term; 2],
        (read, checked): (Term, bool),
    ) {
        let env = Env { read: Some(read), ..self.here() };
        self.inhale(invariants, &env, &Inhale { checked, ..Inhale::default() });
        if lockchange.is_empty() {
            return;
        }
        if checked {
            let yes = self.terms.bool(true);
            lockchange.iter().for_each(|expr| self.check_defined(yes, expr, &env));
        }
        let changed: Vec<Term> = lockchange.iter().map(|expr| self.value(expr, &env)).collect();
        for (was, is) in before.into_iter().zip([self.now.held(), self.now.rd_held()]) {
            let fact = self.only_these_change(was, is, &changed);
            self.assume(fact);
        }
    }

    /// Checks the end of a round: the invariant again, no monitor more or less, no debt.
    fn at_end(
        &mut self,
        invariants: &[Assertion],
        lockchange: &[Expr],
        before: [Term; 2],
        (read, span): (Term, Span),
    ) {
        let env = Env { read: Some(read), ..self.here() };
        let changed = self.values_of(lockchange, &env);
        let mut at_end = Env { state: self.save("round"), ..env };
        at_end.state = self.as_owing(invariants, &at_end);
        let text = "this loop invariant need not hold after a round";
        let how =
            Exhale { may_owe: true, ..Exhale::new(span, Code::LoopInvariantNotPreserved, text) };
        self.exhale(invariants, &at_end, &how);
        let yes = self.terms.bool(true);
        for (was, is) in before.into_iter().zip([self.now.held(), self.now.rd_held()]) {
            let fact = self.only_these_change(was, is, &changed);
            let text =
                "the loop may hold other monitors than before, and `lockchange` does not name them";
            self.check(yes, fact, &Reason::new(Code::LockchangeViolated, span, text));
        }
        self.check_no_debt(span);
    }

    /// Gives any value to the locals that the loop assigns.
    fn havoc_assigned(&mut self, body: &[Stmt]) {
        let mut locals = BTreeSet::new();
        assigned_in(body, &mut locals);
        for &local in &locals {
            let symbol = self.local(local);
            self.emit(Command::Havoc(vec![symbol]));
            if self.locals[local.index()].kind == LocalKind::Const {
                let assigned = self.assigned(local);
                self.emit(Command::Havoc(vec![assigned]));
            }
        }
        locals.iter().for_each(|&local| self.assume_local(local));
    }
}

/// The locals that statements assign.
fn assigned_in(stmts: &[Stmt], out: &mut BTreeSet<LocalId>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Assign(local, _) | StmtKind::Havoc(local) => _ = out.insert(*local),
            StmtKind::Call { results, .. }
            | StmtKind::Join { results, .. }
            | StmtKind::Receive { results, .. }
            | StmtKind::Specify { vars: results, .. } => out.extend(results.iter().copied()),
            StmtKind::Fork { token, .. } => out.extend(token.iter().copied()),
            StmtKind::If(_, then, otherwise) => {
                assigned_in(then, out);
                assigned_in(otherwise, out);
            }
            StmtKind::While { body, .. } => assigned_in(body, out),
            StmtKind::Block(inner) => assigned_in(inner, out),
            _ => {}
        }
    }
}

/// Whether statements may move, release or acquire monitors.
fn may_touch_monitors(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Call { .. }
        | StmtKind::Reorder(..)
        | StmtKind::Unshare(_)
        | StmtKind::Acquire(_)
        | StmtKind::Release(_)
        | StmtKind::RdAcquire(_)
        | StmtKind::RdRelease(_)
        | StmtKind::Downgrade(_)
        | StmtKind::Wait(..) => true,
        StmtKind::If(_, then, otherwise) => {
            may_touch_monitors(then) || may_touch_monitors(otherwise)
        }
        StmtKind::While { body, .. } | StmtKind::Block(body) => may_touch_monitors(body),
        _ => false,
    })
}
