//! Expressions as functions of the state.

use super::bits::{Built, Function, Number, unsupported};
use super::space::{Space, Value};
use oxidd::BooleanFunction;
use plato::hir::{BinaryOp, BoundId, Expr, ExprKind, LabelId, Program, Quantifier, Root, Ty};

/// What variables stand for.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) globals: Vec<Value>,
    pub(crate) locals: Vec<Value>,
    /// The values after the step, for actions.
    pub(crate) after: Option<(Vec<Value>, Vec<Value>)>,
    pub(crate) tid: Number,
    pub(crate) bound: Vec<(BoundId, Value)>,
}

/// Where threads are, for error sets: per bound variable the label's truth.
pub(crate) type Labels<'a> = dyn Fn(BoundId, &[LabelId]) -> Built<Function> + 'a;

/// Evaluates expressions.
#[derive(Clone, Copy)]
pub(crate) struct Eval<'a> {
    pub(crate) program: &'a Program,
    pub(crate) space: &'a Space,
    /// The identifiers of each thread's copies, first and last.
    pub(crate) families: &'a [(u64, u64)],
    pub(crate) labels: Option<&'a Labels<'a>>,
}

impl Eval<'_> {
    pub(crate) fn truth(&self, store: &Store, expr: &Expr) -> Built<Function> {
        match self.value(store, expr)? {
            Value::Truth(function) => Ok(function),
            Value::Number(_) | Value::Map(..) => unsupported("a condition that is no truth value"),
        }
    }

    fn number(&self, store: &Store, expr: &Expr) -> Built<Number> {
        match self.value(store, expr)? {
            Value::Number(number) => Ok(number),
            Value::Truth(_) | Value::Map(..) => unsupported("a number that is none"),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a flat table of the kinds of expressions")]
    pub(crate) fn value(&self, store: &Store, expr: &Expr) -> Built<Value> {
        let constants = &self.space.constants;
        let truth = |function| Ok(Value::Truth(function));
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Number(constants.number(*value))),
            ExprKind::Bool(value) => truth(constants.truth(*value)),
            ExprKind::Var { root, primed } => variable(store, *root, *primed),
            ExprKind::Const(id) => match self.program.consts[id.index()].value {
                Some(plato::hir::Value::Int(value)) => Ok(Value::Number(constants.number(value))),
                Some(plato::hir::Value::Bool(value)) => truth(constants.truth(value)),
                Some(plato::hir::Value::Variant(_, at)) => {
                    Ok(Value::Number(constants.number(i128::from(at))))
                }
                None => unsupported("a constant without a value"),
            },
            ExprKind::Bound(id) => {
                let found = store.bound.iter().rev().find(|(bound, _)| bound == id);
                found
                    .map_or_else(|| unsupported("a bound variable"), |(_, value)| Ok(value.clone()))
            }
            ExprKind::Tid => Ok(Value::Number(store.tid.clone())),
            ExprKind::Nobody => Ok(Value::Number(constants.number(0))),
            ExprKind::Thread(id) if expr.ty == Ty::Tid => {
                Ok(Value::Number(constants.number(i128::from(self.families[id.index()].0))))
            }
            ExprKind::Variant(_, at) => Ok(Value::Number(constants.number(i128::from(*at)))),
            ExprKind::Not(inner) => truth(self.truth(store, inner)?.not()?),
            ExprKind::Neg(inner) => {
                Ok(Value::Number(constants.negated(&self.number(store, inner)?)?))
            }
            ExprKind::And(parts) => {
                let mut all = constants.yes.clone();
                for part in parts {
                    all = all.and(&self.truth(store, part)?)?;
                }
                truth(all)
            }
            ExprKind::Or(parts) => {
                let mut some = constants.no.clone();
                for part in parts {
                    some = some.or(&self.truth(store, part)?)?;
                }
                truth(some)
            }
            ExprKind::Binary(op, left, right) => self.binary(store, *op, left, right),
            ExprKind::Conditional(cond, then, otherwise) => {
                let cond = self.truth(store, cond)?;
                choose(&cond, &self.value(store, then)?, &self.value(store, otherwise)?)
            }
            ExprKind::Index(map, key) => self.element(store, map, key),
            ExprKind::Update(map, key, value) => {
                let (map, value) = (self.inside(store, map, key)?, self.value(store, value)?);
                self.updated(&map, &[self.number(store, key)?], &value)
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(store, *quantifier, binders, body)
            }
            ExprKind::Pred { pred, args, primed: false } => {
                let mut inner = store.clone();
                for (&param, arg) in self.program.preds[pred.index()].params.iter().zip(args) {
                    inner.bound.push((param, self.value(store, arg)?));
                }
                self.value(&inner, &self.program.preds[pred.index()].body)
            }
            ExprKind::At(thread, labels) => match (&thread.kind, self.labels) {
                (ExprKind::Bound(id), Some(where_is)) => truth(where_is(*id, labels)?),
                _ => unsupported("`at` of a thread that is not bound"),
            },
            ExprKind::In(element, set) => match set.kind {
                ExprKind::Thread(id) => {
                    let (first, last) = self.families[id.index()];
                    let element = self.number(store, element)?;
                    truth(constants.within(&element, i128::from(first), i128::from(last))?)
                }
                _ => unsupported("sets"),
            },
            ExprKind::Thread(_)
            | ExprKind::Pred { .. }
            | ExprKind::ConstMap(_)
            | ExprKind::Size(_)
            | ExprKind::Set(_) => unsupported("sets and whole maps"),
        }
    }

    fn binary(&self, store: &Store, op: BinaryOp, left: &Expr, right: &Expr) -> Built<Value> {
        let constants = &self.space.constants;
        let truths = || -> Built<(Function, Function)> {
            Ok((self.truth(store, left)?, self.truth(store, right)?))
        };
        let numbers = || -> Built<(Number, Number)> {
            Ok((self.number(store, left)?, self.number(store, right)?))
        };
        Ok(match op {
            BinaryOp::Add => {
                let (left, right) = numbers()?;
                Value::Number(constants.add(&left, &right, false)?)
            }
            BinaryOp::Sub => {
                let (left, right) = numbers()?;
                Value::Number(constants.add(&left, &constants.negated(&right)?, false)?)
            }
            BinaryOp::Mul => {
                let (left, right) = numbers()?;
                Value::Number(constants.multiply(&left, &right)?)
            }
            BinaryOp::Eq | BinaryOp::Iff => Value::Truth(self.same(store, left, right)?),
            BinaryOp::Ne => Value::Truth(self.same(store, left, right)?.not()?),
            BinaryOp::Lt => less(constants, numbers()?)?,
            BinaryOp::Gt => {
                let (left, right) = numbers()?;
                less(constants, (right, left))?
            }
            BinaryOp::Le => {
                let (left, right) = numbers()?;
                not(less(constants, (right, left))?)?
            }
            BinaryOp::Ge => not(less(constants, numbers()?)?)?,
            BinaryOp::Implies => {
                let (left, right) = truths()?;
                Value::Truth(left.imp(&right)?)
            }
            BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::Union
            | BinaryOp::Difference
            | BinaryOp::Intersection
            | BinaryOp::Subset => return unsupported("division, remainder and sets"),
        })
    }

    fn same(&self, store: &Store, left: &Expr, right: &Expr) -> Built<Function> {
        let (left, right) = (self.value(store, left)?, self.value(store, right)?);
        self.equal(&left, &right)
    }

    /// Whether two values are the same.
    pub(crate) fn equal(&self, left: &Value, right: &Value) -> Built<Function> {
        match (left, right) {
            (Value::Truth(left), Value::Truth(right)) => Ok(left.equiv(right)?),
            (Value::Number(left), Value::Number(right)) => self.space.constants.equal(left, right),
            (Value::Map(_, left), Value::Map(_, right)) => {
                let mut same = self.space.constants.yes.clone();
                for (left, right) in left.iter().zip(right) {
                    same = same.and(&self.equal(left, right)?)?;
                }
                Ok(same)
            }
            _ => unsupported("a comparison of different things"),
        }
    }

    /// The map, if the key is surely in its domain.
    fn inside(&self, store: &Store, map: &Expr, key: &Expr) -> Built<Value> {
        match (&map.ty, &key.ty, &key.kind) {
            (Ty::Map(domain, _), Ty::Range(low, high), _) if matches!(**domain, Ty::Range(least, most) if least <= *low && *high <= most) =>
                {}
            (Ty::Map(domain, _), _, ExprKind::Int(value)) if matches!(**domain, Ty::Range(least, most) if least <= *value && *value <= most) =>
                {}
            _ => return unsupported("an index that may be outside the domain"),
        }
        self.value(store, map)
    }

    fn element(&self, store: &Store, map: &Expr, key: &Expr) -> Built<Value> {
        let Value::Map(low, elements) = self.inside(store, map, key)? else {
            return unsupported("an index of something that is no map");
        };
        let key = self.number(store, key)?;
        let mut found: Option<Value> = None;
        for (element, at) in elements.iter().zip(low..) {
            let here = self.space.constants.equal(&key, &self.space.constants.number(at))?;
            found = Some(match found {
                None => element.clone(),
                Some(found) => choose(&here, element, &found)?,
            });
        }
        found.map_or_else(|| unsupported("an empty map"), Ok)
    }

    /// The value with another one inside.
    pub(crate) fn updated(&self, old: &Value, keys: &[Number], value: &Value) -> Built<Value> {
        let (Some((key, rest)), Value::Map(low, elements)) = (keys.split_first(), old) else {
            return Ok(value.clone());
        };
        let mut all = Vec::new();
        for (element, at) in elements.iter().zip(*low..) {
            let here = self.space.constants.equal(key, &self.space.constants.number(at))?;
            let new = self.updated(element, rest, value)?;
            all.push(choose(&here, &new, element)?);
        }
        Ok(Value::Map(*low, all))
    }

    fn quantified(
        &self,
        store: &Store,
        quantifier: Quantifier,
        binders: &[BoundId],
        body: &Expr,
    ) -> Built<Value> {
        let Some((first, rest)) = binders.split_first() else { return self.value(store, body) };
        let constants = &self.space.constants;
        let values: Vec<Value> = match self.program.bounds[first.index()].ty {
            Ty::Bool => [false, true].map(|value| Value::Truth(constants.truth(value))).into(),
            Ty::Range(low, high) if high - low < 64 => {
                (low..=high).map(|value| Value::Number(constants.number(value))).collect()
            }
            _ => return unsupported("a quantifier over very many values"),
        };
        let forall = quantifier == Quantifier::Forall;
        let mut result = constants.truth(forall);
        for value in values {
            let mut inner = store.clone();
            inner.bound.push((*first, value));
            let Value::Truth(one) = self.quantified(&inner, quantifier, rest, body)? else {
                return unsupported("a quantified number");
            };
            result = if forall { result.and(&one)? } else { result.or(&one)? };
        }
        Ok(Value::Truth(result))
    }
}

