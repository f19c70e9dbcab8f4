//! Statements to instructions.

use super::{Compiler, Scope};
use crate::play::code::Op;
use crate::play::store::Value;
use crate::tree::BinaryOp;
use crate::typed::{Case, Catch, Expr, ExprKind, Label, Stmt, StmtKind, Switch, SwitchLabel, Ty};
use source::Span;

impl<'p> Compiler<'p> {
    pub(super) fn stmts(&mut self, stmts: &'p [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Local(local, Some(value)) => {
                self.expr(value);
                self.emit(Op::Store(local.index()), span);
            }
            StmtKind::Local(_, None) | StmtKind::Witness(_) => {}
            StmtKind::Expr(expr) => {
                self.expr(expr);
                self.emit(Op::Pop, span);
            }
            StmtKind::If(cond, then, otherwise) => {
                self.expr(cond);
                let other = self.jump_if(false, span);
                self.stmts(then);
                let after = self.jump(span);
                self.land(other);
                self.stmts(otherwise);
                self.land(after);
            }
            StmtKind::Loop { .. }
            | StmtKind::ForEach { .. }
            | StmtKind::Labelled(..)
            | StmtKind::Switch(..)
            | StmtKind::Synchronized(..)
            | StmtKind::Try { .. } => self.scope_stmt(stmt),
            StmtKind::Return(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Yield(_)
            | StmtKind::Throw(_) => self.jump_stmt(stmt),
            StmtKind::Check(cond) => {
                self.expr(cond);
                self.emit(Op::Check, span);
            }
            StmtKind::Construct { constructor, args } => {
                self.exprs(args);
                self.emit(Op::Construct(*constructor, args.len()), span);
            }
            StmtKind::Init(place, value) => {
                self.assign(place, value);
                self.emit(Op::Pop, span);
            }
            StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Set(..)
            | StmtKind::Atomic(_)
            | StmtKind::Unsupported(_) => self.annotation_stmt(stmt),
        }
    }

    fn annotation_stmt(&mut self, stmt: &'p Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assert(formula) => {
                self.emit(Op::Assert(formula), span);
            }
            StmtKind::Assume(formula) => {
                self.emit(Op::Assume(formula), span);
            }
            StmtKind::Set(place, value) => {
                self.emit(Op::Set(place, value), place.span());
            }
            StmtKind::Atomic(stmts) => {
                self.emit(Op::Atomic, span);
                self.stmts(stmts);
                self.emit(Op::EndAtomic, span);
            }
            StmtKind::Unsupported(what) => {
                self.emit(Op::Unsupported(what), span);
            }
            _ => {}
        }
    }

    fn scope_stmt(&mut self, stmt: &'p Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Loop { label, test_first, cond, body, update, .. } => {
                let test = cond.as_ref().map(|cond| (cond, *test_first));
                self.loop_stmt(*label, test, (body, update), span);
            }
            StmtKind::ForEach { label, local, values, body, .. } => {
                self.for_each((*label, local.index()), values, body, span);
            }
            StmtKind::Labelled(label, stmts) => {
                self.labelled(*label);
                self.stmts(stmts);
                self.end_labelled(None);
            }
            StmtKind::Switch(label, switch) => {
                self.labelled(*label);
                self.switch(switch);
                self.end_labelled(None);
            }
            StmtKind::Synchronized(lock, body) => {
                self.expr(lock);
                self.emit(Op::MustExist(lock.span), lock.span);
                self.monitor(body, lock.span);
            }
            StmtKind::Try { body, catches, finally } if finally.is_empty() => {
                self.try_catch(body, catches, span);
            }
            StmtKind::Try { body, catches, finally } => {
                let handler = self.handler(None, span);
                self.scopes.push(Scope::Finally(finally));
                self.try_catch(body, catches, span);
                self.scopes.pop();
                self.emit(Op::Unhandle, span);
                self.stmts(finally);
                let after = self.jump(span);
                self.land(handler);
                let thrown = self.temp();
                self.emit(Op::Store(thrown), span);
                self.stmts(finally);
                self.emit(Op::Load(thrown), span);
                self.emit(Op::Throw(None), span);
                self.land(after);
            }
            _ => {}
        }
    }

    fn labelled(&mut self, label: Label) {
        let (breaks, continues) = (Vec::new(), Vec::new());
        self.scopes.push(Scope::Labelled { label, breaks, continues });
    }

    /// Lets `break` end here, and `continue` at a place that is known.
    fn end_labelled(&mut self, next: Option<usize>) {
        let Some(Scope::Labelled { breaks, continues, .. }) = self.scopes.pop() else { return };
        for jump in breaks {
            self.land(jump);
        }
        for jump in continues {
            if let (Op::Jump(target), Some(next)) = (&mut self.instrs[jump].op, next) {
                *target = next;
            }
        }
    }

    fn loop_stmt(
        &mut self,
        label: Label,
        test: Option<(&'p Expr, bool)>,
        (body, update): (&'p [Stmt], &'p [Expr]),
        span: Span,
    ) {
        self.labelled(label);
        let skip = match test {
            Some((_, false)) => Some(self.jump(span)),
            _ => None,
        };
        let head = self.here();
        let out = test.map(|(cond, _)| {
            self.expr(cond);
            self.jump_if(false, span)
        });
        if let Some(skip) = skip {
            self.land(skip);
        }
        self.stmts(body);
        let next = self.here();
        for expr in update {
            self.expr(expr);
            self.emit(Op::Pop, expr.span);
        }
        self.emit(Op::Jump(head), span);
        if let Some(out) = out {
            self.land(out);
        }
        self.end_labelled(Some(next));
    }

    fn for_each(
        &mut self,
        (label, local): (Label, usize),
        values: &'p Expr,
        body: &'p [Stmt],
        span: Span,
    ) {
        if !matches!(values.ty, Ty::Array(_)) {
            self.emit(Op::Unsupported("what is iterated over"), span);
            return;
        }
        let (all, at) = (self.temp(), self.temp());
        self.expr(values);
        self.emit(Op::MustExist(values.span), values.span);
        self.emit(Op::Store(all), span);
        self.emit(Op::Push(Value::Int(0)), span);
        self.emit(Op::Store(at), span);
        self.labelled(label);
        let head = self.here();
        self.emit(Op::Load(at), span);
        self.emit(Op::Load(all), span);
        self.emit(Op::Length(span), span);
        self.emit(Op::Binary(BinaryOp::Lt, &INT), span);
        let out = self.jump_if(false, span);
        self.emit(Op::Load(all), span);
        self.emit(Op::Load(at), span);
        self.emit(Op::Index(span, span), span);
        self.emit(Op::Store(local), span);
        self.stmts(body);
        let next = self.here();
        self.emit(Op::Load(at), span);
        self.emit(Op::Push(Value::Int(1)), span);
        self.emit(Op::Binary(BinaryOp::Add, &INT), span);
        self.emit(Op::Store(at), span);
        self.emit(Op::Jump(head), span);
        self.land(out);
        self.end_labelled(Some(next));
    }

    fn jump_stmt(&mut self, stmt: &'p Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
                let kept = (value.is_some() && !self.scopes.is_empty()).then(|| self.temp());
                if let Some(kept) = kept {
                    self.emit(Op::Store(kept), span);
                }
                self.leave(0, span);
                if let Some(kept) = kept {
                    self.emit(Op::Load(kept), span);
                }
                self.emit(Op::Return(value.is_some()), span);
            }
            StmtKind::Break(label) => self.jump_to(*label, false, span),
            StmtKind::Continue(label) => self.jump_to(*label, true, span),
            StmtKind::Yield(value) => {
                self.expr(value);
                let is_value = |scope: &Scope<'_>| matches!(scope, Scope::Value { .. });
                let Some(at) = self.scopes.iter().rposition(is_value) else { return };
                if let Scope::Value { result, .. } = &self.scopes[at] {
                    let result = *result;
                    self.emit(Op::Store(result), span);
                }
                self.leave(at + 1, span);
                let jump = self.jump(span);
                if let Scope::Value { jumps, .. } = &mut self.scopes[at] {
                    jumps.push(jump);
                }
            }
            StmtKind::Throw(value) => {
                self.expr(value);
                self.emit(Op::Throw(Some(value.span)), span);
            }
            _ => {}
        }
    }

    fn jump_to(&mut self, wanted: Label, is_continue: bool, span: Span) {
        let is_it =
            |scope: &Scope<'_>| matches!(scope, Scope::Labelled { label, .. } if *label == wanted);
        let Some(at) = self.scopes.iter().rposition(is_it) else {
            self.emit(Op::Unsupported("a jump"), span);
            return;
        };
        self.leave(at + 1, span);
        let jump = self.jump(span);
        if let Scope::Labelled { breaks, continues, .. } = &mut self.scopes[at] {
            if is_continue { continues.push(jump) } else { breaks.push(jump) }
        }
    }

    fn try_catch(&mut self, body: &'p [Stmt], catches: &'p [Catch], span: Span) {
        if catches.is_empty() {
            return self.stmts(body);
        }
        let handler = self.handler(Some(Vec::new()), span);
        self.scopes.push(Scope::Handled);
        self.stmts(body);
        self.scopes.pop();
        self.emit(Op::Unhandle, span);
        let mut ends = vec![self.jump(span)];
        for catch in catches {
            let here = self.here();
            if let Op::Handle(handler) = &mut self.instrs[handler].op
                && let Some(all) = &mut handler.catches
            {
                all.push((catch.types.clone(), catch.catches_unknown, here));
            }
            self.emit(Op::Store(catch.local.index()), catch.span);
            self.stmts(&catch.body);
            ends.push(self.jump(span));
        }
        for end in ends {
            self.land(end);
        }
    }

    pub(super) fn switch_value(&mut self, switch: &'p Switch, span: Span) {
        let result = self.temp();
        self.scopes.push(Scope::Value { result, jumps: Vec::new() });
        self.switch(switch);
        self.emit(Op::Unsupported("a value without a case"), span);
        if let Some(Scope::Value { jumps, .. }) = self.scopes.pop() {
            for jump in jumps {
                self.land(jump);
            }
        }
        self.emit(Op::Load(result), span);
    }

    fn switch(&mut self, switch: &'p Switch) {
        let span = switch.span;
        let value = self.temp();
        self.expr(&switch.value);
        let is_null = |label: &SwitchLabel| matches!(label, SwitchLabel::Value(value) if matches!(value.kind, ExprKind::Null));
        let has_null = switch.cases.iter().flat_map(|case| &case.labels).any(is_null);
        if switch.value.ty.is_reference() && !has_null {
            self.emit(Op::MustExist(switch.value.span), span);
        }
        self.emit(Op::Store(value), span);
        let entries: Vec<Vec<usize>> =
            switch.cases.iter().map(|case| self.tests(case, value)).collect();
        let is_default =
            |case: &Case| case.labels.iter().any(|label| matches!(label, SwitchLabel::Default));
        let default = switch.cases.iter().position(is_default);
        if default.is_none() && switch.has_types() {
            self.emit(Op::Unsupported("a value without a case"), span);
        }
        let none = self.jump(span);
        let mut ends = Vec::new();
        for (at, (case, entries)) in switch.cases.iter().zip(entries).enumerate() {
            if default == Some(at) {
                self.land(none);
            }
            for entry in entries {
                self.land(entry);
            }
            self.stmts(&case.body);
            if !case.falls_through {
                ends.push(self.jump(case.span));
            }
        }
        if default.is_none() {
            self.land(none);
        }
        for end in ends {
            self.land(end);
        }
    }

    /// Jumps to a case for each of its labels that fits.
    fn tests(&mut self, case: &'p Case, value: usize) -> Vec<usize> {
        let span = case.span;
        let mut entries = Vec::new();
        for label in &case.labels {
            if matches!(label, SwitchLabel::Default) {
                continue;
            }
            self.emit(Op::Load(value), span);
            if let SwitchLabel::Value(constant) | SwitchLabel::Constant(constant) = label {
                self.expr(constant);
            }
            self.emit(Op::Fits(label), span);
            match &case.guard {
                None => entries.push(self.jump_if(true, span)),
                Some(guard) => {
                    let other = self.jump_if(false, span);
                    self.expr(guard);
                    entries.push(self.jump_if(true, span));
                    self.land(other);
                }
            }
        }
        entries
    }
}

/// The type of numbers that count.
static INT: Ty = Ty::Prim(crate::tree::Prim::Int);
