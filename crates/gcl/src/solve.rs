//! The solver decides groups of sites. Where it answers `unsat` they are proved.

use crate::conditions::{Conditions, Group, ancestors};
use crate::model::{Failure, no_failure_in_model};
use crate::passive::{Event, Graph, NodeId};
use crate::unasked::simplified;
use logic::{Script, Symbol, Term, Terms};
use smt::{Answer, Session};
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
    /// A candidate that is not soon confirmed or excluded is left at that, because it will be
    /// looked at in another way.
    pub hasty: bool,
    /// Symbols beside the variables whose values are wanted with a failure.
    pub observed: &'a [Symbol],
    /// The symbols that stand for maps made of other symbols (see [`crate::write_out`]).
    pub maps: &'a BTreeMap<Symbol, Term>,
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
    /// Not decided, but there is a run that fails if maps with the same elements may differ. That
    /// shows nothing, but is something to look at.
    Doubtful(StopReason, Box<Failure>),
}

/// What is remembered: the sites that failed in a window.
const FAILING: &str = "sites that fail";

/// How many nodes before a site are looked at first, and by which factor that grows. Most steps are
/// justified by what happened shortly before, and looking no further keeps the whole linear in the
/// length of the code.
const FIRST_WINDOW: usize = 256;
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
    } else if question.hasty {
        solver.limits = hasty_limits(question.limits);
    }
    let whole = question.quick || question.whole;
    solver.decide(open, if whole { usize::MAX } else { FIRST_WINDOW });
    solver.look_closer();
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
    pub(crate) outcomes: BTreeMap<usize, Outcome>,
    /// The sites that the lean question does not decide.
    suspects: Vec<Suspect>,
}

/// A site that the lean question does not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Suspect {
    site: usize,
    /// Whether it has a candidate.
    fails: bool,
}

impl<'a, 'b> Solver<'a, 'b> {
    pub(crate) fn new(session: &'a mut Session, question: Question<'b>) -> Self {
        Self {
            session,
            question,
            limits: question.limits,
            outcomes: BTreeMap::new(),
            suspects: Vec::new(),
        }
    }

