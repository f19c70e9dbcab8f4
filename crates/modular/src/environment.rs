//! What other threads may do between the steps of one thread.
//!
//! Paper 1, section 4: the iterated assumption `A*` stands before every step; for a reflexive and
//! transitive `A` that is one step of `A`. With the invariant, `B = A && (I ==> I')` (section 5);
//! since `I` holds before, `A && I'` is assumed.
//!
//! Variables that no conjunct of `A` or `I` connects form separate clusters. `B` is then a product
//! of relations, one per cluster, and a step of one cluster commutes with every step of this thread
//! that does not touch the cluster (paper 2, section 6.4). So the environment acts on a cluster
//! just before the thread touches it, and not elsewhere: the steps that would have come earlier are
//! merged into that one by transitivity.

use crate::Options;
use crate::mentions::{self, Touched};
use plato::hir::{
    BinaryOp, Expr, ExprKind, GlobalId, ModuleId, NeverKind, ProcId, Program, Root, ThreadId,
};
use source::{Name, Span};
use std::collections::BTreeSet;

/// One conjunct of a rely.
#[derive(Clone, Copy, Debug)]
pub struct Conjunct<'a> {
    /// The formula.
    pub formula: &'a Expr,
    /// The item it was written in.
    pub item: Span,
}

/// Whose annotations are meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// Those of every thread.
    Everybody,
    /// Those of every thread and of this one alone.
    Thread(ThreadId),
    /// Those of these modules, and with `None` of the program outside modules: paper 2's `E(p)` and
    /// `I(p)` for a procedure that belongs to them or calls into them.
    Modules(BTreeSet<Option<ModuleId>>),
}

impl Owner {
    /// The owner that a procedure is checked for: its module, those of all procedures it calls,
    /// also through others, and those of the variables that all these mention.
    ///
    /// DIVERGENCE: paper 2's `E(p)` has only the modules of the procedures. Every step of every
    /// thread is checked against the relies and invariants of all modules, so that a procedure may
    /// assume any of them; those about variables that neither it nor its specification mentions
    /// would be of no use.
    pub fn of_procedure(program: &Program, id: ProcId) -> Self {
        let mut called = BTreeSet::from([id]);
        let procedure = &program.procs[id.index()];
        mentions::called(program, &procedure.body.stmts, &mut called);
        let mut modules: BTreeSet<Option<ModuleId>> =
            called.into_iter().map(|id| program.procs[id.index()].module).collect();
        let mut touched = Touched::of_stmts(program, &procedure.body.stmts);
        if let Some(spec) = &procedure.spec {
            touched.spec(program, spec);
        }
        modules.extend(touched.used.iter().map(|id| program.globals[id.index()].module));
        Self::Modules(modules)
    }

    pub(crate) fn sees(&self, module: Option<ModuleId>) -> bool {
        match self {
            Self::Everybody | Self::Thread(_) => true,
            Self::Modules(modules) => modules.contains(&module),
        }
    }
}

/// The conjuncts of everything the owner relies on.
pub fn conjuncts<'a>(program: &'a Program, owner: &Owner) -> Vec<Conjunct<'a>> {
    let own = match owner {
        Owner::Thread(id) => program.threads[id.index()].relies.as_slice(),
        Owner::Everybody | Owner::Modules(_) => &[],
    };
    let mut out = Vec::new();
    for formula in program.relies.iter().filter(|formula| owner.sees(formula.module)).chain(own) {
        flatten(&formula.expr, formula.span, &mut out);
    }
    out
}

fn flatten<'a>(expr: &'a Expr, item: Span, out: &mut Vec<Conjunct<'a>>) {
    match &expr.kind {
        ExprKind::And(parts) => parts.iter().for_each(|part| flatten(part, item, out)),
        _ => out.push(Conjunct { formula: expr, item }),
    }
}

/// A one-store formula that holds at every step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Invariant<'a> {
    /// The formula.
    pub(crate) formula: &'a Expr,
    /// The item it was written in.
    pub(crate) item: Span,
    /// Whether its negation is meant: an error set.
    pub(crate) negated: bool,
    /// Its name.
    pub(crate) name: Option<&'a Name>,
}

/// The invariants that the owner knows of, and the negations of error sets that are about one
/// store.
pub(crate) fn invariants<'a>(program: &'a Program, owner: &Owner) -> Vec<Invariant<'a>> {
    let known = program.invariants.iter().filter(|formula| owner.sees(formula.module));
    let invariants = known.map(|formula| Invariant {
        formula: &formula.expr,
        item: formula.span,
        negated: false,
        name: formula.name.as_ref(),
    });
    let nevers =
        program.nevers.iter().filter(|_| owner.sees(None)).filter_map(|never| match &never.kind {
            NeverKind::Formula(expr) if !mentions::has_program_counter(expr) => {
                Some(Invariant { formula: expr, item: never.span, negated: true, name: None })
            }
            _ => None,
        });
    invariants.chain(nevers).collect()
}

/// What every thread relies on as far as the owner knows, as it was written.
pub(crate) fn common_relies<'a>(program: &'a Program, owner: &Owner) -> Vec<Conjunct<'a>> {
    let known = program.relies.iter().filter(|formula| owner.sees(formula.module));
    known.map(|known| Conjunct { formula: &known.expr, item: known.span }).collect()
}

