//! Methods with actions: their bodies are compared with them, and calls stand for them (paper 2,
//! sections 5 and 6.3).
//!
//! Such a method is a procedure of Plato with a specification. Two programs speak of it. In its
//! own, the body is compared with what is written. In those of its callers, the specification
//! stands for the body, which is not looked at again.

use super::calls::Call;
use super::clauses::Side;
use super::exceptional::THROWN;
use super::inherited::{self, says_steps};
use super::lock_kinds::LockKind;
use super::roots::Root;
use super::terms::{self, Term as _, forall};
use super::{Lowering, fault};
use crate::typed::{Method, MethodId, Origin, Program, Ty};
use diagnostic::Code;
use plato::ast::{
    self, Clause, Expr, Ident, Item, ItemKind, Param, Proc, Source, Stmt, StmtKind, Thread,
};
use plato::build;
use source::{Name, Span};

/// The parameter that says how often the caller entered each monitor that it holds.
pub(super) const ENTERED: &str = "$entered";

/// The result that says whether the method ended with an exception.
pub(super) const THREW: &str = "$threw";

/// Whether calls of a method stand for what is written of it.
pub(super) fn is_specified(program: &Program, id: MethodId) -> bool {
    let method = program.method(id);
    let is_checked = program.class(method.class).origin == Origin::Checked;
    let is_known = is_checked || method.spec.summary.is_some();
    is_known && says_steps(method) && !method.is_constructor
}

