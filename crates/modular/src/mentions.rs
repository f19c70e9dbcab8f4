//! Which globals a piece of a program mentions, reads or writes.

use plato::hir::{
    Expr, ExprKind, GlobalId, LocalId, Place, ProcId, Program, Root, Spec, Stmt, StmtKind,
};
use std::collections::BTreeSet;

/// All globals.
pub(crate) fn all_globals(program: &Program) -> impl Iterator<Item = GlobalId> + use<> {
    (0..program.globals.len()).map(GlobalId::from_index)
}

/// The globals of an expression, predicates included.
pub(crate) fn globals_of(program: &Program, expr: &Expr) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    of_expr(program, expr, &mut found);
    found
}

/// Adds the globals of an expression, predicates included.
pub(crate) fn of_expr(program: &Program, expr: &Expr, out: &mut BTreeSet<GlobalId>) {
    let mut stack = vec![expr];
    let mut seen_preds = BTreeSet::new();
    while let Some(expr) = stack.pop() {
        match &expr.kind {
            ExprKind::Var { root: Root::Global(id), .. } => {
                out.insert(*id);
            }
            ExprKind::Pred { pred, .. } if seen_preds.insert(*pred) => {
                stack.push(&program.preds[pred.index()].body);
            }
            _ => {}
        }
        stack.extend(expr.children());
    }
}

/// Whether the expression mentions one of these locals.
pub(crate) fn mentions_local(program: &Program, expr: &Expr, locals: &[LocalId]) -> bool {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match &expr.kind {
            ExprKind::Var { root: Root::Local(id), .. } if locals.contains(id) => return true,
            ExprKind::Pred { pred, .. } => stack.push(&program.preds[pred.index()].body),
            _ => {}
        }
        stack.extend(expr.children());
    }
    false
}

/// Whether the formula mentions `tid`.
pub(crate) fn mentions_tid(program: &Program, expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Tid => true,
        ExprKind::Pred { pred, .. } => mentions_tid(program, &program.preds[pred.index()].body),
        _ => false,
    };
    here || expr.children().into_iter().any(|child| mentions_tid(program, child))
}

/// Whether the expression asks where a thread is.
pub(crate) fn has_program_counter(expr: &Expr) -> bool {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if matches!(expr.kind, ExprKind::At(..)) {
            return true;
        }
        stack.extend(expr.children());
    }
    false
}

/// What statements touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// Globals that are read or written.
    pub used: BTreeSet<GlobalId>,
    /// Globals that are written.
    pub written: BTreeSet<GlobalId>,
}

impl Touched {
    /// What the statements touch, called procedures included.
    pub(crate) fn of_stmts(program: &Program, stmts: &[Stmt]) -> Self {
        let mut out = Self::default();
        let mut seen = BTreeSet::new();
        out.stmts(program, stmts, &mut seen);
        out
    }

    fn stmts(&mut self, program: &Program, stmts: &[Stmt], seen: &mut BTreeSet<ProcId>) {
        for stmt in stmts {
            for expr in stmt.exprs() {
                of_expr(program, expr, &mut self.used);
            }
            for place in stmt.places() {
                self.place(program, place);
            }
            if let StmtKind::Action(action) = &stmt.kind {
                for root in &action.modifies {
                    self.write(*root);
                }
            }
            for inner in stmt.blocks() {
                self.stmts(program, inner, seen);
            }
            if let StmtKind::Call { callee, .. } = &stmt.kind
                && seen.insert(*callee)
            {
                if let Some(spec) = &program.procs[callee.index()].spec {
                    self.spec(program, spec);
                }
                self.stmts(program, &program.procs[callee.index()].body.stmts, seen);
            }
        }
    }

    /// A call may do what the callee's specification allows.
    pub(crate) fn spec(&mut self, program: &Program, spec: &Spec) {
        let actions = spec.actions.iter();
        let changed =
            spec.modifies.iter().chain(actions.clone().flat_map(|action| &action.modifies));
        changed.for_each(|&id| self.write(Root::Global(id)));
        let formulas = spec.requires.iter().chain(&spec.ensures);
        for expr in formulas.chain(actions.map(|action| &action.ensures)) {
            of_expr(program, expr, &mut self.used);
        }
    }

    /// A place that is written.
    pub(crate) fn place(&mut self, program: &Program, place: &Place) {
        self.write(place.root);
        for index in &place.indices {
            of_expr(program, index, &mut self.used);
        }
    }

    fn write(&mut self, root: Root) {
        if let Root::Global(id) = root {
            self.used.insert(id);
            self.written.insert(id);
        }
    }
}

/// The procedures that the statements call, also through others.
pub(crate) fn called(program: &Program, stmts: &[Stmt], out: &mut BTreeSet<ProcId>) {
    for stmt in stmts {
        if let StmtKind::Call { callee, .. } = &stmt.kind
            && out.insert(*callee)
        {
            called(program, &program.procs[callee.index()].body.stmts, out);
        }
        for inner in stmt.blocks() {
            called(program, inner, out);
        }
    }
}
