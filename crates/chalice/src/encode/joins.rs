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
//! DIVERGENCE: paper 3 leaves joins out of the order.

use super::parts::Part;
use super::{Encoder, Reason};
use crate::hir::{BinaryOp, Expr, ExprKind, MethodId};
use diagnostic::Code;
use logic::Term;
use source::Span;

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
            if let Part::Formula(expr) = part
                && expr.mentions_wait_level()
            {
                // The debts of the joined thread count too. If the formula says that something is
                // above them all, that was shown at the fork.
                if has_debts && !is_upper_bound(expr) {
                    self.locals = saved;
                    return self.unsupported("a join of a method like this", expr.span);
                }
                formulas.push((guard, self.value(expr, &env), expr.span));
            }
        }
        self.locals = saved;
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
