//! Calls. Without a contract, a call stands for the body of the method.

use super::library::{Effect, effect, is_exclusive_lock, is_lock};
use super::roots::is_inner;
use super::specified::is_specified;
use super::terms::{self, Term as _};
use super::{Frame, Lowering, fault};
use crate::typed::{Callee, ClassId, Expr, ExprKind, MethodId, Ty};
use diagnostic::Code;
use plato::ast::{self, Stmt};
use source::Span;
use std::collections::BTreeMap;

/// How deep calls are followed.
const MAX_DEPTH: usize = 24;

/// How many variables a method may need before calls are no longer followed.
const MAX_LOCALS: usize = 3_000;

/// A call whose receiver and arguments were computed.
pub(super) struct Call<'c> {
    pub(super) receiver: Option<ast::Expr>,
    pub(super) args: Vec<ast::Expr>,
    /// The type of the result.
    pub(super) ty: &'c Ty,
    pub(super) span: Span,
}

impl Lowering<'_> {
    /// The values of arguments, from left to right.
    pub(super) fn args(&mut self, args: &[Expr]) -> Vec<ast::Expr> {
        let mut values = Vec::new();
        for arg in args {
            let value = self.value(arg);
            values.push(self.steady(value, &arg.ty));
        }
        values
    }

    pub(super) fn call(&mut self, callee: &Callee, ty: &Ty, span: Span) -> ast::Expr {
        let receiver = callee.receiver.as_ref().map(|receiver| {
            let value = self.value(receiver);
            self.steady(value, &receiver.ty)
        });
        let args = self.args(&callee.args);
        if let (Some(receiver), Some(value)) = (&callee.receiver, &receiver) {
            self.must_exist(receiver, value);
        }
        let call = Call { receiver, args, ty, span };
        let Some(method) = callee.method else {
            let text = format!("nothing is known of the method `{}`", callee.name);
            let value = self.opaque_call(&call, text);
            self.may_throw(span);
            return value;
        };
        if let Some(effect) = effect(self.program, method) {
            return match self.no_effect(method, effect, callee) {
                None if effect == Effect::ArrayCopy => self.array_copy(callee, &call),
                None => self.effect(effect, &call),
                Some(why) => {
                    self.unsupported(&why, span);
                    terms::zero(ty, span)
                }
            };
        }
        self.requires(method, call.receiver.as_ref(), &call.args, span);
        if is_specified(self.program, method) {
            if callee.is_virtual && self.program.method(method).spec.summary.is_some() {
                self.required_below(method, &call);
            }
            return self.specified_call(method, &call);
        }
        let targets = self.targets(method, callee.is_virtual);
        let is_open = callee.is_virtual && self.program.method(method).body.is_none();
        if is_open && self.is_checked(self.program.method(method).class) {
            let text = "no class that is not read implements the method called here";
            self.assume_silently(span, text);
        }
        match targets.as_slice() {
            [] => self.library_call(method, &call),
            // Objects of a class of the library have a method of their own.
            _ if is_open && !self.is_checked(self.program.method(method).class) => {
                self.dispatch_call((method, &targets), Some(method), &call)
            }
            [(target, _)] => self.overriding((method, *target), call.receiver, call.args, span),
            _ => self.dispatch_call((method, &targets), None, &call),
        }
    }

    /// Asks for what the methods require that a call with a summary may run instead.
    fn required_below(&mut self, method: MethodId, call: &Call<'_>) {
        let program = self.program;
        let Some(object) = &call.receiver else { return };
        for id in &program.method(method).overridden_by {
            let below = program.method(*id);
            if below.spec.requires.is_empty() && below.spec.non_null_params.is_empty() {
                continue;
            }
            let (checks, ()) = self.nested(|lowering| {
                lowering.requires(*id, Some(object), &call.args, call.span);
            });
            let is_it = self.is_instance(object, below.class);
            self.push(terms::branch(is_it, checks, Vec::new(), call.span));
        }
    }

    /// Why the language does not say what a call does, if it does not.
    fn no_effect(&self, method: MethodId, effect: Effect, callee: &Callee) -> Option<String> {
        let name = self.program.method_name(method);
        let is_checked = |id: &MethodId| self.is_checked(self.program.method(*id).class);
        if self.program.method(method).overridden_by.iter().any(is_checked) {
            return Some(format!("a call of `{name}`, which a class of the program overrides"));
        }
        let receiver = callee.receiver.as_ref()?;
        match effect {
            Effect::Enter
            | Effect::EnterOrInterrupted
            | Effect::Exit
            | Effect::TryEnter
            | Effect::TryEnterOrInterrupted
                if !self.is_exclusive(receiver) =>
            {
                Some("a lock of a class that is not known".to_owned())
            }
            Effect::Wait | Effect::Notify if self.is_hidden_monitor(receiver) => {
                Some("the monitor of a lock".to_owned())
            }
            _ => None,
        }
    }

    /// Whether an expression gives a lock that one thread holds at a time.
    fn is_exclusive(&self, lock: &Expr) -> bool {
        let by_type = match &lock.ty {
            Ty::Class(class) => is_exclusive_lock(self.program, *class),
            _ => false,
        };
        by_type
            || match &lock.kind {
                ExprKind::Field(_, field) | ExprKind::Static(field) => {
                    self.protections.exclusive_locks.contains(field)
                }
                _ => false,
            }
    }

    /// Whether an object is a lock whose monitor the program uses beside it. Rely keeps one holder
    /// for both, so that annotations speak of them in the same way.
    pub(super) fn is_hidden_monitor(&self, lock: &Expr) -> bool {
        self.is_in_program() && matches!(lock.ty, Ty::Class(class) if is_lock(self.program, class))
    }

    /// The bodies that a call may run, each with the classes of objects for which it does.
    fn targets(&self, method: MethodId, is_virtual: bool) -> Vec<(MethodId, ClassId)> {
        let about = self.program.method(method);
        let own = about.body.is_some().then_some((method, about.class));
        if !is_virtual {
            return own.into_iter().collect();
        }
        let mut all: Vec<(MethodId, ClassId)> = own.into_iter().collect();
        for other in &about.overridden_by {
            let other_about = self.program.method(*other);
            if other_about.body.is_some() {
                all.push((*other, other_about.class));
            }
        }
        all
    }

    /// Chooses by the class of the receiver: the lowest class that has the method.
    /// Objects of other classes run the method of the library, if that is given.
    fn dispatch_call(
        &mut self,
        (called, targets): (MethodId, &[(MethodId, ClassId)]),
        otherwise: Option<MethodId>,
        call: &Call<'_>,
    ) -> ast::Expr {
        let Call { receiver, args, ty, span } = call;
        let (ty, span) = (*ty, *span);
        let Some(object) = receiver else { return terms::zero(ty, span) };
        let sort = terms::sort(ty, span);
        let result = self.temp("result", sort);
        // Lower classes first, so that the first one that fits is right.
        let mut order: Vec<(MethodId, ClassId)> = targets.to_vec();
        let height = |class: ClassId| {
            targets.iter().filter(|(_, other)| self.program.is_subclass(class, *other)).count()
        };
        order.sort_by_key(|(_, class)| std::cmp::Reverse(height(*class)));
        let mut chain: Vec<Stmt> = match otherwise {
            None => vec![terms::assume(terms::boolean(false, span), span)],
            Some(method) => {
                let (mut stmts, value) =
                    self.nested(|lowering| lowering.library_call(method, call));
                if *ty != Ty::Void {
                    stmts.push(terms::write(&result, Vec::new(), value, span));
                }
                stmts
            }
        };
        for (method, class) in order.into_iter().rev() {
            let (mut body, value) = self.nested(|lowering| {
                lowering.overriding((called, method), Some(object.clone()), args.clone(), span)
            });
            if *ty != Ty::Void {
                body.push(terms::write(&result, Vec::new(), value, span));
            }
            let is_it = self.is_instance(object, class);
            chain = vec![terms::branch(is_it, body, chain, span)];
        }
        self.out.extend(chain);
        terms::name(&result, span)
    }

    /// Runs a method, perhaps by another one that overrides it. What stands for that one's body was
    /// shown for callers that satisfy what it requires itself.
    fn overriding(
        &mut self,
        (called, target): (MethodId, MethodId),
        this: Option<ast::Expr>,
        args: Vec<ast::Expr>,
        span: Span,
    ) -> ast::Expr {
        if target != called && is_specified(self.program, target) {
            self.requires(target, this.as_ref(), &args, span);
        }
        self.inline(target, this, args, span)
    }

    /// Writes the body of a method in place of a call.
    pub(super) fn inline(
        &mut self,
        method: MethodId,
        this: Option<ast::Expr>,
        args: Vec<ast::Expr>,
        span: Span,
    ) -> ast::Expr {
        let about = self.program.method(method);
        let result_ty = about.result.clone();
        if is_specified(self.program, method) {
            let call = Call { receiver: this, args, ty: &result_ty, span };
            return self.specified_call(method, &call);
        }
        if let Some(why) = self.is_too_deep(method) {
            self.unsupported(&why, span);
            return terms::zero(&result_ty, span);
        }
        let Some(body) = &about.body else { return terms::zero(&result_ty, span) };
        let result = (result_ty != Ty::Void).then(|| {
            let sort = terms::sort(&result_ty, span);
            self.temp(&format!("result of {}", about.name), sort)
        });
        let mut locals = Vec::new();
        for local in &body.locals {
            let sort = terms::sort(&local.ty, local.span);
            locals.push(self.new_local(local.name.as_str(), sort));
        }
        for (local, value) in locals.iter().zip(args) {
            self.push(terms::write(local, Vec::new(), value, span));
        }
        let lock = self.own_monitor(about, this.as_ref(), span);
        let end = self.new_label("end");
        self.frames.push(Frame {
            method: Some(method),
            this,
            locals,
            result: result.clone(),
            scopes: self.scopes.len(),
            end: end.clone(),
            returns: false,
            olds: BTreeMap::new(),
        });
        self.keep_olds(about);
        let (stmts, ()) = self.nested(|lowering| {
            lowering.with_exceptional_end(method, span, |lowering| match lock {
                Some(lock) => lowering.synchronized(&lock, &body.stmts, about.span),
                None => lowering.body(&body.stmts),
            });
        });
        let mut stmts =
            if self.frame().returns { vec![terms::labelled(&end, stmts, span)] } else { stmts };
        if !self.is_in_program() {
            // What goes wrong in the library goes wrong where the program calls it.
            stmts.iter_mut().for_each(|stmt| stmt.move_to(span));
        }
        self.out.extend(stmts);
        if is_inner(self.program, method) {
            self.promises(about, span);
        }
        self.frames.pop();
        match result {
            Some(result) => terms::name(&result, span),
            None => terms::int(0, span),
        }
    }

    /// Why a body cannot be written in place of a call, if it cannot.
    fn is_too_deep(&self, method: MethodId) -> Option<String> {
        if self.frames.iter().any(|frame| frame.method == Some(method)) {
            return Some(format!("a recursive call of `{}`", self.program.method_name(method)));
        }
        let is_deep = self.frames.len() > MAX_DEPTH || self.locals.len() > MAX_LOCALS;
        is_deep.then(|| "calls that are nested too deeply".to_owned())
    }

    /// Runs a constructor on a new object.
    pub(super) fn construct(
        &mut self,
        constructor: MethodId,
        this: ast::Expr,
        args: Vec<ast::Expr>,
        span: Span,
    ) {
        self.requires(constructor, Some(&this), &args, span);
        let about = self.program.method(constructor);
        if about.body.is_some() {
            self.inline(constructor, Some(this), args, span);
        } else if !about.spec.is_pure {
            let name = self.program.method_name(constructor);
            let text = format!("`{name}` does nothing to objects of the program");
            let receiver = Some(this);
            self.opaque_call(&Call { receiver, args, ty: &Ty::Void, span }, text);
            self.may_throw(span);
        }
    }

    /// Checks what a method requires of its callers.
    fn requires(
        &mut self,
        method: MethodId,
        receiver: Option<&ast::Expr>,
        args: &[ast::Expr],
        span: Span,
    ) {
        let about = self.program.method(method);
        for at in &about.spec.non_null_params {
            if let Some(value) = args.get(*at).cloned() {
                let told = fault(Code::PreconditionFailed, "this argument may be null");
                let exists = value.differs(terms::null(span));
                self.push(terms::check(exists, told, span));
            }
        }
        if about.spec.requires.is_empty() {
            return;
        }
        let names: Vec<String> = {
            let mut names = Vec::new();
            for (ty, value) in about.params.iter().zip(args) {
                let kept = self.kept("value", value.clone(), ty);
                if let ast::ExprKind::Name(name) = &kept.kind {
                    names.push(name.path.segments[0].name.to_string());
                }
            }
            names
        };
        self.frames.push(Frame {
            method: None,
            this: receiver.cloned(),
            locals: names,
            result: None,
            scopes: self.scopes.len(),
            end: String::new(),
            returns: false,
            olds: BTreeMap::new(),
        });
        for formula in &about.spec.requires {
            let cond = self.formula_here(formula);
            let mut told = fault(
                Code::PreconditionFailed,
                format!("`{}` may not be called like this", about.name),
            );
            told.declared = Some(formula.span);
            self.push(terms::check(cond, told, span));
        }
        self.frames.pop();
    }

    /// A call of a method of a library without a body.
    fn library_call(&mut self, method: MethodId, call: &Call<'_>) -> ast::Expr {
        let span = call.span;
        let about = self.program.method(method);
        let is_trusted = about.spec.is_pure && !self.is_checked(about.class);
        let promised = self.begin_contract(method, call);
        let value = if !is_trusted {
            let name = self.program.method_name(method);
            self.opaque_call(call, format!("`{name}` does nothing to objects of the program"))
        } else if *call.ty == Ty::Void {
            terms::int(0, span)
        } else {
            self.unknown_value("result", call.ty, span)
        };
        if about.spec.is_non_null {
            let exists = value.clone().differs(terms::null(span));
            self.push(terms::assume(exists, span));
        }
        self.may_throw(span);
        self.end_contract(promised, &value, span);
        value
    }

    /// Before a call of a method that is not written in Java: what its contract says of the store
    /// is kept.
    fn begin_contract(&mut self, method: MethodId, call: &Call<'_>) -> Option<(MethodId, Frame)> {
        let about = self.program.method(method);
        let has_contract = !about.spec.ensures.is_empty() && !about.is_abstract;
        if !has_contract || !self.is_checked(about.class) {
            return None;
        }
        let mut locals = Vec::new();
        for (ty, value) in about.params.iter().zip(&call.args) {
            let local = self.temp("value", terms::sort(ty, call.span));
            self.push(terms::write(&local, Vec::new(), value.clone(), call.span));
            locals.push(local);
        }
        self.frames.push(Frame {
            method: None,
            this: call.receiver.clone(),
            locals,
            result: None,
            scopes: self.scopes.len(),
            end: String::new(),
            returns: false,
            olds: BTreeMap::new(),
        });
        self.keep_olds(about);
        Some((method, self.frames.pop()?))
    }

    /// After such a call: what its contract says holds.
    fn end_contract(&mut self, promised: Option<(MethodId, Frame)>, value: &ast::Expr, span: Span) {
        let Some((method, mut frame)) = promised else { return };
        let about = self.program.method(method);
        let name = self.program.method_name(method);
        let text =
            format!("`{name}`, which is not written in Java, keeps to what is written of it");
        self.assume_silently(span, text);
        if about.result != Ty::Void {
            let result = self.temp("value", terms::sort(&about.result, span));
            self.push(terms::write(&result, Vec::new(), value.clone(), span));
            frame.result = Some(result);
        }
        self.frames.push(frame);
        let mut facts = Vec::new();
        for formula in &about.spec.ensures {
            facts.push(self.formula_here(formula));
        }
        self.frames.pop();
        self.push(terms::assume(terms::and(facts, span), span));
    }

    /// A call of something of which nothing is known: it may keep what it is given.
    fn opaque_call(&mut self, call: &Call<'_>, text: String) -> ast::Expr {
        let span = call.span;
        self.assume_silently(span, text);
        self.leak();
        if self.used.allocates {
            for arg in &call.args {
                self.publish_if_own(arg, span);
            }
        }
        if *call.ty == Ty::Void {
            return terms::int(0, span);
        }
        self.unknown_value("result", call.ty, span)
    }

    /// Whether a variable of the thread refers to an object.
    pub(super) fn is_reference(&self, value: &ast::Expr) -> bool {
        let ast::ExprKind::Name(name) = &value.kind else { return false };
        let name = name.path.segments[0].name.as_str();
        let found = self.locals.iter().find(|(other, _)| other == name);
        found.is_some_and(|(_, ty)| matches!(&ty.kind, ast::TypeKind::Named(_)))
    }
}
