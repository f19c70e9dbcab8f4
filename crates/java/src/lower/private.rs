//! Steps on objects that only this thread knows.
//!
//! Such steps commute with all steps of others, and others see no difference between the stores
//! before and after them: shared objects, and what is promised of them, stay as they are. So a run
//! of such steps is written as one (Lipton's reduction, both movers), which spares a proof of every
//! promise after each of them.

use super::Lowering;
use super::known::blocks;
use super::places::At;
use crate::typed::{self, LocalId, walk};
use plato::ast::{Expr, ExprKind, Place, Source, Stmt, StmtKind};
use plato::build;
use source::Span;
use std::collections::BTreeSet;

/// The label of a step on private objects, until steps are joined.
const PRIVATE: &str = "private";

impl Lowering<'_> {
    /// One step that touches nothing but objects that only this thread knows.
    pub(super) fn private_step(&mut self, stmts: Vec<Stmt>, span: Span) {
        if self.in_atomic {
            return self.out.extend(stmts);
        }
        let step = super::terms::atomic(stmts, span);
        let label = Some(build::ident(PRIVATE, span));
        self.push(Stmt { label, undisturbed: true, ..step });
    }

    /// Whether the text shows that only this thread knows the object of a place.
    pub(super) fn is_private(&self, at: &At) -> bool {
        match at {
            At::Field(object, ..) | At::Index(object, ..) => self.is_private_object(object),
            _ => false,
        }
    }

    /// Whether the text shows that only this thread knows an object.
    pub(super) fn is_private_object(&self, object: &Expr) -> bool {
        match &object.kind {
            ExprKind::Name(name) => self.private.contains(name.path.segments[0].name.as_str()),
            _ => false,
        }
    }

    /// Notes that a variable of the program gets an object that only this thread knows, if that is
    /// the one value that it ever gets where it is declared.
    pub(super) fn note_private_local(&mut self, local: LocalId, value: &Expr) {
        if self.is_private_object(value) && self.is_written_once(local) {
            let name = self.local_name(local).to_owned();
            self.private.insert(name);
        }
    }

    /// Whether nothing but its declaration writes a variable.
    pub(super) fn is_written_once(&self, local: LocalId) -> bool {
        let method = self.frames.last().and_then(|frame| frame.method);
        let Some(body) = method.and_then(|method| self.program.method(method).body.as_ref()) else {
            return false;
        };
        let (mut declarations, mut writes) = (0, 0);
        let is_it = |place: &typed::Place| {
            usize::from(matches!(place, typed::Place::Local(id, _) if *id == local))
        };
        walk::all(&body.stmts, &mut |stmt| {
            if matches!(&stmt.kind, typed::StmtKind::Local(id, _) if *id == local) {
                declarations += 1;
            }
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| match &part.kind {
                    typed::ExprKind::Assign(place, _) | typed::ExprKind::AssignOp(place, ..) => {
                        writes += is_it(place);
                    }
                    _ => {}
                });
            });
        });
        declarations == 1 && writes == 0
    }

    /// From here on, others may know every object.
    pub(super) fn leak(&mut self) {
        self.private.clear();
    }
}

/// Joins neighbouring steps on private objects, with what stands between them and touches nothing
/// but variables of the thread.
pub(super) fn join_steps(stmts: &mut Vec<Stmt>, locals: &BTreeSet<&str>) {
    let mut joined: Vec<Stmt> = Vec::new();
    // Whether the last statement is such a step.
    let mut is_open = false;
    for mut stmt in std::mem::take(stmts) {
        let is_private = stmt.label.as_ref().is_some_and(|label| label.name.as_str() == PRIVATE);
        if is_private {
            stmt.label = None;
        }
        let step = match joined.last_mut().map(|step| &mut step.kind) {
            Some(StmtKind::Atomic(block)) if is_open => Some(block),
            _ => None,
        };
        if let Some(block) = step {
            if is_local(&stmt, locals) {
                block.stmts.push(stmt);
                continue;
            }
            if let (true, StmtKind::Atomic(more)) = (is_private, &mut stmt.kind) {
                block.stmts.append(&mut more.stmts);
                continue;
            }
        }
        is_open = is_private;
        if !matches!(stmt.kind, StmtKind::Atomic(_)) {
            blocks(&mut stmt).into_iter().for_each(|block| join_steps(&mut block.stmts, locals));
        }
        joined.push(stmt);
    }
    *stmts = joined;
}

/// Whether a statement touches nothing but variables of the thread and constants.
fn is_local(stmt: &Stmt, locals: &BTreeSet<&str>) -> bool {
    let is_own = |place: &Place| {
        place.indices.is_empty() && locals.contains(place.path.segments[0].name.as_str())
    };
    match &stmt.kind {
        StmtKind::Assign(places, Source::Values(values)) => {
            places.iter().all(is_own) && values.iter().all(|value| reads_own(value, locals))
        }
        StmtKind::Havoc(places) => places.iter().all(is_own),
        StmtKind::Check(cond, _) | StmtKind::Assert(cond) | StmtKind::Assume(cond) => {
            reads_own(cond, locals)
        }
        _ => false,
    }
}

fn reads_own(value: &Expr, locals: &BTreeSet<&str>) -> bool {
    let mut rest = vec![value];
    while let Some(expr) = rest.pop() {
        match &expr.kind {
            ExprKind::Name(name) => {
                let name = name.path.segments[0].name.as_str();
                if !locals.contains(name) && !matches!(name, "null" | "length" | "boxed") {
                    return false;
                }
            }
            ExprKind::Apply(..) | ExprKind::Forall(..) | ExprKind::Exists(..) => return false,
            _ => {}
        }
        rest.extend(expr.children());
    }
    true
}
