//! Class initializers: first values of static fields, and blocks behind `static`.
//!
//! An initializer is checked like a method. It runs once, in the thread that needs the class first,
//! and whoever else needs the class waits for its end. So the static fields of the class belong to
//! that thread meanwhile: they have their first values when it begins, others leave them alone,
//! what is stored in them stays private, and what is promised of them is due at its end. No object
//! of the class is there when it begins.

use super::terms::{self, Term as _, forall};
use super::{Lowering, fault};
use crate::typed::{
    Body, ClassId, Constant, ExprKind, FieldId, Method, MethodId, MethodSpec, Origin, Place,
    Program, Stmt, StmtKind, Ty, walk,
};
use diagnostic::Code;
use plato::ast::Expr;
use source::{Name, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The name of an initializer among methods, which no method of Java can have.
const NAME: &str = "static";

/// The thread that runs the initializer.
pub(super) const INITIALIZER: &str = "initializing thread";

/// Whether a method is the initializer of its class.
pub(super) fn is_initializer(method: &Method) -> bool {
    method.name.as_str() == NAME
}

/// Adds the initializers of classes to the methods.
pub(crate) fn add_initializers(program: &mut Program, never_null: &BTreeSet<FieldId>) {
    for id in program.class_ids().collect::<Vec<_>>() {
        let class = program.class(id);
        let is_promised = class.fields.iter().any(|field| {
            let about = program.field(*field);
            about.is_static && (about.spec.is_non_null || never_null.contains(field))
        });
        let is_needed = class.static_init.is_some()
            || is_promised
            || program.classes.iter().any(|other| {
                let mut fields = BTreeSet::new();
                for formula in &other.spec.invariants {
                    super::annotations::mentioned(program, &formula.expr, &mut fields);
                }
                let is_own = |field: &&FieldId| program.field(**field).class == id;
                fields.iter().filter(is_own).any(|field| program.field(*field).is_static)
            });
        if class.origin != Origin::Checked || !is_needed {
            continue;
        }
        let body = class.static_init.clone().unwrap_or_default();
        let span = body.stmts.first().map_or(class.span, |stmt| stmt.span);
        let method = initializer(id, body, span);
        program.methods.push(method);
        let added = MethodId::from_index(program.methods.len() - 1);
        program.classes[id.index()].methods.push(added);
    }
}

fn initializer(class: ClassId, body: Body, span: Span) -> Method {
    Method {
        name: Name::from(NAME),
        class,
        params: Vec::new(),
        result: Ty::Void,
        is_varargs: false,
        is_constructor: false,
        is_static: true,
        is_private: false,
        is_of_package: false,
        is_open: true,
        is_abstract: false,
        is_synchronized: false,
        overrides: Vec::new(),
        overridden_by: Vec::new(),
        body: Some(body),
        spec: MethodSpec::default(),
        span,
    }
}

impl Lowering<'_> {
    /// Whether a static field belongs to the class whose initializer is checked.
    pub(super) fn is_being_initialized(&self, field: FieldId) -> bool {
        let about = self.program.field(field);
        about.is_static && self.initializes == Some(about.class)
    }

    /// What holds when an initializer begins.
    pub(super) fn begin_initializer(&mut self, method: &Method, span: Span) {
        if !is_initializer(method) {
            return;
        }
        let class = method.class;
        self.initializes = Some(class);
        let is_it = terms::tid(span).equals(terms::name(INITIALIZER, span));
        self.push(terms::assume(is_it, span));
        for field in self.used.fields.clone() {
            if self.is_being_initialized(field) {
                let value = terms::name(&self.field_name(field), span);
                let first = self.first_value(field, span);
                self.push(terms::assume(value.equals(first), span));
            }
        }
        if self.used.classes.contains(&class) || self.used.exact.contains(&class) {
            let r = || terms::name("$r", span);
            let is_instance = self.is_instance(&r(), class);
            let shared = terms::name("shared", span).at(r());
            let none = shared.implies(is_instance.negated());
            let none = forall(&[("$r", terms::reference(span))], none, span);
            self.push(terms::assume(none, span));
        }
        if let Some(other) = needed_by_each_other(self.program, class) {
            let other = &self.program.class(other).name;
            self.unsupported(&format!("an initializer that one of `{other}` needs too"), span);
        }
    }

    fn first_value(&mut self, field: FieldId, span: Span) -> Expr {
        let about = self.program.field(field);
        match &about.constant {
            Some(Constant::Int(value)) => terms::int(*value, span),
            Some(Constant::Bool(value)) => terms::boolean(*value, span),
            Some(Constant::Text(text)) => self.constant_object(text.as_str(), span),
            None => terms::zero(&about.ty, span),
        }
    }

    /// At the end of an initializer: what is promised of static fields holds, and from here on
    /// others know what is stored in them.
    pub(super) fn end_initializer(&mut self, method: &Method, span: Span) {
        if !is_initializer(method) {
            return;
        }
        for (cond, place) in self.promises_of_statics() {
            let failed = "this may not hold at the end of the initializer";
            let told = fault(Code::InvariantBroken, failed);
            self.push(terms::check(cond, told, place));
        }
        if self.used.in_heap {
            let publish = self.publication(&terms::null(span), span);
            self.push(terms::atomic(publish, span));
        }
    }

    /// What loops of an initializer may know: static fields are as before, and what is stored in
    /// them is still private.
    pub(super) fn static_guesses(&mut self, guesses: &mut Vec<Expr>, span: Span) {
        for field in self.used.fields.clone() {
            if !self.is_being_initialized(field) {
                continue;
            }
            let ty = &self.program.field(field).ty;
            let value = || terms::name(&self.field_name(field), span);
            if ty.is_reference() && self.used.allocates {
                let owner = terms::name("owner", span).at(value());
                guesses.push(owner.equals(terms::tid(span)));
            }
            let value = value();
            let before = self.kept("before", value.clone(), ty);
            guesses.push(value.equals(before));
        }
    }

    /// What is promised of the static fields of the class, with the places where that is written.
    fn promises_of_statics(&mut self) -> Vec<(Expr, Span)> {
        let mut all = self.invariants_of_statics();
        let Some(class) = self.initializes else { return all };
        for field in self.program.class(class).fields.clone() {
            let about = self.program.field(field);
            let is_promised =
                about.spec.is_non_null || self.protections.never_null.contains(&field);
            if is_promised && self.is_being_initialized(field) {
                self.used.fields.insert(field);
                let value = terms::name(&self.field_name(field), about.span);
                all.push((value.differs(terms::null(about.span)), about.span));
            }
        }
        all
    }
}

