//! The solver decides groups of sites. Where it answers `unsat` they are proved.

use crate::MarkId;
use crate::conditions::{Conditions, Group, ancestors};
use crate::passive::{Event, Graph, NodeId};
use crate::unasked::simplified;
use logic::{Node, Script, Symbol, Term, Terms};
use smt::{Answer, Session, Value};
use std::collections::BTreeMap;
use verdict::{Evidence, Limits, ObligationId, StopReason, Warrant};

/// What is asked about: a graph with its formulas.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The store of all terms.
    pub terms: &'a Terms,
    /// The code.
    pub graph: &'a Graph,
    /// Its formulas.
    pub conditions: &'a Conditions,
    /// What one query may cost.
    pub limits: Limits,
    /// Name and version of the solver, for the evidence.
    pub solver: &'a str,
    /// Only tell what holds and what does not: no runs, no second look.
    pub quick: bool,
    /// Look at whole runs at once: what happens shortly before a site rarely justifies it.
    pub whole: bool,
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

/// How many nodes before a site are looked at first, and by which factor that grows. Most steps are
/// justified by what happened shortly before, and looking no further keeps the whole linear in the
/// length of the code.
const FIRST_WINDOW: usize = 32;
const WIDENING: usize = 8;

/// Decides every site of the group.
pub fn solve_group(
    session: &mut Session,
    question: Question<'_>,
    group: &Group,
) -> Vec<(ObligationId, Outcome)> {
    let mut open = Vec::new();
    let mut solver = Solver::new(session, question);
    for &site in &group.sites {
        match simplified(question.conditions, site) {
            None => open.push(site),
            Some(evidence) => _ = solver.outcomes.insert(site, solver.unless_bounded(evidence)),
        }
    }
    if question.quick {
        solver.limits = second_look_limits(question.limits);
    }
    let whole = question.quick || question.whole;
    solver.decide(open, if whole { usize::MAX } else { FIRST_WINDOW });
    solver.session.set_limits(question.limits);
    let obligation = |site: usize| question.graph.sites[site].obligation;
    solver.outcomes.into_iter().map(|(site, outcome)| (obligation(site), outcome)).collect()
}

/// How much the solver is asked to do. What it excludes is excluded with any of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// Maps are not compared element by element: much faster, and enough for most of what holds.
    Lean,
    /// As it is meant.
    Usual,
    /// Models are built for the quantifiers.
    Models,
}

pub(crate) struct Solver<'a, 'b> {
    pub(crate) session: &'a mut Session,
    pub(crate) question: Question<'b>,
    /// What a question about one site may cost.
    pub(crate) limits: Limits,
    outcomes: BTreeMap<usize, Outcome>,
}

impl<'a, 'b> Solver<'a, 'b> {
    pub(crate) fn new(session: &'a mut Session, question: Question<'b>) -> Self {
        Self { session, question, limits: question.limits, outcomes: BTreeMap::new() }
    }

