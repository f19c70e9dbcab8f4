//! What protects each field from being accessed by two threads at once.
//!
//! Where nothing is written, the lock that all accesses hold is looked for. That is only a guess:
//! at each access it is checked that the lock is held, by proof.

use super::accesses::accesses;
use super::ended::is_of_thread;
use super::homes::Homes;
use super::shared_locks::Side;
use super::stored::{Given, Stored};
use crate::tree::Guard;
use crate::typed::{ClassId, Expr, ExprKind, FieldId, Place, Program, StmtKind, getters};
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
    /// Fields that get nothing but new objects of one class.
    pub(crate) made: BTreeMap<FieldId, ClassId>,
    /// Classes of lambda expressions that are run at once.
    pub(crate) run_at_once: BTreeSet<ClassId>,
    /// Fields that get one side of locks for readers and writers, always the same.
    pub(crate) sides: BTreeMap<FieldId, Side>,
    /// Whether the program makes locks that several threads hold at once.
    pub(crate) has_read_locks: bool,
    /// What contracts of the library say of the objects in final fields.
    pub(crate) given: Vec<Given>,
    /// Accesses of each field, for messages.
    pub(crate) accesses: BTreeMap<FieldId, Vec<Access>>,
    /// To which objects arrays belong.
    pub(crate) homes: Homes,
    /// Classes of which there are no objects.
    pub(crate) never_made: BTreeSet<ClassId>,
    /// Fields with semaphores that are used as locks.
    pub(crate) permits: BTreeSet<FieldId>,
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

    /// Whether the lock of a field is the object in it, always the same one. To read which object
    /// that is, so as to lock it, takes no lock.
    pub(crate) fn guards_itself(&self, program: &Program, id: FieldId) -> bool {
        let Protection::Locked { locks, .. } = self.of(id) else { return false };
        let is_itself = |lock: &Lock| match lock {
            Lock::Written(at) => match &self.written[*at].kind {
                ExprKind::Field(object, field) => {
                    *field == id && matches!(object.kind, ExprKind::This)
                }
                ExprKind::Static(field) => *field == id,
                _ => false,
            },
            _ => false,
        };
        locks.iter().any(is_itself) && self.is_fixed(program, id)
    }

    /// Whether nobody writes a field once others can see the object.
    pub(crate) fn is_fixed(&self, program: &Program, id: FieldId) -> bool {
        let field = program.field(id);
        let accesses = self.accesses.get(&id).map_or(&[][..], Vec::as_slice);
        field.is_final
            || accesses.iter().all(|access| access.is_own || !access.is_write)
                && (!field.is_static || !is_written_by_others(program, id))
    }

    /// Looks at all accesses in a program.
    pub(crate) fn new(program: &Program) -> Self {
        let found = accesses(program);
        let mut protections = Self { accesses: found.fields.clone(), ..Self::default() };
        let annotated = annotated(program);
        for id in (0..program.fields.len()).map(FieldId::from_index) {
            let protection = protections.find(program, id, &annotated);
            protections.of.insert(id, protection);
        }
        protections.never_made = super::made::never_made(program);
        protections.permits = super::permits::locks(program);
        protections.homes = Homes::new(program, &found, &protections);
        let stored = Stored::new(program);
        protections.never_null = stored.never_null(&protections);
        protections.exclusive_locks = stored.exclusive_locks(&protections);
        protections.made = stored.made(&protections);
        protections.sides = stored.sides(&protections);
        protections.given = stored.given();
        protections.has_read_locks = has_read_locks(program);
        protections.run_at_once = super::lambdas::run_at_once(program);
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
                    self.written.push(getters::expanded(program, lock));
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
        if self.is_fixed(program, id) {
            return Protection::Fixed;
        }
        let none = Vec::new();
        let all = self.accesses.get(&id).unwrap_or(&none);
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

/// Whether some code asks for a lock that several threads hold at once.
fn has_read_locks(program: &Program) -> bool {
    let mut found = false;
    for body in program.methods.iter().filter_map(|method| method.body.as_ref()) {
        crate::typed::walk::all(&body.stmts, &mut |stmt| {
            crate::typed::walk::exprs(stmt, &mut |expr| {
                crate::typed::walk::deep(expr, &mut |part| {
                    if let ExprKind::Call(callee) = &part.kind {
                        found |= matches!(callee.name.as_str(), "readLock" | "asReadLock");
                    }
                });
            });
        });
    }
    found
}

/// Fields about which annotations say when others write them.
fn annotated(program: &Program) -> BTreeSet<FieldId> {
    let mut fields = BTreeSet::new();
    for class in &program.classes {
        for formula in &class.spec.env_assumptions {
            super::annotations::mentioned(program, &formula.expr, &mut fields);
        }
    }
    for id in (0..program.fields.len()).map(FieldId::from_index) {
        if !program.field(id).spec.unwritable.is_empty() {
            fields.insert(id);
        }
    }
    fields
}
