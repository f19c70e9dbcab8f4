//! Universal quantifiers, written so that the solver instantiates them where it helps.
//!
//! `forall n :: A ==> B && C` is `(forall n :: A ==> B) && (forall n :: A ==> C)`. Apart, each has
//! its own triggers, and an instance of one does not make terms that only the other needs. That
//! matters for linked structures: in
//!
//! ```text
//! forall n :: old[n] ==> old'[n] && next'[n] == next[n]
//! forall n :: old[n] ==> old[next[n]]
//! ```
//!
//! an instance of the second makes the term `old[next[n]]`, hence an instance of the first for
//! `next[n]`. If that makes `next[next[n]]`, the second goes on with it, and so on for ever.

use crate::Context;
use logic::{Binder, Node, Quantifier, Term};

impl Context<'_> {
    /// `forall vars :: inside ==> body`, or an equivalent conjunction.
    pub(crate) fn for_all(&mut self, vars: Vec<Binder>, inside: Term, body: Term) -> Term {
        let mut conclusions = Vec::new();
        self.conclusions(vec![inside], body, &mut conclusions);
        let mut parts = Vec::new();
        for (premises, conclusion) in conclusions {
            let triggers = self.frame_triggers(conclusion);
            let premise = self.terms.and(premises);
            let body = self.terms.implies(premise, conclusion);
            parts.push(self.terms.quantified(Quantifier::Forall, vars.clone(), triggers, body));
        }
        if parts.iter().any(|&part| self.has_no_trigger(part)) {
            let body = self.terms.implies(inside, body);
            return self.terms.quantified(Quantifier::Forall, vars, Vec::new(), body);
        }
        self.terms.and(parts)
    }

    /// Premises and conclusions of implications whose conjunction is `premises ==> body`.
    fn conclusions(&self, premises: Vec<Term>, body: Term, out: &mut Vec<(Vec<Term>, Term)>) {
        match self.terms.node(body) {
            Node::And(parts) => {
                parts.iter().for_each(|&part| self.conclusions(premises.clone(), part, out));
            }
            Node::Implies(premise, conclusion) => {
                let mut premises = premises;
                premises.push(*premise);
                self.conclusions(premises, *conclusion, out);
            }
            _ => out.push((premises, body)),
        }
    }

    /// `f[k] == g[k]` says something only where one of the two is spoken of, and `f[k] != null`
    /// only where `f[k]` is: they are the triggers, the premise is not. Otherwise `shared[k]` would
    /// make `f[k]`, of which another formula may make `shared[f[k]]`, and so on for ever.
    fn frame_triggers(&self, conclusion: Term) -> Vec<Vec<Term>> {
        match *self.terms.node(conclusion) {
            Node::Eq(left, right) => match (self.terms.node(left), self.terms.node(right)) {
                (Node::Select(_, one), Node::Select(_, two))
                    if one == two && self.is_place(left) && self.is_place(right) =>
                {
                    vec![vec![left], vec![right]]
                }
                _ => Vec::new(),
            },
            Node::Not(inner) => match *self.terms.node(inner) {
                Node::Eq(left, right) => self.place_beside_constant(left, right),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The element of a variable that stands beside a constant.
    fn place_beside_constant(&self, left: Term, right: Term) -> Vec<Vec<Term>> {
        let is_constant = |term| matches!(self.terms.node(term), Node::Constant(_) | Node::Int(_));
        let element = if is_constant(right) { left } else { right };
        let is_element = matches!(self.terms.node(element), Node::Select(..));
        let fits = (is_constant(left) || is_constant(right)) && is_element;
        if fits && self.is_place(element) { vec![vec![element]] } else { Vec::new() }
    }

    /// A variable, or an element of one at bound variables.
    fn is_place(&self, term: Term) -> bool {
        match *self.terms.node(term) {
            Node::Constant(_) => true,
            Node::Select(map, key) => {
                self.is_place(map) && matches!(self.terms.node(key), Node::Bound(_))
            }
            _ => false,
        }
    }

    fn has_no_trigger(&self, term: Term) -> bool {
        matches!(self.terms.node(term), Node::Quantified { triggers, .. } if triggers.is_empty())
    }
}
