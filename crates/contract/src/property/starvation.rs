//! Starvation under fairness: a run in which some thread waits for ever although every other one
//! that could always take a step takes one again and again. A run that ends is fair if nobody has a
//! step in its last state; a thread that is not complete there waits for ever, too.
//!
//! The states in which the thread is not complete, and the steps between them, form a graph. A run
//! that stays in it for ever stays, from some point on, in one strongly connected part, and can be
//! made to visit all of it for ever. That run is weakly fair if every thread either takes a step in
//! the part, or has no step in one of its states. If no part is like that, no fair run starves the
//! thread.

use crate::design::ThreadId;
use crate::graph;
use crate::model::Site;
use crate::negotiate::{Negotiation, Views, initial};
use crate::state::State;
use crate::steps::{Step, steps};
use crate::system::{Policy, System};
use crate::trace::Replayed;
use crate::verify::Refutation;
use search::Budget;
use std::collections::{BTreeMap, VecDeque};
use verdict::StopReason;

/// The result of the search for starvation.
pub(crate) enum Answer {
    /// No fair run starves any of the threads.
    None {
        /// The number of states.
        states: u64,
    },
    /// This run leads to a state in which a thread can wait for ever.
    Starved(Box<Refutation>),
    /// The search ended early.
    Cut(StopReason),
}

/// Limit on stored states, each of which is kept unpacked.
const MOST_STATES: u64 = 300_000;
/// Limit on units, summed over all stored states.
const MOST_UNITS: u64 = 20_000_000;

/// Looks for a fair run in which one of these threads waits for ever.
pub(crate) fn check(
    system: &System,
    policy: Policy,
    threads: &[ThreadId],
    budget: &Budget<'_>,
) -> Answer {
    let units = system.units.len().max(1) as u64;
    let most = budget.states.min(MOST_STATES).min(MOST_UNITS / units);
    let graph = match Graph::new(system, policy, &Budget { states: most, ..*budget }) {
        Ok(graph) => graph,
        Err(reason) => return Answer::Cut(reason),
    };
    for &thread in threads {
        let waits = |state: &State| !Views.asks(system, policy, state, thread).is_empty();
        let waiting: Vec<bool> = graph.states.iter().map(waits).collect();
        let is_last = |&at: &usize| waiting[at] && !graph.enabled[at].contains(&true);
        if let Some(last) = (0..waiting.len()).find(is_last) {
            return Answer::Starved(Box::new(graph.ended(system, policy, thread, last)));
        }
        for part in graph.parts(&waiting) {
            if graph.is_fair(system, &part) {
                return Answer::Starved(Box::new(graph.refutation(system, policy, thread, &part)));
            }
        }
    }
    Answer::None { states: graph.states.len() as u64 }
}

struct Graph {
    states: Vec<State>,
    /// For each state its steps: the thread, and the state after.
    edges: Vec<Vec<(ThreadId, usize)>>,
    /// For each state and thread whether the thread has a step; a step that goes wrong counts.
    enabled: Vec<Vec<bool>>,
    /// How each state was first reached.
    parents: Vec<Option<(usize, ThreadId, Site)>>,
}

impl Graph {
    /// All reachable states, unless there are too many or recursion goes too deep.
    fn new(system: &System, policy: Policy, budget: &Budget<'_>) -> Result<Self, StopReason> {
        let mut graph = Self {
            states: Vec::new(),
            edges: Vec::new(),
            enabled: Vec::new(),
            parents: Vec::new(),
        };
        let mut numbers: BTreeMap<State, usize> = BTreeMap::new();
        for state in initial(&mut Views, system, policy) {
            numbers.insert(state.clone(), graph.states.len());
            graph.states.push(state);
            graph.parents.push(None);
        }
        let mut at = 0;
        while at < graph.states.len() {
            let state = graph.states[at].clone();
            let mut edges = Vec::new();
            let mut enabled = vec![false; system.roots.len()];
            for (thread, enabled) in enabled.iter_mut().enumerate() {
                for Step { event, result } in steps(&mut Views, system, policy, &state, thread) {
                    *enabled = true;
                    let Ok(next) = result else { continue };
                    if next.is_deep(thread) {
                        return Err(StopReason::ResourceLimit);
                    }
                    let new = graph.states.len();
                    let number = *numbers.entry(next.clone()).or_insert(new);
                    if number == new {
                        graph.states.push(next);
                        graph.parents.push(Some((at, thread, Site { event, violation: None })));
                    }
                    edges.push((thread, number));
                }
            }
            graph.edges.push(edges);
            graph.enabled.push(enabled);
            if graph.states.len() as u64 > budget.states {
                return Err(StopReason::ResourceLimit);
            }
            if let Some(reason) = budget.halted() {
                return Err(reason);
            }
            at += 1;
        }
        Ok(graph)
    }

    /// The strongly connected parts among some states, the earliest state first.
    fn parts(&self, among: &[bool]) -> Vec<Vec<usize>> {
        let steps = |from: usize| {
            let inside = self.edges[from].iter().filter(move |(_, to)| among[from] && among[*to]);
            inside.map(|&(_, to)| to).collect()
        };
        let edges: Vec<Vec<usize>> = (0..self.states.len()).map(steps).collect();
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (state, part) in graph::parts(&edges).into_iter().enumerate() {
            if among[state] {
                members.entry(part).or_default().push(state);
            }
        }
        let mut parts: Vec<Vec<usize>> = members.into_values().collect();
        parts.sort();
        parts
    }