    /// Decides the sites together, looking at runs from `window` nodes before the first of them; on
    /// a limit, in halves.
    ///
    /// Leaving out what came earlier only allows more runs, so what holds of those holds. What
    /// fails is asked again with a wider window; only the widest counts as a failure.
    fn decide(&mut self, mut open: Vec<usize>, window: usize) {
        if let Some(reason) = self.session.halted() {
            return self.all_unknown(&open, &reason);
        }
        let mut script = Script::default();
        let mut wider = Vec::new();
        if !open.is_empty() {
            self.load_sites(&mut script, &open, window, Care::Lean);
        }
        let whole = self.is_whole(&open, window);
        while !open.is_empty() {
            self.pose(&mut script, &open);
            if let Some(failing) = self.remembered_failing(&open).filter(|_| !whole) {
                open.retain(|site| !failing.contains(site));
                wider.extend(failing);
                self.session.pop();
                continue;
            }
            match self.session.check(&[]) {
                Answer::Unsat(warrant) => {
                    self.all_proved(&open, &warrant);
                    break;
                }
                Answer::Sat | Answer::Candidate if whole && self.question.quick => {
                    self.give_up_failing(&mut open);
                }
                Answer::Sat | Answer::Candidate => {
                    let mut failing = self.failing(&open);
                    if failing.is_empty() {
                        failing.clone_from(&open);
                    }
                    self.remember_failing(&open, &failing);
                    open.retain(|site| !failing.contains(site));
                    if whole {
                        self.suspect(&failing, true);
                    } else {
                        wider.extend(failing);
                    }
                }
                Answer::Unknown(reason) if open.len() == 1 && whole && self.question.quick => {
                    return self.all_unknown(&open, &reason);
                }
                Answer::Unknown(_) if open.len() == 1 && whole => {
                    return self.suspect(&open, false);
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

    fn suspect(&mut self, sites: &[usize], fails: bool) {
        self.suspects.extend(sites.iter().map(|&site| Suspect { site, fails }));
    }

    /// Asks about the suspects as it is meant: a model may be one of the lean question only, and a
    /// single site that was too hard may be easier with all that is known.
    fn look_closer(&mut self) {
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.sort_unstable();
        let limits = self.limits;
        if self.question.hasty {
            self.limits = second_look_limits(limits);
        }
        let (failing, hard): (Vec<Suspect>, Vec<Suspect>) =
            suspects.into_iter().partition(|suspect| suspect.fails);
        self.ask_anew(&failing);
        // What was too hard alone is hard for all that is asked together with it.
        self.limits = limits;
        hard.iter().for_each(|suspect| self.ask_anew(std::slice::from_ref(suspect)));
    }

    /// Decides suspects together in a conversation that does not depend on earlier ones: which runs
    /// are found must not depend on what was asked before, or was known from an earlier run.
    fn ask_anew(&mut self, suspects: &[Suspect]) {
        let mut open: Vec<usize> = suspects.iter().map(|suspect| suspect.site).collect();
        if open.is_empty() {
            return;
        }
        if let Some(reason) = self.session.halted() {
            return self.all_unknown(&open, &reason);
        }
        self.session.fresh();
        let mut script = Script::default();
        self.load_sites(&mut script, &open, usize::MAX, Care::Usual);
        while !open.is_empty() {
            match self.ask(&mut script, &open) {
                Answer::Unsat(warrant) => return self.all_proved(&open, &warrant),
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
                Answer::Unknown(reason) if open.len() == 1 => {
                    let fails = suspects.iter().any(|s| s.site == open[0] && s.fails);
                    return self.leave_open(open[0], reason, fails);
                }
                Answer::Unknown(_) => {
                    let left: Vec<Suspect> =
                        suspects.iter().filter(|s| open.contains(&s.site)).copied().collect();
                    let (first, second) = left.split_at(left.len() / 2);
                    self.ask_anew(first);
                    return self.ask_anew(second);
                }
            }
            self.session.pop();
        }
    }

    /// The site is not decided; its candidate, if it has one, is kept to be shown.
    fn leave_open(&mut self, site: usize, reason: StopReason, fails: bool) {
        let candidate = if fails { self.candidate(site) } else { None };
        let outcome = match candidate {
            Some(candidate) => Outcome::Doubtful(reason, Box::new(candidate)),
            None => Outcome::Unknown(reason),
        };
        self.outcomes.insert(site, outcome);
    }

    /// A run that fails at the site if maps with the same elements may differ, found in a
    /// conversation that does not depend on earlier ones.
    fn candidate(&mut self, site: usize) -> Option<Failure> {
        self.session.fresh();
        let mut script = Script::default();
        self.load_sites(&mut script, &[site], usize::MAX, Care::Lean);
        match self.ask(&mut script, &[site]) {
            Answer::Sat | Answer::Candidate => self.failure(site, true),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }

    /// What fails in the present model is not proved, and that is all.
    fn give_up_failing(&mut self, open: &mut Vec<usize>) {
        let failing = self.all_failing(open);
        let reason = StopReason::SolverGaveUp("a run may fail here".to_owned());
        self.all_unknown(if failing.is_empty() { open } else { &failing }, &reason);
        open.retain(|site| !failing.is_empty() && !failing.contains(site));
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

    /// Is there a run that fails at one of the sites? Leaves the solver in a new scope.
    pub(crate) fn ask(&mut self, script: &mut Script, open: &[usize]) -> Answer {
        self.pose(script, open);
        self.session.check(&[])
    }

    /// The sites that failed when the present question was asked in an earlier run. They are looked
    /// at with a wider window then, as they were: this spares a question and shows nothing.
    fn remembered_failing(&self, open: &[usize]) -> Option<Vec<usize>> {
        let known = self.session.recall(FAILING)?;
        let site = |word: &str| open.get(word.parse::<usize>().ok()?).copied();
        known.split_whitespace().map(site).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
    }

    fn remember_failing(&self, open: &[usize], failing: &[usize]) {
        let at = |site: &usize| open.iter().position(|other| other == site);
        let words: Vec<String> = failing.iter().filter_map(at).map(|at| at.to_string()).collect();
        self.session.memorise(FAILING, &words.join(" "));
    }

    /// Sends the question whether there is a run that fails at one of the sites, in a new scope.
    /// Several sites get little: one that is hard makes the others hard, and is soon asked about
    /// alone.
    fn pose(&mut self, script: &mut Script, open: &[usize]) {
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
            self.declare(script, symbol);
        }
        for node in ancestors(question.graph, nodes).into_iter().filter(|&node| node >= start) {
            script.assert(question.terms, question.conditions.nodes[node]);
            for event in &question.graph.nodes[node].events {
                if let Event::Bind { incarnation, .. } = event {
                    self.declare(script, *incarnation);
                }
            }
        }
    }

    /// Declares a symbol whose value may be asked for.
    fn declare(&self, script: &mut Script, symbol: Symbol) {
        let question = self.question;
        match question.maps.get(&symbol) {
            Some(&map) => _ = script.expression(question.terms, map),
            None => script.declare(question.terms, symbol),
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

/// What a question about several sites may cost.
fn together_limits(limits: Limits) -> Limits {
    const RESOURCES: u64 = 3_000_000;
    let resources = if limits.resources == 0 { RESOURCES } else { limits.resources.min(RESOURCES) };
    Limits { resources, ..limits }
}

/// What holds is mostly shown soon, and what fails is found sooner in a small world.
fn hasty_limits(limits: Limits) -> Limits {
    const RESOURCES: u64 = 1_500_000;
    let resources = if limits.resources == 0 { RESOURCES } else { limits.resources.min(RESOURCES) };
    Limits { resources, ..limits }
}

/// Building models either works soon or not at all. The deterministic limit must strike first.
pub(crate) fn second_look_limits(limits: Limits) -> Limits {
    const RESOURCES: u64 = 400_000;
    let resources = if limits.resources == 0 { RESOURCES } else { limits.resources.min(RESOURCES) };
    Limits { resources, ..limits }
}
