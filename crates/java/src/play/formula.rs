//! Formulas of annotations. What has no value, such as a field of `null`, makes a formula neither
//! true nor false, unless the rest of it decides.

use super::machine::Machine;
use super::store::{Cell, Object, Value};
use crate::tree::{BinaryOp, UnaryOp};
use crate::typed::{BoundId, Expr, ExprKind, Formula, Quantified, Ty, getters};
use source::Span;
use std::collections::BTreeMap;

/// What the names of a formula mean.
#[derive(Clone, Default)]
pub(super) struct Scope<'s> {
    pub(super) this: Option<usize>,
    pub(super) locals: &'s [Value],
    pub(super) result: Option<&'s Value>,
    /// Values of `\old(e)`, by their places, for formulas about a method.
    pub(super) olds: Option<&'s BTreeMap<Span, Value>>,
    pub(super) tid: usize,
    /// Whether names mean the store before the step that is under way.
    pub(super) is_old: bool,
    pub(super) bound: Vec<(BoundId, Value)>,
}

/// Whole numbers that quantifiers range over: indices and lengths of runs are small.
const NUMBERS: std::ops::Range<i128> = -3..12;

impl Machine<'_, '_> {
    /// Whether a formula holds.
    pub(super) fn holds(&self, formula: &Formula, scope: &Scope<'_>) -> Option<bool> {
        self.eval(&formula.expr, scope)?.bool()
    }

    fn cell(&self, cell: &Cell, scope: &Scope<'_>) -> Option<Value> {
        let value = if scope.is_old { self.store.get_old(cell) } else { self.store.get(cell) };
        value.cloned()
    }

