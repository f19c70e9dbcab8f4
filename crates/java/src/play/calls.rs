//! Calls, new objects, and the end of a method.

use super::formula::Scope;
use super::library::effect;
use super::machine::{Frame, Gives, Machine, Stop};
use super::store::{Cell, Object, Value};
use crate::typed::{
    Callee, ClassId, ClassKind, ExprKind, FieldId, Formula, Method, MethodId, Stmt, StmtKind, Ty,
    walk,
};
use diagnostic::Code;
use source::Span;
use std::collections::BTreeMap;

/// Deeper calls are left.
const MOST_FRAMES: usize = 60;

impl<'a, 'p> Machine<'a, 'p> {
    pub(super) fn call(
        &mut self,
        thread: usize,
        callee: &'p Callee,
        span: Span,
    ) -> Result<(), Stop> {
        if let Some(method) = callee.method
            && let Some(effect) = effect(self.program(), method)
            && !self.is_overridden(thread, method, callee)
        {
            return self.effect(thread, effect, callee, span);
        }
        let args = self.pop_all(thread, callee.args.len())?;
        let receiver = match &callee.receiver {
            None => None,
            Some(expr) => {
                let value = self.pop(thread)?;
                Some(self.must_exist(thread, &value, Some(expr.span))?)
            }
        };
        let Some(method) = callee.method else {
            return Err(Stop::GiveUp(format!("the method `{}`", callee.name)));
        };
        self.requires(thread, method, (receiver, &args), span)?;
        let target = match receiver.filter(|_| callee.is_virtual) {
            Some(object) => self.target(method, object),
            None => method,
        };
        if self.program().method(target).body.is_none() {
            let value = self.native(target, receiver, &args)?;
            return self.push(thread, value);
        }
        self.enter_method(thread, target, (receiver, args), (Gives::Result, span))
    }

    /// Whether the class of the receiver has a method of its own for one of the library.
    fn is_overridden(&mut self, thread: usize, method: MethodId, callee: &Callee) -> bool {
        let depth = callee.args.len() + 1;
        let Ok(frame) = self.frame(thread) else { return false };
        let at = frame.stack.len().checked_sub(depth);
        let receiver = at.and_then(|at| frame.stack.get(at)).and_then(Value::object);
        match receiver.filter(|_| callee.is_virtual) {
            Some(object) => {
                let target = self.target(method, object);
                let is_checked = self.is_checked(self.program().method(target).class);
                // Locks of readers are no monitors.
                is_checked || effect(self.program(), target).is_none()
            }
            None => false,
        }
    }

    /// The method that runs for an object: that of the lowest class that has it.
    pub(super) fn target(&self, method: MethodId, object: usize) -> MethodId {
        let program = self.program();
        let is_it = |id: &MethodId| {
            let other = program.method(*id);
            (*id == method || other.overrides.contains(&method)) && !other.is_abstract
        };
        let mut class = self.class_of(object);
        let mut interfaces: Vec<ClassId> = Vec::new();
        while let Some(id) = class {
            if let Some(found) = program.class(id).methods.iter().copied().find(|id| is_it(id)) {
                return found;
            }
            interfaces.extend(&program.class(id).interfaces);
            class = program.class(id).superclass;
        }
        while let Some(id) = interfaces.pop() {
            if let Some(found) = program.class(id).methods.iter().copied().find(|id| is_it(id))
                && program.method(found).body.is_some()
            {
                return found;
            }
            interfaces.extend(&program.class(id).interfaces);
        }
        method
    }

    /// What a method requires of its callers.
    fn requires(
        &self,
        thread: usize,
        method: MethodId,
        (this, args): (Option<usize>, &[Value]),
        span: Span,
    ) -> Result<(), Stop> {
        let spec = &self.program().method(method).spec;
        let is_null = |at: &usize| args.get(*at) == Some(&Value::Null);
        if spec.non_null_params.iter().any(is_null) {
            return Err(Stop::Failed(self.failure(thread, Code::PreconditionFailed, span)));
        }
        let scope = Scope { this, locals: args, tid: thread, ..Scope::default() };
        for formula in &spec.requires {
            if self.holds(formula, &scope) == Some(false) {
                let mut failure = self.failure(thread, Code::PreconditionFailed, span);
                failure.declared = Some(formula.span);
                return Err(Stop::Failed(failure));
            }
        }
        Ok(())
    }

    /// Begins to run a method.
    pub(super) fn enter_method(
        &mut self,
        thread: usize,
        id: MethodId,
        (this, args): (Option<usize>, Vec<Value>),
        (gives, span): (Gives, Span),
    ) -> Result<(), Stop> {
        let method = self.program().method(id);
        if self.threads[thread].frames.len() > MOST_FRAMES {
            return Err(Stop::GiveUp("calls that are nested too deeply".to_owned()));
        }
        let code = self.player.code(id);
        let mut locals = args;
        locals.resize(code.locals, Value::Null);
        let is_root = !self.is_starting
            && self.is_checked(method.class)
            && !self.threads[thread].frames.iter().any(|frame| frame.is_root);
        // What is proved of the caller of a method with actions is no better than what is proved of
        // that method.
        let stands_for_itself = method.spec.modifies.is_some() || !method.spec.actions.is_empty();
        if is_root || !self.is_starting && stands_for_itself {
            self.roots.insert(id);
        }
        self.threads[thread].frames.push(Frame {
            method: Some(id),
            code,
            at: 0,
            this,
            locals,
            stack: Vec::new(),
            handlers: Vec::new(),
            called_at: span,
            olds: BTreeMap::new(),
            gives,
            is_root,
        });
        let olds = self.olds(thread, method);
        self.frame(thread)?.olds = olds;
        if method.is_static {
            self.initialize(thread, method.class)?;
        }
        Ok(())
    }

