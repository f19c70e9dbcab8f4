//! What can go wrong beyond single statements: invariants, error sets, relies, loop invariants.

use crate::eval::{Stores, holds};
use crate::graph::{Graph, Node, Owner};
use crate::scope::Scope;
use crate::step::Moment;
use crate::tables::{Machine, NONE, RETURNS};
use diagnostic::Code;
use plato::hir::{BinaryOp, BoundId, Expr, ExprKind, Formula, LabelId, NeverKind, Quantifier};
use search::{FrameEffect, FrameStep, Global, Local, Site};
use source::Span;
use std::collections::BTreeSet;

/// Something that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// The code that the verifier reports for it.
    pub code: Code,
    /// The place at fault: a statement, or an item of the program if a whole state is.
    pub span: Span,
    /// The annotation that is broken, if it is another place.
    pub declared: Option<Span>,
}

/// The properties of a program that speak of several threads at once.
#[derive(Default)]
pub(crate) struct Properties<'p> {
    /// `never` formulas with `at`.
    pub(crate) nevers: Vec<(&'p Expr, Span)>,
    /// `never race`, each with the variables it speaks of.
    pub(crate) races: Vec<(BTreeSet<usize>, Span)>,
    /// `never deadlock`.
    pub(crate) deadlocks: Vec<Span>,
    /// The relies of the program that mean the same for every thread, and those that mention it.
    pub(crate) relies: (Vec<&'p Formula>, Vec<&'p Formula>),
    /// The labels that `nevers` mention.
    pub(crate) labels: BTreeSet<LabelId>,
    /// Whether each place of the code has such a label.
    pub(crate) labelled: Vec<bool>,
    /// Whether invariants and error sets are about some states only: those in which no thread is
    /// inside an `atomic proc`.
    pub(crate) has_atomic: bool,
    /// The number of threads that must be at such labels, or about to access such variables, for
    /// one of these to be violated.
    pub(crate) quorum: Option<usize>,
}

impl<'p> Properties<'p> {
    pub(crate) fn new(scope: &Scope<'p>, code: &Graph<'p>) -> Self {
        let relies = scope.program.relies.iter();
        let relies = relies.partition(|rely| !mentions_tid(scope, &rely.expr));
        let mut found = Self { relies, ..Self::default() };
        for never in &scope.program.nevers {
            match &never.kind {
                NeverKind::Formula(expr) if mentions_at(scope, expr, &mut found.labels) => {
                    found.nevers.push((expr, never.span));
                }
                NeverKind::Formula(_) => {}
                NeverKind::Deadlock => found.deadlocks.push(never.span),
                NeverKind::Race(on) => {
                    // DIVERGENCE: `never race;` does not mean mutexes, which threads compete for by
                    // design.
                    let globals = scope.program.globals.iter().enumerate();
                    let every = globals.filter(|(_, global)| !global.is_sync).map(|(at, _)| at);
                    let named = on.iter().map(|id| id.index());
                    let all = if on.is_empty() { every.collect() } else { named.collect() };
                    found.races.push((all, never.span));
                }
            }
        }
        let quorums = found.nevers.iter().map(|(expr, _)| quorum(expr));
        found.has_atomic = scope.program.procs.iter().any(|proc| proc.is_atomic);
        let all_outside = found.has_atomic.then_some(scope.threads.len());
        found.quorum = quorums.chain(found.races.iter().map(|_| 2)).chain(all_outside).min();
        let is_labelled = |pc| code.labels(pc).iter().any(|label| found.labels.contains(label));
        found.labelled = (0..code.nodes.len()).map(is_labelled).collect();
        found
    }
}

/// Whether a formula asks where threads are; collects the labels.
fn mentions_at(scope: &Scope, expr: &Expr, labels: &mut BTreeSet<LabelId>) -> bool {
    let mut found = false;
    if let ExprKind::At(_, wanted) = &expr.kind {
        labels.extend(wanted);
        found = true;
    }
    if let ExprKind::Pred { pred, .. } = &expr.kind {
        found |= mentions_at(scope, &scope.program.preds[pred.index()].body, labels);
    }
    for child in expr.children() {
        found |= mentions_at(scope, child, labels);
    }
    found
}