fn less(constants: &super::bits::Constants, (left, right): (Number, Number)) -> Built<Value> {
    Ok(Value::Truth(constants.less(&left, &right)?))
}

fn not(value: Value) -> Built<Value> {
    match value {
        Value::Truth(function) => Ok(Value::Truth(function.not()?)),
        other => Ok(other),
    }
}

fn variable(store: &Store, root: Root, primed: bool) -> Built<Value> {
    let (globals, locals) = match (&store.after, primed) {
        (Some((globals, locals)), true) => (globals, locals),
        (None, true) => return unsupported("a prime outside of an action"),
        (_, false) => (&store.globals, &store.locals),
    };
    let found = match root {
        Root::Global(id) => globals.get(id.index()),
        Root::Local(id) => locals.get(id.index()),
    };
    found.map_or_else(|| unsupported("a variable of a called procedure"), |value| Ok(value.clone()))
}

/// One of two values.
pub(crate) fn choose(cond: &Function, then: &Value, other: &Value) -> Built<Value> {
    match (then, other) {
        (Value::Truth(then), Value::Truth(other)) => Ok(Value::Truth(cond.ite(then, other)?)),
        (Value::Number(then), Value::Number(other)) => {
            let width = then.len().max(other.len());
            let bit = |number: &Number, at: usize| -> Function {
                number[at.min(number.len() - 1)].clone()
            };
            let mut chosen = Vec::new();
            for at in 0..width {
                chosen.push(cond.ite(&bit(then, at), &bit(other, at))?);
            }
            Ok(Value::Number(chosen))
        }
        (Value::Map(low, then), Value::Map(_, other)) => {
            let mut chosen = Vec::new();
            for (then, other) in then.iter().zip(other) {
                chosen.push(choose(cond, then, other)?);
            }
            Ok(Value::Map(*low, chosen))
        }
        _ => unsupported("a choice between different things"),
    }
}
