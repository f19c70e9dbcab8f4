//! The pinned solver.

use crate::program::Program;
use gcl::passive::Graph;
use gcl::{Conditions, LoopMode, Outcome, PathEvent, Question, Stmt};
use logic::{Symbol, Term, Terms};
use smt::{Kind, Session, Solver};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use verdict::{Ground, Limits, ObligationId};

const LIMITS: Limits =
    Limits { resources: 10_000_000, wall_clock: Duration::from_secs(60), memory_mib: 2048 };

pub(crate) fn session() -> Session {
    #[expect(clippy::disallowed_methods, reason = "tests find the solver as the binary does")]
    let given = std::env::var("RELY_Z3").ok().map(PathBuf::from);
    let pinned = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/z3-5.3.2.0/bin/z3");
    let program = given.unwrap_or_else(|| pinned.into());
    assert!(program.exists(), "no solver at {}: run `cargo xtask setup` first", program.display());
    Session::start(&Solver { program, kind: Kind::Z3, version: String::new() }, LIMITS)
}

static NO_MAPS: BTreeMap<Symbol, Term> = BTreeMap::new();

/// Code on its way to the solver.
pub(crate) struct Prepared {
    terms: Terms,
    pub(crate) graph: Graph,
    conditions: Conditions,
}

pub(crate) fn prepare(mut program: Program, stmts: Vec<Stmt>, mode: LoopMode) -> Prepared {
    let body = program.body(stmts);
    let code = gcl::cut_loops(&mut program.terms, &body, mode);
    let graph = gcl::passify(&mut program.terms, &code);
    let conditions = gcl::conditions(&mut program.terms, &graph);
    Prepared { terms: program.terms, graph, conditions }
}

impl Prepared {
    fn question<'a>(&'a self, observed: &'a [Symbol]) -> Question<'a> {
        let Self { terms, graph, conditions } = self;
        Question {
            terms,
            graph,
            conditions,
            limits: LIMITS,
            solver: "Z3",
            quick: false,
            whole: false,
            hasty: false,
            observed,
            maps: &NO_MAPS,
        }
    }

    /// The outcomes of all sites, decided in one group.
    pub(crate) fn solve(&self, session: &mut Session) -> Vec<(ObligationId, Outcome)> {
        let groups = gcl::groups(&self.graph, usize::MAX);
        let question = self.question(&[]);
        groups.iter().flat_map(|group| gcl::solve_group(session, question, group)).collect()
    }

    /// The failures of sites with maps written out, if they can be.
    pub(crate) fn refute(&mut self, session: &mut Session, last: u32) -> Option<Vec<u32>> {
        let written = gcl::write_out(&mut self.terms, &self.graph, (&[], last), &|| true).ok()?;
        let conditions = gcl::conditions(&mut self.terms, &written.graph);
        let question = Question {
            graph: &written.graph,
            conditions: &conditions,
            maps: &written.maps,
            ..self.question(&[])
        };
        let groups = gcl::groups(&written.graph, usize::MAX);
        let failures = groups.iter().flat_map(|group| gcl::refute(session, question, group));
        Some(failures.map(|(id, _)| id.0).collect())
    }

    /// The numbers of the obligations whose covers no run satisfies.
    pub(crate) fn excluded(&self, session: &mut Session) -> Vec<u32> {
        let excluded = gcl::solve_covers(session, self.question(&[]));
        excluded.into_iter().map(|id| id.0).collect()
    }

    /// One line per outcome; the run of a failure is told in full.
    pub(crate) fn describe(&self, outcomes: &[(ObligationId, Outcome)]) -> String {
        let line = |(id, outcome): &(ObligationId, Outcome)| match outcome {
            Outcome::Proved(evidence) => match evidence.ground() {
                Ground::Unsat { solver } => format!("#{} proved by {solver}\n", id.0),
                Ground::Exhausted { states } => format!("#{} proved by {states} states\n", id.0),
            },
            Outcome::Unknown(reason) | Outcome::Doubtful(reason, _) => {
                format!("#{} unknown: {reason}\n", id.0)
            }
            Outcome::Failed(failure) => {
                let event = |event: &PathEvent| match event {
                    PathEvent::Bind(symbol, value) => {
                        format!("{} = {value}", self.terms.name(*symbol))
                    }
                    PathEvent::Mark(mark) => format!("mark {}", mark.0),
                };
                let events: Vec<String> = failure.events.iter().map(event).collect();
                let candidate = if failure.candidate { ", a candidate" } else { "" };
                let parts = &failure.failed_parts;
                format!("#{} fails in {parts:?}{candidate}: {}\n", id.0, events.join(", "))
            }
        };
        outcomes.iter().map(line).collect()
    }
}
