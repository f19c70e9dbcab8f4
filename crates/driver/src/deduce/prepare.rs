//! A task down to its formulas: the pipeline of `gcl`, read as a list of calls.

use crate::options::Options;
use gcl::{
    Conditions, Group, LoopMode, Outcome, Question, conditions, cut_loops, groups, passify, slice,
    solve_group,
};
use smt::Session;
use std::collections::BTreeSet;
use std::ops::DerefMut;
use verdict::{Obligation, ObligationId, Relevance};

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
    Prepared { task, graph, conditions, groups }
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
            whole: self.task.whole,
            solver: &options.solver_name,
            observed: &self.task.observed,
        }
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
        self.solve_some(session, self.question(options), is_wanted)
    }

    /// Decides every site, without runs that fail.
    pub(crate) fn solve_quickly(
        &self,
        session: &mut Session,
        options: &Options,
    ) -> Vec<(ObligationId, Outcome)> {
        self.solve_some(session, Question { quick: true, ..self.question(options) }, |_| true)
    }

    fn solve_some(
        &self,
        session: &mut Session,
        question: Question<'_>,
        is_wanted: impl Fn(&Obligation) -> bool,
    ) -> Vec<(ObligationId, Outcome)> {
        let about = |site: usize| self.graph.sites[site].obligation.index();
        let is_wanted = |site: &usize| is_wanted(&self.task.obligations[about(*site)]);
        let sites: Vec<usize> = (0..self.graph.sites.len()).filter(is_wanted).collect();
        if sites.is_empty() {
            return Vec::new();
        }
        solve_group(session, question, &Group { sites })
    }
}
