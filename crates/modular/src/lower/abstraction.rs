//! A call as the callee's specification (paper 2, section 4: `InlineAbs`, with locals preserved).

use super::{Frame, Lowering};
use crate::environment::Owner;
use crate::expr::Scope;
use crate::mentions::{self, Touched};
use crate::task::{MarkKind, obligation};
use gcl::{Loop, Stmt as Command};
use logic::{Symbol, Term};
use plato::hir::{Expr, GlobalId, Place, ProcId, Root, Spec, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// One step of the abstraction.
struct AbstractStep<'s> {
    /// What it may change.
    changes: BTreeSet<GlobalId>,
    /// What it satisfies; `None` for a stuttering step.
    ensures: Option<&'s Expr>,
    /// What the callee's guarantee is about.
    owner: &'s Owner,
    /// The callee's parameters and results.
    locals: Vec<Symbol>,
}

impl Lowering<'_> {
    /// `requires?; (K*; Y1); ...; (K*; Yn); K*; ensures`, each step preceded by the environment and checked like any other.
    pub(super) fn call_abstractly(
        &mut self,
        stmt: &Stmt,
        callee: ProcId,
        args: &[Expr],
        results: &[Place],
    ) {
        let procedure = &self.program.procs[callee.index()];
        let Some(spec) = &procedure.spec else { return };
        let locals = self.activate(&procedure.body, procedure.name.as_str());
        let end = self.label();
        let frame = Frame { locals, results: procedure.results.clone(), end, loops: Vec::new() };
        self.pass_arguments(stmt, &frame, &procedure.params, args);
        let callee_scope =
            Scope { tid: Some(self.tid), locals: frame.locals.clone(), ..Scope::default() };
        self.check_requires(stmt, spec, &callee_scope);
        let mut remembered = BTreeSet::new();
        spec.ensures.iter().for_each(|e| mentions::of_expr(self.program, e, &mut remembered));
        self.copies += 1;
        let role = format!("call.{}", self.copies);
        let entry = self.copy_globals(&remembered, &role);
        let owner = Owner::of_procedure(self.program, callee);
        let stutter = AbstractStep {
            changes: spec.modifies.iter().copied().collect(),
            ensures: None,
            owner: &owner,
            locals: frame.locals.clone(),
        };
        for action in &spec.actions {
            self.stutter(stmt, &stutter);
            let changes = spec.modifies.iter().chain(&action.modifies).copied().collect();
            let step = AbstractStep {
                changes,
                ensures: Some(&action.ensures),
                owner: &owner,
                locals: frame.locals.clone(),
            };
            self.abstract_step(stmt, &step);
        }
        self.stutter(stmt, &stutter);
        self.environment_step(&remembered);
        for ensures in &spec.ensures {
            let scope = Scope { before: entry.clone(), ..callee_scope.clone() };
            let term = self.context.term(&scope, ensures);
            self.block_unless(term);
        }
        self.take_results(stmt, &frame, results);
    }

    fn check_requires(&mut self, stmt: &Stmt, spec: &Spec, scope: &Scope) {
        for requires in &spec.requires {
            let mut mentioned = BTreeSet::new();
            mentions::of_expr(self.program, requires, &mut mentioned);
            self.environment_step(&mentioned);
            let parts = self.context.parts(scope, requires);
            let mut about = obligation(
                "precondition-failed",
                stmt.span,
                "the `requires` of the callee can be false here",
            );
            about.declared = Some(requires.span);
            self.check(about, parts);
        }
    }

    /// `K*`: nothing if stuttering steps change nothing, else a loop of such steps.
    fn stutter(&mut self, stmt: &Stmt, step: &AbstractStep<'_>) {
        if step.changes.is_empty() {
            return;
        }
        let touched = self.touched_by(step);
        let free = self.known_at_head(&touched);
        let (leave, span) = (self.label(), stmt.span);
        let guesses = self.position_guesses(None, span);
        let body = self.nested(|this| {
            let stop = vec![Command::Exit(leave)];
            this.out.push(Command::Choice(vec![Vec::new(), stop]));
            this.abstract_step(stmt, step);
        });
        let head = self.marks.add(MarkKind::LoopHead, Some(span), "");
        let inner = Loop { invariants: guesses, free, head, body };
        self.out.push(Command::Block(leave, vec![Command::Loop(inner)]));
    }

    /// One step: arbitrary new values that satisfy the action, the callee's guarantee and its invariants. The callee was
    /// checked to do nothing else; that this is all right for the caller is checked here.
    fn abstract_step(&mut self, stmt: &Stmt, step: &AbstractStep<'_>) {
        let touched = self.touched_by(step);
        self.step(stmt.span, &touched, |this| {
            let before = this.copy_globals(&step.changes, "before");
            let changed = step.changes.iter().map(|id| this.context.globals[id.index()]).collect();
            this.out.push(Command::Havoc(changed));
            let mut facts = Vec::new();
            if let Some(ensures) = step.ensures {
                let scope = Scope {
                    tid: Some(this.tid),
                    locals: step.locals.clone(),
                    before: before.clone(),
                    ..Scope::default()
                };
                facts.push(this.context.term(&scope, ensures));
            }
            facts.extend(this.callee_guarantee(step.owner, &before));
            facts.into_iter().for_each(|fact| this.block_unless(fact));
        });
    }

    /// `G && I'` of the callee. `G` is assumed for the one other thread that the checks are about.
    fn callee_guarantee(&mut self, owner: &Owner, before: &BTreeMap<Root, Symbol>) -> Vec<Term> {
        let mut facts = Vec::new();
        let premise = self.is_another(&super::guarantee::Kind::Rely);
        let scope = Scope { tid: Some(self.other), before: before.clone(), ..Scope::default() };
        for formula in self.program.relies.iter().filter(|formula| owner.sees(formula.module)) {
            let parts = self.context.parts_under(premise, &scope, &formula.expr);
            facts.extend(parts.into_iter().map(|(term, _)| term));
        }
        for invariant in crate::environment::invariants(self.program, owner) {
            let parts = self.context.invariant_parts(&Scope::default(), &invariant);
            facts.extend(parts.into_iter().map(|(term, _)| term));
        }
        facts
    }

    fn touched_by(&self, step: &AbstractStep<'_>) -> Touched {
        let mut used = step.changes.clone();
        if let Some(ensures) = step.ensures {
            mentions::of_expr(self.program, ensures, &mut used);
        }
        for formula in self.program.relies.iter().filter(|formula| step.owner.sees(formula.module))
        {
            let mut mentioned = BTreeSet::new();
            mentions::of_expr(self.program, &formula.expr, &mut mentioned);
            if !mentioned.is_disjoint(&step.changes) {
                used.extend(mentioned);
            }
        }
        Touched { used, written: step.changes.clone() }
    }
}
