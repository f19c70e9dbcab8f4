//! That a procedure's body is simulated by its specification (paper 2, sections 5 and 6.3).
//!
//! The specification stands for the abstraction
//!
//! ```text
//! requires?; (K*; Y1); ...; (K*; Yn); K*; ensures        K = <G && I'>_modifies   Yi = <ei && G && I'>_(modifies + vi)
//! ```
//!
//! DIVERGENCE: the paper lets the programmer add a counter `pc` to the body, which says for each step whether it
//! stutters (`K`) or performs the next action (`Yi`), and checks each step against that one. Here the *set* of positions that
//! the abstraction can be in is tracked instead, one truth value `at i` per position:
//!
//! ```text
//! at i after the step  =  (at i before && the step changes modifies only)
//!                      || (at i-1 before && the step changes modifies + vi only, and satisfies ei)
//! ```
//!
//! A run of the abstraction that matches all steps so far exists iff some `at i` is true, since both have the same global
//! store. So each step is checked to leave one of them true, and at the end the last one must be: that is inclusion of
//! traces, and nobody has to say which step performs what. `G` and `I'` are checked as for threads.

use super::Lowering;
use crate::expr::Scope;
use crate::mentions;
use crate::task::{MarkKind, internal, obligation};
use gcl::{Check, LoopInvariant, Stmt as Command};
use logic::{Sort, Symbol, Term};
use plato::hir::{Expr, GlobalId, Proc, Root, Spec};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::StopReason;

/// The abstraction that the body is compared with.
#[derive(Clone, Debug)]
pub(super) struct Simulation<'a> {
    spec: &'a Spec,
    /// Whether the abstraction can have performed this many actions.
    at: Vec<Symbol>,
    /// Copies of the globals at the start, for `ensures`.
    entry: BTreeMap<Root, Symbol>,
    /// What the actions mention or change.
    mentions: BTreeSet<GlobalId>,
    /// The locals as the specification sees them: parameters have their values from the start.
    locals: Vec<Symbol>,
}

impl<'a> Lowering<'a> {
    /// Assumes `requires` and starts at position 0.
    pub(super) fn begin_simulation(&mut self, procedure: &'a Proc, spec: &'a Spec) {
        self.refuse_results_in_actions(procedure, spec);
        let scope = self.scope();
        for requires in &spec.requires {
            let term = self.context.term(&scope, requires);
            self.out.push(Command::Assume(term));
        }
        let mut mentioned = BTreeSet::new();
        for action in &spec.actions {
            mentions::of_expr(self.program, &action.ensures, &mut mentioned);
            mentioned.extend(action.modifies.iter().copied());
        }
        let mut remembered = BTreeSet::new();
        spec.ensures.iter().for_each(|e| mentions::of_expr(self.program, e, &mut remembered));
        let entry = self.copy_globals(&remembered, "entry");
        let mut at = Vec::new();
        let mut pairs = Vec::new();
        for index in 0..=spec.actions.len() {
            let symbol = self.context.terms.symbol(format!("at {index}@"), Sort::Bool);
            self.variables.insert(symbol, None);
            pairs.push((symbol, self.context.terms.bool(index == 0)));
            at.push(symbol);
        }
        self.out.push(Command::Assign(pairs));
        let mut locals = self.frame().locals.clone();
        for param in &procedure.params {
            let symbol = locals[param.index()];
            let copy = self.copy_symbol(symbol, "entry");
            self.out.push(Command::Assign(vec![(copy, self.context.terms.constant(symbol))]));
            locals[param.index()] = copy;
        }
        self.simulation = Some(Simulation { spec, at, entry, mentions: mentioned, locals });
    }

    /// What a step must look at to be compared with the abstraction.
    pub(super) fn simulation_mentions(&self) -> BTreeSet<GlobalId> {
        self.simulation.as_ref().map(|simulation| simulation.mentions.clone()).unwrap_or_default()
    }

    /// Compares the step from `old` to the current store, in which only `written` changed.
    pub(super) fn simulate(
        &mut self,
        span: Span,
        written: &BTreeSet<GlobalId>,
        old: &BTreeMap<Root, Symbol>,
    ) {
        let Some(Simulation { spec, at, locals, .. }) = self.simulation.clone() else { return };
        let stutters = self.changes_only(written, old, &[&spec.modifies]);
        let before: Vec<Term> =
            at.iter().map(|&symbol| self.context.terms.constant(symbol)).collect();
        let scope = Scope { tid: Some(self.tid), locals, before: old.clone(), ..Scope::default() };
        let mut after = Vec::new();
        for (index, &here) in before.iter().enumerate() {
            let mut ways = vec![self.context.terms.and(vec![here, stutters])];
            if let Some(action) = index.checked_sub(1).map(|index| &spec.actions[index]) {
                let framed = self.changes_only(written, old, &[&spec.modifies, &action.modifies]);
                let performed = self.context.term(&scope, &action.ensures);
                ways.push(self.context.terms.and(vec![before[index - 1], framed, performed]));
            }
            after.push(self.context.terms.or(ways));
        }
        self.out.push(Command::Assign(at.iter().copied().zip(after).collect()));
        let now: Vec<Term> = at.iter().map(|&symbol| self.context.terms.constant(symbol)).collect();
        let some = self.context.terms.or(now);
        let mut about =
            obligation("step-not-allowed", span, "the specification does not allow this step");
        about.declared = Some(spec.span);
        about.help = Some(expectation(spec));
        let id = self.obligations.id(about, vec![spec.span]);
        self.out.push(Command::Assert(vec![Check {
            parts: vec![some],
            obligation: id,
            then_known: true,
        }]));
    }

