//! The types of all parts of a program.

use crate::hir::{Body, Expr, NeverKind, Program, Stmt};
use source::Mention;

impl Program {
    /// Every expression of the text, and every place that is written, with its type.
    pub fn mentions(&self) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut note = |expr: &Expr| {
            let ty = self.type_name(&expr.ty);
            found.push(Mention { span: expr.span, ty, means: None });
        };
        for expr in self.formulas() {
            deep(expr, &mut note);
        }
        let bodies = self.threads.iter().map(|thread| &thread.body);
        for body in bodies.chain(self.procs.iter().map(|proc| &proc.body)) {
            each(body, &mut |stmt| {
                stmt.exprs().into_iter().for_each(|expr| deep(expr, &mut note));
                let indices = stmt.places().into_iter().flat_map(|place| &place.indices);
                indices.for_each(|expr| deep(expr, &mut note));
            });
        }
        let bodies = self.threads.iter().map(|thread| &thread.body);
        for body in bodies.chain(self.procs.iter().map(|proc| &proc.body)) {
            each(body, &mut |stmt| {
                found.extend(stmt.places().into_iter().map(|place| Mention {
                    span: place.span,
                    ty: self.type_name(&place.ty),
                    means: None,
                }));
            });
        }
        found
    }

    /// All formulas outside of bodies.
    fn formulas(&self) -> Vec<&Expr> {
        let of_threads = self.threads.iter().flat_map(|thread| &thread.relies);
        let named = self.inits.iter().chain(&self.invariants).chain(&self.relies);
        let mut all: Vec<&Expr> = named.chain(of_threads).map(|one| &one.expr).collect();
        all.extend(self.preds.iter().map(|pred| &pred.body));
        all.extend(self.nevers.iter().filter_map(|never| match &never.kind {
            NeverKind::Formula(expr) => Some(expr),
            NeverKind::Deadlock | NeverKind::Race(_) => None,
        }));
        for spec in self.procs.iter().filter_map(|proc| proc.spec.as_ref()) {
            all.extend(spec.requires.iter().chain(&spec.ensures));
            all.extend(spec.actions.iter().map(|action| &action.ensures));
            all.extend(spec.frames.iter().map(|frame| &frame.formula));
        }
        all
    }
}

fn deep(expr: &Expr, note: &mut impl FnMut(&Expr)) {
    let mut rest = vec![expr];
    while let Some(expr) = rest.pop() {
        note(expr);
        rest.extend(expr.children());
    }
}

fn each<'b>(body: &'b Body, visit: &mut impl FnMut(&'b Stmt)) {
    let mut rest: Vec<&[Stmt]> = vec![&body.stmts];
    while let Some(stmts) = rest.pop() {
        for stmt in stmts {
            visit(stmt);
            rest.extend(stmt.blocks());
        }
    }
}
