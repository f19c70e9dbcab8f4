//! What fields get, as far as the code tells: some are never null, some have locks of a class that
//! is known, some have objects of which a contract of the library says something.
//!
//! All of this is guessed from the text and then checked like what is written.

use super::library::{is_exclusive_lock, side};
use super::protect::{Protection, Protections};
use super::shared_locks::Side;
use crate::tree::{BinaryOp, Prim};
use crate::typed::{
    Body, ClassId, Expr, ExprKind, FieldId, Formula, LocalId, MethodId, Place, Program, Stmt,
    StmtKind, Ty, getters, walk,
};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A value that some code stores in a field.
struct Store<'p> {
    value: &'p Expr,
    by: Option<MethodId>,
    /// Whether the code comes there on every way to its end.
    is_certain: bool,
}

/// All that is stored in fields.
pub(super) struct Stored<'p> {
    program: &'p Program,
    of: BTreeMap<FieldId, Vec<Store<'p>>>,
}

/// What a contract of the library says of the object in a field of `this`: the field, the object
/// whose method gave it, and the formula about the two.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) field: FieldId,
    pub(crate) receiver: Expr,
    pub(crate) formula: Formula,
}

impl<'p> Stored<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut stored = Self { program, of: BTreeMap::new() };
        for (at, method) in program.methods.iter().enumerate() {
            if let Some(body) = &method.body {
                stored.body(body, Some(MethodId::from_index(at)));
            }
        }
        for body in program.classes.iter().filter_map(|class| class.static_init.as_ref()) {
            stored.body(body, None);
        }
        stored
    }

    fn body(&mut self, body: &'p Body, by: Option<MethodId>) {
        let mut certain = BTreeSet::new();
        certain_stores(&body.stmts, &mut certain);
        let mut add = |place: &'p Place, value: &'p Expr| {
            if let Place::Field(_, field, _) | Place::Static(field, _) = place {
                let is_certain = certain.contains(&place.span());
                self.of.entry(*field).or_default().push(Store { value, by, is_certain });
            }
        };
        let mut captured = Vec::new();
        walk::all(&body.stmts, &mut |stmt| {
            if let StmtKind::Init(place, value) = &stmt.kind {
                add(place, value);
            }
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| match &part.kind {
                    ExprKind::Assign(place, value) => add(place, value),
                    ExprKind::New { captured: fields, .. } => captured.extend(fields),
                    _ => {}
                });
            });
        });
        for (field, value) in captured {
            let store = Store { value, by, is_certain: true };
            self.of.entry(*field).or_default().push(store);
        }
    }

    /// Fields that only get objects, and do so in every constructor.
    pub(super) fn never_null(&self, protections: &Protections) -> BTreeSet<FieldId> {
        let is_candidate = |(field, stores): &(&FieldId, &Vec<Store<'_>>)| {
            self.program.field(**field).ty.is_reference()
                && self.is_own(**field, protections)
                && self.is_always_stored(**field, stores)
        };
        let candidates = self.of.iter().filter(is_candidate);
        let mut found: BTreeSet<FieldId> = candidates.map(|(field, _)| *field).collect();
        // An inner object has an object around it, whoever makes it.
        found.extend(self.program.classes.iter().filter_map(|class| class.outer_field));
        // What comes out of such a field is an object too.
        loop {
            let is_object = |store: &Store<'_>| self.is_object(store.value, store.by, &found);
            let keeps = |field: &&FieldId| self.of.get(field).into_iter().flatten().all(is_object);
            let kept: BTreeSet<FieldId> = found.iter().filter(keeps).copied().collect();
            if kept.len() == found.len() {
                return found;
            }
            found = kept;
        }
    }

    /// Whether code that is not read cannot store anything in a field.
    fn is_own(&self, field: FieldId, protections: &Protections) -> bool {
        let about = self.program.field(field);
        about.is_private || matches!(protections.of(field), Protection::Fixed)
    }

    /// Whether a field got some value when its object, or its class, is there.
    fn is_always_stored(&self, field: FieldId, stores: &[Store<'_>]) -> bool {
        let about = self.program.field(field);
        let certain =
            |by: Option<MethodId>| stores.iter().any(|store| store.by == by && store.is_certain);
        if about.is_static {
            return certain(None);
        }
        if about.is_synthetic {
            return true;
        }
        let class = self.program.class(about.class);
        let named = |name: &str| {
            class.methods.iter().find(|id| self.program.method(**id).name.as_str() == name)
        };
        if named("<fields>").is_some_and(|id| certain(Some(*id))) {
            return true;
        }
        let calls_own = |id: &MethodId| {
            let body = self.program.method(*id).body.as_ref();
            body.is_some_and(|body| {
                body.stmts.iter().any(|stmt| match &stmt.kind {
                    StmtKind::Construct { constructor, .. } => {
                        self.program.method(*constructor).class == about.class
                    }
                    _ => false,
                })
            })
        };
        let mut makers = class.methods.iter().filter(|id| self.program.method(**id).is_constructor);
        makers.all(|id| certain(Some(*id)) || calls_own(id))
    }

    /// Whether a value is an object for sure.
    fn is_object(
        &self,
        value: &Expr,
        by: Option<MethodId>,
        never_null: &BTreeSet<FieldId>,
    ) -> bool {
        let mut rest = vec![value];
        while let Some(value) = rest.pop() {
            let is_object = match &value.kind {
                ExprKind::New { .. }
                | ExprKind::NewArray(_)
                | ExprKind::ArrayOf(_)
                | ExprKind::This
                | ExprKind::Text(_)
                | ExprKind::Concat(_)
                | ExprKind::ClassObject(_)
                | ExprKind::Box(_) => true,
                ExprKind::Field(_, field) | ExprKind::Static(field) => {
                    never_null.contains(field) || self.program.field(*field).spec.is_non_null
                }
                ExprKind::Call(callee) => {
                    callee.method.is_some_and(|id| self.program.method(id).spec.is_non_null)
                }
                ExprKind::Local(local) => by.is_some_and(|id| self.is_object_param(id, *local)),
                ExprKind::Cast(inner) | ExprKind::Assign(_, inner) => {
                    rest.push(inner);
                    true
                }
                ExprKind::Conditional(_, one, other) => {
                    rest.extend([&**one, &**other]);
                    true
                }
                _ => false,
            };
            if !is_object {
                return false;
            }
        }
        true
    }

    /// Whether a parameter is not null where the method goes on: that is required, or the method
    /// throws if it is.
    fn is_object_param(&self, id: MethodId, local: LocalId) -> bool {
        let method = self.program.method(id);
        if local.index() >= method.params.len() {
            return false;
        }
        let throws = |stmt: &Stmt| match &stmt.kind {
            StmtKind::If(cond, then, _) => {
                is_test_for_null(cond, local)
                    && matches!(then.last().map(|stmt| &stmt.kind), Some(StmtKind::Throw(_)))
            }
            _ => false,
        };
        method.spec.non_null_params.contains(&local.index())
            || method.body.iter().any(|body| body.stmts.iter().any(throws))
    }

    /// Fields whose objects are locks that one thread holds at a time.
    pub(super) fn exclusive_locks(&self, protections: &Protections) -> BTreeSet<FieldId> {
        let is_lock = |store: &Store<'_>| match &store.value.kind {
            ExprKind::New { class, .. } => is_exclusive_lock(self.program, *class),
            _ => false,
        };
        let holds = |(field, stores): &(&FieldId, &Vec<Store<'_>>)| {
            self.is_own(**field, protections) && stores.iter().all(is_lock)
        };
        self.of.iter().filter(holds).map(|(field, _)| *field).collect()
    }

    /// Fields that get nothing but new objects of one class, and the class.
    pub(super) fn made(&self, protections: &Protections) -> BTreeMap<FieldId, ClassId> {
        let class_of = |store: &Store<'_>| match &store.value.kind {
            ExprKind::New { class, .. } => Some(*class),
            _ => None,
        };
        let mut found = BTreeMap::new();
        for (field, stores) in &self.of {
            let first = stores.first().and_then(class_of);
            let is_one = stores.iter().all(|store| class_of(store) == first);
            if let (Some(class), true, true) = (first, is_one, self.is_own(*field, protections)) {
                found.insert(*field, class);
            }
        }
        found
    }

    /// The calls whose results are all that final fields of `this` get.
    pub(super) fn calls(&self) -> BTreeMap<FieldId, Expr> {
        let mut found = BTreeMap::new();
        for (field, stores) in &self.of {
            let [Store { value, .. }] = stores.as_slice() else { continue };
            if let (ExprKind::Call(_), true) = (&value.kind, self.program.field(*field).is_final) {
                found.insert(*field, (*value).clone());
            }
        }
        found
    }

    /// Fields that get one side of locks for readers and writers, always the same.
    pub(super) fn sides(&self, protections: &Protections) -> BTreeMap<FieldId, Side> {
        let side_of = |store: &Store<'_>| match &store.value.ty {
            Ty::Class(class) => side(self.program, *class),
            _ => None,
        };
        let mut found = BTreeMap::new();
        for (field, stores) in &self.of {
            let first = stores.first().and_then(side_of);
            let is_one = stores.iter().all(|store| side_of(store) == first);
            if let (Some(side), true, true) = (first, is_one, self.is_own(*field, protections)) {
                found.insert(*field, side);
            }
        }
        found
    }

    /// What contracts of the library say of the objects in final fields.
    pub(super) fn given(&self) -> Vec<Given> {
        let mut all = Vec::new();
        for (field, stores) in &self.of {
            let about = self.program.field(*field);
            let [Store { value, .. }] = stores.as_slice() else { continue };
            if about.is_final && !about.is_static {
                all.extend(constant_value(*field, value, about.class));
            }
            let ExprKind::Call(callee) = &value.kind else { continue };
            let (Some(method), Some(receiver)) = (callee.method, &callee.receiver) else {
                continue;
            };
            let receiver = getters::expanded(self.program, receiver);
            if !about.is_final || about.is_static || !self.is_fixed(&receiver) {
                continue;
            }
            for formula in &self.program.method(method).spec.ensures {
                let (receiver, formula) = (receiver.clone(), formula.clone());
                all.push(Given { field: *field, receiver, formula });
            }
        }
        all
    }

    /// Whether an expression is `this`, or a final field of it.
    fn is_fixed(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::This => true,
            ExprKind::Field(object, field) => {
                self.program.field(*field).is_final && self.is_fixed(object)
            }
            _ => false,
        }
    }
}

