//! Which monitors a method may enter, leave or wait for, as far as types tell.
//!
//! A formula that speaks of `holder` matters to methods that change who holds a monitor of which it
//! may speak. Types tell many apart: an object of one class is no object of another one that is
//! neither above nor below it. Only types that the virtual machine checks count: those of fields,
//! local variables and `this`, not those of results, which may come from type parameters.

use super::protect::Protections;
use super::{Lowering, name_of};
use crate::typed::{ClassId, ClassKind, Expr, ExprKind, Origin, Program, Ty};
use plato::ast;

/// What is known of an object with a monitor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LockKind {
    /// It is of this class, or of one below.
    Of(ClassId),
    /// It is of this class and of none below.
    Exactly(ClassId),
    /// It stands for the class with this name.
    ClassObject(String),
    Any,
}

impl LockKind {
    /// What the text tells of the value of an expression.
    pub(super) fn of(program: &Program, protections: &Protections, expr: &Expr) -> Self {
        match &expr.kind {
            ExprKind::This | ExprKind::Local(_) => Self::of_type(&expr.ty),
            ExprKind::Field(_, field) | ExprKind::Static(field) => {
                match protections.made.get(field) {
                    Some(class) => Self::Exactly(*class),
                    None => Self::of_type(&program.field(*field).ty),
                }
            }
            ExprKind::ClassObject(ty) => Self::ClassObject(program.type_name(ty)),
            _ => Self::Any,
        }
    }

    fn of_type(ty: &Ty) -> Self {
        match ty {
            Ty::Class(class) => Self::Of(*class),
            _ => Self::Any,
        }
    }

    /// Whether two objects may be the same.
    pub(super) fn may_be(&self, other: &Self, program: &Program) -> bool {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::Exactly(one), Self::Exactly(other)) => one == other,
            (Self::ClassObject(one), Self::ClassObject(other)) => one == other,
            (Self::Exactly(_), Self::ClassObject(_)) | (Self::ClassObject(_), Self::Exactly(_)) => {
                false
            }
            (Self::Exactly(exact), Self::Of(class)) | (Self::Of(class), Self::Exactly(exact)) => {
                // No class of the library is below one of the program.
                let is_below = is_checked(program, *exact)
                    && (!is_told(program, *exact) || program.is_subclass(*exact, *class));
                !is_told(program, *class) || is_below
            }
            (Self::Of(one), Self::Of(other)) => {
                !is_told(program, *one)
                    || !is_told(program, *other)
                    || program.is_subclass(*one, *other)
                    || program.is_subclass(*other, *one)
            }
            (Self::ClassObject(_), Self::Of(class)) | (Self::Of(class), Self::ClassObject(_)) => {
                !is_told(program, *class)
            }
        }
    }
}

fn is_checked(program: &Program, class: ClassId) -> bool {
    program.class(class).origin == Origin::Checked
}

/// Whether the text tells of which class of the program objects of this one are: it is no
/// interface, and the classes of the program above it are known.
fn is_told(program: &Program, class: ClassId) -> bool {
    let mut above = Some(class);
    let mut is_told = is_checked(program, class);
    while let Some(id) = above.filter(|id| is_told && is_checked(program, *id)) {
        let about = program.class(id);
        let is_interface = matches!(about.kind, ClassKind::Interface | ClassKind::Annotation);
        let is_open = about.marks.iter().any(|mark| mark.as_str() == "unknown superclass");
        is_told = !is_interface && !is_open;
        above = about.superclass;
    }
    is_told
}

impl Lowering<'_> {
    /// Notes what the text tells of a lock whose object is in a variable.
    pub(super) fn note_lock(&mut self, lock: &Expr, value: &ast::Expr) {
        let kind = LockKind::of(self.program, self.protections, lock);
        self.note_kind(value, kind);
    }

    pub(super) fn note_kind(&mut self, value: &ast::Expr, kind: LockKind) {
        if let Some(name) = name_of(value) {
            self.lock_kinds.insert(name.to_owned(), kind);
        }
    }

    /// The same object is in another variable.
    pub(super) fn same_lock(&mut self, value: &ast::Expr, other: &ast::Expr) {
        if let Some(kind) = name_of(value).and_then(|name| self.lock_kinds.get(name)) {
            self.note_kind(other, kind.clone());
        }
    }

    /// Notes that the method may enter, leave or wait for a monitor.
    pub(super) fn changes_monitor(&mut self, lock: &ast::Expr) {
        let known = name_of(lock).and_then(|name| self.lock_kinds.get(name));
        let kind = known.cloned().unwrap_or(LockKind::Any);
        self.used.locks.insert(kind);
    }

    /// Whether the method changes who holds a monitor of one of these kinds, as far as types tell.
    pub(super) fn changes_holder(&self, kinds: &[LockKind]) -> bool {
        let is_one =
            |kind: &LockKind| self.used.locks.iter().any(|lock| lock.may_be(kind, self.program));
        kinds.iter().any(is_one)
    }
}
