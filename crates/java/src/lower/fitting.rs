//! Objects that are stored in arrays: Java checks that they fit, since an array may have been made
//! for objects of a class below that of its elements.

use super::elements::ArrayFrom;
use super::places::At;
use super::terms::{self, Term as _};
use super::{Lowering, fault, name_of};
use crate::tree::Prim;
use crate::typed::{
    Body, ClassKind, Expr, ExprKind, FieldId, LocalId, Place, Program, StmtKind, Ty, walk,
};
use diagnostic::Code;
use plato::ast;
use source::Span;
use std::collections::BTreeMap;

const EXCEPTION: &str = "java.lang.ArrayStoreException";

/// How deep variables are followed.
const MAX_DEPTH: usize = 4;

impl Lowering<'_> {
    /// Checks that a value fits into the array in which it is stored.
    pub(super) fn must_fit(&mut self, at: &At, place: &Place, (value, ty): (&ast::Expr, &Ty)) {
        let (At::Index(array, ..), Place::Index(of, _, span)) = (at, place) else { return };
        let is_stored = !matches!(ty, Ty::Null | Ty::Prim(_));
        if is_stored && !self.is_wide_enough(of, ty) {
            let is_null = value.clone().equals(terms::null(*span));
            self.may_not_fit((of, array), is_null, *span);
        }
    }

    /// Checks that the elements of an array fit into another one.
    pub(super) fn all_must_fit(
        &mut self,
        (to, array): (&Expr, &ast::Expr),
        ty: &Ty,
        length: &ast::Expr,
        span: Span,
    ) {
        if !matches!(ty, Ty::Prim(_)) && !self.is_wide_enough(to, ty) {
            let is_empty = length.clone().equals(terms::int(0, span));
            self.may_not_fit((to, array), is_empty, span);
        }
    }

    /// Whether the text shows that all objects of a type fit into an array.
    fn is_wide_enough(&self, array: &Expr, ty: &Ty) -> bool {
        let Ty::Array(element) = &array.ty else { return true };
        if !self.is_in_program() || !may_be_narrower(self.program, element) {
            return true;
        }
        let method = self.frames.last().and_then(|frame| frame.method);
        let body = method.and_then(|method| self.program.method(method).body.as_ref());
        let made = made_for(body, array, MAX_DEPTH).or_else(|| match &array.kind {
            ExprKind::Field(_, field) | ExprKind::Static(field) => {
                self.protections.homes.made_for(*field).cloned()
            }
            _ => None,
        });
        made.is_some_and(|made| is_below(self.program, ty, &made))
    }

    fn may_not_fit(&mut self, (of, array): (&Expr, &ast::Expr), is_safe: ast::Expr, span: Span) {
        let from = name_of(array).and_then(|name| self.arrays.get(name)).cloned();
        let told = match from {
            Some(ArrayFrom::Outside { what, is_argument: false }) => {
                return self.assume_silently(span, format!("what is stored in {what} fits"));
            }
            Some(ArrayFrom::Outside { .. }) => {
                let failed = "this may not fit: a caller may pass an array for objects of a class \
                              below that of its elements";
                fault(Code::BadCast, failed)
            }
            _ => {
                let ty = self.program.type_name(&of.ty);
                let failed = format!("it is not known whether this `{ty}` was made as one");
                fault(Code::AnnotationMissing, failed)
            }
        };
        let fits = self.unknown_value("fits", &Ty::Prim(Prim::Boolean), span);
        self.must(terms::or(vec![is_safe, fits], span), told, EXCEPTION, span);
    }
}

/// Whether an array for such elements may have been made for objects of fewer classes.
fn may_be_narrower(program: &Program, element: &Ty) -> bool {
    match element {
        Ty::Array(inner) => may_be_narrower(program, inner),
        Ty::Class(class) => {
            let about = program.class(*class);
            let is_open =
                about.origin != crate::typed::Origin::Checked || about.kind == ClassKind::Interface;
            let mut others = program.class_ids().filter(|other| other != class);
            !about.is_final && (is_open || others.any(|other| program.is_subclass(other, *class)))
        }
        _ => false,
    }
}

fn is_below(program: &Program, one: &Ty, other: &Ty) -> bool {
    match (one, other) {
        (Ty::Class(one), Ty::Class(other)) => program.is_subclass(*one, *other),
        (Ty::Array(one), Ty::Array(other)) => is_below(program, one, other),
        (Ty::Array(_), Ty::Class(other)) => program.well_known.object == Some(*other),
        _ => one == other,
    }
}

/// The type of the elements with which an array was made, if the text tells.
fn made_for(body: Option<&Body>, array: &Expr, depth: usize) -> Option<Ty> {
    match &array.kind {
        ExprKind::NewArray(_) | ExprKind::ArrayOf(_) => match &array.ty {
            Ty::Array(element) => Some((**element).clone()),
            _ => None,
        },
        ExprKind::CloneOf(inner) | ExprKind::Cast(inner) => made_for(body, inner, depth),
        ExprKind::Local(local) if depth > 0 => {
            let values = stored_in(body?, *local)?;
            let made = |value: &&Expr| made_for(body, value, depth - 1);
            one_type(values.iter().filter(|value| !is_null(value)).map(made))
        }
        _ => None,
    }
}

fn is_null(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Null)
}

/// The one type that there is, if all are known.
fn one_type(types: impl Iterator<Item = Option<Ty>>) -> Option<Ty> {
    let mut found = None;
    for ty in types {
        let ty = ty?;
        if found.as_ref().is_some_and(|other| *other != ty) {
            return None;
        }
        found = Some(ty);
    }
    found
}

/// All values of a variable, if they are stored by assignments alone.
fn stored_in(body: &Body, local: LocalId) -> Option<Vec<&Expr>> {
    let (mut values, mut is_declared) = (Vec::new(), false);
    walk::all(&body.stmts, &mut |stmt| {
        if let StmtKind::Local(id, value) = &stmt.kind
            && *id == local
        {
            is_declared = true;
            values.extend(value);
        }
        walk::exprs(stmt, &mut |expr| {
            walk::deep(expr, &mut |part| {
                if let ExprKind::Assign(place, value) = &part.kind
                    && matches!(**place, Place::Local(id, _) if id == local)
                {
                    values.push(value);
                }
            });
        });
    });
    is_declared.then_some(values)
}

/// The types of the elements with which arrays in fields are made, if they are one.
pub(super) fn made_in_fields(program: &Program) -> BTreeMap<FieldId, Option<Ty>> {
    let mut found: BTreeMap<FieldId, Option<Ty>> = BTreeMap::new();
    let methods = program.methods.iter().filter_map(|method| method.body.as_ref());
    let initializers = program.classes.iter().filter_map(|class| class.static_init.as_ref());
    for body in methods.chain(initializers) {
        let mut add = |place: &Place, value: &Expr| {
            let (Place::Field(_, field, _) | Place::Static(field, _)) = place else { return };
            if !matches!(program.field(*field).ty, Ty::Array(_)) || is_null(value) {
                return;
            }
            let made = made_for(Some(body), value, MAX_DEPTH);
            let known = found.entry(*field).or_insert_with(|| made.clone());
            if *known != made {
                *known = None;
            }
        };
        walk::all(&body.stmts, &mut |stmt| {
            if let StmtKind::Init(place, value) = &stmt.kind {
                add(place, value);
            }
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| {
                    if let ExprKind::Assign(place, value) = &part.kind {
                        add(place, value);
                    }
                });
            });
        });
    }
    found
}
