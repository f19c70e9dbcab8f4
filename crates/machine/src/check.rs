//! Whole searches: does anything go wrong in a world?

use crate::properties::Fault;
use crate::scope::Scope;
use crate::tables::{Machine, Settings};
use search::{Budget, Options, Report, Run, explore};
use verdict::Trace;

/// What to do, and at what cost.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// What is checked.
    pub settings: Settings,
    /// How to search.
    pub options: Options,
    /// How far to search.
    pub budget: Budget<'a>,
}

/// Something that goes wrong in a real run.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What.
    pub fault: Fault,
    /// The run in numbers of the machine.
    pub run: Run,
    /// The run in the user's names.
    pub trace: Trace,
}

/// Visits every interleaving of a world. If the world is not the whole program, that cuts the
/// search short.
pub fn check(scope: Scope, request: &Request) -> Report<Violation> {
    let mut machine = Machine::new(scope, request.settings.clone());
    let report = explore(&mut machine, &request.budget, &request.options);
    let violations = report.violations.into_iter().map(|violation| Violation {
        fault: machine.fault(violation.fault).clone(),
        trace: machine.trace(&violation.run),
        run: violation.run,
    });
    Report {
        violations: violations.collect(),
        states: report.states,
        transitions: report.transitions,
        depth: report.depth,
        bytes: report.bytes,
        cut: report.cut.or_else(|| machine.incomplete()),
    }
}
