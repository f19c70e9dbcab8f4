//! Waiting for threads that never go on, against its definition, on small random designs.

use crate::any_size::family;
use crate::designs::{Rng, design};
use crate::naive::system;
use crate::starvation::{Graph, graph};
use contract::{Negotiation, Policy, State, System, Views, verify};
use search::{Budget, Engine, Found};

/// Who waits for whom.
fn waits(system: &System, policy: Policy, state: &State) -> Vec<Vec<usize>> {
    let one = |thread: usize| {
        let blocked = Views.asks(system, policy, state, thread).blocked;
        blocked.into_iter().filter_map(|unit| state.owners[unit]).collect()
    };
    (0..system.roots.len()).map(one).collect()
}

/// Whether a thread can get back to itself by following who waits for whom.
fn is_circle(waits: &[Vec<usize>]) -> bool {
    (0..waits.len()).any(|start| {
        let mut reached = waits[start].clone();
        for _ in 0..waits.len() {
            reached =
                reached.iter().flat_map(|&one| waits[one].clone()).chain(reached.clone()).collect();
            reached.sort_unstable();
            reached.dedup();
        }
        reached.contains(&start)
    })
}

/// The states from which a thread takes a step in some run.
fn goes_on(graph: &Graph, thread: usize) -> Vec<bool> {
    let moves = |steps: &Vec<(usize, Option<usize>)>| steps.iter().any(|(by, _)| *by == thread);
    let mut all: Vec<bool> = graph.steps.iter().map(moves).collect();
    loop {
        let before = all.clone();
        for (at, steps) in graph.steps.iter().enumerate() {
            all[at] |= steps.iter().any(|&(_, to)| to.is_some_and(|to| before[to]));
        }
        if all == before {
            return all;
        }
    }
}

/// How the second promise of a system is broken.
#[derive(Default)]
struct Broken {
    /// Nothing happens any more, or a thread that can do nothing is waited for.
    at_once: bool,
    /// A thread that is not complete and never goes on is waited for.
    later: bool,
}

fn broken(graph: &Graph, system: &System, policy: Policy) -> Broken {
    let threads = 0..system.roots.len();
    let goes_on: Vec<Vec<bool>> = threads.clone().map(|thread| goes_on(graph, thread)).collect();
    let (mut broken, mut is_explained) = (Broken::default(), false);
    for (at, state) in graph.states.iter().enumerate() {
        let waits = waits(system, policy, state);
        let has_ended = |one: usize| waits[one].is_empty() && state.is_final(system, one);
        let has_step = |one: usize| graph.steps[at].iter().any(|(by, _)| *by == one);
        let waited_for: Vec<usize> = waits.iter().flatten().copied().collect();
        let is_named = is_circle(&waits) || waited_for.iter().any(|&one| has_ended(one));
        is_explained |= is_named;
        let is_over = graph.steps[at].is_empty() && !threads.clone().all(has_ended);
        broken.at_once |= is_over && !is_named;
        for one in waited_for.into_iter().filter(|&one| !has_ended(one)) {
            broken.at_once |= waits[one].is_empty() && !has_step(one);
            broken.later |= !goes_on[one][at];
        }
    }
    broken.later &= !is_explained && !broken.at_once;
    broken
}

/// Designs in which threads often stop, or go on for ever with what they hold.
fn stubborn(rng: &mut Rng) -> String {
    let text = design(rng);
    made_stubborn(rng, &text)
}

fn made_stubborn(rng: &mut Rng, text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_step = line.starts_with("  step a") && !line.contains('[');
        lines.push(match rng.below(12) {
            0 if is_step => line.replacen(':', " [v0 == nil]:", 1),
            1..=4 if is_step => {
                let from = line.split(' ').find(|word| word.len() == 2 && word.starts_with('s'));
                let from = from.unwrap_or("s0");
                format!("  step again: {from} -> {from};")
            }
            _ => line.to_owned(),
        });
    }
    lines.join("\n")
}

#[test]
fn agrees_with_its_definition() {
    let mut rng = Rng::new(23);
    let (mut at_once, mut later, mut kept, mut alone_kept) = (0, 0, 0, 0);
    for _ in 0..1200 {
        let text = stubborn(&mut rng);
        let system = system(&text, &[]);
        for policy in Policy::ALL {
            let Some(graph) = graph(&system, policy) else { continue };
            let broken = broken(&graph, &system, policy);
            let is_broken = broken.at_once || broken.later;
            let exact = verify(&system, policy, Engine::Explore, &Budget::default());
            match &exact.goals[1].1.found {
                Found::Violated(_) => assert!(is_broken, "{policy}\n{text}"),
                Found::Holds(_) => assert!(!is_broken, "{policy}\n{text}"),
                Found::Open(reason) => panic!("{reason}"),
            }
            let alone = verify(&system, policy, Engine::ThreadModular, &Budget::default());
            if matches!(alone.goals[1].1.found, Found::Holds(_)) {
                assert!(!is_broken, "{policy}\n{text}");
                alone_kept += 1;
            }
            at_once += usize::from(broken.at_once);
            later += usize::from(broken.later);
            kept += usize::from(!is_broken);
        }
    }
    let told = format!("{at_once} at once, {later} later, {kept} kept, {alone_kept} by each alone");
    assert!(at_once > 200 && later > 25 && kept > 1000 && alone_kept > 400, "{told}");
}

/// What is proved for any size holds in small ones.
#[test]
fn holds_in_small_sizes() {
    let mut rng = Rng::new(29);
    let (mut proved, mut open, mut compared) = (0, 0, 0);
    // A violation counts even if the search ends early.
    let budget = Budget { states: 20_000, ..Budget::default() };
    for _ in 0..25 {
        let text = family(&mut rng);
        let text = made_stubborn(&mut rng, &text);
        let any = system(&text, &[]);
        for policy in [Policy::Unit, Policy::Aon] {
            let found = verify(&any, policy, Engine::Ladder, &budget);
            let holds = |goal: usize| matches!(found.goals[goal].1.found, Found::Holds(_));
            if !(holds(0) && holds(1) && holds(2)) {
                open += 1;
                continue;
            }
            proved += 1;
            for size in [3, 4, 5] {
                let one = system(&text, &[("n", size)]);
                if one.roots.len() <= 6 {
                    let exact = verify(&one, policy, Engine::Explore, &budget);
                    let is_broken = matches!(exact.goals[1].1.found, Found::Violated(_));
                    assert!(!is_broken, "{policy}, n = {size}\n{text}");
                    compared += 1;
                }
            }
        }
    }
    assert!(proved > 6 && compared > 12, "{proved} proved, {open} not, {compared} compared");
}
