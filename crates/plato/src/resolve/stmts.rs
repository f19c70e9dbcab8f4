//! Statements, apart from those that write.

use super::scope::{Around, Context, Stores};
use super::{Owner, Resolver, counted, fault};
use crate::ast::{self, Block, Cond, Ident, LoopFormulas, StmtKind};
use crate::hir::{self, Action, Expr, ExprKind, LabelId, Root, Stmt, Ty};
use diagnostic::Code;
use source::Span;

impl Resolver {
    /// A block with its own scope.
    pub(super) fn block(&mut self, block: &Block) -> Vec<Stmt> {
        let mark = self.scope.enter();
        let stmts = block.stmts.iter().filter_map(|stmt| self.stmt(stmt)).collect();
        self.scope.leave(mark);
        stmts
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> Option<Stmt> {
        let label = stmt.label.as_ref().map(|label| self.label(label));
        self.scope.text = Some(stmt.span);
        let kind = self.stmt_kind(stmt, label);
        if kind.is_none() {
            self.lost = Some(stmt.span);
        }
        let kind = kind?;
        let performs = stmt.performs.as_ref().and_then(|performs| self.performs(performs, &kind));
        let undisturbed = stmt.undisturbed;
        Some(Stmt { kind, label, performs, undisturbed, span: stmt.span })
    }

    fn label(&mut self, label: &Ident) -> LabelId {
        let id = LabelId::from_index(self.program.labels.len());
        self.program.labels.push(hir::Label { name: label.name.clone(), span: label.span });
        if let Some(first) = self.scope.labels.insert(label.name.clone(), label.span) {
            self.duplicate(label, first);
        }
        if let Some(owner) = self.scope.owner {
            self.labels.entry(label.name.clone()).or_default().push((owner, id));
        }
        id
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt, label: Option<LabelId>) -> Option<hir::StmtKind> {
        Some(match &stmt.kind {
            StmtKind::Skip => hir::StmtKind::Skip,
            StmtKind::Var(var) => return self.local_var(var),
            StmtKind::Assign(places, source) => return self.assign(places, source),
            StmtKind::Havoc(places) => {
                let all: Vec<_> = places.iter().map(|place| self.place(place)).collect();
                let all = all.into_iter().collect::<Option<Vec<_>>>()?;
                self.distinct(&all)?;
                hir::StmtKind::Havoc(all)
            }
            StmtKind::Assert(expr) => hir::StmtKind::Assert(self.check(expr, &Ty::Bool)?),
            StmtKind::Check(expr, fault) => {
                hir::StmtKind::Check(self.check(expr, &Ty::Bool)?, fault.clone())
            }
            StmtKind::Assume(expr) => hir::StmtKind::Assume(self.check(expr, &Ty::Bool)?),
            StmtKind::Acquire(place) => hir::StmtKind::Acquire(self.lock(place)?),
            StmtKind::Release(place) => hir::StmtKind::Release(self.lock(place)?),
            StmtKind::Wait(..)
            | StmtKind::Signal(_)
            | StmtKind::Broadcast(_)
            | StmtKind::Fork(_)
            | StmtKind::Join(_) => return self.synchronizing(stmt),
            StmtKind::Cas(cas) => return self.cas_stmt(cas),
            StmtKind::Action(action) => hir::StmtKind::Action(Box::new(self.action(action)?)),
            StmtKind::Atomic(block) => return self.atomic(block, stmt.span),
            StmtKind::If(arms, otherwise) => return self.if_stmt(arms, otherwise.as_ref()),
            StmtKind::While(cond, invariants, body) => {
                let cond = self.cond(cond);
                self.loop_stmt((label, cond), invariants, body)
            }
            StmtKind::Loop(invariants, body) => self.loop_stmt((label, None), invariants, body),
            StmtKind::Choose(branches) => {
                hir::StmtKind::Choose(branches.iter().map(|branch| self.block(branch)).collect())
            }
            StmtKind::Block(block) => {
                let around = label.map(|label| Around { label: Some(label), is_loop: false });
                hir::StmtKind::Block(self.block_within(around, block))
            }
            StmtKind::Call(call) => {
                return self.call(&call.callee, &call.args, Vec::new(), call.span);
            }
            StmtKind::Return(values) => return self.return_stmt(values, stmt.span),
            StmtKind::Break(target) => {
                hir::StmtKind::Break(self.jump("break", target.as_ref(), stmt.span).ok()?)
            }
            StmtKind::Continue(target) => {
                hir::StmtKind::Continue(self.jump("continue", target.as_ref(), stmt.span).ok()?)
            }
            StmtKind::Unsupported(message) => hir::StmtKind::Unsupported(message.clone()),
        })
    }

    /// Waiting for others and waking them.
    #[inline(never)] // so that nested statements need less room on the stack
    fn synchronizing(&mut self, stmt: &ast::Stmt) -> Option<hir::StmtKind> {
        match &stmt.kind {
            StmtKind::Wait(condition, lock) => self.wait(condition, lock, stmt.span),
            StmtKind::Signal(condition) => self.signal(condition, stmt.span),
            StmtKind::Broadcast(condition) => self.broadcast(condition, stmt.span),
            StmtKind::Fork(fork) => self.fork(fork, None),
            StmtKind::Join(join) => self.join(join, Vec::new()),
            _ => None,
        }
    }

    pub(super) fn misplaced(&mut self, span: Span, message: &str, label: &str, help: &str) {
        self.report(fault(Code::MisplacedStatement, span, message).at(label).help(help));
    }

    /// A block that `break` may leave, if something is said to be around it.
    fn block_within(&mut self, around: Option<Around>, block: &Block) -> Vec<Stmt> {
        let depth = self.scope.around.len();
        self.scope.around.extend(around);
        let stmts = self.block(block);
        self.scope.around.truncate(depth);
        stmts
    }

    fn atomic(&mut self, block: &Block, span: Span) -> Option<hir::StmtKind> {
        if self.scope.in_atomic {
            self.misplaced(
                span,
                "an `atomic` block in an `atomic` block",
                "is one step already",
                "remove the inner `atomic`",
            );
            return None;
        }
        self.scope.in_atomic = true;
        self.scope.around_atomic = std::mem::take(&mut self.scope.around);
        let stmts = self.block(block);
        self.scope.around = std::mem::take(&mut self.scope.around_atomic);
        self.scope.in_atomic = false;
        Some(hir::StmtKind::Atomic(stmts))
    }

    fn return_stmt(&mut self, values: &[ast::Expr], span: Span) -> Option<hir::StmtKind> {
        if self.scope.in_atomic {
            self.misplaced(
                span,
                "`return` in an `atomic` block",
                "would leave the step in the middle",
                "return after the block",
            );
            return None;
        }
        if values.is_empty() {
            let of_thread = self.return_of_thread(Vec::new(), span);
            return of_thread.or(Some(hir::StmtKind::Return(Vec::new())));
        }
        let types = self.scope.results.clone();
        if values.len() != types.len() {
            let message = match self.scope.owner {
                Some(Owner::Thread(_)) if types.is_empty() => {
                    "this thread returns no values".into()
                }
                _ => format!(
                    "{} returned by a procedure with {}",
                    counted(values.len(), "value"),
                    counted(types.len(), "result")
                ),
            };
            let error = fault(Code::WrongArgumentCount, span, message)
                .at("wrong number of values")
                .help("declare results with `returns (r: T)`");
            self.report(error);
            return None;
        }
        let values: Vec<Option<Expr>> =
            values.iter().zip(&types).map(|(value, ty)| self.check(value, ty.as_ref()?)).collect();
        let values: Vec<Expr> = values.into_iter().collect::<Option<_>>()?;
        let of_thread = self.return_of_thread(values.clone(), span);
        of_thread.or(Some(hir::StmtKind::Return(values)))
    }

    fn cond(&mut self, cond: &Cond) -> Option<Expr> {
        match cond {
            Cond::Any => None,
            Cond::Expr(expr) => self.check(expr, &Ty::Bool),
        }
    }

    /// `else if` becomes an `if` in the `else`, built from the last arm inwards out.
    fn if_stmt(&mut self, arms: &[ast::IfArm], otherwise: Option<&Block>) -> Option<hir::StmtKind> {
        let resolved: Vec<_> = arms
            .iter()
            .map(|arm| (self.cond(&arm.cond), self.block(&arm.then), arm.span))
            .collect();
        let mut otherwise = otherwise.map(|block| self.block(block)).unwrap_or_default();
        let mut result = None;
        for (cond, then, span) in resolved.into_iter().rev() {
            if let Some((kind, span)) = result.take() {
                let (label, performs, undisturbed) = (None, None, false);
                otherwise = vec![Stmt { kind, label, performs, undisturbed, span }];
            }
            let inner = std::mem::take(&mut otherwise);
            result = Some((hir::StmtKind::If { cond, then, otherwise: inner }, span));
        }
        result.map(|(kind, _)| kind)
    }

    fn loop_stmt(
        &mut self,
        (label, cond): (Option<LabelId>, Option<Expr>),
        formulas: &LoopFormulas,
        body: &Block,
    ) -> hir::StmtKind {
        let context = Context { place: "a loop invariant", ..self.context };
        let mut checked = |all: &[ast::Expr]| {
            self.within(context, |r| all.iter().filter_map(|i| r.check(i, &Ty::Bool)).collect())
        };
        let (invariants, guesses) = (checked(&formulas.invariants), checked(&formulas.guesses));
        let body = self.block_within(Some(Around { label, is_loop: true }), body);
        hir::StmtKind::While { cond, invariants, guesses, body }
    }

    fn action(&mut self, action: &ast::Action) -> Option<Action> {
        let modifies = self.roots(&action.modifies);
        let one = Context { place: "a `requires`", ..self.context };
        let requires = self.within(one, |r| r.all_of(&action.requires));
        let place = "an atomic operation";
        let two = Context { stores: Stores::TwoWithLocals, place, ..self.context };
        let (relation, ensures) =
            self.within(two, |r| (r.check(&action.action, &Ty::Bool), r.all_of(&action.ensures)));
        Some(Action {
            modifies: modifies?,
            requires: conjunction(requires?),
            action: relation?,
            ensures: conjunction(ensures?),
        })
    }

    fn all_of(&mut self, exprs: &[ast::Expr]) -> Option<Vec<Expr>> {
        let all: Vec<_> = exprs.iter().map(|expr| self.check(expr, &Ty::Bool)).collect();
        all.into_iter().collect()
    }

    fn roots(&mut self, paths: &[ast::Path]) -> Option<Vec<Root>> {
        let mut all = Some(Vec::new());
        for path in paths {
            match self.root(path) {
                Some((root, _)) => {
                    if let Some(all) = all.as_mut().filter(|all| !all.contains(&root)) {
                        all.push(root);
                    }
                }
                None => all = None,
            }
        }
        all
    }
}

/// One formula for any number of clauses, if there are any.
fn conjunction(mut all: Vec<Expr>) -> Option<Expr> {
    if all.len() < 2 {
        return all.pop();
    }
    let span = all[0].span.to(all[all.len() - 1].span);
    Some(Expr { kind: ExprKind::And(all), ty: Ty::Bool, span })
}
