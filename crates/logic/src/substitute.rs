//! Replacing constants by terms, and listing them. Shared parts are visited once; deep terms do not
//! use the call stack.

use crate::term::{ArithmeticOp, Node, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// `term` with every constant replaced as `map` says. Replacements must not mention bound
/// variables, so none is captured.
pub fn substitute(terms: &mut Terms, term: Term, map: &dyn Fn(Symbol) -> Option<Term>) -> Term {
    let mut done: BTreeMap<Term, Term> = BTreeMap::new();
    let mut stack = vec![term];
    while let Some(&top) = stack.last() {
        if done.contains_key(&top) {
            stack.pop();
            continue;
        }
        let node = terms.node(top).clone();
        let waiting: Vec<Term> =
            below(&node).into_iter().filter(|child| !done.contains_key(child)).collect();
        if waiting.is_empty() {
            let new = rebuild(terms, top, node, &done, map);
            done.insert(top, new);
            stack.pop();
        } else {
            stack.extend(waiting);
        }
    }
    done[&term]
}

/// All constants that occur in the term, triggers included.
pub fn free_symbols(terms: &Terms, term: Term) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![term];
    while let Some(top) = stack.pop() {
        if !seen.insert(top) {
            continue;
        }
        let node = terms.node(top);
        if let Node::Constant(symbol) = node {
            found.insert(*symbol);
        }
        stack.extend(below(node));
    }
    found
}

/// Children and triggers.
fn below(node: &Node) -> Vec<Term> {
    let mut all = node.children();
    if let Node::Quantified { triggers, .. } = node {
        all.extend(triggers.iter().flatten().copied());
    }
    all
}

/// The term with new children.
pub(crate) fn rebuild(
    terms: &mut Terms,
    term: Term,
    node: Node,
    done: &BTreeMap<Term, Term>,
    map: &dyn Fn(Symbol) -> Option<Term>,
) -> Term {
    let at = |child: Term| done[&child];
    let all = |children: Vec<Term>| -> Vec<Term> { children.into_iter().map(at).collect() };
    match node {
        Node::Bool(_) | Node::Int(_) | Node::Real(..) | Node::Bound(_) => term,
        Node::Constant(symbol) => map(symbol).unwrap_or(term),
        Node::Apply(func, args) => terms.apply(func, all(args)),
        Node::Not(a) => terms.not(at(a)),
        Node::And(parts) => terms.and(all(parts)),
        Node::Or(parts) => terms.or(all(parts)),
        Node::Implies(a, b) => terms.implies(at(a), at(b)),
        Node::Eq(a, b) => terms.eq(at(a), at(b)),
        Node::Distinct(parts) => terms.distinct(all(parts)),
        Node::Ite(a, b, c) => terms.ite(at(a), at(b), at(c)),
        Node::Add(parts) => terms.add(all(parts)),
        Node::Neg(a) => terms.neg(at(a)),
        Node::ToReal(a) => terms.to_real(at(a)),
        Node::Arithmetic(op, a, b) => match op {
            ArithmeticOp::Mul => terms.mul(at(a), at(b)),
            ArithmeticOp::Div => terms.div(at(a), at(b)),
            ArithmeticOp::Mod => terms.modulo(at(a), at(b)),
            ArithmeticOp::Lt => terms.lt(at(a), at(b)),
            ArithmeticOp::Le => terms.le(at(a), at(b)),
        },
        Node::Select(a, b) => terms.select(at(a), at(b)),
        Node::Store(a, b, c) => terms.store(at(a), at(b), at(c)),
        Node::ConstArray(key, a) => terms.const_array(key, at(a)),
        Node::Set(op, a, b) => terms.set_op(op, at(a), at(b)),
        Node::Quantified { quantifier, binders, triggers, body } => {
            let triggers = triggers.into_iter().map(all).collect();
            terms.quantified(quantifier, binders, triggers, at(body))
        }
    }
}
