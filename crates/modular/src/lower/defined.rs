//! Where the value of an expression in code is undefined, the thread goes wrong: division by zero, an index outside the
//! domain of a map, an element outside the type of a set or map. In specifications these have some value instead.

use super::Lowering;
use crate::expr::Scope;
use crate::mentions;
use crate::task::obligation;
use logic::{Quantifier, Term};
use plato::hir::{BinaryOp, Expr, ExprKind, Ty};
use source::Span;

/// A condition without which an expression is undefined.
struct Condition {
    holds: Term,
    code: &'static str,
    span: Span,
}

impl Lowering<'_> {
    /// Checks that the expressions are defined in the current store.
    pub(super) fn check_defined<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        let scope = self.scope();
        self.check_defined_in(&scope, exprs);
    }

    /// Checks that the expressions are defined in the stores of the scope.
    pub(super) fn check_defined_in<'e>(
        &mut self,
        scope: &Scope,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) {
        let mut conditions = Vec::new();
        for expr in exprs {
            self.defined(scope, expr, &mut conditions);
        }
        // One after the other: `1 / x` may stand inside the index of a map.
        for condition in conditions {
            let failed = match condition.code {
                "division-by-zero" => "the divisor can be zero here",
                "index-out-of-range" => "the index can be outside the map's domain here",
                _ => "the value can be outside its type here",
            };
            let about = obligation(condition.code, condition.span, failed);
            self.check(about, vec![(condition.holds, condition.span)]);
        }
    }

    /// Collects the conditions of `expr`, inner ones first.
    fn defined(&mut self, scope: &Scope, expr: &Expr, out: &mut Vec<Condition>) {
        match &expr.kind {
            ExprKind::And(parts) => self.one_after_another(scope, parts, true, out),
            ExprKind::Or(parts) => self.one_after_another(scope, parts, false, out),
            ExprKind::Binary(BinaryOp::Implies, premise, conclusion) => {
                self.defined(scope, premise, out);
                let premise = self.context.term(scope, premise);
                self.under(premise, scope, conclusion, out);
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                self.defined(scope, cond, out);
                let cond = self.context.term(scope, cond);
                self.under(cond, scope, then, out);
                let not = self.context.terms.not(cond);
                self.under(not, scope, otherwise, out);
            }
            ExprKind::Quantified(_, binders, body) => self.for_all(scope, binders, body, out),
            _ => {
                for child in mentions::children(expr) {
                    self.defined(scope, child, out);
                }
                self.own_conditions(scope, expr, out);
            }
        }
    }

    fn own_conditions(&mut self, scope: &Scope, expr: &Expr, out: &mut Vec<Condition>) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Mod, _, divisor) => {
                let term = self.context.term(scope, divisor);
                let zero = self.context.terms.int(0);
                let is_zero = self.context.terms.eq(term, zero);
                let holds = self.context.terms.not(is_zero);
                out.extend(condition(&self.context.terms, holds, "division-by-zero", divisor.span));
            }
            ExprKind::Index(map, key) => {
                if let Ty::Map(key_ty, _) = &map.ty {
                    out.extend(self.fits(scope, key, key_ty, "index-out-of-range"));
                }
            }
            ExprKind::Update(map, key, value) => {
                if let Ty::Map(key_ty, value_ty) = &map.ty {
                    out.extend(self.fits(scope, key, key_ty, "index-out-of-range"));
                    out.extend(self.fits(scope, value, value_ty, "value-out-of-range"));
                }
            }
            ExprKind::ConstMap(value) => {
                if let Ty::Map(_, value_ty) = &expr.ty {
                    out.extend(self.fits(scope, value, value_ty, "value-out-of-range"));
                }
            }
            ExprKind::Set(elements) => {
                if let Ty::Set(element_ty) = &expr.ty {
                    for element in elements {
                        out.extend(self.fits(scope, element, element_ty, "value-out-of-range"));
                    }
                }
            }
            _ => {}
        }
    }

    /// That the value belongs to the type, unless its own type says so already.
    fn fits(
        &mut self,
        scope: &Scope,
        expr: &Expr,
        ty: &Ty,
        code: &'static str,
    ) -> Option<Condition> {
        let Ty::Range(low, high) = ty else { return None };
        if matches!(expr.ty, Ty::Range(l, h) if *low <= l && h <= *high) {
            return None;
        }
        let (low, high) = (self.context.terms.int(*low), self.context.terms.int(*high));
        let term = self.context.term(scope, expr);
        let holds = crate::layout::between(&mut self.context.terms, low, term, high);
        condition(&self.context.terms, holds, code, expr.span)
    }

    /// Checks that a value fits the place it is written to.
    pub(super) fn check_fits(&mut self, value: &Expr, ty: &Ty) {
        let scope = self.scope();
        if let Some(condition) = self.fits(&scope, value, ty, "value-out-of-range") {
            let about = obligation(
                condition.code,
                condition.span,
                "the value can be outside the type of the variable",
            );
            self.check(about, vec![(condition.holds, condition.span)]);
        }
    }

    /// Checks that an index is in the domain of the map it is used on.
    pub(super) fn check_index(&mut self, index: &Expr, ty: &Ty) {
        let scope = self.scope();
        if let Some(condition) = self.fits(&scope, index, ty, "index-out-of-range") {
            let about = obligation(
                condition.code,
                condition.span,
                "the index can be outside the map's domain here",
            );
            self.check(about, vec![(condition.holds, condition.span)]);
        }
    }

    /// Later operands are evaluated only if earlier ones are all `value`.
    fn one_after_another(
        &mut self,
        scope: &Scope,
        parts: &[Expr],
        value: bool,
        out: &mut Vec<Condition>,
    ) {
        let mut earlier = Vec::new();
        for part in parts {
            let mut inner = Vec::new();
            self.defined(scope, part, &mut inner);
            if !inner.is_empty() {
                let guard = self.context.terms.and(earlier.clone());
                self.guard(guard, inner, out);
            }
            let term = self.context.term(scope, part);
            earlier.push(if value { term } else { self.context.terms.not(term) });
        }
    }

    fn under(&mut self, guard: Term, scope: &Scope, expr: &Expr, out: &mut Vec<Condition>) {
        let mut inner = Vec::new();
        self.defined(scope, expr, &mut inner);
        self.guard(guard, inner, out);
    }

    fn guard(&mut self, guard: Term, inner: Vec<Condition>, out: &mut Vec<Condition>) {
        for condition in inner {
            let holds = self.context.terms.implies(guard, condition.holds);
            out.push(Condition { holds, ..condition });
        }
    }

    fn for_all(
        &mut self,
        scope: &Scope,
        binders: &[plato::hir::BoundId],
        body: &Expr,
        out: &mut Vec<Condition>,
    ) {
        let (vars, inside, hidden) = self.context.bind(binders);
        let mut inner = Vec::new();
        self.defined(scope, body, &mut inner);
        self.context.unbind(hidden);
        for condition in inner {
            let holds = self.context.terms.implies(inside, condition.holds);
            let holds =
                self.context.terms.quantified(Quantifier::Forall, vars.clone(), Vec::new(), holds);
            out.push(Condition { holds, ..condition });
        }
    }
}

/// `None` if it holds trivially.
fn condition(
    terms: &logic::Terms,
    holds: Term,
    code: &'static str,
    span: Span,
) -> Option<Condition> {
    (!matches!(terms.node(holds), logic::Node::Bool(true))).then_some(Condition {
        holds,
        code,
        span,
    })
}