    /// What formulas about a method say of the store when it begins.
    fn olds(&self, thread: usize, method: &Method) -> BTreeMap<Span, Value> {
        let promises = method.spec.ensures.iter().chain(&method.spec.exsures);
        let mut formulas: Vec<&Formula> = promises.collect();
        let stmts: &[Stmt] = method.body.as_ref().map_or(&[], |body| &body.stmts);
        walk::all(stmts, &mut |stmt| {
            if let StmtKind::Assert(one) | StmtKind::Assume(one) | StmtKind::Set(_, one) =
                &stmt.kind
            {
                formulas.push(one);
            }
        });
        let mut olds = BTreeMap::new();
        let scope = Scope { olds: None, ..self.scope(thread, None) };
        for formula in formulas {
            walk::deep(&formula.expr, &mut |part| {
                if let ExprKind::Old(inner) = &part.kind
                    && let Some(value) = self.eval(inner, &scope)
                {
                    olds.insert(part.span, value);
                }
            });
        }
        olds
    }

    /// The names of the method that runs.
    pub(super) fn scope<'s>(&'s self, thread: usize, result: Option<&'s Value>) -> Scope<'s> {
        match self.threads[thread].frames.last() {
            Some(frame) => Scope {
                this: frame.this,
                locals: &frame.locals,
                result,
                olds: Some(&frame.olds),
                tid: thread,
                ..Scope::default()
            },
            None => Scope { tid: thread, ..Scope::default() },
        }
    }

    pub(super) fn new_object(
        &mut self,
        thread: usize,
        (class, constructor): (ClassId, Option<MethodId>),
        (count, captured): (usize, &[FieldId]),
        span: Span,
    ) -> Result<(), Stop> {
        if self.initialize(thread, class)? {
            self.frame_below(thread)?.at -= 1;
            return Ok(());
        }
        let values = self.pop_all(thread, captured.len())?;
        let args = self.pop_all(thread, count)?;
        let object = self.store.allocate(Object::Plain(class));
        for (field, value) in captured.iter().zip(values) {
            self.store.put(Cell::Field(object, *field), value);
        }
        match constructor {
            Some(constructor) => {
                let gives = Gives::Object(object);
                self.construct(thread, constructor, (Some(object), args), (gives, span))
            }
            None if self.is_checked(class) => self.push(thread, Value::Ref(object)),
            None => Err(Stop::GiveUp("a class of the library".to_owned())),
        }
    }

    /// Runs a constructor on an object.
    pub(super) fn construct(
        &mut self,
        thread: usize,
        constructor: MethodId,
        (this, args): (Option<usize>, Vec<Value>),
        (gives, span): (Gives, Span),
    ) -> Result<(), Stop> {
        self.requires(thread, constructor, (this, &args), span)?;
        let about = self.program().method(constructor);
        if about.body.is_some() {
            return self.enter_method(thread, constructor, (this, args), (gives, span));
        }
        if !about.spec.is_pure {
            let name = self.program().method_name(constructor);
            return Err(Stop::GiveUp(format!("`{name}`")));
        }
        match gives {
            Gives::Object(object) => self.push(thread, Value::Ref(object)),
            Gives::Result | Gives::Nothing => Ok(()),
        }
    }

    /// Begins to run the initializer of a class, if it did not run; gives whether it did.
    pub(super) fn initialize(&mut self, thread: usize, class: ClassId) -> Result<bool, Stop> {
        if !self.initialized.insert(class) {
            return Ok(false);
        }
        let Some(code) = self.player.initializer(class) else { return Ok(false) };
        if !self.is_starting {
            return Err(Stop::GiveUp("a class initializer".to_owned()));
        }
        let called_at = self.program().class(class).span;
        self.threads[thread].frames.push(Frame {
            method: None,
            code,
            at: 0,
            this: None,
            locals: vec![Value::Null; code.locals],
            stack: Vec::new(),
            handlers: Vec::new(),
            called_at,
            olds: BTreeMap::new(),
            gives: Gives::Nothing,
            is_root: false,
        });
        Ok(true)
    }

    /// The frame of the code that needed an initializer.
    pub(super) fn frame_below(&mut self, thread: usize) -> Result<&mut Frame<'a, 'p>, Stop> {
        let frames = &mut self.threads[thread].frames;
        let below = frames.len().checked_sub(2).and_then(|at| frames.get_mut(at));
        below.ok_or_else(|| Stop::GiveUp("no code".to_owned()))
    }

