//! The part of the heap that a method touches, as variables with the formulas that come with them.
//!
//! An object is not made yet, private to the thread that made it (`owner`), or shared; never back.
//! Others leave private objects alone, and what a shared object refers to is shared. A private
//! object that was stored in another one is `inheap`: with the publication of anything, it is
//! published too, since it might be reachable from there.

use super::MAIN;
use super::elements::{HOME, KEPT_BY};
use super::ended::{ENDED, MAKER};
use super::initializers::INITIALIZER;
use super::lock_kinds::LockKind;
use super::protect::Lock;
use super::shared_locks::READS;
use super::specified::is_specified;
use super::terms::{self, Term as _, forall};
use super::{Lowering, Root};
use crate::tree::Prim;
use crate::typed::{ClassId, FieldId, Ty};
use plato::ast::{
    ConstItem, Copies, EnumItem, Expr, File, Item, ItemKind, Param, PredItem, Stmt, Thread, Type,
    TypeItem, TypeKind, VarItem,
};
use plato::build;
use source::{Name, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What a method touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) fields: BTreeSet<FieldId>,
    /// Kinds of elements of arrays.
    pub(super) elements: BTreeSet<Element>,
    pub(super) monitors: bool,
    /// Of what kind the monitors are that it enters, leaves or waits for.
    pub(super) locks: BTreeSet<LockKind>,
    /// Whether it holds locks for reading, or asks whether others do.
    pub(super) reads: bool,
    /// Whether it makes objects, which are private at first.
    pub(super) allocates: bool,
    /// Whether it stores private objects in others, so that they are published together.
    pub(super) in_heap: bool,
    pub(super) lengths: bool,
    /// What keeps others away from elements of arrays that are accessed.
    pub(super) keepers: BTreeSet<usize>,
    pub(super) boxes: bool,
    pub(super) threads: bool,
    /// Whether it is said which thread runs `main`.
    pub(super) main: bool,
    pub(super) starts: bool,
    /// Whether it matters which threads have ended.
    pub(super) ends: bool,
    /// Classes that objects are tested for.
    pub(super) classes: BTreeSet<ClassId>,
    /// Classes that objects are known to be of.
    pub(super) exact: BTreeSet<ClassId>,
    /// Strings and objects of classes: names of constants.
    pub(super) constants: BTreeMap<String, Span>,
}

impl Used {
    /// Whether arrays of objects are touched.
    pub(super) fn has_object_elements(&self) -> bool {
        self.elements.contains(&Element::Object)
    }
}

/// A kind of elements of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    Number,
    Truth,
    Object,
}

impl Element {
    pub(super) fn of(ty: &Ty) -> Self {
        match ty {
            Ty::Prim(Prim::Boolean) => Self::Truth,
            Ty::Prim(_) => Self::Number,
            _ => Self::Object,
        }
    }

    /// The variable with the elements of all arrays of this kind.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Number => "numbers",
            Self::Truth => "truths",
            Self::Object => "elements",
        }
    }

    pub(super) fn ty(self) -> Ty {
        match self {
            Self::Number => Ty::Prim(Prim::Int),
            Self::Truth => Ty::Prim(Prim::Boolean),
            Self::Object => Ty::Unknown,
        }
    }
}

/// The whole program of a method.
pub(super) fn file(lowering: &mut Lowering<'_>, root: &Root, body: Vec<Stmt>) -> File {
    let formulas = lowering.relevant_formulas();
    let span = root.span;
    let mut items = Vec::new();
    lowering.declare_types(&mut items, span);
    lowering.declare_variables(&mut items, span);
    lowering.always_true(&mut items, span);
    lowering.always_relied_on(&mut items, span);
    items.extend(formulas);
    for (what, span) in &lowering.gaps {
        items.push(build::unsupported(what.clone(), *span));
    }
    items.extend(lowering.called_items(span));
    if is_specified(lowering.program, root.method) {
        items.extend(lowering.specified_items(root, body));
    } else {
        lowering.declare_thread(&mut items, root, body);
    }
    File { items }
}

fn item(kind: ItemKind, span: Span) -> Item {
    Item { kind, span }
}

fn constant(items: &mut Vec<Item>, name: &str, ty: Type, span: Span) {
    let name = build::ident(name, span);
    items.push(item(ItemKind::Const(ConstItem { name, ty, value: None }), span));
}

fn shared_variable(items: &mut Vec<Item>, name: &str, ty: Type, span: Span) {
    let names = vec![build::ident(name, span)];
    let var = VarItem { names, ty, value: None, guard: None };
    items.push(item(ItemKind::Var(var), span));
}

