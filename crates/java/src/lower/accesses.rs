//! Accesses of fields, with the locks that are held there as far as the text tells.

use super::array_names::array_names;
use super::library::{Effect, effect, side};
use super::permits::{Permit, locks, of_lock};
use super::protect::{Access, Lock};
use super::shared_locks::Side;
use super::stored::Stored;
use crate::typed::{
    Body, Callee, ClassId, Expr, ExprKind, FieldId, LocalId, MethodId, Origin, Place, Program,
    Stmt, StmtKind, Ty, getters,
};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// How often calls are followed, to find what callers hold.
const MOST_ROUNDS: usize = 20;

/// How many fields lead to a lock that callers hold.
const MOST_FIELDS: usize = 3;

/// Accesses of fields, and of the elements of arrays in fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    pub(super) fields: BTreeMap<FieldId, Vec<Access>>,
    pub(super) elements: BTreeMap<FieldId, Vec<Access>>,
}

/// All accesses in methods that are checked.
pub(super) fn accesses(program: &Program) -> Accesses {
    let mut entry: BTreeMap<MethodId, Vec<Held>> = BTreeMap::new();
    let run_at_once = super::lambdas::run_at_once(program);
    let given = Stored::new(program).calls();
    let permits = locks(program);
    let mut lambdas = BTreeMap::new();
    let mut rounds = 0;
    loop {
        let mut found = Finder {
            program,
            entry: &entry,
            lambdas: &lambdas,
            run_at_once: &run_at_once,
            given: &given,
            permits: &permits,
            made: BTreeMap::new(),
            method: MethodId(0),
            held: Vec::new(),
            arrays: BTreeMap::new(),
            accesses: Accesses::default(),
            calls: BTreeMap::new(),
        };
        for (at, method) in program.methods.iter().enumerate() {
            let id = MethodId::from_index(at);
            if program.class(method.class).origin != Origin::Checked {
                continue;
            }
            if let Some(body) = &method.body {
                found.method(id, body);
            }
        }
        let Finder { accesses, calls, made, .. } = found;
        // Locks that all callers of a method hold that only the program calls.
        let mut next = BTreeMap::new();
        for (id, held) in calls {
            let method = program.method(id);
            if !method.is_open && !held.is_empty() {
                next.insert(id, held);
            }
        }
        let is_stable = next == entry && made == lambdas;
        rounds += 1;
        if is_stable || rounds > MOST_ROUNDS {
            return accesses;
        }
        (entry, lambdas) = (next, made);
    }
}

/// A lock that code holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Held {
    This,
    Local(LocalId),
    /// A field of one of these.
    Field(Box<Held>, FieldId),
    Static(FieldId),
    Class(String),
    /// Held for reading, perhaps by others too.
    Reading(Box<Held>),
}

impl Held {
    /// The same lock, where one object is seen as another path.
    fn as_seen(&self, from: &Held, to: &Held) -> Option<Held> {
        if self == from {
            return Some(to.clone());
        }
        match self {
            Self::Field(of, field) => Some(Self::Field(Box::new(of.as_seen(from, to)?), *field)),
            Self::Reading(of) => Some(Self::Reading(Box::new(of.as_seen(from, to)?))),
            _ => None,
        }
    }

    fn depth(&self) -> usize {
        match self {
            Self::Field(of, _) | Self::Reading(of) => 1 + of.depth(),
            _ => 0,
        }
    }
}

struct Finder<'a> {
    program: &'a Program,
    /// Locks that all callers of a method hold, as it sees them.
    entry: &'a BTreeMap<MethodId, Vec<Held>>,
    /// Locks that are held where lambda expressions are run at once, as they see them.
    lambdas: &'a BTreeMap<ClassId, Vec<Held>>,
    run_at_once: &'a BTreeSet<ClassId>,
    /// Fields with semaphores that are used as locks.
    permits: &'a BTreeSet<FieldId>,
    /// What final fields of `this` get, where that is a call.
    given: &'a BTreeMap<FieldId, Expr>,
    /// The same, found now.
    made: BTreeMap<ClassId, Vec<Held>>,
    method: MethodId,
    held: Vec<Held>,
    /// Variables of the method with arrays of fields.
    arrays: BTreeMap<LocalId, &'a Expr>,
    accesses: Accesses,
    /// Locks that every call of a method holds, as the method sees them.
    calls: BTreeMap<MethodId, Vec<Held>>,
}

