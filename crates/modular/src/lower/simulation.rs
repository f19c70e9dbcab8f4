//! That a procedure's body is simulated by its specification (paper 2, sections 5 and 6.3).
//!
//! The specification stands for the abstraction
//!
//! ```text
//! requires?; (K*; Y1); ...; (K*; Yn); K*; ensures
//! K = <G && I'>_modifies      Yi = <ei && G && I'>_(modifies + vi)
//! ```
//!
//! (`modifies x where e` makes `K` and those `Yi` that do not list `x` themselves satisfy `e`
//! whenever `x` changes: the paper speaks of variables, here also of entries of maps.)
//!
//! or one with choices, options and repetitions among the `Yi`.
//!
//! DIVERGENCE: the paper lets the programmer add a counter `pc` to the body, which says for each
//! step whether it stutters (`K`) or performs the next action (`Yi`), and checks each step against
//! that one. Here the *set* of states that the abstraction can be in is tracked instead, one truth
//! value per state of its automaton:
//!
//! ```text
//! at s after the step  =  (at s before && the step changes modifies only)
//!                      || (at p before, for an edge from p by an action to s
//!                          && the step changes modifies + v only and satisfies e, for that action)
//! ```
//!
//! A run of the abstraction that matches all steps so far exists iff some `at s` is true, since
//! both have the same global store. So each step is checked to leave one of them true, and at the
//! end one of the last must be: that is inclusion of traces, and nobody has to say which step
//! performs what. Who wants to says it with `performs` before the step: that is checked, and only
//! the states behind that action are tracked further, like with the paper's counter. `G` and `I'`
//! are checked as for threads.
//!
//! An action may mention results. To the caller a result is one value, chosen at the start; so the
//! set is tracked for an arbitrary fixed value of the results, and what it says at the end counts
//! only if that is the value that is returned. Whether a run so far is matched *for some* results
//! is asked of a second set, which tries several: the results as they are at the moment, what the
//! action says they are equal to, for truth values both, and where the action uses a result as an
//! index, the indices at which the step writes. One run performs at most one action
//! that mentions a result, so that a value that fits that action fits the run, whatever the other
//! results are.

use super::Lowering;
use super::automaton::{Automaton, automaton};
use super::results::Tried;
use crate::expected::Specified;
use crate::expr::Scope;
use crate::mentions;
use diagnostic::Code;
use gcl::MarkKind;
use gcl::Stmt as Command;
use logic::{Sort, Symbol, Term};
use plato::hir::{Frame, GlobalId, LocalId, Performs, Proc, Root, Spec, SpecStep};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verdict::Obligation;

/// A body that is compared with an abstraction.
#[derive(Debug)]
pub(super) struct Simulation<'a> {
    abstraction: Rc<Abstraction<'a>>,
    /// What the step at hand is said to perform.
    performs: Option<Performs>,
    /// The results of the calls that are being lowered.
    called_results: Vec<Symbol>,
    /// The indices at which the step at hand writes maps.
    written_at: Vec<Term>,
}

impl Simulation<'_> {
    /// The specification for messages.
    pub(super) fn specified(self) -> Specified {
        self.abstraction.specified.clone()
    }
}

/// The abstraction that a body is compared with. It is the same throughout.
#[derive(Debug)]
pub(super) struct Abstraction<'a> {
    spec: &'a Spec,
    automaton: Automaton,
    /// Where the abstraction can be, for the results that are returned in the end.
    pub(super) exact: States,
    /// Where it can be for some results; the same if no action mentions them.
    pub(super) live: States,
    /// The results as they are returned in the end, if an action mentions them.
    pub(super) returned: Vec<(LocalId, Symbol)>,
    /// Results that are tried for `live`.
    tried: Vec<Tried<'a>>,
    /// Copies of the globals at the start, for `ensures`.
    entry: BTreeMap<Root, Symbol>,
    /// What the actions mention or change.
    mentions: BTreeSet<GlobalId>,
    /// The same for messages.
    specified: Specified,
}

/// A set of states of the automaton.
#[derive(Clone, Debug)]
pub(super) struct States {
    /// Per state whether it is in the set.
    pub(super) at: Vec<Symbol>,
    /// What the locals are to the actions: parameters have their values from the start.
    locals: Vec<Symbol>,
}

/// A step of the body.
struct Step<'s> {
    written: &'s BTreeSet<GlobalId>,
    old: &'s BTreeMap<Root, Symbol>,
    /// The action that the step is said to perform, and when.
    named: Option<(usize, Term)>,
}

