//! What an expression is worth in one store or two.

use crate::scope::Scope;
use crate::value::{Value, integers, lookup, updated, within};
use diagnostic::Code;
use plato::hir::{
    BinaryOp, BoundId, Expr, ExprKind, GlobalId, LabelId, PredId, Quantifier, Root, Ty,
};
use source::Span;
use std::collections::BTreeSet;

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Code that evaluates it goes wrong, with this code of the registry.
    Wrong(Code),
    /// The same, at a place of its own.
    WrongAt(Code, Span),
    /// Its value is not known, for this reason.
    Unknown(&'static str),
}

/// A type error; the resolver lets none through.
const ILL_TYPED: Fault = Fault::Unknown("an expression without a value");
/// A variable is read that has no value yet.
pub(crate) const UNSET: Fault = Fault::Unknown("a variable that was given no value");
const OVERFLOW: Fault = Fault::Unknown("a number of more than 127 bits");
/// Limit on the integers over which a bounded quantifier is answered exactly.
const BOUNDED: i128 = 10_000;

pub(crate) type Answer<T> = Result<T, Fault>;

/// Where variables are looked up.
#[derive(Clone, Copy)]
pub(crate) struct Stores<'s> {
    pub(crate) globals: &'s [Value],
    pub(crate) locals: &'s [Value],
    /// Shared and local variables after the step, if there are two stores.
    pub(crate) after: Option<(&'s [Value], &'s [Value])>,
    pub(crate) tid: u32,
    /// For each thread the labels of its next step, if the formula may ask for them.
    pub(crate) labels: Option<&'s [Vec<LabelId>]>,
    /// Whether code is evaluated, which may read a guarded variable only with its lock; a formula
    /// may always.
    pub(crate) code: bool,
}

impl<'s> Stores<'s> {
    /// One store, no running thread.
    pub(crate) fn global(globals: &'s [Value]) -> Self {
        Self { globals, locals: &[], after: None, tid: 0, labels: None, code: false }
    }
}

/// Goes wrong if code of thread `tid` accesses a guarded variable, or the element with this key,
/// without its lock.
pub(crate) fn check_guard(
    scope: &Scope,
    stores: Stores,
    (global, key): (GlobalId, Option<&Value>),
    span: Span,
) -> Answer<()> {
    let Some(guard) = scope.program.globals[global.index()].guard.filter(|_| stores.code) else {
        return Ok(());
    };
    let own = Value::Tid(stores.tid);
    let lock = &stores.globals[guard.lock.index()];
    let held = match (lock, key) {
        (lock, _) if !guard.each => *lock == own,
        (lock, Some(key)) => lookup(lock, key) == Some(&own),
        // All of the map is accessed, so all locks are needed.
        (Value::Map(default, entries), None) => {
            default.iter().all(|one| **one == own) && entries.values().all(|one| *one == own)
        }
        _ => false,
    };
    if held { Ok(()) } else { Err(Fault::WrongAt(Code::UnguardedAccess, span)) }
}

/// The value of an expression.
pub(crate) fn eval(scope: &Scope, stores: Stores, expr: &Expr) -> Answer<Value> {
    Eval { scope, stores, bound: Vec::new() }.value(expr)
}

/// The truth of a formula.
pub(crate) fn holds(scope: &Scope, stores: Stores, expr: &Expr) -> Answer<bool> {
    Eval { scope, stores, bound: Vec::new() }.truth(expr)
}

struct Eval<'e> {
    scope: &'e Scope<'e>,
    stores: Stores<'e>,
    /// Bound variables, innermost last.
    bound: Vec<(BoundId, Value)>,
}

