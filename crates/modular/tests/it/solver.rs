//! The pinned solver.

use gcl::{LoopMode, Outcome, Question};
use modular::Task;
use smt::{Kind, Session, Solver};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use verdict::{Limits, ObligationId, Trace};

const LIMITS: Limits =
    Limits { resources: 10_000_000, wall_clock: Duration::from_secs(60), memory_mib: 2048 };

/// The runs that fail.
pub(crate) fn runs(mut task: Task) -> Vec<Trace> {
    let failures = outcomes(&mut task).into_iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Failed(failure) => Some(failure),
        _ => None,
    });
    failures.map(|failure| modular::trace(&task, &failure)).collect()
}

fn outcomes(task: &mut Task) -> Vec<(ObligationId, Outcome)> {
    let task = &mut task.common;
    let code = gcl::cut_loops(&mut task.terms, &task.body, LoopMode::Cut);
    let graph = gcl::passify(&mut task.terms, &code);
    let conditions = gcl::conditions(&mut task.terms, &graph);
    let question = Question {
        terms: &task.terms,
        graph: &graph,
        conditions: &conditions,
        limits: LIMITS,
        solver: "Z3",
        quick: false,
        whole: false,
        hasty: false,
        observed: &task.observed,
        maps: &BTreeMap::new(),
    };
    let session = &mut session();
    let groups = gcl::groups(&graph, usize::MAX);
    groups.iter().flat_map(|group| gcl::solve_group(session, question, group)).collect()
}

fn session() -> Session {
    #[expect(clippy::disallowed_methods, reason = "tests find the solver as the binary does")]
    let given = std::env::var("RELY_Z3").ok().map(PathBuf::from);
    let pinned = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/z3-5.3.2.0/bin/z3");
    let program = given.unwrap_or_else(|| pinned.into());
    assert!(program.exists(), "no solver at {}: run `cargo xtask setup` first", program.display());
    Session::start(&Solver { program, kind: Kind::Z3, version: String::new() }, LIMITS)
}
