//! Condition variables. A condition is the set of the threads that wait for it. A thread that waits
//! joins the set and releases the lock in one step; it goes on once somebody took it out and the
//! lock is free. So nobody wakes up for no reason, and a signal while nobody waits is lost.

use super::terms::{assign, both, element, member, not, step, tid, without};
use super::{Resolver, fault};
use crate::ast;
use crate::hir::{BinaryOp, Expr, ExprKind, Local, LocalId, Place, Root, Stmt, StmtKind, Ty};
use diagnostic::Code;
use source::{Name, Span};

impl Resolver {
    /// `wait c with m`:
    ///
    /// ```text
    /// atomic { c := c + {tid}; release m; }
    /// atomic { assume !(tid in c); acquire m; }
    /// ```
    pub(super) fn wait(
        &mut self,
        condition: &ast::Place,
        lock: &ast::Place,
        span: Span,
    ) -> Option<StmtKind> {
        if self.scope.in_atomic {
            self.misplaced(
                span,
                "`wait` in an `atomic` block",
                "takes two steps, so that others may step in between",
                "wait before or after the block",
            );
            return None;
        }
        let condition = self.condition(condition);
        let lock = self.lock(lock);
        let (condition, lock) = (condition?, lock?);
        for place in [&condition, &lock] {
            self.steady_indices(place)?;
        }
        let set = self.value_at(&condition);
        let with_me = both(BinaryOp::Union, set.clone(), only(tid(span)));
        let join =
            vec![assign(condition, with_me, span), step(StmtKind::Release(lock.clone()), span)];
        let is_out = not(member(tid(span), set));
        let leave = vec![step(StmtKind::Assume(is_out), span), step(StmtKind::Acquire(lock), span)];
        let steps = [join, leave].map(|stmts| step(StmtKind::Atomic(stmts), span));
        Some(StmtKind::Block(steps.into()))
    }

    /// `signal c` takes any thread out of the set, if there is one:
    ///
    /// ```text
    /// atomic { if (c != {}) { havoc t; assume t in c; c := c - {t}; } }
    /// ```
    pub(super) fn signal(&mut self, condition: &ast::Place, span: Span) -> Option<StmtKind> {
        let condition = self.condition(condition)?;
        let set = self.value_at(&condition);
        let woken = self.unnamed_local(Ty::Tid, span);
        let one = self.value_at(&woken);
        let nobody = Expr { kind: ExprKind::Set(Vec::new()), ty: set.ty.clone(), span };
        let cond = both(BinaryOp::Ne, set.clone(), nobody);
        let then = vec![
            step(StmtKind::Havoc(vec![woken]), span),
            step(StmtKind::Assume(member(one.clone(), set.clone())), span),
            assign(condition, without(set, one), span),
        ];
        let kind = StmtKind::If { cond: Some(cond), then, otherwise: Vec::new() };
        Some(self.one_step(vec![step(kind, span)]))
    }

    /// `broadcast c` is `c := {}`.
    pub(super) fn broadcast(&mut self, condition: &ast::Place, span: Span) -> Option<StmtKind> {
        let condition = self.condition(condition)?;
        let nobody = Expr { kind: ExprKind::Set(Vec::new()), ty: condition.ty.clone(), span };
        Some(StmtKind::Assign(vec![(condition, nobody)]))
    }

    fn condition(&mut self, place: &ast::Place) -> Option<Place> {
        let place = self.place(place)?;
        if place.ty == Ty::Set(Box::new(Ty::Tid)) && matches!(place.root, Root::Global(_)) {
            return Some(place);
        }
        let message = format!("expected a condition, found `{}`", self.show(&place.ty));
        let error = fault(Code::TypeMismatch, place.span, message)
            .at("a condition is a shared set of the threads that wait for it")
            .help("declare it with `condition c;`, or give it type `set<Tid>`");
        self.report(error);
        None
    }

    /// Waiting takes two steps, which must be about the same condition and the same lock.
    fn steady_indices(&mut self, place: &Place) -> Option<()> {
        let changing = place.indices.iter().find(|index| mentions_shared(index));
        let Some(index) = changing else { return Some(()) };
        self.misplaced(
            index.span,
            "an index that others may change",
            "which one is meant after waiting?",
            "keep the index in a local variable before",
        );
        None
    }

    /// Statements that are one step together, also inside of a larger one.
    pub(super) fn one_step(&self, stmts: Vec<Stmt>) -> StmtKind {
        if self.scope.in_atomic { StmtKind::Block(stmts) } else { StmtKind::Atomic(stmts) }
    }

    /// A variable of the code that has no name in it, and is not shown.
    pub(super) fn unnamed_local(&mut self, ty: Ty, span: Span) -> Place {
        let id = LocalId::from_index(self.scope.locals.len());
        self.scope.locals.push(Local { name: Name::from(""), ty: ty.clone(), span });
        Place { root: Root::Local(id), indices: Vec::new(), ty, span }
    }

    /// The value at a place.
    pub(super) fn value_at(&self, place: &Place) -> Expr {
        let ty = match place.root {
            Root::Global(id) => self.program.globals[id.index()].ty.clone(),
            Root::Local(id) => self.scope.locals[id.index()].ty.clone(),
        };
        let kind = ExprKind::Var { root: place.root, primed: false };
        let variable = Expr { kind, ty, span: place.span };
        place.indices.iter().fold(variable, |map, key| element(map, key.clone()))
    }
}

fn only(thread: Expr) -> Expr {
    let span = thread.span;
    Expr { kind: ExprKind::Set(vec![thread]), ty: Ty::Set(Box::new(Ty::Tid)), span }
}

fn mentions_shared(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Var { root: Root::Global(_), .. } | ExprKind::Pred { .. })
        || expr.children().into_iter().any(mentions_shared)
}
