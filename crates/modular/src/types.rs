//! Plato's types as sorts, with the facts that tell which values of the sort belong to the type.
//!
//! Numbers, enumerations and thread identifiers are integers; sets and maps are arrays. A map over
//! a type that is a part of its sort has a fixed default value elsewhere, so that two maps are
//! equal as arrays iff they are equal on the type. Every operation keeps that: reading and writing
//! outside the type is an obligation that fails.

use crate::Context;
use crate::layout::between;
use logic::{Quantifier, Sort, Term};
use plato::hir::{Program, Ty};

/// Values listed instead of quantified over, at most.
pub(crate) const MAX_LISTED: i128 = 8;
/// The same where maps are written out as their cells, so that all must be listed.
pub(crate) const MORE_LISTED: i128 = 16;

/// The sort that holds the type's values.
pub(crate) fn sort(program: &Program, ty: &Ty) -> Sort {
    match ty {
        Ty::Bool => Sort::Bool,
        Ty::Int | Ty::Range(..) | Ty::Enum(_) | Ty::Tid => Sort::Int,
        Ty::Opaque(id) if program.opaques[id.index()].size.is_some() => Sort::Int,
        Ty::Opaque(id) => Sort::opaque(&format!("{}@type", program.opaques[id.index()].name)),
        Ty::Set(element) => Sort::array(sort(program, element), Sort::Bool),
        Ty::Map(key, value) => Sort::array(sort(program, key), sort(program, value)),
    }
}

