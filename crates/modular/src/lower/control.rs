//! Branches and loops.

use super::Lowering;
use super::frames::Exit;
use crate::expr::Scope;
use crate::mentions::{self, Touched};
use diagnostic::Code;
use gcl::MarkKind;
use gcl::{Loop, LoopInvariant, Stmt as Command};
use logic::Term;
use plato::hir::{Expr, ExprKind, GlobalId, LocalId, Root, Stmt, Ty};
use std::collections::BTreeSet;
use verdict::Obligation;

impl Lowering<'_> {
    /// `if (e) S else T` is `(assume e; S) [] (assume !e; T)`; the evaluation of `e` is one step.
    pub(super) fn branch(
        &mut self,
        stmt: &Stmt,
        cond: Option<&Expr>,
        then: &[Stmt],
        otherwise: &[Stmt],
    ) {
        let cond = cond.map(|cond| self.evaluate(stmt, cond));
        let yes = self.nested(|this| {
            this.take_branch(stmt, cond, "yes");
            this.stmts(then);
        });
        let no = self.nested(|this| {
            let not = cond.map(|cond| this.context.terms.not(cond));
            this.take_branch(stmt, not, "no");
            this.stmts(otherwise);
        });
        self.emit.push(Command::Choice(vec![yes, no]));
        self.emit.narrowed = true;
    }

    /// The step that evaluates a condition.
    fn evaluate(&mut self, stmt: &Stmt, cond: &Expr) -> Term {
        let mut used = BTreeSet::new();
        mentions::of_expr(self.program, cond, &mut used);
        used.extend(self.simulation_mentions());
        self.environment_step(&used);
        self.cover_reached(stmt.span);
        self.check_defined([cond]);
        if !self.in_atomic {
            self.observe();
        }
        self.context.term(&self.scope(), cond)
    }

    fn take_branch(&mut self, stmt: &Stmt, cond: Option<Term>, text: &str) {
        self.emit.narrowed = true;
        if let Some(cond) = cond {
            self.emit.assume(cond);
            if !self.in_atomic {
                self.emit.mark(MarkKind::Statement, stmt.span, text);
            }
        }
    }

    pub(super) fn choose(&mut self, branches: &[Vec<Stmt>]) {
        let branches = branches
            .iter()
            .map(|branch| {
                self.nested(|this| {
                    this.emit.narrowed = true;
                    this.stmts(branch);
                })
            })
            .collect();
        self.emit.push(Command::Choice(branches));
        self.emit.narrowed = true;
    }

    /// `while (e) S` is `(assume e; S)*; assume !e`. The invariant is checked after the environment
    /// had its turn, so that it is true of every store in which an iteration can start.
    pub(super) fn iterate(
        &mut self,
        stmt: &Stmt,
        cond: Option<&Expr>,
        (invariants, guesses): (&[Expr], &[Expr]),
        body: &[Stmt],
    ) {
        let mut mentioned = BTreeSet::new();
        for expr in invariants.iter().chain(guesses) {
            mentions::of_expr(self.program, expr, &mut mentioned);
        }
        self.environment_step(&mentioned);
        let free = if self.in_atomic {
            Vec::new()
        } else {
            let mut touched = self.touched(stmt);
            touched.used.extend(mentioned.iter().copied());
            self.known_at_head(&touched)
        };
        let scope = self.scope();
        let mut invariants: Vec<LoopInvariant> =
            invariants.iter().map(|expr| self.loop_invariant(&scope, expr)).collect();
        for guess in guesses {
            let term = self.context.term(&scope, guess);
            invariants.extend(self.guess(term, guess.span));
        }
        invariants.extend(self.position_guesses(cond, stmt.span));
        invariants.extend(self.lock_guesses(stmt, cond));
        invariants.extend(self.reduced_loop_invariant(stmt.span));
        let (leave, next) = (self.emit.label(), self.emit.label());
        let exit = Exit { label: stmt.label, leave, next: Some(next) };
        self.frames.current().exits.push(exit);
        let iteration = self.nested(|this| {
            this.loop_condition(stmt, cond, leave);
            this.stmts(body);
        });
        self.frames.current().exits.pop();
        let one = self.nested(|this| {
            this.emit.push(Command::Block(next, iteration));
            this.environment_step(&mentioned);
        });
        let head = self.emit.marks.add(MarkKind::LoopHead, Some(stmt.span), "");
        let inner = Loop { invariants, free, head, body: one };
        self.emit.push(Command::Block(leave, vec![Command::Loop(inner)]));
        self.emit.narrowed = true;
    }

    /// The statements in order; with a label, `break` leads to their end.
    pub(super) fn block(&mut self, stmt: &Stmt, body: &[Stmt]) {
        if stmt.label.is_none() {
            return self.stmts(body);
        }
        let leave = self.emit.label();
        self.frames.current().exits.push(Exit { label: stmt.label, leave, next: None });
        let inner = self.nested(|this| this.stmts(body));
        self.frames.current().exits.pop();
        self.emit.push(Command::Block(leave, inner));
        self.emit.narrowed = true;
    }

    /// Guesses for loops that try to get a lock until they have it: `got ==> lock == tid` and `!got
    /// ==> lock != tid`, for the truth values in the loop's condition and the locks that the loop
    /// writes.
    fn lock_guesses(&mut self, stmt: &Stmt, cond: Option<&Expr>) -> Vec<LoopInvariant> {
        let mut flags = Vec::new();
        cond.iter().for_each(|cond| local_flags(cond, &mut flags));
        let locks: Vec<GlobalId> = self
            .touched(stmt)
            .written
            .into_iter()
            .filter(|id| self.program.globals[id.index()].ty == Ty::Tid)
            .collect();
        let mut guesses = Vec::new();
        for flag in flags {
            let symbol = self.root_symbol(Root::Local(flag));
            let got = self.emit.shown.get(&symbol).map(|shown| shown.name.clone());
            let got = got.unwrap_or_default();
            let flag = self.context.terms.constant(symbol);
            for lock in &locks {
                let holder = self.context.terms.constant(self.context.globals[lock.index()]);
                let held = self.context.terms.eq(holder, self.tid());
                let free = self.context.terms.not(held);
                let not_yet = self.context.terms.not(flag);
                let lock = &self.program.globals[lock.index()].name;
                let (yes, no) =
                    (format!("{got} ==> {lock} == tid"), format!("!{got} ==> {lock} != tid"));
                guesses.push((self.context.terms.implies(flag, held), yes));
                guesses.push((self.context.terms.implies(not_yet, free), no));
            }
        }
        let worded = |(term, words)| self.worded_guess(term, stmt.span, words);
        guesses.into_iter().filter_map(worded).collect()
    }

    fn loop_condition(&mut self, stmt: &Stmt, cond: Option<&Expr>, leave: gcl::BlockLabel) {
        let cond = cond.map(|cond| self.evaluate(stmt, cond));
        let go_on = self.nested(|this| this.take_branch(stmt, cond, "yes"));
        let stop = self.nested(|this| {
            let not = cond.map(|cond| this.context.terms.not(cond));
            this.take_branch(stmt, not, "no");
            this.emit.push(Command::Exit(leave));
        });
        self.emit.push(Command::Choice(vec![go_on, stop]));
        self.emit.narrowed = true;
    }

    fn loop_invariant(&mut self, scope: &Scope, expr: &Expr) -> LoopInvariant {
        let (parts, spans): (Vec<Term>, Vec<_>) =
            self.context.parts(scope, expr).into_iter().unzip();
        let entry = Obligation::new(
            Code::LoopInvariantNotEstablished,
            expr.span,
            "this loop invariant need not hold when the loop is entered",
        );
        let kept = Obligation::new(
            Code::LoopInvariantNotPreserved,
            expr.span,
            "an iteration can break this loop invariant",
        );
        let established = self.emit.obligations.id(entry, spans.clone());
        let preserved = self.emit.obligations.id(kept, spans);
        LoopInvariant { parts, established, preserved }
    }

    /// What holds at the head of a loop without being asked for: the program's invariant; and of
    /// clusters that the loop itself does not write, that only the environment changed them since
    /// the loop was entered.
    pub(super) fn known_at_head(&mut self, touched: &Touched) -> Vec<Term> {
        let mut used = touched.used.clone();
        used.extend(self.simulation_mentions());
        let relevant = self.interference.relevant(&touched.written);
        used.extend(self.interference.mentions(&relevant));
        let clusters = self.interference.environment.clusters_of(&self.with_locks(&used));
        let (written, kept): (BTreeSet<usize>, BTreeSet<usize>) =
            clusters.into_iter().partition(|&cluster| {
                !self.interference.environment.clusters[cluster]
                    .globals
                    .is_disjoint(&touched.written)
            });
        let changeable = self.interference.changeable(&kept);
        let role = format!("entry.{}", self.frames.fresh());
        let before = self.copy_globals(&changeable, &role);
        let mut facts = self.interference.facts(&mut self.context, &kept, &before);
        facts.extend(self.interference.invariant_facts(&mut self.context, &written));
        facts
    }
}

/// The truth values of the thread itself in a condition.
fn local_flags(expr: &Expr, out: &mut Vec<LocalId>) {
    match expr.kind {
        ExprKind::Var { root: Root::Local(id), primed: false } if expr.ty == Ty::Bool => {
            out.push(id);
        }
        _ => expr.children().into_iter().for_each(|child| local_flags(child, out)),
    }
}