    /// All actions were performed, and `ensures` holds.
    pub(super) fn end_simulation(&mut self, span: Span) {
        let Some(Simulation { spec, at, entry, locals, .. }) = self.simulation.take() else {
            return;
        };
        let mut mentioned = BTreeSet::new();
        spec.ensures.iter().for_each(|e| mentions::of_expr(self.program, e, &mut mentioned));
        self.environment_step(&mentioned);
        self.mark(MarkKind::Attempt, span, "");
        let last = at.last().map(|&symbol| self.context.terms.constant(symbol));
        let mut about = obligation(
            "action-missing",
            span,
            "the procedure can end before it performed all actions of its specification",
        );
        about.declared = Some(spec.span);
        let finished = self.obligations.id(about, vec![spec.span]);
        let mut checks = vec![Check {
            parts: last.into_iter().collect(),
            obligation: finished,
            then_known: true,
        }];
        let scope = Scope { tid: Some(self.tid), locals, before: entry, ..Scope::default() };
        for ensures in &spec.ensures {
            let (parts, spans) = self.context.parts(&scope, ensures).into_iter().unzip();
            let mut about =
                obligation("postcondition-failed", span, "this `ensures` need not hold at the end");
            about.declared = Some(ensures.span);
            let obligation = self.obligations.id(about, spans);
            checks.push(Check { parts, obligation, then_known: true });
        }
        self.out.push(Command::Assert(checks));
    }

    /// Guesses about where the abstraction is at the head of a loop: anywhere, or depending on the loop's condition. Those
    /// that do not hold are dropped before anything else is decided.
    pub(super) fn position_guesses(
        &mut self,
        cond: Option<&Expr>,
        span: Span,
    ) -> Vec<LoopInvariant> {
        let Some(Simulation { at, .. }) = self.simulation.clone() else { return Vec::new() };
        let scope = self.scope();
        let cond = cond.map(|cond| self.context.term(&scope, cond));
        let mut guesses = Vec::new();
        for symbol in at {
            let here = self.context.terms.constant(symbol);
            let not = self.context.terms.not(here);
            guesses.extend([here, not]);
            if let Some(cond) = cond {
                let stays = self.context.terms.implies(cond, here);
                guesses.push(stays);
                let leaves = self.context.terms.not(cond);
                guesses.push(self.context.terms.implies(leaves, here));
            }
        }
        guesses.into_iter().filter_map(|term| self.guess(term, span)).collect()
    }

    /// A loop invariant that may be dropped.
    fn guess(&mut self, term: Term, span: Span) -> Option<LoopInvariant> {
        let number = self.guesses;
        self.guesses += 1;
        let established =
            self.obligations.fresh(internal("loop-invariant-not-established", span), Vec::new());
        let preserved =
            self.obligations.fresh(internal("loop-invariant-not-preserved", span), Vec::new());
        if self.dropped.contains(&number) {
            return None;
        }
        self.candidates.push((number, [established, preserved]));
        Some(LoopInvariant { parts: vec![term], established, preserved })
    }

    /// That of the written variables only those listed changed.
    fn changes_only(
        &mut self,
        written: &BTreeSet<GlobalId>,
        old: &BTreeMap<Root, Symbol>,
        allowed: &[&Vec<GlobalId>],
    ) -> Term {
        let mut same = Vec::new();
        for &global in
            written.iter().filter(|global| !allowed.iter().any(|list| list.contains(global)))
        {
            let now = self.context.terms.constant(self.context.globals[global.index()]);
            let before = self.context.terms.constant(old[&Root::Global(global)]);
            same.push(self.context.terms.eq(now, before));
        }
        self.context.terms.and(same)
    }

    /// An action that mentions a result would have to hold of the value that is returned in the end.
    fn refuse_results_in_actions(&mut self, procedure: &Proc, spec: &Spec) {
        for action in &spec.actions {
            if mentions::mentions_local(self.program, &action.ensures, &procedure.results) {
                let about = obligation("unsupported", action.span, "this action mentions a result");
                let why = "results in actions; say what they are in `ensures`".to_owned();
                self.undecided.push((about, StopReason::Unsupported(why)));
            }
        }
    }
}

fn expectation(spec: &Spec) -> String {
    match spec.actions.len() {
        0 => {
            "it has no actions: every step may change only what stands behind `modifies`".to_owned()
        }
        1 => "a step may change what stands behind `modifies`, or perform the action, once"
            .to_owned(),
        count => format!(
            "a step may change what stands behind `modifies`, or perform the next of the {count} actions"
        ),
    }
}
