//! Whole searches: does anything go wrong in a world?

use crate::properties::Fault;
use crate::scope::Scope;
use crate::tables::{Machine, Settings};
use search::{Budget, Options, Run, explore};
use verdict::{Evidence, StopReason, Trace};

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

/// What came of a search of one world.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What goes wrong, each fault once, in the order of discovery.
    pub violations: Vec<Violation>,
    /// How many states were visited.
    pub states: u64,
    /// How many steps lead from one to another.
    pub transitions: u64,
    /// The longest distance from a start.
    pub depth: u32,
    /// The most memory that states took, in bytes.
    pub bytes: u64,
    /// Why the search, or the world, is not all of it. Nothing is proved unless this is `None`.
    pub cut: Option<StopReason>,
}

impl Checked {
    /// Whether every reachable state of the whole program was visited and nothing is wrong.
    pub fn is_exhausted(&self) -> bool {
        self.cut.is_none() && self.violations.is_empty()
    }
}

/// The evidence for what no search of these worlds violates, if they are all worlds of a program and
/// every state of each was visited.
pub fn exhausted(worlds: &[Checked]) -> Option<Evidence> {
    let states = worlds.iter().map(|checked| checked.states).sum();
    let complete = worlds.iter().all(|checked| checked.cut.is_none());
    (complete && states > 0).then_some(Evidence::Exhausted { states })
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

/// Visits every interleaving of a world.
pub fn check(scope: Scope, request: &Request) -> Checked {
    let mut machine = Machine::new(scope, request.settings.clone());
    let report = explore(&mut machine, &request.budget, &request.options);
    let violations = report.violations.into_iter().map(|violation| Violation {
        fault: machine.fault(violation.fault).clone(),
        trace: machine.trace(&violation.run),
        run: violation.run,
    });
    Checked {
        violations: violations.collect(),
        states: report.states,
        transitions: report.transitions,
        depth: report.depth,
        bytes: report.bytes,
        cut: report.cut.or_else(|| machine.incomplete()),
    }
}
