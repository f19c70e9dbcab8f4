//! What is to be shown of a program by a search: everything in it that can go wrong.

use crate::properties::Fault;
use plato::hir::{
    BinaryOp, Expr, ExprKind, NeverKind, Place, ProcId, Program, Root, Stmt, StmtKind, Ty,
};
use source::Span;
use std::collections::BTreeSet;

/// One thing to be shown: that nothing of this code happens at this place, or to this annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Goal {
    /// The code that is reported if it fails.
    pub code: &'static str,
    /// The statement, or the annotation.
    pub span: Span,
}

impl Goal {
    /// The goal that fails if this happens. An invariant that does not hold at the start is one that does not hold.
    pub fn of(fault: &Fault) -> Self {
        let code = match fault.code {
            "invariant-not-initial" => "invariant-broken",
            code => code,
        };
        Self { code, span: fault.declared.unwrap_or(fault.span) }
    }
}

/// All goals of a program, in the order of the text: invariants, error sets, and what its threads' code can do wrong.
pub fn goals(program: &Program) -> Vec<Goal> {
    let mut found = Found { program, goals: BTreeSet::new(), called: BTreeSet::new() };
    for invariant in &program.invariants {
        found.add("invariant-broken", invariant.span);
    }
    for never in &program.nevers {
        let code = match never.kind {
            NeverKind::Formula(_) => "never-reached",
            NeverKind::Deadlock => "deadlock",
            NeverKind::Race(_) => "data-race",
        };
        found.add(code, never.span);
    }
    for thread in &program.threads {
        found.stmts(&thread.body.stmts);
    }
    let mut goals: Vec<Goal> = found.goals.into_iter().collect();
    goals.sort_by_key(|goal| (goal.span, goal.code));
    goals
}

struct Found<'p> {
    program: &'p Program,
    goals: BTreeSet<Goal>,
    called: BTreeSet<ProcId>,
}

impl Found<'_> {
    fn add(&mut self, code: &'static str, span: Span) {
        self.goals.insert(Goal { code, span });
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assert(cond) => {
                self.add("assertion-failed", span);
                self.expr(span, cond);
            }
            StmtKind::Assume(cond) => self.expr(span, cond),
            StmtKind::Release(place) => {
                self.add("release-not-held", span);
                self.place(span, place);
            }
            StmtKind::Acquire(place) => self.place(span, place),
            StmtKind::Assign(pairs) => {
                for (place, value) in pairs {
                    self.place(span, place);
                    self.expr(span, value);
                    self.fits(span, &value.ty, &place.ty);
                }
            }
            StmtKind::Havoc(places) => places.iter().for_each(|place| self.place(span, place)),
            StmtKind::CasSwap { location, expected, new } => {
                self.expr(span, expected);
                [location, new].into_iter().for_each(|place| self.place(span, place));
                self.fits(span, &new.ty, &location.ty);
                self.fits(span, &location.ty, &new.ty);
            }
            StmtKind::Cas { result, location, expected, new } => {
                [expected, new].into_iter().for_each(|expr| self.expr(span, expr));
                result.iter().chain([location]).for_each(|place| self.place(span, place));
                self.fits(span, &new.ty, &location.ty);
            }
            StmtKind::Action(action) => {
                if action.requires.is_some() {
                    self.add("precondition-failed", span);
                }
                if action.ensures.is_some() {
                    self.add("action-check-failed", span);
                }
                let formulas = action.requires.iter().chain([&action.action]);
                formulas.chain(&action.ensures).for_each(|expr| self.expr(span, expr));
            }
            StmtKind::Atomic(body) | StmtKind::Block(body) => self.stmts(body),
            StmtKind::Choose(branches) => branches.iter().for_each(|branch| self.stmts(branch)),
            StmtKind::If { cond, then, otherwise } => {
                cond.iter().for_each(|cond| self.expr(span, cond));
                self.stmts(then);
                self.stmts(otherwise);
            }
            StmtKind::While { cond, body, .. } => {
                cond.iter().for_each(|cond| self.expr(span, cond));
                self.stmts(body);
            }
            StmtKind::Call { callee, args, results } => {
                self.call(span, *callee, args, results);
            }
            StmtKind::Return(values) => values.iter().for_each(|value| self.expr(span, value)),
            StmtKind::Skip | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn call(&mut self, span: Span, callee: ProcId, args: &[Expr], results: &[Place]) {
        let program = self.program;
        let procedure = &program.procs[callee.index()];
        let ty = |local: plato::hir::LocalId| &procedure.body.locals[local.index()].ty;
        for (&param, arg) in procedure.params.iter().zip(args) {
            self.expr(span, arg);
            self.fits(span, &arg.ty, ty(param));
        }
        for (&result, place) in procedure.results.iter().zip(results) {
            self.place(span, place);
            self.fits(span, ty(result), &place.ty);
        }
        if self.called.insert(callee) {
            self.stmts(&procedure.body.stmts);
        }
    }

    fn place(&mut self, span: Span, place: &Place) {
        let mut ty = match place.root {
            Root::Global(id) => Some(&self.program.globals[id.index()].ty),
            Root::Local(_) => None,
        };
        for index in &place.indices {
            self.expr(span, index);
            match ty {
                Some(Ty::Map(key, value)) => {
                    self.in_domain(span, &index.ty, key);
                    ty = Some(value);
                }
                // A local map: its type is not at hand, and a needless goal is proved like any other.
                _ if index.ty == Ty::Int => self.add("index-out-of-range", span),
                _ => {}
            }
        }
    }

    /// A goal if a value of one type need not be of the other.
    fn fits(&mut self, span: Span, from: &Ty, to: &Ty) {
        if !is_inside(from, to) {
            self.add("value-out-of-range", span);
        }
    }

    fn in_domain(&mut self, span: Span, from: &Ty, to: &Ty) {
        if !is_inside(from, to) {
            self.add("index-out-of-range", span);
        }
    }

    fn expr(&mut self, span: Span, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Mod, _, divisor) if !matches!(divisor.kind, ExprKind::Int(value) if value != 0) =>
            {
                self.add("division-by-zero", span);
            }
            ExprKind::Index(map, key) | ExprKind::Update(map, key, _) => {
                if let Ty::Map(domain, _) = &map.ty {
                    self.in_domain(span, &key.ty, domain);
                }
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(span, child));
    }
}

/// Whether every value of the first type is one of the second.
fn is_inside(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Range(low, high), Ty::Range(least, most)) => least <= low && high <= most,
        (_, Ty::Range(..)) => false,
        _ => true,
    }
}
