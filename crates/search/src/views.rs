//! Pairs of threads (views of size 2): between the thread-modular search, which knows each thread
//! alone, and the exact one.
//!
//! `V(g; t,l; u,m)` holds if some state may have the store `g`, thread `t` at `l` and another
//! thread `u` at `m`. The rules:
//!
//! ```text
//! (INIT)                              V(g0; t,ls0(t); u,ls0(u))
//! (STEP)  V(g; t,l; u,m),  u steps from (g,m) to (g',m')  =>  V(g'; t,l; u,m')
//! (ENV)   V(g; t,l; u,m),  V(g; t,l; w,k),  V(g; u,m; w,k),
//!         w steps from (g,k) to (g',k')  =>  V(g'; t,l; u,m)
//! ```
//!
//! In a reachable state all pairs are views, so a step of a third thread is taken only if the three
//! fit together in pairs: by induction over runs, if `(g, ls)` is reachable then `V(g; t,ls(t);
//! u,ls(u))` for all `t != u`. With one or two threads the views are the states.
//!
//! For each store the views are a graph whose nodes are pairs of a thread and its local state. A
//! step of the node `c` then carries the neighbours of `c`, and the edges between those, over to
//! the next store: operations on rows of bits.

use crate::alarms::{Alarm, Notes};
use crate::certificate::{Member, PairCertificate, Together};
use crate::intern::Interner;
use crate::join::too_many_combinations;
use crate::report::Budget;
use crate::threads::{Effect, Global, Local, Step, Threads};
use std::collections::BTreeSet;
use verdict::StopReason;

/// What a search of pairs found.
#[derive(Clone, Debug)]
pub struct Views {
    nodes: Interner<(u32, Local)>,
    graphs: Vec<Graph>,
    /// What may go wrong, each fault once.
    pub alarms: Vec<Alarm>,
    /// Why the search did not see everything. Nothing is proved unless this is `None`.
    pub cut: Option<StopReason>,
}

/// The views with one store.
#[derive(Clone, Debug, Default)]
struct Graph {
    /// The nodes that occur.
    present: Bits,
    /// Per node its neighbours; symmetric.
    near: Vec<Bits>,
    /// Nodes whose neighbourhood grew since it was last looked at.
    changed: Bits,
}

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bits(Vec<u64>);

/// Computes the least set of views.
pub fn views(threads: &mut impl Threads, budget: &Budget<'_>) -> Views {
    let mut search = Search {
        views: Views {
            nodes: Interner::default(),
            graphs: Vec::new(),
            alarms: Vec::new(),
            cut: None,
        },
        queue: Vec::new(),
        found: 0,
        spare: Default::default(),
        notes: Notes::default(),
    };
    search.start(threads, budget);
    search.close(threads, budget);
    search.join(threads, budget);
    let Notes { alarms, cut, .. } = search.notes;
    Views { alarms, cut, ..search.views }
}

/// Limit on the combinations of nodes that are looked at for one store.
const COMBINATIONS: usize = 1_000_000;

struct Search {
    views: Views,
    queue: Vec<Global>,
    /// How many views were found, about.
    found: u64,
    /// Sets whose memory is used again and again.
    spare: [Bits; 2],
    notes: Notes,
}

impl Search {
    /// (INIT)
    fn start(&mut self, threads: &mut impl Threads, budget: &Budget<'_>) {
        let count = threads.count() as u64;
        if count.saturating_mul(count) / 2 > budget.states {
            return self.notes.cut(StopReason::ResourceLimit);
        }
        for (global, locals) in self.notes.initial(threads, budget) {
            let nodes: Vec<usize> = locals
                .iter()
                .enumerate()
                .map(|(thread, &local)| self.node(thread, local))
                .collect();
            let all: Bits = nodes.iter().copied().collect();
            for &node in &nodes {
                if self.notes.is_halted(budget) {
                    return;
                }
                self.connect(global, node, &all.without(node));
            }
        }
    }

    fn close(&mut self, threads: &mut impl Threads, budget: &Budget<'_>) {
        let mut steps = Vec::new();
        while let Some(global) = self.queue.pop() {
            if let Some(reason) = budget.exceeded(threads, self.found, 0) {
                return self.notes.cut(reason);
            }
            let changed = std::mem::take(&mut self.graph(global).changed);
            for node in changed.iter() {
                let &(thread, local) = self.views.nodes.get(number(node));
                threads.steps(thread as usize, global, local, &mut steps);
                for step in steps.drain(..) {
                    self.step(global, node, step);
                }
            }
        }
    }