impl Lowering<'_> {
    /// The procedure of a method with actions, and threads that call it.
    pub(super) fn specified_items(&mut self, root: &Root, body: Vec<Stmt>) -> Vec<Item> {
        let (program, span) = (self.program, root.span);
        let method = program.method(root.method);
        let (params, results) = self.signature(method, span);
        let is_param = |name: &str| {
            params.iter().chain(&results).any(|param| param.name.name.as_str() == name)
        };
        let mut stmts: Vec<Stmt> = Vec::new();
        for (name, ty) in self.locals.iter().filter(|(name, _)| !is_param(name)) {
            stmts.push(build::local(name, ty.clone(), None, span));
        }
        stmts.push(terms::write(THREW, Vec::new(), terms::boolean(false, span), span));
        stmts.extend(body);
        let spec = self.clauses(method, Side::Own, span);
        let callee = self.procedure_name(root.method);
        let thread = caller(root, &callee, &params, span);
        let name = self.procedure_name(root.method);
        let proc = procedure(&name, (params, results), spec, stmts, span);
        vec![proc, thread]
    }

    /// The procedure of a method. Threads have the name of the method that is checked, so that
    /// messages speak of it.
    fn procedure_name(&self, id: MethodId) -> String {
        let name = self.program.method_name(id);
        if self.root == Some(id) { format!("body of {name}") } else { name }
    }

    /// Notes what specifications mention: that belongs to what is touched.
    pub(super) fn note_specifications(&mut self, root: &Root) {
        let mut all: Vec<MethodId> = self.called.iter().copied().collect();
        if is_specified(self.program, root.method) {
            all.push(root.method);
        }
        for id in all {
            self.clauses(self.program.method(id), Side::Caller, root.span);
        }
    }

    /// Procedures that are called, whose bodies are checked elsewhere.
    pub(super) fn called_items(&mut self, span: Span) -> Vec<Item> {
        let mut items = Vec::new();
        let own = self.root;
        for id in self.called.clone().into_iter().filter(|id| Some(*id) != own) {
            let method = self.program.method(id);
            let signature = self.signature(method, span);
            let spec = self.clauses(method, Side::Caller, method.span);
            // No run comes to the end of this body: nothing is left to compare.
            let never = vec![terms::assume(terms::boolean(false, span), span)];
            let name = self.procedure_name(id);
            items.push(procedure(&name, signature, spec, never, span));
        }
        items
    }

    /// Parameters and results.
    fn signature(&self, method: &Method, span: Span) -> (Vec<Param>, Vec<Param>) {
        let param = |name: &str, ty: ast::Type| Param { name: build::ident(name, span), ty };
        let mut params = Vec::new();
        if !method.is_static {
            params.push(param("this", terms::reference(span)));
        }
        for local in inherited::params(method) {
            params.push(param(&unreserved(&local.name), terms::sort(&local.ty, span)));
        }
        if self.used.monitors {
            params.push(param(ENTERED, entered_sort(span)));
        }
        let mut results = Vec::new();
        if method.result != Ty::Void {
            results.push(param("$result", terms::sort(&method.result, span)));
        }
        results.push(param(THREW, build::ty(ast::TypeKind::Bool, span)));
        if !method.spec.exsures.is_empty() {
            results.push(param(THROWN, terms::reference(span)));
        }
        (params, results)
    }

    /// A call of a method whose specification stands for its body.
    pub(super) fn specified_call(&mut self, method: MethodId, call: &Call<'_>) -> Expr {
        let span = call.span;
        let about = self.program.method(method);
        if self.in_atomic {
            self.unsupported("a call of a method with actions inside of one step", span);
            return terms::zero(call.ty, span);
        }
        if self.initializes.is_some() {
            // It was shown for stores in which what is promised of static fields holds.
            self.unsupported("a call of a method with actions in an initializer", span);
            return terms::zero(call.ty, span);
        }
        self.called.insert(method);
        if about.body.is_none() {
            // Nobody else looks at the steps that what is written allows.
            self.used.locks.insert(LockKind::Any);
        }
        self.take_for_granted(method, span);
        self.leak();
        // The method is checked for objects that others know.
        let objects = call.receiver.iter().chain(&call.args);
        for object in objects.cloned().collect::<Vec<_>>() {
            self.publish_if_own(&object, span);
        }
        let mut args: Vec<Expr> = call.receiver.iter().chain(&call.args).cloned().collect();
        if about.is_static {
            args.clone_from(&call.args);
        }
        if self.used.monitors {
            args.push(self.entered_monitors(span));
        }
        let callee = build::call(&self.procedure_name(method), args, span);
        let mut places = Vec::new();
        let mut value = terms::int(0, span);
        if about.result != Ty::Void {
            let sort = terms::sort(&about.result, span);
            let result = self.temp(&format!("result of {}", about.name), sort);
            places.push(build::place(&result, Vec::new(), span));
            value = terms::name(&result, span);
        }
        let threw = self.temp("threw", build::ty(ast::TypeKind::Bool, span));
        places.push(build::place(&threw, Vec::new(), span));
        let mut exception = None;
        if !about.spec.exsures.is_empty() {
            let local = self.temp("exception", terms::reference(span));
            places.push(build::place(&local, Vec::new(), span));
            exception = Some(terms::name(&local, span));
        }
        self.push(build::stmt(StmtKind::Assign(places, Source::Call(callee)), span));
        let (throwing, ()) = self.nested(|lowering| match exception {
            Some(exception) => {
                lowering.push(terms::assume(terms::is_object(&exception), span));
                lowering.throw(exception, span);
            }
            None => lowering.throw_any(None, span),
        });
        self.push(terms::branch(terms::name(&threw, span), throwing, Vec::new(), span));
        value
    }

    /// What is not checked of a method without a body that is called.
    fn take_for_granted(&mut self, method: MethodId, span: Span) {
        let about = self.program.method(method);
        let name = self.program.method_name(method);
        if about.body.is_none() {
            let text = if about.spec.summary.is_some() {
                "no class that is not read implements the method called here".to_owned()
            } else if about.is_abstract {
                format!("classes that are not read keep to what is written of `{name}`")
            } else {
                format!("`{name}`, which is not written in Java, keeps to what is written of it")
            };
            self.assume_silently(span, text);
        }
    }

    /// How often this thread entered monitors, as a map of its own.
    fn entered_monitors(&mut self, span: Span) -> Expr {
        let local = self.temp("entries", entered_sort(span));
        self.push(terms::havoc(&local, span));
        let entered = terms::name(&local, span);
        self.push(terms::assume(counts_entries(&entered, false, span), span));
        entered
    }

    /// What loops of a method with actions may know of monitors that the caller holds.
    pub(super) fn entered_guesses(&mut self, guesses: &mut Vec<Expr>, span: Span) {
        if !self.is_compared || !self.used.monitors {
            return;
        }
        let r = || terms::name("$r", span);
        let every = |body: Expr| forall(&[("$r", terms::reference(span))], body, span);
        let entered = || terms::name(ENTERED, span).at(r());
        let own = || terms::name("holder", span).at(r()).equals(terms::tid(span));
        let is_held = entered().differs(terms::int(0, span));
        guesses.push(every(is_held.implies(own())));
        let mut premises = vec![own()];
        premises.extend(self.held.iter().map(|held| r().differs(held.lock.clone())));
        let same = terms::name("depth", span).at(r()).equals(entered());
        guesses.push(every(terms::and(premises, span).implies(same)));
    }

    /// The object of a variable is known to others from here on, if it was private.
    pub(super) fn publish_if_own(&mut self, object: &Expr, span: Span) {
        if !self.used.allocates || !self.is_reference(object) {
            return;
        }
        let publish = self.publication(object, span);
        let is_own = terms::name("owner", span).at(object.clone()).equals(terms::tid(span));
        let publish = terms::branch(is_own, publish, Vec::new(), span);
        self.step(vec![terms::assume(terms::boolean(true, span), span), publish], span);
    }

    /// The result of a method may be known to others when it ends, with everything that is promised
    /// of it.
    pub(super) fn publish_result(&mut self, span: Span) {
        if let Some(result) = self.frame().result.clone() {
            self.publish_if_own(&terms::name(&result, span), span);
        }
    }

    /// A constructor cannot be compared with actions: nobody knows its object yet.
    pub(super) fn refuse_actions(&mut self, method: &Method, span: Span) {
        if says_steps(method) && method.is_constructor {
            let told = fault(Code::Unsupported, "actions of a constructor");
            self.unsupported(&told.failed, span);
        }
    }
}

