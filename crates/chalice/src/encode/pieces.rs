//! The pieces of an assertion: the places that it gives permission to, in the order in which they
//! are written.
//!
//! Besides its parameters, an assertion depends on the values of its pieces. A predicate's value is
//! the snapshot of its pieces; a function is a function of its parameters and the values of the
//! pieces of its precondition. So a function's value depends exactly on its arguments, and no frame
//! axiom is needed.
//!
//! DIVERGENCE: the Chalice tool frames functions by versions of predicates and axioms over heaps.
//! Here, folding and unfolding keep values because of the projections of snapshots:
//! `projection_i(snapshot_P(v_1, .., v_n)) == v_i`.

use super::parts::Portion;
use super::sorts::{Place, reference, sequence, snapshot};
use super::state::{Env, Mask, State};
use super::{Encoder, amount::Reader};
use crate::hir::{
    Amount, Assertion, AssertionKind, Expr, Loc, PredicateAccess, PredicateId, Quantified, Target,
};
use logic::{Quantifier, Sort, Term};
use std::collections::BTreeMap;

/// One place, or one place of each element of a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Its number in the assertion.
    pub(crate) index: usize,
    /// It is there only if this holds.
    pub(crate) guard: Term,
    pub(crate) place: Place,
    /// The object, or the instance of the predicate.
    pub(crate) owner: PieceOwner,
    pub(crate) amount: Amount,
}

/// An unfolded predicate.
struct Unfolding {
    predicate: PredicateId,
    key: Term,
    /// Its snapshot.
    taken: Term,
    /// The permissions beside it.
    before: BTreeMap<Place, Mask>,
}

/// Whose place it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PieceOwner {
    One(Term),
    /// Every element of a sequence.
    Each(Term),
}

/// The pieces found so far, and the function that is called with each.
struct Finder<'f, 'p> {
    list: Vec<Piece>,
    found: &'f mut dyn FnMut(&mut Encoder<'p>, &mut Env, &Piece),
}

impl<'p> Finder<'_, 'p> {
    fn piece(&mut self, encoder: &mut Encoder<'p>, env: &mut Env, portion: &Portion<'_>) {
        let Portion { place, owner, amount, .. } = *portion;
        let guard = encoder.if_some(portion, env);
        let index = self.list.len();
        let piece = Piece { index, guard, place, owner, amount: amount.clone() };
        (self.found)(encoder, env, &piece);
        self.list.push(piece);
    }
}

impl<'p> Encoder<'p> {
    /// Finds the pieces of several assertions, given the values of the state for conditions and
    /// receivers.
    ///
    /// Conditions may depend on pieces before them. In a state made of projections those come
    /// first, so the state is built while the pieces are found: `found` is called with each piece
    /// and may change the state.
    pub(crate) fn pieces(
        &mut self,
        assertions: &[Assertion],
        env: &mut Env,
        found: &mut dyn FnMut(&mut Self, &mut Env, &Piece),
    ) -> Vec<Piece> {
        let mut finder = Finder { list: Vec::new(), found };
        let yes = self.terms.bool(true);
        for assertion in assertions {
            self.collect(assertion, env, yes, &mut finder);
        }
        finder.list
    }

    fn collect(
        &mut self,
        assertion: &Assertion,
        env: &mut Env,
        guard: Term,
        found: &mut Finder<'_, 'p>,
    ) {
        match &assertion.kind {
            AssertionKind::Pure(_) | AssertionKind::Credit(..) => {}
            AssertionKind::And(parts) => {
                parts.iter().for_each(|part| self.collect(part, env, guard, found));
            }
            AssertionKind::Implies(premise, conclusion) => {
                let premise = self.value(premise, env);
                let guard = self.terms.and(vec![guard, premise]);
                self.collect(conclusion, env, guard, found);
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                let condition = self.value(condition, env);
                let (yes, no) = self.both_ways(guard, condition);
                self.collect(then, env, yes, found);
                self.collect(otherwise, env, no, found);
            }
            AssertionKind::Access(..) | AssertionKind::Predicate(_) | AssertionKind::Forall(_) => {
                for portion in self.portions(guard, assertion, env) {
                    found.piece(self, env, &portion);
                }
            }
            AssertionKind::Unsupported(what) => self.unsupported(what, assertion.span),
        }
    }