impl<'a> Lowering<'a> {
    /// Assumes `requires` and starts in state 0.
    pub(super) fn begin_simulation(&mut self, procedure: &'a Proc, spec: &'a Spec) {
        let scope = self.scope();
        for requires in &spec.requires {
            let term = self.context.term(&scope, requires);
            self.emit.assume(term);
        }
        let mut mentioned = BTreeSet::new();
        for action in &spec.actions {
            mentions::of_expr(self.program, &action.ensures, &mut mentioned);
            mentioned.extend(action.modifies.iter().copied());
        }
        let mut remembered = BTreeSet::new();
        spec.ensures.iter().for_each(|e| mentions::of_expr(self.program, e, &mut remembered));
        for frame in &spec.frames {
            mentions::of_expr(self.program, &frame.formula, &mut mentioned);
        }
        let entry = self.copy_globals(&remembered, "entry");
        let mut locals = self.frames.current().locals.clone();
        for param in &procedure.params {
            let symbol = locals[param.index()];
            let copy = self.copy_symbol(symbol, "entry");
            self.emit.assign(vec![(copy, self.context.terms.constant(symbol))]);
            locals[param.index()] = copy;
        }
        let automaton = automaton(spec);
        let live = self.first_state("at", automaton.states, locals);
        let mut exact = live.clone();
        let mut returned = Vec::new();
        let mut tried = Vec::new();
        if self.actions_mention_results(procedure, spec) {
            returned = self.returned_results(procedure);
            tried = self.tried_results(procedure, spec);
            let mut locals = live.locals.clone();
            returned.iter().for_each(|(id, symbol)| locals[id.index()] = *symbol);
            exact = self.first_state("returning at", automaton.states, locals);
        }
        let abstraction = Rc::new(Abstraction {
            spec,
            specified: self.specified(spec, &automaton, &live, &exact),
            automaton,
            exact,
            live,
            returned,
            tried,
            entry,
            mentions: mentioned,
        });
        let (performs, called_results, written_at) = (None, Vec::new(), Vec::new());
        self.simulation = Some(Simulation { abstraction, performs, called_results, written_at });
    }

