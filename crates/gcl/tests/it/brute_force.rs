//! What loop-free code does, by trying everything. Formulas are evaluated from the same small
//! language they are built in.

use crate::program::{Program, check};
use gcl::Stmt;
use logic::Term;
use std::collections::{BTreeMap, BTreeSet};

/// The values of `x`, `y`, `z` (numbers) and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Store {
    pub(crate) numbers: [i128; 3],
    pub(crate) flag: bool,
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Flag,
    /// One of the numbers and a bound.
    AtMost(usize, i128),
    /// Two of the numbers.
    Same(usize, usize),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
}

/// A command; the obligation of a check is its number in the order of making.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// The first number gets the second plus something.
    Add(usize, usize, i128),
    /// Two numbers change places.
    Swap(usize, usize),
    Flag(Condition),
    /// `z` and `b` become arbitrary; `x` and `y` have too many values to be tried.
    Forget,
    Assume(Condition),
    Assert {
        number: u32,
        parts: Vec<Condition>,
        then_known: bool,
    },
    Choice(Vec<Vec<Command>>),
    Block(u32, Vec<Command>),
    Exit(u32),
}

impl Condition {
    pub(crate) fn holds(&self, store: &Store) -> bool {
        match self {
            Self::Flag => store.flag,
            Self::AtMost(number, bound) => store.numbers[*number] <= *bound,
            Self::Same(a, b) => store.numbers[*a] == store.numbers[*b],
            Self::Not(inner) => !inner.holds(store),
            Self::Both(a, b) => a.holds(store) && b.holds(store),
        }
    }

    pub(crate) fn term(&self, p: &mut Program) -> Term {
        let variables = [p.x, p.y, p.z];
        match self {
            Self::Flag => p.value(p.b),
            Self::AtMost(number, bound) => p.at_most(variables[*number], *bound),
            Self::Same(a, b) => {
                let (a, b) = (p.value(variables[*a]), p.value(variables[*b]));
                p.terms.eq(a, b)
            }
            Self::Not(inner) => {
                let inner = inner.term(p);
                p.terms.not(inner)
            }
            Self::Both(a, b) => {
                let parts = vec![a.term(p), b.term(p)];
                p.terms.and(parts)
            }
        }
    }
}

impl Command {
    pub(crate) fn stmt(&self, p: &mut Program) -> Stmt {
        let variables = [p.x, p.y, p.z];
        match self {
            Self::Add(to, from, number) => {
                Stmt::Assign(vec![(variables[*to], p.plus(variables[*from], *number))])
            }
            Self::Swap(a, b) => {
                let (left, right) = (p.value(variables[*a]), p.value(variables[*b]));
                Stmt::Assign(vec![(variables[*a], right), (variables[*b], left)])
            }
            Self::Flag(value) => Stmt::Assign(vec![(p.b, value.term(p))]),
            Self::Forget => Stmt::Havoc(vec![p.z, p.b]),
            Self::Assume(condition) => Stmt::Assume(condition.term(p)),
            Self::Assert { number, parts, then_known } => {
                let parts = parts.iter().map(|part| part.term(p)).collect();
                Stmt::Assert(vec![check(*number, parts, *then_known)])
            }
            Self::Choice(branches) => {
                Stmt::Choice(branches.iter().map(|branch| stmts(branch, p)).collect())
            }
            Self::Block(label, inner) => Stmt::Block(gcl::BlockLabel(*label), stmts(inner, p)),
            Self::Exit(label) => Stmt::Exit(gcl::BlockLabel(*label)),
        }
    }
}

pub(crate) fn stmts(commands: &[Command], p: &mut Program) -> Vec<Stmt> {
    commands.iter().map(|command| command.stmt(p)).collect()
}

type Stores = BTreeSet<Store>;

/// All runs from some stores.
#[derive(Default)]
pub(crate) struct Runs {
    /// The obligations that fail, and the parts that fail together in some run.
    pub(crate) failures: BTreeMap<u32, BTreeSet<Vec<usize>>>,
    exits: BTreeMap<u32, Stores>,
}

impl Runs {
    /// The stores in which runs get to the end.
    pub(crate) fn follow(&mut self, commands: &[Command], mut stores: Stores) -> Stores {
        for command in commands {
            stores = self.step(command, stores);
        }
        stores
    }

    fn step(&mut self, command: &Command, stores: Stores) -> Stores {
        let each = |change: &dyn Fn(&mut Store)| -> Stores {
            let changed = |&(mut store): &Store| {
                change(&mut store);
                store
            };
            stores.iter().map(changed).collect()
        };
        match command {
            Command::Add(to, from, number) => {
                each(&|store| store.numbers[*to] = store.numbers[*from] + number)
            }
            Command::Swap(a, b) => each(&|store| store.numbers.swap(*a, *b)),
            Command::Flag(value) => each(&|store| store.flag = value.holds(store)),
            Command::Forget => stores.iter().flat_map(arbitrary).collect(),
            Command::Assume(condition) => {
                stores.into_iter().filter(|store| condition.holds(store)).collect()
            }
            Command::Assert { number, parts, then_known } => {
                let failing = |store: &Store| -> Vec<usize> {
                    (0..parts.len()).filter(|&part| !parts[part].holds(store)).collect()
                };
                for failed in stores.iter().map(failing).filter(|failed| !failed.is_empty()) {
                    self.failures.entry(*number).or_default().insert(failed);
                }
                stores
                    .into_iter()
                    .filter(|store| !*then_known || failing(store).is_empty())
                    .collect()
            }
            Command::Choice(branches) => {
                branches.iter().flat_map(|branch| self.follow(branch, stores.clone())).collect()
            }
            Command::Block(label, inner) => {
                let mut ends = self.follow(inner, stores);
                ends.extend(self.exits.remove(label).unwrap_or_default());
                ends
            }
            Command::Exit(label) => {
                self.exits.entry(*label).or_default().extend(stores);
                Stores::new()
            }
        }
    }
}

fn arbitrary(store: &Store) -> Vec<Store> {
    let [x, y, _] = store.numbers;
    let values = (0..=3).flat_map(|z| [(z, false), (z, true)]);
    values.map(|(z, flag)| Store { numbers: [x, y, z], flag }).collect()
}
