//! Runs compared with the specifications of procedures (paper 2, section 5), on real steps: a
//! second opinion on what `modular` proves, and a way to tell which of its alarms are real.
//!
//! Beside each activation of a procedure with a specification stands what its abstraction may have
//! done so far: for every way to match the steps the action that was performed last. Each step of
//! the thread, also inside of procedures that were called from there, is compared with all
//! activations. Where the value of a formula is not known, the step counts as allowed, so that what
//! is reported is wrong for sure; the doubt is noted, so that such a search proves nothing. An
//! action that mentions results is remembered with its two stores, and looked at when the results
//! are known.

use crate::eval::Stores;
use crate::graph::Owner;
use crate::order::Order;
use crate::properties::Fault;
use crate::symmetry::{Names, is_anonymous, renamed};
use crate::tables::{Machine, NONE};
use crate::value::{Value, rows_with};
use diagnostic::Code;
use plato::hir::{ActionSpec, Expr, ExprKind, GlobalId, Proc, ProcId, Program, Root, Spec};
use search::{Global, Local, Site};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Limit on the activations of one thread that are followed, since each step is compared with all
/// of them.
pub(crate) const MANY_ACTIVATIONS: u32 = 12;

/// Limit on the ways of one activation that are followed.
const MANY_WAYS: usize = 64;

/// Limit on the actions of one way that mention results and are remembered.
const MANY_CLAIMS: usize = 3;

/// Limit on the results that are tried.
const MANY_RESULTS: usize = 256;

/// What the abstraction of one activation may have done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Watch {
    procedure: ProcId,
    /// The locals as the specification sees them: parameters have their first values, the rest
    /// none.
    locals: Vec<Value>,
    /// The store at the start, or [`NONE`] if nobody asks.
    entry: Global,
    ways: BTreeSet<Way>,
}

/// One way to match the steps so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Way {
    /// Where it is in the order of actions.
    state: usize,
    /// Actions that hold if the results are right, each from a store to a store.
    claimed: Vec<Claim>,
}

/// An action that mentions results, and the stores before and after its step.
type Claim = (usize, Global, Global);

impl Watch {
    /// The same after a renaming of threads.
    pub(crate) fn renamed(&self, names: &Names, mut store: impl FnMut(Global) -> Global) -> Self {
        let mut store = |global: Global| if global == NONE { NONE } else { store(global) };
        let ways = self.ways.iter().map(|way| Way {
            state: way.state,
            claimed: way.claimed.iter().map(|&(a, old, new)| (a, store(old), store(new))).collect(),
        });
        Self {
            procedure: self.procedure,
            ways: ways.collect(),
            locals: self.locals.iter().map(|value| renamed(value, names)).collect(),
            entry: store(self.entry),
        }
    }

    /// The stores that it remembers.
    pub(crate) fn stores(&self) -> impl Iterator<Item = Global> {
        let claimed = self.ways.iter().flat_map(|way| &way.claimed);
        let stores = claimed.flat_map(|&(_, old, new)| [old, new]);
        stores.chain([self.entry]).filter(|&global| global != NONE)
    }

    /// Whether its own values name no thread.
    pub(crate) fn is_anonymous(&self) -> bool {
        self.locals.iter().all(is_anonymous)
    }
}

/// The orders of all specifications.
pub(crate) fn orders(program: &Program) -> BTreeMap<ProcId, Order> {
    let specs = (0..).map(ProcId).zip(&program.procs);
    specs.filter_map(|(id, one)| one.spec.as_ref().map(|spec| (id, Order::of(spec)))).collect()
}

impl<'p> Machine<'p> {
    fn specified(&self, id: ProcId) -> Option<(&'p Proc, &'p Spec)> {
        let procedure = &self.scope.program.procs[id.index()];
        procedure.spec.as_ref().map(|spec| (procedure, spec))
    }

    /// Whether there are as many activations as are followed.
    pub(crate) fn is_watch_deep(&self, stack: Local) -> bool {
        let mut depth = 0;
        let mut at = stack;
        while self.watching && at != NONE && depth < MANY_ACTIVATIONS {
            let &(_, below, watch) = self.stacks.get(at);
            depth += u32::from(watch != NONE);
            at = below;
        }
        depth == MANY_ACTIVATIONS
    }

