//! Values of `\old(e)` about a method: kept when it begins.

use super::Lowering;
use super::terms;
use crate::typed::{Expr, ExprKind, Formula, Method, Stmt, StmtKind, walk};
use plato::ast;

impl Lowering<'_> {
    /// `\old(e)` about a method: the value that was kept when it began.
    pub(super) fn value_at_start(&mut self, old: &Expr) -> ast::Expr {
        let kept = self.frames.last().and_then(|frame| frame.olds.get(&old.span));
        kept.cloned().unwrap_or_else(|| {
            self.gaps.push(("`\\old` where no store is kept".to_owned(), old.span));
            terms::zero(&old.ty, old.span)
        })
    }

    /// Keeps what formulas about a method say of the store when it begins.
    pub(super) fn keep_olds(&mut self, method: &Method) {
        let promises = method.spec.ensures.iter().chain(&method.spec.exsures);
        let mut formulas: Vec<&Formula> = promises.collect();
        let stmts = method.body.iter().flat_map(|body| &body.stmts);
        let stmts: Vec<&Stmt> = stmts.collect();
        for stmt in stmts {
            walk::all(std::slice::from_ref(stmt), &mut |stmt| match &stmt.kind {
                StmtKind::Assert(one) | StmtKind::Assume(one) | StmtKind::Set(_, one) => {
                    formulas.push(one);
                }
                StmtKind::Loop { spec, .. } | StmtKind::ForEach { spec, .. } => {
                    formulas.extend(&spec.invariants);
                }
                _ => {}
            });
        }
        self.keep_olds_of(&formulas);
    }

    /// Keeps what formulas say of the store here.
    pub(super) fn keep_olds_of(&mut self, formulas: &[&Formula]) {
        for formula in formulas {
            let mut olds = Vec::new();
            walk::deep(&formula.expr, &mut |part| {
                if let ExprKind::Old(inner) = &part.kind {
                    olds.push((part, &**inner));
                }
            });
            for (old, inner) in olds {
                let mut is_bound = false;
                walk::deep(inner, &mut |part| {
                    is_bound |= matches!(part.kind, ExprKind::Bound(_) | ExprKind::Result);
                });
                if is_bound {
                    continue;
                }
                let value = Formula { expr: inner.clone(), span: inner.span };
                let value = self.formula_here(&value);
                let value = self.kept("old", value, &inner.ty);
                self.frame().olds.insert(old.span, value);
            }
        }
    }
}
