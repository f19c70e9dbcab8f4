//! What an expression is worth in one store or two.

use super::scope::Scope;
use super::value::{Value, integers, lookup, updated, within};
use plato::hir::{BinaryOp, BoundId, Expr, ExprKind, PredId, Quantifier, Root, Ty};
use std::collections::BTreeSet;

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Code that evaluates it goes wrong, with this code of the registry.
    Wrong(&'static str),
    /// It is not for this search to say.
    Unknown,
}

pub(super) type Answer<T> = Result<T, Fault>;

/// Where variables are looked up.
#[derive(Clone, Copy)]
pub(super) struct Stores<'s> {
    pub(super) globals: &'s [Value],
    pub(super) locals: &'s [Value],
    /// Shared and local variables after the step, if there are two stores.
    pub(super) after: Option<(&'s [Value], &'s [Value])>,
    pub(super) tid: u32,
}

impl<'s> Stores<'s> {
    /// One store, no running thread.
    pub(super) fn global(globals: &'s [Value]) -> Self {
        Self { globals, locals: &[], after: None, tid: 0 }
    }
}

/// The value of an expression.
pub(super) fn eval(scope: &Scope, stores: Stores, expr: &Expr) -> Answer<Value> {
    Eval { scope, stores, bound: Vec::new() }.value(expr)
}

/// The truth of a formula.
pub(super) fn holds(scope: &Scope, stores: Stores, expr: &Expr) -> Answer<bool> {
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
            _ => Err(Fault::Unknown),
        }
    }

    fn int(&mut self, expr: &Expr) -> Answer<i128> {
        match self.value(expr)? {
            Value::Int(value) => Ok(value),
            _ => Err(Fault::Unknown),
        }
    }

    fn set(&mut self, expr: &Expr) -> Answer<BTreeSet<Value>> {
        match self.value(expr)? {
            Value::Set(value) => Ok(value),
            _ => Err(Fault::Unknown),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a flat table of the kinds of expressions")]
    fn value(&mut self, expr: &Expr) -> Answer<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Bool(value) => Ok(Value::Bool(*value)),
            ExprKind::Var { root, primed } => self.variable(*root, *primed),
            ExprKind::Const(id) => Ok(self.scope.consts[id.index()].clone()),
            ExprKind::Bound(id) => {
                let found = self.bound.iter().rev().find(|(bound, _)| bound == id);
                found.map(|(_, value)| value.clone()).ok_or(Fault::Unknown)
            }
            ExprKind::Tid => Ok(Value::Tid(self.stores.tid)),
            ExprKind::Nobody => Ok(Value::Tid(0)),
            ExprKind::Thread(id) => {
                let copies = self.scope.copies(*id);
                match expr.ty {
                    Ty::Tid => copies.into_iter().next().ok_or(Fault::Unknown),
                    _ => Ok(Value::Set(copies)),
                }
            }
            ExprKind::Variant(_, at) => Ok(Value::Variant(*at)),
            ExprKind::Not(inner) => Ok(Value::Bool(!self.truth(inner)?)),
            ExprKind::Neg(inner) => Ok(Value::Int(-self.int(inner)?)),
            ExprKind::And(all) => self.first(all, false),
            ExprKind::Or(all) => self.first(all, true),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(cond, then, otherwise) => {
                let chosen = if self.truth(cond)? { then } else { otherwise };
                self.value(chosen)
            }
            ExprKind::Index(map, key) => {
                let found = self.value(map)?;
                let key = self.value(key)?;
                entry(&found, &key, &map.ty)
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
                let Ty::Map(key, _) = &expr.ty else { return Err(Fault::Unknown) };
                Ok(self.scope.constant_map(key, value))
            }
            ExprKind::Set(all) => {
                let all: Answer<BTreeSet<Value>> = all.iter().map(|one| self.value(one)).collect();
                Ok(Value::Set(all?))
            }
            ExprKind::In(element, set) => {
                let element = self.value(element)?;
                Ok(Value::Bool(self.set(set)?.contains(&element)))
            }
            ExprKind::Quantified(quantifier, bounds, body) => {
                let wanted = *quantifier == Quantifier::Exists;
                let found = self.search(bounds, body, wanted)?;
                Ok(Value::Bool(found == wanted))
            }
            ExprKind::Pred { pred, args, primed } => self.predicate(*pred, args, *primed),
            ExprKind::At(..) => Err(Fault::Unknown),
        }
    }

    fn predicate(&mut self, pred: PredId, args: &[Expr], primed: bool) -> Answer<Value> {
        let pred = &self.scope.program.preds[pred.index()];
        let args: Answer<Vec<Value>> = args.iter().map(|arg| self.value(arg)).collect();
        let stores = self.stores;
        if primed {
            let (globals, locals) = stores.after.ok_or(Fault::Unknown)?;
            self.stores = Stores { globals, locals, after: None, tid: stores.tid };
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
            self.stores.after.ok_or(Fault::Unknown)?
        } else {
            (self.stores.globals, self.stores.locals)
        };
        let value = match root {
            Root::Global(id) => globals.get(id.index()),
            Root::Local(id) => locals.get(id.index()),
        };
        value.filter(|value| **value != Value::Unset).cloned().ok_or(Fault::Unknown)
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
        let number = |value: Option<i128>| value.map(Value::Int).ok_or(Fault::Unknown);
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
                    _ if right == 0 => Err(Fault::Wrong("division-by-zero")),
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

    /// Whether the body has the wanted truth for some values. One that has decides, whatever the others are.
    fn search(&mut self, bounds: &[BoundId], body: &Expr, wanted: bool) -> Answer<bool> {
        let Some((first, rest)) = bounds.split_first() else {
            return match self.truth(body) {
                Ok(truth) => Ok(truth == wanted),
                Err(_) => Err(Fault::Unknown),
            };
        };
        let mut answer = Ok(false);
        for value in self.candidates(&self.scope.program.bounds[first.index()].ty) {
            self.bound.push((*first, value));
            let found = self.search(rest, body, wanted);
            self.bound.pop();
            match found {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(fault) => answer = Err(fault),
            }
        }
        answer
    }

    /// All values of a finite type. Of the integers those in the stores, their neighbours, and two that are far away.
    fn candidates(&self, ty: &Ty) -> Vec<Value> {
        let mut values = self.scope.domain(ty).values;
        if matches!(ty, Ty::Int | Ty::Range(..)) {
            let mut found = BTreeSet::new();
            let after = self.stores.after.unwrap_or_default();
            let stores = [self.stores.globals, self.stores.locals, after.0, after.1];
            stores.into_iter().flatten().for_each(|value| integers(value, &mut found));
            let near = found.iter().flat_map(|&value| [value - 1, value, value + 1]);
            let all = near.chain([-1_000_003, 1_000_003]).map(Value::Int);
            values.extend(all.filter(|value| within(value, ty)));
            values.sort();
            values.dedup();
        }
        values
    }
}

/// The value of a map at a key, if the key lies in its domain.
fn entry(map: &Value, key: &Value, ty: &Ty) -> Answer<Value> {
    let inside = matches!(ty, Ty::Map(keys, _) if within(key, keys));
    let found = lookup(map, key).filter(|_| inside);
    found.ok_or(Fault::Wrong("index-out-of-range"))
}
