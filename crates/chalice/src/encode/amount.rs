//! Amounts of permission (paper 3, section 4, "Encoding of permissions").
//!
//! An amount is a number of hundredths and, if the declaration or anything that it uses counts
//! them, a number of infinitesimals: `p + n * epsilon`, compared as pairs. `rd` is an unknown
//! number of hundredths: fixed for each call of a method, one for all monitors, one for all
//! predicates, one for all channels.

use super::Encoder;
use super::sorts::{Place, reference};
use super::state::{Env, State};
use crate::hir::{Amount, AmountKind, ExprKind, Type};
use logic::{Sort, Term};
use source::Span;

/// An amount of permission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permission {
    pub(crate) parts: Term,
    pub(crate) epsilons: Option<Term>,
}

/// Whose `rd` is meant outside of methods.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader {
    Monitor,
    Predicate,
    Channel,
    Function,
}

impl Encoder<'_> {
    /// All of it.
    pub(crate) fn full(&mut self) -> Permission {
        let parts = self.terms.real(100, 1);
        self.of_parts(parts)
    }

    /// So many hundredths.
    pub(crate) fn of_parts(&mut self, parts: Term) -> Permission {
        let epsilons = self.counts_epsilons.then(|| self.terms.int(0));
        Permission { parts, epsilons }
    }

    /// The amount; [`AmountKind::Star`] is an unknown one.
    pub(crate) fn amount(&mut self, amount: &Amount, env: &Env) -> Permission {
        match &amount.kind {
            AmountKind::Full => self.full(),
            AmountKind::Percent(count) => {
                let count = self.value(count, env);
                let parts = self.terms.to_real(count);
                self.of_parts(parts)
            }
            AmountKind::Read => {
                let read = env.read.expect("internal error: `rd` where it has no meaning");
                self.of_parts(read)
            }
            AmountKind::ReadOf(owner) => {
                let parts = match &owner.ty {
                    Type::Token(_) => {
                        let token = self.value(owner, env);
                        self.token_read(token)
                    }
                    Type::Channel(_) => self.read_part(Reader::Channel),
                    _ => self.read_part(Reader::Monitor),
                };
                self.of_parts(parts)
            }
            AmountKind::PredicateRead => {
                let parts = self.read_part(Reader::Predicate);
                self.of_parts(parts)
            }
            AmountKind::Epsilons(count) => {
                assert!(self.counts_epsilons, "internal error: infinitesimals are not counted");
                let count = self.value(count, env);
                Permission { parts: self.terms.real(0, 1), epsilons: Some(count) }
            }
            AmountKind::Star => {
                let symbol = self.terms.fresh("some", Sort::Real);
                let parts = self.terms.constant(symbol);
                self.of_parts(parts)
            }
            AmountKind::Add(left, right) => {
                let (left, right) = (self.amount(left, env), self.amount(right, env));
                self.plus(left, right)
            }
            AmountKind::Sub(left, right) => {
                let (left, right) = (self.amount(left, env), self.amount(right, env));
                self.minus(left, right)
            }
            AmountKind::Times(factor, inner) => {
                let (factor, inner) = (self.value(factor, env), self.amount(inner, env));
                let real = self.terms.to_real(factor);
                let parts = self.terms.mul(real, inner.parts);
                let epsilons = inner.epsilons.map(|count| self.terms.mul(factor, count));
                Permission { parts, epsilons }
            }
        }
    }

    /// A part of the amount.
    pub(crate) fn scaled(
        &mut self,
        amount: Permission,
        scale: Option<Term>,
        span: Span,
    ) -> Permission {
        let Some(scale) = scale else { return amount };
        // Infinitesimals have no parts.
        if amount.epsilons.is_some_and(|count| !self.is_zero(count)) {
            self.unsupported("a part of a number of infinitesimals", span);
        }
        let parts = self.terms.mul(scale, amount.parts);
        Permission { parts, ..amount }
    }

    pub(crate) fn is_zero(&self, count: Term) -> bool {
        matches!(self.terms.node(count), logic::Node::Int(0))
    }

    /// What `rd*` gives: a positive number of hundredths that nobody knows. Infinitesimals are none
    /// of it, so that it can always be divided, whether or not the program counts infinitesimals
    /// elsewhere.
    pub(crate) fn some_part(&mut self) -> Permission {
        let parts = self.any("some", Sort::Real);
        self.of_parts(parts)
    }

    /// Whether there is something that `rd*` can be taken of.
    pub(crate) fn is_divisible(&mut self, held: Permission) -> Term {
        let zero = self.terms.real(0, 1);
        self.terms.lt(zero, held.parts)
    }

    pub(crate) fn plus(&mut self, left: Permission, right: Permission) -> Permission {
        let parts = self.terms.add(vec![left.parts, right.parts]);
        let epsilons = left.epsilons.zip(right.epsilons).map(|(a, b)| self.terms.add(vec![a, b]));
        Permission { parts, epsilons }
    }

    pub(crate) fn minus(&mut self, left: Permission, right: Permission) -> Permission {
        let parts = self.terms.sub(left.parts, right.parts);
        let epsilons = left.epsilons.zip(right.epsilons).map(|(a, b)| self.terms.sub(a, b));
        Permission { parts, epsilons }
    }

    /// `left < right`, or `left <= right`, as pairs.
    fn compare(&mut self, left: Permission, right: Permission, or_equal: bool) -> Term {
        let Some((a, b)) = left.epsilons.zip(right.epsilons) else {
            return if or_equal {
                self.terms.le(left.parts, right.parts)
            } else {
                self.terms.lt(left.parts, right.parts)
            };
        };
        let less = self.terms.lt(left.parts, right.parts);
        let same = self.terms.eq(left.parts, right.parts);
        let then = if or_equal { self.terms.le(a, b) } else { self.terms.lt(a, b) };
        let then = self.terms.and(vec![same, then]);
        self.terms.or(vec![less, then])
    }

    pub(crate) fn at_least(&mut self, held: Permission, needed: Permission) -> Term {
        self.compare(needed, held, true)
    }

    pub(crate) fn more_than(&mut self, held: Permission, needed: Permission) -> Term {
        self.compare(needed, held, false)
    }

    /// Some permission: `p > 0 || n > 0`.
    pub(crate) fn is_some(&mut self, held: Permission) -> Term {
        let zero = self.terms.real(0, 1);
        let none = self.of_parts(zero);
        self.more_than(held, none)
    }

    /// Not negative.
    pub(crate) fn is_amount(&mut self, amount: Permission) -> Term {
        let zero = self.terms.real(0, 1);
        let none = self.of_parts(zero);
        self.at_least(amount, none)
    }

    /// Full permission: `p == 100 && n == 0`. No thread ever has more.
    pub(crate) fn is_full(&mut self, held: Permission) -> Term {
        let full = self.full();
        self.at_least(held, full)
    }

    /// The permission a state has to a place.
    pub(crate) fn permission(&mut self, state: &State, place: Place, key: Term) -> Permission {
        let mask = state.mask[&place];
        Permission {
            parts: self.terms.select(mask.parts, key),
            epsilons: mask.epsilons.map(|epsilons| self.terms.select(epsilons, key)),
        }
    }

    /// Gives the thread this permission to the place, if the guard holds.
    pub(crate) fn set_permission(&mut self, guard: Term, place: Place, key: Term, new: Permission) {
        let mask = self.now.mask[&place];
        let parts = self.terms.store(mask.parts, key, new.parts);
        let parts = self.terms.ite(guard, parts, mask.parts);
        self.assign(self.variable_of(mask.parts), parts);
        if let Some((map, count)) = mask.epsilons.zip(new.epsilons) {
            let counted = self.terms.store(map, key, count);
            let counted = self.terms.ite(guard, counted, map);
            self.assign(self.variable_of(map), counted);
        }
    }

    /// The part that `rd` stands for in the invariants of all monitors, in all predicates, in all
    /// channels.
    pub(crate) fn read_part(&mut self, reader: Reader) -> Term {
        let name = match reader {
            Reader::Monitor => "rd:monitor",
            Reader::Predicate => "rd:predicate",
            Reader::Channel => "rd:channel",
            Reader::Function => "rd:function",
        };
        let symbol = self.terms.symbol(name, Sort::Real);
        self.terms.constant(symbol)
    }

    /// The part that `rd` stood for in the call of a token.
    pub(crate) fn token_read(&mut self, token: Term) -> Term {
        let func = self.terms.func("rd:token", vec![reference()], Sort::Real);
        self.terms.apply(func, vec![token])
    }

    /// These parts are positive, and so small that many of them are less than one hundredth.
    pub(crate) fn read_part_facts(&mut self) -> Vec<Term> {
        let mut facts = Vec::new();
        for reader in [Reader::Monitor, Reader::Predicate, Reader::Channel, Reader::Function] {
            let part = self.read_part(reader);
            let (zero, little) = (self.terms.real(0, 1), self.terms.real(1, 1000));
            facts.push(self.terms.lt(zero, part));
            facts.push(self.terms.lt(part, little));
        }
        facts
    }

    /// An unknown part for `rd` of one call: positive, and so small that many of them are less than
    /// one hundredth. The caller, who chooses it, can choose it like this.
    pub(crate) fn any_part(&mut self, stem: &str) -> Term {
        let part = self.any(stem, Sort::Real);
        self.assume_small(part);
        part
    }

    pub(crate) fn assume_small(&mut self, part: Term) {
        let (zero, little) = (self.terms.real(0, 1), self.terms.real(1, 1000));
        let positive = self.terms.lt(zero, part);
        let less = self.terms.lt(part, little);
        self.assume(positive);
        self.assume(less);
    }

    /// Whether the amount consists of `rd` only, so that it can be chosen small.
    pub(crate) fn is_read(amount: &Amount) -> bool {
        match &amount.kind {
            AmountKind::Read => true,
            AmountKind::Times(factor, inner) => {
                matches!(factor.kind, ExprKind::Int(count) if (1..=100).contains(&count))
                    && Self::is_read(inner)
            }
            AmountKind::Add(left, right) => Self::is_read(left) && Self::is_read(right),
            _ => false,
        }
    }
}
