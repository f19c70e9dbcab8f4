//! Reads that others do not disturb.
//!
//! What a thread reads while it holds the lock that keeps others away from the field, they do not
//! change in the meantime. That they keep to it is relied on, and so checked of every step of
//! theirs. Whether they step before or after such a read makes no difference then, and the proof
//! need not consider both (Lipton's reduction: the read is a both mover). A read leaves the shared
//! store as it is, so that no store is passed over in which something could go wrong.
//!
//! That the lock is held must be certain from the text: it is not checked where the field is read.

use super::Lowering;
use super::places::At;
use super::protect::{Lock, Protection};
use crate::tree::BinaryOp;
use crate::typed::{self, ExprKind, FieldId};
use plato::ast;

/// A lock that is held at the place that is being written.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// The variable with the lock.
    pub(super) lock: ast::Expr,
    /// The object, as the program names it.
    object: ast::Expr,
    kind: HeldBy,
}

/// Why a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeldBy {
    /// The block around is `synchronized`: nothing inside of it gives the monitor up for good.
    Block,
    /// It was locked before in the text, and nothing was unlocked since.
    Call,
    /// The text suggests it.
    Perhaps,
}

impl Held {
    pub(super) fn by_block(lock: ast::Expr, object: ast::Expr) -> Self {
        Self { lock, object, kind: HeldBy::Block }
    }

    pub(super) fn by_call(lock: ast::Expr) -> Self {
        Self { object: lock.clone(), lock, kind: HeldBy::Call }
    }

    /// It may have been unlocked.
    pub(super) fn doubt(&mut self) {
        if self.kind == HeldBy::Call {
            self.kind = HeldBy::Perhaps;
        }
    }
}

impl Lowering<'_> {
    /// Whether others cannot change what a read of a place gives.
    pub(super) fn is_calm_read(&self, at: &At) -> bool {
        match at {
            At::Field(object, field, _) => self.is_calm_field(Some(object), *field),
            At::Static(field, _) => self.is_calm_field(None, *field),
            At::Index(array, ..) => self.is_calm_element(array),
            At::Local(..) | At::Entry(..) => false,
        }
    }

    fn is_calm_field(&self, object: Option<&ast::Expr>, field: FieldId) -> bool {
        match self.protections.of(field) {
            Protection::Fixed => true,
            Protection::Locked { locks, .. } => {
                locks.iter().any(|lock| self.is_certainly_held(lock, object))
            }
            Protection::Annotated => {
                let written = &self.program.field(field).spec.unwritable;
                let is_held = |object| self.is_certainly_held(&Lock::Itself, Some(object));
                written.iter().any(|formula| is_own_monitor(&formula.expr))
                    && object.is_some_and(is_held)
            }
            Protection::Volatile | Protection::Handed | Protection::Open => false,
        }
    }

    /// Whether the lock of an object is held, without a doubt.
    pub(super) fn is_certainly_held(&self, lock: &Lock, object: Option<&ast::Expr>) -> bool {
        let is_this_one = |held: &Held| match lock {
            Lock::Itself => object.is_some_and(|object| same(&held.object, object)),
            Lock::Of(field) => self.is_value_of(&held.object, object, *field),
            Lock::Static(field) => self.is_value_of(&held.object, None, *field),
            Lock::Class(name) => is_class_object(&held.object, name),
            Lock::Written(at) => match &self.protections.written[*at].kind {
                ExprKind::This => object.is_some_and(|object| same(&held.object, object)),
                ExprKind::Field(of, field) if matches!(of.kind, ExprKind::This) => {
                    self.is_value_of(&held.object, object, *field)
                }
                ExprKind::Static(field) => self.is_value_of(&held.object, None, *field),
                _ => false,
            },
        };
        self.held.iter().any(|held| held.kind != HeldBy::Perhaps && is_this_one(held))
    }

    /// Whether a variable has what was read from a field that never changes.
    fn is_value_of(&self, value: &ast::Expr, object: Option<&ast::Expr>, field: FieldId) -> bool {
        let Some((from, other)) = fixed_name(value).and_then(|name| self.fixed_reads.get(name))
        else {
            return false;
        };
        *other == field
            && match (from, object.and_then(fixed_name)) {
                (None, None) => self.program.field(field).is_static,
                (Some(from), Some(object)) => from == object,
                _ => false,
            }
    }

    /// Remembers that a variable has the value of a field, if that never changes.
    pub(super) fn note_fixed_read(&mut self, local: &str, at: &At) {
        let (object, field) = match at {
            At::Field(object, field, _) => (Some(object), *field),
            At::Static(field, _) => (None, *field),
            At::Local(..) | At::Index(..) | At::Entry(..) => return,
        };
        let is_final = self.program.field(field).is_final;
        let object = object.map(|object| fixed_name(object).map(str::to_owned));
        if let (true, Some(object)) = (is_final, object.map_or(Some(None), |name| name.map(Some))) {
            self.fixed_reads.insert(local.to_owned(), (object, field));
        }
    }
}

/// `this.holder == tid`
fn is_own_monitor(formula: &typed::Expr) -> bool {
    let ExprKind::Binary(BinaryOp::Eq, one, other) = &formula.kind else { return false };
    let is_own = |expr: &typed::Expr| match &expr.kind {
        ExprKind::Holder(lock) => matches!(lock.kind, ExprKind::This),
        _ => false,
    };
    let is_tid = |expr: &typed::Expr| matches!(expr.kind, ExprKind::Tid);
    is_own(one) && is_tid(other) || is_tid(one) && is_own(other)
}

/// Whether two expressions are one variable that is written once.
fn same(one: &ast::Expr, other: &ast::Expr) -> bool {
    fixed_name(one).is_some() && fixed_name(one) == fixed_name(other)
}

/// The name of a variable that is written once.
fn fixed_name(expr: &ast::Expr) -> Option<&str> {
    super::name_of(expr).filter(|name| super::places::is_fixed(name))
}

/// Whether an expression is the object of a class.
fn is_class_object(expr: &ast::Expr, class: &str) -> bool {
    super::name_of(expr).and_then(|name| name.strip_suffix(".class")) == Some(class)
}
