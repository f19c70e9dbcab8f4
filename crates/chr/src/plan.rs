//! The order in which the engine looks for partners.

use crate::program::{Atom, Expr, Rule, Variable};
use std::collections::BTreeSet;

/// A place of a predicate in the head of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    pub(crate) rule: usize,
    /// The head that the active constraint matches.
    pub(crate) head: usize,
    /// The guard parts that can be tested before any partner is known.
    pub(crate) guard: Vec<usize>,
    /// The other heads, in the order in which the engine looks for partners.
    pub(crate) partners: Vec<Partner>,
}

/// A head for which the engine looks for a partner.
#[derive(Clone, Debug)]
pub(crate) struct Partner {
    pub(crate) head: usize,
    /// The arguments whose values are known before: those of the index.
    pub(crate) known: Vec<usize>,
    /// The guard parts that can be tested once the partner is found.
    pub(crate) guard: Vec<usize>,
}

/// For each predicate its occurrences in the order of the text. In a simpagation rule the heads
/// that are removed are tried after those that stay, as they are written.
pub(crate) fn occurrences(predicates: usize, rules: &[Rule]) -> Vec<Vec<Occurrence>> {
    let mut all = vec![Vec::new(); predicates];
    for (number, rule) in rules.iter().enumerate() {
        for (head, atom) in rule.heads.iter().enumerate() {
            all[atom.predicate.0 as usize].push(occurrence(number, rule, head));
        }
    }
    all
}

fn occurrence(number: usize, rule: &Rule, head: usize) -> Occurrence {
    let mut bound: BTreeSet<Variable> = BTreeSet::new();
    let mut tested: BTreeSet<usize> = BTreeSet::new();
    bind(&rule.heads[head], &mut bound);
    let guard = newly_testable(rule, &bound, &mut tested);
    let mut left: Vec<usize> = (0..rule.heads.len()).filter(|&other| other != head).collect();
    let mut partners = Vec::new();
    while !left.is_empty() {
        let count = |&other: &usize| known(&rule.heads[other], &bound).len();
        let most = left.iter().map(count).max().unwrap_or(0);
        let at = left.iter().position(|other| count(other) == most).unwrap_or(0);
        let chosen = left.remove(at);
        let known = known(&rule.heads[chosen], &bound);
        bind(&rule.heads[chosen], &mut bound);
        let guard = newly_testable(rule, &bound, &mut tested);
        partners.push(Partner { head: chosen, known, guard });
    }
    Occurrence { rule: number, head, guard, partners }
}

fn known(atom: &Atom, bound: &BTreeSet<Variable>) -> Vec<usize> {
    let is_known = |argument: &Expr| match argument {
        Expr::Variable(variable) => bound.contains(variable),
        _ => true,
    };
    (0..atom.arguments.len()).filter(|&at| is_known(&atom.arguments[at])).collect()
}

fn bind(atom: &Atom, bound: &mut BTreeSet<Variable>) {
    for argument in &atom.arguments {
        variables(argument, bound);
    }
}

/// The guard parts that became testable; they are not returned again.
fn newly_testable(
    rule: &Rule,
    bound: &BTreeSet<Variable>,
    tested: &mut BTreeSet<usize>,
) -> Vec<usize> {
    let mut now = Vec::new();
    for (at, part) in rule.guard.iter().enumerate() {
        let mut needed = BTreeSet::new();
        variables(&part.left, &mut needed);
        variables(&part.right, &mut needed);
        if needed.is_subset(bound) && tested.insert(at) {
            now.push(at);
        }
    }
    now
}

/// Adds the variables of an expression.
pub(crate) fn variables(expr: &Expr, into: &mut BTreeSet<Variable>) {
    match expr {
        Expr::Variable(variable) => {
            into.insert(*variable);
        }
        Expr::Constant(_) => {}
        Expr::Add(both) | Expr::Subtract(both) | Expr::Multiply(both) | Expr::Modulo(both) => {
            both.iter().for_each(|one| variables(one, into));
        }
    }
}
