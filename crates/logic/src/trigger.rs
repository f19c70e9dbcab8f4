//! Chooses the terms that make the solver instantiate a quantifier.
//!
//! A trigger is a set of uninterpreted terms that together mention all bound variables. Rely
//! chooses them itself, so that a proof does not depend on the solver's guess. It prefers one small
//! term, and none that makes its own next instance.

use crate::term::{Binder, Node, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// More alternatives than this only slow the solver down.
const MAX_ALTERNATIVES: usize = 4;

/// Alternatives of triggers for a quantifier over `binders`; empty if the body has no fitting
/// terms.
pub fn find_triggers(terms: &Terms, binders: &[Binder], body: Term) -> Vec<Vec<Term>> {
    let wanted: BTreeSet<Binder> = binders.iter().copied().collect();
    let mut collector = Collector { terms, wanted: &wanted, bound: BTreeMap::new() };
    let candidates = collector.candidates(body);
    let safe: Vec<Term> =
        candidates.iter().copied().filter(|&c| !loops(terms, c, &candidates)).collect();
    let chosen = if covers_all(&collector, &safe, &wanted) { safe } else { candidates };
    let singles: Vec<Vec<Term>> = chosen
        .iter()
        .filter(|term| collector.bound[term] == wanted)
        .take(MAX_ALTERNATIVES)
        .map(|&term| vec![term])
        .collect();
    if !singles.is_empty() {
        return singles;
    }
    let mut together = Vec::new();
    let mut covered = BTreeSet::new();
    for term in chosen {
        if !collector.bound[&term].is_subset(&covered) {
            covered.extend(collector.bound[&term].iter().copied());
            together.push(term);
        }
    }
    if covered == wanted { vec![together] } else { Vec::new() }
}

/// Whether the solver can match these terms: applications that together mention all bound
/// variables.
pub(crate) fn is_trigger(terms: &Terms, binders: &[Binder], parts: &[Term]) -> bool {
    let wanted: BTreeSet<Binder> = binders.iter().copied().collect();
    let mut collector = Collector { terms, wanted: &wanted, bound: BTreeMap::new() };
    parts.iter().for_each(|&part| collector.visit(part, &mut Vec::new()));
    let is_head = |&part: &Term| {
        matches!(terms.node(part), Node::Select(..) | Node::Apply(..) | Node::Store(..))
    };
    parts.iter().all(is_head) && covers_all(&collector, parts, &wanted)
}

fn covers_all(collector: &Collector<'_>, terms: &[Term], wanted: &BTreeSet<Binder>) -> bool {
    let covered: BTreeSet<Binder> =
        terms.iter().flat_map(|term| collector.bound[term].iter().copied()).collect();
    covered == *wanted
}

/// Whether an instance of `candidate` makes a larger term of the same head and array, as `f[i]`
/// does beside `f[g[i]]`.
fn loops(terms: &Terms, candidate: Term, all: &[Term]) -> bool {
    all.iter().any(|&other| {
        other != candidate
            && same_head(terms, candidate, other)
            && depth(terms, other) > depth(terms, candidate)
    })
}

fn same_head(terms: &Terms, a: Term, b: Term) -> bool {
    match (terms.node(a), terms.node(b)) {
        (Node::Apply(f, _), Node::Apply(g, _)) => f == g,
        (Node::Select(m, _), Node::Select(n, _)) => m == n,
        _ => false,
    }
}

fn depth(terms: &Terms, term: Term) -> usize {
    1 + terms.node(term).children().into_iter().map(|child| depth(terms, child)).max().unwrap_or(0)
}

struct Collector<'a> {
    terms: &'a Terms,
    wanted: &'a BTreeSet<Binder>,
    /// The wanted variables in each visited term.
    bound: BTreeMap<Term, BTreeSet<Binder>>,
}

impl Collector<'_> {
    /// Uninterpreted terms that mention a wanted variable, smallest first, then in order of
    /// occurrence.
    fn candidates(&mut self, body: Term) -> Vec<Term> {
        let mut order = Vec::new();
        self.visit(body, &mut order);
        let mut fitting: Vec<Term> = order
            .into_iter()
            .filter(|&term| !self.bound[&term].is_empty() && self.is_pattern(term))
            .collect();
        fitting.sort_by_key(|&term| depth(self.terms, term));
        fitting
    }

    fn visit(&mut self, term: Term, order: &mut Vec<Term>) {
        if self.bound.contains_key(&term) {
            return;
        }
        let mut mentioned = BTreeSet::new();
        if let Node::Bound(binder) = self.terms.node(term)
            && self.wanted.contains(binder)
        {
            mentioned.insert(*binder);
        }
        for child in self.terms.node(term).children() {
            self.visit(child, order);
            mentioned.extend(self.bound[&child].iter().copied());
        }
        self.bound.insert(term, mentioned);
        order.push(term);
    }

    /// A map or function applied, with nothing interpreted around the bound variables inside, and
    /// no variable of an inner quantifier.
    fn is_pattern(&self, term: Term) -> bool {
        matches!(self.terms.node(term), Node::Select(..) | Node::Apply(..)) && self.is_plain(term)
    }

    fn is_plain(&self, term: Term) -> bool {
        match self.terms.node(term) {
            Node::Bound(binder) => self.wanted.contains(binder),
            Node::Constant(_) | Node::Int(_) | Node::Bool(_) => true,
            Node::Select(..) | Node::Apply(..) => {
                self.terms.node(term).children().into_iter().all(|child| self.is_plain(child))
            }
            _ => false,
        }
    }
}
