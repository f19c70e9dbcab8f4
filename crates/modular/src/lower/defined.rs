//! Where the value of an expression in code is undefined, the thread goes wrong: division by zero,
//! an index outside the domain of a map, an element outside the type of a set or map. In
//! specifications these have some value instead.

use super::Lowering;
use super::access::Access;
use crate::expr::Scope;
use crate::mentions;
use diagnostic::Code;
use logic::{Quantifier, Term};
use plato::hir::{BinaryOp, Expr, ExprKind, GlobalId, Root, Ty};
use source::Span;
use std::collections::BTreeSet;
use verdict::Obligation;

/// A condition without which an expression is undefined.
struct Condition {
    holds: Term,
    about: Obligation,
    /// The place of what is undefined, which may be inside a predicate.
    place: Span,
}

impl Condition {
    fn new(holds: Term, about: Obligation) -> Self {
        Self { holds, place: about.span, about }
    }
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
            self.check_condition(condition);
        }
    }

    fn check_condition(&mut self, condition: Condition) {
        self.emit.check(condition.about, vec![(condition.holds, condition.place)]);
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
            // One element of a map: its own lock is enough.
            ExprKind::Index(map, key) if is_global(map).is_some() => {
                self.defined(scope, key, out);
                self.own_conditions(scope, expr, out);
                self.access(scope, map, Some(key), out);
            }
            _ => {
                for child in expr.children() {
                    self.defined(scope, child, out);
                }
                self.own_conditions(scope, expr, out);
            }
        }
    }

    fn own_conditions(&mut self, scope: &Scope, expr: &Expr, out: &mut Vec<Condition>) {
        match &expr.kind {
            ExprKind::Var { .. } => self.access(scope, expr, None, out),
            ExprKind::Pred { .. } => {
                let mut mentioned = BTreeSet::new();
                mentions::of_expr(self.program, expr, &mut mentioned);
                for global in mentioned {
                    self.access_global(scope, Access { global, key: None, span: expr.span }, out);
                }
                self.defined_inside(scope, expr, out);
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Mod, _, divisor) => {
                let term = self.context.term(scope, divisor);
                let zero = self.context.terms.int(0);
                let is_zero = self.context.terms.eq(term, zero);
                let holds = self.context.terms.not(is_zero);
                let about = Obligation::new(
                    Code::DivisionByZero,
                    divisor.span,
                    "the divisor can be zero here",
                );
                out.extend(self.unless_trivial(holds, about));
            }
            ExprKind::Index(map, key) => {
                if let Ty::Map(key_ty, _) = &map.ty {
                    out.extend(self.fits(scope, key, key_ty, Code::IndexOutOfRange));
                }
            }
            ExprKind::Update(map, key, value) => {
                if let Ty::Map(key_ty, value_ty) = &map.ty {
                    out.extend(self.fits(scope, key, key_ty, Code::IndexOutOfRange));
                    out.extend(self.fits(scope, value, value_ty, Code::ValueOutOfRange));
                }
            }
            ExprKind::ConstMap(value) => {
                if let Ty::Map(_, value_ty) = &expr.ty {
                    out.extend(self.fits(scope, value, value_ty, Code::ValueOutOfRange));
                }
            }
            ExprKind::Set(elements) => {
                if let Ty::Set(element_ty) = &expr.ty {
                    for element in elements {
                        out.extend(self.fits(scope, element, element_ty, Code::ValueOutOfRange));
                    }
                }
            }
            _ => {}
        }
    }

    /// What the body of a predicate needs, with its arguments for its parameters. The locks of all
    /// that it mentions were asked for as a whole.
    fn defined_inside(&mut self, scope: &Scope, expr: &Expr, out: &mut Vec<Condition>) {
        let ExprKind::Pred { pred, args, primed } = &expr.kind else { return };
        let info = &self.program.preds[pred.index()];
        let inner = if *primed { scope.primed() } else { scope.clone() };
        let args = args.iter().map(|arg| self.context.term(scope, arg)).collect();
        let hidden = self.context.substitute(&info.params, args);
        let mut inside = Vec::new();
        self.defined(&inner, &info.body, &mut inside);
        self.context.unbind(hidden);
        for mut condition in inside.into_iter().filter(|c| c.about.code != Code::UnguardedAccess) {
            condition.about.declared = Some(condition.place);
            condition.about.span = expr.span;
            out.push(condition);
        }
    }

    /// That the lock of a shared variable, or of its element, is held. An action's accesses are
    /// checked before it.
    fn access(&mut self, scope: &Scope, var: &Expr, key: Option<&Expr>, out: &mut Vec<Condition>) {
        let Some(global) = is_global(var) else { return };
        let key = key.map(|key| self.context.term(scope, key));
        self.access_global(scope, Access { global, key, span: var.span }, out);
    }

    fn access_global(&mut self, scope: &Scope, access: Access, out: &mut Vec<Condition>) {
        if scope.before.is_empty()
            && let Some(holds) = self.lock_held(scope, access)
        {
            out.push(Condition::new(holds, self.access_obligation(access)));
        }
    }

    /// That the value belongs to the type, unless its own type says so already.
    fn fits(&mut self, scope: &Scope, expr: &Expr, ty: &Ty, code: Code) -> Option<Condition> {
        let Ty::Range(low, high) = ty else { return None };
        let is_inside = matches!(expr.ty, Ty::Range(l, h) if *low <= l && h <= *high);
        if is_inside && !self.mentions_parameter(expr) {
            return None;
        }
        let (low, high) = (self.context.terms.int(*low), self.context.terms.int(*high));
        let term = self.context.term(scope, expr);
        let holds = crate::layout::between(&mut self.context.terms, low, term, high);
        let failed = match code {
            Code::IndexOutOfRange => "the index can be outside the map's domain here",
            _ => "the value can be outside its type here",
        };
        self.unless_trivial(holds, Obligation::new(code, expr.span, failed))
    }

    /// Whether the expression mentions a parameter of a predicate. Arguments are not checked to be
    /// of its type, so that this tells nothing of the value.
    fn mentions_parameter(&self, expr: &Expr) -> bool {
        match expr.kind {
            ExprKind::Bound(id) => self.program.preds.iter().any(|pred| pred.params.contains(&id)),
            _ => expr.children().into_iter().any(|child| self.mentions_parameter(child)),
        }
    }

    fn unless_trivial(&self, holds: Term, about: Obligation) -> Option<Condition> {
        let trivial = matches!(self.context.terms.node(holds), logic::Node::Bool(true));
        (!trivial).then(|| Condition::new(holds, about))
    }

    /// Checks that a value fits the place it is written to.
    pub(super) fn check_fits(&mut self, value: &Expr, ty: &Ty) {
        let scope = self.scope();
        if let Some(mut condition) = self.fits(&scope, value, ty, Code::ValueOutOfRange) {
            "the value can be outside the type of the variable"
                .clone_into(&mut condition.about.failed);
            self.check_condition(condition);
        }
    }

    /// Checks that an index is in the domain of the map it is used on.
    pub(super) fn check_index(&mut self, index: &Expr, ty: &Ty) {
        let scope = self.scope();
        if let Some(condition) = self.fits(&scope, index, ty, Code::IndexOutOfRange) {
            self.check_condition(condition);
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

/// The shared variable that the expression is.
fn is_global(expr: &Expr) -> Option<GlobalId> {
    match expr.kind {
        ExprKind::Var { root: Root::Global(id), .. } => Some(id),
        _ => None,
    }
}
