//! Joins in the locking order.
//!
//! Joining is waiting: nothing that the joined thread may wait for must be at or below what the
//! joining one keeps others waiting at. Which monitors and channels the joined thread may wait for
//! is not known, but what its method requires of `waitlevel` bounds them from below: the method was
//! verified for every `waitlevel` of which that is true. So it is enough that it is true of the
//! `waitlevel` of the thread that joins, in the heap at the fork; then the joined thread waits only
//! for what is above that, as if it held itself what the joining one holds.
//!
//! In a circle of waiting threads, whoever waits for a thread that waits in a join waits, in this
//! sense, for the joined thread as well. Without the joins, the circle climbs in the order, which
//! is impossible. A circle in which everybody joins the next one is not excluded by this.
//!
//! This does not hold of objects that the joined thread shares, or moves, itself: they are placed
//! above what it keeps. So whoever joins a thread that may do so keeps nothing.
//!
//! DIVERGENCE: paper 3 leaves joins out of the order.

use super::parts::Part;
use super::{Encoder, Reason};
use crate::hir::{BinaryOp, Expr, ExprKind, Method, MethodId, Program, Rhs, Stmt, StmtKind, Type};
use diagnostic::Code;
use logic::Term;
use source::Span;
use std::collections::BTreeSet;

impl Encoder<'_> {
    /// What the joined thread requires of `waitlevel` is true of that of the running thread.
    pub(crate) fn check_join_order(&mut self, token: Term, method: MethodId, span: Span) {
        let program = self.program;
        let callee = &program.methods[method.index()];
        let forked = self.forked(token, method);
        let read = self.token_read(token);
        let mut env = self.contract_env(method, forked.receiver, &forked.args, read);
        let then = self.heap_at(forked.moment);
        let now = self.now.clone();
        let saved = std::mem::replace(&mut self.locals, &callee.locals);
        env.state = self.as_new_thread(then, &callee.spec.requires, &env);
        env.state.joiner = Some(Box::new(now));
        let has_debts = !self.credits_of(&callee.spec.requires, &env).is_empty();
        let mut formulas = Vec::new();
        for (guard, part) in self.parts_of(&callee.spec.requires, &env) {
            let place = match part {
                // What else is required hangs on it, which the joined thread had at the fork.
                Part::Condition(expr) => expr.mentions_wait_level().then_some(expr.span),
                Part::Other(assertion) => assertion.mentions_wait_level().then_some(assertion.span),
                // The debts of the joined thread count too. If the formula says that something is
                // above them all, that was shown at the fork.
                Part::Formula(expr) if expr.mentions_wait_level() => {
                    formulas.push((guard, self.value(expr, &env), expr.span));
                    (has_debts && !is_upper_bound(expr)).then_some(expr.span)
                }
                Part::Formula(_) => None,
            };
            if let Some(place) = place {
                self.locals = saved;
                return self.unsupported("a join of a method like this", place);
            }
        }
        self.locals = saved;
        if chooses_position(program, method, &mut BTreeSet::new()) {
            self.check_keeps_nothing(method, span);
        }
        for (guard, holds, place) in formulas {
            let text = "the joined thread may wait for something that this thread keeps";
            let help = format!(
                "release what is held before, or require here what `{}` requires of `waitlevel`",
                callee.name
            );
            let reason = Reason::new(Code::JoinHoldingMonitor, span, text).about(place).help(help);
            self.check(guard, holds, &reason);
        }
    }

    /// A thread that joins one which chooses positions keeps nothing: these are above what the
    /// joined thread keeps itself, and nothing says that they are above what the joining one keeps.
    fn check_keeps_nothing(&mut self, method: MethodId, span: Span) {
        let (now, bottom) = (self.now.clone(), self.lock_bottom());
        let nothing = self.is_wait_level(&now, bottom);
        let name = &self.program.methods[method.index()].name;
        let text =
            "the joined thread may wait for something that it shared below what this thread keeps";
        let help = format!(
            "`{name}` shares or moves objects: release what is held before, or require `waitlevel == lockbottom` here"
        );
        let reason = Reason::new(Code::JoinHoldingMonitor, span, text).help(help);
        let yes = self.terms.bool(true);
        self.check(yes, nothing, &reason);
    }
}

/// Whether a run of the method may give an object or a channel a position in the order, itself or
/// in what it calls, forks or joins.
fn chooses_position(program: &Program, method: MethodId, seen: &mut BTreeSet<MethodId>) -> bool {
    seen.insert(method) && any_chooses(program, &program.methods[method.index()], seen)
}

fn any_chooses(program: &Program, method: &Method, seen: &mut BTreeSet<MethodId>) -> bool {
    let mut rest: Vec<&Stmt> = method.body.iter().collect();
    while let Some(stmt) = rest.pop() {
        let called = match &stmt.kind {
            StmtKind::Share(..) | StmtKind::Reorder(..) => return true,
            StmtKind::Assign(_, Rhs::NewChannel(..))
            | StmtKind::Write(_, _, Rhs::NewChannel(..)) => {
                return true;
            }
            StmtKind::Call { method, .. } | StmtKind::Fork { method, .. } => Some(*method),
            StmtKind::Join { token, .. } => match token.ty {
                Type::Token(method) => Some(method),
                _ => None,
            },
            _ => None,
        };
        if called.is_some_and(|called| chooses_position(program, called, seen)) {
            return true;
        }
        match &stmt.kind {
            StmtKind::If(_, then, otherwise) => rest.extend(then.iter().chain(otherwise)),
            StmtKind::While { body, .. } | StmtKind::Block(body) => rest.extend(body),
            _ => {}
        }
    }
    false
}

/// Whether the formula only says that something is above `waitlevel`: then it is true of two
/// threads together if it is true of each.
fn is_upper_bound(expr: &Expr) -> bool {
    if !expr.mentions_wait_level() {
        return true;
    }
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Below, left, right) => {
            matches!(left.kind, ExprKind::WaitLevel) && !right.mentions_wait_level()
        }
        ExprKind::Binary(BinaryOp::And, left, right) => {
            is_upper_bound(left) && is_upper_bound(right)
        }
        ExprKind::Binary(BinaryOp::Implies, left, right) => {
            !left.mentions_wait_level() && is_upper_bound(right)
        }
        _ => false,
    }
}
