//! Programs in Plato decided by searches: when, and what they found.

use crate::analysis::Context;
use crate::findings::{Findings, Told};
use crate::options::{Engine, Options};
use crate::results::ObligationResult;
use crate::words;
use diagnostic::{Code, Diagnostic};
use machine::{Goal, Violation};
use plato::hir::{Count, NeverKind, Program, Thread};
use search::{Answer, Found};
use source::FileId;
use verdict::{Obligation, StopReason, TaskKind, Verdict};

/// How a program is checked: by deduction from its annotations, or by a search.
///
/// Who writes relies, specifications or `atomic proc` wants to know whether they suffice. Options
/// about threads and loops are for deduction too.
pub(crate) fn chosen(program: &Program, options: &Options) -> Option<search::Engine> {
    if options.engine != Engine::Auto {
        return options.engine.search();
    }
    let deductive = is_annotated(program)
        || machine::infinite(program).is_some()
        || options.unroll.is_some()
        || !options.only.is_empty();
    (!deductive).then_some(search::Engine::Ladder)
}

fn is_annotated(program: &Program) -> bool {
    program.relies.iter().any(|rely| rely.is_written)
        || program.threads.iter().any(|thread| !thread.relies.is_empty() || is_any_forked(thread))
        || program.procs.iter().any(|procedure| procedure.spec.is_some() || procedure.is_atomic)
}

/// Whether any number of these threads may be forked: what the language says of them is about all,
/// and searches have nothing to say about that.
fn is_any_forked(thread: &Thread) -> bool {
    thread.is_forked && matches!(thread.count, Count::Any | Count::Symbolic(_))
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
    engine: search::Engine,
    file: FileId,
    context: &Context<'_>,
    wanted: impl Fn(&Goal) -> bool,
) -> Findings {
    let (verified, effort) =
        context.search(file, |options| machine::verify(program, engine, &options.budget(), wanted));
    let mut found = Findings::of_searches(verified.tried);
    let gaps: Vec<StopReason> = verified.goals.iter().filter_map(gap).collect();
    for (goal, Answer { found: answer, by }) in verified.goals {
        let about = |code: Code| Obligation::new(code, goal.span, code.info().fails);
        let (obligation, verdict, told): (_, _, Option<Told>) = match answer {
            Found::Holds(evidence) => (about(goal.code), Verdict::Proved(evidence), None),
            Found::Open(reason) => {
                let told = open(&goal, &reason, &gaps).map(Told::from);
                (about(goal.code), Verdict::Unknown(reason), told)
            }
            Found::Violated(violation) => {
                let about = about(violation.fault.code);
                let told = violated(&violation, &about);
                (about, Verdict::Refuted(Box::new(violation.trace)), Some(told.into()))
            }
        };
        let task = TaskKind::Search.alone();
        let result = ObligationResult::new(task, obligation, verdict, by);
        found.add(ObligationResult { effort, ..result }, told);
    }
    found
}

/// Why nothing is known from a place on that a translation could not express.
fn gap((goal, answer): &(Goal, Answer<Box<Violation>>)) -> Option<StopReason> {
    match &answer.found {
        Found::Open(reason) if goal.code == Code::Unsupported => Some(reason.clone()),
        Found::Open(_) | Found::Holds(_) | Found::Violated(_) => None,
    }
}

/// What to say of a goal that was not decided. A goal that is open because of a gap is reported at
/// the gap.
fn open(goal: &Goal, reason: &StopReason, gaps: &[StopReason]) -> Option<Diagnostic> {
    if goal.code == Code::Unsupported {
        return Some(words::unknown(reason, goal.span));
    }
    (!gaps.contains(reason)).then(|| words::undecided(reason, goal.span, goal.code))
}

fn violated(violation: &Violation, about: &Obligation) -> Diagnostic {
    let fault = &violation.fault;
    let (code, span, declared) = (fault.code, fault.span, fault.declared);
    let here = Obligation { code, span, declared, ..about.clone() };
    words::confirmation(failure(&here), &violation.trace)
}

/// That an obligation fails.
pub(super) fn failure(about: &Obligation) -> Diagnostic {
    let diagnostic = Diagnostic::new(about.code, about.span, about.failed.clone());
    match about.declared {
        Some(declared) => diagnostic.label(declared, about.code.info().label),
        None => diagnostic,
    }
}
