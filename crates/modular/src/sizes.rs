//! How many elements a set has.
//!
//! Where the values of the elements can be listed, the size is a sum. Otherwise it is a function of
//! the set with axioms. They are true of the function that counts those values of the type which
//! are in the set, and ignores all others: the type has finitely many values, since every run has
//! finitely many threads. So the axioms contradict nothing, whatever the sets are.

use crate::Context;
use logic::{Func, Quantifier, Sort, Term};
use plato::hir::Ty;

impl Context<'_> {
    /// The term of `#set`.
    pub(crate) fn set_size(&mut self, ty: &Ty, set: Term) -> Term {
        let Ty::Set(element) = ty else { panic!("internal error: only sets have a size") };
        if let Some(values) = self.listed(element) {
            let (one, none) = (self.terms.int(1), self.terms.int(0));
            let mut counts = vec![none];
            for value in values {
                let is_in = self.terms.select(set, value);
                counts.push(self.terms.ite(is_in, one, none));
            }
            return self.terms.add(counts);
        }
        let sort = self.sort(ty);
        let func = self.terms.func(&format!("size of {element:?}"), vec![sort], Sort::Int);
        if self.sized.insert(func) {
            self.size_axioms(func, element);
        }
        self.terms.apply(func, vec![set])
    }

    /// What is true of the sizes of all sets `s`, and of all values `k`.
    fn size_axioms(&mut self, func: Func, element: &Ty) {
        let (zero, one, less) = (self.terms.int(0), self.terms.int(1), self.terms.int(-1));
        // #{} == 0
        let empty = self.empty_set(element);
        let none = self.terms.apply(func, vec![empty]);
        let axiom = self.terms.eq(none, zero);
        self.axioms.push(axiom);
        // 0 <= #s
        self.for_all_sets(func, element, |context, any| {
            let axiom = context.terms.le(zero, any.size);
            (vec![vec![any.size]], axiom)
        });
        // k in s ==> 1 <= #s
        self.for_all_sets(func, element, |context, any| {
            let is_in = context.terms.and(vec![any.is_value, any.entry]);
            let some = context.terms.le(one, any.size);
            (vec![vec![any.size, any.entry]], context.terms.implies(is_in, some))
        });
        // #(s + {k}) == #s + (k in s ? 0 : 1)
        self.for_all_sets(func, element, |context, any| {
            let absent = context.terms.not(any.entry);
            let grows = context.terms.and(vec![any.is_value, absent]);
            context.size_after(func, any, (true, grows, one))
        });
        // #(s - {k}) == #s - (k in s ? 1 : 0)
        self.for_all_sets(func, element, |context, any| {
            let shrinks = context.terms.and(vec![any.is_value, any.entry]);
            context.size_after(func, any, (false, shrinks, less))
        });
        // #s == 0 ==> s == {}, unless s has an element that is no value of the type
        self.for_all_sets(func, element, |context, any| {
            let (key, sort) = (context.sort(element), context.terms.sort(any.set).clone());
            let odd = context.terms.func(&format!("odd one in {element:?}"), vec![sort], key);
            let odd = context.terms.apply(odd, vec![any.set]);
            let has_odd = context.terms.select(any.set, odd);
            let is_value = context.is_value(element, odd);
            let is_odd = context.terms.not(is_value);
            let odd = context.terms.and(vec![has_odd, is_odd]);
            let is_empty = context.terms.eq(any.set, empty);
            let is_none = context.terms.eq(any.size, zero);
            let ways = context.terms.or(vec![is_empty, odd]);
            (vec![vec![any.size]], context.terms.implies(is_none, ways))
        });
    }

    /// The size after an element was put in or taken out.
    fn size_after(
        &mut self,
        func: Func,
        any: &Any,
        (is_in, changes, by): (bool, Term, Term),
    ) -> (Vec<Vec<Term>>, Term) {
        let is_in = self.terms.bool(is_in);
        let changed = self.terms.store(any.set, any.value, is_in);
        let after = self.terms.apply(func, vec![changed]);
        let zero = self.terms.int(0);
        let by = self.terms.ite(changes, by, zero);
        let expected = self.terms.add(vec![any.size, by]);
        // Also where only the size before is asked for.
        (vec![vec![after], vec![any.size, changed]], self.terms.eq(after, expected))
    }

    fn empty_set(&mut self, element: &Ty) -> Term {
        let no = self.terms.bool(false);
        self.terms.const_array(self.sort(element), no)
    }

    fn is_value(&mut self, ty: &Ty, term: Term) -> Term {
        let inside = self.in_type(ty, term);
        inside.unwrap_or_else(|| self.terms.bool(true))
    }

    /// An axiom about any set and value; the terms beside it say where it is used.
    fn for_all_sets(
        &mut self,
        func: Func,
        element: &Ty,
        axiom: impl FnOnce(&mut Self, &Any) -> (Vec<Vec<Term>>, Term),
    ) {
        let key = self.sort(element);
        let set_binder = self.terms.binder("s", Sort::array(key.clone(), Sort::Bool));
        let value_binder = self.terms.binder("k", key);
        let set = self.terms.bound(set_binder);
        let value = self.terms.bound(value_binder);
        let size = self.terms.apply(func, vec![set]);
        let entry = self.terms.select(set, value);
        let is_value = self.is_value(element, value);
        let (triggers, body) = axiom(self, &Any { set, value, size, entry, is_value });
        let is_about_set = triggers == [[size]];
        let binders = if is_about_set { vec![set_binder] } else { vec![set_binder, value_binder] };
        let axiom = self.terms.quantified(Quantifier::Forall, binders, triggers, body);
        self.axioms.push(axiom);
    }
}

/// Any set and any value.
struct Any {
    set: Term,
    value: Term,
    size: Term,
    /// Whether the value is in the set.
    entry: Term,
    /// Whether the value is one of the type.
    is_value: Term,
}