/// Whether a formula depends on the thread that it is about.
fn mentions_tid(scope: &Scope, expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Tid => true,
        ExprKind::Pred { pred, .. } => mentions_tid(scope, &scope.program.preds[pred.index()].body),
        _ => false,
    };
    here || expr.children().into_iter().any(|child| mentions_tid(scope, child))
}

/// The number of threads that must be at a label for the formula to be true: for `exists i, j :: i
/// != j && at(i, A) && at(j, B) && ..` two, for one `at` among the conjuncts one, otherwise none.
fn quorum(expr: &Expr) -> usize {
    let mut body = expr;
    while let ExprKind::Quantified(Quantifier::Exists, _, inner) = &body.kind {
        body = inner;
    }
    let conjuncts: &[Expr] = match &body.kind {
        ExprKind::And(all) => all,
        _ => std::slice::from_ref(body),
    };
    let bound = |expr: &Expr| match expr.kind {
        ExprKind::Bound(id) => Some(id),
        _ => None,
    };
    let mut placed: Vec<BoundId> = Vec::new();
    let mut differ: Vec<(BoundId, BoundId)> = Vec::new();
    let mut some = 0;
    for conjunct in conjuncts {
        match &conjunct.kind {
            ExprKind::At(thread, _) => {
                some = 1;
                placed.extend(bound(thread));
            }
            ExprKind::Binary(BinaryOp::Ne, left, right) => {
                if let (Some(left), Some(right)) = (bound(left), bound(right)) {
                    differ.extend([(left, right), (right, left)]);
                }
            }
            _ => {}
        }
    }
    // Some placed variables that all differ from each other.
    let mut apart: Vec<BoundId> = Vec::new();
    for one in placed {
        if apart.iter().all(|other| differ.contains(&(one, *other))) {
            apart.push(one);
        }
    }
    apart.len().max(some)
}