    pub(super) fn eval(&self, expr: &Expr, scope: &Scope<'_>) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Text(text) => Value::Ref(self.store.known_text(text)?),
            ExprKind::Null => Value::Null,
            ExprKind::Local(local) => scope.locals.get(local.index())?.clone(),
            ExprKind::This => Value::Ref(scope.this?),
            ExprKind::ClassObject(ty) => Value::Ref(self.store.known_class_object(ty)?),
            ExprKind::Old(inner) => match scope.olds {
                Some(olds) => olds.get(&expr.span)?.clone(),
                None => self.eval(inner, &Scope { is_old: true, ..scope.clone() })?,
            },
            ExprKind::Result => scope.result?.clone(),
            ExprKind::Tid => Value::Thread(scope.tid),
            ExprKind::MainThread => Value::Thread(0),
            ExprKind::Bound(id) => {
                let found = scope.bound.iter().rfind(|(other, _)| other == id);
                found.map(|(_, value)| value.clone())?
            }
            ExprKind::Quantified(quantified) => Value::Bool(self.quantified(quantified, scope, 0)?),
            ExprKind::Unary(op, inner) => match (op, self.eval(inner, scope)?) {
                (UnaryOp::Not, Value::Bool(value)) => Value::Bool(!value),
                (UnaryOp::Minus, Value::Int(value)) => Value::Int(-value),
                (UnaryOp::Plus, value @ Value::Int(_)) => value,
                _ => return None,
            },
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, scope)?,
            ExprKind::Conditional(cond, one, other) => {
                let cond = self.eval(cond, scope)?.bool()?;
                self.eval(if cond { one } else { other }, scope)?
            }
            ExprKind::InstanceOf(value, ty, _) => {
                let value = self.eval(value, scope)?;
                Value::Bool(value.object().is_some_and(|object| self.has_type(object, ty)))
            }
            ExprKind::Cast(inner) | ExprKind::Convert(inner) => self.eval(inner, scope)?,
            _ => self.eval_store(expr, scope)?,
        })
    }

    /// What the store says.
    fn eval_store(&self, expr: &Expr, scope: &Scope<'_>) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Field(object, field) => {
                let object = self.eval(object, scope)?.object()?;
                let zero = || Value::zero(&self.program().field(*field).ty);
                self.cell(&Cell::Field(object, *field), scope).unwrap_or_else(zero)
            }
            ExprKind::Static(field) => {
                let zero = || Value::zero(&self.program().field(*field).ty);
                self.cell(&Cell::Static(*field), scope).unwrap_or_else(zero)
            }
            ExprKind::Index(array, index) => {
                let array = self.eval(array, scope)?.object()?;
                let index = usize::try_from(self.eval(index, scope)?.int()?).ok()?;
                let Some(Object::Array(ty, length)) = self.store.objects.get(array) else {
                    return None;
                };
                if index >= *length {
                    return None;
                }
                self.cell(&Cell::Element(array, index), scope).unwrap_or_else(|| Value::zero(ty))
            }
            ExprKind::Length(array) => {
                let length = self.store.length(self.eval(array, scope)?.object()?)?;
                Value::Int(i128::try_from(length).ok()?)
            }
            ExprKind::Holder(object) => {
                let object = self.eval(object, scope)?.object()?;
                if self.is_semaphore(object) {
                    return None;
                }
                self.cell(&Cell::Holder(object), scope).unwrap_or(Value::Null)
            }
            ExprKind::Started(thread) => {
                let thread = self.object_of(self.eval(thread, scope)?)?;
                self.cell(&Cell::Started(thread), scope).unwrap_or(Value::Bool(false))
            }
            ExprKind::SetOf(elements) => {
                let elements = elements.iter().map(|one| self.eval(one, scope));
                Value::Set(elements.collect::<Option<_>>()?)
            }
            ExprKind::Size(set) => match self.eval(set, scope)? {
                Value::Set(elements) => Value::Int(i128::try_from(elements.len()).ok()?),
                _ => return None,
            },
            ExprKind::MapAt(map, key) => {
                let key = self.eval(key, scope)?;
                match self.eval(map, scope)? {
                    Value::Map(entries, other) => entries.get(&key).cloned().unwrap_or(*other),
                    _ => return None,
                }
            }
            ExprKind::MapWith(map, key, value) => {
                let (key, value) = (self.eval(key, scope)?, self.eval(value, scope)?);
                let Value::Map(mut entries, other) = self.eval(map, scope)? else { return None };
                entries.insert(key, value);
                Value::Map(entries, other)
            }
            ExprKind::Call(callee) => self.eval(&getters::value(self.program(), callee)?, scope)?,
            _ => return None,
        })
    }

    /// The object of a thread, or an object as it is.
    fn object_of(&self, value: Value) -> Option<usize> {
        match value {
            Value::Ref(object) => Some(object),
            Value::Thread(thread) => self.threads.get(thread)?.object,
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Option<Value> {
        if let BinaryOp::And | BinaryOp::Or | BinaryOp::Implies = op {
            let one = self.eval(left, scope).and_then(|value| value.bool());
            // The value of one side that decides.
            let decides = op == BinaryOp::Or;
            let one = if op == BinaryOp::Implies { one.map(|one| !one) } else { one };
            let decides = decides || op == BinaryOp::Implies;
            if one == Some(decides) {
                return Some(Value::Bool(decides));
            }
            let other = self.eval(right, scope).and_then(|value| value.bool());
            return match (one, other) {
                (_, Some(other)) if other == decides => Some(Value::Bool(decides)),
                (Some(_), Some(_)) => Some(Value::Bool(!decides)),
                _ => None,
            };
        }
        let (one, other) = (self.eval(left, scope)?, self.eval(right, scope)?);
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            let is_same = self.same(one, other)?;
            return Some(Value::Bool(is_same == (op == BinaryOp::Eq)));
        }
        operate(op, one, other)
    }

    /// Whether two values are equal; a thread may be compared with its object.
    fn same(&self, one: Value, other: Value) -> Option<bool> {
        Some(match (one, other) {
            (Value::Thread(thread), Value::Ref(object))
            | (Value::Ref(object), Value::Thread(thread)) => {
                self.threads.get(thread)?.object == Some(object)
            }
            (Value::Fraction, _) | (_, Value::Fraction) => return None,
            (one, other) => one == other,
        })
    }

    /// The variables from a number on take all values that there are.
    fn quantified(&self, quantified: &Quantified, scope: &Scope<'_>, from: usize) -> Option<bool> {
        let is_forall = quantified.is_forall;
        let Some((id, _, ty)) = quantified.vars.get(from) else {
            let range = match &quantified.range {
                Some(range) => self.eval(range, scope).and_then(|value| value.bool()),
                None => Some(true),
            };
            if range == Some(false) {
                return Some(is_forall);
            }
            let body = self.eval(&quantified.body, scope).and_then(|value| value.bool());
            return match (range, body) {
                (_, Some(body)) if body == is_forall => Some(body),
                (Some(_), body) => body,
                _ => None,
            };
        };
        let (values, is_all) = self.values_of(ty);
        let mut open = !is_all && quantified.range.is_none();
        for value in values {
            let mut scope = scope.clone();
            scope.bound.push((*id, value));
            match self.quantified(quantified, &scope, from + 1) {
                Some(holds) if holds != is_forall => return Some(holds),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(is_forall)
    }

    /// The values of a type, and whether these are all.
    fn values_of(&self, ty: &Ty) -> (Vec<Value>, bool) {
        match ty {
            Ty::Prim(crate::tree::Prim::Boolean) => {
                (vec![Value::Bool(false), Value::Bool(true)], true)
            }
            Ty::Prim(_) => (NUMBERS.map(Value::Int).collect(), false),
            Ty::Thread => ((0..self.threads.len()).map(Value::Thread).collect(), false),
            Ty::Class(_) | Ty::Array(_) => {
                let all = 0..self.store.objects.len();
                let fits =
                    |object: &usize| self.store.is_shared(*object) && self.has_type(*object, ty);
                (all.filter(fits).map(Value::Ref).collect(), true)
            }
            _ => (Vec::new(), false),
        }
    }
}

/// Operators on two values that have no two stores to look at.
fn operate(op: BinaryOp, one: Value, other: Value) -> Option<Value> {
    use Value::{Bool, Int, Set};
    Some(match (op, one, other) {
        (BinaryOp::Iff, Bool(one), Bool(other)) => Bool(one == other),
        (BinaryOp::Lt, Int(one), Int(other)) => Bool(one < other),
        (BinaryOp::Le, Int(one), Int(other)) => Bool(one <= other),
        (BinaryOp::Gt, Int(one), Int(other)) => Bool(one > other),
        (BinaryOp::Ge, Int(one), Int(other)) => Bool(one >= other),
        (BinaryOp::Add, Int(one), Int(other)) => Int(one.checked_add(other)?),
        (BinaryOp::Sub, Int(one), Int(other)) => Int(one.checked_sub(other)?),
        (BinaryOp::Mul, Int(one), Int(other)) => Int(one.checked_mul(other)?),
        (BinaryOp::Div, Int(one), Int(other)) => Int(one.checked_div(other)?),
        (BinaryOp::Rem, Int(one), Int(other)) => Int(one.checked_rem(other)?),
        (BinaryOp::In, one, Set(all)) => Bool(all.contains(&one)),
        (BinaryOp::Add | BinaryOp::Union, Set(mut one), Set(other)) => {
            one.extend(other);
            Set(one)
        }
        (BinaryOp::Sub | BinaryOp::Minus, Set(one), Set(other)) => {
            Set(one.difference(&other).cloned().collect())
        }
        _ => return None,
    })
}
