//! Threads that run when they are forked, and joins.
//!
//! A thread `T` with parameters has shared variables that only the language writes: the sets
//! `T.started` and `T.ended`, and for each parameter and result `x` a map `T.x` from the thread to
//! its value. The code of the thread becomes
//!
//! ```text
//! atomic { assume tid in T.started; x := T.x[tid]; }
//! { ... return e;  ~~>  r := e; break; ... }
//! atomic { T.r[tid] := r; T.ended := T.ended + {tid}; }
//! ```
//!
//! What is written with `requires` and `ensures` becomes invariants about all threads that were
//! started, or have ended. That threads stay started and ended, with their values, is relied on,
//! and by a thread that is the only one to fork some, that nobody else starts them. All of these
//! are checked like any that is written, although they hold by the way the variables are written.

use super::collect::Declarations;
use super::scope::Context;
use super::terms::{
    all_of, assign, both, bound, element, for_all, member, not, step, tid, variable, with,
};
use super::{Owner, Resolver};
use crate::ast::{self, Ident};
use crate::hir::{
    self, BinaryOp, BoundId, Count, Expr, ExprKind, Formula, GlobalId, LabelId, LocalId, ModuleId,
    Place, Pred, PredId, ProcId, Root, Stmt, StmtKind, ThreadId, Ty,
};
use source::{Name, Span};
use std::collections::BTreeSet;

/// The variables of a thread that runs when it is forked.
#[derive(Clone)]
pub(super) struct Forked {
    pub(super) started: GlobalId,
    pub(super) ended: GlobalId,
    /// By parameter, then by result.
    values: Vec<GlobalId>,
    params: usize,
    /// The types of parameters and results.
    types: Vec<Option<Ty>>,
}

impl Forked {
    pub(super) fn params(&self) -> &[GlobalId] {
        &self.values[..self.params]
    }

    pub(super) fn results(&self) -> &[GlobalId] {
        &self.values[self.params..]
    }

    pub(super) fn param_types(&self) -> &[Option<Ty>] {
        &self.types[..self.params]
    }

    pub(super) fn result_types(&self) -> &[Option<Ty>] {
        &self.types[self.params..]
    }
}

impl Resolver {
    /// Declares the variables of a thread, if it is one that is forked.
    pub(super) fn collect_forked(&mut self, module: Option<ModuleId>, thread: &ast::Thread) {
        let Some(forked) = &thread.forked else { return self.forked.push(None) };
        let own = |name: &str| Ident { name: Name::from(name), span: thread.name.span };
        let started = self.collect_own(module, thread, &own("started"));
        let ended = self.collect_own(module, thread, &own("ended"));
        let mut values = Vec::new();
        let mut names = vec![own("started"), own("ended")];
        for param in forked.params.iter().chain(&forked.results) {
            let name = &param.name;
            if let Some(first) = names.iter().find(|other| other.name == name.name) {
                let first = first.span;
                self.duplicate(name, first);
            }
            names.push(name.clone());
            self.local_names.entry(name.name.clone()).or_insert(name.span);
            values.push(self.collect_own(module, thread, name));
        }
        let params = forked.params.len();
        self.forked.push(Some(Forked { started, ended, values, params, types: Vec::new() }));
    }

    fn collect_own(
        &mut self,
        module: Option<ModuleId>,
        thread: &ast::Thread,
        part: &Ident,
    ) -> GlobalId {
        let id = GlobalId::from_index(self.program.globals.len());
        let thread = self.full_name(module, &thread.name);
        let name = Name::from(format!("{thread}.{}", part.name));
        let (ty, span) = (Ty::Set(Box::new(Ty::Tid)), part.span);
        self.program.globals.push(hir::Global {
            name,
            ty: ty.clone(),
            is_sync: true,
            guard: None,
            module,
            span,
        });
        self.global_types.push(Some(ty));
        self.own_variables.insert(id);
        id
    }

    /// The part of a thread that a name stands for: `T.started`, `T.x`.
    pub(super) fn part_of_thread(&self, thread: ThreadId, name: &Name) -> Option<GlobalId> {
        let forked = self.forked[thread.index()].as_ref()?;
        let all = [forked.started, forked.ended].into_iter().chain(forked.values.iter().copied());
        let whole = format!("{}.{name}", self.program.threads[thread.index()].name);
        all.into_iter().find(|id| self.program.globals[id.index()].name.as_str() == whole)
    }

