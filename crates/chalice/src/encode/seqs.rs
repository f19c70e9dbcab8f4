//! Sequences: uninterpreted functions with axioms, one set for each sort of elements that occurs.
//! Every axiom has a trigger, and no axiom by itself makes ever larger terms.

use super::Encoder;
use super::sorts::{sequence, sort_of};
use crate::hir::{Expr, Program, Type};
use crate::walk::Walk;
use logic::{Binder, Quantifier, Sort, Term};

/// The sorts of the elements of all sequences that the program can mention.
pub(crate) fn element_sorts(program: &Program) -> Vec<Sort> {
    let mut sorts = vec![Sort::Int];
    let mut add = |ty: &Type| {
        let mut ty = ty;
        while let Type::Seq(element) = ty {
            let sort = sort_of(element);
            if !sorts.contains(&sort) {
                sorts.push(sort);
            }
            ty = element;
        }
    };
    program.fields.iter().for_each(|field| add(&field.ty));
    program.functions.iter().for_each(|function| add(&function.ty));
    let mut look = |expr: &Expr| add(&expr.ty);
    Walk { expr: &mut look, amount: &mut |_| {} }.program(program);
    let locals = program.methods.iter().flat_map(|method| &method.locals);
    let locals = locals.chain(program.functions.iter().flat_map(|function| &function.locals));
    let locals = locals.chain(program.channels.iter().flat_map(|channel| &channel.locals));
    let locals = locals.chain(program.predicates.iter().flat_map(|predicate| &predicate.locals));
    locals.for_each(|local| add(&local.ty));
    sorts
}

