//! Types, places and built-in notions in logic.

use super::Encoder;
use crate::hir::{ClassId, FieldId, Loc, PredicateId, Type};
use logic::{Func, Quantifier, Sort, Term};

/// A target of permissions: a location of each object, or a predicate of each object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    /// A location.
    Loc(Loc),
    /// A predicate. Its "value" is the snapshot of what it holds.
    Predicate(PredicateId),
}

/// The sort of objects, channels, tokens and null.
pub(crate) fn reference() -> Sort {
    Sort::opaque("Ref")
}

/// Positions in the locking order.
pub(crate) fn position() -> Sort {
    Sort::opaque("Mu")
}

/// The values of everything that a predicate holds, taken together.
pub(crate) fn snapshot() -> Sort {
    Sort::opaque("Snapshot")
}

/// The sort of a type.
pub(crate) fn sort_of(ty: &Type) -> Sort {
    match ty {
        Type::Int | Type::Unsupported => Sort::Int,
        Type::Bool => Sort::Bool,
        Type::Str => Sort::opaque("Text"),
        Type::Object(_) | Type::Channel(_) | Type::Token(_) | Type::Null => reference(),
        Type::Mu => position(),
        Type::Seq(element) => sequence(&sort_of(element)),
    }
}

/// Sequences of such elements.
pub(crate) fn sequence(element: &Sort) -> Sort {
    Sort::opaque(&format!("Seq<{element}>"))
}

