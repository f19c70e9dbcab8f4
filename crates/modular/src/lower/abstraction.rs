//! A call as the callee's specification (paper 2, section 4: `InlineAbs`, with locals preserved).

use super::Lowering;
use super::frames::Frame;
use super::simulation::binds;
use crate::environment::{self, Conjunct, Owner};
use crate::expr::Scope;
use crate::mentions::{self, Touched};
use diagnostic::Code;
use gcl::MarkKind;
use gcl::{Loop, LoopInvariant, Stmt as Command};
use logic::{Node, Symbol, Term};
use plato::hir::{Expr, GlobalId, Place, ProcId, Root, Spec, SpecStep, Stmt, Ty};
use source::Span;
use std::collections::BTreeSet;
use verdict::Obligation;

/// The procedure that is called.
struct Callee<'s> {
    spec: &'s Spec,
    /// What its guarantee is about.
    owner: &'s Owner,
    /// Its parameters and results.
    locals: Vec<Symbol>,
}

/// One step of the abstraction.
struct AbstractStep<'s> {
    /// What it may change.
    changes: BTreeSet<GlobalId>,
    /// What the action may change beside `modifies`.
    also: &'s [GlobalId],
    /// What it satisfies; `None` for a stuttering step.
    ensures: Option<&'s Expr>,
}

