//! Programs that were translated from C: what a search found out about them, as far as the translation says all.

use crate::diagnose;
use crate::findings::Findings;
use crate::run::{Engine, ObligationResult, Options};
use crate::searching::{chosen, search};
use c::Unsupported;
use machine::Goal;
use plato::hir::Program;
use source::SourceMap;
use std::collections::BTreeMap;
use verdict::{Obligation, StopReason, Verdict};

/// What stands where the translation could not say something.
const STOP: &str = "assertion-failed";
/// Numbers have many values, so that searches often have no end. They are given up earlier than those of programs with
/// few values, unless fewer are asked for. Real runs are few compared with what an abstraction makes of numbers, so that
/// they are looked at first.
const STATES: u64 = 2_000_000;
const FIRST_STATES: u64 = 200_000;

/// Decides everything that can go wrong.
pub(crate) fn search_translated(
    program: &Program,
    unsupported: &[Unsupported],
    options: &Options,
    sources: &SourceMap,
) -> Findings {
    let engine = match options.engine {
        Engine::Auto => Some(machine::Engine::Ladder),
        _ => chosen(program, options),
    };
    let within = |states: u64, engine| {
        let limited = Options { states: options.states.min(states), ..options.clone() };
        search(program, engine, &limited, sources, |_| true)
    };
    let searched = match engine {
        Some(machine::Engine::Ladder) => {
            let first = within(FIRST_STATES, machine::Engine::Explore);
            if first.results.iter().any(|result| matches!(result.verdict, Verdict::Unknown(_))) {
                let mut second = within(STATES, machine::Engine::Ladder);
                second.tried.splice(0..0, first.tried);
                second
            } else {
                first
            }
        }
        engine => within(STATES, engine.unwrap_or_default()),
    };
    with_gaps(searched, unsupported)
}

fn open(goal: &Goal, reason: StopReason) -> ObligationResult {
    let obligation = Obligation::new(goal.code, goal.span, reason.to_string());
    let verdict = Verdict::Unknown(reason);
    ObligationResult { task: "search".to_owned(), obligation, verdict }
}

/// A gap in the translation is an assertion that fails. One that is out of reach is none. If one is not, it is told, and
/// nothing counts as proved.
fn with_gaps(mut searched: Findings, unsupported: &[Unsupported]) -> Findings {
    let gaps: BTreeMap<_, _> = unsupported.iter().map(|gap| (gap.span, gap)).collect();
    let mut reached: Vec<&Unsupported> = unsupported.iter().filter(|gap| gap.anyway).collect();
    let mut kept = Vec::new();
    for result in searched.results {
        let gap = gaps.get(&result.obligation.span).filter(|_| result.obligation.code == STOP);
        match (gap, &result.verdict) {
            (Some(_), Verdict::Proved(_)) => {}
            (Some(gap), _) => reached.push(gap),
            (None, _) => kept.push(result),
        }
    }
    searched.diagnostics.retain(|diagnostic| !gaps.contains_key(&diagnostic.primary.span));
    searched.results = kept;
    let Some(first) = reached.first() else { return searched };
    let reason = |gap: &Unsupported| StopReason::Unsupported(gap.message.clone());
    for result in &mut searched.results {
        if let Verdict::Proved(_) = result.verdict {
            result.verdict = Verdict::Unknown(reason(first));
        }
    }
    for gap in reached {
        let goal = Goal { code: STOP, span: gap.span };
        searched.diagnostics.push(diagnose::unknown(&reason(gap), gap.span));
        searched.results.push(open(&goal, reason(gap)));
    }
    searched
}
