//! The methods that others may call, each checked on its own.

use super::array_names::is_never_written;
use super::control::GONE;
use super::ended::ENDED;
use super::places::At;
use super::required::{is_held, is_understood};
use super::specified::is_specified;
use super::terms::{self, Term as _, forall};
use super::{Frame, Lowering, MAIN, fault};
use crate::typed::{
    Body, ClassId, ClassKind, FieldId, LocalId, Method, MethodId, Origin, Program, Ty, open, walk,
};
use diagnostic::Code;
use plato::ast::{Expr, Stmt};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A method that others may call.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) method: MethodId,
    /// As in messages.
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Whether it is `main`, which runs once, in the first thread.
    pub(crate) is_main: bool,
}

/// Every method and constructor that code outside of the program may call. Others, and constructors
/// of abstract classes, are checked where they are called, if one of these comes there.
pub(crate) fn roots(program: &Program, never_made: &BTreeSet<ClassId>) -> Vec<Root> {
    let at_once = super::lambdas::run_at_once(program);
    let mut reached = Reached { program, never_made, inner: BTreeSet::new() };
    let mut chosen: BTreeSet<MethodId> = BTreeSet::new();
    let mut inner: Vec<MethodId> = Vec::new();
    for (at, method) in program.methods.iter().enumerate() {
        let id = MethodId::from_index(at);
        let Some(body) = &method.body else { continue };
        if program.class(method.class).origin != Origin::Checked {
            continue;
        }
        if is_inner(program, id) && !open::is_main(method) {
            inner.push(id);
        } else {
            if !at_once.contains(&method.class) || method.is_constructor {
                chosen.insert(id);
            }
            reached.from(body);
        }
    }
    let initializers = program.classes.iter().filter_map(|class| class.static_init.as_ref());
    initializers.for_each(|body| reached.from(body));
    // What nobody calls is looked at all the same.
    for id in inner {
        if let Some(body) = &program.method(id).body
            && !reached.inner.contains(&id)
        {
            chosen.insert(id);
            reached.from(body);
        }
    }
    chosen.into_iter().map(|id| root(program, id)).collect()
}

fn root(program: &Program, id: MethodId) -> Root {
    let method = program.method(id);
    let name = program.method_name(id);
    Root { method: id, name, span: method.span, is_main: open::is_main(method) }
}

/// Whether a method is checked where it is called.
pub(super) fn is_inner(program: &Program, id: MethodId) -> bool {
    let method = program.method(id);
    let class = program.class(method.class);
    let makes_part = class.is_abstract || class.kind == ClassKind::Enum;
    class.origin == Origin::Checked
        && !is_specified(program, id)
        && (!method.is_open || method.is_constructor && makes_part)
}

/// The methods that are looked at with those that call them.
struct Reached<'p> {
    program: &'p Program,
    never_made: &'p BTreeSet<ClassId>,
    inner: BTreeSet<MethodId>,
}

impl Reached<'_> {
    /// Adds what is written in place of the calls in a body.
    fn from(&mut self, body: &Body) {
        let program = self.program;
        let mut rest = vec![body];
        while let Some(body) = rest.pop() {
            walk::callees(&body.stmts, &mut |called, is_virtual| {
                let about = program.method(called);
                let below = about.overridden_by.iter().filter(|_| is_virtual);
                for id in below.copied().chain([called]) {
                    let method = program.method(id);
                    let is_run = id == called || !self.never_made.contains(&method.class);
                    if let Some(body) = &method.body
                        && is_run
                        && is_inner(program, id)
                        && self.inner.insert(id)
                    {
                        rest.push(body);
                    }
                }
            });
        }
    }
}

