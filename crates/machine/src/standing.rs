//! Where threads can stand: before each step, and so at no label inside of an atomic block.

use plato::hir::{Expr, ExprKind, LabelId, NeverKind, ProcId, Program, Stmt, StmtKind};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A label that `at(..)` asks for although no thread ever stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreachableLabel {
    /// Its name.
    pub name: String,
    /// The label.
    pub label: Span,
    /// The first formula that asks for it.
    pub asked: Span,
}

/// The labels that error sets ask for in vain, by where they stand: those inside of atomic blocks,
/// in procedures that are called only there, and in procedures that no thread calls.
pub fn unreachable_labels(program: &Program) -> Vec<UnreachableLabel> {
    let mut asked = BTreeMap::new();
    for never in &program.nevers {
        if let NeverKind::Formula(expr) = &never.kind {
            asked_for(expr, &mut asked);
        }
    }
    let mut places = Places { program, entered: BTreeSet::new(), labels: BTreeSet::new() };
    program.threads.iter().for_each(|thread| places.visit(&thread.body.stmts));
    let missed = asked.into_iter().filter(|(label, _)| !places.labels.contains(label));
    let mut all: Vec<UnreachableLabel> = missed
        .map(|(label, asked)| {
            let label = &program.labels[label.index()];
            UnreachableLabel { name: label.name.to_string(), label: label.span, asked }
        })
        .collect();
    all.sort_by_key(|one| one.label);
    all
}

/// Collects the labels that a formula asks for, each with the place where it does so first.
fn asked_for(expr: &Expr, into: &mut BTreeMap<LabelId, Span>) {
    if let ExprKind::At(_, labels) = &expr.kind {
        for &label in labels {
            into.entry(label).or_insert(expr.span);
        }
    }
    expr.children().into_iter().for_each(|child| asked_for(child, into));
}

struct Places<'p> {
    program: &'p Program,
    /// Procedures whose steps are steps of a thread.
    entered: BTreeSet<ProcId>,
    labels: BTreeSet<LabelId>,
}

impl Places<'_> {
    /// Notes the labels of statements that threads come to one by one.
    fn visit(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.labels.extend(stmt.label);
            match &stmt.kind {
                // One step, whatever is inside.
                StmtKind::Atomic(_) => {}
                StmtKind::Call { callee, .. } if self.entered.insert(*callee) => {
                    self.visit(&self.program.procs[callee.index()].body.stmts);
                }
                _ => stmt.blocks().into_iter().for_each(|block| self.visit(block)),
            }
        }
    }
}
