//! Guesses about loops: invariants that are tried and dropped if they do not hold (Houdini). They
//! say where the abstraction of a procedure is at the head of a loop.

use super::Lowering;
use super::results::MAX_TRIED;
use super::simulation::States;
use crate::Guesses;
use crate::task::internal;
use diagnostic::Code;
use gcl::Candidate;
use gcl::LoopInvariant;
use logic::{Sort, Symbol, Term, Terms};
use plato::hir::{Expr, LocalId};
use source::Span;
use verdict::ObligationId;

/// The loop invariants that are guessed.
#[derive(Debug)]
pub(super) struct Guessing {
    /// What to do with them.
    wanted: Guesses,
    /// How many there were so far.
    count: usize,
    /// Those that are used.
    pub(super) candidates: Vec<Candidate>,
}

impl Guessing {
    /// Nothing is guessed yet.
    pub(super) fn new(wanted: Guesses) -> Self {
        Self { wanted, count: 0, candidates: Vec::new() }
    }

    /// Numbers a guess that these obligations show; the truth value under which it is used, if it
    /// is.
    fn add(
        &mut self,
        terms: &mut Terms,
        shown_by: [ObligationId; 2],
        (spare, words): (bool, Option<String>),
    ) -> Option<Term> {
        let number = self.count;
        self.count += 1;
        let switch = match &self.wanted {
            Guesses::Nothing => return None,
            Guesses::AllBut(dropped) if dropped.contains(&number) => return None,
            Guesses::Only(kept) if !kept.contains(&number) => return None,
            Guesses::AllBut(_) | Guesses::Only(_) => terms.bool(true),
            Guesses::Switched => {
                let symbol = terms.symbol(format!("guess {number}@"), Sort::Bool);
                terms.constant(symbol)
            }
        };
        self.candidates.push(Candidate { number, shown_by, switch, spare, words });
        Some(switch)
    }
}

impl Lowering<'_> {
    /// That some other variable has the value of the one result: a local that will be returned, or
    /// the result of a call.
    fn results_to_be(&mut self, returned: &[(LocalId, Symbol)]) -> Vec<Term> {
        let [(id, fixed)] = returned else { return Vec::new() };
        let mut others = self.frames.outermost_locals();
        others.remove(id.index());
        others.extend(self.called_results());
        let sort = self.context.terms.symbol_sort(*fixed).clone();
        let fixed = self.context.terms.constant(*fixed);
        let mut same = Vec::new();
        for other in others {
            if *self.context.terms.symbol_sort(other) == sort && same.len() < MAX_TRIED {
                let other = self.context.terms.constant(other);
                same.push(self.context.terms.eq(other, fixed));
            }
        }
        same
    }

    /// Guesses about where the abstraction is at the head of a loop: somewhere for sure, or
    /// depending on the loop's condition or on the results. Those that do not hold are dropped
    /// before anything else is decided.
    pub(super) fn position_guesses(
        &mut self,
        cond: Option<&Expr>,
        span: Span,
    ) -> Vec<LoopInvariant> {
        let Some(abstraction) = self.abstraction() else { return Vec::new() };
        let scope = self.scope();
        let mut premises = vec![self.context.terms.bool(true)];
        if let Some(cond) = cond.map(|cond| self.context.term(&scope, cond)) {
            premises.extend([cond, self.context.terms.not(cond)]);
        }
        let mut guesses = Vec::new();
        self.guess_states(&abstraction.live, &premises, &mut guesses);
        if !abstraction.returned.is_empty() {
            let mut returned = vec![self.results_are_returned(&abstraction.returned)];
            returned.extend(self.results_to_be(&abstraction.returned));
            let mut with = Vec::new();
            for returned in returned {
                for &premise in &premises {
                    with.push(self.context.terms.and(vec![premise, returned]));
                }
            }
            premises.extend(with);
            self.guess_states(&abstraction.exact, &premises, &mut guesses);
        }
        guesses.into_iter().filter_map(|term| self.guess(term, span)).collect()
    }

    fn guess_states(&mut self, states: &States, premises: &[Term], guesses: &mut Vec<Term>) {
        let at: Vec<Term> = states.at.iter().map(|&s| self.context.terms.constant(s)).collect();
        guesses.extend(at.iter().map(|&here| self.context.terms.not(here)));
        let mut places = at.clone();
        // Two states together: an option may or may not have been taken.
        for (index, &one) in at.iter().enumerate() {
            let pairs: Vec<Term> =
                at[index + 1..].iter().map(|&two| self.context.terms.or(vec![one, two])).collect();
            places.extend(pairs);
        }
        for place in places {
            for &premise in premises {
                guesses.push(self.context.terms.implies(premise, place));
            }
        }
    }

    /// A loop invariant that may be dropped.
    pub(super) fn guess(&mut self, term: Term, span: Span) -> Option<LoopInvariant> {
        self.guess_with(term, span, (false, None))
    }

    /// One that a user could have written.
    pub(super) fn worded_guess(
        &mut self,
        term: Term,
        span: Span,
        words: String,
    ) -> Option<LoopInvariant> {
        self.guess_with(term, span, (false, Some(words)))
    }

    /// One that is used only if the task is not proved without it.
    pub(super) fn spare_guess(&mut self, term: Term, span: Span) -> Option<LoopInvariant> {
        self.guess_with(term, span, (true, None))
    }

    fn guess_with(
        &mut self,
        term: Term,
        span: Span,
        kind: (bool, Option<String>),
    ) -> Option<LoopInvariant> {
        let mut new = |code| self.emit.obligations.fresh(internal(code, span), Vec::new());
        let established = new(Code::LoopInvariantNotEstablished);
        let preserved = new(Code::LoopInvariantNotPreserved);
        let terms = &mut self.context.terms;
        let switch = self.guessing.add(terms, [established, preserved], kind)?;
        let parts = vec![terms.implies(switch, term)];
        Some(LoopInvariant { parts, established, preserved })
    }
}