/// Another class whose initializer needs this class and is needed by the initializer of this one.
/// One of them then sees static fields of the other before they have their values.
fn needed_by_each_other(program: &Program, class: ClassId) -> Option<ClassId> {
    let needs = |of: ClassId| -> BTreeSet<ClassId> {
        program.class(of).static_init.as_ref().map(|body| needed(program, body)).unwrap_or_default()
    };
    let mut direct: BTreeMap<ClassId, BTreeSet<ClassId>> = BTreeMap::new();
    let own: Vec<ClassId> = needs(class).into_iter().filter(|other| *other != class).collect();
    for first in own {
        let mut seen = BTreeSet::from([first]);
        let mut rest = vec![first];
        while let Some(next) = rest.pop() {
            for other in direct.entry(next).or_insert_with(|| needs(next)).clone() {
                if other == class {
                    return Some(first);
                }
                if seen.insert(other) {
                    rest.push(other);
                }
            }
        }
    }
    None
}

/// The classes that code needs, and all that it may call.
fn needed(program: &Program, body: &Body) -> BTreeSet<ClassId> {
    let mut classes = BTreeSet::new();
    let mut called: BTreeSet<MethodId> = BTreeSet::new();
    let mut rest: Vec<&[Stmt]> = vec![&body.stmts];
    while let Some(stmts) = rest.pop() {
        let mut methods: Vec<MethodId> = Vec::new();
        walk::all(stmts, &mut |stmt| {
            match &stmt.kind {
                StmtKind::Construct { constructor, .. } => methods.push(*constructor),
                StmtKind::Init(Place::Static(field, _), _) => {
                    classes.insert(program.field(*field).class);
                }
                _ => {}
            }
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| match &part.kind {
                    ExprKind::Static(field) => {
                        classes.insert(program.field(*field).class);
                    }
                    ExprKind::Assign(place, _)
                    | ExprKind::AssignOp(place, ..)
                    | ExprKind::Step { place, .. } => {
                        if let Place::Static(field, _) = &**place {
                            classes.insert(program.field(*field).class);
                        }
                    }
                    ExprKind::New { class, constructor, .. } => {
                        classes.insert(*class);
                        methods.extend(*constructor);
                    }
                    ExprKind::Call(callee) => methods.extend(callee.method),
                    _ => {}
                });
            });
        });
        for id in methods {
            let method = program.method(id);
            if method.is_static {
                classes.insert(method.class);
            }
            for id in method.overridden_by.iter().chain([&id]) {
                if called.insert(*id) {
                    rest.extend(program.method(*id).body.iter().map(|body| &body.stmts[..]));
                }
            }
        }
    }
    classes
}
