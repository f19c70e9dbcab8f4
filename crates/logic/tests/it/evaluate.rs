//! The meaning of a term by the shortest possible evaluator. Quantified numbers are few.

use logic::{ArithmeticOp, Binder, Node, Quantifier, SetOp, Sort, Symbol, Term, Terms};
use std::collections::BTreeMap;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Bool(bool),
    Int(i128),
    Map(Map),
}

/// A map from numbers with finitely many exceptions, none of which equals the value of the rest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Map {
    rest: Box<Value>,
    exceptions: BTreeMap<i128, Value>,
}

pub(crate) type Environment = BTreeMap<Symbol, Value>;

impl Value {
    pub(crate) fn truth(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    pub(crate) fn number(&self) -> i128 {
        let Self::Int(value) = self else { panic!("not a number: {self:?}") };
        *value
    }

    pub(crate) fn map(&self) -> &Map {
        let Self::Map(map) = self else { panic!("not a map: {self:?}") };
        map
    }

    /// The term for it.
    pub(crate) fn literal(&self, terms: &mut Terms) -> Term {
        match self {
            Self::Bool(value) => terms.bool(*value),
            Self::Int(value) => terms.int(*value),
            Self::Map(map) => {
                let rest = map.rest.literal(terms);
                let mut built = terms.const_array(Sort::Int, rest);
                for (&key, value) in &map.exceptions {
                    let (key, value) = (terms.int(key), value.literal(terms));
                    built = terms.store(built, key, value);
                }
                built
            }
        }
    }
}

impl Map {
    pub(crate) fn everywhere(value: Value) -> Self {
        Self { rest: Box::new(value), exceptions: BTreeMap::new() }
    }

    pub(crate) fn at(&self, key: i128) -> Value {
        self.exceptions.get(&key).unwrap_or(&self.rest).clone()
    }

    pub(crate) fn with(mut self, key: i128, value: Value) -> Self {
        self.exceptions.insert(key, value);
        self.exceptions.retain(|_, value| *value != *self.rest);
        self
    }

    pub(crate) fn combine(&self, other: &Self, op: SetOp) -> Self {
        let member = |a: &Value, b: &Value| {
            Value::Bool(match op {
                SetOp::Union => a.truth() || b.truth(),
                SetOp::Intersection => a.truth() && b.truth(),
                SetOp::Difference => a.truth() && !b.truth(),
            })
        };
        let mut all = Self::everywhere(member(&self.rest, &other.rest));
        for &key in self.exceptions.keys().chain(other.exceptions.keys()) {
            all = all.with(key, member(&self.at(key), &other.at(key)));
        }
        all
    }
}

/// Any function will do for the solver; both sides of the comparison must use the same.
pub(crate) fn divide(a: i128, b: i128) -> i128 {
    if b == 0 { 0 } else { a.div_euclid(b) }
}

pub(crate) fn remainder(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { a.rem_euclid(b) }
}

/// The numbers that quantifiers speak of.
const QUANTIFIED: std::ops::RangeInclusive<i128> = -9..=12;

pub(crate) fn evaluate(terms: &Terms, term: Term, env: &Environment) -> Value {
    evaluate_open(terms, term, env, &BTreeMap::new())
}

fn evaluate_open(
    terms: &Terms,
    term: Term,
    env: &Environment,
    bound: &BTreeMap<Binder, i128>,
) -> Value {
    let at = |term: &Term| evaluate_open(terms, *term, env, bound);
    match terms.node(term) {
        Node::Bool(value) => Value::Bool(*value),
        Node::Int(value) => Value::Int(*value),
        Node::Constant(symbol) => env[symbol].clone(),
        Node::Not(a) => Value::Bool(!at(a).truth()),
        Node::And(parts) => Value::Bool(parts.iter().all(|part| at(part).truth())),
        Node::Or(parts) => Value::Bool(parts.iter().any(|part| at(part).truth())),
        Node::Implies(a, b) => Value::Bool(!at(a).truth() || at(b).truth()),
        Node::Eq(a, b) => Value::Bool(at(a) == at(b)),
        Node::Distinct(parts) => {
            let values: std::collections::BTreeSet<Value> = parts.iter().map(at).collect();
            Value::Bool(values.len() == parts.len())
        }
        Node::Ite(a, b, c) => at(if at(a).truth() { b } else { c }),
        Node::Add(parts) => Value::Int(parts.iter().map(|part| at(part).number()).sum()),
        Node::Neg(a) => Value::Int(-at(a).number()),
        Node::ToReal(a) => at(a),
        Node::Arithmetic(op, a, b) => {
            let (a, b) = (at(a).number(), at(b).number());
            match op {
                ArithmeticOp::Mul => Value::Int(a * b),
                ArithmeticOp::Div => Value::Int(divide(a, b)),
                ArithmeticOp::Mod => Value::Int(remainder(a, b)),
                ArithmeticOp::Lt => Value::Bool(a < b),
                ArithmeticOp::Le => Value::Bool(a <= b),
            }
        }
        Node::Select(map, key) => at(map).map().at(at(key).number()),
        Node::Store(map, key, value) => {
            Value::Map(at(map).map().clone().with(at(key).number(), at(value)))
        }
        Node::ConstArray(_, value) => Value::Map(Map::everywhere(at(value))),
        Node::Set(op, a, b) => Value::Map(at(a).map().combine(at(b).map(), *op)),
        Node::Bound(binder) => Value::Int(bound[binder]),
        Node::Quantified { quantifier, binders, body, .. } => {
            let [binder] = binders.as_slice() else { panic!("one variable at a time") };
            let mut instances = QUANTIFIED.map(|number| {
                let mut bound = bound.clone();
                bound.insert(*binder, number);
                evaluate_open(terms, *body, env, &bound).truth()
            });
            Value::Bool(match quantifier {
                Quantifier::Forall => instances.all(|holds| holds),
                Quantifier::Exists => instances.any(|holds| holds),
            })
        }
        node @ (Node::Real(..) | Node::Apply(..)) => {
            panic!("not among the terms of these tests: {node:?}")
        }
    }
}