/// That a field has a certain value, or its array a certain length, if the text says so.
fn constant_value(field: FieldId, value: &Expr, class: ClassId) -> Option<Given> {
    let span = value.span;
    let expr = |kind, ty: Ty| Expr { kind, ty, span };
    let this = expr(ExprKind::This, Ty::Class(class));
    let of_this = expr(ExprKind::Field(Box::new(this.clone()), field), value.ty.clone());
    let length = match &value.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) => None,
        ExprKind::NewArray(sizes) => match &sizes.first()?.kind {
            ExprKind::Int(length) => Some(*length),
            _ => return None,
        },
        ExprKind::ArrayOf(values) => Some(i128::try_from(values.len()).ok()?),
        _ => return None,
    };
    let boolean = || Ty::Prim(Prim::Boolean);
    let equal = |one: Expr, other: Expr| {
        expr(ExprKind::Binary(BinaryOp::Eq, Box::new(one), Box::new(other)), boolean())
    };
    let same = match length {
        None => equal(of_this, value.clone()),
        // That there is an array is told apart from this.
        Some(length) => {
            let int = Ty::Prim(Prim::Int);
            let is_null = equal(of_this.clone(), expr(ExprKind::Null, Ty::Null));
            let found = expr(ExprKind::Length(Box::new(of_this)), int.clone());
            let fits = equal(found, expr(ExprKind::Int(length), int));
            let either = ExprKind::Binary(BinaryOp::Or, Box::new(is_null), Box::new(fits));
            expr(either, boolean())
        }
    };
    let formula = Formula { expr: same, span };
    Some(Given { field, receiver: this, formula })
}

