//! Reading models: which sites fail, and along which runs.

use crate::MarkId;
use crate::conditions::ancestors;
use crate::passive::{Event, NodeId};
use crate::solve::{Outcome, Solver};
use logic::{Node, Symbol, Term, Terms};
use smt::Value;
use std::collections::BTreeMap;
use verdict::StopReason;

/// A run that fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What happens along the run, in order.
    pub events: Vec<PathEvent>,
    /// Indices of the parts of the check that are false.
    pub failed_parts: Vec<usize>,
    /// Values of the observed symbols.
    pub observed: Vec<(Symbol, Value)>,
    /// Whether the solver could not decide a quantifier, so that the run is only a candidate.
    pub candidate: bool,
}

/// Something that happens along a run.
#[derive(Clone, Debug)]
pub enum PathEvent {
    /// The variable has this value from here on.
    Bind(Symbol, Value),
    /// A point to be shown.
    Mark(MarkId),
}

impl Solver<'_, '_> {
    /// The sites that fail in the present model.
    pub(crate) fn failing(&mut self, open: &[usize]) -> Vec<usize> {
        let flags: Vec<Term> = open
            .iter()
            .filter_map(|&site| self.question.conditions.sites[site])
            .map(|(flag, _)| flag)
            .collect();
        let values = self.truths(&flags);
        open.iter().zip(&values).filter(|&(_, &fails)| fails).map(|(&site, _)| site).collect()
    }

    /// Takes the sites that fail in the present model out of `open`. False if there is none, which
    /// no honest solver does.
    pub(crate) fn record_failures(&mut self, open: &mut Vec<usize>, candidate: bool) -> bool {
        let failing = self.failing(open);
        for &site in &failing {
            let outcome = match self.failure(site, candidate) {
                Some(failure) => Outcome::Failed(Box::new(failure)),
                None => Outcome::Unknown(no_failure_in_model()),
            };
            self.outcomes.insert(site, outcome);
        }
        open.retain(|site| !failing.contains(site));
        !failing.is_empty()
    }

    /// Reads the run that fails at `site` off the present model.
    pub(crate) fn failure(&mut self, site: usize, candidate: bool) -> Option<Failure> {
        let question = self.question;
        let site = &question.graph.sites[site];
        let path = self.path_to(site.node)?;
        let mut events = Vec::new();
        let mut symbols: Vec<Symbol> = question.observed.to_vec();
        for node in path {
            for event in &question.graph.nodes[node].events {
                if let Event::Bind { incarnation, .. } = event {
                    symbols.push(*incarnation);
                }
                events.push(*event);
            }
        }
        let text = |symbol: &Symbol| match question.maps.get(symbol) {
            Some(&map) => logic::print(question.terms, map),
            None => logic::symbol_text(question.terms, *symbol),
        };
        let texts: Vec<String> = symbols.iter().map(text).collect();
        let values = self.session.values(&texts).ok()?;
        let values: Vec<Value> = values.iter().map(Value::from_sexp).collect();
        let (observed, bound) = values.split_at(question.observed.len());
        let mut bound = bound.iter().cloned();
        let events = events
            .into_iter()
            .map(|event| match event {
                Event::Bind { variable, .. } => {
                    bound.next().map(|value| PathEvent::Bind(variable, value))
                }
                Event::Mark(mark) => Some(PathEvent::Mark(mark)),
            })
            .collect::<Option<Vec<_>>>()?;
        let held = self.truths(&site.parts);
        let failed_parts = (0..held.len()).filter(|&index| !held[index]).collect();
        let observed = question.observed.iter().copied().zip(observed.iter().cloned()).collect();
        Some(Failure { events, failed_parts, observed, candidate })
    }

    /// A path from the entry whose nodes are all reached in the present model.
    pub(crate) fn path_to(&mut self, node: NodeId) -> Option<Vec<usize>> {
        let question = self.question;
        let nodes = ancestors(question.graph, std::iter::once(node));
        let flags: Vec<Term> = nodes.iter().map(|&node| question.conditions.reach[node]).collect();
        let reached: BTreeMap<usize, bool> =
            nodes.iter().copied().zip(self.truths(&flags)).collect();
        let mut path = vec![node.0 as usize];
        while let Some(&last) = path.last() {
            let before = &question.graph.nodes[last].predecessors;
            if before.is_empty() {
                break;
            }
            let next =
                before.iter().map(|p| p.0 as usize).find(|p| reached.get(p) == Some(&true))?;
            path.push(next);
        }
        path.reverse();
        Some(path)
    }

    /// Whether each of these formulas is true in the present model.
    pub(crate) fn truths(&mut self, flags: &[Term]) -> Vec<bool> {
        let texts: Vec<String> =
            flags.iter().map(|&flag| logic::print(self.question.terms, flag)).collect();
        match self.session.values(&texts) {
            Ok(values) => {
                values.iter().map(|value| Value::from_sexp(value) == Value::Bool(true)).collect()
            }
            Err(_) => vec![false; flags.len()],
        }
    }

    /// All sites that fail in the present model, also those whose flags do not say so.
    pub(crate) fn all_failing(&mut self, open: &[usize]) -> Vec<usize> {
        let mut failing = self.failing(open);
        failing.extend(self.also_failing(open, &failing));
        failing
    }

    /// Further sites that the present model reaches and in which they fail, although the solver did
    /// not have to make them. Only those about which the model says all: terms that the solver
    /// has not met have no value that means something.
    fn also_failing(&mut self, open: &[usize], known: &[usize]) -> Vec<usize> {
        let question = self.question;
        let mut asked = Vec::new();
        let mut flags = Vec::new();
        for &site in open.iter().filter(|site| !known.contains(site)) {
            let about = &question.graph.sites[site];
            if about.parts.iter().all(|&part| is_propositional(question.terms, part)) {
                asked.push(site);
                flags.push(question.conditions.reach[about.node.0 as usize]);
                flags.extend(about.parts.iter().copied());
            }
        }
        let mut truths = self.truths(&flags).into_iter();
        asked.retain(|&site| {
            let reached = truths.next() == Some(true);
            let parts = truths.by_ref().take(question.graph.sites[site].parts.len());
            let holds: Vec<bool> = parts.collect();
            reached && holds.contains(&false)
        });
        asked
    }
}

/// Whether the term is made of constants, connectives and equations of constants.
fn is_propositional(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Select(..) | Node::Store(..) | Node::Apply(..) | Node::Quantified { .. } => false,
        node => node.children().into_iter().all(|child| is_propositional(terms, child)),
    }
}

pub(crate) fn no_failure_in_model() -> StopReason {
    StopReason::SolverFailed("the model does not show which check fails".to_owned())
}
