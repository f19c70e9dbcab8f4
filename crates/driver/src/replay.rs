//! Deduction compared with real runs, on small worlds: a failure that a run shows is confirmed, and what is proved must not
//! fail in any.

use crate::decide::Decision;
use crate::run::Options;
use machine::{Fault, Request, Settings, Sizes, Violation, check, worlds};
use plato::hir::Program;
use search::Budget;
use source::Span;
use verdict::{Confirmation, Obligation, Trace};

/// Real runs that go wrong.
pub(crate) struct RealRuns {
    found: Vec<Violation>,
    /// Whether every state of the whole program was visited.
    complete: bool,
}

/// So many states are visited to confirm failures, and so many to look for failures of what was proved.
const STATES: [u64; 2] = [30_000, 2_000];

/// Codes of failures that a run can show.
const SHOWN: &[&str] = &[
    "assertion-failed",
    "invariant-broken",
    "invariant-not-initial",
    "never-reached",
    "rely-violated",
    "loop-invariant-not-established",
    "loop-invariant-not-preserved",
    "release-not-held",
    "unguarded-access",
    "action-check-failed",
    "value-out-of-range",
    "index-out-of-range",
    "division-by-zero",
];

/// Codes of failures of specifications of procedures. A run can show them too, but where a run is not known to break a
/// specification the benefit of the doubt is its own, so that no failure is excluded by not being found.
const OF_SPECIFICATIONS: &[&str] =
    &["precondition-failed", "step-not-allowed", "action-missing", "postcondition-failed"];

/// Runs that go wrong, of programs with few threads. With `proved`, one is enough: there should be none.
pub(crate) fn real_runs(
    program: &Program,
    options: &Options,
    decided: &[Decision],
    proved: bool,
) -> RealRuns {
    let mut runs = runs(program, options, proved, false);
    let fails =
        |task: &Decision| task.as_ref().is_ok_and(|task| task.fails_with(OF_SPECIFICATIONS));
    // Following specifications makes more states, so that other failures are looked for apart.
    if proved && runs.found.is_empty() || decided.iter().any(fails) {
        runs.found.extend(self::runs(program, options, proved, true).found);
    }
    runs
}

fn runs(program: &Program, options: &Options, proved: bool, specifications: bool) -> RealRuns {
    let mut runs = RealRuns { found: Vec::new(), complete: true };
    if specifications && program.procs.iter().all(|procedure| procedure.spec.is_none()) {
        return runs;
    }
    let shown = if specifications { OF_SPECIFICATIONS } else { SHOWN };
    let mut left = STATES[usize::from(proved)].min(options.states);
    let sizes = Sizes { known_copies: 4, worlds: 12, ..Sizes::default() };
    for scope in worlds(program, &sizes) {
        let settings = Settings {
            annotations: !specifications,
            specifications,
            initial_stores: 64,
            ..Settings::default()
        };
        let budget = Budget { states: left, ..Budget::default() };
        let mut request = Request { settings, budget, ..Request::default() };
        request.options.all = !proved;
        let checked = check(scope, &request);
        left = left.saturating_sub(checked.states);
        runs.complete &= checked.cut.is_none();
        let new = checked.violations.into_iter();
        runs.found.extend(new.filter(|violation| shown.contains(&violation.fault.code)));
        if left == 0 || proved && !runs.found.is_empty() {
            runs.complete = false;
            break;
        }
    }
    runs
}

impl RealRuns {
    /// The first thing that goes wrong.
    pub(crate) fn first(&self) -> Option<&Fault> {
        self.found.first().map(|violation| &violation.fault)
    }

    /// The trace of a failure, replaced by a real run if there is one.
    pub(crate) fn confirmed(&self, about: &Obligation, trace: Trace) -> Trace {
        let real = self.found.iter().find(|violation| is_same(violation, about));
        match real {
            Some(real) => real.trace.clone(),
            None if self.complete && SHOWN.contains(&about.code) => {
                Trace { confirmation: Confirmation::Excluded, ..trace }
            }
            None => trace,
        }
    }
}

/// Whether this is how the obligation fails. A run blames a whole statement where deduction blames a part of it, and a
/// statement in a procedure where deduction, which knows the specification only, blames the call.
fn is_same(violation: &Violation, about: &Obligation) -> bool {
    let fault = &violation.fault;
    let within = |span: &Span| {
        span.file == about.span.file && span.start <= about.span.start && about.span.end <= span.end
    };
    let same_annotation =
        fault.declared.is_none() || about.declared.is_none() || fault.declared == about.declared;
    let is_here = within(&fault.span) || violation.calls.iter().any(within);
    fault.code == about.code && is_here && same_annotation
}
