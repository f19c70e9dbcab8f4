//! Steps on objects that only this thread knows.
//!
//! Such steps commute with all steps of others, and others see no difference between the stores
//! before and after them: shared objects, and what is promised of them, stay as they are. So a run
//! of such steps is written as one (Lipton's reduction, both movers), which spares a proof of every
//! promise after each of them.

use super::Lowering;
use super::places::At;
use plato::ast::{Block, Expr, ExprKind, Place, Source, Stmt, StmtKind};
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
        self.push(Stmt { label: Some(build::ident(PRIVATE, span)), ..step });
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
        for block in blocks_of(&mut stmt) {
            join_steps(&mut block.stmts, locals);
        }
        joined.push(stmt);
    }
    *stmts = joined;
}

/// The blocks of a statement that consists of steps.
fn blocks_of(stmt: &mut Stmt) -> Vec<&mut Block> {
    match &mut stmt.kind {
        StmtKind::If(arms, otherwise) => {
            arms.iter_mut().map(|arm| &mut arm.then).chain(otherwise.as_mut()).collect()
        }
        StmtKind::Choose(branches) => branches.iter_mut().collect(),
        StmtKind::While(_, _, body) | StmtKind::Loop(_, body) | StmtKind::Block(body) => {
            vec![body]
        }
        _ => Vec::new(),
    }
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