    /// The watch for a procedure that was just entered, and what is wrong with the call.
    pub(crate) fn begin_watch(
        &mut self,
        thread: usize,
        global: Global,
        callee: u32,
        site: Site,
    ) -> (u32, Vec<search::Fault>) {
        let frame = self.frames.get(callee);
        let Owner::Proc(procedure) = self.code.owner(frame.pc) else { return (NONE, Vec::new()) };
        let Some((declared, spec)) = self.specified(procedure).filter(|_| self.watching) else {
            return (NONE, Vec::new());
        };
        let mut locals = vec![Value::Unset; frame.locals.len()];
        for param in &declared.params {
            locals[param.index()] = frame.locals[param.index()].clone();
        }
        let stores = self.two_stores(thread, &locals, global, global);
        let is_false = |expr: &&Expr| self.is_surely_false(stores, expr);
        let broken: Vec<Span> = spec.requires.iter().filter(is_false).map(|e| e.span).collect();
        if let Some(span) = self.site_span(site).filter(|_| !broken.is_empty()) {
            let fault =
                |declared| Fault { code: Code::PreconditionFailed, span, declared: Some(declared) };
            let faults = broken.into_iter().map(|declared| self.report(fault(declared))).collect();
            return (NONE, faults);
        }
        let way = Way { state: 0, claimed: Vec::new() };
        let entry = if spec.ensures.is_empty() { NONE } else { global };
        let watch = Watch { procedure, locals, entry, ways: BTreeSet::from([way]) };
        (self.watches.intern(watch), Vec::new())
    }

    /// The stack after a step from one store to another, and what the step did that a specification
    /// does not allow.
    pub(crate) fn watch_step(
        &mut self,
        thread: usize,
        (before, after): (Global, Global),
        stack: Local,
        site: Site,
    ) -> (Local, Vec<search::Fault>) {
        if !self.watching || stack == NONE {
            return (stack, Vec::new());
        }
        let mut blamed = self.site_span(site);
        let mut frames = Vec::new();
        let mut faults = Vec::new();
        let mut at = stack;
        while at != NONE {
            let &(frame, below, watch) = self.stacks.get(at);
            let pc = self.frames.get(frame).pc;
            let mut next = watch;
            if watch != NONE {
                let advanced = self.advanced(thread, (before, after), watch);
                if let (None, Some(span)) = (advanced, blamed) {
                    let procedure = self.watches.get(watch).procedure;
                    let declared = self.specified(procedure).map(|(_, spec)| spec.span);
                    let code = Code::StepNotAllowed;
                    faults.push(self.report(Fault { code, span, declared }));
                }
                next = advanced.unwrap_or(NONE);
            }
            // To whoever calls a procedure with a specification, its steps are those of the call.
            if let Owner::Proc(id) = self.code.owner(pc)
                && self.specified(id).is_some()
                && below != NONE
            {
                blamed = self.code.span(self.frames.get(self.stacks.get(below).0).pc);
            }
            frames.push((frame, next));
            at = below;
        }
        let mut rebuilt = NONE;
        for (frame, watch) in frames.into_iter().rev() {
            rebuilt = self.stacks.intern((frame, rebuilt, watch));
        }
        (rebuilt, faults)
    }

    /// The watch after a step: `None` if no way is left, [`NONE`] if there are too many to follow.
    fn advanced(
        &mut self,
        thread: usize,
        (before, after): (Global, Global),
        watch: u32,
    ) -> Option<u32> {
        let Watch { procedure, locals, entry, ways } = self.watches.get(watch).clone();
        let Some((declared, spec)) = self.specified(procedure) else { return Some(NONE) };
        let (old, new) = (self.stores.get(before), self.stores.get(after));
        let changed: BTreeSet<usize> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
        let only = |more: &[GlobalId]| {
            let is_allowed =
                |at: &usize| spec.modifies.iter().chain(more).any(|id| id.index() == *at);
            changed.iter().all(is_allowed)
        };
        let stores = self.two_stores(thread, &locals, before, after);
        let fits = |more: &[GlobalId]| {
            spec.frames.iter().all(|frame| {
                frame.globals.iter().any(|id| more.contains(id))
                    || frame.globals.iter().all(|id| !changed.contains(&id.index()))
                    || !self.is_surely_false(stores, &frame.formula)
            })
        };
        // Whether the step can perform each action, and whether that depends on the results.
        let performs = |action: &ActionSpec| {
            let on_results = mentions_results(&action.ensures, declared);
            let is_possible = only(&action.modifies)
                && fits(&action.modifies)
                && (on_results || !self.is_surely_false(stores, &action.ensures));
            is_possible.then_some(on_results)
        };
        let performed: Vec<Option<bool>> = spec.actions.iter().map(performs).collect();
        let mut next = BTreeSet::new();
        for way in &ways {
            if only(&[]) && fits(&[]) {
                next.insert(way.clone());
            }
            for &action in self.orders[&procedure].next(way.state) {
                let Some(on_results) = performed[action] else { continue };
                let mut claimed = way.claimed.clone();
                if on_results {
                    claimed.push((action, before, after));
                    if claimed.len() > MANY_CLAIMS {
                        self.scope.guessed.set(true);
                        return Some(NONE);
                    }
                    if !self.fits_some_results(thread, procedure, &locals, &claimed) {
                        continue;
                    }
                }
                next.insert(Way { state: action + 1, claimed });
            }
        }
        match next.len() {
            0 => None,
            1..=MANY_WAYS => {
                Some(self.watches.intern(Watch { procedure, locals, entry, ways: next }))
            }
            _ => {
                self.scope.guessed.set(true);
                Some(NONE)
            }
        }
    }

