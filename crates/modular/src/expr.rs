//! Expressions as terms.

use crate::Context;
use logic::{Binder, Quantifier as LogicQuantifier, SetOp, Symbol, Term};
use plato::hir::{BinaryOp, BoundId, Expr, ExprKind, PredId, Quantifier, Root, Ty};
use std::collections::BTreeMap;

/// What names stood for before they were bound again.
pub(crate) type Hidden = Vec<(BoundId, Option<Term>)>;

/// What variables stand for. A variable that is not listed in `before` or `after` has its current
/// value in that store.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The running thread.
    pub tid: Option<Term>,
    /// Per local its symbol.
    pub locals: Vec<Symbol>,
    /// Variables whose value before the step is not the current one.
    pub before: BTreeMap<Root, Symbol>,
    /// Variables whose value after the step is not the current one.
    pub after: BTreeMap<Root, Symbol>,
}

impl Scope {
    /// The scope in which the post-store is looked at alone.
    pub(crate) fn primed(&self) -> Self {
        Self { before: self.after.clone(), ..self.clone() }
    }
}

impl Context<'_> {
    /// The term of an expression.
    pub fn term(&mut self, scope: &Scope, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Int(value) => self.terms.int(*value),
            ExprKind::Bool(value) => self.terms.bool(*value),
            ExprKind::Var { root, primed } => {
                let symbol = self.symbol_of(scope, *root, *primed);
                self.terms.constant(symbol)
            }
            ExprKind::Const(id) => self.const_term(*id),
            ExprKind::Bound(id) => self.bound[id],
            ExprKind::Tid => scope.tid.expect("internal error: `tid` where no thread runs"),
            ExprKind::Nobody => self.terms.int(0),
            ExprKind::Thread(id) => self.thread_term(*id),
            ExprKind::Variant(_, index) => self.terms.int(i128::from(*index)),
            ExprKind::Not(inner) => {
                let inner = self.term(scope, inner);
                self.terms.not(inner)
            }
            ExprKind::Neg(inner) => {
                let inner = self.term(scope, inner);
                self.terms.neg(inner)
            }
            ExprKind::And(parts) => {
                let parts = self.all(scope, parts);
                self.terms.and(parts)
            }
            ExprKind::Or(parts) => {
                let parts = self.all(scope, parts);
                self.terms.or(parts)
            }
            ExprKind::Binary(op @ (BinaryOp::Union | BinaryOp::Difference), left, right)
                if let ExprKind::Set(elements) = &right.kind =>
            {
                let set = self.term(scope, left);
                self.with_elements(scope, set, elements, *op == BinaryOp::Union)
            }
            ExprKind::Binary(op, left, right) => {
                let [left, right] = [left, right].map(|e| self.term(scope, e));
                self.binary(*op, left, right)
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                let [cond, then, otherwise] = [cond, then, otherwise].map(|e| self.term(scope, e));
                self.terms.ite(cond, then, otherwise)
            }
            ExprKind::Index(..)
            | ExprKind::Update(..)
            | ExprKind::ConstMap(_)
            | ExprKind::Set(_)
            | ExprKind::Size(_) => self.collection(scope, expr),
            ExprKind::In(element, set) => self.member(scope, element, set),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(scope, *quantifier, binders, body)
            }
            ExprKind::Pred { pred, args, primed } => self.instance(scope, *pred, args, *primed),
            ExprKind::At(..) => panic!("internal error: program counters are not lowered to terms"),
        }
    }

    /// Maps and sets.
    fn collection(&mut self, scope: &Scope, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Index(map, key) => {
                let [map, key] = [map, key].map(|e| self.term(scope, e));
                self.terms.select(map, key)
            }
            ExprKind::Update(map, key, value) => {
                let [map, key, value] = [map, key, value].map(|e| self.term(scope, e));
                self.terms.store(map, key, value)
            }
            ExprKind::ConstMap(value) => {
                let value = self.term(scope, value);
                let Ty::Map(key, value_ty) = &expr.ty else {
                    panic!("internal error: a map literal has a map type")
                };
                self.constant_map(key, value_ty, value)
            }
            ExprKind::Set(elements) => self.set_literal(scope, &expr.ty, elements),
            ExprKind::Size(set) => {
                let term = self.term(scope, set);
                self.set_size(&set.ty, term)
            }
            _ => panic!("internal error: no map and no set"),
        }
    }

    /// A predicate's body with its arguments for its parameters.
    fn instance(&mut self, scope: &Scope, pred: PredId, args: &[Expr], primed: bool) -> Term {
        let args = self.all(scope, args);
        let info = &self.program.preds[pred.index()];
        let inner = if primed { scope.primed() } else { scope.clone() };
        let hidden = self.substitute(&info.params, args);
        let body = self.term(&inner, &info.body);
        self.unbind(hidden);
        body
    }

    /// Lets the parameters stand for the arguments, until [`Context::unbind`].
    pub(crate) fn substitute(&mut self, params: &[BoundId], args: Vec<Term>) -> Hidden {
        params.iter().zip(args).map(|(&id, arg)| (id, self.bound.insert(id, arg))).collect()
    }

    fn all(&mut self, scope: &Scope, exprs: &[Expr]) -> Vec<Term> {
        exprs.iter().map(|expr| self.term(scope, expr)).collect()
    }

    pub(crate) fn symbol_of(&self, scope: &Scope, root: Root, primed: bool) -> Symbol {
        let store = if primed { &scope.after } else { &scope.before };
        store.get(&root).copied().unwrap_or_else(|| match root {
            Root::Global(id) => self.globals[id.index()],
            Root::Local(id) => scope.locals[id.index()],
        })
    }

    fn binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        match op {
            BinaryOp::Add => self.terms.add(vec![left, right]),
            BinaryOp::Sub => self.terms.sub(left, right),
            BinaryOp::Mul => self.terms.mul(left, right),
            BinaryOp::Div => self.terms.div(left, right),
            BinaryOp::Mod => self.terms.modulo(left, right),
            BinaryOp::Eq | BinaryOp::Iff => self.terms.eq(left, right),
            BinaryOp::Ne => {
                let same = self.terms.eq(left, right);
                self.terms.not(same)
            }
            BinaryOp::Lt => self.terms.lt(left, right),
            BinaryOp::Le => self.terms.le(left, right),
            BinaryOp::Gt => self.terms.lt(right, left),
            BinaryOp::Ge => self.terms.le(right, left),
            BinaryOp::Implies => self.terms.implies(left, right),
            BinaryOp::Union => self.terms.set_op(SetOp::Union, left, right),
            BinaryOp::Difference => self.terms.set_op(SetOp::Difference, left, right),
            BinaryOp::Intersection => self.terms.set_op(SetOp::Intersection, left, right),
            // a <= b  iff  a - b == {}
            BinaryOp::Subset => {
                let rest = self.terms.set_op(SetOp::Difference, left, right);
                let logic::Sort::Array(key, _) = self.terms.sort(left).clone() else {
                    panic!("internal error: a set is an array")
                };
                let no = self.terms.bool(false);
                let empty = self.terms.const_array(logic::Sort::clone(&key), no);
                self.terms.eq(rest, empty)
            }
        }
    }

    fn set_literal(&mut self, scope: &Scope, ty: &Ty, elements: &[Expr]) -> Term {
        let no = self.terms.bool(false);
        let Ty::Set(element) = ty else { panic!("internal error: a set literal has a set type") };
        let empty = self.terms.const_array(self.sort(element), no);
        self.with_elements(scope, empty, elements, true)
    }

    /// A set with elements put in or taken out one by one: `set + {a, b}`, `set - {a, b}`.
    fn with_elements(&mut self, scope: &Scope, set: Term, elements: &[Expr], is_in: bool) -> Term {
        let is_in = self.terms.bool(is_in);
        elements.iter().fold(set, |set, element| {
            let element = self.term(scope, element);
            self.terms.store(set, element, is_in)
        })
    }

    /// `element in set`; membership in a family or a literal needs no array.
    fn member(&mut self, scope: &Scope, element: &Expr, set: &Expr) -> Term {
        let element = self.term(scope, element);
        match &set.kind {
            ExprKind::Thread(id) => self.layout.is_copy_of(&mut self.terms, element, *id),
            ExprKind::Set(members) => {
                let members = self.all(scope, members);
                let equal =
                    members.into_iter().map(|member| self.terms.eq(element, member)).collect();
                self.terms.or(equal)
            }
            _ => {
                let set = self.term(scope, set);
                self.terms.select(set, element)
            }
        }
    }

    /// `forall i: T :: e` is `forall i :: i in T ==> e`, and the conjunction over all values if
    /// there are few.
    fn quantified(
        &mut self,
        scope: &Scope,
        quantifier: Quantifier,
        binders: &[BoundId],
        body: &Expr,
    ) -> Term {
        let Some((&first, rest)) = binders.split_first() else { return self.term(scope, body) };
        let info = &self.program.bounds[first.index()];
        if let Some(values) = self.listed(&info.ty) {
            let mut instances = Vec::new();
            for value in values {
                let old = self.bound.insert(first, value);
                instances.push(self.quantified(scope, quantifier, rest, body));
                self.restore(first, old);
            }
            return match quantifier {
                Quantifier::Forall => self.terms.and(instances),
                Quantifier::Exists => self.terms.or(instances),
            };
        }
        self.unlisted(scope, quantifier, binders, body)
    }

    /// All binders at once, so that triggers can mention several.
    fn unlisted(
        &mut self,
        scope: &Scope,
        quantifier: Quantifier,
        binders: &[BoundId],
        body: &Expr,
    ) -> Term {
        let (vars, inside, saved) = self.bind(binders);
        let body = self.term(scope, body);
        self.unbind(saved);
        match quantifier {
            Quantifier::Forall => self.for_all(vars, inside, body),
            Quantifier::Exists => {
                let body = self.terms.and(vec![inside, body]);
                self.terms.quantified(LogicQuantifier::Exists, vars, Vec::new(), body)
            }
        }
    }

    /// Lets the names stand for new bound variables. Returns those, that all are values of their
    /// types, and what the names stood for before, for [`Context::unbind`].
    pub(crate) fn bind(&mut self, binders: &[BoundId]) -> (Vec<Binder>, Term, Hidden) {
        let mut vars = Vec::new();
        let mut inside = Vec::new();
        let mut hidden = Vec::new();
        for &id in binders {
            let info = &self.program.bounds[id.index()];
            let var = self.terms.binder(info.name.as_str(), self.sort(&info.ty));
            let term = self.terms.bound(var);
            inside.extend(self.in_type(&info.ty, term));
            hidden.push((id, self.bound.insert(id, term)));
            vars.push(var);
        }
        (vars, self.terms.and(inside), hidden)
    }

    /// Ends what [`Context::bind`] began.
    pub(crate) fn unbind(&mut self, hidden: Hidden) {
        for (id, old) in hidden {
            self.restore(id, old);
        }
    }

    fn restore(&mut self, id: BoundId, old: Option<Term>) {
        match old {
            Some(old) => self.bound.insert(id, old),
            None => self.bound.remove(&id),
        };
    }
}
