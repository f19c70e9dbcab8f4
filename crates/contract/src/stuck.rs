//! Threads that never take a step again while somebody waits for what they hold.
//!
//! A thread is *lost* in a state if it has not ended and takes no step in any run from there. The
//! second promise of a system is that nobody waits for a unit of a lost thread. Circles of waiting
//! are the best-known case; they are a promise of their own, and so are waits for threads that have
//! ended. There are two other ways to be lost:
//!
//! - *The thread is complete and has no step.* What it could do depends on its root, its stack and
//!   the units that it holds; nobody else changes these. So it is lost at once, and the search of
//!   all states sees it (`Model::bad`).
//! - *The thread is not complete, and never gets what it asks for.* It then waits for a thread that
//!   goes on for ever and lets nothing go, or for several that take turns. A state alone does not
//!   show this. If no thread that is waited for ever waits itself, it does not happen. It does not
//!   happen either if each thread can always let go by itself what others wait for
//!   (`family/letting_go.rs`). Otherwise all states and steps are kept here, and for each state the
//!   threads that still take a step later are computed, backwards along the steps.
//!
//! The second way is looked for only if no run leads into a circle or to a wait for an ended
//! thread: threads that wait behind those are lost as well, and those faults are reported under
//! their own codes.

use crate::design::{ThreadId, UnitId};
use crate::model::{Model, Site};
use crate::state::State;
use crate::system::{Policy, System};
use crate::trace::Replayed;
use search::{Budget, Effect, Interner, Threads};
use source::number;
use verdict::StopReason;

/// A thread that waits, what it waits for, and the lost thread that holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lost {
    pub(crate) waiting: ThreadId,
    pub(crate) unit: UnitId,
    pub(crate) holder: ThreadId,
}

/// Limit on stored states; their steps are stored as well.
const MOST_STATES: usize = 2_000_000;
/// Limit on threads: a set of threads is the bits of one number.
const MOST_THREADS: usize = 64;

/// A shortest run to a state in which somebody waits for a lost thread; `None` if there is none.
///
/// # Errors
/// The error says why this is not known: there are too many states.
pub(crate) fn find(
    system: &System,
    policy: Policy,
    budget: &Budget<'_>,
) -> Result<Option<(Replayed, Lost)>, StopReason> {
    if system.roots.len() > MOST_THREADS {
        let what = format!("threads that never go on, among more than {MOST_THREADS}");
        return Err(StopReason::Unsupported(what));
    }
    let mut model = Model::new(system, policy, budget.bytes);
    let graph = Graph::new(&mut model, budget)?;
    let goes_on = graph.goes_on();
    let everybody = (0..system.roots.len()).fold(0, |all, thread| all | 1u64 << thread);
    for (node, &goes_on) in goes_on.iter().enumerate() {
        if goes_on == everybody {
            continue;
        }
        let words = graph.nodes.get(number(node)).clone();
        if let Some(lost) = lost(&mut model, &words, goes_on) {
            return Ok(Some((graph.run(&model, node), lost)));
        }
    }
    Ok(None)
}

/// The thread that waits for a lost thread in a state, given the threads that take a step from
/// there on.
fn lost(model: &mut Model<'_>, words: &[u32], goes_on: u64) -> Option<Lost> {
    let (global, locals) = (words[0], &words[1..]);
    let waits = model.all_waits(global, locals);
    let state = model.state(global, locals);
    for (waiting, waits_for) in waits.iter().enumerate() {
        for &(unit, holder) in waits_for.iter() {
            let has_ended = waits[holder].is_empty() && state.is_final(model.system, holder);
            if goes_on & (1 << holder) == 0 && !has_ended {
                return Some(Lost { waiting, unit, holder });
            }
        }
    }
    None
}

/// All reachable states, breadth first, and the steps between them.
struct Graph {
    /// The store and the local states of each state.
    nodes: Interner<Vec<u32>>,
    /// The threads that have a step in each.
    moves: Vec<u64>,
    edges: Vec<(u32, u32)>,
    /// How each state was first reached: from where, by whom, by which step.
    parents: Vec<Option<(u32, ThreadId, u32)>>,
}

impl Graph {
    fn new(model: &mut Model<'_>, budget: &Budget<'_>) -> Result<Self, StopReason> {
        let mut graph = Self {
            nodes: Interner::default(),
            moves: Vec::new(),
            edges: Vec::new(),
            parents: Vec::new(),
        };
        for (global, locals) in model.initial() {
            graph.node([&[global], &locals[..]].concat(), None);
        }
        let most_edges = budget.bytes / 16;
        let mut made = Vec::new();
        while graph.moves.len() < graph.nodes.len() {
            let from = number(graph.moves.len());
            let words = graph.nodes.get(from).clone();
            let mut moves = 0;
            for thread in 0..words.len() - 1 {
                model.steps(thread, words[0], words[thread + 1], &mut made);
                for step in made.drain(..) {
                    moves |= 1 << thread;
                    let Effect::To(global, local) = step.effect else { continue };
                    let mut next = words.clone();
                    next[0] = global;
                    next[thread + 1] = local;
                    let to = graph.node(next, Some((from, thread, step.site)));
                    graph.edges.push((from, to));
                }
            }
            graph.moves.push(moves);
            if let Some(reason) = model.exceeded().or_else(|| budget.halted()) {
                return Err(reason);
            }
            let states = graph.nodes.len();
            if states > MOST_STATES || states as u64 > budget.states {
                return Err(StopReason::ResourceLimit);
            }
            if graph.edges.len() as u64 > most_edges {
                return Err(StopReason::MemoryLimit);
            }
        }
        Ok(graph)
    }

    fn node(&mut self, words: Vec<u32>, parent: Option<(u32, ThreadId, u32)>) -> u32 {
        let node = self.nodes.intern(words);
        if node as usize == self.parents.len() {
            self.parents.push(parent);
        }
        node
    }

    /// For each state the threads that take a step in some run from there: the least sets with
    /// those that have a step in the state itself, and those of all states that a step leads to.
    fn goes_on(&self) -> Vec<u64> {
        let count = self.moves.len();
        let mut first = vec![0usize; count + 1];
        self.edges.iter().for_each(|&(_, to)| first[to as usize + 1] += 1);
        for node in 0..count {
            first[node + 1] += first[node];
        }
        let mut place = first.clone();
        let mut before = vec![0u32; self.edges.len()];
        for &(from, to) in &self.edges {
            before[place[to as usize]] = from;
            place[to as usize] += 1;
        }
        let mut goes_on = self.moves.clone();
        let mut work: Vec<usize> = (0..count).collect();
        let mut is_due = vec![true; count];
        while let Some(node) = work.pop() {
            is_due[node] = false;
            for &from in &before[first[node]..first[node + 1]] {
                let from = from as usize;
                let all = goes_on[from] | goes_on[node];
                if all != goes_on[from] {
                    goes_on[from] = all;
                    if !std::mem::replace(&mut is_due[from], true) {
                        work.push(from);
                    }
                }
            }
        }
        goes_on
    }

    /// The run by which a state was first reached.
    fn run(&self, model: &Model<'_>, node: usize) -> Replayed {
        let state = |node: u32| -> State {
            let words = self.nodes.get(node);
            model.state(words[0], &words[1..])
        };
        let (mut at, mut steps) = (number(node), Vec::new());
        while let Some((before, thread, site)) = self.parents[at as usize] {
            let site: Site = model.site(site).clone();
            steps.push((thread, site, Some(state(at))));
            at = before;
        }
        steps.reverse();
        Replayed { start: state(at), steps }
    }
}