    /// Decides the sites together, looking at runs from `window` nodes before the first of them; on
    /// a limit, in halves.
    ///
    /// Leaving out what came earlier only allows more runs, so what holds of those holds. What
    /// fails is asked again with a wider window; only the widest counts as a failure.
    fn decide(&mut self, mut open: Vec<usize>, window: usize) {
        let mut script = Script::default();
        let mut wider = Vec::new();
        if !open.is_empty() {
            self.load_sites(&mut script, &open, window, Care::Lean);
        }
        let whole = self.is_whole(&open, window);
        let mut anew = false;
        while !open.is_empty() {
            match self.ask(&mut script, &open) {
                Answer::Unsat(warrant) => {
                    self.all_proved(&open, &warrant);
                    break;
                }
                Answer::Sat | Answer::Candidate if !whole => {
                    let failing = self.failing(&open);
                    if failing.is_empty() {
                        wider.append(&mut open);
                    }
                    open.retain(|site| !failing.contains(site));
                    wider.extend(failing);
                }
                Answer::Sat | Answer::Candidate if self.question.quick => {
                    self.give_up_failing(&mut open);
                }
                // Which runs are found must not depend on what was asked before, or was known from
                // an earlier run.
                answer if !anew && self.is_worth_asking_anew(&answer, &open, whole) => {
                    anew = true;
                    script = self.begin_anew(&open, window);
                    continue;
                }
                Answer::Sat => {
                    if !self.record_failures(&mut open, false) {
                        return self.all_unknown(&open, &no_failure_in_model());
                    }
                }
                Answer::Candidate => {
                    if !self.second_look(&mut script, &mut open) {
                        return;
                    }
                    continue;
                }
                Answer::Unknown(reason) if open.len() == 1 && whole => {
                    return self.all_unknown(&open, &reason);
                }
                Answer::Unknown(_) if open.len() == 1 => wider.append(&mut open),
                Answer::Unknown(_) => {
                    let rest = open.split_off(open.len() / 2);
                    self.decide(open, window);
                    self.decide(rest, window);
                    break;
                }
            }
            self.session.pop();
        }
        if !wider.is_empty() {
            wider.sort_unstable();
            self.decide(wider, window.saturating_mul(WIDENING));
        }
    }

    /// A model may be one of the lean question only, and a single site that was too hard may be
    /// easier with all that is known.
    fn is_worth_asking_anew(&self, answer: &Answer, open: &[usize], whole: bool) -> bool {
        match answer {
            Answer::Unsat(_) => false,
            Answer::Sat | Answer::Candidate => true,
            Answer::Unknown(_) => open.len() == 1 && whole && !self.question.quick,
        }
    }

    /// A conversation that does not depend on earlier ones, in which the question is asked as it is
    /// meant.
    fn begin_anew(&mut self, open: &[usize], window: usize) -> Script {
        self.session.fresh();
        let mut script = Script::default();
        self.load_sites(&mut script, open, window, Care::Usual);
        script
    }

