//! Classes of which there are objects. Code that is not read can make objects of any class that it
//! can name, or of one below it; of private classes, only the program makes some.

use crate::typed::open::is_hidden;
use crate::typed::{Body, ClassId, ClassKind, ExprKind, Program, StmtKind, walk};
use std::collections::BTreeSet;

/// Classes of which nobody makes an object, nor of a class below.
pub(super) fn never_made(program: &Program) -> BTreeSet<ClassId> {
    let mut made = BTreeSet::new();
    let mut opaque = BTreeSet::new();
    for method in &program.methods {
        if method.body.as_ref().is_some_and(has_gap) {
            opaque.insert(program.outermost(method.class));
        }
    }
    for id in program.class_ids() {
        if program.class(id).static_init.as_ref().is_some_and(has_gap) {
            opaque.insert(program.outermost(id));
        }
    }
    let bodies = program.methods.iter().filter_map(|method| method.body.as_ref());
    let initializers = program.classes.iter().filter_map(|class| class.static_init.as_ref());
    for body in bodies.chain(initializers) {
        made_in(body, &mut made);
    }
    let may_be_made = |id: ClassId| made.contains(&id) || opaque.contains(&program.outermost(id));
    let is_made = |id: ClassId| may_be_made(id) || !is_unnamed(program, id);
    let all: Vec<ClassId> = program.class_ids().filter(|id| is_made(*id)).collect();
    let has_objects = |id: &ClassId| all.iter().any(|one| program.is_subclass(*one, *id));
    let hidden = program.class_ids().filter(|id| is_unnamed(program, *id));
    hidden.filter(|id| !has_objects(id)).collect()
}

/// Whether there is code of which nothing is known; it may make objects.
fn has_gap(body: &Body) -> bool {
    let mut found = false;
    walk::all(&body.stmts, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Unsupported(_));
        walk::exprs(stmt, &mut |expr| {
            walk::deep(expr, &mut |part| found |= matches!(part.kind, ExprKind::Unsupported(_)));
        });
    });
    found
}

fn made_in(body: &Body, made: &mut BTreeSet<ClassId>) {
    walk::all(&body.stmts, &mut |stmt| {
        walk::exprs(stmt, &mut |expr| {
            walk::deep(expr, &mut |part| {
                if let ExprKind::New { class, .. } = &part.kind {
                    made.insert(*class);
                }
            });
        });
    });
}

/// Whether nothing but the program makes objects of a class. Of a lambda expression, there is one
/// wherever its text is.
fn is_unnamed(program: &Program, id: ClassId) -> bool {
    let kind = program.class(id).kind;
    kind == ClassKind::Class && is_hidden(program, id)
}