impl Context<'_> {
    /// The sort that holds the type's values.
    pub fn sort(&self, ty: &Ty) -> Sort {
        sort(self.program, ty)
    }

    /// That the term is a value of the type; `None` if every value of the sort is.
    pub fn in_type(&mut self, ty: &Ty, term: Term) -> Option<Term> {
        match ty {
            Ty::Bool | Ty::Int => None,
            Ty::Opaque(id) => {
                let size = self.program.opaques[id.index()].size?;
                let (zero, last) = (self.terms.int(0), self.terms.int(i128::from(size) - 1));
                Some(between(&mut self.terms, zero, term, last))
            }
            Ty::Range(low, high) => {
                let (low, high) = (self.terms.int(*low), self.terms.int(*high));
                Some(between(&mut self.terms, low, term, high))
            }
            Ty::Enum(id) => {
                let count = self.program.enums[id.index()].variants.len();
                let last = self.terms.int(i128::try_from(count).unwrap_or(1) - 1);
                let zero = self.terms.int(0);
                Some(between(&mut self.terms, zero, term, last))
            }
            Ty::Tid => {
                let zero = self.terms.int(0);
                let last = self.layout.last;
                Some(between(&mut self.terms, zero, term, last))
            }
            Ty::Set(element) => self.every_entry(element, term, None),
            Ty::Map(key, value) => self.every_entry(key, term, Some(value)),
        }
    }

    /// `forall k :: (k in key ==> array[k] in value) && (k !in key ==> array[k] == default)`.
    fn every_entry(&mut self, key: &Ty, array: Term, value: Option<&Ty>) -> Option<Term> {
        if let Some(keys) = self.listed(key) {
            return self.every_listed_entry(key, &keys, array, value);
        }
        let binder = self.terms.binder("k", self.sort(key));
        let index = self.terms.bound(binder);
        let entry = self.terms.select(array, index);
        let inside = self.in_type(key, index);
        let mut parts = Vec::new();
        if let Some(good) = value.and_then(|value| self.in_type(value, entry)) {
            parts.push(match inside {
                Some(inside) => self.terms.implies(inside, good),
                None => good,
            });
        }
        if let Some(inside) = inside {
            let default = self.default_value(value.unwrap_or(&Ty::Bool));
            let is_default = self.terms.eq(entry, default);
            parts.push(self.terms.or(vec![inside, is_default]));
        }
        if parts.is_empty() {
            return None;
        }
        let body = self.terms.and(parts);
        Some(self.terms.quantified(Quantifier::Forall, vec![binder], vec![vec![entry]], body))
    }

    /// The same for few keys, without a quantifier: the array is the default changed at these keys.
    fn every_listed_entry(
        &mut self,
        key: &Ty,
        keys: &[Term],
        array: Term,
        value: Option<&Ty>,
    ) -> Option<Term> {
        let value = value.unwrap_or(&Ty::Bool);
        let default = self.default_value(value);
        let mut rebuilt = self.terms.const_array(self.sort(key), default);
        let mut parts = Vec::new();
        for &key in keys {
            let entry = self.terms.select(array, key);
            rebuilt = self.terms.store(rebuilt, key, entry);
            parts.extend(self.in_type(value, entry));
        }
        if *key != Ty::Bool {
            parts.push(self.terms.eq(array, rebuilt));
        }
        (!parts.is_empty()).then(|| self.terms.and(parts))
    }

    /// The value maps have outside the type of their keys.
    pub fn default_value(&mut self, ty: &Ty) -> Term {
        match ty {
            Ty::Bool => self.terms.bool(false),
            Ty::Range(low, high) if !(*low..=*high).contains(&0) => self.terms.int(*low),
            Ty::Int | Ty::Range(..) | Ty::Enum(_) | Ty::Tid => self.terms.int(0),
            Ty::Opaque(id) if self.program.opaques[id.index()].size.is_some() => self.terms.int(0),
            Ty::Opaque(_) => {
                let sort = self.sort(ty);
                let symbol = self.terms.symbol(format!("default of {sort}"), sort);
                self.terms.constant(symbol)
            }
            Ty::Set(element) => {
                let no = self.terms.bool(false);
                self.terms.const_array(self.sort(element), no)
            }
            Ty::Map(key, value) => {
                let default = self.default_value(value);
                self.terms.const_array(self.sort(key), default)
            }
        }
    }

    /// The map that is `value` on all of `key` and the default elsewhere.
    pub fn constant_map(&mut self, key: &Ty, value_ty: &Ty, value: Term) -> Term {
        let default = self.default_value(value_ty);
        let binder = self.terms.binder("k", self.sort(key));
        let index = self.terms.bound(binder);
        let Some(inside) = self.in_type(key, index).filter(|_| value != default) else {
            return self.terms.const_array(self.sort(key), value);
        };
        if let Some(values) = self.listed(key) {
            let start = self.terms.const_array(self.sort(key), default);
            return values.into_iter().fold(start, |map, key| self.terms.store(map, key, value));
        }
        // A function of the value, with its meaning as an axiom.
        let map_sort = Sort::array(self.sort(key), self.sort(value_ty));
        let value_sort = self.sort(value_ty);
        let func = self.terms.func(
            // The default depends on the type of the values, so that is part of the name.
            &format!("constant {map_sort} {key:?} {value_ty:?}"),
            vec![value_sort.clone()],
            map_sort,
        );
        if !self.constant_maps.insert(func) {
            return self.terms.apply(func, vec![value]);
        }
        let value_binder = self.terms.binder("v", value_sort);
        let any_value = self.terms.bound(value_binder);
        let map = self.terms.apply(func, vec![any_value]);
        let entry = self.terms.select(map, index);
        let expected = self.terms.ite(inside, any_value, default);
        let same = self.terms.eq(entry, expected);
        let axiom = self.terms.quantified(
            Quantifier::Forall,
            vec![value_binder, binder],
            vec![vec![entry]],
            same,
        );
        self.axioms.push(axiom);
        self.terms.apply(func, vec![value])
    }

    /// All values of a small type.
    pub fn listed(&mut self, ty: &Ty) -> Option<Vec<Term>> {
        let (low, high) = match ty {
            Ty::Bool => return Some(vec![self.terms.bool(false), self.terms.bool(true)]),
            Ty::Range(low, high) => (*low, *high),
            Ty::Enum(id) => (
                0,
                i128::try_from(self.program.enums[id.index()].variants.len()).unwrap_or(i128::MAX)
                    - 1,
            ),
            Ty::Tid => (0, i128::from(self.layout.total?)),
            Ty::Opaque(id) => (0, i128::from(self.program.opaques[id.index()].size?) - 1),
            Ty::Int | Ty::Set(_) | Ty::Map(..) => return None,
        };
        let count = high.checked_sub(low)?.checked_add(1)?;
        (count <= self.most_listed)
            .then(|| (low..=high).map(|value| self.terms.int(value)).collect())
    }
}