impl<'a> Finder<'a> {
    fn method(&mut self, id: MethodId, body: &'a Body) {
        self.method = id;
        self.arrays = array_names(body);
        self.held.clear();
        let method = self.program.method(id);
        if method.is_synchronized {
            let class = self.program.class(method.class).name.to_string();
            self.held.push(if method.is_static { Held::Class(class) } else { Held::This });
        }
        self.held.extend(self.entry.get(&id).into_iter().flatten().cloned());
        self.held.extend(self.lambdas.get(&method.class).into_iter().flatten().cloned());
        self.required(id);
        self.stmts(&body.stmts);
    }

    /// Locks that the method requires to be held.
    fn required(&mut self, id: MethodId) {
        let mut found = Vec::new();
        for formula in &self.program.method(id).spec.requires {
            let mut parts = vec![&formula.expr];
            while let Some(part) = parts.pop() {
                match &part.kind {
                    ExprKind::Binary(crate::tree::BinaryOp::And, one, other) => {
                        parts.extend([&**one, &**other]);
                    }
                    ExprKind::Binary(crate::tree::BinaryOp::Eq, one, other) => {
                        if let (ExprKind::Holder(lock), ExprKind::Tid) = (&one.kind, &other.kind) {
                            found.extend(self.path(lock));
                        }
                    }
                    _ => {}
                }
            }
        }
        self.held.extend(found);
    }

    /// The path of an expression whose value does not change.
    fn path(&self, expr: &Expr) -> Option<Held> {
        Some(match &expr.kind {
            ExprKind::Call(callee) => {
                return self.path(&getters::value(self.program, callee)?);
            }
            ExprKind::This => Held::This,
            ExprKind::Local(local) => Held::Local(*local),
            ExprKind::Field(object, field) => Held::Field(Box::new(self.path(object)?), *field),
            ExprKind::Static(field) => Held::Static(*field),
            ExprKind::ClassObject(ty) => Held::Class(self.program.type_name(ty)),
            _ => return None,
        })
    }

    /// The locks that are held, as seen from an object; from no object for a static field.
    fn locks(&self, object: Option<&Expr>, is_write: bool) -> BTreeSet<Lock> {
        let object = object.and_then(|object| self.path(object));
        let mut locks = BTreeSet::new();
        for held in &self.held {
            let held = match held {
                Held::Reading(_) if is_write => continue,
                Held::Reading(held) => held,
                held => held,
            };
            match held {
                Held::Class(name) => {
                    locks.insert(Lock::Class(name.clone()));
                }
                Held::Static(field) if self.program.field(*field).is_final => {
                    locks.insert(Lock::Static(*field));
                }
                held if Some(held) == object.as_ref() => {
                    locks.insert(Lock::Itself);
                }
                Held::Field(of, field)
                    if Some(&**of) == object.as_ref() && self.program.field(*field).is_final =>
                {
                    locks.insert(Lock::Of(*field));
                }
                _ => {}
            }
        }
        locks
    }

    fn access(&mut self, object: Option<&Expr>, field: FieldId, is_write: bool, span: Span) {
        let access = self.accessed(object, field, is_write, span);
        self.accesses.fields.entry(field).or_default().push(access);
    }

    /// An access of elements, if the text tells in which field the array is.
    fn element(&mut self, array: &Expr, is_write: bool, span: Span) {
        let array = match &array.kind {
            ExprKind::Local(local) => self.arrays.get(local).copied().unwrap_or(array),
            _ => array,
        };
        let (object, field) = match &array.kind {
            ExprKind::Field(object, field) => (Some(&**object), *field),
            ExprKind::Static(field) => (None, *field),
            _ => return,
        };
        let access = self.accessed(object, field, is_write, span);
        self.accesses.elements.entry(field).or_default().push(access);
    }