    /// The types of parameters and results.
    pub(super) fn forked_types(&mut self, declarations: &Declarations<'_>) {
        for (at, &(module, thread)) in declarations.threads.iter().enumerate() {
            let Some(forked) = &thread.forked else { continue };
            let context = Context { module, ..Context::default() };
            let types = self.within(context, |r| {
                [r.param_types(&forked.params), r.param_types(&forked.results)].concat()
            });
            let Some(variables) = &mut self.forked[at] else { continue };
            variables.types.clone_from(&types);
            for (id, ty) in variables.values.iter().zip(types) {
                let map = ty.map(|ty| Ty::Map(Box::new(Ty::Tid), Box::new(ty)));
                if let Some(map) = &map {
                    self.program.globals[id.index()].ty = map.clone();
                }
                self.global_types[id.index()] = map;
            }
        }
    }

    /// What holds of the variables: nobody has started or ended at the beginning; threads stay
    /// started and ended, with their values; and what is written of them.
    pub(super) fn forked_formulas(&mut self, declarations: &Declarations<'_>) {
        for (at, &(module, thread)) in declarations.threads.iter().enumerate() {
            let (Some(written), Some(variables)) = (&thread.forked, self.forked[at].take()) else {
                continue;
            };
            let span = thread.name.span;
            for id in [variables.started, variables.ended] {
                let (kind, ty) = (ExprKind::Set(Vec::new()), Ty::Set(Box::new(Ty::Tid)));
                self.push_initial(module, id, &thread.name, Expr { kind, ty, span });
            }
            for &id in &variables.values {
                let ty = self.program.globals[id.index()].ty.clone();
                if let Some(value) = first_value(&ty, span) {
                    self.push_initial(module, id, &thread.name, value);
                }
            }
            self.forked_relies(module, &variables, span);
            self.contracts(module, written, &variables);
            self.forked[at] = Some(variables);
        }
    }

    fn forked_relies(&mut self, module: Option<ModuleId>, variables: &Forked, span: Span) {
        let of = [
            (variables.started, variables.params().to_vec()),
            (variables.ended, variables.results().to_vec()),
        ];
        for (set, values) in of {
            let id = self.any_thread(span);
            let thread = || bound(id, Ty::Tid, span);
            let mut kept = vec![member(thread(), self.shared_after(set, span))];
            for value in values {
                let old = element(self.shared(value, span), thread());
                let new = element(self.shared_after(value, span), thread());
                kept.push(both(BinaryOp::Eq, new, old));
            }
            let is_in = member(thread(), self.shared(set, span));
            let expr = for_all(id, is_in, all_of(kept, span));
            self.program.relies.push(Formula { name: None, expr, module, is_written: false, span });
        }
        // Nobody but a thread itself ends it.
        let is_running = not(member(tid(span), self.shared(variables.ended, span)));
        let goes_on = not(member(tid(span), self.shared_after(variables.ended, span)));
        let expr = both(BinaryOp::Implies, is_running, goes_on);
        self.program.relies.push(Formula { name: None, expr, module, is_written: false, span });
        let id = self.any_thread(span);
        let thread = || bound(id, Ty::Tid, span);
        let [started, ended] = [variables.started, variables.ended]
            .map(|set| member(thread(), self.shared(set, span)));
        let expr = for_all(id, ended, started);
        self.program.invariants.push(Formula { name: None, expr, module, is_written: false, span });
    }

    /// `requires` holds of all threads that have started, `ensures` of all that have ended.
    fn contracts(&mut self, module: Option<ModuleId>, written: &ast::Forked, of: &Forked) {
        let all = [written.params.clone(), written.results.clone()].concat();
        for formula in &written.requires {
            self.contract(module, (&all[..of.params], of.started), formula, of);
        }
        for formula in &written.ensures {
            self.contract(module, (&all, of.ended), formula, of);
        }
    }