/// Whether a condition is `local == null`.
fn is_test_for_null(cond: &Expr, local: LocalId) -> bool {
    let ExprKind::Binary(BinaryOp::Eq, one, other) = &cond.kind else { return false };
    let is_local = |expr: &Expr| matches!(expr.kind, ExprKind::Local(found) if found == local);
    let is_null = |expr: &Expr| matches!(expr.kind, ExprKind::Null);
    is_local(one) && is_null(other) || is_null(one) && is_local(other)
}

/// The places that statements store to on every way to their end.
fn certain_stores(stmts: &[Stmt], found: &mut BTreeSet<Span>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Init(place, value) => {
                found.insert(place.span());
                certain_values(value, found);
            }
            StmtKind::Expr(value) | StmtKind::Local(_, Some(value)) => certain_values(value, found),
            StmtKind::Block(stmts) | StmtKind::Synchronized(_, stmts) => {
                certain_stores(stmts, found);
            }
            _ => {}
        }
        // After a statement that may end the body, nothing is certain.
        let mut may_end = false;
        walk::all(std::slice::from_ref(stmt), &mut |inner| {
            may_end |= matches!(inner.kind, StmtKind::Return(_));
        });
        if may_end {
            return;
        }
    }
}

/// The same for `a = b = value`.
fn certain_values(value: &Expr, found: &mut BTreeSet<Span>) {
    let mut value = value;
    while let ExprKind::Assign(place, inner) = &value.kind {
        found.insert(place.span());
        value = inner;
    }
}
