//! A world: a program at a scope, that is, how many copies of each thread run and what the
//! constants are.

use crate::value::Value;
use plato::hir::{self, Count, Program, ThreadId, Ty};
use std::cell::Cell;
use std::collections::BTreeSet;

/// One world of a program. Threads are numbered from 0 in the order of their declarations; the
/// identifier of the thread with number `i` is `i + 1`.
#[derive(Clone, Debug)]
pub struct Scope<'p> {
    /// The program.
    pub program: &'p Program,
    /// Of which declaration each running thread is a copy.
    pub threads: Vec<ThreadId>,
    /// The values of the constants.
    pub consts: Vec<Value>,
    /// What is tried for an arbitrary integer.
    pub(crate) ints: Vec<i128>,
    /// What other worlds the program has, if it has any: then nothing can be proved by looking at
    /// this one.
    pub partial: Option<String>,
    /// Whether a quantifier over infinitely many values was answered by trying some, or a formula
    /// has no known value.
    pub(crate) guessed: Cell<bool>,
}

/// Which worlds to look at.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Limit on the copies of all families `T[*]` together, and of each `T[N]` without a value
    /// of N.
    pub copies: u64,
    /// A family `T[n]` with more copies than this is run with two; nothing is proved then.
    pub known_copies: u64,
    /// Limit on the worlds.
    pub worlds: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { copies: 3, known_copies: u64::MAX, worlds: 40 }
    }
}

/// What is tried for an arbitrary integer.
const INTS: [i128; 4] = [-1, 0, 1, 2];

impl<'p> Scope<'p> {
    /// The identifier of the last thread.
    pub(crate) fn thread_count(&self) -> u32 {
        source::number(self.threads.len())
    }

    /// The identifiers of the running copies of a thread.
    pub(crate) fn copies(&self, thread: ThreadId) -> BTreeSet<Value> {
        let copies = (1..).zip(&self.threads).filter(|(_, id)| **id == thread);
        copies.map(|(tid, _)| Value::Tid(tid)).collect()
    }

    /// The name of a running thread: that of its declaration, and in a family which of the copies
    /// it is.
    pub fn thread_name(&self, thread: usize) -> String {
        let id = self.threads[thread];
        let declared = &self.program.threads[id.index()];
        if declared.count == Count::One {
            return declared.name.to_string();
        }
        let before = self.threads[..thread].iter().filter(|other| **other == id).count();
        format!("{}#{}", declared.name, before + 1)
    }

    fn new(program: &'p Program, threads: Vec<ThreadId>, partial: Option<String>) -> Self {
        let mut ints = BTreeSet::from(INTS);
        for init in &program.inits {
            literals(&init.expr, &mut ints);
        }
        let ints = ints.into_iter().collect();
        Self { program, threads, consts: Vec::new(), ints, partial, guessed: Cell::new(false) }
    }
}

/// The worlds to look at, smallest first. The program has no others if there is one and its
/// `partial` is `None`.
pub fn worlds<'p>(program: &'p Program, sizes: &Sizes) -> Vec<Scope<'p>> {
    let mut partial = None;
    let mut crowds: Vec<(u64, Vec<u64>)> = vec![(0, Vec::new())];
    for thread in &program.threads {
        let counts: Vec<u64> = match thread.count {
            Count::One => vec![1],
            Count::Copies(count) if count <= sizes.known_copies => vec![count],
            Count::Copies(_) => vec![2],
            Count::Symbolic(_) | Count::Any => (1..=sizes.copies.max(1)).collect(),
        };
        let is_star = matches!(thread.count, Count::Any);
        if !matches!(thread.count, Count::One | Count::Copies(_))
            || matches!(thread.count, Count::Copies(count) if count > sizes.known_copies)
        {
            partial = Some(format!("runs with more copies of `{}` were not tried", thread.name));
        }
        let mut longer = Vec::new();
        for (stars, crowd) in &crowds {
            for &count in &counts {
                let stars = if is_star { stars + count } else { *stars };
                // Every family has a copy, even if that makes too many.
                if stars <= sizes.copies || count == 1 {
                    longer.push((stars, [crowd.as_slice(), &[count]].concat()));
                }
            }
        }
        crowds = longer;
    }
    crowds.sort_by_key(|(_, crowd)| crowd.iter().sum::<u64>());
    let mut scopes = Vec::new();
    for (_, crowd) in crowds {
        scopes.extend(self::crowd(program, &crowd).into_iter().map(|mut scope| {
            scope.partial = scope.partial.or_else(|| partial.clone());
            scope
        }));
    }
    if scopes.len() > sizes.worlds {
        scopes.truncate(sizes.worlds);
        for scope in &mut scopes {
            scope.partial.get_or_insert("not all values of the constants were tried".to_owned());
        }
    }
    scopes
}

/// The worlds with these numbers of copies of each thread, in the order of their declarations: one
/// for every choice of the constants. That the program may have others is for the caller to argue.
pub fn crowd<'p>(program: &'p Program, copies: &[u64]) -> Vec<Scope<'p>> {
    let ids = (0u32..).zip(copies);
    let threads = ids.flat_map(|(id, &count)| (0..count).map(move |_| ThreadId(id))).collect();
    let partial = program
        .opaques
        .first()
        .map(|opaque| format!("only two values of `{}` were tried", opaque.name));
    with_consts(&Scope::new(program, threads, partial), copies)
}

/// The world with every choice of its constants.
fn with_consts<'p>(base: &Scope<'p>, crowd: &[u64]) -> Vec<Scope<'p>> {
    let mut partial = base.partial.clone();
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for (at, constant) in base.program.consts.iter().enumerate() {
        let counted =
            base.program.threads.iter().zip(crowd).find(
                |(thread, _)| matches!(thread.count, Count::Symbolic(id) if id.index() == at),
            );
        let values = match (&constant.value, counted) {
            (Some(value), _) => vec![known(value)],
            (None, Some((_, &count))) => vec![Value::Int(i128::from(count))],
            (None, None) => {
                let domain = base.domain(&constant.ty);
                if !domain.complete {
                    let name = &constant.name;
                    partial.get_or_insert(format!("not all values of `{name}` were tried"));
                }
                domain.values
            }
        };
        let extended = |row: &Vec<Value>| {
            let row = row.clone();
            values.clone().into_iter().map(move |value| [row.as_slice(), &[value]].concat())
        };
        rows = rows.iter().flat_map(extended).collect();
    }
    let scope = |consts| Scope { consts, partial: partial.clone(), ..base.clone() };
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
        Kind::Int(value) if expr.ty != Ty::Tid && value.unsigned_abs() < 1000 => {
            into.extend([*value, value + 1]);
        }
        _ => expr.children().into_iter().for_each(|child| literals(child, into)),
    }
}