    fn accessed(
        &self,
        object: Option<&Expr>,
        field: FieldId,
        is_write: bool,
        span: Span,
    ) -> Access {
        let about = self.program.method(self.method);
        let is_this = object.is_some_and(|object| matches!(object.kind, ExprKind::This));
        let is_maker = about.is_constructor || about.name.as_str() == "<fields>";
        let is_own = is_this && is_maker && about.class == self.program.field(field).class;
        let locks = self.locks(object, is_write);
        Access { span, is_write, locks, is_own }
    }

    /// The locks that are held, as seen from an object with these captured values.
    fn seen_by_new(&self, captured: &[(FieldId, Expr)]) -> Vec<Held> {
        let seen = |held: &Held| match held {
            Held::Class(_) | Held::Static(_) => Some(held.clone()),
            _ => captured.iter().find_map(|(field, value)| {
                let inside = Held::Field(Box::new(Held::This), *field);
                held.as_seen(&self.path(value)?, &inside)
            }),
        };
        self.held.iter().filter_map(seen).collect()
    }

    /// The locks that are held, as a method sees them that is called. Objects of inner classes are
    /// taken to have the same object around them, as most do.
    fn seen_by(&self, callee: &Callee, target: MethodId) -> Vec<Held> {
        let own = callee.receiver.as_ref().and_then(|object| self.path(object));
        let class = self.program.class(self.program.method(target).class);
        let around = class.outer_field.and_then(|field| {
            let inside = Held::Field(Box::new(Held::This), field);
            Some((self.around(field)?, inside))
        });
        let known = own.map(|own| (own, Held::This)).into_iter().chain(around);
        let known: Vec<(Held, Held)> = known.collect();
        let seen = |held: &Held| match held {
            Held::Class(_) | Held::Static(_) => Some(held.clone()),
            _ => known.iter().find_map(|(from, to)| held.as_seen(from, to)),
        };
        self.held.iter().filter_map(seen).filter(|held| held.depth() <= MOST_FIELDS).collect()
    }

    /// Where this method finds the object that an object of an inner class has around it.
    fn around(&self, field: FieldId) -> Option<Held> {
        let program = self.program;
        let Ty::Class(wanted) = program.field(field).ty else { return None };
        let method = program.method(self.method);
        if method.is_static {
            return None;
        }
        if program.is_subclass(method.class, wanted) {
            return Some(Held::This);
        }
        let own = program.class(method.class).outer_field?;
        let is_same = program.field(own).ty == program.field(field).ty;
        is_same.then(|| Held::Field(Box::new(Held::This), own))
    }

    /// Notes a call of a method that holds these locks.
    fn note_call(&mut self, method: MethodId, held: Vec<Held>) {
        match self.calls.get_mut(&method) {
            Some(common) => common.retain(|one| held.contains(one)),
            None => _ = self.calls.insert(method, held),
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        let before = self.held.len();
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.held.truncate(before);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Synchronized(lock, body) => {
                self.expr(lock);
                let held = self.path(lock);
                let count = self.held.len();
                self.held.extend(held);
                self.stmts(body);
                self.held.truncate(count);
            }
            StmtKind::Expr(expr) => {
                self.expr(expr);
                self.lock_call(expr);
            }
            StmtKind::ForEach { values, body, .. } => {
                self.expr(values);
                self.element(values, false, stmt.span);
                self.stmts(body);
            }
            StmtKind::Init(place, value)
            | StmtKind::Set(place, crate::typed::Formula { expr: value, .. }) => {
                self.expr(value);
                self.place(place, true, false);
            }
            _ => {
                crate::typed::walk::exprs(stmt, &mut |expr| self.expr(expr));
                for block in crate::typed::walk::blocks(stmt) {
                    self.stmts(block);
                }
            }
        }
    }

    /// `l.lock()` and `l.unlock()` of the library.
    fn lock_call(&mut self, expr: &Expr) {
        let ExprKind::Call(callee) = &expr.kind else { return };
        let (Some(method), Some(receiver)) = (callee.method, &callee.receiver) else { return };
        let effect = match of_lock(self.program, self.permits, callee) {
            Some(Permit::Take | Permit::TakeOrInterrupted) => Some(Effect::Enter),
            Some(Permit::GiveBack) => Some(Effect::Exit),
            Some(Permit::Try | Permit::TryOrInterrupted) => None,
            None => effect(self.program, method),
        };
        match effect {
            Some(Effect::Enter | Effect::EnterOrInterrupted) => {
                let held = self.lock_path(receiver);
                self.held.extend(held);
            }
            Some(Effect::Exit) => {
                let held = self.lock_path(receiver);
                if let Some(at) = self.held.iter().rposition(|other| Some(other) == held.as_ref()) {
                    // Lengths are what blocks are restored to.
                    self.held[at] = Held::Class(String::new());
                }
            }
            _ => {}
        }
    }