    /// What the body is compared with, if it is.
    pub(super) fn abstraction(&self) -> Option<Rc<Abstraction<'a>>> {
        self.simulation.as_ref().map(|simulation| simulation.abstraction.clone())
    }

    /// Sets what the step at hand is said to perform; returns what was said before.
    pub(super) fn replace_performs(&mut self, performs: Option<Performs>) -> Option<Performs> {
        let simulation = self.simulation.as_mut()?;
        std::mem::replace(&mut simulation.performs, performs)
    }

    /// The results of the calls that are being lowered.
    pub(super) fn called_results(&self) -> Vec<Symbol> {
        self.simulation.iter().flat_map(|simulation| simulation.called_results.clone()).collect()
    }

    /// Runs `body`, the steps of a call with these results.
    pub(super) fn while_called(
        &mut self,
        results: impl Iterator<Item = Symbol>,
        body: impl FnOnce(&mut Self),
    ) {
        let outer = self.called_results().len();
        if let Some(simulation) = &mut self.simulation {
            simulation.called_results.extend(results);
        }
        body(self);
        if let Some(simulation) = &mut self.simulation {
            simulation.called_results.truncate(outer);
        }
    }

    /// Notes the indices at which a step writes a map.
    pub(super) fn note_written_at(&mut self, indices: &[Term]) {
        if let Some(simulation) = &mut self.simulation {
            simulation.written_at.extend(indices);
        }
    }

    /// The indices at which the last step wrote maps; none are noted then.
    fn take_written_at(&mut self) -> Vec<Term> {
        self.simulation.as_mut().map_or(Vec::new(), |all| std::mem::take(&mut all.written_at))
    }

    fn specified(
        &self,
        spec: &Spec,
        automaton: &Automaton,
        live: &States,
        exact: &States,
    ) -> Specified {
        let symbols = |globals: &[GlobalId]| -> BTreeSet<Symbol> {
            globals.iter().map(|id| self.context.globals[id.index()]).collect()
        };
        let modifies = symbols(&spec.modifies);
        let actions = spec.actions.iter();
        let actions = actions.map(|a| (a.span, &symbols(&a.modifies) | &modifies)).collect();
        Specified {
            live: live.at.clone(),
            exact: exact.at.clone(),
            edges: automaton.edges.iter().copied().collect(),
            actions,
            linear: spec.order.iter().all(|step| matches!(step, SpecStep::Action(_))),
        }
    }

    /// The set that holds state 0.
    fn first_state(&mut self, name: &str, states: usize, locals: Vec<Symbol>) -> States {
        let mut at = Vec::new();
        let mut pairs = Vec::new();
        for index in 0..states {
            let symbol = self.context.terms.symbol(format!("{name} {index}@"), Sort::Bool);
            self.emit.variables.insert(symbol, None);
            pairs.push((symbol, self.context.terms.bool(index == 0)));
            at.push(symbol);
        }
        self.emit.assign(pairs);
        States { at, locals }
    }

    fn step_scope(&self, locals: &[Symbol], step: &Step<'_>) -> Scope {
        Scope { before: step.old.clone(), ..self.scope_of(locals.to_vec()) }
    }

    /// What a step must look at to be compared with the abstraction.
    pub(super) fn simulation_mentions(&self) -> BTreeSet<GlobalId> {
        let Some(simulation) = &self.simulation else { return BTreeSet::new() };
        let mut mentioned = simulation.abstraction.mentions.clone();
        let cond = simulation.performs.as_ref().and_then(|performs| performs.cond.as_ref());
        cond.iter().for_each(|cond| mentions::of_expr(self.program, cond, &mut mentioned));
        mentioned
    }

    /// Compares the step from `old` to the current store, in which only `written` changed.
    pub(super) fn simulate(
        &mut self,
        span: Span,
        written: &BTreeSet<GlobalId>,
        old: &BTreeMap<Root, Symbol>,
    ) {
        let Some(abstraction) = self.abstraction() else { return };
        let named = self.replace_performs(None).map(|performs| {
            let scope = self.scope();
            let cond = performs.cond.as_ref().map(|cond| self.context.term(&scope, cond));
            (performs.action, cond.unwrap_or_else(|| self.context.terms.bool(true)))
        });
        self.advance_both(&abstraction, &Step { written, old, named });
        let spec = abstraction.spec;
        let now =
            abstraction.live.at.iter().map(|&symbol| self.context.terms.constant(symbol)).collect();
        let some = self.context.terms.or(now);
        let mut about = Obligation::new(
            Code::StepNotAllowed,
            span,
            "the specification does not allow this step",
        );
        about.declared = Some(spec.span);
        about.help = Some(expectation(spec));
        if let Some((action, _)) = named {
            let action = &spec.actions[action];
            let name = action.name.as_ref().map(ToString::to_string).unwrap_or_default();
            about.failed = format!("this step does not perform `{name}`, or not here");
            about.declared = Some(action.span);
        }
        let check = self.emit.known_check(about, vec![(some, spec.span)]);
        self.emit.push(Command::Assert(vec![check]));
    }

    /// A step that changes nothing: always allowed, and it may perform an action that only looks.
    pub(super) fn observe(&mut self) {
        let Some(abstraction) = self.abstraction() else { return };
        let (written, old) = (&BTreeSet::new(), &BTreeMap::new());
        self.advance_both(&abstraction, &Step { written, old, named: None });
    }

    /// The two sets after a step; they are the same one if no action mentions results.
    fn advance_both(&mut self, abstraction: &Abstraction<'a>, step: &Step<'_>) {
        let scope = self.step_scope(&abstraction.live.locals, step);
        let written_at = self.take_written_at();
        self.try_results(&scope, &abstraction.tried, &written_at);
        let yes = self.context.terms.bool(true);
        let mut results = vec![(yes, abstraction.live.locals.clone())];
        results
            .extend(abstraction.tried.iter().map(|tried| tried.instead(&abstraction.live.locals)));
        self.advance(abstraction, &abstraction.live, &results, step);
        if !abstraction.returned.is_empty() {
            let results = [(yes, abstraction.exact.locals.clone())];
            self.advance(abstraction, &abstraction.exact, &results, step);
        }
    }

    /// The set after a step, the locals being one of `results` whose condition holds.
    fn advance(
        &mut self,
        abstraction: &Abstraction<'a>,
        states: &States,
        results: &[(Term, Vec<Symbol>)],
        step: &Step<'_>,
    ) {
        let spec = abstraction.spec;
        let stutters = self.changes_only(step, spec, &[], &states.locals);
        let before: Vec<Term> =
            states.at.iter().map(|&symbol| self.context.terms.constant(symbol)).collect();
        let mut ways: Vec<Vec<Term>> =
            before.iter().map(|&here| vec![self.context.terms.and(vec![here, stutters])]).collect();
        let mut named_ways: Vec<Vec<Term>> = before.iter().map(|_| Vec::new()).collect();
        for &(from, index, to) in &abstraction.automaton.edges {
            let action = &spec.actions[index];
            let framed = self.changes_only(step, spec, &action.modifies, &states.locals);
            let mut performed = Vec::new();
            for (condition, locals) in results {
                let scope = self.step_scope(locals, step);
                let ensured = self.context.term(&scope, &action.ensures);
                performed.push(self.context.terms.and(vec![*condition, ensured]));
            }
            performed.dedup();
            let performed = self.context.terms.or(performed);
            let way = self.context.terms.and(vec![before[from], framed, performed]);
            if step.named.is_some_and(|(named, _)| named == index) {
                named_ways[to].push(way);
            } else {
                ways[to].push(way);
            }
        }
        let mut after: Vec<Term> =
            ways.into_iter().map(|ways| self.context.terms.or(ways)).collect();
        // The step performs the named action where it is said to, and only there. These are fewer
        // of the runs that match: what is shown of them holds of some run that matches.
        if let Some((_, cond)) = step.named {
            for (after, ways) in after.iter_mut().zip(named_ways) {
                let performed = self.context.terms.or(ways);
                *after = self.context.terms.ite(cond, performed, *after);
            }
        }
        self.emit.assign(states.at.iter().copied().zip(after).collect());
    }

    /// All actions were performed, and `ensures` holds.
    pub(super) fn end_simulation(&mut self, span: Span) {
        let Some(abstraction) = self.abstraction() else { return };
        let spec = abstraction.spec;
        let mut mentioned = BTreeSet::new();
        spec.ensures.iter().for_each(|e| mentions::of_expr(self.program, e, &mut mentioned));
        self.environment_step(&mentioned);
        self.emit.mark(MarkKind::Attempt, span, "");
        let ends = abstraction.automaton.last.iter().map(|&state| abstraction.exact.at[state]);
        let ends = ends.map(|symbol| self.context.terms.constant(symbol)).collect();
        let ended = self.context.terms.or(ends);
        let premise = self.results_are_returned(&abstraction.returned);
        let finished = self.context.terms.implies(premise, ended);
        let mut about = Obligation::new(
            Code::ActionMissing,
            span,
            "the procedure can end before it performed all actions of its specification",
        );
        about.declared = Some(spec.span);
        let mut checks = vec![self.emit.known_check(about, vec![(finished, spec.span)])];
        let locals = abstraction.live.locals.clone();
        let scope = Scope { before: abstraction.entry.clone(), ..self.scope_of(locals) };
        for ensures in &spec.ensures {
            let parts = self.context.parts(&scope, ensures);
            let mut about = Obligation::new(
                Code::PostconditionFailed,
                span,
                "this `ensures` need not hold at the end",
            );
            about.declared = Some(ensures.span);
            checks.push(self.emit.known_check(about, parts));
        }
        self.emit.push(Command::Assert(checks));
    }

    /// That of the written variables only those changed that the specification lists, as it says,
    /// or the action beside it.
    fn changes_only(
        &mut self,
        step: &Step<'_>,
        spec: &Spec,
        also: &[GlobalId],
        locals: &[Symbol],
    ) -> Term {
        let mut same = Vec::new();
        let is_allowed =
            |global: &GlobalId| spec.modifies.contains(global) || also.contains(global);
        for &global in step.written.iter().filter(|global| !is_allowed(global)) {
            let now = self.context.terms.constant(self.context.globals[global.index()]);
            let before = self.context.terms.constant(step.old[&Root::Global(global)]);
            same.push(self.context.terms.eq(now, before));
        }
        for frame in &spec.frames {
            if binds(frame, also) && frame.globals.iter().any(|id| step.written.contains(id)) {
                let scope = self.step_scope(locals, step);
                same.push(self.context.term(&scope, &frame.formula));
            }
        }
        self.context.terms.and(same)
    }
}

/// Whether a frame is about steps that may change these, too: an action says itself how it changes
/// what stands behind its own `modifies`.
pub(super) fn binds(frame: &Frame, also: &[GlobalId]) -> bool {
    !frame.globals.iter().any(|id| also.contains(id))
}

fn expectation(spec: &Spec) -> String {
    match spec.actions.len() {
        0 => {
            "it has no actions: every step may change only what stands behind `modifies`".to_owned()
        }
        1 => "a step may change what stands behind `modifies`, or perform the action, once"
            .to_owned(),
        _ => {
            "a step may change what stands behind `modifies`, or perform the next action".to_owned()
        }
    }
}
