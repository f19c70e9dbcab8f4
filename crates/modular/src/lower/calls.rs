//! Procedure calls: by the callee's specification if it has one, else inlined.

use super::Lowering;
use super::frames::Frame;
use crate::mentions::{self, Touched};
use diagnostic::Code;
use gcl::MarkKind;
use plato::hir::{Expr, LocalId, Place, ProcId, Root, Stmt};
use source::Span;
use std::collections::BTreeSet;
use verdict::{Obligation, StopReason};

impl Lowering<'_> {
    /// Arguments are evaluated in one step, the body runs, results are written in one step.
    pub(super) fn call(&mut self, stmt: &Stmt, callee: ProcId, args: &[Expr], results: &[Place]) {
        // Inside an atomic block all steps of the callee are one: only its body tells which.
        if self.program.procs[callee.index()].spec.is_some() && !self.in_atomic {
            return self.call_abstractly(stmt, callee, args, results);
        }
        if self.frames.calls.contains(&callee) {
            let why = if self.program.procs[callee.index()].spec.is_some() {
                "a recursive procedure inside one step, of which its specification says nothing"
            } else {
                "a recursive procedure needs a specification"
            };
            return self.refuse(stmt, callee, why);
        }
        if self.frames.is_full() {
            return self.refuse(stmt, callee, "inlining all calls makes the thread too large");
        }
        let procedure = &self.program.procs[callee.index()];
        let locals = self.activate(&procedure.body, procedure.name.as_str());
        let end = self.emit.label();
        let frame = Frame { locals, results: procedure.results.clone(), end, exits: Vec::new() };
        self.pass_arguments(stmt, &frame, &procedure.params, args);
        if let Some(spec) = &procedure.spec {
            let scope = self.scope_of(frame.locals.clone());
            self.check_requires(stmt, spec, &scope);
        }
        self.frames.calls.push(callee);
        self.frames.stack.push(frame);
        self.emit.mark(MarkKind::Enter, stmt.span, "");
        if procedure.is_atomic && !self.in_atomic {
            self.reduced(procedure, |this| this.run(&procedure.body));
        } else {
            self.run(&procedure.body);
        }
        self.emit.mark(MarkKind::Leave, stmt.span, "");
        let frame = self.frames.stack.pop().expect("internal error: the frame of the call");
        self.emit.current = Some(stmt.span);
        self.frames.calls.pop();
        self.emit.narrowed = true;
        self.take_results(stmt, &frame, results);
    }

    /// What follows a call that cannot be inlined is not verified, and says so.
    fn refuse(&mut self, stmt: &Stmt, callee: ProcId, why: &str) {
        let unknown = self.frames.refused.insert(callee).then(|| {
            let name = &self.program.procs[callee.index()].name;
            let failed = format!("`{name}` cannot be inlined here");
            let about = Obligation::new(Code::Unsupported, stmt.span, failed);
            (about, StopReason::Unsupported(why.to_owned()))
        });
        let falsity = self.context.terms.bool(false);
        self.emit.give_up(unknown, falsity);
    }

    pub(super) fn pass_arguments(
        &mut self,
        stmt: &Stmt,
        frame: &Frame,
        params: &[LocalId],
        args: &[Expr],
    ) {
        let mut touched = Touched::default();
        args.iter().for_each(|arg| mentions::of_expr(self.program, arg, &mut touched.used));
        let results = &frame.results;
        self.step(stmt.span, &touched, |this| {
            this.check_defined(args);
            let scope = this.scope();
            let mut pairs = Vec::new();
            for (param, arg) in params.iter().zip(args) {
                let symbol = frame.locals[param.index()];
                let ty = this.emit.shown[&symbol].ty.clone();
                this.check_fits(arg, &ty);
                pairs.push((symbol, this.context.term(&scope, arg)));
            }
            this.emit.assign_any(pairs);
            let fresh = results.iter().map(|id| frame.locals[id.index()]).collect();
            this.emit.havoc(fresh);
        });
    }

    pub(super) fn take_results(&mut self, stmt: &Stmt, frame: &Frame, results: &[Place]) {
        if results.is_empty() {
            return;
        }
        let mut touched = Touched::default();
        results.iter().for_each(|place| touched.place(self.program, place));
        self.check_results_mover(stmt.span, &touched);
        self.step(stmt.span, &touched, |this| {
            let mut writes = Vec::new();
            for (place, id) in results.iter().zip(&frame.results) {
                let value = this.context.terms.constant(frame.locals[id.index()]);
                this.check_term_fits(value, place);
                writes.push((place, value));
            }
            this.write(writes);
        });
    }

    /// `return`: writes the results and leaves the procedure, or ends the thread.
    pub(super) fn leave(&mut self, stmt: &Stmt, values: &[Expr]) {
        if !values.is_empty() {
            self.write_results(stmt.span, values);
        }
        let end = self.frames.current().end;
        self.emit.jump(Some(end));
    }

    fn write_results(&mut self, span: Span, values: &[Expr]) {
        let mut used = BTreeSet::new();
        values.iter().for_each(|value| mentions::of_expr(self.program, value, &mut used));
        let touched = Touched { used, ..Touched::default() };
        self.step(span, &touched, |this| {
            this.check_defined(values);
            let scope = this.scope();
            let results = this.frames.current().results.clone();
            let mut pairs = Vec::new();
            for (id, value) in results.into_iter().zip(values) {
                let ty = this.root_ty(Root::Local(id));
                this.check_fits(value, &ty);
                pairs.push((this.root_symbol(Root::Local(id)), this.context.term(&scope, value)));
            }
            this.emit.assign(pairs);
            this.emit.mark(MarkKind::Attempt, span, "");
        });
    }
}
