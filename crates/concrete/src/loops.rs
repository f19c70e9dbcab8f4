//! Loops: each round has the permissions that the invariant gives it.

use crate::eval::Scope;
use crate::machine::Machine;
use crate::state::{Failure, Held, Round, Stop, Work, check};
use crate::transfer::{Give, exhale};
use chalice::hir::{Expr, Stmt, StmtKind};
use diagnostic::Code;
use std::collections::BTreeSet;

/// The parts of a loop.
struct Parts<'p> {
    condition: &'p Expr,
    invariants: &'p [chalice::hir::Assertion],
    lockchange: &'p [Expr],
    body: &'p [Stmt],
}

fn parts(stmt: &Stmt) -> Result<Parts<'_>, Stop> {
    match &stmt.kind {
        StmtKind::While { condition, invariants, lockchange, body } => {
            Ok(Parts { condition, invariants, lockchange, body })
        }
        _ => Err(Stop::GaveUp("no loop")),
    }
}

/// Whether the same monitors are held, except for the named ones.
pub(crate) fn same_but(before: &Held, now: &Held, named: &[usize]) -> bool {
    let without = |set: &BTreeSet<usize>| -> Vec<usize> {
        set.iter().filter(|object| !named.contains(object)).copied().collect()
    };
    without(&before.write) == without(&now.write) && without(&before.read) == without(&now.read)
}

impl<'p> Machine<'p> {
    fn named(&self, at: usize, lockchange: &[Expr]) -> Result<Vec<usize>, Stop> {
        let (scope, mask) = (self.scope(at), &self.frame(at).mask);
        lockchange.iter().map(|expr| scope.value(expr, Some(mask))?.reference()).collect()
    }

    /// The loop is entered.
    pub(crate) fn enter_loop(&mut self, at: usize, stmt: &'p Stmt) -> Result<(), Stop> {
        let Parts { condition, invariants, lockchange, .. } = parts(stmt)?;
        let mut held = self.threads[at].held.clone();
        let old = self.frame(at).old.clone();
        for object in self.named(at, lockchange)? {
            for (set, before) in
                [(&mut held.write, &old.held.write), (&mut held.read, &old.held.read)]
            {
                set.remove(&object);
                set.extend(before.get(&object));
            }
        }
        let mask = self.frame(at).mask.clone();
        let read = self.choose_read(invariants, &mask)?;
        let how = Give {
            framed: true,
            may_owe: true,
            within: Some(&old),
            ..Give::new(condition.span, Code::LoopInvariantNotEstablished)
        };
        let given =
            self.give(at, |scope, mask| exhale(&Scope { read, ..scope }, invariants, mask, &how))?;
        let owes = self.frame(at).mask.owed().next().is_some();
        check(!owes, || Failure::new(Code::MessageOwed, condition.span))?;
        let frame = self.frame_mut(at);
        let outside = std::mem::replace(&mut frame.mask, given);
        let read_outside = std::mem::replace(&mut frame.read, read);
        let round = Round { stmt, outside, read_outside, held };
        frame.work.push(Work::Head(Box::new(round)));
        Ok(())
    }

    /// One more round, or the end of the loop.
    pub(crate) fn head(&mut self, at: usize, round: Box<Round<'p>>) -> Result<(), Stop> {
        let Parts { condition, body, .. } = parts(round.stmt)?;
        if self.code(at, condition)?.bool()? {
            let frame = self.frame_mut(at);
            frame.work.push(Work::End(round));
            frame.work.push(Work::Stmts(body));
            return Ok(());
        }
        let frame = self.frame_mut(at);
        frame.read = round.read_outside;
        let inside = std::mem::replace(&mut frame.mask, round.outside);
        self.receive_all(at, inside)
    }

    /// Ends a round: permissions that the invariant does not mention are lost.
    pub(crate) fn end_round(&mut self, at: usize, round: Box<Round<'p>>) -> Result<(), Stop> {
        let Parts { condition, invariants, lockchange, .. } = parts(round.stmt)?;
        let named = self.named(at, lockchange)?;
        let how = Give {
            framed: true,
            may_owe: true,
            ..Give::new(condition.span, Code::LoopInvariantNotPreserved)
        };
        let given = self.give(at, |scope, mask| exhale(&scope, invariants, mask, &how))?;
        let kept = same_but(&round.held, &self.threads[at].held, &named);
        check(kept, || Failure::new(Code::LockchangeViolated, condition.span))?;
        let owes = self.frame(at).mask.owed().next().is_some();
        check(!owes, || Failure::new(Code::MessageOwed, condition.span))?;
        let frame = self.frame_mut(at);
        frame.mask = given;
        frame.work.push(Work::Head(round));
        Ok(())
    }
}
