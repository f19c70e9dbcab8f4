//! Calls. Without a contract, a call stands for the body of the method.

use super::array_names::is_never_written;
use super::library::{Effect, effect, is_exclusive_lock, is_lock};
use super::lock_kinds::LockKind;
use super::permits::of_lock;
use super::roots::is_inner;
use super::specified::is_specified;
use super::terms::{self, Term as _};
use super::{Frame, Lowering, name_of};
use crate::typed::{Callee, ClassId, Expr, ExprKind, LocalId, Method, MethodId, Ty};
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
            self.note_result(&value, ty, callee.name.as_str());
            self.may_throw(span);
            return value;
        };
        if let Some(permit) = of_lock(self.program, &self.protections.permits, callee)
            && self.is_in_program()
        {
            return self.permit(permit, &call);
        }
        if let Some(effect) = effect(self.program, method) {
            let lock = callee.receiver.as_ref().filter(|_| effect.is_about_lock());
            let side = lock.and_then(|lock| self.side(lock));
            return match (self.no_effect(method, effect, callee), side) {
                (None, _) if effect == Effect::ArrayCopy => self.array_copy(callee, &call),
                (None, Some(side)) => {
                    self.used.locks.insert(LockKind::Any);
                    self.side_effect(effect, side, &call)
                }
                (None, None) => {
                    if let (Some(lock), Some(value)) = (&callee.receiver, &call.receiver) {
                        self.note_lock(lock, value);
                    }
                    self.assume_exclusive(effect, callee, span);
                    self.effect(effect, &call)
                }
                (Some(why), _) => {
                    self.unsupported(&why, span);
                    terms::zero(ty, span)
                }
            };
        }
        let held = self.requires_locks(method, &call);
        self.requires_others(method, &call);
        let Some(held) = held else { return self.run(method, callee, call) };
        // A thread that calls it without the lock goes on. What the method does then is left out:
        // it was told that it may not be called like this.
        let result = self.unknown_value("result", ty, span);
        let (mut body, value) = self.nested(|lowering| lowering.run(method, callee, call));
        if let (ast::ExprKind::Name(name), true) = (&result.kind, *ty != Ty::Void) {
            let name = name.path.segments[0].name.to_string();
            body.push(terms::write(&name, Vec::new(), value, span));
        }
        self.push(terms::branch(held, body, Vec::new(), span));
        result
    }

    /// Runs a method that may be called.
    fn run(&mut self, method: MethodId, callee: &Callee, call: Call<'_>) -> ast::Expr {
        let span = call.span;
        if is_specified(self.program, method) {
            if callee.is_virtual && self.program.method(method).spec.summary.is_some() {
                self.required_below(method, &call);
            }
            return self.specified_call(method, &call);
        }
        if let Some(target) = self.exact_target(method, callee, &call) {
            return self.overriding((method, target), call.receiver, call.args, span);
        }
        let mut targets = self.targets(method, callee.is_virtual);
        let is_open = callee.is_virtual && self.program.method(method).body.is_none();
        if is_open && self.is_checked(self.program.method(method).class) {
            let text = "no class that is not read implements the method called here";
            self.assume_silently(span, text);
        }
        let is_library =
            |(id, _): &(MethodId, ClassId)| !self.is_checked(self.program.method(*id).class);
        if is_open && targets.iter().all(is_library) {
            // Threads that run each other: in the end, a method runs that is not known.
            let runs = |id: MethodId| self.frames.iter().any(|frame| frame.method == Some(id));
            targets.retain(|(id, _)| !runs(*id));
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
            _ if effect.is_about_lock()
                && self.protections.has_read_locks
                && !self.is_exclusive(receiver)
                && self.side(receiver).is_none() =>
            {
                Some("a lock that may be held by several threads".to_owned())
            }
            Effect::Wait | Effect::Notify if self.is_hidden_monitor(receiver) => {
                Some("the monitor of a lock".to_owned())
            }
            _ => None,
        }
    }

    /// Takes for granted that one thread at a time holds a lock of a class that is not known.
    fn assume_exclusive(&mut self, effect: Effect, callee: &Callee, span: Span) {
        let is_known = callee.receiver.iter().all(|lock| self.is_exclusive(lock));
        if effect.is_about_lock() && !is_known {
            self.assume_silently(span, "one thread at a time holds this lock");
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

    /// The body that a call runs, if the text tells of which class the object is.
    fn exact_target(&self, method: MethodId, callee: &Callee, call: &Call<'_>) -> Option<MethodId> {
        let class = self.exact.get(name_of(call.receiver.as_ref()?)?)?.class;
        let mut targets = self.targets(method, callee.is_virtual).into_iter();
        targets.find(|(_, of)| *of == class).map(|(target, _)| target)
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
            let is_made = !self.protections.never_made.contains(&other_about.class);
            if other_about.body.is_some() && is_made {
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
        self.pass(about, &locals, args, span);
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
            let file = about.span.file;
            stmts.iter_mut().for_each(|stmt| stmt.move_from(file, span));
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

    /// Gives parameters their values.
    fn pass(&mut self, method: &Method, params: &[String], args: Vec<ast::Expr>, span: Span) {
        let is_library = !self.is_checked(method.class);
        for (at, (param, value)) in params.iter().zip(args).enumerate() {
            // Methods of the library do not assign to their parameters.
            if is_library {
                self.same_object(&value, param);
            } else if method
                .body
                .as_ref()
                .is_some_and(|body| is_never_written(body, LocalId::from_index(at)))
            {
                self.same_array(&value, param);
            }
            self.push(terms::write(param, Vec::new(), value, span));
        }
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
        self.note_result(&value, call.ty, about.name.as_str());
        if about.spec.is_non_null {
            let exists = value.clone().differs(terms::null(span));
            self.push(terms::assume(exists, span));
        }
        self.may_throw(span);
        self.end_contract(promised, &value, span);
        value
    }

    /// Notes that an array comes from a method that is not read.
    fn note_result(&mut self, value: &ast::Expr, ty: &Ty, method: &str) {
        if let Some(name) = name_of(value) {
            let what = format!("the array that `{method}` gives");
            self.note_outside(name, ty, (what, false));
        }
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
