//! Quantifiers over numbers: the keys of the window, and what is below and above.

use super::{Cells, NotWritten, Shape, Written};
use crate::Sort;
use crate::term::{ArithmeticOp, Binder, Node, Quantifier, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a bound number is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    At(Term),
    /// Less than every key of the window.
    Below,
    /// Greater than every key of the window.
    Above,
    Anywhere,
}

impl Cells {
    /// `forall i :: P(i)` is `P(0) && .. && P(last)`, and the same for all `i` below and above.
    pub(super) fn quantified(
        &mut self,
        terms: &mut Terms,
        (quantifier, binders): (Quantifier, &[Binder]),
        body: Term,
        depth: usize,
    ) -> Written<Term> {
        let Some((&first, rest)) = binders.split_first() else {
            return self.one(terms, body, depth);
        };
        let sort = terms.binder_info(first).1.clone();
        let places = match sort {
            Sort::Bool => [false, true].map(|value| Place::At(terms.bool(value))).to_vec(),
            Sort::Int => {
                let mut places: Vec<Place> =
                    (0..=self.last).map(|key| Place::At(terms.int(key))).collect();
                places.extend([Place::Below, Place::Above]);
                places
            }
            Sort::Real | Sort::Opaque(_) => vec![Place::Anywhere],
            Sort::Array(..) => return Err(NotWritten),
        };
        let mut instances = Vec::new();
        for place in places {
            self.left = self.left.checked_sub(1).ok_or(NotWritten)?;
            self.bound.insert(first, place);
            // What was known of terms with this variable was about another place.
            let hidden = self.hide(terms, first);
            let instance = self.quantified(terms, (quantifier, rest), body, depth);
            self.hide(terms, first);
            self.known.extend(hidden);
            self.bound.remove(&first);
            instances.push(self.closed(terms, quantifier, (first, place), instance?));
        }
        Ok(match quantifier {
            Quantifier::Forall => terms.and(instances),
            Quantifier::Exists => terms.or(instances),
        })
    }

    /// Takes what is known of terms that mention a bound variable.
    fn hide(&mut self, terms: &Terms, binder: Binder) -> BTreeMap<Term, Rc<Shape>> {
        let all: Vec<Term> = self.known.keys().copied().collect();
        let mut hidden = BTreeMap::new();
        for term in all {
            if self.open(terms, term).contains(&binder) {
                hidden.extend(self.known.remove(&term).map(|shape| (term, shape)));
            }
        }
        hidden
    }

    /// The instance with the variable bound where it still occurs.
    fn closed(
        &mut self,
        terms: &mut Terms,
        quantifier: Quantifier,
        (binder, place): (Binder, Place),
        instance: Term,
    ) -> Term {
        if !self.open(terms, instance).contains(&binder) {
            return instance;
        }
        let key = terms.bound(binder);
        let (zero, last) = (terms.int(0), terms.int(self.last));
        let is_there = match place {
            Place::Below => terms.lt(key, zero),
            Place::Above => terms.lt(last, key),
            Place::At(_) | Place::Anywhere => terms.bool(true),
        };
        let body = match quantifier {
            Quantifier::Forall => terms.implies(is_there, instance),
            Quantifier::Exists => terms.and(vec![is_there, instance]),
        };
        terms.quantified(quantifier, vec![binder], Vec::new(), body)
    }

    /// The bounds of a bound number outside the window.
    pub(super) fn outside(
        &self,
        terms: &Terms,
        term: Term,
    ) -> Option<(Option<i128>, Option<i128>)> {
        let Node::Bound(binder) = terms.node(term) else { return None };
        match self.bound.get(binder)? {
            Place::Below => Some((None, Some(-1))),
            Place::Above => Some((Some(self.last + 1), None)),
            Place::At(_) | Place::Anywhere => None,
        }
    }

    /// The least and the greatest value of a term, as far as they are plain.
    fn bounds(&self, terms: &Terms, term: Term) -> (Option<i128>, Option<i128>) {
        match terms.node(term) {
            Node::Int(value) => (Some(*value), Some(*value)),
            _ => self.outside(terms, term).unwrap_or((None, None)),
        }
    }

    /// Numbers outside the window compared with numbers of it need not be asked about.
    pub(super) fn arithmetic(
        &self,
        terms: &mut Terms,
        op: ArithmeticOp,
        left: Term,
        right: Term,
    ) -> Term {
        let ((low, high), (least, greatest)) =
            (self.bounds(terms, left), self.bounds(terms, right));
        let lt = |a: Option<i128>, b: Option<i128>| a.zip(b).is_some_and(|(a, b)| a < b);
        let le = |a: Option<i128>, b: Option<i128>| a.zip(b).is_some_and(|(a, b)| a <= b);
        match op {
            ArithmeticOp::Lt if lt(high, least) => terms.bool(true),
            ArithmeticOp::Lt if le(greatest, low) => terms.bool(false),
            ArithmeticOp::Le if le(high, least) => terms.bool(true),
            ArithmeticOp::Le if lt(greatest, low) => terms.bool(false),
            ArithmeticOp::Mul => terms.mul(left, right),
            ArithmeticOp::Div => terms.div(left, right),
            ArithmeticOp::Mod => terms.modulo(left, right),
            ArithmeticOp::Lt => terms.lt(left, right),
            ArithmeticOp::Le => terms.le(left, right),
        }
    }

    /// The bound variables of a term that are not bound in it.
    pub(super) fn open(&mut self, terms: &Terms, term: Term) -> Rc<BTreeSet<Binder>> {
        if let Some(known) = self.open.get(&term) {
            return known.clone();
        }
        let mut open = BTreeSet::new();
        match terms.node(term) {
            Node::Bound(binder) => _ = open.insert(*binder),
            node => {
                for child in node.children() {
                    open.extend(self.open(terms, child).iter().copied());
                }
                if let Node::Quantified { binders, .. } = node {
                    binders.iter().for_each(|binder| _ = open.remove(binder));
                }
            }
        }
        let open = Rc::new(open);
        self.open.insert(term, open.clone());
        open
    }
}
