//! Starvation against its definition, on small random designs.

use crate::designs::{Rng, design};
use crate::naive::system;
use contract::{Model, Negotiation, Policy, State, System, Views, steps, verify};
use search::{Budget, Engine, Found, Threads};
use std::collections::BTreeMap;

/// Larger designs are skipped.
const MOST_STATES: usize = 120;

/// The states, and for each state and thread where its steps lead and whether it has any.
pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
    pub(crate) steps: Vec<Vec<(usize, Option<usize>)>>,
}

pub(crate) fn graph(system: &System, policy: Policy) -> Option<Graph> {
    let mut model = Model::new(system, policy, u64::MAX);
    let starts = model.initial();
    let mut graph = Graph { states: Vec::new(), steps: Vec::new() };
    let mut numbers: BTreeMap<State, usize> = BTreeMap::new();
    for (global, locals) in starts {
        let state = model.state(global, &locals);
        numbers.insert(state.clone(), graph.states.len());
        graph.states.push(state);
    }
    while graph.steps.len() < graph.states.len() {
        let state = graph.states[graph.steps.len()].clone();
        let mut all = Vec::new();
        for thread in 0..system.roots.len() {
            for step in steps(&mut Views, system, policy, &state, thread) {
                let to = step.result.ok().map(|next| {
                    let new = graph.states.len();
                    let number = *numbers.entry(next.clone()).or_insert(new);
                    if number == new {
                        graph.states.push(next);
                    }
                    number
                });
                all.push((thread, to));
            }
        }
        graph.steps.push(all);
        if graph.states.len() > MOST_STATES {
            return None;
        }
    }
    Some(graph)
}

/// Whether a fair run can stay in some set of states, each reachable from each other while the
/// thread waits, or some state has no step at all while it waits.
fn starves(graph: &Graph, system: &System, policy: Policy, thread: usize) -> bool {
    let count = graph.states.len();
    let waits: Vec<bool> = graph
        .states
        .iter()
        .map(|one| !Views.asks(system, policy, one, thread).is_empty())
        .collect();
    let mut reach = vec![vec![false; count]; count];
    for from in (0..count).filter(|&from| waits[from]) {
        for to in graph.steps[from].iter().filter_map(|&(_, to)| to).filter(|&to| waits[to]) {
            reach[from][to] = true;
        }
    }
    for through in 0..count {
        for from in (0..count).filter(|&from| reach[from][through]).collect::<Vec<_>>() {
            let further = reach[through].clone();
            reach[from].iter_mut().zip(further).for_each(|(to, also)| *to |= also);
        }
    }
    (0..count).any(|state| {
        let inside = |other: usize| reach[state][other] && reach[other][state];
        let members: Vec<usize> = (0..count).filter(|&other| inside(other)).collect();
        let is_served = |who: usize| {
            members.iter().any(|&member| {
                let mut own = graph.steps[member].iter().filter(|(by, _)| *by == who).peekable();
                own.peek().is_none() || own.any(|(_, to)| to.is_some_and(inside))
            })
        };
        let is_last = waits[state] && graph.steps[state].is_empty();
        is_last || !members.is_empty() && (0..system.roots.len()).all(is_served)
    })
}

#[test]
fn agrees_with_its_definition() {
    let mut rng = Rng::new(11);
    let (mut starved, mut served) = (0, 0);
    for _ in 0..60 {
        let text = design(&mut rng);
        let claim = "property p: no starvation of T[0];\n}\n";
        let end = text.rfind('}').expect("the system ends");
        let system = system(&format!("{}{claim}", &text[..end]), &[]);
        for policy in Policy::ALL {
            let Some(graph) = graph(&system, policy) else { continue };
            let verified = verify(&system, policy, Engine::Explore, &Budget::default());
            let expected = starves(&graph, &system, policy, 0);
            match &verified.goals.last().expect("the property").1.found {
                Found::Violated(_) => assert!(expected, "{policy}\n{text}"),
                Found::Holds(_) => assert!(!expected, "{policy}\n{text}"),
                Found::Open(reason) => panic!("{reason}"),
            }
            starved += usize::from(expected);
            served += usize::from(!expected);
        }
    }
    assert!(starved > 20 && served > 20, "{starved} starved, {served} served");
}
