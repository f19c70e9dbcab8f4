//! Reads of fields whose guard asks for something else, because of what the value is read for.

use super::Lowering;
use super::places::At;
use crate::typed::{ClassId, ClassKind, Expr, ExprKind, FieldId, Origin, Program, Ty};
use plato::ast;

/// The types whose objects are looked at where the fields with them are read.
const COLLECTIONS: [&str; 2] = ["java.util.Collection", "java.util.Map"];

/// What a field is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Value,
    /// To enter the monitor of its object.
    Lock,
    /// To call a method of its object later, when other locks are held.
    LaterCall,
}

impl Lowering<'_> {
    /// The object whose monitor is entered.
    pub(super) fn lock_value(&mut self, lock: &Expr) -> ast::Expr {
        match field(lock) {
            Some(id) if self.protections.guards_itself(self.program, id) => {
                self.read_for(lock, Purpose::Lock)
            }
            _ => self.value(lock),
        }
    }

    /// What an object gets that stands for a function. A reference `names::contains` to a method
    /// of a collection uses the collection whenever the function is called.
    pub(super) fn captured_value(&mut self, class: ClassId, value: &Expr) -> ast::Expr {
        let is_later = self.program.class(class).kind == ClassKind::Lambda
            && !self.protections.run_at_once.contains(&class)
            && is_collection(self.program, &value.ty)
            && field(value).is_some_and(|id| !self.program.field(id).spec.guards.is_empty());
        if is_later { self.read_for(value, Purpose::LaterCall) } else { self.value(value) }
    }

    /// Reads a field, whose object may be read as ever.
    fn read_for(&mut self, expr: &Expr, purpose: Purpose) -> ast::Expr {
        let at = match &expr.kind {
            ExprKind::Field(object, field) => {
                let value = self.value(object);
                self.must_exist(object, &value);
                At::Field(value, *field, expr.span)
            }
            ExprKind::Static(field) => At::Static(*field, expr.span),
            _ => return self.value(expr),
        };
        self.reads_for = purpose;
        let value = self.read(&at, &expr.ty);
        self.reads_for = Purpose::Value;
        value
    }
}

/// The field that an expression reads.
fn field(expr: &Expr) -> Option<FieldId> {
    match expr.kind {
        ExprKind::Field(_, field) | ExprKind::Static(field) => Some(field),
        _ => None,
    }
}

fn is_collection(program: &Program, ty: &Ty) -> bool {
    let Ty::Class(class) = ty else { return false };
    program.class(*class).origin != Origin::Checked
        && program
            .above(*class)
            .iter()
            .any(|above| COLLECTIONS.contains(&program.class(*above).qualified.as_str()))
}