    /// The path of a lock of the library; of one side of a lock, that of the whole.
    fn lock_path(&self, lock: &Expr) -> Option<Held> {
        let of_side = |ty: &Ty| match ty {
            Ty::Class(class) => side(self.program, *class),
            _ => None,
        };
        // What the field got says of which lock it is a side.
        let given = match &lock.kind {
            ExprKind::Field(_, field) if of_side(&lock.ty).is_none() => self.given.get(field),
            _ => None,
        };
        let lock = given.unwrap_or(lock);
        let Some(side) = of_side(&lock.ty) else { return self.path(lock) };
        let whole = match &lock.kind {
            ExprKind::Call(callee) => self.path(callee.receiver.as_ref()?)?,
            ExprKind::Field(_, field) => match &self.given.get(field)?.kind {
                ExprKind::Call(callee) => self.path(callee.receiver.as_ref()?)?,
                _ => return None,
            },
            _ => return None,
        };
        Some(if side == Side::Read { Held::Reading(Box::new(whole)) } else { whole })
    }

    fn place(&mut self, place: &Place, is_write: bool, reads: bool) {
        match place {
            Place::Local(..) => {}
            Place::Field(object, field, span) => {
                self.expr(object);
                if reads {
                    self.access(Some(object), *field, false, *span);
                }
                self.access(Some(object), *field, is_write, *span);
            }
            Place::Static(field, span) => {
                if reads {
                    self.access(None, *field, false, *span);
                }
                self.access(None, *field, is_write, *span);
            }
            Place::Index(array, index, span) => {
                self.expr(array);
                self.expr(index);
                self.element(array, is_write, *span);
            }
            Place::MapAt(inner, key, _) => {
                self.expr(key);
                self.place(inner, is_write, true);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Field(object, field) => {
                self.expr(object);
                self.access(Some(object), *field, false, expr.span);
            }
            ExprKind::Static(field) => self.access(None, *field, false, expr.span),
            ExprKind::Index(array, index) => {
                self.expr(array);
                self.expr(index);
                self.element(array, false, expr.span);
            }
            ExprKind::CloneOf(array) => {
                self.expr(array);
                self.element(array, false, expr.span);
            }
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.place(place, true, false);
            }
            ExprKind::AssignOp(place, _, _, value) => {
                self.expr(value);
                self.place(place, true, true);
            }
            ExprKind::Step { place, .. } => self.place(place, true, true),
            ExprKind::Call(callee) => {
                self.called(callee);
                callee.receiver.iter().chain(&callee.args).for_each(|part| self.expr(part));
            }
            ExprKind::New { class, captured, .. } if self.run_at_once.contains(class) => {
                let seen = self.seen_by_new(captured);
                self.made.insert(*class, seen);
            }
            _ => crate::typed::walk::children(expr, &mut |part| self.expr(part)),
        }
        if let ExprKind::New { constructor: Some(constructor), captured, .. } = &expr.kind {
            let seen = self.seen_by_new(captured);
            self.note_call(*constructor, seen);
        }
        if let ExprKind::Switch(switch) = &expr.kind {
            for case in &switch.cases {
                self.stmts(&case.body);
            }
        }
    }

    /// The locks that are held at a call, and the arrays that it copies.
    fn called(&mut self, callee: &Callee) {
        let Some(method) = callee.method else { return };
        let program = self.program;
        let below = program.method(method).overridden_by.iter().filter(|_| callee.is_virtual);
        for target in below.copied().chain([method]) {
            if !program.method(target).is_open {
                let seen = self.seen_by(callee, target);
                self.note_call(target, seen);
            }
        }
        if let (Some(Effect::ArrayCopy), [from, _, to, ..]) =
            (effect(self.program, method), callee.args.as_slice())
        {
            self.element(from, false, from.span);
            self.element(to, true, to.span);
        }
    }
}
