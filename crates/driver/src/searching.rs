//! The engines that search states: when they are used, and what they found as results and diagnostics.

use crate::diagnose;
use crate::findings::Findings;
use crate::run::{Engine, ObligationResult, Options};
use diagnostic::{Code, Diagnostic};
use machine::{Found, Goal, Violation};
use plato::hir::{NeverKind, Program};
use source::SourceMap;
use verdict::{Obligation, StopReason, Verdict};

/// How a program is checked: by deduction from its annotations, or by a search.
pub(crate) fn chosen(program: &Program, options: &Options) -> Option<machine::Engine> {
    match options.engine {
        Engine::Deductive => None,
        Engine::ThreadModular => Some(machine::Engine::ThreadModular),
        Engine::Symbolic => Some(machine::Engine::Symbolic),
        Engine::Pairs => Some(machine::Engine::Pairs),
        Engine::Pushdown => Some(machine::Engine::Pushdown),
        Engine::Explore => Some(machine::Engine::Explore),
        // Who writes relies, specifications or `atomic proc` wants to know whether they suffice. Options about threads and loops are
        // for deduction too.
        Engine::Auto => {
            let deductive = is_annotated(program)
                || machine::infinite(program).is_some()
                || options.unroll.is_some()
                || !options.only.is_empty();
            (!deductive).then_some(machine::Engine::Ladder)
        }
    }
}

fn is_annotated(program: &Program) -> bool {
    !program.relies.is_empty()
        || program.threads.iter().any(|thread| !thread.relies.is_empty())
        || program.procs.iter().any(|procedure| procedure.spec.is_some() || procedure.is_atomic)
}

/// Error sets that deduction cannot decide, and a search may.
pub(crate) fn is_for_search(program: &Program, goal: &Goal) -> bool {
    program.nevers.iter().any(|never| {
        let about_control = match &never.kind {
            NeverKind::Formula(expr) => modular::asks_where_threads_are(expr),
            NeverKind::Deadlock | NeverKind::Race(_) => true,
        };
        never.span == goal.span && about_control
    })
}

/// Decides the wanted goals.
pub(crate) fn search(
    program: &Program,
    engine: machine::Engine,
    options: &Options,
    sources: &SourceMap,
    wanted: impl Fn(&Goal) -> bool,
) -> Findings {
    let budget = options.budget();
    let verified = machine::verify(program, engine, &budget, wanted);
    let mut searched = Findings { tried: verified.tried, ..Findings::default() };
    let gaps: Vec<StopReason> = verified.goals.iter().filter_map(gap).collect();
    for (goal, found) in verified.goals {
        let about = |code: Code| Obligation::new(code, goal.span, code.info().fails);
        let (obligation, verdict) = match found {
            Found::Holds(evidence) => (about(goal.code), Verdict::Proved(evidence)),
            Found::Open(reason) => {
                searched.diagnostics.extend(open(&goal, &reason, &gaps));
                (about(goal.code), Verdict::Unknown(reason))
            }
            Found::Violated(violation) => {
                let about = about(violation.fault.code);
                searched.diagnostics.push(violated(&violation, &about, sources));
                (about, Verdict::Refuted(Box::new(violation.trace)))
            }
        };
        let task = "search".to_owned();
        searched.results.push(ObligationResult { task, obligation, verdict });
    }
    searched
}

/// Why nothing is known from a place on that a translation could not express.
fn gap((goal, found): &(Goal, Found)) -> Option<StopReason> {
    match found {
        Found::Open(reason) if goal.code == Code::Unsupported => Some(reason.clone()),
        Found::Open(_) | Found::Holds(_) | Found::Violated(_) => None,
    }
}

/// What to say of a goal that was not decided. What is open because of a gap is told at the gap.
fn open(goal: &Goal, reason: &StopReason, gaps: &[StopReason]) -> Option<Diagnostic> {
    let open = diagnose::unknown(reason, goal.span);
    if goal.code == Code::Unsupported {
        return Some(open);
    }
    let what = goal.code.info().summary;
    (!gaps.contains(reason)).then(|| open.at(format!("not decided whether: {what}")))
}

fn violated(violation: &Violation, about: &Obligation, sources: &SourceMap) -> Diagnostic {
    let fault = &violation.fault;
    let mut diagnostic = Diagnostic::new(fault.code, fault.span, about.failed.clone());
    if let Some(declared) = fault.declared {
        diagnostic = diagnostic.label(declared, fault.code.info().label);
    }
    diagnostic.picture = diagnose::lanes(&violation.trace, sources);
    diagnose::note_on_trace(diagnostic, &violation.trace)
}
