//! What some real runs of a world look like: stores, steps and loop heads that they reach. A
//! formula that does not hold of them does not hold of the program; one that does may.

use crate::eval::{Stores, holds};
use crate::graph::Node;
use crate::scope::Scope;
use crate::tables::{Machine, Settings};
use crate::value::Value;
use plato::hir::{Expr, ExprKind};
use search::{Effect, Global, Local, Step, Threads};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Halt;

/// Stores, steps and loop heads that real runs reach.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    stores: Vec<Vec<Value>>,
    steps: Vec<Sampled>,
    heads: BTreeMap<Span, Vec<Head>>,
    threads: u32,
}

/// A step of a thread that changes the store: the stores by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sampled {
    thread: u32,
    before: u32,
    after: u32,
}

/// A thread at the head of a loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    tid: u32,
    store: u32,
    locals: Vec<Value>,
}

/// Follows runs of a world until about this number of states was met: at first all runs, shortest
/// first, then runs drawn by lot, which lead further.
pub fn samples(scope: Scope<'_>, most: usize, halt: &Halt) -> Samples {
    let settings = Settings { initial_stores: 64, ..Settings::default() };
    let mut machine = Machine::new(scope, settings);
    let mut walk = Walk { threads: source::number(machine.count()), ..Walk::default() };
    for (global, locals) in machine.initial() {
        walk.meet(&machine, global, locals);
    }
    let starts = walk.states.len();
    let mut next = 0;
    while next < walk.states.len() && walk.states.len() < most / 2 && halt.reason().is_none() {
        let from = walk.states[next].clone();
        next += 1;
        for (thread, step) in successors(&mut machine, &from) {
            walk.follow(&machine, &from, thread, step);
        }
    }
    if next < walk.states.len() {
        by_lot(&mut machine, &mut walk, (starts, most), halt);
    }
    walk.finish(&machine)
}

/// Limit on the steps of a run that is drawn by lot.
const LONG: usize = 80;

/// Follows runs drawn by lot from the states that were met first.
fn by_lot(machine: &mut Machine<'_>, walk: &mut Walk, (starts, most): (usize, usize), halt: &Halt) {
    let mut lot = Lot(1);
    let mut left = 2 * most;
    while left > 0 && walk.states.len() < most && halt.reason().is_none() {
        let mut from = walk.states[lot.below(starts)].clone();
        for _ in 0..LONG {
            left = left.saturating_sub(1);
            let all = successors(machine, &from);
            // Each thread gets its turn as often as any other, however many steps it could take.
            let threads: BTreeSet<usize> = all.iter().map(|(thread, _)| *thread).collect();
            let threads: Vec<usize> = threads.into_iter().collect();
            if threads.is_empty() {
                break;
            }
            let thread = threads[lot.below(threads.len())];
            let own: Vec<&(usize, (Global, Local))> =
                all.iter().filter(|(of, _)| *of == thread).collect();
            let (_, step) = *own[lot.below(own.len())];
            from = walk.follow(machine, &from, thread, step);
        }
        left = left.saturating_sub(1);
    }
}

/// A source of numbers that are the same in every run.
struct Lot(u64);

impl Lot {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = usize::try_from(self.0 >> 33).unwrap_or(0);
        drawn % count.max(1)
    }
}

/// The steps from a state: the thread that takes it, the store after it, and what becomes of the
/// thread.
fn successors(
    machine: &mut Machine<'_>,
    (global, locals): &(Global, Vec<Local>),
) -> Vec<(usize, (Global, Local))> {
    let mut all = Vec::new();
    let mut taken: Vec<Step> = Vec::new();
    for (thread, &local) in locals.iter().enumerate() {
        taken.clear();
        machine.steps(thread, *global, local, &mut taken);
        for step in &taken {
            if let Effect::To(after, local) = step.effect {
                all.push((thread, (after, local)));
            }
        }
    }
    all
}

/// What was met so far.
#[derive(Default)]
struct Walk {
    threads: u32,
    states: Vec<(Global, Vec<Local>)>,
    known: BTreeSet<(Global, Vec<Local>)>,
    steps: BTreeSet<Sampled>,
    heads: BTreeMap<Span, BTreeSet<Head>>,
}

