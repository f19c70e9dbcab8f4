//! Results in the actions of a specification: for which values of them the abstraction is followed
//! (see [`super::simulation`]).

use super::Lowering;
use super::automaton::most_performed;
use crate::expr::Scope;
use crate::mentions;
use diagnostic::Code;
use logic::{Symbol, Term};
use plato::hir::{BinaryOp, Expr, ExprKind, LocalId, Proc, Root, Spec, Ty};
use verdict::{Obligation, StopReason};

/// Limit on the values that are tried for one result.
pub(super) const MAX_TRIED: usize = 6;

/// Limit on the indices of one step that are tried for a result that an action uses as an index.
const MAX_INDICES: usize = 2;

/// A value that is tried for a result.
#[derive(Clone, Debug)]
pub(super) struct Tried<'a> {
    result: LocalId,
    /// Holds the value.
    symbol: Symbol,
    value: Guess<'a>,
    /// That the value is one of the result's type. The caller knows that what is returned is, and
    /// takes the action for impossible otherwise; so must the body, also if it never returns.
    possible: Term,
}

impl Tried<'_> {
    /// When the value counts, and the locals with it instead of the result.
    pub(super) fn instead(&self, locals: &[Symbol]) -> (Term, Vec<Symbol>) {
        let mut locals = locals.to_vec();
        locals[self.result.index()] = self.symbol;
        (self.possible, locals)
    }
}

#[derive(Clone, Copy, Debug)]
enum Guess<'a> {
    Truth(bool),
    Value(&'a Expr),
    /// The n-th index, of those of the result's sort, at which the step writes a map.
    Index(usize),
}

impl<'a> Lowering<'a> {
    /// Whether actions mention results. Two of them in one run that mention the same one are more
    /// than can be followed.
    pub(super) fn actions_mention_results(&mut self, procedure: &Proc, spec: &Spec) -> bool {
        let mentions = |index: usize, results: &[LocalId]| {
            mentions::mentions_local(self.program, &spec.actions[index].ensures, results)
        };
        let is_followed = |result: &LocalId| {
            let marked = |index| mentions(index, std::slice::from_ref(result));
            most_performed(&spec.order, &marked).is_some_and(|count| count <= 1)
        };
        let all_followed = procedure.results.iter().all(is_followed);
        let some = (0..spec.actions.len()).any(|index| mentions(index, &procedure.results));
        if !all_followed {
            let about =
                Obligation::new(Code::Unsupported, spec.span, "several actions mention one result");
            let why = "several actions of one run that mention the same result".to_owned();
            self.emit.undecided.push((about, StopReason::Unsupported(why)));
        }
        some
    }

    /// Arbitrary fixed values of the results' types.
    pub(super) fn returned_results(&mut self, procedure: &Proc) -> Vec<(LocalId, Symbol)> {
        let mut returned = Vec::new();
        for &id in &procedure.results {
            let symbol = self.root_symbol(Root::Local(id));
            let fixed = self.copy_symbol(symbol, "returned");
            let ty = self.root_ty(Root::Local(id));
            let term = self.context.terms.constant(fixed);
            let fact = self.context.in_type(&ty, term);
            self.emit.variables.insert(fixed, fact);
            returned.push((id, fixed));
        }
        returned
    }

    /// The values to try for results: truth values, what actions say the result is equal to, and
    /// where they use it as an index, the indices at which the step writes.
    pub(super) fn tried_results(&mut self, procedure: &'a Proc, spec: &'a Spec) -> Vec<Tried<'a>> {
        let mut tried = Vec::new();
        for &result in &procedure.results {
            let mut values = Vec::new();
            if self.root_ty(Root::Local(result)) == Ty::Bool {
                values.extend([Guess::Truth(false), Guess::Truth(true)]);
            }
            for action in &spec.actions {
                let is_free =
                    |e: &Expr| !mentions::mentions_local(self.program, e, &procedure.results);
                let mut equal = Vec::new();
                said_equal(&action.ensures, result, &mut equal);
                values.extend(equal.into_iter().filter(|e| is_free(e)).map(Guess::Value));
            }
            if spec.actions.iter().any(|action| is_index(&action.ensures, result)) {
                values.extend((0..MAX_INDICES).map(Guess::Index));
            }
            for value in values.into_iter().take(MAX_TRIED) {
                let symbol = self.root_symbol(Root::Local(result));
                let symbol = self.copy_symbol(symbol, &format!("tried.{}", tried.len()));
                let (ty, term) =
                    (self.root_ty(Root::Local(result)), self.context.terms.constant(symbol));
                let possible = self.context.in_type(&ty, term);
                let possible = possible.unwrap_or_else(|| self.context.terms.bool(true));
                tried.push(Tried { result, symbol, value, possible });
            }
        }
        tried
    }

    /// Gives the tried results their values for this step.
    pub(super) fn try_results(&mut self, scope: &Scope, all: &[Tried<'a>], indices: &[Term]) {
        let mut pairs = Vec::new();
        for tried in all {
            let value = match tried.value {
                Guess::Truth(truth) => self.context.terms.bool(truth),
                Guess::Value(expr) => self.context.term(scope, expr),
                Guess::Index(at) => {
                    let now = self.context.symbol_of(scope, Root::Local(tried.result), false);
                    let now = self.context.terms.constant(now);
                    let terms = &self.context.terms;
                    let fits = |index: &&Term| terms.sort(**index) == terms.sort(now);
                    indices.iter().filter(fits).nth(at).copied().unwrap_or(now)
                }
            };
            pairs.push((tried.symbol, value));
        }
        self.emit.assign_any(pairs);
    }

    /// That the results have now the values that the exact set was tracked for.
    pub(super) fn results_are_returned(&mut self, returned: &[(LocalId, Symbol)]) -> Term {
        let locals = self.frames.outermost_locals();
        let mut same = Vec::new();
        for (id, fixed) in returned {
            let now = self.context.terms.constant(locals[id.index()]);
            let fixed = self.context.terms.constant(*fixed);
            same.push(self.context.terms.eq(now, fixed));
        }
        self.context.terms.and(same)
    }
}

/// Whether a formula uses the result as an index of a map.
fn is_index(expr: &Expr, result: LocalId) -> bool {
    let is_result =
        |e: &Expr| matches!(e.kind, ExprKind::Var { root: Root::Local(id), .. } if id == result);
    let is_here = match &expr.kind {
        ExprKind::Index(_, index) | ExprKind::Update(_, index, _) => is_result(index),
        _ => false,
    };
    is_here || expr.children().into_iter().any(|e| is_index(e, result))
}

/// What the formula says the result is equal to, somewhere outside quantifiers.
fn said_equal<'e>(expr: &'e Expr, result: LocalId, out: &mut Vec<&'e Expr>) {
    let is_result =
        |e: &Expr| matches!(e.kind, ExprKind::Var { root: Root::Local(id), .. } if id == result);
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) if is_result(left) => {
            out.push(right);
        }
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) if is_result(right) => {
            out.push(left);
        }
        ExprKind::Quantified(..) | ExprKind::Pred { .. } => {}
        _ => expr.children().into_iter().for_each(|e| said_equal(e, result, out)),
    }
}
