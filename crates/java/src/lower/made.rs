//! Classes of which there are objects. Code that is not read can make objects of any class that it
//! can name, or of one below it; of private classes, only the program makes some.

use crate::typed::{Body, ClassId, ClassKind, ExprKind, Origin, Program, walk};
use std::collections::BTreeSet;

/// Classes of which nobody makes an object, nor of a class below.
pub(super) fn never_made(program: &Program) -> BTreeSet<ClassId> {
    let mut made = BTreeSet::new();
    let bodies = program.methods.iter().filter_map(|method| method.body.as_ref());
    let initializers = program.classes.iter().filter_map(|class| class.static_init.as_ref());
    for body in bodies.chain(initializers) {
        made_in(body, &mut made);
    }
    let is_made = |id: ClassId| made.contains(&id) || !is_hidden(program, id);
    let all: Vec<ClassId> = program.class_ids().filter(|id| is_made(*id)).collect();
    let has_objects = |id: &ClassId| all.iter().any(|one| program.is_subclass(*one, *id));
    let hidden = program.class_ids().filter(|id| is_hidden(program, *id));
    hidden.filter(|id| !has_objects(id)).collect()
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

/// Whether code that is not read cannot name a class.
fn is_hidden(program: &Program, id: ClassId) -> bool {
    let mut class = Some(id);
    while let Some(id) = class {
        let about = program.class(id);
        let is_plain = about.kind == ClassKind::Class && about.origin == Origin::Checked;
        if about.is_private && is_plain {
            return true;
        }
        class = about.outer;
    }
    false
}