impl Walk {
    fn meet(&mut self, machine: &Machine<'_>, global: Global, locals: Vec<Local>) {
        if !self.known.insert((global, locals.clone())) {
            return;
        }
        for (tid, &local) in (1..).zip(&locals) {
            let frame = machine.frames.get(machine.top(local).0);
            for pc in machine.code.ready(frame.pc) {
                let Node::Branch(branch) = &machine.code.nodes[pc] else { continue };
                let head = Head { tid, store: global, locals: frame.locals.clone() };
                self.heads.entry(branch.span).or_default().insert(head);
            }
        }
        self.states.push((global, locals));
    }

    /// Takes a step; the state after it.
    fn follow(
        &mut self,
        machine: &Machine<'_>,
        (before, locals): &(Global, Vec<Local>),
        thread: usize,
        (after, local): (Global, Local),
    ) -> (Global, Vec<Local>) {
        let mut locals = locals.clone();
        locals[thread] = local;
        self.step(thread, *before, after);
        self.meet(machine, after, locals.clone());
        (after, locals)
    }

    fn step(&mut self, thread: usize, before: Global, after: Global) {
        if before != after {
            self.steps.insert(Sampled { thread: source::number(thread), before, after });
        }
    }

    fn finish(self, machine: &Machine<'_>) -> Samples {
        let count = source::number(machine.stores.len());
        Samples {
            stores: (0..count).map(|store| machine.stores.get(store).clone()).collect(),
            steps: self.steps.into_iter().collect(),
            heads: self
                .heads
                .into_iter()
                .map(|(at, all)| (at, all.into_iter().collect()))
                .collect(),
            threads: self.threads,
        }
    }
}

impl Samples {
    /// All shared stores that were met.
    pub fn stores(&self) -> &[Vec<Value>] {
        &self.stores
    }

    /// The shared and own variables of threads at the head of the loop that stands here.
    pub fn at_head(&self, head: Span) -> impl Iterator<Item = (&[Value], &[Value])> {
        let all = self.heads.get(&head).into_iter().flatten();
        all.map(|head| (&*self.stores[head.store as usize], &*head.locals))
    }

    /// Of which stores that were met a formula holds; `None` if that is not known of some.
    pub fn truths(&self, scope: &Scope<'_>, formula: &Expr) -> Option<Vec<bool>> {
        self.stores.iter().map(|store| holds(scope, Stores::global(store), formula).ok()).collect()
    }

    /// Whether a formula holds of all stores that were met. The world may be one of a program with
    /// more formulas than the one that ran.
    pub fn keep_invariant(&self, scope: &Scope<'_>, formula: &Expr) -> bool {
        spread(&self.stores, formula).all(|store| is_true(scope, Stores::global(store), formula))
    }

    /// Whether all steps that were met do to all other threads what this formula allows.
    pub fn keep_rely(&self, scope: &Scope<'_>, formula: &Expr) -> bool {
        spread(&self.steps, formula).all(|step| {
            let others = (0..self.threads).filter(|&other| other != step.thread);
            others.into_iter().all(|other| {
                let stores = Stores {
                    after: Some((&self.stores[step.after as usize], &[])),
                    tid: other + 1,
                    ..Stores::global(&self.stores[step.before as usize])
                };
                is_true(scope, stores, formula)
            })
        })
    }

    /// Whether a formula holds whenever a thread was at the head of the loop that stood here in the
    /// program that ran.
    pub fn keep_at_head(&self, scope: &Scope<'_>, head: Span, formula: &Expr) -> bool {
        let heads = self.heads.get(&head).map_or(&[][..], Vec::as_slice);
        spread(heads, formula).all(|head| {
            let stores = Stores {
                locals: &head.locals,
                tid: head.tid,
                ..Stores::global(&self.stores[head.store as usize])
            };
            is_true(scope, stores, formula)
        })
    }
}

/// Some of the samples: all of them, unless the formula has a quantifier. Then each takes long.
fn spread<'a, T>(samples: &'a [T], formula: &Expr) -> impl Iterator<Item = &'a T> {
    const MANY: usize = 250;
    let is_quantified = matches!(formula.kind, ExprKind::Quantified(..));
    let stride = if is_quantified { samples.len().div_ceil(MANY).max(1) } else { 1 };
    samples.iter().step_by(stride)
}

/// A formula without a known value may hold.
fn is_true(scope: &Scope<'_>, stores: Stores<'_>, formula: &Expr) -> bool {
    holds(scope, stores, formula) != Ok(false)
}
