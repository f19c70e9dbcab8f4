//! Locks that several threads hold for reading, or one for writing. The holder of the monitor of
//! the whole lock is the thread that writes; beside it, it is counted how often each thread reads.

use super::calls::Call;
use super::calm::Held;
use super::library::{Effect, is_read_write_lock};
use super::protect::Lock;
use super::terms::{self, Term as _, forall};
use super::{Lowering, fault};
use crate::typed::{Expr, ExprKind, Ty};
use diagnostic::Code;
use plato::ast::{self, BinaryOp, Item, Stmt};
use plato::build;
use source::Span;

/// How often each thread holds each lock for reading.
pub(super) const READS: &str = "reads";

/// A side of such a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Read,
    Write,
}

/// How often a thread holds a lock for reading.
fn reads(lock: &ast::Expr, thread: ast::Expr, is_primed: bool, span: Span) -> ast::Expr {
    terms::variable(READS, is_primed, span).at(lock.clone()).at(thread)
}

impl Lowering<'_> {
    /// The side of a lock that an expression gives, by its type or by what its field gets.
    pub(super) fn side(&self, lock: &Expr) -> Option<Side> {
        let by_type = match &lock.ty {
            Ty::Class(class) => super::library::side(self.program, *class),
            _ => None,
        };
        by_type.or_else(|| match &lock.kind {
            ExprKind::Field(_, field) | ExprKind::Static(field) => {
                self.protections.sides.get(field).copied()
            }
            _ => None,
        })
    }

    /// The whole lock that a side belongs to.
    pub(super) fn whole_lock(&mut self, side: &ast::Expr, of: Side, span: Span) -> ast::Expr {
        let Some(field) = super::library::field_of_side(self.program, of) else {
            return terms::null(span);
        };
        self.used.fields.insert(field);
        terms::name(&self.field_name(field), span).at(side.clone())
    }

    /// What methods of a side of a lock do.
    pub(super) fn side_effect(&mut self, effect: Effect, side: Side, call: &Call<'_>) -> ast::Expr {
        let span = call.span;
        if self.is_compared {
            self.unsupported("a lock for readers in a method with actions", span);
            return terms::zero(call.ty, span);
        }
        self.used.monitors = true;
        self.used.reads = true;
        let object = call.receiver.clone().unwrap_or_else(|| terms::null(span));
        let lock = self.whole_lock(&object, side, span);
        let lock = self.kept("value", lock, &Ty::Unknown);
        match effect {
            Effect::EnterOrInterrupted | Effect::TryEnterOrInterrupted => self.interrupted(span),
            _ => {}
        }
        match (effect, side) {
            (Effect::Exit, Side::Read) => self.leave_reading(&lock, span),
            (Effect::Exit, Side::Write) => {
                self.held.retain(|held| !super::effects::same(&held.lock, &lock));
                self.held.iter_mut().for_each(Held::doubt);
                self.exit(&lock, span);
            }
            (Effect::TryEnter | Effect::TryEnterOrInterrupted, _) => {
                let got = self.perhaps(span, |lowering| lowering.enter_side(&lock, side, span));
                self.held.iter_mut().for_each(Held::doubt);
                return got;
            }
            _ => self.enter_side(&lock, side, span),
        }
        terms::int(0, span)
    }

    fn enter_side(&mut self, lock: &ast::Expr, side: Side, span: Span) {
        match side {
            Side::Read => self.enter_reading(lock, span),
            Side::Write => {
                self.enter_writing(lock, span);
                self.held.push(Held::by_call(lock.clone()));
            }
        }
    }

    /// Waits until nobody else writes, and reads once more.
    fn enter_reading(&mut self, lock: &ast::Expr, span: Span) {
        let holder = || terms::name("holder", span).at(lock.clone());
        let free = holder().equals(terms::int(0, span));
        let own = holder().equals(terms::tid(span));
        let more = reads(lock, terms::tid(span), false, span);
        let more = more.of(BinaryOp::Add, terms::int(1, span));
        let stmts = vec![
            terms::assume(terms::or(vec![free, own], span), span),
            terms::write(READS, vec![lock.clone(), terms::tid(span)], more, span),
        ];
        self.step(stmts, span);
        self.reading.push(lock.clone());
    }

    fn leave_reading(&mut self, lock: &ast::Expr, span: Span) {
        let count = || reads(lock, terms::tid(span), false, span);
        let some = count().of(BinaryOp::Gt, terms::int(0, span));
        let told = fault(Code::MonitorNotHeld, "this leaves a lock that the thread may not hold");
        let less = count().of(BinaryOp::Sub, terms::int(1, span));
        let stmts = vec![
            terms::check(some, told, span),
            terms::write(READS, vec![lock.clone(), terms::tid(span)], less, span),
        ];
        self.step(stmts, span);
        self.reading.retain(|held| !super::effects::same(held, lock));
    }

    /// Waits until nobody else reads or writes. A thread that reads itself waits forever, unless it
    /// writes already.
    fn enter_writing(&mut self, lock: &ast::Expr, span: Span) {
        self.changes_monitor(lock);
        let holder = || terms::name("holder", span).at(lock.clone());
        let mut free = vec![holder().equals(terms::int(0, span))];
        free.extend(self.nobody_reads(lock, span));
        let free = terms::and(free, span);
        let own = holder().equals(terms::tid(span));
        let deeper = terms::name("depth", span).at(lock.clone());
        let deeper = deeper.of(BinaryOp::Add, terms::int(1, span));
        let stmts: Vec<Stmt> = vec![
            terms::assume(terms::or(vec![free, own], span), span),
            terms::write_all(
                vec![("holder", lock.clone(), terms::tid(span)), ("depth", lock.clone(), deeper)],
                span,
            ),
        ];
        self.step(stmts, span);
    }

    /// That nobody reads under a lock, if it matters who does.
    pub(super) fn nobody_reads(&self, lock: &ast::Expr, span: Span) -> Option<ast::Expr> {
        let none = reads(lock, terms::name("$t", span), false, span).equals(terms::int(0, span));
        let tid = build::ty(ast::TypeKind::Tid, span);
        self.used.reads.then(|| forall(&[("$t", tid)], none, span))
    }

    /// Whether what guards a field may be held by several readers.
    pub(super) fn is_shared_lock(&self, lock: &Lock) -> bool {
        let is_it = |ty: &Ty| match ty {
            Ty::Class(class) => is_read_write_lock(self.program, *class),
            _ => false,
        };
        match lock {
            Lock::Of(field) | Lock::Static(field) => {
                is_it(&self.program.field(*field).ty)
                    || self.protections.sides.get(field) == Some(&Side::Read)
            }
            Lock::Written(at) => {
                let written = &self.protections.written[*at];
                is_it(&written.ty) || self.side(written) == Some(Side::Read)
            }
            Lock::Itself | Lock::Class(_) => false,
        }
    }

    /// The side of a lock that guards a field.
    pub(super) fn side_of_guard(&self, lock: &Lock) -> Option<Side> {
        match lock {
            Lock::Of(field) | Lock::Static(field) => {
                self.protections.sides.get(field).copied().or_else(|| {
                    match &self.program.field(*field).ty {
                        Ty::Class(class) => super::library::side(self.program, *class),
                        _ => None,
                    }
                })
            }
            Lock::Written(at) => self.side(&self.protections.written[*at]),
            Lock::Itself | Lock::Class(_) => None,
        }
    }

    /// That this thread holds the lock of an object at least for reading.
    pub(super) fn held_for_reading(
        &mut self,
        lock: &Lock,
        object: &ast::Expr,
        span: Span,
    ) -> ast::Expr {
        let writes = self.held(lock, object, span);
        if !self.is_shared_lock(lock) {
            return writes;
        }
        self.used.reads = true;
        let lock = self.lock(lock, object, span);
        let count = reads(&lock, terms::tid(span), false, span);
        terms::or(vec![writes, count.of(BinaryOp::Gt, terms::int(0, span))], span)
    }

    /// What holds of every heap with such locks.
    pub(super) fn always_true_of_reads(&self, span: Span) -> Vec<ast::Expr> {
        if !self.used.reads {
            return Vec::new();
        }
        let (r, t) = (|| terms::name("$r", span), || terms::name("$t", span));
        let tid = || build::ty(ast::TypeKind::Tid, span);
        let all =
            |body: ast::Expr| forall(&[("$r", terms::reference(span)), ("$t", tid())], body, span);
        let none = || terms::int(0, span);
        let counted = reads(&r(), t(), false, span).of(BinaryOp::Ge, none());
        let holder = || terms::name("holder", span).at(r());
        let other = terms::and(vec![holder().differs(none()), holder().differs(t())], span);
        let nobody = reads(&r(), t(), false, span).equals(none());
        vec![all(counted), all(other.implies(nobody))]
    }

    /// Others do not read for this thread.
    pub(super) fn relied_on_of_reads(&self, items: &mut Vec<Item>, span: Span) {
        if self.used.reads {
            let own =
                |is_primed| reads(&terms::name("$r", span), terms::tid(span), is_primed, span);
            let same = own(true).equals(own(false));
            let all = forall(&[("$r", terms::reference(span))], same, span);
            items.push(terms::rely(None, all, span));
        }
    }
}
