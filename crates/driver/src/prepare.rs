//! A task down to its formulas: the pipeline of `gcl`, read as a list of calls.

use gcl::{Conditions, Group, LoopMode, Question, conditions, cut_loops, groups, passify};
use modular::Task;

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
    let acyclic = cut_loops(&mut task.terms, &task.body, mode);
    let graph = passify(&mut task.terms, &acyclic);
    let conditions = conditions(&mut task.terms, &graph);
    let groups = groups(&graph, GROUP_SIZE);
    Prepared { task, graph, conditions, groups }
}

impl Prepared {
    /// The question to ask the solver.
    pub(crate) fn question<'a>(&'a self, solver: &'a str) -> Question<'a> {
        Question {
            terms: &self.task.terms,
            graph: &self.graph,
            conditions: &self.conditions,
            solver,
            observed: &self.task.observed,
        }
    }

    /// A measure of the work.
    pub(crate) fn weight(&self) -> usize {
        self.graph.nodes.len()
    }
}