    /// What is wrong where the procedure of the innermost frame ends.
    pub(crate) fn end_watch(
        &mut self,
        thread: usize,
        global: Global,
        stack: Local,
    ) -> Vec<search::Fault> {
        let &(frame, _, watch) = self.stacks.get(stack);
        if watch == NONE {
            return Vec::new();
        }
        let watch = self.watches.get(watch).clone();
        let Some((declared, spec)) = self.specified(watch.procedure) else { return Vec::new() };
        let Some(order) = self.orders.get(&watch.procedure) else { return Vec::new() };
        let mut locals = watch.locals.clone();
        for result in &declared.results {
            locals[result.index()] = self.frames.get(frame).locals[result.index()].clone();
        }
        let fits = |way: &Way| {
            order.may_be_over(way.state) && self.fits(thread, spec, &locals, &way.claimed)
        };
        let span = declared.span;
        let mut faults = Vec::new();
        if !watch.ways.iter().any(fits) {
            faults.push(Fault { code: Code::ActionMissing, span, declared: Some(spec.span) });
        }
        for ensures in &spec.ensures {
            let stores = self.two_stores(thread, &locals, watch.entry, global);
            if self.is_surely_false(stores, ensures) {
                let declared = Some(ensures.span);
                faults.push(Fault { code: Code::PostconditionFailed, span, declared });
            }
        }
        faults.into_iter().map(|fault| self.report(fault)).collect()
    }

    /// Whether the claims can hold of these results.
    fn fits(&self, thread: usize, spec: &Spec, locals: &[Value], claimed: &[Claim]) -> bool {
        !claimed.iter().any(|&(index, old, new)| {
            let stores = self.two_stores(thread, locals, old, new);
            self.is_surely_false(stores, &spec.actions[index].ensures)
        })
    }

    /// Whether the claims can hold of some results of the right types. Otherwise the last of them
    /// was wrong already, whatever the procedure returns, and also if it never does.
    fn fits_some_results(
        &self,
        thread: usize,
        procedure: ProcId,
        locals: &[Value],
        claimed: &[Claim],
    ) -> bool {
        let Some((declared, spec)) = self.specified(procedure) else { return true };
        let mut rows = vec![locals.to_vec()];
        for result in &declared.results {
            let domain = self.scope.domain(&declared.body.locals[result.index()].ty);
            if !domain.complete || rows.len() * domain.values.len() > MANY_RESULTS {
                self.scope.guessed.set(true);
                return true;
            }
            rows = rows_with(&rows, result.index(), &domain.values);
        }
        rows.iter().any(|row| self.fits(thread, spec, row, claimed))
    }

    /// Whether a formula is false, and that is no guess about infinitely many values.
    fn is_surely_false(&self, stores: Stores<'_>, expr: &Expr) -> bool {
        let guessed_before = self.scope.guessed.replace(false);
        let is_false = self.is(stores, expr, false);
        let guessed = self.scope.guessed.get();
        self.scope.guessed.set(guessed || guessed_before);
        is_false && !guessed
    }

    fn two_stores<'s>(
        &'s self,
        thread: usize,
        locals: &'s [Value],
        before: Global,
        after: Global,
    ) -> Stores<'s> {
        Stores {
            locals,
            after: Some((self.stores.get(after), locals)),
            tid: source::number(thread + 1),
            ..Stores::global(self.stores.get(before))
        }
    }
}

/// Whether a formula mentions results of the procedure.
fn mentions_results(expr: &Expr, procedure: &Proc) -> bool {
    let here = match &expr.kind {
        ExprKind::Var { root: Root::Local(id), .. } => procedure.results.contains(id),
        _ => false,
    };
    here || expr.children().into_iter().any(|child| mentions_results(child, procedure))
}
