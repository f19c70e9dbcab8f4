//! Predicates and functions: their bodies, that none needs itself, and which of them are about two
//! stores.

use super::collect::Declarations;
use super::constants::recursive;
use super::order::order;
use super::scope::{Context, Stores};
use super::{Resolver, Seen, fault};
use crate::hir::{Expr, ExprKind, Ty};
use diagnostic::Code;
use source::Span;

impl Resolver {
    pub(super) fn preds(&mut self, declarations: &Declarations<'_>) {
        let mut seen = Vec::new();
        for (at, &(module, item)) in declarations.preds.iter().enumerate() {
            let context = Context {
                module,
                stores: Stores::Two,
                tid: true,
                place: if item.ty.is_some() { "a function" } else { "a predicate" },
                ..Context::default()
            };
            self.scope.seen = Seen::default();
            self.within(context, |r| {
                let mark = r.scope.enter();
                let types = std::mem::take(&mut r.pred_facts[at].params);
                r.program.preds[at].params = r.bind_params(&item.params, &types);
                r.pred_facts[at].params = types;
                // Without a known type, errors about the body would only echo.
                let ty = r.pred_facts[at].ty.clone();
                if let Some(body) = ty.and_then(|ty| r.check(&item.body, &ty)) {
                    r.program.preds[at].body = body;
                }
                r.scope.leave(mark);
            });
            seen.push(std::mem::take(&mut self.scope.seen));
        }
        self.pred_graph(declarations, &seen);
    }

    fn pred_graph(&mut self, declarations: &Declarations<'_>, seen: &[Seen]) {
        let needs: Vec<Vec<usize>> = seen
            .iter()
            .map(|seen| seen.preds.iter().map(|(id, ..)| id.index()).collect())
            .collect();
        let (sorted, cycles) = order(&needs);
        for cycle in &cycles {
            let names: Vec<_> = cycle.iter().map(|&at| &declarations.preds[at].1.name).collect();
            self.report(recursive(&names));
            for &at in cycle {
                self.program.preds[at].body = trivial(names[0].span);
            }
        }
        for at in sorted {
            let mut two_store = seen[at].prime;
            let mut uses_tid = seen[at].tid;
            for &(callee, span, primed) in &seen[at].preds {
                let facts = &self.pred_facts[callee.index()];
                two_store |= facts.two_store || primed;
                uses_tid |= facts.uses_tid;
                if facts.two_store && primed {
                    self.refuse_prime_on_two_store(span);
                }
            }
            self.pred_facts[at].two_store = two_store;
            self.pred_facts[at].uses_tid = uses_tid;
            self.program.preds[at].two_store = two_store;
        }
    }

    pub(super) fn refuse_prime_on_two_store(&mut self, span: Span) {
        let error =
            fault(Code::PrimeNotAllowed, span, "a prime on a predicate that speaks of two stores")
                .at("its body has primes already")
                .help("drop the prime");
        self.report(error);
    }
}

/// Replaces a body that could not be resolved.
pub(super) fn trivial(span: Span) -> Expr {
    Expr { kind: ExprKind::Bool(true), ty: Ty::Bool, span }
}
