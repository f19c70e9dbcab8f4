//! Deduction compared with real runs, on small worlds: a failure that a run shows is confirmed, and
//! what is proved must not fail in any.

use super::plan::Plan;
use super::predicate_reads::PredicateReads;
use super::search::is_for_search;
use crate::deduce::{Decided, Decision};
use crate::options::Options;
use diagnostic::{Code, Runs};
use machine::{Fault, Goal, Request, Settings, Sizes, Violation, check, goals, worlds};
use modular::Task;
use plato::hir::Program;
use search::{Budget, exhausted};
use source::Span;
use std::collections::BTreeSet;
use verdict::{Evidence, Obligation, Trace};

/// Real runs that go wrong.
pub(crate) struct RealRuns {
    found: Vec<Violation>,
    /// The evidence for what no run shows, if every state of the whole program was visited.
    exhausted: Option<Evidence>,
    /// Whether runs were compared with relies and loop invariants.
    compared: bool,
    /// Codes of runs that show no failure of deduction: deduction may report them elsewhere.
    unexplained: BTreeSet<Code>,
    /// What the predicates read that code uses.
    reads: PredicateReads,
}

/// Limits on the states that are visited to confirm failures, and to look for failures of what was
/// proved.
const STATES: [u64; 2] = [30_000, 2_000];
/// Every world may have at least this number of states.
const EACH: [u64; 2] = [3_000, 200];

/// Limit on the states that are visited to look for failures of what was proved. Where there are
/// many threads each state takes longer, and this is only a second opinion.
fn second_opinion(program: &Program) -> u64 {
    const STEPS: usize = 50_000;
    let fewer = STEPS / program.threads.len().max(1);
    STATES[1].min(fewer.max(20) as u64)
}

impl RealRuns {
    /// No run was made.
    pub(crate) fn none() -> Self {
        Self {
            found: Vec::new(),
            exhausted: None,
            compared: false,
            unexplained: BTreeSet::new(),
            reads: PredicateReads::default(),
        }
    }
}

/// Runs that go wrong, of programs with few threads. With `proved`, one is enough: there should be
/// none.
pub(crate) fn real_runs(
    program: &Program,
    options: &Options,
    decided: &[(Plan<'_>, Decision<Task>)],
    proved: bool,
) -> RealRuns {
    let mut runs = runs(program, options, proved, false);
    let fails = |task: &Decision<Task>| task.as_ref().is_ok_and(Decided::fails_specification);
    // Following specifications makes more states, so that other failures are looked for apart.
    if proved && runs.found.is_empty() || decided.iter().any(|(_, task)| fails(task)) {
        runs.found.extend(self::runs(program, options, proved, true).found);
    }
    let failed: Vec<&Obligation> =
        decided.iter().flat_map(|(_, task)| task).flat_map(Decided::failed).collect();
    let is_told = |run: &Violation| failed.iter().any(|about| is_same(run, about));
    let unexplained = runs.found.iter().filter(|run| !is_told(run));
    runs.unexplained = unexplained.map(|run| run.fault.code).collect();
    runs.reads = PredicateReads::of(program);
    runs
}

fn runs(program: &Program, options: &Options, proved: bool, specifications: bool) -> RealRuns {
    let compared = goals(program).has_annotations();
    let mut runs = RealRuns { compared, ..RealRuns::none() };
    if specifications && program.procs.iter().all(|procedure| procedure.spec.is_none()) {
        return runs;
    }
    let is_shown = |code: Code| match code.info().shown {
        Runs::Always | Runs::Annotation => !specifications,
        Runs::Specification => specifications,
        Runs::Never => false,
    };
    let at_most = if proved { second_opinion(program) } else { STATES[0] };
    let mut left = at_most.min(options.states);
    let mut visited = Vec::new();
    let sizes = Sizes { known_copies: 4, worlds: 12, ..Sizes::default() };
    for scope in worlds(program, &sizes) {
        if options.halt.reason().is_some() {
            return runs;
        }
        // A small world may have states without end, and must leave some for the larger ones.
        let states = left.max(EACH[usize::from(proved)].min(at_most)).min(options.states);
        let settings = Settings {
            annotations: compared && !specifications,
            specifications,
            initial_stores: 64,
            ..Settings::default()
        };
        let budget = Budget { states, ..options.budget() };
        let mut request = Request { settings, budget, ..Request::default() };
        request.options.all = !proved;
        let mut checked = check(scope, &request);
        left = left.saturating_sub(checked.states);
        let new = checked.violations.drain(..);
        runs.found.extend(new.filter(|violation| is_shown(violation.fault.code)));
        visited.push(checked);
        if proved && !runs.found.is_empty() {
            return runs;
        }
    }
    runs.exhausted = exhausted(&visited);
    runs
}

impl RealRuns {
    /// The first thing that goes wrong and that deduction looks at.
    pub(crate) fn first(&self, program: &Program) -> Option<&Fault> {
        let mut faults = self.found.iter().map(|violation| &violation.fault);
        faults.find(|fault| !is_for_search(program, &Goal::of(fault)))
    }

    /// A real run in which the obligation fails.
    pub(crate) fn shows(&self, about: &Obligation) -> Option<Trace> {
        let shows = |run: &&Violation| is_same(run, about) || self.is_read_in_predicate(run, about);
        self.found.iter().find(shows).map(|real| real.trace.clone())
    }

    /// A real run that fails at the place of the obligation, and not in what is called there: that
    /// has obligations of its own.
    pub(crate) fn shows_here(&self, about: &Obligation) -> Option<Trace> {
        let is_here =
            |run: &&Violation| is_same(run, about) && is_within(about.span, run.fault.span);
        self.found.iter().find(is_here).map(|real| real.trace.clone())
    }

    /// Whether the run reads a guarded variable in the predicate that the obligation is about.
    ///
    /// This shows a failure and explains none: a run blames the predicate once for all places where
    /// it is used, so that the failures of other places stay unseen.
    fn is_read_in_predicate(&self, run: &Violation, about: &Obligation) -> bool {
        let statement = run.trace.steps.last().and_then(|step| step.span);
        run.fault.code == about.code
            && about.declared.is_some_and(|guard| self.reads.has(about.span, run.fault.span, guard))
            && statement.is_some_and(|statement| is_within(about.span, statement))
    }

    /// The evidence that the obligation fails in no run of the program.
    pub(crate) fn excludes(&self, about: &Obligation) -> Option<Evidence> {
        let is_seen = match about.code.info().shown {
            Runs::Always => true,
            Runs::Annotation => self.compared,
            Runs::Specification | Runs::Never => false,
        };
        let is_seen = is_seen && !self.unexplained.contains(&about.code);
        self.exhausted.clone().filter(|_| is_seen)
    }
}

/// Whether this is how the obligation fails. A run blames a whole statement where deduction blames
/// a part of it, and a statement in a procedure where deduction, which knows the specification
/// only, blames the call.
fn is_same(violation: &Violation, about: &Obligation) -> bool {
    let fault = &violation.fault;
    let within = |span: &Span| is_within(about.span, *span);
    let same_annotation =
        fault.declared.is_none() || about.declared.is_none() || fault.declared == about.declared;
    let is_here = within(&fault.span) || violation.trace.calls.iter().any(within);
    fault.code == about.code && is_here && same_annotation
}

/// Whether a text is a part of another.
fn is_within(part: Span, whole: Span) -> bool {
    part.file == whole.file && whole.start <= part.start && part.end <= whole.end
}
