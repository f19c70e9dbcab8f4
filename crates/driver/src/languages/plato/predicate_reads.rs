//! What predicates read of guarded variables, for each place where code uses one.
//!
//! Deduction blames the place where the predicate is used, and a run the place inside of the
//! predicate where the variable is read.

use plato::hir::{Expr, ExprKind, Program, Root, Stmt};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Where a guarded variable is read, and the clause that guards it.
type Reads = BTreeSet<(Span, Span)>;

/// For each use of a predicate in code, what it reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct PredicateReads(BTreeMap<Span, Reads>);

impl PredicateReads {
    pub(crate) fn of(program: &Program) -> Self {
        let mut all = Self::default();
        let threads = program.threads.iter().map(|thread| &thread.body);
        for body in threads.chain(program.procs.iter().map(|procedure| &procedure.body)) {
            all.in_stmts(program, &body.stmts);
        }
        all
    }

    /// Whether the predicate that is used here reads, there, a variable with this guard.
    pub(crate) fn has(&self, used: Span, read: Span, guard: Span) -> bool {
        self.0.get(&used).is_some_and(|reads| reads.contains(&(read, guard)))
    }

    fn in_stmts(&mut self, program: &Program, stmts: &[Stmt]) {
        for stmt in stmts {
            stmt.exprs().into_iter().for_each(|expr| self.in_expr(program, expr));
            stmt.blocks().into_iter().for_each(|block| self.in_stmts(program, block));
        }
    }

    fn in_expr(&mut self, program: &Program, expr: &Expr) {
        if let ExprKind::Pred { pred, .. } = &expr.kind {
            let reads = self.0.entry(expr.span).or_default();
            guarded_reads(program, &program.preds[pred.index()].body, reads);
        }
        expr.children().into_iter().for_each(|child| self.in_expr(program, child));
    }
}

/// The guarded variables that an expression reads, also through predicates. None of these needs
/// itself, so that this ends.
fn guarded_reads(program: &Program, expr: &Expr, into: &mut Reads) {
    match &expr.kind {
        ExprKind::Var { root: Root::Global(id), .. } => {
            let guard = program.globals[id.index()].guard;
            into.extend(guard.map(|guard| (expr.span, guard.span)));
        }
        ExprKind::Pred { pred, .. } => {
            guarded_reads(program, &program.preds[pred.index()].body, into);
        }
        _ => {}
    }
    expr.children().into_iter().for_each(|child| guarded_reads(program, child, into));
}
