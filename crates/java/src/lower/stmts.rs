//! Statements.

use super::control::{Scope, Target};
use super::loops::Loop;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::typed::{
    Case, Expr, ExprKind, Label, Place, Stmt, StmtKind, Switch, SwitchLabel, Ty, walk,
};
use diagnostic::Code;
use plato::ast;
use source::Span;

impl Lowering<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        let held = self.held.len();
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.held.truncate(held);
    }

    /// The body of a method that is written in place of a call. A `return` at its end is no jump.
    pub(super) fn body(&mut self, stmts: &[Stmt]) {
        let held = self.held.len();
        match stmts.split_last() {
            Some((Stmt { kind: StmtKind::Return(value), span }, first)) => {
                first.iter().for_each(|stmt| self.stmt(stmt));
                self.result(value.as_ref(), *span);
            }
            _ => stmts.iter().for_each(|stmt| self.stmt(stmt)),
        }
        self.held.truncate(held);
    }

    /// Computes what a method gives.
    fn result(&mut self, value: Option<&Expr>, span: Span) {
        let value = value.map(|value| self.value(value));
        if let (Some(value), Some(result)) = (value, self.frame().result.clone()) {
            self.push(terms::write(&result, Vec::new(), value, span));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Local(local, value) => {
                let name = self.local_name(*local).to_owned();
                if let Some(value) = value {
                    let is_new = matches!(value.kind, ExprKind::NewArray(_) | ExprKind::ArrayOf(_));
                    let value = self.value(value);
                    self.note_private_local(*local, &value);
                    self.note_array(*local, &value, is_new);
                    self.push(terms::write(&name, Vec::new(), value, span));
                }
            }
            StmtKind::Expr(expr) => {
                self.value(expr);
            }
            StmtKind::If(cond, then, otherwise) => {
                let cond = self.value(cond);
                let (then, ()) = self.nested(|lowering| lowering.stmts(then));
                let (otherwise, ()) = self.nested(|lowering| lowering.stmts(otherwise));
                self.push(terms::branch(cond, then, otherwise, span));
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
                let cond = self.value(cond);
                let told = fault(Code::AssertionFailed, "this assertion can fail");
                self.push(terms::check(cond, told, span));
            }
            StmtKind::Construct { constructor, args } => {
                let args = self.args(args);
                let this = self.this(span);
                self.construct(*constructor, this, args, span);
            }
            StmtKind::Init(place, value) => {
                let ty = value.ty.clone();
                let at = self.place(place, &ty);
                let value = self.value(value);
                self.write(&at, value, &ty);
            }
            StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Set(..)
            | StmtKind::Witness(_)
            | StmtKind::Atomic(_) => self.annotation_stmt(stmt),
            StmtKind::Unsupported(what) => self.unsupported(what, span),
        }
    }

    /// Statements that jumps from inside end at or must get through.
    fn scope_stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Loop { label, spec, test_first, cond, body, update } => {
                let cond = cond.as_ref().map(|cond| (cond, *test_first));
                let looping = Loop { label: *label, spec, body, span };
                self.loop_stmt(&looping, cond, update);
            }
            StmtKind::ForEach { label, spec, local, values, body } => {
                let looping = Loop { label: *label, spec, body, span };
                self.for_each(&looping, *local, values);
            }
            StmtKind::Labelled(label, stmts) => {
                self.left_by_break(*label, span, |lowering| lowering.stmts(stmts));
            }
            StmtKind::Switch(label, switch) => {
                self.left_by_break(*label, span, |lowering| lowering.switch(switch, None));
            }
            StmtKind::Synchronized(lock, _) if self.is_hidden_monitor(lock) => {
                self.unsupported("the monitor of a lock", lock.span);
            }
            StmtKind::Synchronized(lock, body) => {
                let value = self.lock_value(lock);
                self.note_lock(lock, &value);
                self.synchronized(&value, body, lock.span);
            }
            StmtKind::Try { body, catches, finally } if finally.is_empty() => {
                self.try_catch(body, catches, span);
            }
            StmtKind::Try { body, catches, finally } => self.with_cleanup(
                span,
                |lowering| lowering.try_catch(body, catches, span),
                |lowering, _| lowering.stmts(finally),
            ),
            _ => unreachable!("internal error: no scope of jumps"),
        }
    }

    /// Statements after which control goes on elsewhere.
    fn jump_stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Return(value) => {
                self.result(value.as_ref(), span);
                let frame = self.frames.len() - 1;
                self.jump(Target::Return(frame), span);
            }
            StmtKind::Break(label) => self.jump(Target::Break(*label, self.frames.len()), span),
            StmtKind::Continue(label) => {
                self.jump(Target::Continue(*label, self.frames.len()), span);
            }
            StmtKind::Yield(value) => {
                let value = self.value(value);
                if let Some((result, label)) = self.yields.last().cloned() {
                    self.push(terms::write(&result, Vec::new(), value, span));
                    self.jump(Target::Break(label, self.frames.len()), span);
                }
            }
            StmtKind::Throw(value) => {
                let thrown = self.value(value);
                let thrown = self.steady(thrown, &value.ty);
                self.must_exist(value, &thrown);
                self.throw(thrown, span);
            }
            _ => unreachable!("internal error: no jump"),
        }
    }

    /// Statements that stand in annotations.
    fn annotation_stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assert(formula) => {
                let cond = self.formula_here(formula);
                let told = fault(Code::AssertionFailed, "this assertion can fail");
                self.push(terms::check(cond, told, span));
            }
            StmtKind::Assume(formula) => {
                let cond = self.formula_here(formula);
                self.push(terms::assume(cond, span));
                // In the library, it says when a method goes on.
                if self.is_in_program() {
                    self.assume_silently(span, "the formula of an `assume`");
                }
            }
            StmtKind::Set(place, value) => {
                let at = self.place(place, &value.expr.ty);
                let is_thread = self.sort_of(place) == Some(Ty::Thread);
                let value = match &value.expr.kind {
                    ExprKind::Null if is_thread => terms::int(0, span),
                    _ => self.formula_here(value),
                };
                self.ghost_write(&at, value);
            }
            StmtKind::Witness(name) => self.witness = Some((name.clone(), span)),
            StmtKind::Atomic(stmts) => {
                if self.in_atomic {
                    return self.stmts(stmts);
                }
                let leaves = |stmt: &Stmt| {
                    use StmtKind::{Break, Continue, Return, Throw};
                    matches!(stmt.kind, Return(_) | Throw(_) | Break(_) | Continue(_))
                };
                let mut is_left = false;
                walk::all(stmts, &mut |stmt| is_left |= leaves(stmt));
                if is_left {
                    return self.unsupported("a jump out of what stands in `{{ }}`", span);
                }
                self.in_atomic = true;
                self.steps_in_atomic = 0;
                let (stmts, ()) = self.nested(|lowering| lowering.stmts(stmts));
                self.in_atomic = false;
                // One step of Java and ghosts are one step, whoever says so.
                if self.is_in_program() && self.steps_in_atomic > 1 {
                    self.assume_silently(span, "what stands between `{{` and `}}` is one step");
                }
                self.push(terms::atomic(stmts, span));
                self.note_performed();
            }
            _ => unreachable!("internal error: no statement of an annotation"),
        }
    }

    /// The type of a ghost, or of its entries.
    fn sort_of(&self, place: &Place) -> Option<Ty> {
        match place {
            Place::Field(_, field, _) | Place::Static(field, _) => {
                Some(self.program.field(*field).ty.clone())
            }
            Place::MapAt(inner, _, _) => match self.sort_of(inner)? {
                Ty::Map(_, value) => Some(*value),
                _ => None,
            },
            Place::Local(..) | Place::Index(..) => None,
        }
    }

    /// Whether the code that is being written stands in the program, not in the library.
    pub(super) fn is_in_program(&self) -> bool {
        let method = self.frames.last().and_then(|frame| frame.method);
        method.is_some_and(|id| self.is_checked(self.program.method(id).class))
    }

    /// Writes something that `break` can leave.
    pub(super) fn left_by_break(
        &mut self,
        label: Label,
        span: Span,
        write: impl FnOnce(&mut Self),
    ) {
        let leave = self.new_label("left");
        let frame = self.frames.len();
        self.scopes.push(Scope::Labelled { label, frame, leave: leave.clone(), next: None });
        let (stmts, ()) = self.nested(write);
        self.scopes.pop();
        self.push(terms::labelled(&leave, stmts, span));
    }

    pub(super) fn switch_value(&mut self, switch: &Switch, ty: &Ty, span: Span) -> ast::Expr {
        let sort = terms::sort(ty, span);
        let result = self.temp("value", sort);
        // Labels of a body count from zero; this one is none of them.
        self.yield_labels += 1;
        let label = Label(u32::MAX - self.yield_labels);
        self.yields.push((result.clone(), label));
        self.left_by_break(label, span, |lowering| lowering.switch(switch, Some(span)));
        self.yields.pop();
        terms::name(&result, span)
    }

    /// The cases one after the other: one is entered if it fits and none was, or if the one before
    /// falls through.
    fn switch(&mut self, switch: &Switch, is_value: Option<Span>) {
        let span = switch.span;
        let value = self.value(&switch.value);
        let value = self.steady(value, &switch.value.ty);
        let has_null = switch.cases.iter().flat_map(|case| &case.labels).any(|label| {
            matches!(label, SwitchLabel::Value(value) if matches!(value.kind, ExprKind::Null))
        });
        if switch.value.ty.is_reference() && !has_null {
            self.must_not_be_null(&value, switch.value.span);
        }
        let state = self.temp("case", plato::build::ty(ast::TypeKind::Int, span));
        // The number of the case that is entered.
        let mut chain: Vec<ast::Stmt> = Vec::new();
        let count = switch.cases.len();
        let number = |at: usize| terms::int(i128::try_from(at).unwrap_or(i128::MAX), span);
        let default = switch
            .cases
            .iter()
            .position(|case| case.labels.iter().any(|label| matches!(label, SwitchLabel::Default)));
        let none = number(default.unwrap_or(count));
        self.push(terms::write(&state, Vec::new(), none, span));
        for (at, case) in switch.cases.iter().enumerate().rev() {
            let (tests, cond) = self.nested(|lowering| lowering.fits(case, &value, span));
            let enters = terms::write(&state, Vec::new(), number(at), case.span);
            let mut stmts = tests;
            stmts.push(terms::branch(cond, vec![enters], chain, case.span));
            chain = stmts;
        }
        self.out.extend(chain);
        if default.is_none() && switch.has_types() {
            // What is inside of a record may be `null` all the same.
            let (thrown, ()) = self.nested(|lowering| lowering.throw_any(None, span));
            let is_none = terms::name(&state, span).equals(number(count));
            self.push(terms::branch(is_none, thrown, Vec::new(), span));
        }
        for (at, case) in switch.cases.iter().enumerate() {
            let (mut body, ()) = self.nested(|lowering| lowering.stmts(&case.body));
            let next = if case.falls_through { number(at + 1) } else { number(count) };
            body.push(terms::write(&state, Vec::new(), next, case.span));
            let is_here = terms::name(&state, case.span).equals(number(at));
            self.push(terms::branch(is_here, body, Vec::new(), case.span));
        }
        if let Some(span) = is_value {
            // A switch expression has a case for every value.
            self.push(terms::assume(terms::boolean(false, span), span));
        }
    }

    /// Whether a value fits a case.
    fn fits(&mut self, case: &Case, value: &ast::Expr, span: Span) -> ast::Expr {
        let mut ways = Vec::new();
        for label in &case.labels {
            match label {
                SwitchLabel::Default => {}
                SwitchLabel::Value(constant) if matches!(constant.ty, Ty::Class(_)) => {
                    // Strings are compared by what they say.
                    self.value(constant);
                    ways.push(self.unknown_value(
                        "same",
                        &Ty::Prim(crate::tree::Prim::Boolean),
                        span,
                    ));
                }
                SwitchLabel::Value(constant) | SwitchLabel::Constant(constant) => {
                    let constant = self.value(constant);
                    ways.push(value.clone().equals(constant));
                }
                SwitchLabel::Type(ty, local) => {
                    let is_it = self.is_of_type(value, ty, span);
                    if let Some(local) = local {
                        let local = self.local_name(*local).to_owned();
                        self.push(terms::write(&local, Vec::new(), value.clone(), span));
                    }
                    ways.push(is_it);
                }
                SwitchLabel::Unsupported(what) => self.unsupported(what, span),
            }
        }
        let fits = terms::or(ways, span);
        match &case.guard {
            None => fits,
            Some(guard) => {
                let (mut stmts, holds) = self.nested(|lowering| lowering.value(guard));
                if stmts.is_empty() {
                    return terms::and(vec![fits, holds], span);
                }
                let result = self.temp("test", plato::build::ty(ast::TypeKind::Bool, span));
                self.push(terms::write(&result, Vec::new(), fits, span));
                stmts.push(terms::write(&result, Vec::new(), holds, span));
                self.push(terms::branch(terms::name(&result, span), stmts, Vec::new(), span));
                terms::name(&result, span)
            }
        }
    }
}
