//! The solver decides groups of sites. One of the two places where evidence of a proof is made.

use crate::MarkId;
use crate::conditions::{Conditions, Group, ancestors};
use crate::passive::{Cover, Event, Graph, NodeId};
use logic::{Script, Symbol, Term, Terms};
use smt::{Answer, Session, Value};
use std::collections::BTreeMap;
use verdict::{Evidence, ObligationId, StopReason};

/// What is asked about: a graph with its formulas.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The store of all terms.
    pub terms: &'a Terms,
    /// The code.
    pub graph: &'a Graph,
    /// Its formulas.
    pub conditions: &'a Conditions,
    /// Name and version of the solver, for the evidence.
    pub solver: &'a str,
    /// Symbols beside the variables whose values are wanted with a failure.
    pub observed: &'a [Symbol],
}

/// The answer for one site.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No run fails here.
    Proved(Evidence),
    /// A run fails here.
    Failed(Box<Failure>),
    /// Not decided.
    Unknown(StopReason),
}

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

/// The evidence for an obligation without sites: the graph has no path to it.
pub fn no_path() -> Evidence {
    Evidence::Unsat { solver: "no path".to_owned() }
}

/// How many covers may be asked for one by one; covers are a courtesy.
const MAX_COVER_QUERIES: usize = 100;

/// Decides every site of the group.
pub fn solve_group(
    session: &mut Session,
    question: Question<'_>,
    group: &Group,
) -> Vec<(ObligationId, Outcome)> {
    let mut open = Vec::new();
    let mut solver = Solver { session, question, outcomes: BTreeMap::new() };
    for &site in &group.sites {
        if question.conditions.sites[site].is_some() {
            open.push(site);
        } else {
            let evidence = Evidence::Unsat { solver: "simplifier".to_owned() };
            solver.outcomes.insert(site, solver.unless_bounded(evidence));
        }
    }
    solver.decide(open);
    let obligation = |site: usize| question.graph.sites[site].obligation;
    solver.outcomes.into_iter().map(|(site, outcome)| (obligation(site), outcome)).collect()
}

/// The covers that no run satisfies.
pub fn solve_covers(session: &mut Session, question: Question<'_>) -> Vec<ObligationId> {
    let graph = question.graph;
    let mut solver = Solver { session, question, outcomes: BTreeMap::new() };
    let mut script = Script::default();
    solver.load(&mut script, graph.covers.iter().map(|cover| cover.node));
    for &(_, meaning) in &question.conditions.covers {
        script.assert(question.terms, meaning);
    }
    solver.start(&mut script, false);
    solver.session.push();
    let mut open: Vec<usize> = (0..graph.covers.len()).collect();
    let mut failed = Vec::new();
    let mut queries = 0;
    // The last one first: a run to the end passes many others on its way.
    while let Some(last) = open.pop() {
        queries += 1;
        if queries > MAX_COVER_QUERIES {
            break;
        }
        let flag = script.expression(question.terms, question.conditions.covers[last].0);
        match solver.session.check(&[flag]) {
            Answer::Unsat => failed.push(graph.covers[last].obligation),
            Answer::Sat | Answer::Candidate => solver.remove_covered(&mut script, &mut open),
            Answer::Unknown(_) => {}
        }
    }
    failed.reverse();
    failed
}

struct Solver<'a, 'b> {
    session: &'a mut Session,
    question: Question<'b>,
    outcomes: BTreeMap<usize, Outcome>,
}

impl Solver<'_, '_> {
    /// Decides the sites together; on a limit, in halves.
    fn decide(&mut self, mut open: Vec<usize>) {
        let mut script = Script::default();
        if open.is_empty() {
            return;
        }
        self.load_sites(&mut script, &open, false);
        while !open.is_empty() {
            match self.ask(&mut script, &open) {
                Answer::Unsat => return self.all_proved(&open),
                Answer::Sat => {
                    if !self.record_failures(&mut script, &mut open, false) {
                        return self.all_unknown(&open, &no_failure_in_model());
                    }
                }
                Answer::Candidate => {
                    let mut undecided = open.clone();
                    if !self.record_failures(&mut script, &mut open, true) {
                        return self.all_unknown(&open, &no_failure_in_model());
                    }
                    // Let the solver build models for the quantifiers: it may confirm or exclude the candidate.
                    let mut retry = Script::default();
                    self.load_sites(&mut retry, &undecided, true);
                    match self.ask(&mut retry, &undecided) {
                        Answer::Unsat => return self.all_proved(&undecided),
                        Answer::Sat => {
                            self.record_failures(&mut retry, &mut undecided, false);
                            open = undecided;
                        }
                        Answer::Candidate | Answer::Unknown(_) => {}
                    }
                    script = Script::default();
                    self.load_sites(&mut script, &open, false);
                    continue;
                }
                Answer::Unknown(reason) if open.len() == 1 => {
                    return self.all_unknown(&open, &reason);
                }
                Answer::Unknown(_) => {
                    let rest = open.split_off(open.len() / 2);
                    self.decide(open);
                    return self.decide(rest);
                }
            }
            self.session.pop();
        }
    }

    /// Is there a run that fails at one of the sites? Leaves the solver in a new scope.
    fn ask(&mut self, script: &mut Script, open: &[usize]) -> Answer {
        let flags: Vec<String> = open
            .iter()
            .filter_map(|&site| self.question.conditions.sites[site])
            .map(|(flag, _)| script.expression(self.question.terms, flag))
            .collect();
        self.session.push();
        let text = script.take();
        self.session.send(&format!("{text}(assert (or false {}))\n", flags.join(" ")));
        self.session.check(&[])
    }

