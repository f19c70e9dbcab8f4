//! What protects each field from being accessed by two threads at once.
//!
//! Where nothing is written, the lock that all accesses hold is looked for. That is only a guess:
//! at each access it is checked that the lock is held, by proof.

use super::ended::is_of_thread;
use super::library::{Effect, effect};
use super::stored::{Given, Stored};
use crate::tree::Guard;
use crate::typed::{
    Body, Expr, ExprKind, FieldId, LocalId, MethodId, Origin, Place, Program, Stmt, StmtKind,
};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What protects a field.
#[derive(Clone, Debug)]
pub(crate) enum Protection {
    /// Nobody writes it once others can see the object: it is final, or written in constructors
    /// alone.
    Fixed,
    /// `volatile`: every access is a step of its own.
    Volatile,
    /// Locks, relative to the object. `declared` is the annotation, if there is one.
    Locked { locks: Vec<Lock>, kind: Guard, declared: Option<Span> },
    /// An annotation says when others write it; races on it are not looked at.
    Annotated,
    /// Of a thread: it belongs to its maker, then to the thread, then to its maker again.
    Handed,
    /// Threads may access it at any time.
    Open,
}

/// A lock, as seen from the object whose field is accessed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lock {
    /// The object itself.
    Itself,
    /// What a final field of it refers to.
    Of(FieldId),
    /// What a static final field refers to.
    Static(FieldId),
    /// The object of a class, by its name.
    Class(String),
    /// An annotation's expression, by its place; see [`Protections::written`].
    Written(usize),
}

/// What protects all fields of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Protections {
    of: BTreeMap<FieldId, Protection>,
    /// The expressions of annotations.
    pub(crate) written: Vec<Expr>,
    /// Fields that are never null once others can see the object: all that is stored in them is
    /// some object. That is checked like what is written.
    pub(crate) never_null: BTreeSet<FieldId>,
    /// Fields whose objects are locks that one thread holds at a time.
    pub(crate) exclusive_locks: BTreeSet<FieldId>,
    /// What contracts of the library say of the objects in final fields.
    pub(crate) given: Vec<Given>,
    /// Accesses of each field, for messages.
    pub(crate) accesses: BTreeMap<FieldId, Vec<Access>>,
}

/// An access of a field.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) span: Span,
    pub(crate) is_write: bool,
    pub(crate) locks: BTreeSet<Lock>,
    /// By a constructor, of the object that it makes.
    pub(crate) is_own: bool,
}

impl Protections {
    pub(crate) fn of(&self, field: FieldId) -> &Protection {
        self.of.get(&field).unwrap_or(&Protection::Annotated)
    }

    /// Looks at all accesses in a program.
    pub(crate) fn new(program: &Program) -> Self {
        let mut protections = Self { accesses: accesses(program), ..Self::default() };
        let annotated = annotated(program);
        for id in (0..program.fields.len()).map(FieldId::from_index) {
            let protection = protections.find(program, id, &annotated);
            protections.of.insert(id, protection);
        }
        let stored = Stored::new(program);
        protections.never_null = stored.never_null(&protections);
        protections.exclusive_locks = stored.exclusive_locks(&protections);
        protections.given = stored.given();
        protections
    }

    fn find(
        &mut self,
        program: &Program,
        id: FieldId,
        annotated: &BTreeSet<FieldId>,
    ) -> Protection {
        let field = program.field(id);
        if let Some(guarding) = field.spec.guards.first() {
            let mut locks = Vec::new();
            for guarding in &field.spec.guards {
                for lock in &guarding.locks {
                    self.written.push(lock.clone());
                    locks.push(Lock::Written(self.written.len() - 1));
                }
            }
            return Protection::Locked {
                locks,
                kind: guarding.kind,
                declared: Some(guarding.span),
            };
        }
        if field.is_final {
            return Protection::Fixed;
        }
        if annotated.contains(&id) || field.is_ghost {
            // Beside what is written of steps of others, a lock may keep them away.
            let lock = self.common_lock(id).filter(|_| field.spec.unwritable.is_empty());
            let is_plain = !field.is_ghost && !field.is_volatile;
            return match lock.filter(|_| is_plain) {
                Some(lock) => {
                    Protection::Locked { locks: vec![lock], kind: Guard::All, declared: None }
                }
                None => Protection::Annotated,
            };
        }
        if field.is_volatile {
            return Protection::Volatile;
        }
        let none = Vec::new();
        let all = self.accesses.get(&id).unwrap_or(&none);
        if all.iter().all(|access| access.is_own || !access.is_write)
            && (!field.is_static || !is_written_by_others(program, id))
        {
            return Protection::Fixed;
        }
        // The lock that most accesses hold. Those without it are reported one by one.
        let mut counts: BTreeMap<&Lock, usize> = BTreeMap::new();
        for lock in all.iter().filter(|access| !access.is_own).flat_map(|access| &access.locks) {
            *counts.entry(lock).or_default() += 1;
        }
        let most = counts.iter().max_by_key(|(_, count)| **count);
        match most.map(|(lock, _)| (*lock).clone()) {
            Some(lock) => {
                Protection::Locked { locks: vec![lock], kind: Guard::All, declared: None }
            }
            None if is_of_thread(program, id) => Protection::Handed,
            None => Protection::Open,
        }
    }
}

impl Protections {
    /// A lock that all accesses of a field hold.
    fn common_lock(&self, id: FieldId) -> Option<Lock> {
        let accesses = self.accesses.get(&id)?;
        let mut others = accesses.iter().filter(|access| !access.is_own);
        let mut common = others.next()?.locks.clone();
        for access in others {
            common.retain(|lock| access.locks.contains(lock));
        }
        common.into_iter().next()
    }
}