impl Lowering<'_> {
    /// The statements of the thread that runs a method.
    pub(super) fn root(&mut self, root: &Root) -> Vec<Stmt> {
        let (program, span) = (self.program, root.span);
        let method = program.method(root.method);
        let Some(body) = &method.body else { return Vec::new() };
        self.root = Some(root.method);
        self.is_compared = is_specified(program, root.method);
        self.owns_nothing(span);
        self.begin_initializer(method, span);
        let this = (!method.is_static).then(|| self.root_object(method, span));
        let locals = self.root_locals(method, body);
        if self.is_run(method) {
            self.begin_run(span);
        } else if root.is_main {
            self.is_main(true, span);
            self.holds_nothing(span);
        }
        let result = (method.result != Ty::Void).then(|| {
            let sort = terms::sort(&method.result, span);
            self.temp("result", sort)
        });
        let end = self.new_label("end");
        self.frames.push(Frame {
            method: Some(root.method),
            this,
            locals,
            result,
            scopes: self.scopes.len(),
            end: end.clone(),
            returns: false,
            olds: BTreeMap::new(),
        });
        let overridden = self.begin_overriding(method, span);
        self.root_requires(method, span);
        self.assume_axioms();
        self.keep_olds(method);
        let (all, ()) = self.nested(|lowering| {
            let stmts = lowering.root_body(method, body, span);
            if lowering.frame().returns {
                lowering.push(terms::labelled(&end, stmts, span));
            } else {
                lowering.out.extend(stmts);
            }
            lowering.end_overriding(method, &overridden, span);
            lowering.end_initializer(method, span);
            lowering.root_ensures(method, span);
        });
        if self.is_left {
            self.push(terms::labelled(GONE, all, span));
        } else {
            self.out.extend(all);
        }
        self.end_run(root);
        self.frames.pop();
        std::mem::take(&mut self.out)
    }

    /// The variables of the method; its arguments are any.
    fn root_locals(&mut self, method: &Method, body: &Body) -> Vec<String> {
        let mut locals = Vec::new();
        for (at, local) in body.locals.iter().enumerate() {
            let sort = terms::sort(&local.ty, local.span);
            let name = self.new_local(local.name.as_str(), sort);
            if at < method.params.len() {
                self.any_argument(&name, &local.ty, local.span);
                if !self.is_compared && is_never_written(body, LocalId::from_index(at)) {
                    let what = format!("the argument `{}`", local.name);
                    self.note_outside(&name, &local.ty, (what, true));
                }
            }
            locals.push(name);
        }
        locals
    }

    /// Other private objects of this thread have nothing to do with this call.
    fn owns_nothing(&mut self, span: Span) {
        if self.used.allocates {
            let owner = terms::name("owner", span).at(terms::name("$r", span));
            let none = owner.differs(terms::tid(span));
            let none = forall(&[("$r", terms::reference(span))], none, span);
            self.push(terms::assume(none, span));
        }
    }

    /// The object on which the method runs: any, or a new one for a constructor.
    fn root_object(&mut self, method: &Method, span: Span) -> Expr {
        self.locals.push(("this".to_owned(), terms::reference(span)));
        let object = terms::name("this", span);
        if method.is_constructor {
            let made = self.allocate(method.class, span);
            self.push(terms::write("this", Vec::new(), made, span));
            self.private.insert("this".to_owned());
            self.captured_values(method.class, span);
        } else {
            let exists = terms::is_object(&object);
            let is_instance = self.is_instance(&object, method.class);
            self.push(terms::assume(terms::and(vec![exists, is_instance], span), span));
            self.arguments.insert("this".to_owned());
        }
        object
    }

    /// Whoever makes an object gives it the object around it and the variables that it captures.
    fn captured_values(&mut self, class: ClassId, span: Span) {
        let program = self.program;
        let all = (0..program.fields.len()).map(FieldId::from_index);
        let has = |id: &FieldId| {
            let field = program.field(*id);
            field.is_synthetic && program.is_subclass(class, field.class)
        };
        for id in all.filter(has) {
            let ty = &program.field(id).ty;
            let value = self.unknown_value("captured", ty, span);
            if self.protections.never_null.contains(&id) {
                let exists = value.clone().differs(terms::null(span));
                self.push(terms::assume(exists, span));
            }
            let typed = self.has_type_if_known(&value, ty);
            self.push(terms::assume(typed, span));
            self.write(&At::Field(terms::name("this", span), id, span), value, ty);
        }
    }

    /// Whether a method is what a thread runs.
    pub(super) fn is_run(&self, method: &Method) -> bool {
        let program = self.program;
        method.name.as_str() == "run"
            && method.params.is_empty()
            && program
                .well_known
                .thread
                .is_some_and(|thread| program.is_subclass(method.class, thread))
    }

    /// What the method may take for granted.
    fn root_requires(&mut self, method: &Method, span: Span) {
        for formula in &method.spec.requires {
            // Which lock a caller holds may not be known; calls tell.
            if is_held(formula) && !is_understood(self.program, formula) {
                continue;
            }
            let cond = self.formula_here(formula);
            self.push(terms::assume(cond, span));
        }
        for at in &method.spec.non_null_params {
            if let Some(name) = self.frames.last().and_then(|frame| frame.locals.get(*at)).cloned()
            {
                let exists = terms::name(&name, span).differs(terms::null(span));
                self.push(terms::assume(exists, span));
            }
        }
        // Here the method begins, if its precondition can be satisfied.
        if let Some(formula) = method.spec.requires.first() {
            let begun = terms::boolean(true, formula.span);
            self.kept("begun", begun, &Ty::Prim(crate::tree::Prim::Boolean));
        }
        self.refuse_actions(method, span);
    }

    fn root_body(&mut self, method: &Method, body: &Body, span: Span) -> Vec<Stmt> {
        let this = (!method.is_static).then(|| terms::name("this", span));
        let lock = self.own_monitor(method, this.as_ref(), span);
        let (stmts, ()) = self.nested(|lowering| match lock {
            Some(lock) => lowering.synchronized(&lock, &body.stmts, span),
            None => lowering.body(&body.stmts),
        });
        stmts
    }

    /// What the method promises for its end.
    fn root_ensures(&mut self, method: &Method, span: Span) {
        // The specification says what is promised of a method with actions.
        if !self.is_compared {
            self.promises(method, span);
        }
        self.publish_result(span);
        let class = self.program.class(method.class);
        if method.is_constructor && class.kind != ClassKind::Lambda {
            // From here on others may see the object, with everything that is promised of it.
            let object = terms::name("this", span);
            let stmts = self.publication(&object, span);
            let is_own = terms::name("owner", span).at(object).equals(terms::tid(span));
            let stmts = vec![terms::branch(is_own, stmts, Vec::new(), span)];
            self.push(terms::atomic(stmts, span));
        }
    }

    /// What a method promises for its end, whoever called it.
    pub(super) fn promises(&mut self, method: &Method, span: Span) {
        let result = self.frame().result.clone();
        if let (true, Some(result)) = (method.spec.is_non_null, result) {
            let told = fault(Code::PostconditionFailed, "the result may be null");
            let exists = terms::name(&result, span).differs(terms::null(span));
            self.push(terms::check(exists, told, span));
        }
        for formula in &method.spec.ensures {
            let cond = self.formula_here(formula);
            let told = fault(Code::PostconditionFailed, "this may not hold at the end");
            self.push(terms::check(cond, told, formula.span));
        }
    }

    /// An argument: any value of its type. Whatever unknown callers pass, they built; that others
    /// may see it too makes no step impossible (SOUNDNESS.md).
    fn any_argument(&mut self, name: &str, ty: &Ty, span: Span) {
        let value: Expr = terms::name(name, span);
        if ty.is_reference() {
            let is_null = value.clone().equals(terms::null(span));
            let shared = terms::name("shared", span).at(value.clone());
            self.push(terms::assume(terms::or(vec![is_null, shared], span), span));
            self.arguments.insert(name.to_owned());
            let typed = self.has_type_if_known(&value, ty);
            self.push(terms::assume(typed, span));
        }
    }

    /// That a value has its type, if anybody asks for that type.
    fn has_type_if_known(&mut self, value: &Expr, ty: &Ty) -> Expr {
        match ty {
            Ty::Class(class) if self.used.classes.contains(class) => self.has_type(value, ty),
            Ty::Array(_) => {
                let is_null = value.clone().equals(terms::null(value.span));
                terms::or(vec![is_null, self.is_no_class(value)], value.span)
            }
            _ => terms::boolean(true, value.span),
        }
    }

    /// `run` of a thread: the thread is the object, it was started, and it holds nothing yet.
    fn begin_run(&mut self, span: Span) {
        self.used.starts = true;
        let own = self.thread_object(terms::tid(span));
        let this = || terms::name("this", span);
        let started = terms::name("started", span).at(this());
        let mut known = vec![own.equals(this()), started];
        if self.used.ends {
            known.push(terms::name(ENDED, span).at(this()).negated());
        }
        self.push(terms::assume(terms::and(known, span), span));
        self.is_main(false, span);
        self.holds_nothing(span);
    }

    /// Whether the thread that runs is the first one, if that matters.
    fn is_main(&mut self, is_main: bool, span: Span) {
        if self.used.main {
            let is_it = terms::tid(span).equals(terms::name(MAIN, span));
            let known = if is_main { is_it } else { is_it.negated() };
            self.push(terms::assume(known, span));
        }
    }

    fn holds_nothing(&mut self, span: Span) {
        if !self.used.monitors {
            return;
        }
        let holder = terms::name("holder", span).at(terms::name("$r", span));
        let none =
            forall(&[("$r", terms::reference(span))], holder.differs(terms::tid(span)), span);
        self.push(terms::assume(none, span));
    }
}
