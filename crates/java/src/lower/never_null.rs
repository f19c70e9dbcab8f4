//! Fields that are never null, as far as the code tells.

use super::protect::{Protection, Protections};
use crate::typed::{Expr, ExprKind, FieldId, MethodId, Place, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// Fields of objects that only get new objects, and do so in every constructor.
pub(super) fn never_null(program: &Program, protections: &Protections) -> BTreeSet<FieldId> {
    let mut stored: BTreeMap<FieldId, Vec<(MethodId, bool)>> = BTreeMap::new();
    for (at, method) in program.methods.iter().enumerate() {
        let id = MethodId::from_index(at);
        for stmt in method.body.iter().flat_map(|body| &body.stmts) {
            stores(stmt, &mut |place, value| {
                if let Place::Field(_, field, _) | Place::Static(field, _) = place {
                    stored.entry(*field).or_default().push((id, is_object(value)));
                }
            });
        }
    }
    for class in &program.classes {
        for stmt in class.static_init.iter().flat_map(|body| &body.stmts) {
            stores(stmt, &mut |place, value| {
                if let Place::Static(field, _) = place {
                    stored.entry(*field).or_default().push((MethodId(0), is_object(value)));
                }
            });
        }
    }
    let is_never_null = |(field, values): &(FieldId, Vec<(MethodId, bool)>)| {
        let about = program.field(*field);
        // Code that is not read cannot store anything there.
        let is_own = about.is_private || matches!(protections.of(*field), Protection::Fixed);
        let all_objects = values.iter().all(|(_, is_object)| *is_object);
        let by = |id: &MethodId| values.iter().any(|(other, _)| other == id);
        let class = program.class(about.class);
        let makers = class.methods.iter().filter(|id| program.method(**id).is_constructor);
        let fields =
            class.methods.iter().find(|id| program.method(**id).name.as_str() == "<fields>");
        let is_first = fields.is_some_and(by);
        let calls_own = |id: &MethodId| {
            let body = program.method(*id).body.as_ref();
            body.is_some_and(|body| {
                body.stmts.iter().any(|stmt| match &stmt.kind {
                    StmtKind::Construct { constructor, .. } => {
                        program.method(*constructor).class == about.class
                    }
                    _ => false,
                })
            })
        };
        let in_all = makers.into_iter().all(|id| by(id) || calls_own(id));
        about.ty.is_reference() && is_own && all_objects && (about.is_static || is_first || in_all)
    };
    stored.into_iter().filter(is_never_null).map(|(field, _)| field).collect()
}

/// Whether a value is an object for sure.
fn is_object(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::New { .. }
        | ExprKind::NewArray(_)
        | ExprKind::ArrayOf(_)
        | ExprKind::Text(_)
        | ExprKind::Concat(_)
        | ExprKind::ClassObject(_)
        | ExprKind::Box(_) => true,
        ExprKind::Cast(inner) => is_object(inner),
        ExprKind::Conditional(_, one, other) => is_object(one) && is_object(other),
        _ => false,
    }
}

/// All that is stored by a statement and those inside it.
fn stores(stmt: &Stmt, visit: &mut dyn FnMut(&Place, &Expr)) {
    if let StmtKind::Init(place, value) = &stmt.kind {
        visit(place, value);
    }
    let mut exprs = Vec::new();
    crate::typed::walk::exprs(stmt, &mut |expr| exprs.push(expr));
    while let Some(expr) = exprs.pop() {
        match &expr.kind {
            ExprKind::Assign(place, value) => visit(place, value),
            ExprKind::Switch(switch) => {
                for stmt in switch.cases.iter().flat_map(|case| &case.body) {
                    stores(stmt, visit);
                }
            }
            _ => {}
        }
        crate::typed::walk::children(expr, &mut |child| exprs.push(child));
    }
    for block in crate::typed::walk::blocks(stmt) {
        block.iter().for_each(|stmt| stores(stmt, visit));
    }
}