impl Lowering<'_> {
    /// `requires?; (K*; Y1); ...; (K*; Yn); K*; ensures`, each step preceded by the environment and
    /// checked like any other.
    pub(super) fn call_abstractly(
        &mut self,
        stmt: &Stmt,
        id: ProcId,
        args: &[Expr],
        results: &[Place],
    ) {
        let procedure = &self.program.procs[id.index()];
        let Some(spec) = &procedure.spec else { return };
        self.frames.uses.insert(id);
        let locals = self.activate(&procedure.body, procedure.name.as_str());
        let end = self.emit.label();
        let frame = Frame { locals, results: procedure.results.clone(), end, exits: Vec::new() };
        self.pass_arguments(stmt, &frame, &procedure.params, args);
        let callee_scope = self.scope_of(frame.locals.clone());
        self.check_requires(stmt, spec, &callee_scope);
        let mut remembered = BTreeSet::new();
        spec.ensures.iter().for_each(|e| mentions::of_expr(self.program, e, &mut remembered));
        let role = format!("call.{}", self.frames.fresh());
        let entry = self.copy_globals(&remembered, &role);
        let owner = Owner::of_procedure(self.program, id);
        let callee = Callee { spec, owner: &owner, locals: frame.locals.clone() };
        let results_of = procedure.results.iter().map(|id| frame.locals[id.index()]);
        self.while_called(results_of, |this| {
            this.abstract_steps(stmt, &callee, &spec.order);
            this.stutter(stmt, &callee);
        });
        self.environment_step(&remembered);
        for ensures in &spec.ensures {
            let scope = Scope { before: entry.clone(), ..callee_scope.clone() };
            let term = self.context.term(&scope, ensures);
            self.emit.block_unless(term);
        }
        self.take_results(stmt, &frame, results);
    }

    pub(super) fn check_requires(&mut self, stmt: &Stmt, spec: &Spec, scope: &Scope) {
        for requires in &spec.requires {
            let mut mentioned = BTreeSet::new();
            mentions::of_expr(self.program, requires, &mut mentioned);
            self.environment_step(&mentioned);
            let parts = self.context.parts(scope, requires);
            let mut about = Obligation::new(
                Code::PreconditionFailed,
                stmt.span,
                "the `requires` of the callee can be false here",
            );
            about.declared = Some(requires.span);
            self.emit.check(about, parts);
        }
    }

    /// The actions in their order, each preceded by stuttering steps.
    fn abstract_steps(&mut self, stmt: &Stmt, callee: &Callee<'_>, steps: &[SpecStep]) {
        for step in steps {
            match step {
                SpecStep::Action(index) => {
                    self.stutter(stmt, callee);
                    let action = &callee.spec.actions[*index];
                    let changes =
                        callee.spec.modifies.iter().chain(&action.modifies).copied().collect();
                    let (also, ensures) = (&action.modifies[..], Some(&action.ensures));
                    let step = AbstractStep { changes, also, ensures };
                    self.abstract_step(stmt, callee, &step);
                }
                SpecStep::Choice(branches) => {
                    let branches = branches
                        .iter()
                        .map(|branch| self.nested(|this| this.abstract_steps(stmt, callee, branch)))
                        .collect();
                    self.emit.push(Command::Choice(branches));
                }
                SpecStep::Optional(inner) => {
                    let some = self.nested(|this| this.abstract_steps(stmt, callee, inner));
                    self.emit.push(Command::Choice(vec![some, Vec::new()]));
                }
                SpecStep::Repeat(inner) => {
                    let mut touched = Touched::default();
                    self.touched_by_steps(callee, inner, &mut touched);
                    self.iterate_abstractly(stmt, callee, &touched, |this| {
                        this.abstract_steps(stmt, callee, inner);
                    });
                }
            }
        }
    }

    /// `K*`: nothing if stuttering steps change nothing, else a loop of such steps.
    fn stutter(&mut self, stmt: &Stmt, callee: &Callee<'_>) {
        let changes: BTreeSet<GlobalId> = callee.spec.modifies.iter().copied().collect();
        if changes.is_empty() {
            return;
        }
        let step = AbstractStep { changes, also: &[], ensures: None };
        let touched = self.touched_by(callee, &step);
        self.iterate_abstractly(stmt, callee, &touched, |this| {
            this.abstract_step(stmt, callee, &step);
        });
    }

    /// Any number of times what `body` writes.
    fn iterate_abstractly(
        &mut self,
        stmt: &Stmt,
        callee: &Callee<'_>,
        touched: &Touched,
        body: impl FnOnce(&mut Self),
    ) {
        let free = self.known_at_head(touched);
        let (leave, span) = (self.emit.label(), stmt.span);
        let mut invariants = self.position_guesses(None, span);
        invariants.extend(self.entry_guesses(callee, touched, span));
        let body = self.nested(|this| {
            this.emit.push(Command::Choice(vec![Vec::new(), vec![Command::Exit(leave)]]));
            body(this);
        });
        let head = self.emit.marks.add(MarkKind::LoopHead, Some(span), "");
        let inner = Loop { invariants, free, head, body };
        self.emit.push(Command::Block(leave, vec![Command::Loop(inner)]));
    }

    /// Guesses about what is still true since the first of the repeated steps, of the variables
    /// that they may change or that are connected with those: that one of them is as it was, that a
    /// number has only grown or shrunk, what is relied on from step to step, and what the callee
    /// says of its steps.
    fn entry_guesses(
        &mut self,
        callee: &Callee<'_>,
        touched: &Touched,
        span: Span,
    ) -> Vec<LoopInvariant> {
        let clusters = self.interference.environment.clusters_of(&touched.written);
        let globals: BTreeSet<GlobalId> = clusters
            .iter()
            .flat_map(|&c| self.interference.environment.clusters[c].globals.clone())
            .collect();
        let role = format!("entry.{}", self.frames.fresh());
        let before = self.copy_globals(&globals, &role);
        let mut guesses = Vec::new();
        for global in &globals {
            let now = self.context.terms.constant(self.context.globals[global.index()]);
            let entry = self.context.terms.constant(before[&Root::Global(*global)]);
            guesses.push(self.context.terms.eq(now, entry));
            if let Some((now, entry)) = self.as_numbers(*global, now, entry) {
                guesses.push(self.context.terms.le(entry, now));
                guesses.push(self.context.terms.le(now, entry));
            }
        }
        let of_callee = Scope { before: before.clone(), ..self.scope_of(callee.locals.clone()) };
        for frame in &callee.spec.frames {
            guesses.push(self.context.term(&of_callee, &frame.formula));
        }
        let scope = Scope { tid: Some(self.tid()), before, ..Scope::default() };
        for cluster in clusters {
            for formula in &self.interference.environment.clusters[cluster].relies {
                // Part by part: steps that change some of what is relied on leave the rest alone.
                for (part, _) in self.context.parts(&scope, formula) {
                    match self.context.terms.node(part) {
                        Node::And(parts) => guesses.extend(parts.iter().copied()),
                        _ => guesses.push(part),
                    }
                }
            }
        }
        guesses.into_iter().filter_map(|term| self.spare_guess(term, span)).collect()
    }

    /// Two values of a variable as numbers: themselves, or what belongs to this thread if there is
    /// one for each.
    fn as_numbers(&mut self, global: GlobalId, now: Term, entry: Term) -> Option<(Term, Term)> {
        let is_number = |ty: &Ty| matches!(ty, Ty::Int | Ty::Range(..));
        match &self.program.globals[global.index()].ty {
            ty if is_number(ty) => Some((now, entry)),
            Ty::Map(key, value) if **key == Ty::Tid && is_number(value) => {
                let (tid, terms) = (self.tid(), &mut self.context.terms);
                Some((terms.select(now, tid), terms.select(entry, tid)))
            }
            _ => None,
        }
    }

    /// One step: arbitrary new values that satisfy the action, the callee's guarantee and its
    /// invariants. The callee was checked to do nothing else; that this is all right for the caller
    /// is checked here.
    fn abstract_step(&mut self, stmt: &Stmt, callee: &Callee<'_>, step: &AbstractStep<'_>) {
        let touched = self.touched_by(callee, step);
        self.step(stmt.span, &touched, |this| {
            let before = this.copy_globals(&step.changes, "before");
            let changed = step.changes.iter().map(|id| this.context.globals[id.index()]).collect();
            this.emit.havoc(changed);
            let scope = Scope { before: before.clone(), ..this.scope_of(callee.locals.clone()) };
            let mut facts = this.frame_facts(callee, step, &scope);
            if let Some(ensures) = step.ensures {
                facts.push(this.context.term(&scope, ensures));
            }
            facts.extend(this.interference.kept(&mut this.context, callee.owner, &before));
            facts.into_iter().for_each(|fact| this.emit.block_unless(fact));
        });
    }

    /// What the callee's steps satisfy if they change what frames are about.
    fn frame_facts(
        &mut self,
        callee: &Callee<'_>,
        step: &AbstractStep<'_>,
        scope: &Scope,
    ) -> Vec<Term> {
        let mut facts = Vec::new();
        for frame in callee.spec.frames.iter().filter(|frame| binds(frame, step.also)) {
            let mut ways = vec![self.context.term(scope, &frame.formula)];
            let mut same = Vec::new();
            for global in &frame.globals {
                let now = self.context.terms.constant(self.context.globals[global.index()]);
                let before = self.context.terms.constant(scope.before[&Root::Global(*global)]);
                same.push(self.context.terms.eq(now, before));
            }
            ways.push(self.context.terms.and(same));
            facts.push(self.context.terms.or(ways));
        }
        facts
    }

    fn touched_by(&self, callee: &Callee<'_>, step: &AbstractStep<'_>) -> Touched {
        let mut used = step.changes.clone();
        if let Some(ensures) = step.ensures {
            mentions::of_expr(self.program, ensures, &mut used);
        }
        for frame in &callee.spec.frames {
            mentions::of_expr(self.program, &frame.formula, &mut used);
        }
        let relies = environment::common_relies(self.program, callee.owner);
        for Conjunct { formula, .. } in relies {
            let mentioned = mentions::globals_of(self.program, formula);
            if !mentioned.is_disjoint(&step.changes) {
                used.extend(mentioned);
            }
        }
        Touched { used, written: step.changes.clone() }
    }

    fn touched_by_steps(&self, callee: &Callee<'_>, steps: &[SpecStep], out: &mut Touched) {
        for step in steps {
            match step {
                SpecStep::Action(index) => {
                    let action = &callee.spec.actions[*index];
                    let changes =
                        callee.spec.modifies.iter().chain(&action.modifies).copied().collect();
                    let (also, ensures) = (&action.modifies[..], Some(&action.ensures));
                    let step = AbstractStep { changes, also, ensures };
                    let touched = self.touched_by(callee, &step);
                    out.used.extend(touched.used);
                    out.written.extend(touched.written);
                }
                SpecStep::Choice(branches) => {
                    branches.iter().for_each(|branch| self.touched_by_steps(callee, branch, out));
                }
                SpecStep::Optional(inner) | SpecStep::Repeat(inner) => {
                    self.touched_by_steps(callee, inner, out);
                }
            }
        }
    }
}
