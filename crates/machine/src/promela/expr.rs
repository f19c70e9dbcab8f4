//! Expressions of Plato as terms of the model, in the store that a path through a step has made so
//! far.

use super::layout::{Keys, Storage, every_list, flat, number, numbers};
use super::term::{FALSE, TRUE, Term, and, cond, eq, not, op, or, truth};
use crate::scope::Scope;
use plato::hir::{BinaryOp, BoundId, Expr, ExprKind, LabelId, PredId, Quantifier, Root, Ty};
use std::collections::BTreeMap;

/// A term, and when it has no value, so that the step goes wrong.
#[derive(Clone, Debug)]
pub(super) struct Val {
    pub(super) term: Term,
    pub(super) wrong: Term,
}

/// What variables are worth, as terms over their values before the step.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Env {
    pub(super) scalars: BTreeMap<String, Term>,
    /// Writes to elements, in order.
    pub(super) arrays: BTreeMap<String, Vec<(Term, Term)>>,
}

impl Env {
    pub(super) fn read(&self, storage: &Storage, keys: &[Term]) -> Term {
        let name = &storage.name;
        if storage.keys.is_empty() {
            return self.scalars.get(name).cloned().unwrap_or(Term::Var(name.clone()));
        }
        let index = storage.index(keys);
        let first = Term::Element(name.clone(), Box::new(index.clone()));
        let writes = self.arrays.get(name).map_or(&[][..], Vec::as_slice);
        writes.iter().fold(first, |before, (at, value)| {
            cond(eq(index.clone(), at.clone()), value.clone(), before)
        })
    }

    pub(super) fn write(&mut self, storage: &Storage, keys: &[Term], value: Term) {
        let name = storage.name.clone();
        if storage.keys.is_empty() {
            self.scalars.insert(name, value);
        } else {
            self.arrays.entry(name).or_default().push((storage.index(keys), value));
        }
    }
}

/// Whether a thread, given by its number, is at one of some labels.
pub(super) type Places<'c> = &'c dyn Fn(u32, &[LabelId]) -> Term;

/// Where expressions are looked at.
pub(super) struct Context<'c> {
    pub(super) scope: &'c Scope<'c>,
    pub(super) globals: &'c [Storage],
    pub(super) locals: &'c [Storage],
    pub(super) env: &'c Env,
    /// The store after the step, for formulas about both.
    pub(super) after: Option<&'c Env>,
    /// The running thread.
    pub(super) tid: Term,
    /// Whether a thread is at one of some labels, for formulas that may ask.
    pub(super) places: Option<Places<'c>>,
    pub(super) bound: Vec<(BoundId, Term)>,
}

pub(super) type Answer<T> = Result<T, String>;

const TWO_STORES: &str = "a formula about two stores";

fn sure(term: Term) -> Val {
    Val { term, wrong: FALSE }
}

fn both(left: Val, right: Val, make: impl FnOnce(Term, Term) -> Term) -> Val {
    Val { term: make(left.term, right.term), wrong: or(left.wrong, right.wrong) }
}

/// `first`, and `second` if the first does not decide: only then does it matter whether it has a
/// value.
fn short(first: Val, second: Val, decided: bool) -> Val {
    let open = if decided { not(first.term.clone()) } else { first.term.clone() };
    let wrong = or(first.wrong, and(open, second.wrong));
    let make = if decided { or } else { and };
    Val { term: make(first.term, second.term), wrong }
}

