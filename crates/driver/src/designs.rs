//! Designs with synchronization contracts: what a search found out about their promises, as results and diagnostics.

use crate::diagnose;
use crate::findings::Findings;
use crate::run::{Engine, ObligationResult, Options};
use contract::{Drawing, Found, Goal, Hygiene, Policy, Refutation, System, Verified};
use diagnostic::{Code, Diagnostic};
use source::SourceMap;
use verdict::{Obligation, Verdict};

/// Decides all promises of the systems of a design.
///
/// Without a choice, by the user or in the text, the policy `aon` decides: it is how the middleware negotiates. `unit` is searched as
/// well; what goes wrong under that policy only is a warning to those who acquire units by hand.
pub(crate) fn search_design(
    systems: &[System],
    options: &Options,
    sources: &SourceMap,
) -> Findings {
    let mut searched = Findings::default();
    let mut hygiene = Hygiene::new(systems);
    for (at, system) in systems.iter().enumerate() {
        let chosen = match options.policy {
            Some(policy) => vec![policy],
            None => system.policies.clone(),
        };
        let is_chosen = !chosen.is_empty();
        for policy in if is_chosen { chosen } else { vec![Policy::Aon] } {
            let verified = verify(system, policy, options);
            hygiene.learns(at, &verified);
            let by_hand = (!is_chosen).then(|| verify(system, Policy::Unit, options));
            searched.tried.extend(verified.tried.iter().cloned());
            if let Some(by_hand) = by_hand {
                searched.tried.extend(by_hand.tried.iter().cloned());
                let warning = incremental(&verified, &by_hand);
                if let Some((goal, refutation)) = warning {
                    searched.diagnostics.push(by_one(refutation, sources));
                    searched.drawings.extend(drawn(&by_hand, Some(goal)));
                }
            }
            searched.drawings.extend(drawn(&verified, None));
            add(verified, &mut searched, sources);
        }
    }
    if options.hygiene {
        searched.diagnostics.extend(hygiene.warnings());
    }
    searched
}

/// The runs that break promises, or the one that breaks this promise.
fn drawn(verified: &Verified, only: Option<&Goal>) -> Vec<(Code, Drawing)> {
    let mut drawings = Vec::new();
    for (goal, found) in &verified.goals {
        if let Found::Violated(refutation) = found
            && only.is_none_or(|only| only == goal)
            && let Some(drawing) = &refutation.drawing
        {
            drawings.push((goal.code, drawing.clone()));
        }
    }
    drawings
}

fn verify(system: &System, policy: Policy, options: &Options) -> Verified {
    let budget = options.budget();
    let engine = match options.engine {
        Engine::ThreadModular => contract::Engine::Alone,
        Engine::Explore => contract::Engine::Explore,
        // Those that are not for designs were refused before.
        Engine::Auto | Engine::Symbolic | Engine::Pairs | Engine::Pushdown | Engine::Deductive => {
            contract::Engine::Auto
        }
    };
    contract::verify(system, policy, engine, &budget)
}

fn add(verified: Verified, searched: &mut Findings, sources: &SourceMap) {
    for (goal, found) in verified.goals {
        let verdict = match found {
            Found::Holds(evidence) => Verdict::Proved(evidence),
            Found::Violated(refutation) => {
                let code = goal.code;
                searched.diagnostics.push(violated(code, &refutation, sources));
                Verdict::Refuted(Box::new(refutation.trace))
            }
            Found::Open(reason) => {
                let open = diagnose::unknown(&reason, goal.span);
                let what = goal.code.info().summary;
                searched.diagnostics.push(open.at(format!("not decided whether: {what}")));
                Verdict::Unknown(reason)
            }
        };
        let task = "search".to_owned();
        searched.results.push(ObligationResult { task, obligation: obligation(&goal), verdict });
    }
}

fn violated(code: Code, refutation: &Refutation, sources: &SourceMap) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(code, refutation.span, refutation.message.clone());
    for (span, text) in &refutation.labels {
        diagnostic = diagnostic.label(*span, text.clone());
    }
    diagnostic.picture = diagnose::lanes(&refutation.trace, sources);
    for note in &refutation.notes {
        diagnostic = diagnostic.note(note.clone());
    }
    for help in &refutation.help {
        diagnostic = diagnostic.help(help.clone());
    }
    diagnostic
}

/// The first thing that goes wrong only if units are acquired one by one.
fn incremental<'v>(
    at_once: &Verified,
    by_hand: &'v Verified,
) -> Option<(&'v Goal, &'v Refutation)> {
    let refuted = |goal: &Goal| {
        let mut goals = at_once.goals.iter();
        goals.any(|(other, found)| other == goal && matches!(found, Found::Violated(_)))
    };
    by_hand.goals.iter().find_map(|(goal, found)| match found {
        Found::Violated(refutation) if !refuted(goal) => Some((goal, &**refutation)),
        _ => None,
    })
}

fn by_one(refutation: &Refutation, sources: &SourceMap) -> Diagnostic {
    let mut diagnostic = violated(Code::IncrementalDeadlock, refutation, sources);
    diagnostic.message = format!("if units are acquired one by one: {}", refutation.message);
    diagnostic
}

fn obligation(goal: &Goal) -> Obligation {
    Obligation::new(goal.code, goal.span, goal.code.info().summary)
}
