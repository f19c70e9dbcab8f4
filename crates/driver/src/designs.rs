//! Designs with synchronization contracts: what a search found out about their promises, as results and diagnostics.

use crate::diagnose;
use crate::run::{Engine, ObligationResult, Options};
use crate::searching::Searched;
use contract::{Found, Goal, Policy, Refutation, System, Verified};
use diagnostic::{Code, Diagnostic};
use search::Budget;
use source::SourceMap;
use verdict::{Obligation, Relevance, StopReason, Verdict};

/// Decides all promises of the systems of a design.
///
/// Without a choice, by the user or in the text, the policy `aon` decides: it is how the middleware negotiates. `unit` is searched as
/// well; what goes wrong under that policy only is a warning to those who acquire units by hand.
pub(crate) fn search_design(
    systems: &[System],
    options: &Options,
    sources: &SourceMap,
) -> Searched {
    let mut searched = Searched { results: Vec::new(), diagnostics: Vec::new(), tried: Vec::new() };
    for system in systems {
        let chosen = match options.policy {
            Some(policy) => vec![policy],
            None => system.policies.clone(),
        };
        let is_chosen = !chosen.is_empty();
        for policy in if is_chosen { chosen } else { vec![Policy::Aon] } {
            let verified = verify(system, policy, options);
            let by_hand = (!is_chosen).then(|| verify(system, Policy::Unit, options));
            searched.tried.extend(verified.tried.iter().cloned());
            if let Some(by_hand) = by_hand {
                searched.tried.extend(by_hand.tried.iter().cloned());
                searched.diagnostics.extend(incremental(&verified, &by_hand, sources));
            }
            add(verified, &mut searched, sources);
        }
    }
    searched
}

fn verify(system: &System, policy: Policy, options: &Options) -> Verified {
    let budget = Budget {
        states: options.states,
        bytes: u64::from(options.limits.memory_mib) << 20,
        ..Budget::default()
    };
    let engine = match options.engine {
        Engine::Auto => contract::Engine::Auto,
        Engine::ThreadModular => contract::Engine::Alone,
        Engine::Explore => contract::Engine::Explore,
        Engine::Symbolic | Engine::Pairs | Engine::Pushdown | Engine::Deductive => {
            let why = StopReason::Unsupported("this engine for a design".to_owned());
            return contract::undecided(system, policy, &why);
        }
    };
    contract::verify(system, policy, engine, &budget)
}

fn add(verified: Verified, searched: &mut Searched, sources: &SourceMap) {
    for (goal, found) in verified.goals {
        let verdict = match found {
            Found::Holds(evidence) => Verdict::Proved(evidence),
            Found::Violated(refutation) => {
                let code = Code::of(goal.code);
                searched.diagnostics.push(violated(code, &refutation, sources));
                Verdict::Refuted(Box::new(refutation.trace))
            }
            Found::Open(reason) => {
                let open = diagnose::unknown(&reason, goal.span);
                let what = Code::of(goal.code).info().summary;
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
fn incremental(at_once: &Verified, by_hand: &Verified, sources: &SourceMap) -> Option<Diagnostic> {
    let refuted = |verified: &Verified, goal: &Goal| {
        verified
            .goals
            .iter()
            .any(|(other, found)| other == goal && matches!(found, Found::Violated(_)))
    };
    by_hand.goals.iter().find_map(|(goal, found)| {
        let Found::Violated(refutation) = found else { return None };
        if refuted(at_once, goal) {
            return None;
        }
        let mut diagnostic = violated(Code::of("incremental-deadlock"), refutation, sources);
        diagnostic.message = format!("if units are acquired one by one: {}", refutation.message);
        Some(diagnostic)
    })
}

fn obligation(goal: &Goal) -> Obligation {
    Obligation {
        code: goal.code,
        relevance: Relevance::Required,
        span: goal.span,
        declared: None,
        held: String::new(),
        failed: Code::of(goal.code).info().summary.to_owned(),
        help: None,
    }
}