    /// `forall x in s :: acc(x.f, amount)`: a place of every element, if it has that form.
    pub(crate) fn each_of<'e>(
        &mut self,
        quantified: &'e Quantified<Assertion>,
        env: &Env,
    ) -> Option<(PieceOwner, Place, &'e Amount)> {
        let (range, [local]) = (quantified.range.as_ref()?, &quantified.binders[..]) else {
            return None;
        };
        let AssertionKind::Access(Target::One(receiver, loc), amount) = &quantified.body.kind
        else {
            return None;
        };
        if !matches!(receiver.kind, crate::hir::ExprKind::Local(id) if id == *local) {
            return None;
        }
        let seq = self.value(range, env);
        Some((PieceOwner::Each(seq), Place::Loc(*loc), amount))
    }

    /// The places that a target names.
    pub(crate) fn owners(&mut self, target: &Target, env: &Env) -> Vec<(Place, PieceOwner)> {
        match target {
            Target::One(object, loc) => {
                let object = self.value(object, env);
                vec![(Place::Loc(*loc), PieceOwner::One(object))]
            }
            Target::All(object, class) => {
                let object = self.value(object, env);
                let places = self.locations_of(*class).into_iter();
                places.map(|loc| (Place::Loc(loc), PieceOwner::One(object))).collect()
            }
            Target::Each(seq, loc) => {
                let seq = self.value(seq, env);
                vec![(Place::Loc(*loc), PieceOwner::Each(seq))]
            }
            Target::EachAll(seq, class) => {
                let seq = self.value(seq, env);
                let places = self.locations_of(*class).into_iter();
                places.map(|loc| (Place::Loc(loc), PieceOwner::Each(seq))).collect()
            }
        }
    }

    /// The instance of a predicate: its receiver, or the receiver with the arguments.
    pub(crate) fn key_of(&mut self, access: &PredicateAccess, env: &Env) -> Term {
        let receiver = self.value(&access.receiver, env);
        let args: Vec<Term> = access.args.iter().map(|arg| self.value(arg, env)).collect();
        self.instance(access.predicate, receiver, args)
    }

    fn instance(&mut self, predicate: PredicateId, receiver: Term, args: Vec<Term>) -> Term {
        if args.is_empty() {
            return receiver;
        }
        let place = Place::Predicate(predicate);
        let (name, sort) = (self.place_name(place), self.key_sort(place));
        let mut all = vec![receiver];
        all.extend(args);
        let func = self.func_over(&format!("instance:{name}"), &all, sort);
        let key = self.terms.apply(func, all);
        self.instances_used.insert(predicate);
        key
    }

    /// The value of a piece in a state; a piece that is not there has some fixed value.
    pub(crate) fn piece_value(&mut self, piece: &Piece, state: &State) -> Term {
        let value = match piece.owner {
            PieceOwner::One(key) => self.read(state, piece.place, key),
            PieceOwner::Each(seq) => self.only(seq, state.heap[&piece.place]),
        };
        let sort = self.terms.sort(value).clone();
        let nothing = self.terms.symbol(format!("nothing<{sort}>"), sort);
        let nothing = self.terms.constant(nothing);
        self.terms.ite(piece.guard, value, nothing)
    }

    /// The map, restricted to the elements of the sequence.
    fn only(&mut self, seq: Term, map: Term) -> Term {
        let sort = self.terms.sort(map).clone();
        self.limited_maps.insert(sort.clone());
        let func = self.func_over(&format!("only<{sort}>"), &[seq, map], sort);
        self.terms.apply(func, vec![seq, map])
    }

    /// A limited map has the values of the map at the elements of the sequence, and depends on
    /// nothing else: if two of them differ, there is an element at which the maps differ.
    pub(crate) fn limited_map_facts(&mut self) -> Vec<Term> {
        let mut facts = Vec::new();
        for sort in self.limited_maps.clone() {
            let seqs = self.terms.binder("s", sequence(&reference()));
            let maps = ["m", "n"].map(|name| self.terms.binder(name, sort.clone()));
            let objects = self.terms.binder("o", reference());
            let (seq, object) = (self.terms.bound(seqs), self.terms.bound(objects));
            let [map, other] = maps.map(|binder| self.terms.bound(binder));
            let (limited, limited_other) = (self.only(seq, map), self.only(seq, other));
            let value = self.terms.select(limited, object);
            let (inside, whole) = (self.seq_contains(seq, object), self.terms.select(map, object));
            let same = self.terms.eq(value, whole);
            let body = self.terms.implies(inside, same);
            let binders = vec![seqs, maps[0], objects];
            let trigger = vec![vec![value]];
            facts.push(self.terms.quantified(Quantifier::Forall, binders, trigger, body));
            let name = format!("differ<{sort}>");
            let differ = self.func_over(&name, &[seq, map, other], reference());
            let at = self.terms.apply(differ, vec![seq, map, other]);
            let (here, there) = (self.terms.select(map, at), self.terms.select(other, at));
            let (same, inside) = (self.terms.eq(here, there), self.seq_contains(seq, at));
            let differs = self.terms.not(same);
            let differs = self.terms.and(vec![inside, differs]);
            let equal = self.terms.eq(limited, limited_other);
            let body = self.terms.or(vec![differs, equal]);
            let binders = vec![seqs, maps[0], maps[1]];
            let trigger = vec![vec![limited, limited_other]];
            facts.push(self.terms.quantified(Quantifier::Forall, binders, trigger, body));
        }
        facts
    }

    /// The snapshot that a predicate has when its pieces have these values; adds the facts about
    /// it.
    pub(crate) fn snapshot_of(&mut self, predicate: PredicateId, values: &[Term]) -> Term {
        let name = self.place_name(Place::Predicate(predicate));
        let func = self.func_over(&format!("snapshot:{name}"), values, snapshot());
        self.terms.apply(func, values.to_vec())
    }

    /// The value that the `index`th piece had when the snapshot was taken.
    pub(crate) fn projection(
        &mut self,
        predicate: PredicateId,
        index: usize,
        taken: Term,
        sort: Sort,
    ) -> Term {
        let name = self.place_name(Place::Predicate(predicate));
        let func = self.terms.func(&format!("projection:{name}:{index}"), vec![snapshot()], sort);
        self.terms.apply(func, vec![taken])
    }

    /// The meaning of the names in a predicate's body, for an instance.
    pub(crate) fn body_env(&mut self, access: &PredicateAccess, env: &Env) -> Env {
        let predicate = &self.program.predicates[access.predicate.index()];
        let receiver = self.value(&access.receiver, env);
        let mut locals = BTreeMap::new();
        for (&param, arg) in predicate.params.iter().zip(&access.args) {
            let arg = self.value(arg, env);
            locals.insert(param, arg);
        }
        Env {
            state: env.state.clone(),
            old: None,
            this: Some(receiver),
            locals,
            result: None,
            read: Some(self.read_part(Reader::Predicate)),
            limited: env.limited,
            unframed: false,
        }
    }

    /// The meaning of names in a state in which the predicate is unfolded: its pieces are in the
    /// heap, and the thread has permission to them.
    pub(crate) fn unfolded(&mut self, access: &PredicateAccess, env: &Env) -> Env {
        let (_, env, _) = self.look_into(access, env);
        env
    }

    /// Like `unfolded`, with the facts that follow because the predicate is held.
    pub(crate) fn unfolded_with_facts(
        &mut self,
        access: &PredicateAccess,
        env: &Env,
    ) -> (Env, Vec<Term>) {
        let (inner, outer, mut facts) = self.look_into(access, env);
        let program = self.program;
        let predicate = &program.predicates[access.predicate.index()];
        let saved = std::mem::replace(&mut self.locals, &predicate.locals);
        facts.extend(self.formulas(std::slice::from_ref(&predicate.body), &inner));
        self.locals = saved;
        (outer, facts)
    }

    /// The meaning of the names of the predicate's body and of those outside, in the state in which
    /// it is unfolded, and the facts about its pieces.
    fn look_into(&mut self, access: &PredicateAccess, env: &Env) -> (Env, Env, Vec<Term>) {
        let program = self.program;
        let predicate = &program.predicates[access.predicate.index()];
        let key = self.key_of(access, env);
        let place = Place::Predicate(access.predicate);
        let taken = self.read(&env.state, place, key);
        let mut inner = self.body_env(access, env);
        let unfolding = Unfolding {
            predicate: access.predicate,
            key,
            taken,
            before: self.without(env, place, key, access),
        };
        let mut facts = vec![self.opened(taken)];
        let saved = std::mem::replace(&mut self.locals, &predicate.locals);
        self.pieces(
            std::slice::from_ref(&predicate.body),
            &mut inner,
            &mut |encoder, inner, piece| {
                encoder.unfold_piece(&unfolding, inner, piece, &mut facts);
            },
        );
        self.locals = saved;
        let outer = Env { state: inner.state.clone(), ..env.clone() };
        (inner, outer, facts)
    }

    /// The permissions that are left without the predicate.
    fn without(
        &mut self,
        env: &Env,
        place: Place,
        key: Term,
        access: &PredicateAccess,
    ) -> BTreeMap<Place, Mask> {
        let mut masks = env.state.mask.clone();
        if let Some(mask) = masks.get_mut(&place) {
            let held = self.terms.select(mask.parts, key);
            let amount = self.amount(&access.amount, env);
            let left = self.terms.sub(held, amount.parts);
            mask.parts = self.terms.store(mask.parts, key, left);
        }
        masks
    }

    /// Puts the value of a piece, taken from the snapshot, into the heap of `env`, unless it is
    /// known there already.
    fn unfold_piece(
        &mut self,
        unfolding: &Unfolding,
        env: &mut Env,
        piece: &Piece,
        facts: &mut Vec<Term>,
    ) {
        let PieceOwner::One(key) = piece.owner else {
            return self.unfold_each(unfolding, env, piece);
        };
        let heap = env.state.heap[&piece.place];
        let sort = self.place_sort(piece.place);
        let value = self.projection(unfolding.predicate, piece.index, unfolding.taken, sort);
        let stored = self.terms.store(heap, key, value);
        // Where the thread has permission of its own, the heap has the same value as the snapshot,
        // and more is known of it.
        let known = match unfolding.before.get(&piece.place) {
            Some(mask) => {
                let held = self.terms.select(mask.parts, key);
                let zero = self.terms.real(0, 1);
                self.terms.lt(zero, held)
            }
            None => self.terms.bool(false),
        };
        let there = self.terms.select(heap, key);
        let same = self.terms.eq(there, value);
        let both = self.terms.and(vec![piece.guard, known]);
        facts.push(self.terms.implies(both, same));
        facts.extend(self.depth_fact(unfolding, piece, value));
        let unknown = self.terms.not(known);
        let needed = self.terms.and(vec![piece.guard, unknown]);
        let heap = self.terms.ite(needed, stored, heap);
        env.state.heap.insert(piece.place, heap);
        if let Some(mask) = env.state.mask.get_mut(&piece.place) {
            let full = self.terms.real(100, 1);
            let more = self.terms.store(mask.parts, key, full);
            mask.parts = self.terms.ite(piece.guard, more, mask.parts);
        }
        facts.extend(self.fact_of_piece(piece, value));
    }

    /// A predicate inside another is less deep and a different one: predicates are folded one by
    /// one, so none contains itself.
    fn depth_fact(&mut self, unfolding: &Unfolding, piece: &Piece, value: Term) -> Option<Term> {
        let Place::Predicate(inner) = piece.place else { return None };
        let (whole, part) = (self.rank(unfolding.taken), self.rank(value));
        let zero = self.terms.int(0);
        let mut parts = vec![self.terms.le(zero, part), self.terms.lt(part, whole)];
        if let (true, PieceOwner::One(key)) = (inner == unfolding.predicate, piece.owner) {
            let same = self.terms.eq(key, unfolding.key);
            parts.push(self.terms.not(same));
        }
        let fact = self.terms.and(parts);
        Some(self.terms.implies(piece.guard, fact))
    }

    fn fact_of_piece(&mut self, piece: &Piece, value: Term) -> Option<Term> {
        let Place::Loc(Loc::Field(id)) = piece.place else { return None };
        let ty = self.program.fields[id.index()].ty.clone();
        let fact = self.fact_of_value(value, &ty)?;
        Some(self.terms.implies(piece.guard, fact))
    }

    /// The same for every element of a sequence. Only definitions of functions need it, and they
    /// ask for no permissions.
    fn unfold_each(&mut self, unfolding: &Unfolding, env: &mut Env, piece: &Piece) {
        if !env.state.mask.is_empty() {
            self.unsupported(
                "unfolding permissions to the elements of a sequence",
                piece.amount.span,
            );
        }
        let heap = env.state.heap[&piece.place];
        let sort = self.terms.sort(heap).clone();
        let value = self.projection(unfolding.predicate, piece.index, unfolding.taken, sort);
        let heap = self.terms.ite(piece.guard, value, heap);
        env.state.heap.insert(piece.place, heap);
    }

    /// Different arguments make different instances: each argument can be computed from the
    /// instance.
    pub(crate) fn instance_facts(&mut self) -> Vec<Term> {
        let mut facts = Vec::new();
        for id in self.instances_used.clone() {
            let program = self.program;
            let predicate = &program.predicates[id.index()];
            let mut sorts = vec![reference()];
            let params = predicate.params.iter();
            sorts.extend(params.map(|p| super::sorts::sort_of(&predicate.locals[p.index()].ty)));
            let binders: Vec<_> =
                sorts.iter().map(|sort| self.terms.binder("x", sort.clone())).collect();
            let args: Vec<Term> = binders.iter().map(|&binder| self.terms.bound(binder)).collect();
            let key = self.instance(id, args[0], args[1..].to_vec());
            let (name, sort) =
                (self.place_name(Place::Predicate(id)), self.terms.sort(key).clone());
            let mut parts = Vec::new();
            for (index, &arg) in args.iter().enumerate() {
                let result = sorts[index].clone();
                let inverse = format!("instance:{name}:{index}");
                let inverse = self.terms.func(&inverse, vec![sort.clone()], result);
                let back = self.terms.apply(inverse, vec![key]);
                parts.push(self.terms.eq(back, arg));
            }
            let body = self.terms.and(parts);
            facts.push(self.terms.quantified(Quantifier::Forall, binders, vec![vec![key]], body));
        }
        facts
    }

    /// The receiver of an expression that names a place, for messages.
    pub(crate) fn receiver_of(target: &Target) -> &Expr {
        let (Target::One(expr, _)
        | Target::All(expr, _)
        | Target::Each(expr, _)
        | Target::EachAll(expr, _)) = target;
        expr
    }
}