/// Whether the initializer of another class writes a static field.
fn is_written_by_others(program: &Program, id: FieldId) -> bool {
    let own = program.field(id).class;
    let writes = |place: &Place| matches!(place, Place::Static(field, _) if *field == id);
    let mut found = false;
    for class in program.class_ids().filter(|class| *class != own) {
        let body = program.class(class).static_init.iter();
        for stmts in body.map(|body| &body.stmts) {
            crate::typed::walk::all(stmts, &mut |stmt| {
                if let StmtKind::Init(place, _) | StmtKind::Set(place, _) = &stmt.kind {
                    found |= writes(place);
                }
                crate::typed::walk::exprs(stmt, &mut |expr| {
                    crate::typed::walk::deep(expr, &mut |part| match &part.kind {
                        ExprKind::Assign(place, _)
                        | ExprKind::AssignOp(place, ..)
                        | ExprKind::Step { place, .. } => found |= writes(place),
                        _ => {}
                    });
                });
            });
        }
    }
    found
}

/// Fields about which annotations say when others write them.
fn annotated(program: &Program) -> BTreeSet<FieldId> {
    let mut fields = BTreeSet::new();
    for class in &program.classes {
        for formula in &class.spec.env_assumptions {
            super::annotations::mentioned(&formula.expr, &mut fields);
        }
    }
    for id in (0..program.fields.len()).map(FieldId::from_index) {
        if !program.field(id).spec.unwritable.is_empty() {
            fields.insert(id);
        }
    }
    fields
}

/// All accesses of fields in methods that are checked.
fn accesses(program: &Program) -> BTreeMap<FieldId, Vec<Access>> {
    let mut entry: BTreeMap<MethodId, BTreeSet<Lock>> = BTreeMap::new();
    loop {
        let mut found = Finder {
            program,
            entry: &entry,
            method: MethodId(0),
            held: Vec::new(),
            accesses: BTreeMap::new(),
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
        let (accesses, calls) = (found.accesses, found.calls);
        // Locks that all callers of a private method hold.
        let mut next = BTreeMap::new();
        for (id, held) in calls {
            let method = program.method(id);
            if method.is_private && !method.is_constructor && !held.is_empty() {
                next.insert(id, held);
            }
        }
        if next == entry || entry.len() > program.methods.len() {
            return accesses;
        }
        entry = next;
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
}

struct Finder<'a> {
    program: &'a Program,
    entry: &'a BTreeMap<MethodId, BTreeSet<Lock>>,
    method: MethodId,
    held: Vec<Held>,
    accesses: BTreeMap<FieldId, Vec<Access>>,
    /// Locks relative to `this` that every call of a method on `this` holds.
    calls: BTreeMap<MethodId, BTreeSet<Lock>>,
}

impl Finder<'_> {
    fn method(&mut self, id: MethodId, body: &Body) {
        self.method = id;
        self.held.clear();
        let method = self.program.method(id);
        if method.is_synchronized {
            let class = self.program.class(method.class).name.to_string();
            self.held.push(if method.is_static { Held::Class(class) } else { Held::This });
        }
        for lock in self.entry.get(&id).into_iter().flatten() {
            self.held.push(Held::Entry(lock.clone()));
        }
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
            ExprKind::This => Held::This,
            ExprKind::Local(local) => Held::Local(*local),
            ExprKind::Field(object, field) => Held::Field(Box::new(self.path(object)?), *field),
            ExprKind::Static(field) => Held::Static(*field),
            ExprKind::ClassObject(ty) => Held::Class(self.program.type_name(ty)),
            _ => return None,
        })
    }

    /// The locks that are held, as seen from an object; from no object for a static field.
    fn locks(&self, object: Option<&Expr>) -> BTreeSet<Lock> {
        let object = object.and_then(|object| self.path(object));
        let mut locks = BTreeSet::new();
        for held in &self.held {
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
        let about = self.program.method(self.method);
        let is_this = object.is_some_and(|object| matches!(object.kind, ExprKind::This));
        let is_maker = about.is_constructor || about.name.as_str() == "<fields>";
        let is_own = is_this && is_maker && about.class == self.program.field(field).class;
        let locks = self.locks(object);
        let access = Access { span, is_write, locks, is_own };
        self.accesses.entry(field).or_default().push(access);
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
        match effect(self.program, method) {
            Some(Effect::Enter | Effect::EnterOrInterrupted) => {
                let held = self.path(receiver);
                self.held.extend(held);
            }
            Some(Effect::Exit) => {
                let held = self.path(receiver);
                if let Some(at) = self.held.iter().rposition(|other| Some(other) == held.as_ref()) {
                    // Lengths are what blocks are restored to.
                    self.held[at] = Held::Class(String::new());
                }
            }
            _ => {}
        }
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
            Place::Index(array, index, _) => {
                self.expr(array);
                self.expr(index);
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
                if let Some(method) = callee.method {
                    let locks = match &callee.receiver {
                        Some(object) => self.locks(Some(object)),
                        None => self.locks(None),
                    };
                    let is_this = matches!(
                        callee.receiver.as_ref().map(|object| &object.kind),
                        Some(ExprKind::This) | None
                    );
                    let locks = if is_this { locks } else { BTreeSet::new() };
                    let known = self.calls.remove(&method);
                    let common = match known {
                        Some(known) => known.intersection(&locks).cloned().collect(),
                        None => locks,
                    };
                    self.calls.insert(method, common);
                }
                callee.receiver.iter().chain(&callee.args).for_each(|part| self.expr(part));
            }
            _ => crate::typed::walk::children(expr, &mut |part| self.expr(part)),
        }
        if let ExprKind::Switch(switch) = &expr.kind {
            for case in &switch.cases {
                self.stmts(&case.body);
            }
        }
    }
}