    fn step(&mut self, global: Global, node: usize, step: Step) {
        let &(thread, local) = self.views.nodes.get(number(node));
        let thread = thread as usize;
        self.notes.faults(&step.faults, global, (thread, local));
        match step.effect {
            Effect::To(after, local) => {
                let next = self.node(thread, local);
                let [mut near, mut others] = std::mem::take(&mut self.spare);
                near.0.clone_from(&self.graph(global).near_of(node).0);
                // (STEP)
                self.connect(after, next, &near);
                // (ENV)
                for one in near.iter() {
                    others.become_common(self.graph(global).near_of(one), &near);
                    self.connect(after, one, &others);
                }
                self.spare = [near, others];
            }
            Effect::Wrong => {}
            Effect::Cut(reason) => self.notes.cut(reason),
        }
    }

    /// Adds the node and its connections with others to the graph of a store.
    ///
    /// A node whose neighbours do not change may still need another look: an edge between two of
    /// its neighbours is new.
    fn connect(&mut self, global: Global, node: usize, others: &Bits) {
        let graph = self.graph(global);
        let is_new = graph.present.insert(node);
        // Most of the time there is nothing new, which is seen without making a set.
        if !is_new && others.is_inside(graph.near_of(node)) {
            return;
        }
        let added = others.difference(graph.near_of(node));
        graph.changed.insert(node);
        for other in added.iter() {
            graph.present.insert(other);
            graph.near_of(node).insert(other);
            graph.near_of(other).insert(node);
            graph.changed.insert(other);
            let Graph { near, changed, .. } = graph;
            changed.add_common(&near[node], &near[other]);
        }
        self.found += 1 + added.len() as u64;
        self.queue.push(global);
    }

    fn graph(&mut self, global: Global) -> &mut Graph {
        let at = global as usize;
        if self.views.graphs.len() <= at {
            self.views.graphs.resize_with(at + 1, Graph::default);
        }
        &mut self.views.graphs[at]
    }

    fn node(&mut self, thread: usize, local: Local) -> usize {
        let thread = crate::number(thread);
        self.views.nodes.intern((thread, local)) as usize
    }

    /// Error sets over several threads: some `(g, ls)` is in the set, and all its pairs are views.
    fn join(&mut self, threads: &mut impl Threads, budget: &Budget<'_>) {
        let Some(quorum) = threads.quorum() else { return };
        for global in 0..number(self.views.graphs.len()) {
            if self.notes.is_halted(budget) {
                return;
            }
            let mut states = States::of(&self.views, global, threads);
            if states.watched < quorum {
                continue;
            }
            let complete = states.each(&mut |locals| {
                let faults = threads.bad(global, locals);
                self.notes.whole(faults, global, locals);
            });
            if !complete {
                self.notes.cut(too_many_combinations());
            }
        }
    }
}

/// The states at one store whose pairs are all views. Of nodes that no property looks at and that
/// have the same neighbours, one is enough; here all are kept.
struct States {
    /// Per thread its nodes with their local states and neighbours.
    each: Vec<Vec<(usize, Local, Bits)>>,
    watched: usize,
    left: usize,
}

impl States {
    fn of(views: &Views, global: Global, threads: &mut impl Threads) -> Self {
        let graph = &views.graphs[global as usize];
        let mut each = vec![Vec::new(); threads.count()];
        let mut watched = BTreeSet::new();
        for node in graph.present.iter() {
            let &(thread, local) = views.nodes.get(number(node));
            let near = graph.near.get(node).cloned().unwrap_or_default();
            each[thread as usize].push((node, local, near));
            if threads.is_watched(thread as usize, global, local) {
                watched.insert(thread);
            }
        }
        Self { each, watched: watched.len(), left: COMBINATIONS }
    }

    /// Calls `look` with every state; false if there are too many.
    fn each(&mut self, look: &mut impl FnMut(&[Local])) -> bool {
        let mut locals = Vec::new();
        self.extend(None, &mut locals, look)
    }

    fn extend(
        &mut self,
        fitting: Option<&Bits>,
        locals: &mut Vec<Local>,
        look: &mut impl FnMut(&[Local]),
    ) -> bool {
        let thread = locals.len();
        if thread == self.each.len() {
            look(locals);
            return true;
        }
        for at in 0..self.each[thread].len() {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let (node, local, near) = &self.each[thread][at];
            if fitting.is_some_and(|fitting| !fitting.contains(*node)) {
                continue;
            }
            let rest = match fitting {
                None => near.clone(),
                Some(fitting) => near.intersection(fitting),
            };
            locals.push(*local);
            let complete = self.extend(Some(&rest), locals, look);
            locals.pop();
            if !complete {
                return false;
            }
        }
        true
    }
}

