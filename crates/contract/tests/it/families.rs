//! Each thread alone, against the search of all states.

use crate::designs::{Rng, design};
use crate::naive::{counts, system};
use contract::{Policy, Refutation, System, verify};
use search::{Budget, Engine, Found};

const AT_ONCE: &str = include_str!("../../../../examples/szumo/philosophers/at-once.szumo");
const TWO_STEPS: &str = include_str!("../../../../examples/szumo/philosophers/two-steps.szumo");

fn answers(system: &System, policy: Policy, engine: Engine) -> Vec<Found<Box<Refutation>>> {
    let verified = verify(system, policy, engine, &Budget::default());
    verified.goals.into_iter().map(|(_, answer)| answer.found).collect()
}

/// What searches of single threads exclude does not happen, and what they find is real.
#[test]
fn single_threads_are_sound() {
    let mut rng = Rng::new(7);
    let (proved, refuted, open) = compared((0..120).map(|_| design(&mut rng)));
    assert!(proved > 1500 && refuted > 20, "{proved} proved, {refuted} refuted, {open} open");
}

/// The same with threads that enter units in which they are already, to a depth that is bounded by
/// the states.
#[test]
fn single_threads_are_sound_if_units_are_entered_again() {
    let mut rng = Rng::new(8);
    let texts = (0..60).map(|_| {
        let text = design(&mut rng).replace("};\n", "} calls v0.op;\n").replace(" calls p.op", "");
        let again = "state y {k} calls p.op; state z {k}; before op: y -> z; after op: z -> y;";
        text.replace("state y {k};", again)
    });
    let (proved, refuted, open) = compared(texts);
    assert!(proved > 1500 && refuted > 10, "{proved} proved, {refuted} refuted, {open} open");
}

#[test]
fn endless_recursion_is_not_decided() {
    let text = "root class R { cond k; var u: S; sync k ==> u; state a initial; state b {k} calls u.op; step go: a -> b; step end: b -> a; }
unit class S { cond k; var p: S; sync k ==> p; state x initial; state y {k} calls p.op; before op: x -> y; before op: y -> y; after op: y -> x; }
system X(n >= 2) { for i in 0..n { U[i]: S; U[i].p = U[i]; T[i]: R; T[i].u = U[i]; } }";
    for definitions in [&[][..], &[("n", 2)]] {
        for engine in [Engine::Ladder, Engine::ThreadModular, Engine::Explore] {
            let found = answers(&system(text, definitions), Policy::Aon, engine);
            // The search finds at once a state in which the inner operation has ended and the outer
            // one cannot, or it finds nothing.
            assert!(!found.iter().any(|one| matches!(one, Found::Holds(_))), "{found:?}");
        }
    }
}

/// The numbers of promises proved, refuted and open.
fn compared(texts: impl Iterator<Item = String>) -> (usize, usize, usize) {
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for text in texts {
        let system = system(&text, &[]);
        for policy in Policy::ALL {
            let alone = answers(&system, policy, Engine::ThreadModular);
            let exact = answers(&system, policy, Engine::Explore);
            for (goal, (alone, exact)) in alone.iter().zip(&exact).enumerate() {
                match (alone, exact) {
                    (Found::Holds(_), Found::Holds(_)) => proved += 1,
                    (Found::Violated(_), Found::Violated(_)) => refuted += 1,
                    (Found::Open(_), _) => open += 1,
                    _ => panic!("{policy}, goal {goal}: {alone:?} but {exact:?}\n{text}"),
                }
            }
        }
    }
    (proved, refuted, open)
}

#[test]
fn named_designs_are_decided_exactly() {
    for (text, n) in [(AT_ONCE, 3), (TWO_STEPS, 4)] {
        let system = system(text, &[("n", n)]);
        for policy in [Policy::Unit, Policy::Aon] {
            let has_circle = counts(&system, policy, None).circles > 0;
            let found = &answers(&system, policy, Engine::ThreadModular)[0];
            let is_right = match found {
                Found::Holds(_) => !has_circle,
                Found::Violated(_) => has_circle,
                Found::Open(_) => false,
            };
            assert!(is_right, "{policy} {found:?}");
        }
    }
}

/// Whatever a search did not look at stays open.
#[test]
fn properties_of_many_threads_stay_open() {
    let text = AT_ONCE.replace(
        "for i in 0..n { P[i]: ",
        "property p: never P[0] at dining; property q: no starvation of P[1]; for i in 0..n { P[i]: ",
    );
    for (engine, n) in [(Engine::Ladder, 100), (Engine::ThreadModular, 4)] {
        let found = answers(&system(&text, &[("n", n)]), Policy::Aon, engine);
        assert!(matches!(found[0], Found::Holds(_)), "{:?}", found[0]);
        assert!(matches!(found[5], Found::Open(_)), "{:?}", found[5]);
    }
    let found = answers(&system(&text, &[("n", 100)]), Policy::Aon, Engine::Ladder);
    assert!(matches!(found[6], Found::Open(_)), "{:?}", found[6]);
}

#[test]
fn a_thousand_philosophers() {
    let all = system(AT_ONCE, &[("n", 1000)]);
    let answers_at_once = answers(&all, Policy::Aon, Engine::Ladder);
    assert!(answers_at_once.iter().all(|found| matches!(found, Found::Holds(_))));
    let in_steps = system(TWO_STEPS, &[("n", 1000)]);
    let found = answers(&in_steps, Policy::Aon, Engine::Ladder);
    let Found::Violated(refutation) = &found[0] else { panic!("{:?}", found[0]) };
    assert_eq!(refutation.trace.steps.len(), 3000);
}