impl Context<'_> {
    pub(super) fn storage(&self, root: Root) -> &Storage {
        match root {
            Root::Global(id) => &self.globals[id.index()],
            Root::Local(id) => &self.locals[id.index()],
        }
    }

    /// The value of an expression that is no map and no set.
    pub(super) fn value(&mut self, expr: &Expr) -> Answer<Val> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(sure(Term::Int(*value))),
            ExprKind::Bool(value) => Ok(sure(truth(*value))),
            ExprKind::Var { .. } | ExprKind::Index(..) => self.element(expr, &[]),
            ExprKind::Const(id) => {
                let value = number(&self.scope.consts[id.index()]);
                Ok(sure(Term::Int(value.ok_or("a constant that is no number")?)))
            }
            ExprKind::Bound(id) => {
                let found = self.bound.iter().rev().find(|(bound, _)| bound == id);
                Ok(sure(found.map(|(_, term)| term.clone()).ok_or("a variable that is not bound")?))
            }
            ExprKind::Tid => Ok(sure(self.tid.clone())),
            ExprKind::Nobody => Ok(sure(Term::Int(0))),
            ExprKind::Thread(id) => {
                let copies = self.scope.copies(*id);
                let only = copies.first().and_then(number).ok_or("a thread that does not run")?;
                Ok(sure(Term::Int(only)))
            }
            ExprKind::Variant(_, at) => Ok(sure(Term::Int(i128::from(*at)))),
            ExprKind::Not(inner) => {
                let inner = self.value(inner)?;
                Ok(Val { term: not(inner.term), ..inner })
            }
            ExprKind::Neg(inner) => {
                let inner = self.value(inner)?;
                Ok(Val { term: op("-", Term::Int(0), inner.term), ..inner })
            }
            ExprKind::And(all) => self.several(all, false),
            ExprKind::Or(all) => self.several(all, true),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(test, then, otherwise) => {
                let test = self.value(test)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                Ok(chosen(test, then, otherwise))
            }
            ExprKind::In(element, set) => {
                let element = self.value(element)?;
                let found = self.element(set, std::slice::from_ref(&element.term))?;
                Ok(Val { wrong: or(element.wrong, found.wrong), ..found })
            }
            ExprKind::Quantified(kind, bounds, body) => self.quantified(*kind, bounds, body),
            ExprKind::Pred { pred, args, primed } => self.predicate(*pred, args, *primed),
            ExprKind::At(thread, labels) => self.place(thread, labels),
            ExprKind::Size(_) => Err("the size of a set".to_owned()),
            ExprKind::Update(..) | ExprKind::ConstMap(_) | ExprKind::Set(_) => {
                Err("a map or set where a number is expected".to_owned())
            }
        }
    }

    fn predicate(&mut self, pred: PredId, args: &[Expr], primed: bool) -> Answer<Val> {
        let pred = &self.scope.program.preds[pred.index()];
        let mut wrong = FALSE;
        let mut given = Vec::new();
        for (param, arg) in pred.params.iter().zip(args) {
            let arg = self.value(arg)?;
            wrong = or(wrong, arg.wrong);
            given.push((*param, arg.term));
        }
        let depth = self.bound.len();
        self.bound.extend(given);
        let (env, after) = (self.env, self.after);
        if primed {
            (self.env, self.after) = (after.ok_or(TWO_STORES)?, None);
        }
        let body = self.value(&pred.body);
        (self.env, self.after) = (env, after);
        self.bound.truncate(depth);
        body.map(|body| Val { wrong: or(wrong, body.wrong), ..body })
    }

    fn place(&mut self, thread: &Expr, labels: &[LabelId]) -> Answer<Val> {
        let places = self.places.ok_or("`at` in code")?;
        let thread = self.value(thread)?;
        let mut found = FALSE;
        for tid in 1..=self.scope.thread_count() {
            let is = eq(thread.term.clone(), Term::Int(i128::from(tid)));
            found = or(found, and(is, places(tid, labels)));
        }
        Ok(Val { term: found, wrong: thread.wrong })
    }

    fn several(&mut self, all: &[Expr], decided: bool) -> Answer<Val> {
        let mut found = Val { term: truth(!decided), wrong: FALSE };
        for one in all {
            let one = self.value(one)?;
            found = short(found, one, decided);
        }
        Ok(found)
    }

    fn quantified(&mut self, kind: Quantifier, bounds: &[BoundId], body: &Expr) -> Answer<Val> {
        let Some((first, rest)) = bounds.split_first() else { return self.value(body) };
        let decided = kind == Quantifier::Exists;
        let ty = &self.scope.program.bounds[first.index()].ty;
        let (low, high) = numbers(self.scope, ty).map_err(|why| format!("a quantifier: {why}"))?;
        let mut found = Val { term: truth(!decided), wrong: FALSE };
        for value in low..=high {
            self.bound.push((*first, Term::Int(value)));
            let one = self.quantified(kind, rest, body);
            self.bound.pop();
            found = short(found, one?, decided);
        }
        Ok(found)
    }

    fn binary(&mut self, kind: BinaryOp, left: &Expr, right: &Expr) -> Answer<Val> {
        let is_map = matches!(left.ty, Ty::Set(_) | Ty::Map(..));
        if is_map && matches!(kind, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Subset) {
            return self.compared(kind, left, right);
        }
        let (left, right) = (self.value(left)?, self.value(right)?);
        let arithmetic = |name| move |a, b| op(name, a, b);
        Ok(match kind {
            BinaryOp::Implies => {
                let premise = Val { term: not(left.term), wrong: left.wrong };
                short(premise, right, true)
            }
            BinaryOp::Iff | BinaryOp::Eq => both(left, right, eq),
            BinaryOp::Ne => both(left, right, |a, b| not(eq(a, b))),
            BinaryOp::Add => both(left, right, arithmetic("+")),
            BinaryOp::Sub => both(left, right, arithmetic("-")),
            BinaryOp::Mul => both(left, right, arithmetic("*")),
            BinaryOp::Lt => both(left, right, arithmetic("<")),
            BinaryOp::Le => both(left, right, arithmetic("<=")),
            BinaryOp::Gt => both(left, right, arithmetic(">")),
            BinaryOp::Ge => both(left, right, arithmetic(">=")),
            BinaryOp::Div | BinaryOp::Mod => {
                let Term::Int(divisor @ 1..) = right.term else {
                    return Err("division by something else than a positive constant".to_owned());
                };
                let by = Term::Int(divisor);
                // The remainder is never negative.
                let twice = op("+", op("%", left.term.clone(), by.clone()), by.clone());
                let rest = op("%", twice, by.clone());
                let term = match kind {
                    BinaryOp::Mod => rest,
                    _ => op("/", op("-", left.term, rest), by),
                };
                Val { term, wrong: left.wrong }
            }
            BinaryOp::Union | BinaryOp::Difference | BinaryOp::Intersection | BinaryOp::Subset => {
                return Err("a set where a number is expected".to_owned());
            }
        })
    }

    /// Equality and inclusion of maps and sets: element by element.
    fn compared(&mut self, kind: BinaryOp, left: &Expr, right: &Expr) -> Answer<Val> {
        let (keys, _) = flat(self.scope, &left.ty)?;
        let mut found = Val { term: TRUE, wrong: FALSE };
        for keys in every_list(&keys) {
            let (left, right) = (self.element(left, &keys)?, self.element(right, &keys)?);
            let one = match kind {
                BinaryOp::Subset => both(left, right, |a, b| or(not(a), b)),
                _ => both(left, right, eq),
            };
            found = both(found, one, and);
        }
        let negated = kind == BinaryOp::Ne;
        Ok(Val { term: if negated { not(found.term) } else { found.term }, ..found })
    }

    /// The element of a map or set with these keys; with no keys, the value of a scalar.
    pub(super) fn element(&mut self, expr: &Expr, keys: &[Term]) -> Answer<Val> {
        match &expr.kind {
            ExprKind::Var { root, primed } => {
                let env = if *primed { self.after.ok_or(TWO_STORES)? } else { self.env };
                Ok(sure(env.read(self.storage(*root), keys)))
            }
            ExprKind::Index(map, key) => {
                let outside = self.outside(&map.ty, key)?;
                let key = self.value(key)?;
                let longer = [std::slice::from_ref(&key.term), keys].concat();
                let found = self.element(map, &longer)?;
                Ok(Val { wrong: or(or(key.wrong, outside), found.wrong), ..found })
            }
            ExprKind::Update(map, key, value) => {
                let outside = self.outside(&map.ty, key)?;
                let key = self.value(key)?;
                let (first, rest) = keys.split_first().ok_or("a map where a number is expected")?;
                let (new, old) = (self.element(value, rest)?, self.element(map, keys)?);
                let here = Val { term: eq(first.clone(), key.term), wrong: or(key.wrong, outside) };
                Ok(chosen(here, new, old))
            }
            ExprKind::ConstMap(value) => self.element(value, &keys[1..]),
            ExprKind::Set(all) => {
                let mut found = Val { term: FALSE, wrong: FALSE };
                for one in all {
                    let one = self.value(one)?;
                    found = both(found, one, |found, one| or(found, eq(keys[0].clone(), one)));
                }
                Ok(found)
            }
            ExprKind::Binary(kind, left, right) if matches!(expr.ty, Ty::Set(_)) => {
                let (left, right) = (self.element(left, keys)?, self.element(right, keys)?);
                Ok(both(left, right, |a, b| match kind {
                    BinaryOp::Union => or(a, b),
                    BinaryOp::Difference => and(a, not(b)),
                    _ => and(a, b),
                }))
            }
            ExprKind::Thread(id) if matches!(expr.ty, Ty::Set(_)) => {
                let copies = self.scope.copies(*id);
                let is = |tid| eq(keys[0].clone(), Term::Int(tid));
                Ok(sure(copies.iter().filter_map(number).fold(FALSE, |all, tid| or(all, is(tid)))))
            }
            ExprKind::Conditional(test, then, otherwise) if !keys.is_empty() => {
                let test = self.value(test)?;
                let (then, otherwise) = (self.element(then, keys)?, self.element(otherwise, keys)?);
                Ok(chosen(test, then, otherwise))
            }
            _ if keys.is_empty() => self.value(expr),
            _ => Err("a map or set that is neither a variable nor built from one".to_owned()),
        }
    }

    /// When a key lies outside of the domain of a map.
    pub(super) fn outside(&mut self, map: &Ty, key: &Expr) -> Answer<Term> {
        let Ty::Map(domain, _) = map else { return Ok(FALSE) };
        let value = self.value(key)?;
        Ok(beyond(&value.term, &narrow(key), domain))
    }

    /// The keys of a map or set type.
    pub(super) fn keys(&self, ty: &Ty) -> Answer<Vec<Keys>> {
        flat(self.scope, ty).map(|(keys, _)| keys)
    }
}