    /// What fails in the present model is not proved, and that is all.
    fn give_up_failing(&mut self, open: &mut Vec<usize>) {
        let failing = self.all_failing(open);
        let reason = StopReason::SolverGaveUp("a run may fail here".to_owned());
        self.all_unknown(if failing.is_empty() { open } else { &failing }, &reason);
        open.retain(|site| !failing.is_empty() && !failing.contains(site));
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

    /// The solver has a candidate only: let it build models for the quantifiers, which may confirm
    /// or exclude it. False if everything is decided.
    fn second_look(&mut self, script: &mut Script, open: &mut Vec<usize>) -> bool {
        let mut undecided = open.clone();
        if !self.record_failures(open, true) {
            self.all_unknown(open, &no_failure_in_model());
            return false;
        }
        let mut retry = Script::default();
        let limits = self.limits;
        self.limits = second_look_limits(limits);
        self.load_sites(&mut retry, &undecided, usize::MAX, Care::Models);
        let answer = self.ask(&mut retry, &undecided);
        self.limits = limits;
        match answer {
            Answer::Unsat(warrant) => {
                self.all_proved(&undecided, &warrant);
                return false;
            }
            Answer::Sat => {
                if self.record_failures(&mut undecided, false) {
                    *open = undecided;
                }
            }
            Answer::Candidate | Answer::Unknown(_) => {}
        }
        *script = Script::default();
        if !open.is_empty() {
            self.load_sites(script, open, usize::MAX, Care::Usual);
        }
        true
    }

    /// Is there a run that fails at one of the sites? Leaves the solver in a new scope. Several
    /// sites get little: one that is hard makes the others hard, and is soon asked about alone.
    pub(crate) fn ask(&mut self, script: &mut Script, open: &[usize]) -> Answer {
        let alone = open.len() == 1;
        self.session.set_limits(if alone { self.limits } else { together_limits(self.limits) });
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

    /// Where the runs start that are looked at.
    fn window_start(&self, sites: &[usize], window: usize) -> usize {
        let first = sites.iter().map(|&site| self.question.graph.sites[site].node.0 as usize).min();
        first.unwrap_or(0).saturating_sub(window)
    }

    fn is_whole(&self, sites: &[usize], window: usize) -> bool {
        self.window_start(sites, window) == 0
    }

    pub(crate) fn load_sites(
        &mut self,
        script: &mut Script,
        sites: &[usize],
        window: usize,
        care: Care,
    ) {
        let question = self.question;
        let start = self.window_start(sites, window);
        self.load(script, sites.iter().map(|&site| question.graph.sites[site].node), start);
        for &site in sites {
            if let Some((_, meaning)) = question.conditions.sites[site] {
                script.assert(question.terms, meaning);
            }
        }
        self.start(script, care);
    }

    /// Sends the script to a solver that knows nothing yet.
    pub(crate) fn start(&mut self, script: &mut Script, care: Care) {
        self.session.begin();
        self.session.set_extensional(care != Care::Lean);
        self.session.set_mbqi(care == Care::Models || script.has_untriggered());
        self.session.send(&script.take());
    }

    /// Writes down what runs to the given nodes satisfy.
    pub(crate) fn load(
        &mut self,
        script: &mut Script,
        nodes: impl Iterator<Item = NodeId>,
        start: usize,
    ) {
        let question = self.question;
        for &fact in &question.graph.background {
            script.assert(question.terms, fact);
        }
        for &symbol in question.observed {
            script.declare(question.terms, symbol);
        }
        for node in ancestors(question.graph, nodes).into_iter().filter(|&node| node >= start) {
            script.assert(question.terms, question.conditions.nodes[node]);
            for event in &question.graph.nodes[node].events {
                if let Event::Bind { incarnation, .. } = event {
                    script.declare(question.terms, *incarnation);
                }
            }
        }
    }

    /// The sites that fail in the present model.
    fn failing(&mut self, open: &[usize]) -> Vec<usize> {
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
    fn record_failures(&mut self, open: &mut Vec<usize>, candidate: bool) -> bool {
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
    fn failure(&mut self, site: usize, candidate: bool) -> Option<Failure> {
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
        let held = self.truths(&site.parts);
        let failed_parts = (0..held.len()).filter(|&index| !held[index]).collect();
        let observed = question.observed.iter().copied().zip(observed.iter().cloned()).collect();
        Some(Failure { events, failed_parts, observed, candidate })
    }

    /// A path from the entry whose nodes are all reached in the present model.
    fn path_to(&mut self, node: NodeId) -> Option<Vec<usize>> {
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

    fn all_proved(&mut self, sites: &[usize], warrant: &Warrant) {
        for &site in sites {
            let evidence = Evidence::unsat(warrant, self.question.solver);
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

/// Whether the term is made of constants, connectives and equations of constants.
fn is_propositional(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Select(..) | Node::Store(..) | Node::Apply(..) | Node::Quantified { .. } => false,
        node => node.children().into_iter().all(|child| is_propositional(terms, child)),
    }
}

/// What a question about several sites may cost.
fn together_limits(limits: Limits) -> Limits {
    const RESOURCES: u64 = 3_000_000;
    let resources = if limits.resources == 0 { RESOURCES } else { limits.resources.min(RESOURCES) };
    Limits { resources, ..limits }
}

/// Building models either works soon or not at all. The deterministic limit must strike first.
pub(crate) fn second_look_limits(limits: Limits) -> Limits {
    const RESOURCES: u64 = 400_000;
    let resources = if limits.resources == 0 { RESOURCES } else { limits.resources.min(RESOURCES) };
    Limits { resources, ..limits }
}

fn no_failure_in_model() -> StopReason {
    StopReason::SolverFailed("the model does not show which check fails".to_owned())
}