impl Encoder<'_> {
    /// The sort of what a place holds.
    pub(crate) fn place_sort(&self, place: Place) -> Sort {
        match place {
            Place::Loc(Loc::Field(id)) => sort_of(&self.program.fields[id.index()].ty),
            Place::Loc(Loc::Mu) => position(),
            Place::Loc(Loc::Joinable) => Sort::Bool,
            Place::Predicate(_) => snapshot(),
        }
    }

    /// The sort of what owns a place: an object, or for a predicate with parameters the object with
    /// its arguments.
    pub(crate) fn key_sort(&self, place: Place) -> Sort {
        match place {
            Place::Predicate(id) if !self.program.predicates[id.index()].params.is_empty() => {
                Sort::opaque(&format!("Instance<{}>", self.predicate_name(id)))
            }
            _ => reference(),
        }
    }

    /// The name of a place in symbols and pictures.
    pub(crate) fn place_name(&self, place: Place) -> String {
        match place {
            Place::Loc(Loc::Field(id)) => self.field_name(id),
            Place::Loc(Loc::Mu) => "mu".to_owned(),
            Place::Loc(Loc::Joinable) => "joinable".to_owned(),
            Place::Predicate(id) => self.predicate_name(id),
        }
    }

    fn field_name(&self, id: FieldId) -> String {
        let field = &self.program.fields[id.index()];
        format!("{}.{}", self.program.classes[field.class.index()].name, field.name)
    }

    fn predicate_name(&self, id: PredicateId) -> String {
        let predicate = &self.program.predicates[id.index()];
        format!("{}.{}", self.program.classes[predicate.class.index()].name, predicate.name)
    }

    /// The places that the declaration can be about.
    pub(crate) fn all_places(&self) -> Vec<Place> {
        self.places.clone()
    }

    /// The fields of a class as locations, built-in ones excluded.
    pub(crate) fn locations_of(&self, class: ClassId) -> Vec<Loc> {
        self.program.classes[class.index()].fields.iter().map(|&id| Loc::Field(id)).collect()
    }

    /// `null`.
    pub(crate) fn null(&mut self) -> Term {
        let symbol = self.terms.symbol("null", reference());
        self.terms.constant(symbol)
    }

    /// `lockbottom`.
    pub(crate) fn lock_bottom(&mut self) -> Term {
        let symbol = self.terms.symbol("lockbottom", position());
        self.terms.constant(symbol)
    }

    /// The strict order of positions.
    pub(crate) fn below(&mut self, low: Term, high: Term) -> Term {
        let func = self.terms.func("below", vec![position(), position()], Sort::Bool);
        self.terms.apply(func, vec![low, high])
    }

    /// The time at which the object was made: existing objects were made before now, a new one is
    /// made now.
    fn birth(&mut self, object: Term) -> Term {
        let func = self.terms.func("birth", vec![reference()], Sort::Int);
        self.terms.apply(func, vec![object])
    }

    /// The number of the object's type.
    fn type_of(&mut self, object: Term) -> Term {
        let func = self.terms.func("type", vec![reference()], Sort::Int);
        self.terms.apply(func, vec![object])
    }

    /// The facts about every value of a type in a running program: a reference leads to an object
    /// that exists and has the right type.
    pub(crate) fn fact_of_value(&mut self, value: Term, ty: &Type) -> Option<Term> {
        let right = self.fact_of_type(value, ty)?;
        let (now, birth) = (self.clock(), self.birth(value));
        let exists = self.terms.lt(birth, now);
        Some(self.terms.and(vec![exists, right]))
    }

    /// The facts about every value of a type at any time, also about objects that are yet to be
    /// made.
    pub(crate) fn fact_of_type(&mut self, value: Term, ty: &Type) -> Option<Term> {
        let number = Self::type_number(ty)?;
        let (null, kind) = (self.null(), self.type_of(value));
        let none = self.terms.eq(value, null);
        let number = self.terms.int(number);
        let right = self.terms.eq(kind, number);
        Some(self.terms.or(vec![none, right]))
    }

    /// The facts about an object that is made now, apart from its fields.
    pub(crate) fn fact_of_new(&mut self, object: Term, ty: &Type) -> Term {
        let number = Self::type_number(ty).unwrap_or_default();
        let now = self.clock();
        let (null, birth, kind) = (self.null(), self.birth(object), self.type_of(object));
        let (number, none) = (self.terms.int(number), self.terms.eq(object, null));
        let parts =
            vec![self.terms.not(none), self.terms.eq(birth, now), self.terms.eq(kind, number)];
        self.terms.and(parts)
    }

    fn type_number(ty: &Type) -> Option<i128> {
        let (kind, index) = match ty {
            Type::Object(id) => (0, id.0),
            Type::Channel(id) => (1, id.0),
            Type::Token(id) => (2, id.0),
            _ => return None,
        };
        Some(i128::from(index) * 3 + kind)
    }

    /// Zero of a type: 0, false, null, the empty sequence.
    pub(crate) fn zero(&mut self, ty: &Type) -> Term {
        match ty {
            Type::Int | Type::Unsupported => self.terms.int(0),
            Type::Bool => self.terms.bool(false),
            Type::Str => self.text(""),
            Type::Object(_) | Type::Channel(_) | Type::Token(_) | Type::Null => self.null(),
            Type::Mu => self.lock_bottom(),
            Type::Seq(element) => self.seq_empty(&sort_of(element)),
        }
    }

    /// A text. [`Encoder::background_facts`] says that different texts differ.
    pub(crate) fn text(&mut self, text: &str) -> Term {
        let symbol = self.terms.symbol(format!("text@{text}"), Sort::opaque("Text"));
        let term = self.terms.constant(symbol);
        self.texts.insert(term);
        term
    }

    /// The snapshot constructor of a predicate, or the symbol of a function: uninterpreted, over
    /// everything it needs.
    pub(crate) fn func_over(&mut self, name: &str, args: &[Term], result: Sort) -> Func {
        let sorts = args.iter().map(|&arg| self.terms.sort(arg).clone()).collect();
        self.terms.func(name, sorts, result)
    }

    /// The facts about the built-in notions: a strict partial order with a bottom; the parts that
    /// `rd` stands for.
    pub(crate) fn background_facts(&mut self) -> Vec<Term> {
        let mut facts = self.order_facts();
        facts.extend(self.read_part_facts());
        facts.extend(self.instance_facts());
        facts.extend(self.limited_map_facts());
        facts.extend(self.seq_facts());
        let texts: Vec<Term> = self.texts.iter().copied().collect();
        facts.push(self.terms.distinct(texts));
        facts
    }

    /// Paper 3, section 3: the order is a strict partial order. Density is used where a position is
    /// chosen.
    fn order_facts(&mut self) -> Vec<Term> {
        let binders = ["a", "b", "c"].map(|name| self.terms.binder(name, position()));
        let [x, y, z] = binders.map(|binder| self.terms.bound(binder));
        let (xy, yz, xz) = (self.below(x, y), self.below(y, z), self.below(x, z));
        let both = self.terms.and(vec![xy, yz]);
        let transitive = self.terms.implies(both, xz);
        let transitive = self.terms.quantified(
            Quantifier::Forall,
            binders.to_vec(),
            vec![vec![xy, yz]],
            transitive,
        );
        let yx = self.below(y, x);
        let not_back = self.terms.not(yx);
        let asymmetric = self.terms.implies(xy, not_back);
        let asymmetric = self.terms.quantified(
            Quantifier::Forall,
            binders[..2].to_vec(),
            vec![vec![xy]],
            asymmetric,
        );
        // Bottom is below everything else.
        let bottom = self.lock_bottom();
        let (lowest, under) = (self.below(bottom, x), self.below(x, bottom));
        let is_bottom = self.terms.eq(x, bottom);
        let above = self.terms.eq(lowest, is_bottom);
        let above = self.terms.not(above);
        let above = self.terms.quantified(
            Quantifier::Forall,
            binders[..1].to_vec(),
            vec![vec![lowest]],
            above,
        );
        let nothing = self.terms.not(under);
        let nothing = self.terms.quantified(
            Quantifier::Forall,
            binders[..1].to_vec(),
            vec![vec![under]],
            nothing,
        );
        vec![transitive, asymmetric, above, nothing]
    }
}