/// An invariant that also holds at first.
fn invariant(items: &mut Vec<Item>, expr: Expr, span: Span) {
    items.push(terms::init(expr.clone(), span));
    items.push(terms::invariant(None, expr, span));
}

impl Lowering<'_> {
    fn declare_types(&mut self, items: &mut Vec<Item>, span: Span) {
        let reference = terms::reference(span);
        let name = build::ident("Ref", span);
        items.push(item(ItemKind::Type(TypeItem { name, alias: None }), span));
        constant(items, "null", reference.clone(), span);
        for (name, span) in self.used.constants.clone() {
            constant(items, &name, reference.clone(), span);
        }
        if self.initializes.is_some() {
            constant(items, INITIALIZER, build::ty(TypeKind::Tid, span), span);
        }
        let relevant = self.relevant_classes();
        let has_tests = !self.used.classes.is_empty() || !self.used.exact.is_empty();
        if has_tests {
            let mut variants: Vec<_> =
                relevant.iter().map(|id| build::ident(&self.class_variant(*id), span)).collect();
            variants.push(build::ident("other class", span));
            let name = build::ident("Class", span);
            items.push(item(ItemKind::Enum(EnumItem { name, variants }), span));
            let class = build::ty(TypeKind::Named(build::path("Class", span)), span);
            constant(items, "class", terms::map(reference.clone(), class), span);
            for id in self.used.classes.clone() {
                let map = terms::map(reference.clone(), build::ty(TypeKind::Bool, span));
                if matches!(
                    self.program.class(id).kind,
                    crate::typed::ClassKind::Interface | crate::typed::ClassKind::Annotation
                ) {
                    constant(items, &self.interface_map(id), map, span);
                }
                let object = terms::name("$r", span);
                let pred = PredItem {
                    name: build::ident(&self.class_predicate(id), span),
                    params: vec![Param { name: build::ident("$r", span), ty: reference.clone() }],
                    ty: None,
                    body: self.class_test(id, &object),
                };
                items.push(item(ItemKind::Pred(pred), span));
            }
        }
        if self.used.lengths {
            let map = terms::map(reference.clone(), build::ty(TypeKind::Int, span));
            constant(items, "length", map, span);
        }
        if !self.used.keepers.is_empty() {
            constant(items, HOME, terms::map(reference.clone(), reference.clone()), span);
            let number = terms::map(reference.clone(), build::ty(TypeKind::Int, span));
            constant(items, KEPT_BY, number, span);
        }
        if self.used.boxes {
            let map = terms::map(reference, build::ty(TypeKind::Int, span));
            constant(items, "boxed", map, span);
        }
    }

    fn declare_variables(&mut self, items: &mut Vec<Item>, span: Span) {
        let reference = terms::reference(span);
        let bool_map = terms::map(reference.clone(), build::ty(TypeKind::Bool, span));
        let tid = build::ty(TypeKind::Tid, span);
        shared_variable(items, "shared", bool_map.clone(), span);
        if self.used.allocates {
            shared_variable(items, "owner", terms::map(reference.clone(), tid.clone()), span);
            if self.used.in_heap {
                shared_variable(items, "inheap", bool_map.clone(), span);
            }
        }
        if self.used.monitors {
            shared_variable(items, "holder", terms::map(reference.clone(), tid.clone()), span);
            let depth = terms::map(reference.clone(), build::ty(TypeKind::Int, span));
            shared_variable(items, "depth", depth, span);
        }
        if self.used.reads {
            let counts = terms::map(tid.clone(), build::ty(TypeKind::Int, span));
            shared_variable(items, READS, terms::map(reference.clone(), counts), span);
        }
        if self.used.main {
            shared_variable(items, MAIN, tid.clone(), span);
        }
        if self.used.threads {
            shared_variable(items, "threadOf", terms::map(tid, reference.clone()), span);
        }
        if self.used.starts {
            shared_variable(items, "started", bool_map.clone(), span);
        }
        if self.used.ends {
            shared_variable(items, ENDED, bool_map, span);
            let tid = build::ty(TypeKind::Tid, span);
            shared_variable(items, MAKER, terms::map(reference.clone(), tid), span);
        }
        for id in self.used.fields.clone() {
            let field = self.program.field(id);
            let sort = terms::sort(&field.ty, field.span);
            let ty = if field.is_static { sort } else { terms::map(reference.clone(), sort) };
            shared_variable(items, &self.field_name(id), ty, field.span);
        }
        for element in self.used.elements.clone() {
            let inner =
                terms::map(build::ty(TypeKind::Int, span), terms::sort(&element.ty(), span));
            let ty = terms::map(reference.clone(), inner);
            shared_variable(items, element.name(), ty, span);
        }
    }

    /// What holds of every heap.
    fn always_true(&mut self, items: &mut Vec<Item>, span: Span) {
        let reference = terms::reference(span);
        let r = || terms::name("$r", span);
        let all = |body: Expr| forall(&[("$r", reference.clone())], body, span);
        let at = |map: &str, key: Expr| terms::name(map, span).at(key);
        let none = || terms::int(0, span);
        let null = || terms::name("null", span);
        invariant(items, at("shared", null()).negated(), span);
        if self.used.allocates {
            let unowned = at("owner", r()).equals(none());
            invariant(items, all(at("shared", r()).implies(unowned)), span);
            invariant(items, at("owner", null()).equals(none()), span);
        }
        if self.used.monitors {
            use plato::ast::BinaryOp::{Ge, Iff};
            invariant(items, all(at("depth", r()).of(Ge, none())), span);
            let free = at("depth", r()).equals(none());
            invariant(items, all(free.of(Iff, at("holder", r()).equals(none()))), span);
        }
        for formula in self.always_true_of_reads(span) {
            invariant(items, formula, span);
        }
        if self.used.starts {
            invariant(items, all(at("started", r()).implies(at("shared", r()))), span);
        }
        if self.used.ends {
            invariant(items, all(at(ENDED, r()).implies(at("started", r()))), span);
        }
        if self.used.threads {
            let tid = build::ty(TypeKind::Tid, span);
            let (i, j) = (terms::name("$i", span), terms::name("$j", span));
            let same = at("threadOf", i.clone()).equals(at("threadOf", j.clone()));
            let body = same.implies(i.equals(j));
            let vars = [("$i", tid.clone()), ("$j", tid)];
            invariant(items, forall(&vars, body, span), span);
        }
        if self.used.lengths {
            use plato::ast::BinaryOp::Ge;
            invariant(items, all(at("length", r()).of(Ge, none())), span);
        }
        for (name, span) in self.used.constants.clone() {
            let object = terms::name(&name, span);
            let exists = object.clone().differs(terms::name("null", span));
            let is_shared = terms::name("shared", span).at(object);
            invariant(items, terms::and(vec![exists, is_shared], span), span);
        }
        for id in self.used.fields.clone() {
            self.always_true_of_field(items, id);
        }
        if self.used.elements.contains(&Element::Object) {
            self.always_true_of_elements(items, span);
        }
        for (id, formula) in self.homes(span) {
            invariant(items, formula, self.program.field(id).span);
        }
    }

    /// What holds of that which a field refers to.
    fn always_true_of_field(&mut self, items: &mut Vec<Item>, id: FieldId) {
        let field = self.program.field(id);
        if !field.ty.is_reference() {
            return;
        }
        let (span, name) = (field.span, self.field_name(id));
        if field.is_static {
            let value = terms::name(&name, span);
            let mut ways = vec![
                value.clone().equals(terms::name("null", span)),
                terms::name("shared", span).at(value.clone()),
            ];
            if self.used.in_heap && self.is_being_initialized(id) {
                let owner = terms::name("owner", span).at(value.clone());
                let own = owner.equals(terms::name(INITIALIZER, span));
                let kept = terms::name("inheap", span).at(value);
                ways.push(terms::and(vec![own, kept], span));
            }
            invariant(items, terms::or(ways, span), span);
            self.typed_field(items, id);
            self.never_null_field(items, id);
            return;
        }
        let value = || terms::name(&name, span).at(terms::name("$r", span));
        let (shared, private) = self.closed(&value, span);
        let all = |body: Expr| forall(&[("$r", terms::reference(span))], body, span);
        invariant(items, all(shared), span);
        if let Some(private) = private {
            invariant(items, all(private), span);
        }
        self.typed_field(items, id);
        self.never_null_field(items, id);
    }

    /// What holds of that which elements of arrays refer to.
    fn always_true_of_elements(&self, items: &mut Vec<Item>, span: Span) {
        let name = Element::Object.name();
        let value =
            || terms::name(name, span).at(terms::name("$r", span)).at(terms::name("$i", span));
        let (shared, private) = self.closed(&value, span);
        let vars = [("$r", terms::reference(span)), ("$i", build::ty(TypeKind::Int, span))];
        invariant(items, forall(&vars, shared, span), span);
        if let Some(private) = private {
            invariant(items, forall(&vars, private, span), span);
        }
    }

    /// That what a shared object `r` refers to is shared, and what a private one refers to is
    /// shared or private to the same thread.
    fn closed(&self, value: &dyn Fn() -> Expr, span: Span) -> (Expr, Option<Expr>) {
        let at = |map: &str, key: Expr| terms::name(map, span).at(key);
        let r = || terms::name("$r", span);
        let is_null = || value().equals(terms::name("null", span));
        let is_shared = || at("shared", value());
        let shared = at("shared", r()).implies(terms::or(vec![is_null(), is_shared()], span));
        let private = self.used.allocates.then(|| {
            let same = at("owner", value()).equals(at("owner", r()));
            let mut own = vec![same];
            own.extend(self.used.in_heap.then(|| at("inheap", value())));
            let own = terms::and(own, span);
            let owned = at("owner", r()).differs(terms::int(0, span));
            owned.implies(terms::or(vec![is_null(), is_shared(), own], span))
        });
        (shared, private)
    }

    /// That a field is never null once others can see the object, if that is written or found.
    fn never_null_field(&mut self, items: &mut Vec<Item>, id: FieldId) {
        let field = self.program.field(id);
        let is_promised = field.spec.is_non_null || self.protections.never_null.contains(&id);
        if !is_promised || self.is_being_initialized(id) {
            return;
        }
        let (span, name) = (field.span, self.field_name(id));
        let null = terms::name("null", span);
        if field.is_static {
            let exists = terms::name(&name, span).differs(null);
            return invariant(items, exists, span);
        }
        let r = || terms::name("$r", span);
        let exists = terms::name(&name, span).at(r()).differs(null);
        let is_shared = terms::name("shared", span).at(r());
        let is_instance = super::classes::apply(&self.class_predicate(field.class), r());
        let premise = terms::and(vec![is_shared, is_instance], span);
        let all = forall(&[("$r", terms::reference(span))], premise.implies(exists), span);
        invariant(items, all, span);
    }

    /// That the values of a field are of its type, if anybody asks.
    fn typed_field(&mut self, items: &mut Vec<Item>, id: FieldId) {
        let field = self.program.field(id);
        let Ty::Class(class) = &field.ty else { return };
        if !self.used.classes.contains(class) {
            return;
        }
        let span = field.span;
        let of = terms::name(&self.field_name(id), span);
        let value = if field.is_static { of } else { of.at(terms::name("$r", span)) };
        let is_null = value.clone().equals(terms::name("null", span));
        let is_instance = super::classes::apply(&self.class_predicate(*class), value);
        let body = terms::or(vec![is_null, is_instance], span);
        if field.is_static {
            return invariant(items, body, span);
        }
        let all = forall(&[("$r", terms::reference(span))], body, span);
        invariant(items, all, span);
    }

    /// The lock of an object as an expression; of a side of a lock, the whole lock.
    pub(super) fn lock(&mut self, lock: &Lock, object: &Expr, span: Span) -> Expr {
        let found = self.lock_itself(lock, object, span);
        match self.side_of_guard(lock) {
            Some(side) => self.whole_lock(&found, side, span),
            None => found,
        }
    }

    fn lock_itself(&mut self, lock: &Lock, object: &Expr, span: Span) -> Expr {
        match lock {
            Lock::Itself => object.clone(),
            Lock::Of(field) => {
                self.used.fields.insert(*field);
                terms::name(&self.field_name(*field), span).at(object.clone())
            }
            Lock::Static(field) => {
                self.used.fields.insert(*field);
                terms::name(&self.field_name(*field), span)
            }
            Lock::Class(name) => self.constant_object(&format!("{name}.class"), span),
            Lock::Written(at) => {
                let expr = self.protections.written[*at].clone();
                self.annotation(&expr, object.clone(), false)
            }
        }
    }

    /// That this thread holds the lock of an object.
    pub(super) fn held(&mut self, lock: &Lock, object: &Expr, span: Span) -> Expr {
        self.used.monitors = true;
        let lock = self.lock(lock, object, span);
        terms::name("holder", span).at(lock).equals(terms::tid(span))
    }

    /// A string or the object of a class: the same object wherever it is named.
    pub(super) fn constant_object(&mut self, name: &str, span: Span) -> Expr {
        self.used.constants.entry(name.to_owned()).or_insert(span);
        terms::name(name, span)
    }

    fn declare_thread(&self, items: &mut Vec<Item>, root: &Root, body: Vec<Stmt>) {
        let span = root.span;
        let mut stmts: Vec<Stmt> = Vec::new();
        for (name, ty) in &self.locals {
            stmts.push(build::local(name, ty.clone(), None, span));
        }
        stmts.extend(body);
        let thread = Thread {
            name: plato::ast::Ident { name: Name::from(root.name.as_str()), span },
            // Also of `main`: there are others, whom this one must not disturb.
            copies: Copies::Any,
            forked: None,
            relies: Vec::new(),
            body: terms::block(stmts, span),
        };
        items.push(item(ItemKind::Thread(Box::new(thread)), span));
    }
}
