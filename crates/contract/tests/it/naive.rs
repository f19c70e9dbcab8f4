//! Visits every state, kept whole, with the negotiation computed in either way.

use contract::{Asks, Negotiation, Policy, Rules, State, System, Views, read, steps};
use search::{Budget, Options, explore};
use source::SourceMap;
use std::collections::BTreeSet;

/// The numbers that are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    pub(crate) circles: usize,
    pub(crate) stuck: usize,
    pub(crate) violated: bool,
}

pub(crate) fn system(text: &str, definitions: &[(&str, usize)]) -> System {
    let mut sources = SourceMap::default();
    let definitions: Vec<(String, String)> =
        definitions.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    let design = read(sources.add("design.szumo", text), text, &definitions);
    assert!(design.diagnostics.is_empty(), "{:?}\n{text}", design.diagnostics);
    design.systems.into_iter().next().expect("there is a system")
}

/// Visits all states. With `rules`, the specification is asked as well, about everything.
pub(crate) fn counts(system: &System, policy: Policy, rules: Option<&mut Rules>) -> Counts {
    let mut both = Both { rules };
    let mut counts = Counts::default();
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut left: Vec<State> = starts(system, policy);
    seen.extend(left.iter().cloned());
    while let Some(state) = left.pop() {
        let threads = 0..system.roots.len();
        let asks: Vec<Asks> =
            threads.clone().map(|one| both.asks(system, policy, &state, one)).collect();
        let is_circle = in_circle(&state, &asks);
        if let Some(rules) = &both.rules {
            assert_eq!(rules.is_deadlocked(&state, &asks), is_circle, "{state:?}");
        }
        counts.circles += usize::from(is_circle);
        let mut has_steps = false;
        for thread in threads {
            for step in steps(&mut both, system, policy, &state, thread) {
                has_steps = true;
                counts.transitions += 1;
                match step.result {
                    Ok(next) => {
                        if seen.insert(next.clone()) {
                            left.push(next);
                        }
                    }
                    Err(_) => counts.violated = true,
                }
            }
        }
        counts.stuck += usize::from(!has_steps);
    }
    counts.states = seen.len();
    counts
}

/// How many states the packed search visits.
pub(crate) fn searched(system: &System, policy: Policy, symmetry: bool) -> u64 {
    let mut model = contract::Model::new(system, policy, u64::MAX);
    let options = Options { all: true, symmetry };
    let report = explore(&mut model, &Budget::default(), &options);
    assert!(report.cut.is_none());
    report.states
}

/// Initial states are those of the model.
pub(crate) fn starts(system: &System, policy: Policy) -> Vec<State> {
    use search::Threads;
    let mut model = contract::Model::new(system, policy, u64::MAX);
    let starts = model.initial();
    starts.into_iter().map(|(global, locals)| model.state(global, &locals)).collect()
}

/// Follows from each thread who waits for whom, at most as many times as there are threads.
fn in_circle(state: &State, asks: &[Asks]) -> bool {
    let next = |threads: &BTreeSet<usize>| -> BTreeSet<usize> {
        let units = threads.iter().flat_map(|&thread| &asks[thread].blocked);
        units.filter_map(|&unit| state.owners[unit]).collect()
    };
    (0..asks.len()).any(|start| {
        let mut reached = next(&BTreeSet::from([start]));
        for _ in 0..asks.len() {
            reached.extend(next(&reached));
        }
        reached.contains(&start)
    })
}

/// The direct computation, compared with the rules if they are there.
struct Both<'r> {
    rules: Option<&'r mut Rules>,
}

impl Negotiation for Both<'_> {
    fn contract(&mut self, system: &System, state: &mut State, thread: usize) {
        let before = state.clone();
        Views.contract(system, state, thread);
        if let Some(rules) = &mut self.rules {
            let mut by_rules = before;
            rules.contract(system, &mut by_rules, thread);
            assert_eq!(by_rules, *state);
        }
    }

    fn asks(&mut self, system: &System, policy: Policy, state: &State, thread: usize) -> Asks {
        let asks = Views.asks(system, policy, state, thread);
        if let Some(rules) = &mut self.rules {
            let sorted = |asks: &Asks| {
                let (mut free, mut blocked) = (asks.free.clone(), asks.blocked.clone());
                free.sort_unstable();
                blocked.sort_unstable();
                (free, blocked)
            };
            let by_rules = rules.asks(system, policy, state, thread);
            assert_eq!(sorted(&by_rules), sorted(&asks), "{policy} {thread} {state:?}");
        }
        asks
    }
}