impl Encoder<'_> {
    fn seq_apply(&mut self, name: &str, element: &Sort, args: Vec<Term>, result: Sort) -> Term {
        if !self.elements.contains(element) {
            self.elements.push(element.clone());
        }
        let func = self.func_over(&format!("{name}<{element}>"), &args, result);
        self.terms.apply(func, args)
    }

    fn element_of(&mut self, seq: Term) -> Sort {
        let sort = self.terms.sort(seq).clone();
        let found = self.known_elements.iter().find(|element| sequence(element) == sort);
        // An unsupported construct may stand where a sequence should; then nothing is proved
        // anyway.
        if let Some(found) = found {
            return found.clone();
        }
        let unknown = Sort::opaque(&format!("Unknown<{sort}>"));
        self.known_elements.push(unknown.clone());
        unknown
    }

    /// `nil`.
    pub(crate) fn seq_empty(&mut self, element: &Sort) -> Term {
        if !self.elements.contains(element) {
            self.elements.push(element.clone());
        }
        let symbol = self.terms.symbol(format!("nil<{element}>"), sequence(element));
        self.terms.constant(symbol)
    }

    /// The sequence of one element.
    pub(crate) fn seq_one(&mut self, value: Term) -> Term {
        let element = self.terms.sort(value).clone();
        self.seq_apply("one", &element, vec![value], sequence(&element))
    }

    /// `|s|`.
    pub(crate) fn seq_length(&mut self, seq: Term) -> Term {
        let element = self.element_of(seq);
        self.seq_apply("length", &element, vec![seq], Sort::Int)
    }

    /// `s[i]`.
    pub(crate) fn seq_at(&mut self, seq: Term, index: Term) -> Term {
        let seq = self.matchable(seq, index);
        let element = self.element_of(seq);
        self.seq_apply("at", &element, vec![seq, index], element.clone())
    }

    /// `s ++ t`.
    pub(crate) fn seq_append(&mut self, left: Term, right: Term) -> Term {
        let element = self.element_of(left);
        self.seq_apply("append", &element, vec![left, right], sequence(&element))
    }

    /// `s[..n]`.
    pub(crate) fn seq_take(&mut self, seq: Term, count: Term) -> Term {
        let element = self.element_of(seq);
        self.seq_apply("take", &element, vec![seq, count], sequence(&element))
    }

    /// `s[n..]`.
    pub(crate) fn seq_drop(&mut self, seq: Term, count: Term) -> Term {
        let element = self.element_of(seq);
        self.seq_apply("drop", &element, vec![seq, count], sequence(&element))
    }

    /// `[a..b]`.
    pub(crate) fn seq_range(&mut self, low: Term, high: Term) -> Term {
        self.seq_apply("range", &Sort::Int, vec![low, high], sequence(&Sort::Int))
    }

    /// `x in s`.
    pub(crate) fn seq_contains(&mut self, seq: Term, value: Term) -> Term {
        let element = self.element_of(seq);
        self.seq_apply("contains", &element, vec![seq, value], Sort::Bool)
    }

    /// `s == t`: a function of its own, so that its occurrence triggers the axioms about equality.
    pub(crate) fn seq_equal(&mut self, left: Term, right: Term) -> Term {
        let element = self.element_of(left);
        self.seq_apply("equal", &element, vec![left, right], Sort::Bool)
    }

    /// `0 <= i && i < |s|`.
    pub(crate) fn in_bounds(&mut self, seq: Term, index: Term) -> Term {
        let (zero, length) = (self.terms.int(0), self.seq_length(seq));
        let parts = vec![self.terms.le(zero, index), self.terms.lt(index, length)];
        self.terms.and(parts)
    }

    /// All axioms for the elements that occur.
    pub(crate) fn seq_facts(&mut self) -> Vec<Term> {
        let mut facts = Vec::new();
        let mut done = 0;
        while let Some(element) = self.elements.get(done).cloned() {
            facts.extend(self.seq_shape_facts(&element));
            facts.extend(self.seq_part_facts(&element));
            facts.extend(self.seq_element_facts(&element));
            if element == Sort::Int {
                facts.extend(self.seq_range_facts());
            }
            done += 1;
        }
        facts
    }

    fn axiom(&mut self, binders: &[Binder], trigger: Vec<Term>, body: Term) -> Term {
        self.terms.quantified(Quantifier::Forall, binders.to_vec(), vec![trigger], body)
    }

    /// Lengths and elements of `nil`, one element, and two sequences in a row.
    fn seq_shape_facts(&mut self, element: &Sort) -> Vec<Term> {
        let (bs, bt) =
            (self.terms.binder("s", sequence(element)), self.terms.binder("t", sequence(element)));
        let (bx, bi) = (self.terms.binder("x", element.clone()), self.terms.binder("i", Sort::Int));
        let (s, t) = (self.terms.bound(bs), self.terms.bound(bt));
        let (x, i) = (self.terms.bound(bx), self.terms.bound(bi));
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let mut facts = Vec::new();
        // 0 <= |s|, and only nil has no element.
        let length = self.seq_length(s);
        let nil = self.seq_empty(element);
        let (positive, none) = (self.terms.le(zero, length), self.terms.eq(length, zero));
        let is_nil = self.terms.eq(s, nil);
        let only_nil = self.terms.eq(none, is_nil);
        let body = self.terms.and(vec![positive, only_nil]);
        facts.push(self.axiom(&[bs], vec![length], body));
        // |[x]| == 1, [x][0] == x
        let single = self.seq_one(x);
        let (count, first) = (self.seq_length(single), self.seq_at(single, zero));
        let parts = vec![self.terms.eq(count, one), self.terms.eq(first, x)];
        let body = self.terms.and(parts);
        facts.push(self.axiom(&[bx], vec![single], body));
        // |s ++ t| == |s| + |t|
        let both = self.seq_append(s, t);
        let (whole, left, right) = (self.seq_length(both), self.seq_length(s), self.seq_length(t));
        let sum = self.terms.add(vec![left, right]);
        let body = self.terms.eq(whole, sum);
        facts.push(self.axiom(&[bs, bt], vec![both], body));
        // (s ++ t)[i] is s[i] or t[i - |s|]
        let at = self.seq_at(both, i);
        let shifted = self.terms.sub(i, left);
        let (in_left, in_right) = (self.seq_at(s, i), self.seq_at(t, shifted));
        let is_left = self.terms.lt(i, left);
        let value = self.terms.ite(is_left, in_left, in_right);
        let body = self.terms.eq(at, value);
        facts.push(self.axiom(&[bs, bt, bi], vec![at], body));
        facts
    }

    /// Lengths and elements of `s[..n]` and `s[n..]`.
    fn seq_part_facts(&mut self, element: &Sort) -> Vec<Term> {
        let bs = self.terms.binder("s", sequence(element));
        let [bn, bi] = ["n", "i"].map(|name| self.terms.binder(name, Sort::Int));
        let (s, n, i) = (self.terms.bound(bs), self.terms.bound(bn), self.terms.bound(bi));
        let zero = self.terms.int(0);
        let length = self.seq_length(s);
        let (low, high) = (self.terms.le(zero, n), self.terms.le(n, length));
        let within = self.terms.and(vec![low, high]);
        let mut facts = Vec::new();
        let (taken, dropped) = (self.seq_take(s, n), self.seq_drop(s, n));
        let (taken_length, dropped_length) = (self.seq_length(taken), self.seq_length(dropped));
        let rest = self.terms.sub(length, n);
        let body = self.terms.eq(taken_length, n);
        let body = self.terms.implies(within, body);
        facts.push(self.axiom(&[bs, bn], vec![taken], body));
        let body = self.terms.eq(dropped_length, rest);
        let body = self.terms.implies(within, body);
        facts.push(self.axiom(&[bs, bn], vec![dropped], body));
        // s[..0] == nil, s[..|s|] == s, s[0..] == s, s[|s|..] == nil
        let nil = self.seq_empty(element);
        let (at_start, at_end) = (self.terms.eq(n, zero), self.terms.eq(n, length));
        let pairs = [(taken, nil, s), (dropped, s, nil)];
        for (part, when_start, when_end) in pairs {
            let (first, last) = (self.terms.eq(part, when_start), self.terms.eq(part, when_end));
            let parts = vec![self.terms.implies(at_start, first), self.terms.implies(at_end, last)];
            let body = self.terms.and(parts);
            facts.push(self.axiom(&[bs, bn], vec![part], body));
        }
        // s[..n][i] == s[i], s[n..][i] == s[i + n]
        let (index_low, index_high) = (self.terms.le(zero, i), self.terms.lt(i, n));
        let at = self.seq_at(taken, i);
        let same = self.seq_at(s, i);
        let inside = self.terms.and(vec![index_low, index_high, within]);
        let body = self.terms.eq(at, same);
        let body = self.terms.implies(inside, body);
        facts.push(self.axiom(&[bs, bn, bi], vec![at], body));
        let at = self.seq_at(dropped, i);
        let shifted = self.terms.add(vec![i, n]);
        let same = self.seq_at(s, shifted);
        let end = self.terms.lt(shifted, length);
        let inside = self.terms.and(vec![index_low, low, end]);
        let body = self.terms.eq(at, same);
        let body = self.terms.implies(inside, body);
        facts.push(self.axiom(&[bs, bn, bi], vec![at], body));
        facts
    }

    /// Membership and equality.
    #[expect(
        clippy::many_single_char_names,
        reason = "sequences, elements and an index, as in the formulas"
    )]
    fn seq_element_facts(&mut self, element: &Sort) -> Vec<Term> {
        let [bs, bt] = ["s", "t"].map(|name| self.terms.binder(name, sequence(element)));
        let bx = self.terms.binder("x", element.clone());
        let by = self.terms.binder("y", element.clone());
        let bi = self.terms.binder("i", Sort::Int);
        let (s, t, x, y, i) = (
            self.terms.bound(bs),
            self.terms.bound(bt),
            self.terms.bound(bx),
            self.terms.bound(by),
            self.terms.bound(bi),
        );
        let mut facts = Vec::new();
        // An element has a position, and whatever has a position is an element.
        let member = self.seq_contains(s, x);
        let find = self.func_over(&format!("position<{element}>"), &[s, x], Sort::Int);
        let position = self.terms.apply(find, vec![s, x]);
        let (inside, found) = (self.in_bounds(s, position), self.seq_at(s, position));
        let parts = vec![inside, self.terms.eq(found, x)];
        let body = self.terms.and(parts);
        let body = self.terms.implies(member, body);
        facts.push(self.axiom(&[bs, bx], vec![member], body));
        let at = self.seq_at(s, i);
        let (inside, member_at) = (self.in_bounds(s, i), self.seq_contains(s, at));
        let body = self.terms.implies(inside, member_at);
        facts.push(self.axiom(&[bs, bi], vec![at], body));
        // Membership of the constructors, without positions.
        let nil = self.seq_empty(element);
        let in_nil = self.seq_contains(nil, x);
        let body = self.terms.not(in_nil);
        facts.push(self.axiom(&[bx], vec![in_nil], body));
        let single = self.seq_one(y);
        let in_single = self.seq_contains(single, x);
        let same = self.terms.eq(x, y);
        let body = self.terms.eq(in_single, same);
        facts.push(self.axiom(&[bx, by], vec![in_single], body));
        let both = self.seq_append(s, t);
        let in_both = self.seq_contains(both, x);
        let parts = vec![self.seq_contains(s, x), self.seq_contains(t, x)];
        let either = self.terms.or(parts);
        let body = self.terms.eq(in_both, either);
        facts.push(self.axiom(&[bs, bt, bx], vec![in_both], body));
        facts.extend(self.seq_equality_facts(element));
        facts
    }

    fn seq_equality_facts(&mut self, element: &Sort) -> Vec<Term> {
        let [bs, bt] = ["s", "t"].map(|name| self.terms.binder(name, sequence(element)));
        let (s, t) = (self.terms.bound(bs), self.terms.bound(bt));
        // Equal iff there is no difference, in length or at one position; that position has a name.
        let equal = self.seq_equal(s, t);
        let differ = self.func_over(&format!("difference<{element}>"), &[s, t], Sort::Int);
        let index = self.terms.apply(differ, vec![s, t]);
        let (length_s, length_t) = (self.seq_length(s), self.seq_length(t));
        let same_length = self.terms.eq(length_s, length_t);
        let (at_s, at_t) = (self.seq_at(s, index), self.seq_at(t, index));
        let inside = self.in_bounds(s, index);
        let same_there = self.terms.eq(at_s, at_t);
        let agree = self.terms.implies(inside, same_there);
        let no_difference = self.terms.and(vec![same_length, agree]);
        let is_same = self.terms.eq(s, t);
        let parts = vec![self.terms.eq(equal, is_same), self.terms.implies(no_difference, is_same)];
        let body = self.terms.and(parts);
        vec![self.axiom(&[bs, bt], vec![equal], body)]
    }

    /// Integers in order.
    fn seq_range_facts(&mut self) -> Vec<Term> {
        let [ba, bb, bi] = ["a", "b", "i"].map(|name| self.terms.binder(name, Sort::Int));
        let (a, b, i) = (self.terms.bound(ba), self.terms.bound(bb), self.terms.bound(bi));
        let zero = self.terms.int(0);
        let range = self.seq_range(a, b);
        let length = self.seq_length(range);
        let (count, ordered) = (self.terms.sub(b, a), self.terms.le(a, b));
        let size = self.terms.ite(ordered, count, zero);
        let body = self.terms.eq(length, size);
        let mut facts = vec![self.axiom(&[ba, bb], vec![range], body)];
        let at = self.seq_at(range, i);
        let value = self.terms.add(vec![a, i]);
        let inside = self.in_bounds(range, i);
        let same = self.terms.eq(at, value);
        let body = self.terms.implies(inside, same);
        facts.push(self.axiom(&[ba, bb, bi], vec![at], body));
        let member = self.seq_contains(range, i);
        let parts = vec![self.terms.le(a, i), self.terms.lt(i, b)];
        let between = self.terms.and(parts);
        let body = self.terms.eq(member, between);
        facts.push(self.axiom(&[ba, bb, bi], vec![member], body));
        facts
    }
}