impl Eval<'_> {
    fn truth(&mut self, expr: &Expr) -> Answer<bool> {
        match self.value(expr)? {
            Value::Bool(value) => Ok(value),
            _ => Err(ILL_TYPED),
        }
    }

    fn int(&mut self, expr: &Expr) -> Answer<i128> {
        match self.value(expr)? {
            Value::Int(value) => Ok(value),
            _ => Err(ILL_TYPED),
        }
    }

    fn set(&mut self, expr: &Expr) -> Answer<BTreeSet<Value>> {
        match self.value(expr)? {
            Value::Set(value) => Ok(value),
            _ => Err(ILL_TYPED),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a flat table of the kinds of expressions")]
    fn value(&mut self, expr: &Expr) -> Answer<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Bool(value) => Ok(Value::Bool(*value)),
            ExprKind::Var { root, primed } => {
                if let (Root::Global(id), false) = (root, primed) {
                    check_guard(self.scope, self.stores, (*id, None), expr.span)?;
                }
                self.variable(*root, *primed)
            }
            ExprKind::Const(id) => Ok(self.scope.consts[id.index()].clone()),
            ExprKind::Bound(id) => {
                let found = self.bound.iter().rev().find(|(bound, _)| bound == id);
                found.map(|(_, value)| value.clone()).ok_or(ILL_TYPED)
            }
            ExprKind::Tid => Ok(Value::Tid(self.stores.tid)),
            ExprKind::Nobody => Ok(Value::Tid(0)),
            ExprKind::Thread(id) => {
                let copies = self.scope.copies(*id);
                match expr.ty {
                    Ty::Tid => copies.into_iter().next().ok_or(ILL_TYPED),
                    _ => Ok(Value::Set(copies)),
                }
            }
            ExprKind::Variant(_, at) => Ok(Value::Variant(*at)),
            ExprKind::Not(inner) => Ok(Value::Bool(!self.truth(inner)?)),
            ExprKind::Neg(inner) => self.int(inner)?.checked_neg().map(Value::Int).ok_or(OVERFLOW),
            ExprKind::And(all) => self.first(all, false),
            ExprKind::Or(all) => self.first(all, true),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(cond, then, otherwise) => {
                let chosen = if self.truth(cond)? { then } else { otherwise };
                self.value(chosen)
            }
            ExprKind::Index(map, key) => {
                let ExprKind::Var { root: Root::Global(id), primed: false } = map.kind else {
                    let found = self.value(map)?;
                    let key = self.value(key)?;
                    return entry(&found, &key, &map.ty);
                };
                let key = self.value(key)?;
                check_guard(self.scope, self.stores, (id, Some(&key)), expr.span)?;
                let found = self.stores.globals.get(id.index());
                let found = found.filter(|value| **value != Value::Unset).ok_or(UNSET)?;
                entry(found, &key, &map.ty)
            }
            ExprKind::Update(map, key, value) => {
                let found = self.value(map)?;
                let key = self.value(key)?;
                let value = self.value(value)?;
                entry(&found, &key, &map.ty)?;
                Ok(updated(&found, key, value))
            }
            ExprKind::ConstMap(value) => {
                let value = self.value(value)?;
                let Ty::Map(key, _) = &expr.ty else { return Err(ILL_TYPED) };
                Ok(self.scope.constant_map(key, value))
            }
            ExprKind::Set(all) => {
                let all: Answer<BTreeSet<Value>> = all.iter().map(|one| self.value(one)).collect();
                Ok(Value::Set(all?))
            }
            ExprKind::Size(set) => {
                let count = i128::try_from(self.set(set)?.len()).map_err(|_| OVERFLOW)?;
                Ok(Value::Int(count))
            }
            ExprKind::In(element, set) => {
                let element = self.value(element)?;
                Ok(Value::Bool(self.set(set)?.contains(&element)))
            }
            ExprKind::Quantified(quantifier, bounds, body) => {
                let wanted = *quantifier == Quantifier::Exists;
                let found = self.search(*quantifier, bounds, body)?;
                Ok(Value::Bool(found == wanted))
            }
            ExprKind::Pred { pred, args, primed } => self.predicate(*pred, args, *primed),
            ExprKind::At(thread, wanted) => {
                let Value::Tid(tid) = self.value(thread)? else { return Err(ILL_TYPED) };
                let all = self.stores.labels.ok_or(ILL_TYPED)?;
                let here = (tid as usize).checked_sub(1).and_then(|at| all.get(at));
                let found = here.is_some_and(|here| wanted.iter().any(|one| here.contains(one)));
                Ok(Value::Bool(found))
            }
        }
    }

    fn predicate(&mut self, pred: PredId, args: &[Expr], primed: bool) -> Answer<Value> {
        let pred = &self.scope.program.preds[pred.index()];
        let args: Answer<Vec<Value>> = args.iter().map(|arg| self.value(arg)).collect();
        let stores = self.stores;
        if primed {
            let (globals, locals) = stores.after.ok_or(ILL_TYPED)?;
            self.stores = Stores { globals, locals, after: None, ..stores };
        }
        let depth = self.bound.len();
        self.bound.extend(pred.params.iter().copied().zip(args?));
        let answer = self.value(&pred.body);
        self.bound.truncate(depth);
        self.stores = stores;
        answer
    }

    fn variable(&self, root: Root, primed: bool) -> Answer<Value> {
        let (globals, locals) = if primed {
            self.stores.after.ok_or(ILL_TYPED)?
        } else {
            (self.stores.globals, self.stores.locals)
        };
        let value = match root {
            Root::Global(id) => globals.get(id.index()),
            Root::Local(id) => locals.get(id.index()),
        };
        value.filter(|value| **value != Value::Unset).cloned().ok_or(UNSET)
    }

    /// `wanted` if one of them is, from left to right.
    fn first(&mut self, all: &[Expr], wanted: bool) -> Answer<Value> {
        for one in all {
            if self.truth(one)? == wanted {
                return Ok(Value::Bool(wanted));
            }
        }
        Ok(Value::Bool(!wanted))
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Answer<Value> {
        let number = |value: Option<i128>| value.map(Value::Int).ok_or(OVERFLOW);
        match op {
            BinaryOp::Eq => Ok(Value::Bool(self.value(left)? == self.value(right)?)),
            BinaryOp::Ne => Ok(Value::Bool(self.value(left)? != self.value(right)?)),
            BinaryOp::Implies => Ok(Value::Bool(!self.truth(left)? || self.truth(right)?)),
            BinaryOp::Iff => Ok(Value::Bool(self.truth(left)? == self.truth(right)?)),
            BinaryOp::Add => number(self.int(left)?.checked_add(self.int(right)?)),
            BinaryOp::Sub => number(self.int(left)?.checked_sub(self.int(right)?)),
            BinaryOp::Mul => number(self.int(left)?.checked_mul(self.int(right)?)),
            BinaryOp::Div | BinaryOp::Mod => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                match op {
                    _ if right == 0 => Err(Fault::Wrong(Code::DivisionByZero)),
                    BinaryOp::Div => number(left.checked_div_euclid(right)),
                    _ => number(left.checked_rem_euclid(right)),
                }
            }
            BinaryOp::Lt => Ok(Value::Bool(self.int(left)? < self.int(right)?)),
            BinaryOp::Le => Ok(Value::Bool(self.int(left)? <= self.int(right)?)),
            BinaryOp::Gt => Ok(Value::Bool(self.int(left)? > self.int(right)?)),
            BinaryOp::Ge => Ok(Value::Bool(self.int(left)? >= self.int(right)?)),
            BinaryOp::Union => Ok(Value::Set(&self.set(left)? | &self.set(right)?)),
            BinaryOp::Difference => Ok(Value::Set(&self.set(left)? - &self.set(right)?)),
            BinaryOp::Intersection => Ok(Value::Set(&self.set(left)? & &self.set(right)?)),
            BinaryOp::Subset => Ok(Value::Bool(self.set(left)?.is_subset(&self.set(right)?))),
        }
    }

    /// Whether the body has the wanted truth for some values. One that has decides, whatever the
    /// others are.
    fn search(&mut self, kind: Quantifier, bounds: &[BoundId], body: &Expr) -> Answer<bool> {
        let Some((first, rest)) = bounds.split_first() else {
            return match self.truth(body) {
                Ok(truth) => Ok(truth == (kind == Quantifier::Exists)),
                Err(_) => {
                    Err(Fault::Unknown("a quantifier over values for which its body has none"))
                }
            };
        };
        let (values, complete) = self.candidates(kind, *first, body);
        let mut answer = Ok(false);
        for value in values {
            self.bound.push((*first, value));
            let found = self.search(kind, rest, body);
            self.bound.pop();
            match found {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(fault) => answer = Err(fault),
            }
        }
        if !complete {
            self.scope.guessed.set(true);
        }
        answer
    }

    /// The values to try for a bound variable, and whether no other can decide. All values of a
    /// finite type, and those within the bounds that the body itself sets. Otherwise, of the
    /// integers, those in the stores, their neighbours, and two that are far away.
    fn candidates(&mut self, kind: Quantifier, bound: BoundId, body: &Expr) -> (Vec<Value>, bool) {
        let ty = &self.scope.program.bounds[bound.index()].ty;
        let domain = self.scope.domain(ty);
        if domain.complete || !matches!(ty, Ty::Int | Ty::Range(..)) {
            return (domain.values, domain.complete);
        }
        let mut limits = (None, None);
        self.limits(kind, bound, body, &mut limits);
        if let Ty::Range(low, high) = ty {
            limits.0 = Some(limits.0.map_or(*low, |limit: i128| limit.max(*low)));
            limits.1 = Some(limits.1.map_or(*high, |limit: i128| limit.min(*high)));
        }
        if let (Some(low), Some(high)) = limits
            && high.saturating_sub(low) < BOUNDED
        {
            return ((low..=high).map(Value::Int).collect(), true);
        }
        let mut values = domain.values;
        let mut found = BTreeSet::new();
        let after = self.stores.after.unwrap_or_default();
        let stores = [self.stores.globals, self.stores.locals, after.0, after.1];
        stores.into_iter().flatten().for_each(|value| integers(value, &mut found));
        let near = found
            .iter()
            .flat_map(|value| [value.saturating_sub(1), *value, value.saturating_add(1)]);
        let all = near.chain([-1_000_003, 1_000_003]).map(Value::Int);
        values.extend(all.filter(|value| within(value, ty)));
        values.sort();
        values.dedup();
        (values, false)
    }

    /// Bounds outside of which `forall` is true because its premise is false, and `exists` is false
    /// because one of its conjuncts is.
    fn limits(
        &mut self,
        kind: Quantifier,
        bound: BoundId,
        body: &Expr,
        limits: &mut (Option<i128>, Option<i128>),
    ) {
        match (&body.kind, kind) {
            (ExprKind::Binary(BinaryOp::Implies, premise, _), Quantifier::Forall) => {
                self.limits(Quantifier::Exists, bound, premise, limits);
            }
            (ExprKind::And(all), Quantifier::Exists) => {
                all.iter().for_each(|one| self.limits(kind, bound, one, limits));
            }
            (ExprKind::Binary(op, left, right), Quantifier::Exists) => {
                let is_bound =
                    |side: &Expr| matches!(side.kind, ExprKind::Bound(id) if id == bound);
                // `i < e` and `e > i` say the same.
                let (op, other) = match (is_bound(left), is_bound(right)) {
                    (true, false) => (*op, right),
                    (false, true) => (mirrored(*op), left),
                    _ => return,
                };
                let Ok(limit) = self.int(other) else { return };
                let above = |by: i128| Some(limit.saturating_add(by));
                let (low, high) = match op {
                    BinaryOp::Lt => (None, above(-1)),
                    BinaryOp::Le => (None, above(0)),
                    BinaryOp::Gt => (above(1), None),
                    BinaryOp::Ge => (above(0), None),
                    BinaryOp::Eq => (above(0), above(0)),
                    _ => (None, None),
                };
                limits.0 = limits.0.max(low);
                limits.1 = limits.1.into_iter().chain(high).min();
            }
            _ => {}
        }
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

/// The value of a map at a key, if the key lies in its domain.
fn entry(map: &Value, key: &Value, ty: &Ty) -> Answer<Value> {
    let inside = matches!(ty, Ty::Map(keys, _) if within(key, keys));
    let found = lookup(map, key).filter(|_| inside);
    found.cloned().ok_or(Fault::Wrong(Code::IndexOutOfRange))
}
