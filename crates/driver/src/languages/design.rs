//! Designs with synchronization contracts: what a search found out about their promises.

use super::{Loaded, Read};
use crate::analysis::Context;
use crate::findings::Findings;
use crate::options::Options;
use crate::results::{Effort, ObligationResult};
use crate::words;
use contract::{Goal, Hygiene, Policy, Refutation, System, Verified};
use diagnostic::{Code, Diagnostic};
use search::{Answer, Found};
use source::FileId;
use verdict::{Obligation, TaskKind, Verdict};

/// Takes over what a front end read.
pub(super) fn read(read: contract::Read) -> Read {
    let contract::Read { systems, diagnostics, used_definitions } = read;
    Read { loaded: Loaded::Design(systems), diagnostics, used_definitions }
}

/// Decides all promises of the systems of a design.
///
/// Without a choice, by the user or in the text, the policy `aon` decides: it is how the middleware
/// negotiates. `unit` is searched as well; what goes wrong under that policy only is a warning to
/// those who acquire units by hand.
pub(super) fn check(systems: &[System], file: FileId, context: &Context<'_>) -> Findings {
    let mut found = Findings::default();
    let mut hygiene = Hygiene::new(systems);
    for (at, system) in systems.iter().enumerate() {
        let chosen = match context.options.policy {
            Some(policy) => vec![policy],
            None => system.policies.clone(),
        };
        let is_chosen = !chosen.is_empty();
        for policy in if is_chosen { chosen } else { vec![Policy::Aon] } {
            let (verified, effort) =
                context.search(file, |options| verify(system, policy, options));
            hygiene.learns(at, &verified);
            found.tried.extend(verified.tried.iter().cloned());
            if !is_chosen {
                let by_hand = verify(system, Policy::Unit, context.options);
                found.tried.extend(by_hand.tried.iter().cloned());
                if let Some(refutation) = incremental(&verified, &by_hand) {
                    let warning = by_one(refutation);
                    found.warn_with(warning, Some(refutation.trace.clone()));
                }
            }
            add(verified, effort, &mut found);
        }
    }
    if context.options.hygiene {
        hygiene.warnings().into_iter().for_each(|warning| found.warn(warning));
    }
    found
}

fn verify(system: &System, policy: Policy, options: &Options) -> Verified {
    let engine = options.engine.search().unwrap_or_default();
    contract::verify(system, policy, engine, &options.budget())
}

fn add(verified: Verified, effort: Effort, found: &mut Findings) {
    for (goal, Answer { found: answer, by }) in verified.goals {
        let (verdict, told) = match answer {
            Found::Holds(evidence) => (Verdict::Proved(evidence), None),
            Found::Violated(refutation) => {
                let told = violated(goal.code, &refutation);
                (Verdict::Refuted(Box::new(refutation.trace)), Some(told.into()))
            }
            Found::Open(reason) => {
                let told = words::undecided(&reason, goal.span, goal.code);
                (Verdict::Unknown(reason), Some(told.into()))
            }
        };
        let about = Obligation::new(goal.code, goal.span, goal.code.info().summary);
        let result = ObligationResult::new(TaskKind::Search.alone(), about, verdict, by);
        found.add(ObligationResult { effort, ..result }, told);
    }
}

fn violated(code: Code, refutation: &Refutation) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(code, refutation.span, refutation.message.clone());
    for (span, text) in &refutation.labels {
        diagnostic = diagnostic.label(*span, text.clone());
    }
    diagnostic.notes.extend(refutation.notes.iter().cloned());
    diagnostic.help.extend(refutation.help.iter().cloned());
    diagnostic
}

/// The first thing that goes wrong only if units are acquired one by one.
fn incremental<'v>(at_once: &Verified, by_hand: &'v Verified) -> Option<&'v Refutation> {
    let refuted = |goal: &Goal| {
        let mut goals = at_once.goals.iter();
        goals.any(|(other, answer)| other == goal && answer.is_violated())
    };
    by_hand.goals.iter().find_map(|(goal, answer)| match &answer.found {
        Found::Violated(refutation) if !refuted(goal) => Some(&**refutation),
        _ => None,
    })
}

fn by_one(refutation: &Refutation) -> Diagnostic {
    let mut diagnostic = violated(Code::IncrementalDeadlock, refutation);
    diagnostic.message = format!("if units are acquired one by one: {}", refutation.message);
    diagnostic
}
