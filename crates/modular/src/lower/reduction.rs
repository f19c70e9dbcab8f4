//! Reduction: the body of an `atomic proc` acts like one step (Lipton 1975; for procedures with
//! specifications Freund and Qadeer 2003, which is the next step that paper 2 announces).
//!
//! Each step of the body is one of
//!
//! ```text
//! R  acquire of a lock: moves right, past later steps of other threads
//! L  release of a lock: moves left, past earlier ones
//! B  only locals, variables nobody writes, guarded variables whose lock is held: moves both ways
//! N  anything else
//! ```
//!
//! and every run through the body must read `(R|B)* N? (L|B)*`. Whether the `N` or the first `L`
//! has happened is a truth value of the run, `committed`, which is false at the start; `R` and `N`
//! are checked to happen while it is false.
//!
//! Why that is sound. `guarded by` is checked at every access anywhere in the program: `x` is read
//! or written by `t` only while `lock == t`. A lock is changed only by `acquire` and `release`, and
//! otherwise only compared with the identifier of the thread that asks ([`crate::protection`]); so
//! `t` holding it cannot be undone, brought about or noticed by another thread, and no two threads
//! access `x` without a release and an acquire between. Then a `B` of `t` and an adjacent step of
//! `u` touch different variables or only read, and commute. `acquire` by `t` followed by a step of
//! `u`: that step is not an `acquire` of the same lock (it would block) and not a successful
//! `release`; it goes wrong, or asks whether `u` holds the lock, with the same outcome before; so
//! they commute to the right. Dually for `release`.
//!
//! Take a run that goes wrong, and the first step that does, by `u`. Other threads in the middle of
//! an atomic procedure that have not committed: their steps in it are moved right, past the end of
//! the run, which removes them; `u` goes wrong just so. Those that have committed: the rest of
//! their body is added before the last step. It consists of `L` and `B`, which commute with the
//! step of `u`; it ends, because after the commitment loops and operations that can block are
//! refused; and if it goes wrong itself, that is the run to look at instead. Now every activation
//! is complete or that of `u`; moving `R` and `B` before the `N` right and the rest left puts the
//! steps of each activation together, the stores between activations being the same. In that run
//! the body is one step, and that is the run which is verified. (The same argument shows that an
//! unguarded access, if there is one, happens in such a run; so checking for it there is enough.)
//!
//! What a user should know: invariants and relies are about the stores before and after the
//! procedure, not those in between. Deadlock is not preserved and not claimed.

use super::Lowering;
use crate::mentions::{self, Touched};
use crate::protection::Protection;
use diagnostic::Code;
use gcl::LoopInvariant;
use logic::{Sort, Symbol};
use plato::hir::{Expr, GlobalId, Place, Proc, Root, Stmt, StmtKind};
use source::Span;
use std::collections::BTreeSet;
use verdict::Obligation;

/// A procedure that is being reduced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction {
    /// Whether a step was taken that cannot move right.
    committed: Symbol,
    /// The name of the procedure.
    declared: Span,
}

/// Past which steps of others a step moves.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mover {
    Right,
    Left,
    Both,
    /// Both ways, if it does not block.
    BothOrBlocks,
    /// None, because of these variables.
    Neither(BTreeSet<GlobalId>),
}

