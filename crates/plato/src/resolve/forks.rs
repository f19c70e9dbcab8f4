//! Threads that run when they are forked, and joins.
//!
//! A thread `T` with parameters has shared variables that only the language writes: the sets
//! `T.started` and `T.ended`, and for each parameter and result `x` a map `T.x` from the thread to
//! its value, or for a single thread the value itself. The code of the thread becomes
//!
//! ```text
//! atomic { assume tid in T.started; x := T.x[tid]; }
//! { ... return e;  ~~>  r := e; break; ... }
//! atomic { T.r[tid] := r; T.ended := T.ended + {tid}; }
//! ```
//!
//! What is written with `requires` and `ensures` becomes invariants about all threads that were
//! started, or have ended. That threads stay started and ended, with their values, is relied on, and
//! by a thread that is the only one to fork some, that nobody else starts them.
//! All of these are checked like any that is written, although they hold by the way the variables
//! are written.

use super::assigns::path_text;
use super::collect::Declarations;
use super::scope::Context;
use super::symbols::Symbol;
use super::terms::{
    all_of, assign, both, bound, element, for_all, member, not, step, tid, variable, with,
};
use super::{Owner, Resolver, counted, fault};
use crate::ast::{self, Ident};
use crate::hir::{
    self, BinaryOp, BoundId, Count, Expr, ExprKind, Formula, GlobalId, LabelId, LocalId, ModuleId,
    Place, Pred, PredId, ProcId, Quantifier, Root, Stmt, StmtKind, ThreadId, Ty,
};
use diagnostic::Code;
use source::{Name, Span};
use std::collections::BTreeSet;

/// The variables of a thread that runs when it is forked.
pub(super) struct Forked {
    started: GlobalId,
    ended: GlobalId,
    /// By parameter, then by result.
    values: Vec<GlobalId>,
    params: usize,
    /// The types of parameters and results.
    types: Vec<Option<Ty>>,
}

impl Forked {
    fn params(&self) -> &[GlobalId] {
        &self.values[..self.params]
    }