    /// `forall t :: t in set ==> formula`, which is about the values of `t`.
    fn contract(
        &mut self,
        module: Option<ModuleId>,
        (names, set): (&[ast::Param], GlobalId),
        written: &ast::Expr,
        of: &Forked,
    ) {
        let context = Context { module, place: "a contract of a thread", ..Context::default() };
        let body = self.within(context, |r| {
            let mark = r.scope.enter();
            let ids = r.bind_params(names, &of.types);
            let body = r.check(written, &Ty::Bool);
            r.scope.leave(mark);
            body.map(|body| (ids, body))
        });
        let (Some((params, body)), span) = (body, written.span) else { return };
        let pred = PredId::from_index(self.program.preds.len());
        let name = Name::from("contract");
        self.program.preds.push(Pred { name, params, ty: Ty::Bool, body, two_store: false, span });
        self.pred_facts.push(super::PredFacts::default());
        let id = self.any_thread(span);
        let thread = || bound(id, Ty::Tid, span);
        let value = |&value: &GlobalId| element(self.shared(value, span), thread());
        let args = of.values[..names.len()].iter().map(value).collect();
        let holds = Expr { kind: ExprKind::Pred { pred, args, primed: false }, ty: Ty::Bool, span };
        let expr = for_all(id, member(thread(), self.shared(set, span)), holds);
        self.program.invariants.push(Formula { name: None, expr, module, is_written: true, span });
    }

    pub(super) fn any_thread(&mut self, span: Span) -> BoundId {
        let id = BoundId::from_index(self.program.bounds.len());
        self.program.bounds.push(hir::Binder { name: Name::from("t"), ty: Ty::Tid, span });
        id
    }

    pub(super) fn shared(&self, id: GlobalId, span: Span) -> Expr {
        variable(id, &self.program.globals[id.index()].ty, false, span)
    }

    fn shared_after(&self, id: GlobalId, span: Span) -> Expr {
        variable(id, &self.program.globals[id.index()].ty, true, span)
    }

    /// The place of this thread in a map.
    pub(super) fn place_in(&self, map: GlobalId, thread: Expr) -> Place {
        let span = thread.span;
        let ty = match &self.program.globals[map.index()].ty {
            Ty::Map(_, value) => (**value).clone(),
            other => other.clone(),
        };
        Place { root: Root::Global(map), indices: vec![thread], ty, span }
    }

    /// `set := set + {thread}`
    pub(super) fn put_into(&self, set: GlobalId, thread: Expr) -> (Place, Expr) {
        let span = thread.span;
        let ty = self.program.globals[set.index()].ty.clone();
        let place = Place { root: Root::Global(set), indices: Vec::new(), ty, span };
        (place, with(self.shared(set, span), thread))
    }

    /// The code of a thread, which may wait to be forked.
    pub(super) fn thread_body(&mut self, id: ThreadId, thread: &ast::Thread) -> Vec<Stmt> {
        let Some(of) = self.forked[id.index()].clone() else { return self.block(&thread.body) };
        let span = thread.name.span;
        let names = thread.forked.iter().flat_map(|f| f.params.iter().chain(&f.results));
        let locals: Vec<LocalId> = names
            .zip(&of.types)
            .map(|(param, ty)| self.bind_local(&param.name, ty.clone()))
            .collect();
        let local = |r: &Self, id: LocalId| Place {
            root: Root::Local(id),
            indices: Vec::new(),
            ty: r.scope.locals[id.index()].ty.clone(),
            span,
        };
        let was_forked = member(tid(span), self.shared(of.started, span));
        let mut begin = vec![step(StmtKind::Assume(was_forked), span)];
        let mut end = Vec::new();
        for (&variable, &own) in of.values.iter().zip(&locals) {
            let (shared, own) = (self.place_in(variable, tid(span)), local(self, own));
            if begin.len() <= of.params {
                let value = self.value_at(&shared);
                begin.push(assign(own, value, span));
            } else {
                let value = self.value_at(&own);
                end.push((shared, value));
            }
        }
        end.push(self.put_into(of.ended, tid(span)));
        let leave = LabelId::from_index(self.program.labels.len());
        self.program.labels.push(hir::Label { name: Name::from("the end of the thread"), span });
        self.scope.results = of.result_types().to_vec();
        self.scope.returns = Some((leave, locals[of.params..].to_vec()));
        let body = self.block(&thread.body);
        let body = Stmt { label: Some(leave), ..step(StmtKind::Block(body), thread.body.span) };
        let end = step(StmtKind::Assign(end), span);
        vec![step(StmtKind::Atomic(begin), span), body, step(StmtKind::Atomic(vec![end]), span)]
    }