    fn load_sites(&mut self, script: &mut Script, sites: &[usize], models: bool) {
        let question = self.question;
        self.load(script, sites.iter().map(|&site| question.graph.sites[site].node));
        for &site in sites {
            if let Some((_, meaning)) = question.conditions.sites[site] {
                script.assert(question.terms, meaning);
            }
        }
        self.start(script, models);
    }

    /// Sends the script to a solver that knows nothing yet.
    fn start(&mut self, script: &mut Script, models: bool) {
        self.session.begin();
        self.session.set_mbqi(models || script.has_untriggered());
        self.session.send(&script.take());
    }

    /// Writes down what runs to the given nodes satisfy.
    fn load(&mut self, script: &mut Script, nodes: impl Iterator<Item = NodeId>) {
        let question = self.question;
        for &fact in &question.graph.background {
            script.assert(question.terms, fact);
        }
        for &symbol in question.observed {
            script.declare(question.terms, symbol);
        }
        for node in ancestors(question.graph, nodes) {
            script.assert(question.terms, question.conditions.nodes[node]);
            for event in &question.graph.nodes[node].events {
                if let Event::Bind { incarnation, .. } = event {
                    script.declare(question.terms, *incarnation);
                }
            }
        }
    }

    /// Takes the sites that fail in the present model out of `open`. False if there is none, which no honest solver does.
    fn record_failures(
        &mut self,
        script: &mut Script,
        open: &mut Vec<usize>,
        candidate: bool,
    ) -> bool {
        let flags: Vec<Term> = open
            .iter()
            .filter_map(|&site| self.question.conditions.sites[site])
            .map(|(flag, _)| flag)
            .collect();
        let values = self.truths(script, &flags);
        let failing: Vec<usize> =
            open.iter().zip(&values).filter(|&(_, &fails)| fails).map(|(&site, _)| site).collect();
        for &site in &failing {
            let outcome = match self.failure(script, site, candidate) {
                Some(failure) => Outcome::Failed(Box::new(failure)),
                None => Outcome::Unknown(no_failure_in_model()),
            };
            self.outcomes.insert(site, outcome);
        }
        open.retain(|site| !failing.contains(site));
        !failing.is_empty()
    }

    /// Reads the run that fails at `site` off the present model.
    fn failure(&mut self, script: &mut Script, site: usize, candidate: bool) -> Option<Failure> {
        let question = self.question;
        let site = &question.graph.sites[site];
        let path = self.path_to(script, site.node)?;
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
        let texts: Vec<String> =
            symbols.iter().map(|&s| logic::symbol_text(question.terms, s)).collect();
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
        let held = self.truths(script, &site.parts);
        let failed_parts = (0..held.len()).filter(|&index| !held[index]).collect();
        let observed = question.observed.iter().copied().zip(observed.iter().cloned()).collect();
        Some(Failure { events, failed_parts, observed, candidate })
    }

    /// A path from the entry whose nodes are all reached in the present model.
    fn path_to(&mut self, script: &mut Script, node: NodeId) -> Option<Vec<usize>> {
        let question = self.question;
        let nodes = ancestors(question.graph, std::iter::once(node));
        let flags: Vec<Term> = nodes.iter().map(|&node| question.conditions.reach[node]).collect();
        let reached: BTreeMap<usize, bool> =
            nodes.iter().copied().zip(self.truths(script, &flags)).collect();
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

    /// Drops the covers that the present model satisfies.
    fn remove_covered(&mut self, script: &mut Script, open: &mut Vec<usize>) {
        let question = self.question;
        let cover = |index: usize| -> &Cover { &question.graph.covers[index] };
        let flags: Vec<Term> = open
            .iter()
            .flat_map(|&index| {
                [question.conditions.reach[cover(index).node.0 as usize], cover(index).term]
            })
            .collect();
        let truths = self.truths(script, &flags);
        let mut pairs = truths.chunks(2);
        open.retain(|_| pairs.next() != Some(&[true, true]));
    }

    fn truths(&mut self, script: &mut Script, flags: &[Term]) -> Vec<bool> {
        let texts: Vec<String> =
            flags.iter().map(|&flag| logic::print(self.question.terms, flag)).collect();
        debug_assert!(script.take().is_empty(), "all symbols were declared before the check");
        match self.session.values(&texts) {
            Ok(values) => {
                values.iter().map(|value| Value::from_sexp(value) == Value::Bool(true)).collect()
            }
            Err(_) => vec![false; flags.len()],
        }
    }

    fn all_proved(&mut self, sites: &[usize]) {
        for &site in sites {
            let evidence = Evidence::Unsat { solver: self.question.solver.to_owned() };
            let outcome = self.unless_bounded(evidence);
            self.outcomes.insert(site, outcome);
        }
    }

    fn all_unknown(&mut self, sites: &[usize], reason: &StopReason) {
        for &site in sites {
            self.outcomes.insert(site, Outcome::Unknown(reason.clone()));
        }
    }

    /// What holds of all runs up to a bound is not proved.
    fn unless_bounded(&self, evidence: Evidence) -> Outcome {
        match self.question.graph.bounded {
            Some(count) => Outcome::Unknown(StopReason::Unrolled(count)),
            None => Outcome::Proved(evidence),
        }
    }
}

fn no_failure_in_model() -> StopReason {
    StopReason::SolverFailed("the model does not show which check fails".to_owned())
}
