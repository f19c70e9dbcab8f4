//! Monitors and the locking order.

use crate::eval::Scope;
use crate::fraction::Fraction;
use crate::machine::Machine;
use crate::state::{Failure, Key, Mask, Moment, Stop, Value, check};
use crate::transfer::{Give, exhale, may_move, permissions};
use chalice::hir::{Assertion, Bounds, ClassId, Expr, ExprKind, Loc, Type};
use diagnostic::Code;
use source::Span;
use std::rc::Rc;

/// A statement about a monitor.
#[derive(Clone, Copy)]
pub(crate) struct Site<'p> {
    pub(crate) at: usize,
    pub(crate) object: &'p Expr,
    pub(crate) span: Span,
}

impl<'p> Machine<'p> {
    fn class_of(&self, object: usize) -> Result<ClassId, Stop> {
        match &self.heap[object].ty {
            Type::Object(class) => Ok(*class),
            _ => Err(Stop::GaveUp("a monitor that is no object")),
        }
    }

    fn permission(&self, at: usize, object: usize) -> Fraction {
        self.frame(at).mask.get(&Key::Loc(object, Loc::Mu))
    }

    fn check_writes_mu(&self, site: Site<'_>, object: usize) -> Result<(), Stop> {
        let full = self.permission(site.at, object) >= Fraction::FULL;
        check(full, || Failure::new(Code::InsufficientPermission, site.span))
    }

    /// A thread may wait for a monitor or channel that is above everything it holds.
    pub(crate) fn check_may_wait(&self, at: usize, object: usize, span: Span) -> Result<(), Stop> {
        let some = self.permission(at, object).is_positive();
        check(some, || Failure::new(Code::InsufficientPermission, span))?;
        let level = self.heap[object].mu;
        let above = self.scope(at).levels()?.into_iter().chain([Fraction::ZERO]).all(|l| l < level);
        check(above, || Failure::new(Code::LockOrder, span))
    }