    fn results(&self) -> &[GlobalId] {
        &self.values[self.params..]
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
            self.program.relies.push(Formula { name: None, expr, module, span });
        }
        // Nobody but a thread itself ends it.
        let is_running = not(member(tid(span), self.shared(variables.ended, span)));
        let goes_on = not(member(tid(span), self.shared_after(variables.ended, span)));
        let expr = both(BinaryOp::Implies, is_running, goes_on);
        self.program.relies.push(Formula { name: None, expr, module, span });
        let id = self.any_thread(span);
        let thread = || bound(id, Ty::Tid, span);
        let [started, ended] = [variables.started, variables.ended]
            .map(|set| member(thread(), self.shared(set, span)));
        let expr = for_all(id, ended, started);
        self.program.invariants.push(Formula { name: None, expr, module, span });
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
        self.program.invariants.push(Formula { name: None, expr, module, span });
    }

    fn any_thread(&mut self, span: Span) -> BoundId {
        let id = BoundId::from_index(self.program.bounds.len());
        self.program.bounds.push(hir::Binder { name: Name::from("t"), ty: Ty::Tid, span });
        id
    }

    fn shared(&self, id: GlobalId, span: Span) -> Expr {
        variable(id, &self.program.globals[id.index()].ty, false, span)
    }

    fn shared_after(&self, id: GlobalId, span: Span) -> Expr {
        variable(id, &self.program.globals[id.index()].ty, true, span)
    }

    /// The place of this thread in a map.
    fn place_in(&self, map: GlobalId, thread: Expr) -> Place {
        let span = thread.span;
        let ty = match &self.program.globals[map.index()].ty {
            Ty::Map(_, value) => (**value).clone(),
            other => other.clone(),
        };
        Place { root: Root::Global(map), indices: vec![thread], ty, span }
    }

    /// `set := set + {thread}`
    fn put_into(&self, set: GlobalId, thread: Expr) -> (Place, Expr) {
        let span = thread.span;
        let ty = self.program.globals[set.index()].ty.clone();
        let place = Place { root: Root::Global(set), indices: Vec::new(), ty, span };
        (place, with(self.shared(set, span), thread))
    }

    /// The code of a thread, which may wait to be forked.
    pub(super) fn thread_body(&mut self, id: ThreadId, thread: &ast::Thread) -> Vec<Stmt> {
        let Some(of) = self.forked[id.index()].take() else { return self.block(&thread.body) };
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
        self.forked[id.index()] = Some(of);
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

    /// `fork T(a)` starts a thread of `T` that was not started before:
    ///
    /// ```text
    /// atomic { havoc t; assume t in T && !(t in T.started); T.x[t], T.started := a, T.started + {t}; }
    /// ```
    ///
    /// It goes wrong if there is none.
    pub(super) fn fork(&mut self, fork: &ast::Fork, result: Option<Place>) -> Option<StmtKind> {
        let span = fork.span;
        let id = self.forked_thread(&fork.thread)?;
        self.forks.extend(self.scope.owner.map(|owner| (id, owner)));
        let of = self.forked[id.index()].as_ref()?;
        let (started, params) = (of.started, of.params().to_vec());
        let types = of.types[..of.params].to_vec();
        let name = path_text(&fork.thread);
        let declared = self.program.threads[id.index()].span;
        let args = self.args(&fork.args, &types, (span, &name, declared));
        if let Some(place) = result.as_ref().filter(|place| place.ty != Ty::Tid) {
            self.mismatch(span, &Ty::Tid, &place.ty);
            return None;
        }
        let count = self.program.threads[id.index()].count;
        let mut stmts = Vec::new();
        let idle = |r: &Self, thread: Expr| not(member(thread, r.shared(started, span)));
        let thread = if count == Count::One {
            let thread = Expr { kind: ExprKind::Thread(id), ty: Ty::Tid, span };
            let failed = format!("`{name}` may have been forked before");
            stmts.push(no_such_thread(idle(self, thread.clone()), failed, declared));
            thread
        } else {
            let family = Expr { kind: ExprKind::Thread(id), ty: Ty::Set(Box::new(Ty::Tid)), span };
            let is_free = |r: &Self, thread: Expr| {
                all_of(vec![member(thread.clone(), family.clone()), idle(r, thread)], span)
            };
            if count != Count::Any {
                let any = self.any_thread(span);
                let body = Box::new(is_free(self, bound(any, Ty::Tid, span)));
                let kind = ExprKind::Quantified(Quantifier::Exists, vec![any], body);
                let failed = format!("all threads of `{name}` may have been forked before");
                let some = Expr { kind, ty: Ty::Bool, span };
                stmts.push(no_such_thread(some, failed, declared));
            }
            let forked = self.unnamed_local(Ty::Tid, span);
            let thread = self.value_at(&forked);
            stmts.push(step(StmtKind::Havoc(vec![forked]), span));
            stmts.push(step(StmtKind::Assume(is_free(self, thread.clone())), span));
            thread
        };
        let mut written: Vec<(Place, Expr)> =
            params.iter().map(|&map| self.place_in(map, thread.clone())).zip(args?).collect();
        written.push(self.put_into(started, thread.clone()));
        stmts.push(step(StmtKind::Assign(written), span));
        stmts.extend(result.map(|place| assign(place, thread, span)));
        Some(self.one_step(stmts))
    }

    /// `x := join T t`:
    ///
    /// ```text
    /// atomic { assert t in T.started; assume t in T.ended; x := T.r[t]; }
    /// ```
    pub(super) fn join(&mut self, join: &ast::Join, results: Vec<Place>) -> Option<StmtKind> {
        let span = join.span;
        let id = self.forked_thread(&join.thread)?;
        let of = self.forked[id.index()].as_ref()?;
        let (started, ended) = (of.started, of.ended);
        let (values, types) = (of.results().to_vec(), of.result_types().to_vec());
        let name = path_text(&join.thread);
        let declared = self.program.threads[id.index()].span;
        let is_one = self.program.threads[id.index()].count == Count::One;
        let thread = match &join.which {
            Some(which) if !is_one => self.check(which, &Ty::Tid),
            None if is_one => Some(Expr { kind: ExprKind::Thread(id), ty: Ty::Tid, span }),
            Some(which) => {
                let error = fault(Code::WrongArgumentCount, which.span, "which thread is plain")
                    .at(format!("there is only one `{name}`"))
                    .help(format!("write `join {name};`"));
                self.report(error);
                None
            }
            None => {
                let error = fault(Code::WrongArgumentCount, span, "which thread is joined?")
                    .at(format!("there are several of `{name}`"))
                    .help(format!("keep what `fork` gives, `t := fork {name}(..);`, and write `join {name} t;`"));
                self.report(error);
                None
            }
        };
        if !results.is_empty() && results.len() != values.len() {
            let (wanted, given) =
                (counted(results.len(), "variable"), counted(values.len(), "result"));
            let message = format!("{wanted} for {given} of `{name}`");
            let error = fault(Code::WrongArgumentCount, span, message)
                .at("take all results or none")
                .label(declared, "declared here");
            self.report(error);
            return None;
        }
        for (place, ty) in results.iter().zip(&types) {
            let ty = ty.as_ref()?;
            if !super::types::compatible(ty, &place.ty) {
                self.mismatch(span, ty, &place.ty);
                return None;
            }
        }
        self.distinct(&results)?;
        let thread = thread?;
        let is_started = member(thread.clone(), self.shared(started, span));
        let failed = format!("this may be no thread of `{name}` that was forked");
        let mut stmts = vec![
            no_such_thread(is_started, failed, declared),
            step(StmtKind::Assume(member(thread.clone(), self.shared(ended, span))), span),
        ];
        let value = |&map: &GlobalId| element(self.shared(map, span), thread.clone());
        let pairs: Vec<(Place, Expr)> = results.into_iter().zip(values.iter().map(value)).collect();
        if !pairs.is_empty() {
            stmts.push(step(StmtKind::Assign(pairs), span));
        }
        Some(self.one_step(stmts))
    }

    /// The types of what a join of this thread gives; none if it is no thread that is forked.
    pub(super) fn joined_types(&self, path: &ast::Path) -> Vec<Option<Ty>> {
        let Some(Symbol::Thread(id)) = self.find(path) else { return Vec::new() };
        let of = self.forked[id.index()].as_ref();
        of.map(|of| of.result_types().to_vec()).unwrap_or_default()
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
            self.program.relies.push(Formula { name: None, expr, module, span });
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

    fn forked_thread(&mut self, path: &ast::Path) -> Option<ThreadId> {
        let symbol = self.lookup(path)?;
        let Symbol::Thread(id) = symbol else {
            let error = fault(Code::TypeMismatch, path.span, "expected a thread")
                .at(format!("{}, not a thread", symbol.describe()));
            self.report(error);
            return None;
        };
        if self.forked[id.index()].is_none() {
            let name = &self.program.threads[id.index()].name;
            let error =
                fault(Code::TypeMismatch, path.span, format!("`{name}` runs from the beginning"))
                    .at("not a thread that is forked")
                    .label(self.program.threads[id.index()].span, "declared here")
                    .help(format!(
                        "a thread that is forked has a list of parameters: `thread {name}()`"
                    ));
            self.report(error);
            return None;
        }
        Some(id)
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

/// Goes wrong unless there is such a thread.
fn no_such_thread(holds: Expr, failed: String, declared: Span) -> Stmt {
    let span = holds.span;
    let about = ast::Fault {
        code: Code::NoSuchThread,
        failed,
        help: None,
        declared: Some(declared),
        goes_on: false,
    };
    step(StmtKind::Check(holds, Box::new(about)), span)
}