    /// Ends a method.
    pub(super) fn finish(&mut self, thread: usize, value: Value) -> Result<(), Stop> {
        let frame = self.frame(thread)?;
        let (method, gives, is_root) = (frame.method, frame.gives, frame.is_root);
        let (this, called_at) = (frame.this, frame.called_at);
        if let Some(id) = method {
            self.promises(thread, id, (&value, called_at))?;
            let about = self.program().method(id);
            let is_lambda = self.program().class(about.class).kind == ClassKind::Lambda;
            if let (true, true, Some(this)) = (is_root, about.is_constructor, this)
                && !is_lambda
            {
                // From here on others may see the object, with everything that is promised of it.
                self.store.publish(this);
                self.check_step(thread, Some(about.span))?;
            }
            // Whoever called it may show the result to others.
            if let (true, Value::Ref(result)) = (is_root, &value) {
                self.store.publish(*result);
                self.check_step(thread, Some(about.span))?;
            }
        }
        self.threads[thread].frames.pop();
        let given = match gives {
            Gives::Result => value,
            Gives::Object(object) => Value::Ref(object),
            Gives::Nothing => return Ok(()),
        };
        if self.threads[thread].frames.is_empty() {
            self.take(given);
            return Ok(());
        }
        self.push(thread, given)
    }

    /// What a method promises for its end, if it is called from outside or checked where it is
    /// called.
    fn promises(
        &self,
        thread: usize,
        id: MethodId,
        (value, called_at): (&Value, Span),
    ) -> Result<(), Stop> {
        let method = self.program().method(id);
        let is_root = self.threads[thread].frames.last().is_some_and(|frame| frame.is_root);
        if !self.is_promise_due(thread, id) {
            return Ok(());
        }
        let failed =
            |span: Span| Stop::Failed(self.failure(thread, Code::PostconditionFailed, span));
        if method.spec.is_non_null && method.result != Ty::Void && *value == Value::Null {
            return Err(failed(if is_root { method.span } else { called_at }));
        }
        let scope = self.scope(thread, Some(value));
        for formula in &method.spec.ensures {
            if self.holds(formula, &scope) == Some(false) {
                return Err(failed(formula.span));
            }
        }
        Ok(())
    }

    /// Whether a method that ends is called from outside or checked where it is called.
    fn is_promise_due(&self, thread: usize, id: MethodId) -> bool {
        let method = self.program().method(id);
        let class = self.program().class(method.class);
        let is_root = self.threads[thread].frames.last().is_some_and(|frame| frame.is_root);
        let is_inner = self.is_checked(method.class)
            && if method.is_constructor {
                class.is_abstract || class.kind == ClassKind::Enum || !method.is_open
            } else {
                !method.is_open
            };
        !self.is_starting && (is_root || is_inner)
    }

    /// What a method that an exception ends promises for that.
    pub(super) fn exceptional_end(&self, thread: usize, exception: usize) -> Result<(), Stop> {
        let Some(id) = self.threads[thread].frames.last().and_then(|frame| frame.method) else {
            return Ok(());
        };
        if !self.is_promise_due(thread, id) {
            return Ok(());
        }
        let value = Value::Ref(exception);
        let scope = self.scope(thread, Some(&value));
        for formula in &self.program().method(id).spec.exsures {
            if self.holds(formula, &scope) == Some(false) {
                let code = Code::PostconditionFailed;
                return Err(Stop::Failed(self.failure(thread, code, formula.span)));
            }
        }
        Ok(())
    }

    /// A method of the library without a body.
    fn native(
        &mut self,
        method: MethodId,
        receiver: Option<usize>,
        args: &[Value],
    ) -> Result<Value, Stop> {
        let about = self.program().method(method);
        let class = self.program().class(about.class).qualified.as_str();
        let object = receiver.map(|receiver| self.store.objects[receiver].clone());
        Ok(match (class, about.name.as_str(), object, args) {
            ("java.lang.Object", "equals", Some(_), [other]) => {
                let own = receiver.map_or(Value::Null, Value::Ref);
                Value::Bool(own == *other || self.is_same_content(&own, other))
            }
            (
                "java.lang.String" | "java.lang.CharSequence",
                "length",
                Some(Object::Text(text)),
                [],
            ) => Value::Int(i128::try_from(text.as_str().chars().count()).unwrap_or(0)),
            ("java.lang.String", "isEmpty", Some(Object::Text(text)), []) => {
                Value::Bool(text.as_str().is_empty())
            }
            (
                _,
                "intValue" | "longValue" | "booleanValue" | "charValue",
                Some(Object::Boxed(_, value)),
                [],
            ) => value,
            ("java.lang.Thread", "isAlive", Some(_), []) => {
                let is_it = |thread: &&super::machine::Thread<'_, '_>| thread.object == receiver;
                Value::Bool(self.threads.iter().find(is_it).is_some_and(|one| !one.has_ended))
            }
            ("java.io.PrintStream", _, _, _) => Value::Null,
            _ if about.spec.is_pure && about.result == Ty::Void => Value::Null,
            _ => return Err(Stop::GiveUp(format!("`{}`", self.program().method_name(method)))),
        })
    }
}
