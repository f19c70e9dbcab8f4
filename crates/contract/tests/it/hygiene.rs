//! On random designs, parts reported as unreachable are unreachable, and nothing is reported about
//! parts that were not searched to the end.

use crate::designs::{Rng, design};
use crate::naive::{starts, system};
use contract::{Event, Hygiene, Policy, State, System, Views, steps, verify};
use diagnostic::Code;
use search::{Budget, Engine};
use source::Span;
use std::collections::BTreeSet;

/// The places of all transitions that are taken, of states that are reached, and of calls that are
/// accepted.
fn happens(system: &System, policy: Policy) -> (BTreeSet<Span>, bool, usize) {
    let mut left = starts(system, policy);
    let mut seen: BTreeSet<State> = left.iter().cloned().collect();
    let (mut places, mut is_violated) = (BTreeSet::new(), false);
    while let Some(state) = left.pop() {
        for unit in 0..system.units.len() {
            places.insert(system.class(unit).states[state.states[unit]].span);
        }
        for thread in 0..system.roots.len() {
            for step in steps(&mut Views, system, policy, &state, thread) {
                let (unit, transition) = match step.event {
                    Event::Fire { unit, transition, .. } => (unit, Some(transition)),
                    Event::Return { unit, transition, .. } => (unit, transition),
                    Event::Call { callee, transition, span, .. } => {
                        places.extend(transition.map(|_| span));
                        (callee, transition)
                    }
                    Event::Acquire(_) | Event::Expand(_) | Event::Complete(_) => (0, None),
                };
                places.extend(transition.map(|at| system.class(unit).transitions[at].span));
                match step.result {
                    Ok(next) if seen.insert(next.clone()) => left.push(next),
                    Ok(_) => {}
                    Err(_) => is_violated = true,
                }
            }
        }
    }
    (places, is_violated, seen.len())
}

/// The places that warnings say nothing happens at.
fn quiet(system: &System, policy: Policy, engine: Engine, budget: &Budget<'_>) -> BTreeSet<Span> {
    let systems = std::slice::from_ref(system);
    let mut hygiene = Hygiene::new(systems);
    hygiene.learns(0, &verify(system, policy, engine, budget));
    let warnings = hygiene.warnings().into_iter();
    let of_runs = |code: Code| [Code::UnreachableCode, Code::CallNeverAccepted].contains(&code);
    warnings.filter(|one| of_runs(one.code)).map(|one| one.primary.span).collect()
}

#[test]
fn nothing_happens_where_warnings_say_so() {
    let mut rng = Rng::new(31);
    let (mut exact, mut alone) = (0, 0);
    for _ in 0..300 {
        let text = design(&mut rng);
        let system = system(&text, &[]);
        for policy in [Policy::Unit, Policy::Saturate, Policy::Aon] {
            let (places, is_violated, states) = happens(&system, policy);
            for (engine, count) in
                [(Engine::Explore, &mut exact), (Engine::ThreadModular, &mut alone)]
            {
                let quiet = quiet(&system, policy, engine, &Budget::default());
                assert!(quiet.is_disjoint(&places), "{policy} {quiet:?}\n{text}");
                assert!(engine != Engine::Explore || !is_violated || quiet.is_empty());
                *count += quiet.len();
            }
            let little = Budget { states: 3, ..Budget::default() };
            let cut = quiet(&system, policy, Engine::Explore, &little);
            assert!(cut.is_empty() || states < 4, "{policy} {cut:?}\n{text}");
        }
    }
    assert!(exact > 50 && alone > 30, "{exact} by a search of all states, {alone} by each alone");
}