impl Machine<'_> {
    /// Whether a formula has this truth. If it has none that is known, nothing is proved any more.
    pub(crate) fn is(&self, stores: Stores, formula: &Expr, truth: bool) -> bool {
        let answer = holds(&self.scope, stores, formula);
        if answer.is_err() {
            self.scope.guessed.set(true);
        }
        answer == Ok(truth)
    }

    /// What is wrong with a store: invariants that do not hold, and error sets without `at` that it
    /// lies in.
    fn store_faults(&mut self, global: Global) -> &[(Code, Span)] {
        if !self.broken.contains_key(&global) {
            let stores = Stores::global(self.stores.get(global));
            let program = self.scope.program;
            let mut broken = Vec::new();
            for invariant in &program.invariants {
                if self.is(stores, &invariant.expr, false) {
                    broken.push((Code::InvariantBroken, invariant.span));
                }
            }
            for never in &program.nevers {
                if let NeverKind::Formula(expr) = &never.kind
                    && !self.properties.nevers.iter().any(|(other, _)| std::ptr::eq(*other, expr))
                    && self.is(stores, expr, true)
                {
                    broken.push((Code::NeverReached, never.span));
                }
            }
            self.broken.insert(global, broken);
        }
        &self.broken[&global]
    }

    /// What is wrong with the store of a state, if the program has atomic procedures and no thread
    /// is inside one.
    pub(crate) fn settled_faults(&mut self, global: Global, locals: &[Local]) -> Vec<Fault> {
        if !self.properties.has_atomic || locals.iter().any(|&local| self.is_inside(local)) {
            return Vec::new();
        }
        let faults = self.store_faults(global).iter();
        faults.map(|&(code, span)| Fault { code, span, declared: None }).collect()
    }

    /// Whether a thread is inside an atomic procedure.
    pub(crate) fn is_inside(&self, local: Local) -> bool {
        let mut rest = Some(local);
        while let Some(local) = rest {
            let (frame, below) = self.top(local);
            if let Owner::Proc(id) = self.code.owner(self.frames.get(frame).pc)
                && self.scope.program.procs[id.index()].is_atomic
            {
                return true;
            }
            rest = below;
        }
        false
    }

    /// What is wrong with a store in which runs start.
    pub(crate) fn initial_store_faults(&mut self, global: Global) -> Vec<Fault> {
        let faults = self.store_faults(global).iter().map(|&(code, span)| {
            let initial = Code::InvariantNotInitial;
            let code = if code == Code::InvariantBroken { initial } else { code };
            Fault { code, span, declared: None }
        });
        faults.collect()
    }

    /// What is wrong with a step from a store to another: it breaks an invariant, reaches an error
    /// set, or does what another thread relies on not to happen.
    pub(crate) fn step_faults(
        &mut self,
        thread: usize,
        (before, after): (Global, Global),
        site: Site,
    ) -> Vec<search::Fault> {
        let Some(span) = self.site_span(site) else { return Vec::new() };
        let mut faults = Vec::new();
        if before != after && !self.properties.has_atomic {
            // What was broken before is not this step's fault.
            let old = self.store_faults(before).to_vec();
            let broken = self.store_faults(after).to_vec();
            for (code, declared) in broken.into_iter().filter(|one| !old.contains(one)) {
                faults.push(self.report(Fault { code, span, declared: Some(declared) }));
            }
        }
        if self.settings.annotations {
            for declared in self.broken_relies(thread, before, after) {
                let code = Code::RelyViolated;
                faults.push(self.report(Fault { code, span, declared: Some(declared) }));
            }
        }
        faults
    }

    /// The relies of other threads that a step breaks.
    fn broken_relies(&self, thread: usize, before: Global, after: Global) -> BTreeSet<Span> {
        let program = self.scope.program;
        let mut broken = BTreeSet::new();
        let (same_for_all, own) = &self.properties.relies;
        let mut is_first = true;
        for (other, id) in self.scope.threads.iter().enumerate() {
            if other == thread {
                continue;
            }
            let stores = Stores {
                after: Some((self.stores.get(after), &[])),
                tid: source::number(other + 1),
                ..Stores::global(self.stores.get(before))
            };
            let is_broken = |rely: &&Formula| self.is(stores, &rely.expr, false);
            let relies = own.iter().copied().chain(&program.threads[id.index()].relies);
            let once: &[&Formula] = if is_first { same_for_all } else { &[] };
            is_first = false;
            let relies = relies.chain(once.iter().copied());
            broken.extend(relies.filter(is_broken).map(|rely| rely.span));
        }
        broken
    }

    /// Loop invariants that a thread's own step breaks, or that do not hold where it enters a loop.
    pub(crate) fn loop_heads_reached(
        &mut self,
        thread: usize,
        after: &Moment,
        site: Site,
    ) -> Vec<search::Fault> {
        let pc = (site & !RETURNS) as usize;
        let mut faults = Vec::new();
        for (branch, head, invariant) in self.stepper(thread).broken_heads(after) {
            let inside = (head..branch.end).contains(&pc);
            let code = if inside {
                Code::LoopInvariantNotPreserved
            } else {
                Code::LoopInvariantNotEstablished
            };
            faults.push(Fault { code, span: invariant.span, declared: None });
        }
        self.own_heads.extend(faults.iter().map(|fault| fault.span));
        faults.into_iter().map(|fault| self.report(fault)).collect()
    }

    /// Loop invariants that do not hold where a thread is. If its own step did not break them,
    /// others did.
    pub(crate) fn loop_heads_here(
        &mut self,
        thread: usize,
        here: &Moment,
        caller: u32,
    ) -> Vec<FrameStep> {
        let mut found = Vec::new();
        if caller == NONE {
            for (_, head, invariant) in self.stepper(thread).broken_heads(here) {
                found.push((head, invariant.span));
            }
        }
        let mut steps = Vec::new();
        for (head, span) in found {
            if self.own_heads.contains(&span) {
                continue;
            }
            let code = Code::LoopInvariantNotPreserved;
            let site = source::number(head);
            let faults = self.wrong(code, span);
            steps.push(FrameStep { site, effect: FrameEffect::Wrong, faults });
        }
        steps
    }

    /// Whether the next step of a frame is the evaluation of a condition, and if so whether it
    /// held.
    pub(crate) fn branch_taken(&self, site: Site, after_pc: usize) -> Option<bool> {
        match &self.code.nodes[(site & !RETURNS) as usize] {
            Node::Branch(branch) if branch.then == branch.otherwise => None,
            Node::Branch(branch) => Some(after_pc == branch.then),
            _ => None,
        }
    }
}