/// When a number of one type is not one of the other.
pub(super) fn beyond(value: &Term, from: &Ty, to: &Ty) -> Term {
    let Ty::Range(low, high) = to else { return FALSE };
    let (mut below, mut above) = (true, true);
    if let Ty::Range(least, most) = from {
        (below, above) = (least < low, most > high);
    }
    let below = if below { op("<", value.clone(), Term::Int(*low)) } else { FALSE };
    let above = if above { op(">", value.clone(), Term::Int(*high)) } else { FALSE };
    or(below, above)
}

/// A range that the values of an expression lie in, as far as types tell; else its type.
pub(super) fn narrow(expr: &Expr) -> Ty {
    let found = match &expr.kind {
        ExprKind::Int(value) => Some((*value, *value)),
        ExprKind::Conditional(_, then, otherwise) => match (narrow(then), narrow(otherwise)) {
            (Ty::Range(a, b), Ty::Range(c, d)) => Some((a.min(c), b.max(d))),
            _ => None,
        },
        ExprKind::Binary(kind, left, right) => match (kind, narrow(left), narrow(right)) {
            (BinaryOp::Add, Ty::Range(a, b), Ty::Range(c, d)) => Some((a + c, b + d)),
            (BinaryOp::Sub, Ty::Range(a, b), Ty::Range(c, d)) => Some((a - d, b - c)),
            (BinaryOp::Mod, _, Ty::Range(c, d)) if c == d && c > 0 => Some((0, c - 1)),
            _ => None,
        },
        _ => None,
    };
    found.map_or_else(|| expr.ty.clone(), |(low, high)| Ty::Range(low, high))
}

fn chosen(test: Val, then: Val, otherwise: Val) -> Val {
    let wrong = cond(test.term.clone(), then.wrong, otherwise.wrong);
    Val { term: cond(test.term, then.term, otherwise.term), wrong: or(test.wrong, wrong) }
}