impl Views {
    /// How many views there are; each pair counts once, and a thread that is alone counts too.
    pub fn len(&self) -> u64 {
        self.graphs.iter().map(Graph::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing can go wrong.
    pub fn is_proof(&self) -> bool {
        self.cut.is_none() && self.alarms.is_empty()
    }

    /// The views as plain sets, for an independent check.
    pub fn certificate(&self) -> PairCertificate {
        let member = |node: usize| -> Member {
            let &(thread, local) = self.nodes.get(number(node));
            (thread as usize, local)
        };
        let mut certificate = PairCertificate::default();
        for (global, graph) in (0..).zip(&self.graphs) {
            let mut there = Together::default();
            for node in graph.present.iter() {
                let one = member(node);
                there.members.insert(one);
                for other in graph.near.get(node).iter().flat_map(|near| near.iter()) {
                    let other = member(other);
                    there.pairs.insert((one.min(other), one.max(other)));
                }
            }
            if !there.members.is_empty() {
                certificate.stores.insert(global, there);
            }
        }
        certificate
    }

    /// The stores that were met.
    pub fn stores(&self) -> impl Iterator<Item = Global> + use<> {
        0..number(self.graphs.len())
    }

    /// Whether both threads may be in these local states together.
    pub fn contains(&self, global: Global, one: (usize, Local), other: (usize, Local)) -> bool {
        let find =
            |(thread, local): (usize, Local)| self.nodes.find(&(crate::number(thread), local));
        let (Some(one), Some(other)) = (find(one), find(other)) else { return false };
        let near = self.graphs.get(global as usize).and_then(|graph| graph.near.get(one as usize));
        near.is_some_and(|near| near.contains(other as usize))
    }

    /// The local states of all threads at a store.
    pub fn reachable(&self, global: Global) -> Vec<(usize, Local)> {
        let Some(graph) = self.graphs.get(global as usize) else { return Vec::new() };
        let nodes = graph.present.iter().map(|node| *self.nodes.get(number(node)));
        nodes.map(|(thread, local)| (thread as usize, local)).collect()
    }
}

impl Graph {
    fn near_of(&mut self, node: usize) -> &mut Bits {
        if self.near.len() <= node {
            self.near.resize_with(node + 1, Bits::default);
        }
        &mut self.near[node]
    }

    fn len(&self) -> u64 {
        let ends: usize = self.near.iter().map(Bits::len).sum();
        let alone =
            self.present.iter().filter(|&node| self.near.get(node).is_none_or(Bits::is_empty));
        (ends / 2 + alone.count()) as u64
    }
}

impl Bits {
    fn insert(&mut self, at: usize) -> bool {
        if self.0.len() <= at / 64 {
            self.0.resize(at / 64 + 1, 0);
        }
        let old = self.0[at / 64];
        self.0[at / 64] = old | 1 << (at % 64);
        old != self.0[at / 64]
    }

    fn contains(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word & (1 << (at % 64)) != 0)
    }

    fn without(&self, at: usize) -> Self {
        let mut rest = self.clone();
        if let Some(word) = rest.0.get_mut(at / 64) {
            *word &= !(1 << (at % 64));
        }
        rest
    }

    fn intersection(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one & other).collect())
    }

    fn difference(&self, other: &Self) -> Self {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        Self(self.0.iter().zip(others).map(|(one, other)| one & !other).collect())
    }

    /// Becomes what two sets have in common.
    fn become_common(&mut self, one: &Self, other: &Self) {
        self.0.clear();
        self.0.extend(one.0.iter().zip(&other.0).map(|(one, other)| one & other));
    }

    /// Adds what two sets have in common.
    fn add_common(&mut self, one: &Self, other: &Self) {
        let length = one.0.len().min(other.0.len());
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        let common = one.0.iter().zip(&other.0).map(|(one, other)| one & other);
        self.0.iter_mut().zip(common).for_each(|(word, common)| *word |= common);
    }

    fn is_inside(&self, other: &Self) -> bool {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(others).all(|(one, other)| one & !other == 0)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(at * 64 + bit)
            })
        })
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Self::default();
        numbers.into_iter().for_each(|at| {
            bits.insert(at);
        });
        bits
    }
}

fn number(at: usize) -> u32 {
    crate::number(at)
}
