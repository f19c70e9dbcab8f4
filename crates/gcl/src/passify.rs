//! Assignments become equations over incarnations (paper 1 cites the compact form of Flanagan and
//! Saxe; joining only the variables that differ keeps the result linear in the code and the joins).

use crate::passive::{Cover, Event, Graph, Node, NodeId, Site};
use crate::{Acyclic, BlockLabel, Check, Stmt};
use logic::{Symbol, Term, Terms, substitute};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// The passive form of `code`.
pub fn passify(terms: &mut Terms, code: &Acyclic) -> Graph {
    let facts = code.variables.iter().filter_map(|v| v.fact.map(|fact| (v.symbol, fact))).collect();
    let mut pass = Pass { terms, facts, graph: Graph::default(), exits: BTreeMap::new() };
    pass.graph.background.clone_from(&code.background);
    pass.graph.bounded = code.bounded;
    pass.graph.nodes.push(Node::default());
    let mut start = State { node: NodeId(0), current: BTreeMap::new() };
    let all: Vec<Symbol> = code.variables.iter().map(|variable| variable.symbol).collect();
    pass.havoc(&all, &mut start);
    pass.run(&code.stmts, start);
    pass.graph
}

/// Where a run is and what its variables are called there.
#[derive(Clone)]
struct State {
    node: NodeId,
    current: BTreeMap<Symbol, Symbol>,
}

struct Pass<'a> {
    terms: &'a mut Terms,
    facts: BTreeMap<Symbol, Term>,
    graph: Graph,
    /// States that left a block and wait for its end.
    exits: BTreeMap<BlockLabel, Vec<State>>,
}

