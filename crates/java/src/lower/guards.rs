//! What must hold where a field is accessed, so that no other thread accesses it meanwhile.

use super::places::At;
use super::protect::{Access, Lock, Protection};
use super::purpose::Purpose;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::tree::Guard;
use crate::typed::{FieldId, Ty};
use diagnostic::Code;
use plato::ast::{self, Fault};
use source::Span;

impl Lowering<'_> {
    /// What must hold where a field is accessed, and what is told if it does not.
    pub(super) fn guard(&mut self, at: &At, is_write: bool) -> Option<(ast::Expr, Fault)> {
        let (object, field, span) = match at {
            At::Field(object, field, span) => (Some(object.clone()), *field, *span),
            At::Static(field, span) => (None, *field, *span),
            _ => return None,
        };
        if self.is_being_initialized(field) || self.reads_for == Purpose::Lock {
            return None;
        }
        let nothing = || terms::name("null", span);
        let of = object.clone().unwrap_or_else(nothing);
        let cond = match self.protections.of(field).clone() {
            Protection::Fixed | Protection::Volatile | Protection::Annotated => return None,
            // Nothing says which locks are held then.
            Protection::Locked { .. } if self.reads_for == Purpose::LaterCall => {
                terms::boolean(false, span)
            }
            Protection::Locked { locks, kind, .. } => {
                let held = locks.iter().map(|lock| {
                    if is_write {
                        self.held(lock, &of, span)
                    } else {
                        self.held_for_reading(lock, &of, span)
                    }
                });
                let held: Vec<ast::Expr> = held.collect();
                match (kind, is_write) {
                    (Guard::OneForReads, false) => terms::or(held, span),
                    _ => terms::and(held, span),
                }
            }
            Protection::Handed => self.has_thread(&of, span),
            Protection::Open => terms::boolean(false, span),
        };
        let cond = match &object {
            Some(object) => {
                let shared = terms::name("shared", span).at(object.clone());
                match cond.kind {
                    ast::ExprKind::Bool(false) => shared.negated(),
                    _ => shared.implies(cond),
                }
            }
            None => cond,
        };
        let told = self.race(field, is_write, span);
        Some((cond, told))
    }

    /// What to say of an access that another thread may disturb.
    fn race(&self, field: FieldId, is_write: bool, span: Span) -> Fault {
        let name = &self.program.field(field).name;
        let verb = if is_write { "written" } else { "read" };
        let mut told = match self.protections.of(field) {
            Protection::Locked { locks, declared, .. } => {
                let lock = locks.first().map_or(String::new(), |lock| self.lock_name(lock, field));
                let is_later = self.reads_for == Purpose::LaterCall;
                let failed = if is_later {
                    format!("`{name}` is used later, where nothing says that {lock} is held")
                } else {
                    format!("`{name}` is {verb} without holding {lock}")
                };
                let code = if declared.is_some() { Code::UnguardedAccess } else { Code::DataRace };
                let mut told = match locks.iter().find_map(|lock| self.unknown_lock(lock)) {
                    Some(what) => {
                        let failed = format!("nothing is known of {what}, which guards `{name}`");
                        fault(Code::AnnotationMissing, failed)
                    }
                    None => fault(code, failed),
                };
                let holds = |access: &&Access| {
                    locks.iter().any(|lock| access.locks.contains(lock)) && access.span != span
                };
                told.declared = declared.or_else(|| self.other_access(field, &holds));
                told.help = Some(if is_later {
                    format!("write a lambda expression that holds {lock} when it runs")
                } else {
                    format!("other accesses hold {lock}: hold it here too")
                });
                told
            }
            _ => {
                let failed = format!("`{name}` is {verb} while another thread may access it");
                let mut told = fault(Code::DataRace, failed);
                let conflicts = |access: &&Access| {
                    access.span != span && !access.is_own && (access.is_write || is_write)
                };
                told.declared = self.other_access(field, &conflicts);
                told.help = Some(
                    "hold the same lock at every access, or make the field `volatile`".to_owned(),
                );
                told
            }
        };
        told.help.get_or_insert_with(|| "hold the lock here".to_owned());
        // Nothing keeps a thread from going on without the lock.
        told.goes_on = true;
        told
    }

    /// A lock of which it is not known what its methods do.
    fn unknown_lock(&self, lock: &Lock) -> Option<&'static str> {
        let Lock::Written(at) = lock else { return None };
        (self.protections.written[*at].ty == Ty::Unknown).then_some("the type of the lock")
    }

    /// The place of another access of a field.
    fn other_access(&self, field: FieldId, wanted: &dyn Fn(&&Access) -> bool) -> Option<Span> {
        let accesses = self.protections.accesses.get(&field);
        accesses.into_iter().flatten().find(|access| wanted(access)).map(|access| access.span)
    }

    /// A lock in words.
    pub(super) fn lock_name(&self, lock: &Lock, field: FieldId) -> String {
        match lock {
            Lock::Itself => {
                let class = &self.program.class(self.program.field(field).class).name;
                format!("the monitor of its `{class}`")
            }
            Lock::Of(id) | Lock::Static(id) => format!("`{}`", self.program.field(*id).name),
            Lock::Class(name) => format!("the monitor of `{name}.class`"),
            Lock::Written(_) => "the lock that guards it".to_owned(),
        }
    }
}
