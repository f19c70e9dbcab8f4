//! A small world: how many copies of each thread run, and what the constants are.

use super::value::Value;
use plato::hir::{self, Count, Program, ThreadId, Ty};
use std::collections::BTreeSet;

/// One small world of a program.
pub(super) struct Scope<'p> {
    pub(super) program: &'p Program,
    /// The running threads; the one at `i` has the identifier `i + 1`.
    pub(super) threads: Vec<ThreadId>,
    /// The values of the constants.
    pub(super) consts: Vec<Value>,
    /// What is tried for an arbitrary integer.
    pub(super) ints: Vec<i128>,
}

/// At most so many copies of all families `T[*]` together.
const STARS: u64 = 3;
/// What is tried for an arbitrary integer.
const INTS: [i128; 4] = [-1, 0, 1, 2];
/// At most so many worlds are visited.
const WORLDS: usize = 40;

impl<'p> Scope<'p> {
    pub(super) fn thread_count(&self) -> u32 {
        u32::try_from(self.threads.len()).unwrap_or(u32::MAX)
    }

    /// The identifiers of the running copies of a thread.
    pub(super) fn copies(&self, thread: ThreadId) -> BTreeSet<Value> {
        let copies = (1..).zip(&self.threads).filter(|(_, id)| **id == thread);
        copies.map(|(tid, _)| Value::Tid(tid)).collect()
    }

    /// The name of a running thread.
    pub(super) fn thread_name(&self, tid: u32) -> String {
        let id = self.threads[tid as usize - 1];
        let name = &self.program.threads[id.index()].name;
        format!("{name} (thread {tid})")
    }

    fn new(program: &'p Program, threads: Vec<ThreadId>) -> Self {
        let mut ints = BTreeSet::from(INTS);
        for init in &program.inits {
            literals(&init.expr, &mut ints);
        }
        Self { program, threads, consts: Vec::new(), ints: ints.into_iter().collect() }
    }
}

/// The worlds that are visited, smallest first. The second answer is whether the program has no others.
pub(super) fn scopes(program: &Program) -> (Vec<Scope<'_>>, bool) {
    let mut complete = true;
    let mut crowds: Vec<(u64, Vec<u64>)> = vec![(0, Vec::new())];
    for thread in &program.threads {
        let counts: Vec<u64> = match thread.count {
            Count::One => vec![1],
            Count::Copies(count) if count <= STARS => vec![count],
            Count::Copies(_) => vec![2],
            Count::Symbolic(_) | Count::Any => (1..=STARS).collect(),
        };
        let is_star = matches!(thread.count, Count::Any);
        let fewer = matches!(thread.count, Count::Copies(count) if count > STARS);
        complete &= counts.len() == 1 && !fewer;
        let mut longer = Vec::new();
        for (stars, crowd) in &crowds {
            for &count in &counts {
                let stars = if is_star { stars + count } else { *stars };
                // Every family has a copy, even if that makes too many.
                if stars <= STARS || count == 1 {
                    longer.push((stars, [crowd.as_slice(), &[count]].concat()));
                }
            }
        }
        crowds = longer;
    }
    crowds.sort_by_key(|(_, crowd)| crowd.iter().sum::<u64>());
    let mut scopes = Vec::new();
    for (_, crowd) in crowds {
        let ids = (0u32..).zip(&crowd);
        let threads = ids.flat_map(|(id, &count)| (0..count).map(move |_| ThreadId(id))).collect();
        let base = Scope::new(program, threads);
        scopes.extend(with_consts(&base, &crowd));
    }
    complete &= scopes.len() <= WORLDS;
    scopes.truncate(WORLDS);
    (scopes, complete)
}

/// The world with every choice of its constants.
fn with_consts<'p>(base: &Scope<'p>, crowd: &[u64]) -> Vec<Scope<'p>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for (at, constant) in base.program.consts.iter().enumerate() {
        let counted =
            base.program.threads.iter().zip(crowd).find(
                |(thread, _)| matches!(thread.count, Count::Symbolic(id) if id.index() == at),
            );
        let values = match (&constant.value, counted) {
            (Some(value), _) => vec![known(value)],
            (None, Some((_, &count))) => vec![Value::Int(i128::from(count))],
            (None, None) => base.domain(&constant.ty).values,
        };
        let extended = |row: &Vec<Value>| {
            let row = row.clone();
            values.clone().into_iter().map(move |value| [row.as_slice(), &[value]].concat())
        };
        rows = rows.iter().flat_map(extended).collect();
    }
    let scope = |consts| Scope {
        program: base.program,
        threads: base.threads.clone(),
        consts,
        ints: base.ints.clone(),
    };
    rows.into_iter().map(scope).collect()
}

fn known(value: &hir::Value) -> Value {
    match value {
        hir::Value::Int(value) => Value::Int(*value),
        hir::Value::Bool(value) => Value::Bool(*value),
        hir::Value::Variant(_, at) => Value::Variant(*at),
    }
}

/// The integers that stand in a condition on the initial store, and their successors.
fn literals(expr: &hir::Expr, into: &mut BTreeSet<i128>) {
    use hir::ExprKind as Kind;
    match &expr.kind {
        Kind::Int(value) if expr.ty != Ty::Tid && value.abs() < 1000 => {
            into.extend([*value, value + 1]);
        }
        Kind::Not(a) | Kind::Neg(a) | Kind::ConstMap(a) | Kind::At(a, _) => literals(a, into),
        Kind::Quantified(_, _, a) => literals(a, into),
        Kind::And(all) | Kind::Or(all) | Kind::Set(all) | Kind::Pred { args: all, .. } => {
            all.iter().for_each(|one| literals(one, into));
        }
        Kind::Binary(_, a, b) | Kind::Index(a, b) | Kind::In(a, b) => {
            literals(a, into);
            literals(b, into);
        }
        Kind::Conditional(a, b, c) | Kind::Update(a, b, c) => {
            [a, b, c].into_iter().for_each(|one| literals(one, into));
        }
        _ => {}
    }
}