    /// Whether a run can visit the whole part for ever and be fair to all threads.
    fn is_fair(&self, system: &System, part: &[usize]) -> bool {
        let inside = |state: &usize| part.binary_search(state).is_ok();
        let has_step = part.iter().any(|&state| self.edges[state].iter().any(|(_, to)| inside(to)));
        has_step
            && (0..system.roots.len()).all(|thread| {
                part.iter().any(|&state| {
                    !self.enabled[state][thread]
                        || self.edges[state].iter().any(|(who, to)| *who == thread && inside(to))
                })
            })
    }

    /// A round through a part that is fair to all threads: from its first state, to where each
    /// thread takes a step or has none, and back.
    fn round(&self, system: &System, part: &[usize]) -> Vec<(ThreadId, usize)> {
        let mut round = Vec::new();
        let mut here = part[0];
        for thread in 0..system.roots.len() {
            let stays = |&&(who, to): &&(ThreadId, usize)| who == thread && part.contains(&to);
            let is_served = |state: usize| {
                !self.enabled[state][thread] || self.edges[state].iter().any(|one| stays(&one))
            };
            here = self.walk(part, here, &is_served, &mut round);
            if self.enabled[here][thread]
                && let Some(&edge) = self.edges[here].iter().find(stays)
            {
                round.push(edge);
                here = edge.1;
            }
        }
        self.walk(part, here, &|state| state == part[0], &mut round);
        round
    }

    /// Goes to the nearest state of a kind without leaving the part.
    fn walk(
        &self,
        part: &[usize],
        from: usize,
        is_goal: &dyn Fn(usize) -> bool,
        steps: &mut Vec<(ThreadId, usize)>,
    ) -> usize {
        let mut parents: BTreeMap<usize, (usize, ThreadId)> = BTreeMap::new();
        let mut left = VecDeque::from([from]);
        while let Some(state) = left.pop_front() {
            if is_goal(state) {
                let (mut at, mut path) = (state, Vec::new());
                while at != from {
                    let (before, who) = parents[&at];
                    path.push((who, at));
                    at = before;
                }
                steps.extend(path.into_iter().rev());
                return state;
            }
            for &(who, to) in &self.edges[state] {
                if to != from && !parents.contains_key(&to) && part.binary_search(&to).is_ok() {
                    parents.insert(to, (state, who));
                    left.push_back(to);
                }
            }
        }
        from
    }

    /// The run by which a state was first reached.
    fn run(&self, mut at: usize) -> Replayed {
        let mut steps = Vec::new();
        while let Some((before, who, site)) = &self.parents[at] {
            steps.push((*who, site.clone(), Some(self.states[at].clone())));
            at = *before;
        }
        steps.reverse();
        Replayed { start: self.states[at].clone(), steps }
    }

    /// The units that a thread waits for in a state.
    fn wanted(&self, system: &System, policy: Policy, thread: ThreadId, at: usize) -> String {
        let asks = Views.asks(system, policy, &self.states[at], thread);
        let units = asks.blocked.iter().chain(&asks.free);
        units.map(|&unit| system.name(unit)).collect::<Vec<_>>().join(", ")
    }

    /// A run that ends while a thread waits.
    fn ended(&self, system: &System, policy: Policy, thread: ThreadId, last: usize) -> Refutation {
        let replayed = self.run(last);
        let who = system.thread_name(thread);
        let wanted = self.wanted(system, policy, thread, last);
        Refutation {
            trace: replayed.told(system, policy),
            span: system.span,
            message: format!("{who} waits for ever: nothing can happen any more"),
            labels: Vec::new(),
            notes: vec![format!("{who} asks for {wanted}, and no thread has a step")],
            help: vec!["let the others let go what they hold before they end".to_owned()],
        }
    }

    fn refutation(
        &self,
        system: &System,
        policy: Policy,
        thread: ThreadId,
        part: &[usize],
    ) -> Refutation {
        let mut replayed = self.run(part[0]);
        let round = self.round(system, part);
        let mut here = part[0];
        for &(who, to) in &round {
            let site = self.site(system, policy, (here, who, to));
            replayed.steps.push((who, site, Some(self.states[to].clone())));
            here = to;
        }
        let who = system.thread_name(thread);
        let wanted = self.wanted(system, policy, thread, part[0]);
        Refutation {
            trace: replayed.told(system, policy),
            span: system.span,
            message: format!("{who} can wait for ever while the others go on"),
            labels: Vec::new(),
            notes: vec![
                format!(
                    "{who} asks for {wanted}; the last {} steps can be repeated for ever",
                    round.len()
                ),
                "every thread that could always take a step takes one in each round".to_owned(),
            ],
            help: vec![
                "units that are handed out in the order of a queue (policy `fifo`) reach everybody"
                    .to_owned(),
            ],
        }
    }

    /// The event of a step.
    fn site(
        &self,
        system: &System,
        policy: Policy,
        (from, who, to): (usize, ThreadId, usize),
    ) -> Site {
        let all = steps(&mut Views, system, policy, &self.states[from], who);
        let leads = |step: &Step| step.result.as_ref().is_ok_and(|next| *next == self.states[to]);
        let step = all.into_iter().find(leads).expect("internal error: the step was taken before");
        Site { event: step.event, violation: None }
    }
}
