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

/// Accesses of fields, and of the elements of arrays in fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    pub(super) fields: BTreeMap<FieldId, Vec<Access>>,
    pub(super) elements: BTreeMap<FieldId, Vec<Access>>,
}

/// All accesses in methods that are checked.
pub(super) fn accesses(program: &Program) -> Accesses {
    let mut entry: BTreeMap<MethodId, BTreeSet<Lock>> = BTreeMap::new();
    let run_at_once = super::lambdas::run_at_once(program);
    let given = Stored::new(program).calls();
    let permits = locks(program);
    let mut lambdas = BTreeMap::new();
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
        // Locks that all callers of a private method hold.
        let mut next = BTreeMap::new();
        for (id, held) in calls {
            let method = program.method(id);
            if method.is_private && !method.is_constructor && !held.is_empty() {
                next.insert(id, held);
            }
        }
        let is_stable = next == entry && made == lambdas;
        if is_stable || entry.len() > program.methods.len() {
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
    /// Held by every caller, relative to `this`.
    Entry(Lock),
    /// Held for reading, perhaps by others too.
    Reading(Box<Held>),
}

struct Finder<'a> {
    program: &'a Program,
    entry: &'a BTreeMap<MethodId, BTreeSet<Lock>>,
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
    /// Locks relative to `this` that every call of a method on `this` holds.
    calls: BTreeMap<MethodId, BTreeSet<Lock>>,
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
        for lock in self.entry.get(&id).into_iter().flatten() {
            self.held.push(Held::Entry(lock.clone()));
        }
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
                Held::Entry(lock)
                    if (object == Some(Held::This)
                        || matches!(lock, Lock::Class(_) | Lock::Static(_))) =>
                {
                    locks.insert(lock.clone());
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

    /// The locks that are held, as seen from a lambda expression with these captured values.
    fn seen_by_lambda(&self, captured: &[(FieldId, Expr)]) -> Vec<Held> {
        let seen = |held: &Held| match held {
            Held::Class(_) | Held::Static(_) => Some(held.clone()),
            _ => captured.iter().find_map(|(field, value)| {
                let own = self.path(value)?;
                let inside = Held::Field(Box::new(Held::This), *field);
                match held {
                    held if *held == own => Some(inside),
                    Held::Field(of, lock) if **of == own => {
                        Some(Held::Field(Box::new(inside), *lock))
                    }
                    _ => None,
                }
            }),
        };
        self.held.iter().filter_map(seen).collect()
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
                let seen = self.seen_by_lambda(captured);
                self.made.insert(*class, seen);
            }
            _ => crate::typed::walk::children(expr, &mut |part| self.expr(part)),
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
        let locks = self.locks(callee.receiver.as_ref(), true);
        let receiver = callee.receiver.as_ref().map(|object| &object.kind);
        let is_this = matches!(receiver, Some(ExprKind::This) | None);
        let locks = if is_this { locks } else { BTreeSet::new() };
        let common = match self.calls.remove(&method) {
            Some(known) => known.intersection(&locks).cloned().collect(),
            None => locks,
        };
        self.calls.insert(method, common);
        if let (Some(Effect::ArrayCopy), [from, _, to, ..]) =
            (effect(self.program, method), callee.args.as_slice())
        {
            self.element(from, false, from.span);
            self.element(to, true, to.span);
        }
    }
}