    fn invariants(&self, object: usize) -> Result<&'p [Assertion], Stop> {
        Ok(&self.program.classes[self.class_of(object)?.index()].invariants)
    }

    /// Takes the invariant from the thread.
    fn give_invariant(
        &mut self,
        at: usize,
        object: usize,
        old: &Moment,
        how: &Give<'_>,
    ) -> Result<Mask, Stop> {
        let (invariants, read) = (self.invariants(object)?, self.reads.monitor);
        let locals = vec![None; self.program.classes[self.class_of(object)?.index()].locals.len()];
        self.give(at, |scope, mask| {
            let scope = Scope { this: object, old: Some(old), locals: &locals, read, ..scope };
            exhale(&scope, invariants, mask, how)
        })
    }

    /// Checks that the facts are true which a thread that acquires the monitor may assume.
    fn check_told(&self, at: usize, object: usize, span: Span) -> Result<(), Stop> {
        let class = &self.program.classes[self.class_of(object)?.index()];
        let seen = self.frame(at).seen.get(&object).cloned();
        let (old, locals) =
            (seen.unwrap_or_else(|| self.moment(at)), vec![None; class.locals.len()]);
        let read = self.reads.monitor;
        let scope =
            Scope { this: object, old: Some(&old), locals: &locals, read, ..self.scope(at) };
        match permissions(&scope, &class.invariants, None) {
            Err(Stop::Failed(failure)) => {
                Err(Stop::Failed(Failure { span, ..failure }.about(failure.span)))
            }
            _ => Ok(()),
        }
    }

    fn check_held(&self, site: Site<'_>, object: usize) -> Result<(), Stop> {
        let held = self.threads[site.at].held.write.contains(&object);
        check(held, || Failure::new(Code::MonitorNotHeld, site.span))
    }

    /// Checks that the caller knows if the method releases a monitor that the caller holds.
    fn check_caller_knows(&self, site: Site<'_>, object: usize) -> Result<(), Stop> {
        let frame = self.frame(site.at);
        if !frame.old.held.has(object) {
            return Ok(());
        }
        let scope = Scope { heap: &frame.old.heap, ..self.scope(site.at) };
        for expr in &self.program.methods[frame.method.index()].spec.lockchange {
            if scope.value(expr, None)? == Value::Ref(object) {
                return Ok(());
            }
        }
        Err(Stop::Failed(Failure::new(Code::LockchangeViolated, site.span)))
    }

    pub(crate) fn acquire(&mut self, site: Site<'_>) -> Result<(), Stop> {
        let object = self.object(site.at, site.object)?;
        self.check_may_wait(site.at, object, site.span)?;
        let monitor = self.monitors.entry(object).or_default();
        if monitor.writer.is_some() || !monitor.readers.is_empty() {
            self.threads[site.at].waits_for = Some(object);
            return Err(Stop::Blocked);
        }
        monitor.writer = Some(site.at);
        let kept = std::mem::take(&mut monitor.kept);
        self.threads[site.at].held.write.insert(object);
        self.check_told(site.at, object, site.span)?;
        self.receive_all(site.at, kept)?;
        self.remember_acquired(site.at, object);
        Ok(())
    }

    fn remember_acquired(&mut self, at: usize, object: usize) {
        let moment = self.moment(at);
        self.threads[at].acquired.insert(object, moment);
    }

    fn remember_released(&mut self, at: usize, object: usize) {
        let moment = self.moment(at);
        self.frame_mut(at).seen.insert(object, moment);
    }

    fn acquired_at(&self, at: usize, object: usize) -> Result<Rc<Moment>, Stop> {
        let moment = self.threads[at].acquired.get(&object).cloned();
        moment.ok_or(Stop::GaveUp("a monitor that was never acquired"))
    }

    pub(crate) fn release(&mut self, site: Site<'_>) -> Result<(), Stop> {
        let object = self.object(site.at, site.object)?;
        self.check_held(site, object)?;
        self.check_caller_knows(site, object)?;
        let old = self.acquired_at(site.at, object)?;
        let how = Give::new(site.span, Code::MonitorInvariantFailed);
        let kept = self.give_invariant(site.at, object, &old, &how)?;
        self.threads[site.at].held.write.remove(&object);
        let monitor = self.monitors.entry(object).or_default();
        monitor.writer = None;
        monitor.kept = kept;
        self.remember_released(site.at, object);
        Ok(())
    }

    /// Checks that the bounds can be read.
    pub(crate) fn check_bounds(&self, at: usize, bounds: &Bounds) -> Result<(), Stop> {
        for bound in bounds.above.iter().chain(&bounds.below) {
            if matches!(bound.kind, ExprKind::WaitLevel) {
                continue;
            }
            let value = self.scope(at).value(bound, Some(&self.frame(at).mask))?;
            if let Value::Ref(object) = value {
                let may = object == 0 || self.permission(at, object).is_positive();
                check(may, || Failure::new(Code::InsufficientPermission, bound.span))?;
            }
        }
        Ok(())
    }

    fn limit(&self, at: usize, bound: &Expr) -> Result<Option<Fraction>, Stop> {
        let scope = self.scope(at);
        if matches!(bound.kind, ExprKind::WaitLevel) {
            return Ok(Some(scope.levels()?.into_iter().max().unwrap_or(Fraction::ZERO)));
        }
        match scope.value(bound, None)? {
            Value::Ref(0) => Ok(None),
            value => Ok(Some(scope.position(bound, &value, None)?)),
        }
    }

    /// A position within bounds; without bounds, above everything held.
    pub(crate) fn choose_position(
        &mut self,
        at: usize,
        bounds: &Bounds,
        span: Span,
    ) -> Result<Fraction, Stop> {
        let mut low = Fraction::ZERO;
        for bound in &bounds.above {
            low = low.max(self.limit(at, bound)?.unwrap_or(low));
        }
        let mut high: Option<Fraction> = None;
        for bound in &bounds.below {
            let Some(limit) = self.limit(at, bound)? else { continue };
            let failure = || Failure::new(Code::BoundsOutOfOrder, span).about(bound.span);
            check(low < limit, failure)?;
            high = Some(high.map_or(limit, |high| high.min(limit)));
        }
        if bounds.above.is_empty() && bounds.below.is_empty() {
            low = self.scope(at).levels()?.into_iter().fold(low, Fraction::max);
        }
        let high = match high {
            Some(high) => high,
            None => low.plus(Fraction::new(self.rng.i128(1..5), 1)?)?,
        };
        let share = Fraction::new(self.rng.i128(1..4), 4)?;
        low.plus(high.minus(low)?.times(share)?)
    }

    pub(crate) fn share(&mut self, site: Site<'_>, bounds: &Bounds) -> Result<(), Stop> {
        let object = self.object(site.at, site.object)?;
        self.check_bounds(site.at, bounds)?;
        self.check_writes_mu(site, object)?;
        let unshared = self.heap[object].mu == Fraction::ZERO;
        check(unshared, || Failure::new(Code::AlreadyShared, site.span))?;
        self.heap[object].mu = self.choose_position(site.at, bounds, site.span)?;
        let now = self.moment(site.at);
        let how = Give::new(site.span, Code::MonitorInvariantFailed);
        let kept = self.give_invariant(site.at, object, &now, &how)?;
        self.monitors.entry(object).or_default().kept = kept;
        self.remember_released(site.at, object);
        Ok(())
    }

    pub(crate) fn unshare(&mut self, site: Site<'_>) -> Result<(), Stop> {
        let object = self.object(site.at, site.object)?;
        self.check_held(site, object)?;
        self.check_caller_knows(site, object)?;
        self.check_writes_mu(site, object)?;
        may_move(&self.frame(site.at).old, object, site.span)?;
        self.heap[object].mu = Fraction::ZERO;
        self.threads[site.at].held.write.remove(&object);
        self.monitors.remove(&object);
        Ok(())
    }

    pub(crate) fn reorder(&mut self, site: Site<'_>, bounds: &Bounds) -> Result<(), Stop> {
        let object = self.object(site.at, site.object)?;
        self.check_bounds(site.at, bounds)?;
        self.check_held(site, object)?;
        self.check_writes_mu(site, object)?;
        may_move(&self.frame(site.at).old, object, site.span)?;
        self.heap[object].mu = self.choose_position(site.at, bounds, site.span)?;
        Ok(())
    }

    pub(crate) fn rd_acquire(&mut self, site: Site<'_>) -> Result<(), Stop> {
        let object = self.object(site.at, site.object)?;
        self.check_may_wait(site.at, object, site.span)?;
        let monitor = self.monitors.entry(object).or_default();
        if monitor.writer.is_some() {
            self.threads[site.at].waits_for = Some(object);
            return Err(Stop::Blocked);
        }
        monitor.readers.insert(site.at);
        self.threads[site.at].held.read.insert(object);
        self.check_told(site.at, object, site.span)?;
        self.read_part(site.at, object)?;
        self.remember_acquired(site.at, object);
        Ok(())
    }

    /// A reader takes a part of the permissions that the monitor keeps while nobody reads.
    fn read_part(&mut self, at: usize, object: usize) -> Result<(), Stop> {
        let part = Fraction::new(1, 1 << (11 + self.rng.usize(..2)))?;
        let class = &self.program.classes[self.class_of(object)?.index()];
        let (now, locals) = (self.moment(at), vec![None; class.locals.len()]);
        let read = self.reads.monitor;
        let scope =
            Scope { this: object, old: Some(&now), locals: &locals, read, ..self.scope(at) };
        let taken = permissions(&scope, &class.invariants, Some(part))?;
        let monitor = self.monitors.entry(object).or_default();
        for (key, amount) in taken.iter() {
            monitor.kept.take(key, amount)?;
        }
        self.threads[at].taken.insert(object, part);
        self.receive_all(at, taken)
    }

    pub(crate) fn rd_release(&mut self, site: Site<'_>) -> Result<(), Stop> {
        let object = self.object(site.at, site.object)?;
        let held = self.threads[site.at].held.read.contains(&object);
        check(held, || Failure::new(Code::MonitorNotHeld, site.span))?;
        self.check_caller_knows(site, object)?;
        let scale = self.threads[site.at].taken.get(&object).copied();
        let now = self.moment(site.at);
        let how = Give { scale, ..Give::new(site.span, Code::MonitorInvariantFailed) };
        let given = self.give_invariant(site.at, object, &now, &how)?;
        self.threads[site.at].held.read.remove(&object);
        let monitor = self.monitors.entry(object).or_default();
        monitor.readers.remove(&site.at);
        monitor.kept.add_all(given)?;
        self.remember_released(site.at, object);
        Ok(())
    }

    pub(crate) fn downgrade(&mut self, site: Site<'_>) -> Result<(), Stop> {
        self.release(site)?;
        let object = self.object(site.at, site.object)?;
        self.monitors.entry(object).or_default().readers.insert(site.at);
        self.threads[site.at].held.read.insert(object);
        self.read_part(site.at, object)?;
        self.remember_released(site.at, object);
        Ok(())
    }
}
