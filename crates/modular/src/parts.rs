//! A formula taken apart, so that a failure can name the part that is false.

use crate::Context;
use crate::environment::Invariant;
use crate::expr::Scope;
use logic::Term;
use plato::hir::{BinaryOp, Expr, ExprKind};
use source::Span;

impl Context<'_> {
    /// Terms whose conjunction is the formula, each with its place: conjuncts, and conjuncts of the
    /// conclusion of an implication under its premise.
    pub fn parts(&mut self, scope: &Scope, expr: &Expr) -> Vec<(Term, Span)> {
        match &expr.kind {
            ExprKind::And(parts) => parts.iter().flat_map(|part| self.parts(scope, part)).collect(),
            ExprKind::Binary(BinaryOp::Implies, premise, conclusion) => {
                let premise_term = self.term(scope, premise);
                let inner = self.parts(scope, conclusion);
                let whole = inner.len() == 1;
                inner
                    .into_iter()
                    .map(|(term, span)| {
                        (
                            self.terms.implies(premise_term, term),
                            if whole { expr.span } else { span },
                        )
                    })
                    .collect()
            }
            _ => vec![(self.term(scope, expr), expr.span)],
        }
    }

    /// The parts of a formula, each under the premise.
    pub(crate) fn parts_under(
        &mut self,
        premise: Term,
        scope: &Scope,
        formula: &Expr,
    ) -> Vec<(Term, Span)> {
        let parts = self.parts(scope, formula);
        parts.into_iter().map(|(term, span)| (self.terms.implies(premise, term), span)).collect()
    }

    /// The parts of an invariant, or of the negation of an error set.
    pub(crate) fn invariant_parts(
        &mut self,
        scope: &Scope,
        invariant: &Invariant<'_>,
    ) -> Vec<(Term, Span)> {
        if invariant.negated {
            let term = self.term(scope, invariant.formula);
            vec![(self.terms.not(term), invariant.formula.span)]
        } else {
            self.parts(scope, invariant.formula)
        }
    }
}