    /// `return e` of a thread that was forked: the results are written, and the end is next.
    pub(super) fn return_of_thread(&self, values: Vec<Expr>, span: Span) -> Option<StmtKind> {
        let (label, results) = self.scope.returns.clone()?;
        let place = |id: LocalId| {
            let ty = self.scope.locals[id.index()].ty.clone();
            Place { root: Root::Local(id), indices: Vec::new(), ty, span }
        };
        let written: Vec<(Place, Expr)> = results.into_iter().map(place).zip(values).collect();
        let mut stmts = Vec::new();
        if !written.is_empty() {
            stmts.push(step(StmtKind::Assign(written), span));
        }
        stmts.push(step(StmtKind::Break(Some(label)), span));
        Some(StmtKind::Block(stmts))
    }

    /// If only one thread forks those of a kind, it may rely on that.
    pub(super) fn rely_on_sole_forkers(&mut self) {
        for at in 0..self.forked.len() {
            let (Some(of), Some(forker)) = (&self.forked[at], self.sole_forker(at)) else {
                continue;
            };
            let span = self.program.threads[at].span;
            let module = self.program.globals[of.started.index()].module;
            let forker = Expr { kind: ExprKind::Thread(forker), ty: Ty::Tid, span };
            let is_forker = both(BinaryOp::Eq, tid(span), forker);
            let written = [of.started].into_iter().chain(of.params().iter().copied());
            let same = |id| both(BinaryOp::Eq, self.shared_after(id, span), self.shared(id, span));
            let kept = all_of(written.map(same).collect(), span);
            let expr = both(BinaryOp::Implies, is_forker, kept);
            self.program.relies.push(Formula { name: None, expr, module, is_written: false, span });
        }
    }

    /// The one thread that forks those of this kind, itself or in a procedure that stands for its
    /// calls.
    fn sole_forker(&self, forked: usize) -> Option<ThreadId> {
        let forks = self.forks.iter().filter(|(id, _)| id.index() == forked);
        let owners: Vec<Owner> = forks.map(|&(_, owner)| owner).collect();
        let is_specified = |owner: &Owner| match owner {
            Owner::Proc(id) => self.program.procs[id.index()].spec.is_some(),
            Owner::Thread(_) => false,
        };
        // A procedure with a specification may be called by anybody.
        if owners.iter().any(is_specified) {
            return None;
        }
        let forks = |id: &ThreadId| {
            let mut called = BTreeSet::new();
            self.procs_of(&self.program.threads[id.index()].body.stmts, &mut called);
            owners.iter().any(|owner| match owner {
                Owner::Thread(other) => other == id,
                Owner::Proc(other) => called.contains(other),
            })
        };
        let mut forkers = self.program.thread_ids().filter(forks);
        let only = forkers.next().filter(|_| forkers.next().is_none())?;
        (self.program.threads[only.index()].count == Count::One).then_some(only)
    }

    /// The procedures that code may get to.
    fn procs_of(&self, stmts: &[Stmt], into: &mut BTreeSet<ProcId>) {
        for stmt in stmts {
            if let StmtKind::Call { callee, .. } = stmt.kind
                && into.insert(callee)
            {
                self.procs_of(&self.program.procs[callee.index()].body.stmts, into);
            }
            stmt.blocks().into_iter().for_each(|block| self.procs_of(block, into));
        }
    }
}

/// A value of the type, the same for all variables: nothing is read before it is written. There is
/// none of an uninterpreted type.
fn first_value(ty: &Ty, span: Span) -> Option<Expr> {
    let kind = match ty {
        Ty::Bool => ExprKind::Bool(false),
        Ty::Int => ExprKind::Int(0),
        Ty::Range(low, _) => ExprKind::Int(*low),
        Ty::Enum(id) => ExprKind::Variant(*id, 0),
        Ty::Tid => ExprKind::Nobody,
        Ty::Set(_) => ExprKind::Set(Vec::new()),
        Ty::Map(_, value) => ExprKind::ConstMap(Box::new(first_value(value, span)?)),
        Ty::Opaque(_) => return None,
    };
    Some(Expr { kind, ty: ty.clone(), span })
}
