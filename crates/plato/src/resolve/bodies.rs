//! Threads and procedures.

use super::collect::Declarations;
use super::scope::{Context, Scope, Stores};
use super::{Owner, Resolver};
use crate::ast::{self, Clause, ClauseKind, Ident};
use crate::hir::{
    self, ActionSpec, Body, Frame, LocalId, ModuleId, ProcId, Spec, SpecStep, ThreadId, Ty,
};

impl Resolver {
    pub(super) fn threads(&mut self, declarations: &Declarations<'_>) {
        for (at, &(module, thread)) in declarations.threads.iter().enumerate() {
            let rely = Context {
                module,
                stores: Stores::Two,
                tid: true,
                place: "a thread's rely",
                ..Context::default()
            };
            let relies: Vec<hir::Formula> =
                self.within(rely, |r| thread.relies.iter().filter_map(|f| r.formula(f)).collect());
            self.scope = Scope::of(Owner::Thread(ThreadId::from_index(at)), Vec::new());
            let id = ThreadId::from_index(at);
            let stmts = self.within(code(module), |r| r.thread_body(id, thread));
            let locals = std::mem::take(&mut self.scope).locals;
            let entry = &mut self.program.threads[at];
            entry.relies = relies;
            entry.body = Body { locals, stmts };
        }
    }

    pub(super) fn procs(&mut self, declarations: &Declarations<'_>) {
        for (at, &(module, proc)) in declarations.procs.iter().enumerate() {
            let results = self.signatures[at].results.clone();
            self.scope = Scope::of(Owner::Proc(ProcId::from_index(at)), results);
            self.within(code(module), |r| r.proc(at, proc));
            self.scope = Scope::default();
        }
    }

    fn proc(&mut self, at: usize, proc: &ast::Proc) {
        let params = self.signatures[at].params.clone();
        let results = self.signatures[at].results.clone();
        let params = self.bind_locals(proc.params.iter().map(|param| &param.name).zip(params));
        // The precondition cannot mention results, so it is resolved before they are bound.
        let mut spec = self.spec_of_entry(&proc.spec);
        let results = self.bind_locals(proc.results.iter().map(|param| &param.name).zip(results));
        self.spec_of_exit(&proc.spec, spec.as_mut());
        self.scope.reduced = proc.is_atomic;
        let stmts = self.block(&proc.body);
        let locals = std::mem::take(&mut self.scope.locals);
        let entry = &mut self.program.procs[at];
        entry.params = params;
        entry.results = results;
        entry.spec = spec;
        entry.body = Body { locals, stmts };
    }

    fn bind_locals<'a>(
        &mut self,
        locals: impl Iterator<Item = (&'a Ident, Option<Ty>)>,
    ) -> Vec<LocalId> {
        locals.map(|(name, ty)| self.bind_local(name, ty)).collect()
    }

    fn spec_of_entry(&mut self, clauses: &[Clause]) -> Option<Spec> {
        let span = clauses.first()?.span.to(clauses.last()?.span);
        let mut spec = Spec {
            requires: Vec::new(),
            modifies: Vec::new(),
            frames: Vec::new(),
            actions: Vec::new(),
            order: Vec::new(),
            ensures: Vec::new(),
            span,
        };
        let entry = Context { place: "a `requires`", ..self.context };
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Requires(expr) => {
                    spec.requires.extend(self.within(entry, |r| r.check(expr, &Ty::Bool)));
                }
                ClauseKind::Modifies(paths, _) => {
                    for id in self.globals(paths).unwrap_or_default() {
                        if !spec.modifies.contains(&id) {
                            spec.modifies.push(id);
                        }
                    }
                }
                ClauseKind::Action(..)
                | ClauseKind::Ensures(_)
                | ClauseKind::Choose(_)
                | ClauseKind::Optional(_)
                | ClauseKind::Repeat(_) => {}
            }
        }
        Some(spec)
    }

    fn spec_of_exit(&mut self, clauses: &[Clause], spec: Option<&mut Spec>) {
        let Some(spec) = spec else { return };
        let context = Context { stores: Stores::Two, place: "a specification", ..self.context };
        self.within(context, |r| {
            for clause in clauses {
                match &clause.kind {
                    ClauseKind::Ensures(expr) => spec.ensures.extend(r.check(expr, &Ty::Bool)),
                    ClauseKind::Modifies(paths, Some(frame)) => {
                        let globals = r.globals(paths).unwrap_or_default();
                        let formula = r.check(frame, &Ty::Bool);
                        spec.frames.extend(formula.map(|formula| Frame { globals, formula }));
                    }
                    _ => {}
                }
            }
            spec.order = r.spec_steps(clauses, &mut spec.actions);
        });
    }

    /// The steps of the clauses; each action is added to the list.
    fn spec_steps(&mut self, clauses: &[Clause], actions: &mut Vec<ActionSpec>) -> Vec<SpecStep> {
        let mut steps = Vec::new();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Action(name, paths, expr) => {
                    let modifies = self.globals(paths).unwrap_or_default();
                    if let Some(ensures) = self.check(expr, &Ty::Bool) {
                        steps.push(SpecStep::Action(actions.len()));
                        if let Some(name) = name {
                            self.name_action(name, actions.len());
                        }
                        let name = name.as_ref().map(|name| name.name.clone());
                        actions.push(ActionSpec { name, modifies, ensures, span: clause.span });
                    }
                }
                ClauseKind::Choose(branches) => {
                    let branches =
                        branches.iter().map(|branch| self.spec_steps(branch, actions)).collect();
                    steps.push(SpecStep::Choice(branches));
                }
                ClauseKind::Optional(inner) => {
                    steps.push(SpecStep::Optional(self.spec_steps(inner, actions)));
                }
                ClauseKind::Repeat(inner) => {
                    steps.push(SpecStep::Repeat(self.spec_steps(inner, actions)));
                }
                ClauseKind::Requires(_) | ClauseKind::Modifies(..) | ClauseKind::Ensures(_) => {}
            }
        }
        steps
    }
}

/// The context of statements.
fn code(module: Option<ModuleId>) -> Context {
    Context { module, tid: true, in_code: true, place: "a statement", ..Context::default() }
}