impl Lowering<'_> {
    /// The commands of `body` as one step, if every run through them can be brought together.
    pub(super) fn reduced(&mut self, procedure: &Proc, body: impl FnOnce(&mut Self)) {
        let touched = Touched::of_stmts(self.program, &procedure.body.stmts);
        self.step(procedure.span, &touched, |this| {
            let name = format!("committed.{}@", this.frames.fresh());
            let committed = this.context.terms.symbol(name, Sort::Bool);
            this.emit.variables.insert(committed, None);
            let no = this.context.terms.bool(false);
            this.emit.assign(vec![(committed, no)]);
            let reduction = Reduction { committed, declared: procedure.span };
            let outside = this.reduction.replace(reduction);
            let in_atomic = std::mem::replace(&mut this.in_atomic, true);
            body(this);
            this.in_atomic = in_atomic;
            this.reduction = outside;
        });
    }

    /// Checks that the step of the statement may stand where it does. For `if`, `while` and calls,
    /// the evaluation of their expressions is meant.
    pub(super) fn check_mover(&mut self, stmt: &Stmt) {
        if self.reduction.is_none() {
            return;
        }
        let mover = match &stmt.kind {
            StmtKind::Choose(_)
            | StmtKind::Block(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Unsupported(_) => {
                return;
            }
            StmtKind::Acquire(place) => self.lock_operation(place, Mover::Right),
            StmtKind::Release(place) => self.lock_operation(place, Mover::Left),
            StmtKind::While { cond, .. } => self.evaluation(cond.iter()),
            StmtKind::If { .. } | StmtKind::Call { .. } | StmtKind::Return(_) => {
                self.evaluation(stmt.exprs())
            }
            StmtKind::Atomic(body) => self.block_of_statements(&self.touched(stmt), body),
            StmtKind::Assume(_) | StmtKind::Action(_) => {
                self.accesses(&self.touched(stmt).used, true)
            }
            StmtKind::Skip
            | StmtKind::Assign(_)
            | StmtKind::Havoc(_)
            | StmtKind::Assert(_)
            | StmtKind::Check(..)
            | StmtKind::CasSwap { .. }
            | StmtKind::Cas { .. } => self.accesses(&self.touched(stmt).used, false),
        };
        self.place_mover(stmt.span, mover);
    }

    /// The step that writes the results of a call.
    pub(super) fn check_results_mover(&mut self, span: Span, touched: &Touched) {
        let mover = self.accesses(&touched.used, false);
        self.place_mover(span, mover);
    }

    fn place_mover(&mut self, span: Span, mover: Mover) {
        let Some(Reduction { committed, declared }) = self.reduction else { return };
        let (failed, help) = match &mover {
            Mover::Both | Mover::Left => ("", None),
            Mover::Right => ("acquires a lock after a step that other threads can see", None),
            Mover::BothOrBlocks => ("can block after a step that other threads can see", None),
            Mover::Neither(open) => {
                ("is a second step that other threads can see", Some(self.why_open(open)))
            }
        };
        if !failed.is_empty() {
            let mut about = Obligation::new(Code::NotAtomic, span, format!("this {failed}"));
            about.declared = Some(declared);
            about.help = help;
            let done = self.context.terms.constant(committed);
            let not_done = self.context.terms.not(done);
            self.emit.check(about, vec![(not_done, span)]);
        }
        if matches!(mover, Mover::Left | Mover::Neither(_)) {
            let yes = self.context.terms.bool(true);
            self.emit.assign(vec![(committed, yes)]);
        }
    }

    /// No loop runs after the commitment: it might never end, and leave others waiting for what is
    /// undone.
    pub(super) fn reduced_loop_invariant(&mut self, span: Span) -> Option<LoopInvariant> {
        let Reduction { committed, declared } = self.reduction?;
        let mut about = Obligation::new(
            Code::NotAtomic,
            span,
            "this loop can run after a step that other threads can see, and might never end",
        );
        about.declared = Some(declared);
        let [established, preserved] =
            [(); 2].map(|()| self.emit.obligations.fresh(about.clone(), vec![span]));
        let done = self.context.terms.constant(committed);
        let parts = vec![self.context.terms.not(done)];
        Some(LoopInvariant { parts, established, preserved })
    }

    fn evaluation<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Mover {
        let mut used = BTreeSet::new();
        exprs.into_iter().for_each(|expr| mentions::of_expr(self.program, expr, &mut used));
        self.accesses(&used, false)
    }

    fn lock_operation(&self, place: &Place, moves: Mover) -> Mover {
        let Root::Global(lock) = place.root else { return Mover::BothOrBlocks };
        match self.evaluation(&place.indices) {
            Mover::Neither(open) => Mover::Neither(open),
            _ if self.protection(lock) == Protection::Lock => moves,
            _ => Mover::Neither(BTreeSet::from([lock])),
        }
    }

    /// `atomic { .. }`. With operations on locks inside it moves nowhere.
    fn block_of_statements(&self, touched: &Touched, body: &[Stmt]) -> Mover {
        let is_lock = |id: &GlobalId| self.protection(*id) == Protection::Lock;
        let locks: BTreeSet<GlobalId> = touched.written.iter().copied().filter(is_lock).collect();
        match self.accesses(&touched.used, may_block(body)) {
            Mover::Neither(open) => Mover::Neither(open),
            _ if !locks.is_empty() => Mover::Neither(locks),
            mover => mover,
        }
    }

    /// An access to these variables. That locks are held is checked elsewhere.
    fn accesses(&self, used: &BTreeSet<GlobalId>, may_block: bool) -> Mover {
        let open: BTreeSet<GlobalId> =
            used.iter().copied().filter(|&id| self.protection(id) == Protection::Open).collect();
        match (open.is_empty(), may_block) {
            (false, _) => Mover::Neither(open),
            (true, true) => Mover::BothOrBlocks,
            (true, false) => Mover::Both,
        }
    }

    fn protection(&self, id: GlobalId) -> Protection {
        self.facts.protections[id.index()]
    }

    fn why_open(&self, open: &BTreeSet<GlobalId>) -> String {
        let Some(first) = open.first() else { return String::new() };
        let global = &self.program.globals[first.index()];
        let is_lock =
            self.program.globals.iter().any(|g| g.guard.is_some_and(|g| g.lock == *first));
        match global.guard {
            Some(guard) => format!(
                "`{}` is guarded by `{}`, which is not used as a lock only: other code than \
                 `acquire`, `release` and comparisons with `tid` reads or writes it",
                global.name,
                self.program.globals[guard.lock.index()].name
            ),
            None if self.protection(*first) == Protection::Lock => {
                format!("`{}` is acquired or released inside a larger step", global.name)
            }
            None if is_lock => format!(
                "`{}` is not used as a lock only: other code than `acquire`, `release` and \
                 comparisons with `tid` reads or writes it",
                global.name
            ),
            None => format!(
                "other threads may access `{}` at any time; if a mutex protects it, say so where \
                 it is declared: `guarded by` and the mutex",
                global.name
            ),
        }
    }
}

/// Whether a run of these statements may not get to their end.
fn may_block(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::Assume(_)
                | StmtKind::Acquire(_)
                | StmtKind::Action(_)
                | StmtKind::While { .. }
                | StmtKind::Call { .. }
        ) || stmt.blocks().into_iter().any(may_block)
    })
}
