//! A task down to its formulas: the pipeline of `gcl`, read as a list of calls.

use crate::run::Options;
use gcl::{
    Conditions, Group, LoopMode, Outcome, Question, conditions, cut_loops, groups, passify, slice,
    solve_group,
};
use modular::Task;
use smt::Session;
use std::collections::BTreeSet;
use verdict::{ObligationId, Relevance};

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

pub(crate) fn prepare(mut task: Task, unroll: Option<u32>) -> Prepared {
    let mode = unroll.map_or(LoopMode::Cut, LoopMode::Unroll);
    task.body = slice(&task.terms, std::mem::take(&mut task.body));
    let acyclic = cut_loops(&mut task.terms, &task.body, mode);
    let graph = passify(&mut task.terms, &acyclic);
    let conditions = conditions(&mut task.terms, &graph);
    let groups = groups(&graph, GROUP_SIZE);
    Prepared { task, graph, conditions, groups }
}

impl Prepared {
    /// The question to ask the solver.
    pub(crate) fn question<'a>(&'a self, options: &'a Options) -> Question<'a> {
        Question {
            terms: &self.task.terms,
            graph: &self.graph,
            conditions: &self.conditions,
            limits: options.limits,
            quick: false,
            solver: &options.solver_name,
            observed: &self.task.observed,
        }
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

    /// Hygiene obligations to which the graph has no path at all.
    pub(crate) fn never_covered(&self) -> Vec<ObligationId> {
        let present: BTreeSet<ObligationId> =
            self.graph.covers.iter().map(|cover| cover.obligation).collect();
        let all = self.task.obligations.iter().enumerate();
        all.filter(|(_, obligation)| obligation.relevance == Relevance::Hygiene)
            .map(|(index, _)| ObligationId(u32::try_from(index).unwrap_or(u32::MAX)))
            .filter(|id| !present.contains(id))
            .collect()
    }

    /// A measure of the work.
    pub(crate) fn weight(&self) -> usize {
        self.graph.nodes.len()
    }
}