impl Pass<'_> {
    /// Follows the statements from `state`; `None` if no run gets to the end.
    fn run(&mut self, stmts: &[Stmt<Infallible>], mut state: State) -> Option<State> {
        for stmt in stmts {
            match stmt {
                Stmt::Assign(pairs) => self.assign(pairs, &mut state),
                Stmt::Havoc(symbols) => self.havoc(symbols, &mut state),
                Stmt::Assume(term) => {
                    let term = self.now(*term, &state);
                    self.assume(term, &state);
                    if matches!(self.terms.node(term), logic::Node::Bool(false)) {
                        return None;
                    }
                }
                Stmt::Assert(checks) => self.assert(checks, &mut state),
                Stmt::Cover(term, obligation) => {
                    let term = self.now(*term, &state);
                    self.graph.covers.push(Cover {
                        node: state.node,
                        term,
                        obligation: *obligation,
                    });
                    // A run that only gets here must not be held back by what comes later in the
                    // same node.
                    state.node = self.successor(vec![state.node]);
                }
                Stmt::Choice(branches) => {
                    let ends = branches
                        .iter()
                        .filter_map(|branch| {
                            let node = self.successor(vec![state.node]);
                            self.run(branch, State { node, current: state.current.clone() })
                        })
                        .collect();
                    state = self.join(ends)?;
                }
                Stmt::Block(label, inner) => {
                    let mut ends: Vec<State> = self.run(inner, state).into_iter().collect();
                    ends.extend(self.exits.remove(label).unwrap_or_default());
                    state = self.join(ends)?;
                }
                Stmt::Exit(label) => {
                    self.exits.entry(*label).or_default().push(state);
                    return None;
                }
                Stmt::Mark(mark) => self.node(state.node).events.push(Event::Mark(*mark)),
                Stmt::Loop(never) => match *never {},
            }
        }
        Some(state)
    }

    fn assign(&mut self, pairs: &[(Symbol, Term)], state: &mut State) {
        let values: Vec<Term> = pairs.iter().map(|&(_, value)| self.now(value, state)).collect();
        for (&(variable, _), value) in pairs.iter().zip(values) {
            // A copy needs no incarnation of its own.
            if let logic::Node::Constant(original) = *self.terms.node(value) {
                state.current.insert(variable, original);
                self.node(state.node).events.push(Event::Bind {
                    variable,
                    incarnation: original,
                    free: false,
                });
                continue;
            }
            let incarnation = self.incarnate(variable, state, false);
            let incarnation = self.terms.constant(incarnation);
            let equation = self.terms.eq(incarnation, value);
            self.assume(equation, state);
        }
    }

    fn havoc(&mut self, symbols: &[Symbol], state: &mut State) {
        for &symbol in symbols {
            self.incarnate(symbol, state, true);
        }
        for symbol in symbols {
            if let Some(&fact) = self.facts.get(symbol) {
                let fact = self.now(fact, state);
                self.assume(fact, state);
            }
        }
    }

    /// The checks get a node of their own; runs go on in the next one, where those hold that are
    /// then known.
    fn assert(&mut self, checks: &[Check], state: &mut State) {
        let mut held = Vec::new();
        for check in checks {
            let parts: Vec<Term> = check.parts.iter().map(|&part| self.now(part, state)).collect();
            if check.then_known {
                held.extend(parts.iter().copied());
            }
            self.graph.sites.push(Site { node: state.node, parts, obligation: check.obligation });
        }
        state.node = self.successor(vec![state.node]);
        for part in held {
            self.assume(part, state);
        }
    }

    /// One state from several: a variable that differs gets a new incarnation that each branch
    /// equates with its own.
    fn join(&mut self, mut states: Vec<State>) -> Option<State> {
        if states.len() <= 1 {
            return states.pop();
        }
        let mut differing = BTreeSet::new();
        for state in &states[1..] {
            differing.extend(
                state
                    .current
                    .iter()
                    .filter(|&(var, inc)| states[0].current.get(var) != Some(inc))
                    .map(|(var, _)| *var),
            );
        }
        let mut joined = states[0].current.clone();
        for variable in differing {
            let incarnation = self.new_incarnation(variable);
            for state in &states {
                let (new, old) = (
                    self.terms.constant(incarnation),
                    self.terms.constant(state.current[&variable]),
                );
                let equation = self.terms.eq(new, old);
                self.assume(equation, state);
                self.node(state.node).events.push(Event::Bind {
                    variable,
                    incarnation,
                    free: false,
                });
            }
            joined.insert(variable, incarnation);
        }
        let node = self.successor(states.iter().map(|state| state.node).collect());
        Some(State { node, current: joined })
    }

    /// The term with every variable replaced by its present incarnation.
    fn now(&mut self, term: Term, state: &State) -> Term {
        let symbols = logic::free_symbols(self.terms, term);
        let mut map = BTreeMap::new();
        for symbol in symbols {
            if let Some(&incarnation) = state.current.get(&symbol) {
                let constant = self.terms.constant(incarnation);
                map.insert(symbol, constant);
            }
        }
        substitute(self.terms, term, &|symbol| map.get(&symbol).copied())
    }

    fn incarnate(&mut self, variable: Symbol, state: &mut State, free: bool) -> Symbol {
        let incarnation = self.new_incarnation(variable);
        state.current.insert(variable, incarnation);
        self.node(state.node).events.push(Event::Bind { variable, incarnation, free });
        incarnation
    }

    fn new_incarnation(&mut self, variable: Symbol) -> Symbol {
        let stem = self.terms.name(variable).to_owned();
        let sort = self.terms.symbol_sort(variable).clone();
        self.terms.fresh(&stem, sort)
    }

    fn assume(&mut self, term: Term, state: &State) {
        if !matches!(self.terms.node(term), logic::Node::Bool(true)) {
            self.node(state.node).assumptions.push(term);
        }
    }

    fn node(&mut self, id: NodeId) -> &mut Node {
        &mut self.graph.nodes[id.0 as usize]
    }

    fn successor(&mut self, predecessors: Vec<NodeId>) -> NodeId {
        let id =
            u32::try_from(self.graph.nodes.len()).expect("internal error: more than 2^32 nodes");
        self.graph.nodes.push(Node { predecessors, ..Node::default() });
        NodeId(id)
    }
}
