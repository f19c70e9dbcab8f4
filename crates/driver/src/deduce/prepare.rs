//! A task down to its formulas: the pipeline of `gcl`, read as a list of calls.

use crate::options::Options;
use gcl::{
    Conditions, Failure, Group, LoopMode, Outcome, Question, conditions, cut_loops, groups,
    passify, refute, slice, solve_group, write_out,
};
use logic::{Symbol, Term};
use smt::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::DerefMut;
use verdict::{Halt, Obligation, ObligationId, Relevance};

/// Sites decided by one query. Large enough that what they share is sent rarely, small enough that
/// a hard one spoils few.
const GROUP_SIZE: usize = 64;

/// A task of some language.
pub(crate) trait AnyTask: DerefMut<Target = gcl::Task> + Send + Sync {}

impl<T: DerefMut<Target = gcl::Task> + Send + Sync> AnyTask for T {}

/// A task with its formulas.
#[derive(Debug)]
pub(crate) struct Prepared<T> {
    pub(crate) task: T,
    pub(crate) graph: gcl::passive::Graph,
    pub(crate) conditions: Conditions,
    pub(crate) groups: Vec<Group>,
    /// What maps are made of if they are written out.
    maps: BTreeMap<Symbol, Term>,
}

/// Takes a task down to its formulas.
pub(crate) fn prepare<T: AnyTask>(mut task: T, unroll: Option<u32>) -> Prepared<T> {
    let mode = unroll.map_or(LoopMode::Cut, LoopMode::Unroll);
    let body = std::mem::take(&mut task.body);
    let terms = &mut task.terms;
    let body = slice(terms, body);
    let acyclic = cut_loops(terms, &body, mode);
    let graph = passify(terms, &acyclic);
    let conditions = conditions(terms, &graph);
    let groups = groups(&graph, GROUP_SIZE);
    Prepared { task, graph, conditions, groups, maps: BTreeMap::new() }
}

impl<T: AnyTask> Prepared<T> {
    /// The question to ask the solver.
    pub(crate) fn question<'a>(&'a self, options: &'a Options) -> Question<'a> {
        Question {
            terms: &self.task.terms,
            graph: &self.graph,
            conditions: &self.conditions,
            limits: options.limits,
            quick: false,
            hasty: false,
            whole: self.task.whole,
            solver: &options.solver_name,
            observed: &self.task.observed,
            maps: &self.maps,
        }
    }

    /// The task with maps written out, if that is possible: to find failures, and for nothing else.
    pub(crate) fn written_out(mut self, last: u32, halt: &Halt) -> Option<Self> {
        let task = &mut *self.task;
        let goes_on = || halt.reason().is_none();
        let wanted = (&task.observed[..], last);
        let written = write_out(&mut task.terms, &self.graph, wanted, &goes_on).ok()?;
        let conditions = conditions(&mut task.terms, &written.graph);
        Some(Self { graph: written.graph, conditions, maps: written.maps, ..self })
    }

    /// A measure of the work.
    pub(crate) fn weight(&self) -> usize {
        self.graph.nodes.len()
    }

    /// Hygiene obligations to which the graph has no path at all.
    pub(crate) fn never_covered(&self) -> Vec<ObligationId> {
        let covers = self.graph.covers.iter().map(|cover| cover.obligation);
        let sites = self.graph.sites.iter().map(|site| site.obligation);
        let present: BTreeSet<ObligationId> = covers.chain(sites).collect();
        let all = self.task.obligations.iter().enumerate();
        all.filter(|(_, obligation)| obligation.relevance == Relevance::Hygiene)
            .map(|(index, _)| ObligationId::from_index(index))
            .filter(|id| !present.contains(id))
            .collect()
    }

    /// Decides every site, one group after the other.
    pub(crate) fn solve(
        &self,
        session: &mut Session,
        options: &Options,
    ) -> Vec<(ObligationId, Outcome)> {
        let question = self.question(options);
        self.groups.iter().flat_map(|group| solve_group(session, question, group)).collect()
    }

    /// Decides the sites of some obligations.
    pub(crate) fn solve_those(
        &self,
        session: &mut Session,
        options: &Options,
        is_wanted: impl Fn(&Obligation) -> bool,
    ) -> Vec<(ObligationId, Outcome)> {
        match self.those(is_wanted) {
            Some(group) => solve_group(session, self.question(options), &group),
            None => Vec::new(),
        }
    }

    /// Failures of some obligations.
    pub(crate) fn refute_those(
        &self,
        session: &mut Session,
        options: &Options,
        is_wanted: impl Fn(&Obligation) -> bool,
    ) -> Vec<(ObligationId, Failure)> {
        match self.those(is_wanted) {
            Some(group) => refute(session, self.question(options), &group),
            None => Vec::new(),
        }
    }

    /// Decides every site, without runs that fail.
    pub(crate) fn solve_quickly(
        &self,
        session: &mut Session,
        options: &Options,
    ) -> Vec<(ObligationId, Outcome)> {
        let question = Question { quick: true, ..self.question(options) };
        match self.those(|_| true) {
            Some(group) => solve_group(session, question, &group),
            None => Vec::new(),
        }
    }

    /// The sites of some obligations.
    fn those(&self, is_wanted: impl Fn(&Obligation) -> bool) -> Option<Group> {
        let about = |site: usize| self.graph.sites[site].obligation.index();
        let is_wanted = |site: &usize| is_wanted(&self.task.obligations[about(*site)]);
        let sites: Vec<usize> = (0..self.graph.sites.len()).filter(is_wanted).collect();
        (!sites.is_empty()).then_some(Group { sites })
    }
}