/// A frame in which formulas about a method have their names.
pub(super) fn frame_of(method: &Method) -> super::Frame {
    let mut locals = inherited::params(method);
    if let Some(body) = &method.body {
        locals.extend(body.locals.iter().skip(method.params.len()).cloned());
    }
    super::Frame {
        method: None,
        this: (!method.is_static).then(|| terms::name("this", method.span)),
        locals: locals.iter().map(|local| unreserved(&local.name)).collect(),
        result: (method.result != Ty::Void).then(|| "$result".to_owned()),
        scopes: 0,
        end: String::new(),
        returns: false,
        olds: std::collections::BTreeMap::new(),
    }
}

/// The name that a parameter gets among the variables of a program.
fn unreserved(name: &Name) -> String {
    let is_taken = super::RESERVED.contains(&name.as_str());
    if is_taken { format!("{name}~2") } else { name.to_string() }
}

fn entered_sort(span: Span) -> ast::Type {
    terms::map(terms::reference(span), build::ty(ast::TypeKind::Int, span))
}

/// That a map says how often this thread entered each monitor.
pub(super) fn counts_entries(entered: &Expr, primed: bool, span: Span) -> Expr {
    let r = || terms::name("$r", span);
    let at = |map: &str| terms::variable(map, primed, span).at(r());
    let own = at("holder").equals(terms::tid(span));
    let count = build::conditional(own, at("depth"), terms::int(0, span), span);
    let same = entered.clone().at(r()).equals(count);
    forall(&[("$r", terms::reference(span))], same, span)
}

fn procedure(
    name: &str,
    (params, results): (Vec<Param>, Vec<Param>),
    spec: Vec<Clause>,
    stmts: Vec<Stmt>,
    span: Span,
) -> Item {
    let name = Ident { name: Name::from(name), span };
    let body = terms::block(stmts, span);
    let proc = Proc { is_atomic: false, name, params, results, spec, body };
    Item { kind: ItemKind::Proc(Box::new(proc)), span }
}

/// Threads that call the procedure with anything.
fn caller(root: &Root, callee: &str, params: &[Param], span: Span) -> Item {
    let mut stmts: Vec<Stmt> = Vec::new();
    for param in params {
        let name = param.name.name.as_str();
        stmts.push(build::local(name, param.ty.clone(), None, span));
        if name == ENTERED {
            let entered = terms::name(ENTERED, span);
            stmts.push(terms::assume(counts_entries(&entered, false, span), span));
        }
    }
    let args = params.iter().map(|param| terms::name(param.name.name.as_str(), span)).collect();
    let call = build::call(callee, args, span);
    stmts.push(build::stmt(StmtKind::Call(call), span));
    let thread = Thread {
        name: Ident { name: Name::from(root.name.as_str()), span },
        copies: ast::Copies::Any,
        forked: None,
        relies: Vec::new(),
        body: terms::block(stmts, span),
    };
    Item { kind: ItemKind::Thread(Box::new(thread)), span }
}