/// Variables that the environment changes together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster<'a> {
    /// All its variables.
    pub globals: BTreeSet<GlobalId>,
    /// The conjuncts of the rely about them.
    pub relies: Vec<&'a Expr>,
    /// The invariants about them.
    pub invariants: Vec<Invariant<'a>>,
}

/// The environment of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Environment<'a> {
    /// The clusters; every global is in one.
    pub clusters: Vec<Cluster<'a>>,
    /// Globals that the environment never changes, because a conjunct `x' == x` says so.
    pub frozen: BTreeSet<GlobalId>,
    cluster_of: Vec<usize>,
}

/// What the conjuncts say to this thread: `tid == T ==> A` is `A` to thread `T` and nothing to the
/// others.
fn said_to<'a>(thread: ThreadId, relies: &[Conjunct<'a>]) -> Vec<Conjunct<'a>> {
    let mut out = Vec::new();
    for conjunct in relies {
        match guard(conjunct.formula) {
            Some((id, said)) if id == thread => {
                let mut parts = Vec::new();
                flatten(said, conjunct.item, &mut parts);
                out.extend(said_to(thread, &parts));
            }
            Some(_) => {}
            None => out.push(*conjunct),
        }
    }
    out
}

/// The thread and the conclusion of `tid == T ==> A`, where `T` is a single thread.
fn guard(expr: &Expr) -> Option<(ThreadId, &Expr)> {
    let ExprKind::Binary(BinaryOp::Implies, premise, said) = &expr.kind else { return None };
    let ExprKind::Binary(BinaryOp::Eq, left, right) = &premise.kind else { return None };
    match (&left.kind, &right.kind) {
        (ExprKind::Tid, ExprKind::Thread(id)) | (ExprKind::Thread(id), ExprKind::Tid) => {
            Some((*id, said))
        }
        _ => None,
    }
}

/// The environment that satisfies the conjuncts and keeps the invariants.
pub(crate) fn environment<'a>(
    program: &'a Program,
    owner: &Owner,
    relies: &[Conjunct<'a>],
    options: &Options,
) -> Environment<'a> {
    let relies = match owner {
        Owner::Thread(thread) => said_to(*thread, relies),
        Owner::Everybody | Owner::Modules(_) => relies.to_vec(),
    };
    let count = program.globals.len();
    let mut links = Links { parent: (0..count).collect() };
    let invariants = invariants(program, owner);
    let formulas = relies.iter().map(|conjunct| conjunct.formula);
    for formula in formulas.chain(invariants.iter().map(|invariant| invariant.formula)) {
        links.join_all(mentions::globals_of(program, formula).into_iter().map(GlobalId::index));
    }
    if options.one_cluster {
        links.join_all(0..count);
    }
    let mut clusters: Vec<Cluster<'a>> = vec![Cluster::default(); count];
    for index in 0..count {
        let root = links.root(index);
        clusters[root].globals.insert(GlobalId::from_index(index));
    }
    for conjunct in &relies {
        // A conjunct about no variable constrains no step; leaving it out weakens the rely, which
        // is sound.
        if let Some(first) = mentions::globals_of(program, conjunct.formula).first() {
            clusters[links.root(first.index())].relies.push(conjunct.formula);
        }
    }
    for invariant in invariants {
        if let Some(first) = mentions::globals_of(program, invariant.formula).first() {
            clusters[links.root(first.index())].invariants.push(invariant);
        }
    }
    let frozen = relies.iter().filter_map(|conjunct| unchanged(conjunct.formula)).collect();
    Environment {
        clusters,
        frozen,
        cluster_of: (0..count).map(|index| links.root(index)).collect(),
    }
}

impl Environment<'_> {
    /// The clusters that hold one of the variables.
    pub(crate) fn clusters_of(&self, globals: &BTreeSet<GlobalId>) -> BTreeSet<usize> {
        globals.iter().map(|global| self.cluster_of[global.index()]).collect()
    }

    /// The variables of a cluster that the environment may change.
    pub(crate) fn changeable(&self, cluster: usize) -> impl Iterator<Item = GlobalId> + '_ {
        self.clusters[cluster]
            .globals
            .iter()
            .copied()
            .filter(|global| !self.frozen.contains(global))
    }
}

/// The variable of a conjunct `x' == x` or `x == x'`.
fn unchanged(expr: &Expr) -> Option<GlobalId> {
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) = &expr.kind else {
        return None;
    };
    match (&left.kind, &right.kind) {
        (
            ExprKind::Var { root: Root::Global(a), primed: left_primed },
            ExprKind::Var { root: Root::Global(b), primed: right_primed },
        ) if a == b && left_primed != right_primed => Some(*a),
        _ => None,
    }
}

/// Union-find.
struct Links {
    parent: Vec<usize>,
}

impl Links {
    fn root(&mut self, mut index: usize) -> usize {
        while self.parent[index] != index {
            self.parent[index] = self.parent[self.parent[index]];
            index = self.parent[index];
        }
        index
    }

    fn join_all(&mut self, indices: impl IntoIterator<Item = usize>) {
        let mut first = None;
        for index in indices {
            let root = self.root(index);
            match first {
                None => first = Some(root),
                Some(first) => {
                    let first = self.root(first);
                    self.parent[root] = first;
                }
            }
        }
    }
}
