//! A task down to its formulas: the pipeline of `gcl`, read as a list of calls.

use crate::run::Options;
use gcl::{
    Body, Conditions, Group, LoopMode, Outcome, Question, conditions, cut_loops, groups, passify,
    slice, solve_group,
};
use logic::Terms;
use modular::Task;
use smt::Session;
use std::collections::BTreeSet;
use verdict::{Obligation, ObligationId, Relevance};

/// Sites decided by one query. Large enough that what they share is sent rarely, small enough that a hard one spoils few.
const GROUP_SIZE: usize = 64;

/// A task with its formulas.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) task: Task,
    pub(crate) graph: gcl::passive::Graph,
    pub(crate) conditions: Conditions,
    pub(crate) groups: Vec<Group>,
}

/// Something a solver can be asked about.
pub(crate) trait Askable: Sync {
    /// The question to ask the solver.
    fn question<'a>(&'a self, options: &'a Options) -> Question<'a>;

    /// What is decided together.
    fn groups(&self) -> &[Group];

    /// What is to be shown.
    fn obligations(&self) -> &[Obligation];

    /// The code.
    fn graph(&self) -> &gcl::passive::Graph;

    /// A measure of the work.
    fn weight(&self) -> usize {
        self.graph().nodes.len()
    }

    /// Hygiene obligations to which the graph has no path at all.
    fn never_covered(&self) -> Vec<ObligationId> {
        let graph = self.graph();
        let present: BTreeSet<ObligationId> = graph
            .covers
            .iter()
            .map(|cover| cover.obligation)
            .chain(graph.sites.iter().map(|site| site.obligation))
            .collect();
        let all = self.obligations().iter().enumerate();
        all.filter(|(_, obligation)| obligation.relevance == Relevance::Hygiene)
            .map(|(index, _)| ObligationId(u32::try_from(index).unwrap_or(u32::MAX)))
            .filter(|id| !present.contains(id))
            .collect()
    }
}

impl Askable for Prepared {
    fn question<'a>(&'a self, options: &'a Options) -> Question<'a> {
        Question {
            terms: &self.task.terms,
            graph: &self.graph,
            conditions: &self.conditions,
            limits: options.limits,
            quick: false,
            whole: false,
            solver: &options.solver_name,
            observed: &self.task.observed,
        }
    }

    fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn obligations(&self) -> &[Obligation] {
        &self.task.obligations
    }

    fn graph(&self) -> &gcl::passive::Graph {
        &self.graph
    }
}

pub(crate) fn prepare(mut task: Task, unroll: Option<u32>) -> Prepared {
    let mode = unroll.map_or(LoopMode::Cut, LoopMode::Unroll);
    let (graph, conditions, groups) =
        formulas(&mut task.terms, std::mem::take(&mut task.body), mode);
    Prepared { task, graph, conditions, groups }
}

/// A body down to its formulas.
pub(crate) fn formulas(
    terms: &mut Terms,
    body: Body,
    mode: LoopMode,
) -> (gcl::passive::Graph, Conditions, Vec<Group>) {
    let body = slice(terms, body);
    let acyclic = cut_loops(terms, &body, mode);
    let graph = passify(terms, &acyclic);
    let conditions = conditions(terms, &graph);
    let groups = groups(&graph, GROUP_SIZE);
    (graph, conditions, groups)
}

impl Prepared {
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
        let about = |site: usize| self.graph.sites[site].obligation.0 as usize;
        let is_wanted = |site: &usize| is_wanted(&self.task.obligations[about(*site)]);
        let sites: Vec<usize> = (0..self.graph.sites.len()).filter(is_wanted).collect();
        if sites.is_empty() {
            return Vec::new();
        }
        solve_group(session, self.question(options), &Group { sites })
    }

    /// Decides the sites of some obligations, without runs that fail.
    pub(crate) fn solve_some(
        &self,
        session: &mut Session,
        options: &Options,
        wanted: impl Fn(ObligationId) -> bool,
    ) -> Vec<(ObligationId, Outcome)> {
        let sites: Vec<usize> = (0..self.graph.sites.len())
            .filter(|&site| wanted(self.graph.sites[site].obligation))
            .collect();
        if sites.is_empty() {
            return Vec::new();
        }
        let question = Question { quick: true, ..self.question(options) };
        solve_group(session, question, &Group { sites })
    }
}
