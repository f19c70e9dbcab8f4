//! Monitors. They count how often their holder entered them.

use super::calm::Held;
use super::lock_kinds::LockKind;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::tree::Prim;
use crate::typed::{Method, Stmt, Ty};
use diagnostic::Code;
use plato::ast::{self, BinaryOp};
use plato::build;
use source::Span;

impl Lowering<'_> {
    fn of_monitor(map: &str, lock: &ast::Expr, span: Span) -> ast::Expr {
        terms::name(map, span).at(lock.clone())
    }

    /// The object whose monitor a `synchronized` method enters.
    pub(super) fn own_monitor(
        &mut self,
        method: &Method,
        this: Option<&ast::Expr>,
        span: Span,
    ) -> Option<ast::Expr> {
        if !method.is_synchronized {
            return None;
        }
        Some(match this {
            Some(this) if !method.is_static => {
                self.note_kind(this, LockKind::Of(method.class));
                this.clone()
            }
            _ => {
                let class = self.program.class(method.class).name.to_string();
                let name = format!("{class}.class");
                let object = self.constant_object(&name, span);
                self.note_kind(&object, LockKind::ClassObject(class));
                object
            }
        })
    }

    /// `synchronized (lock) { body }`
    pub(super) fn synchronized(&mut self, lock: &ast::Expr, body: &[Stmt], span: Span) {
        let object = lock.clone();
        let lock = self.kept("lock", lock.clone(), &Ty::Unknown);
        self.same_lock(&object, &lock);
        self.must_not_be_null(&lock, span);
        self.enter(&lock, span);
        self.held.push(Held::by_block(lock.clone(), object));
        let exit = lock.clone();
        self.with_cleanup(
            span,
            |lowering| lowering.stmts(body),
            |lowering, _| lowering.exit(&exit, span),
        );
        self.held.pop();
    }

    /// Waits until the monitor is free or already held, and enters it.
    pub(super) fn enter(&mut self, lock: &ast::Expr, span: Span) {
        self.used.monitors = true;
        self.changes_monitor(lock);
        let holder = || Self::of_monitor("holder", lock, span);
        let free = holder().equals(terms::int(0, span));
        let held = holder().equals(terms::tid(span));
        let deeper = Self::of_monitor("depth", lock, span).of(BinaryOp::Add, terms::int(1, span));
        let stmts = vec![
            terms::assume(terms::or(vec![free, held], span), span),
            terms::write_all(
                vec![("holder", lock.clone(), terms::tid(span)), ("depth", lock.clone(), deeper)],
                span,
            ),
        ];
        self.step(stmts, span);
    }

    /// Leaves a monitor that was entered in the same block.
    pub(super) fn exit(&mut self, lock: &ast::Expr, span: Span) {
        self.used.monitors = true;
        self.changes_monitor(lock);
        let depth = || Self::of_monitor("depth", lock, span);
        let none = || terms::int(0, span);
        let less = depth().of(BinaryOp::Sub, terms::int(1, span));
        let left = terms::write("holder", vec![lock.clone()], none(), span);
        let stmts = vec![
            self.must_hold(lock, "this leaves a monitor that the thread may not hold", span),
            terms::write("depth", vec![lock.clone()], less, span),
            terms::branch(depth().equals(none()), vec![left], Vec::new(), span),
        ];
        self.step(stmts, span);
    }

    fn must_hold(&mut self, lock: &ast::Expr, failed: &str, span: Span) -> ast::Stmt {
        self.used.monitors = true;
        let held = Self::of_monitor("holder", lock, span).equals(terms::tid(span));
        terms::check(held, fault(Code::MonitorNotHeld, failed), span)
    }

    /// Enters a monitor if that is possible at once; gives whether it was.
    pub(super) fn try_enter(&mut self, lock: &ast::Expr, span: Span) -> ast::Expr {
        self.perhaps(span, |lowering| lowering.enter(lock, span))
    }

    /// Does something or not; gives whether it did.
    pub(super) fn perhaps(&mut self, span: Span, does: impl FnOnce(&mut Self)) -> ast::Expr {
        let got = self.temp("got", build::ty(ast::TypeKind::Bool, span));
        let (then, ()) = self.nested(|lowering| {
            does(lowering);
            let yes = terms::boolean(true, span);
            lowering.push(terms::write(&got, Vec::new(), yes, span));
        });
        // It may fail for no reason that is known here.
        let no = terms::write(&got, Vec::new(), terms::boolean(false, span), span);
        let branches = vec![terms::block(then, span), terms::block(vec![no], span)];
        self.push(build::stmt(ast::StmtKind::Choose(branches), span));
        terms::name(&got, span)
    }

    /// `lock.wait()`: gives the monitor up and takes it again, also without a reason.
    pub(super) fn wait(&mut self, lock: &ast::Expr, span: Span) {
        self.changes_monitor(lock);
        let depth = self.temp("depth", build::ty(ast::TypeKind::Int, span));
        let none = || terms::int(0, span);
        let entered = Self::of_monitor("depth", lock, span);
        let check =
            self.must_hold(lock, "this waits for a monitor that the thread may not hold", span);
        let first = vec![
            check,
            terms::write(&depth, Vec::new(), entered, span),
            terms::write_all(
                vec![("holder", lock.clone(), none()), ("depth", lock.clone(), none())],
                span,
            ),
        ];
        self.step(first, span);
        let mut free = vec![Self::of_monitor("holder", lock, span).equals(none())];
        free.extend(self.nobody_reads(lock, span));
        let second = vec![
            terms::assume(terms::and(free, span), span),
            terms::write_all(
                vec![
                    ("holder", lock.clone(), terms::tid(span)),
                    ("depth", lock.clone(), terms::name(&depth, span)),
                ],
                span,
            ),
        ];
        self.step(second, span);
        self.interrupted(span);
    }

    /// Perhaps the thread is interrupted here.
    pub(super) fn interrupted(&mut self, span: Span) {
        let boolean = Ty::Prim(Prim::Boolean);
        let is_interrupted = self.unknown_value("interrupted", &boolean, span);
        let (throwing, ()) = self.nested(|lowering| {
            lowering.throw_named("java.lang.InterruptedException", span);
        });
        self.push(terms::branch(is_interrupted, throwing, Vec::new(), span));
    }

    pub(super) fn notify(&mut self, lock: &ast::Expr, span: Span) {
        let check = self.must_hold(
            lock,
            "this wakes waiters of a monitor that the thread may not hold",
            span,
        );
        self.push(check);
    }
}
