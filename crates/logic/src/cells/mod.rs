//! Maps written out as their cells: a map from numbers is one cell for each key of a window
//! `0..=last`, and one cell for all keys elsewhere.
//!
//! That is not every map, and not every formula can be written so. But what is written so is exact
//! for the maps that it speaks of: whoever finds values for the cells has found values for the
//! maps, and they satisfy the formula that was written out together with its conditions (see
//! [`Cells::conditions`]). That nothing is found says nothing. Quantifiers over numbers are the
//! instances for the keys of the window and those for numbers below and above, where all maps are
//! constant.
//!
//! The solver decides such formulas quickly where maps and quantifiers keep it busy for minutes.

mod quantifier;
mod shape;

use crate::Sort;
use crate::substitute::rebuild;
use crate::term::{Binder, Node, Symbol, Term, Terms};
use quantifier::Place;
use shape::{Shape, choice, combined, made_of};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Limit on the nesting of terms: this follows them on the call stack.
const MAX_DEPTH: usize = 400;
/// Limit on the cells of one map.
const MAX_CELLS: usize = 400;
/// Limit on what is written out of one formula.
const MAX_INSTANCES: usize = 20_000;

/// Writes formulas out.
#[derive(Debug)]
pub struct Cells {
    /// The greatest key of the window.
    last: i128,
    /// What the symbols of maps are.
    maps: BTreeMap<Symbol, Rc<Shape>>,
    /// Where changed maps must have their changes, for what is written out to be exact.
    conditions: Vec<Term>,
    /// What terms are, given what the bound variables stand for.
    known: BTreeMap<Term, Rc<Shape>>,
    /// The bound variables that occur in a term and are not bound there.
    open: BTreeMap<Term, Rc<BTreeSet<Binder>>>,
    /// What bound variables stand for.
    bound: BTreeMap<Binder, Place>,
    /// How many instances may still be written.
    left: usize,
}

/// A formula cannot be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWritten;

type Written<T> = Result<T, NotWritten>;

impl Cells {
    /// Maps have cells for the keys from zero to `last`.
    pub fn new(last: u32) -> Self {
        Self {
            last: i128::from(last),
            maps: BTreeMap::new(),
            conditions: Vec::new(),
            known: BTreeMap::new(),
            open: BTreeMap::new(),
            bound: BTreeMap::new(),
            left: MAX_INSTANCES,
        }
    }

    /// The formula written out.
    pub fn formula(&mut self, terms: &mut Terms, formula: Term) -> Written<Term> {
        self.left = MAX_INSTANCES;
        self.one(terms, formula, 0)
    }

    /// What must hold besides for the formulas written since the last call to be exact. Whoever
    /// asserts one of them asserts these.
    pub fn conditions(&mut self) -> Vec<Term> {
        // A term that is met again has its conditions again.
        self.known.clear();
        std::mem::take(&mut self.conditions)
    }

    /// The map of this symbol, made of its cells; `None` if it is no map.
    pub fn map(&mut self, terms: &mut Terms, symbol: Symbol) -> Written<Option<Term>> {
        if !matches!(terms.symbol_sort(symbol), Sort::Array(..)) {
            return Ok(None);
        }
        let shape = self.symbol(terms, symbol)?;
        Ok(Some(made_of(terms, &shape)))
    }

    fn one(&mut self, terms: &mut Terms, term: Term, depth: usize) -> Written<Term> {
        match *self.shape(terms, term, depth)? {
            Shape::One(one) => Ok(one),
            Shape::Map { .. } => Err(NotWritten),
        }
    }

    fn shape(&mut self, terms: &mut Terms, term: Term, depth: usize) -> Written<Rc<Shape>> {
        if let Some(known) = self.known.get(&term) {
            return Ok(known.clone());
        }
        if depth > MAX_DEPTH {
            return Err(NotWritten);
        }
        let shape = self.new_shape(terms, term, depth + 1)?;
        self.known.insert(term, shape.clone());
        Ok(shape)
    }

    fn new_shape(&mut self, terms: &mut Terms, term: Term, depth: usize) -> Written<Rc<Shape>> {
        let written = match terms.node(term).clone() {
            Node::Bool(_) | Node::Int(_) | Node::Real(..) => term,
            Node::Constant(symbol) => return self.symbol(terms, symbol),
            Node::Bound(binder) => match self.bound.get(&binder) {
                Some(Place::At(value)) => *value,
                Some(Place::Below | Place::Above | Place::Anywhere) => term,
                None => return Err(NotWritten),
            },
            Node::Eq(left, right) => {
                let left = self.shape(terms, left, depth)?;
                let right = self.shape(terms, right, depth)?;
                self.equal(terms, &left, &right)?
            }
            Node::Ite(cond, then, otherwise) => {
                let cond = self.one(terms, cond, depth)?;
                let then = self.shape(terms, then, depth)?;
                let otherwise = self.shape(terms, otherwise, depth)?;
                return choice(terms, cond, &then, &otherwise);
            }
            Node::Arithmetic(op, left, right) => {
                let left = self.one(terms, left, depth)?;
                let right = self.one(terms, right, depth)?;
                self.arithmetic(terms, op, left, right)
            }
            Node::Select(map, key) => {
                let map = self.shape(terms, map, depth)?;
                let key = self.one(terms, key, depth)?;
                return self.select(terms, &map, key);
            }
            Node::Store(map, key, value) => {
                let map = self.shape(terms, map, depth)?;
                let key = self.one(terms, key, depth)?;
                let value = self.shape(terms, value, depth)?;
                return self.store(terms, &map, key, &value);
            }
            Node::ConstArray(key, value) => {
                let value = self.shape(terms, value, depth)?;
                let cells = vec![value; self.cell_count(&key)?];
                return Ok(Rc::new(Shape::Map { key, cells }));
            }
            Node::Set(op, left, right) => {
                let left = self.shape(terms, left, depth)?;
                let right = self.shape(terms, right, depth)?;
                return combined(terms, op, &left, &right);
            }
            Node::Quantified { quantifier, binders, body, .. } => {
                self.quantified(terms, (quantifier, &binders), body, depth)?
            }
            node => self.rebuilt(terms, term, node, depth)?,
        };
        Ok(Rc::new(Shape::One(written)))
    }

    /// A term without maps, of terms without maps.
    fn rebuilt(
        &mut self,
        terms: &mut Terms,
        term: Term,
        node: Node,
        depth: usize,
    ) -> Written<Term> {
        if matches!(terms.sort(term), Sort::Array(..)) {
            return Err(NotWritten);
        }
        let mut children = BTreeMap::new();
        for child in node.children() {
            children.insert(child, self.one(terms, child, depth)?);
        }
        Ok(rebuild(terms, term, node, &children, &|_| None))
    }

    /// How many cells a map has.
    fn cell_count(&self, key: &Sort) -> Written<usize> {
        match key {
            Sort::Int => usize::try_from(self.last + 2).map_err(|_| NotWritten),
            Sort::Bool => Ok(2),
            Sort::Real | Sort::Opaque(_) | Sort::Array(..) => Err(NotWritten),
        }
    }

    fn symbol(&mut self, terms: &mut Terms, symbol: Symbol) -> Written<Rc<Shape>> {
        if let Some(known) = self.maps.get(&symbol) {
            return Ok(known.clone());
        }
        let sort = terms.symbol_sort(symbol).clone();
        if !matches!(sort, Sort::Array(..)) {
            return Ok(Rc::new(Shape::One(terms.constant(symbol))));
        }
        let name = terms.name(symbol).to_owned();
        let mut left = MAX_CELLS;
        let shape = self.named(terms, &name, &sort, &mut left)?;
        self.maps.insert(symbol, shape.clone());
        Ok(shape)
    }

    /// A symbol for each cell of a map of this name, or one symbol of this name.
    fn named(
        &self,
        terms: &mut Terms,
        name: &str,
        sort: &Sort,
        left: &mut usize,
    ) -> Written<Rc<Shape>> {
        let Sort::Array(key, value) = sort else {
            *left = left.checked_sub(1).ok_or(NotWritten)?;
            let symbol = terms.symbol(name, sort.clone());
            return Ok(Rc::new(Shape::One(terms.constant(symbol))));
        };
        let mut cells = Vec::new();
        for index in 0..self.cell_count(key)? {
            cells.push(self.named(terms, &format!("{name}@cell{index}"), value, left)?);
        }
        Ok(Rc::new(Shape::Map { key: Sort::clone(key), cells }))
    }

    /// Maps that are constant outside the window are equal if their cells are.
    fn equal(&self, terms: &mut Terms, left: &Shape, right: &Shape) -> Written<Term> {
        match (left, right) {
            (Shape::One(left), Shape::One(right)) => Ok(self.equal_one(terms, *left, *right)),
            (Shape::Map { cells: left, .. }, Shape::Map { cells: right, .. }) => {
                let mut parts = Vec::new();
                for (left, right) in left.iter().zip(right) {
                    parts.push(self.equal(terms, left, right)?);
                }
                Ok(terms.and(parts))
            }
            _ => Err(NotWritten),
        }
    }

    /// A number outside the window is none of it.
    fn equal_one(&self, terms: &mut Terms, left: Term, right: Term) -> Term {
        let is_key = |term: Term| matches!(terms.node(term), Node::Int(key) if *key >= 0 && *key <= self.last);
        let apart = self.outside(terms, left).is_some() && is_key(right)
            || self.outside(terms, right).is_some() && is_key(left);
        if apart { terms.bool(false) } else { terms.eq(left, right) }
    }

    /// That the cell with this index is the one of the key; for the last one of a map from
    /// numbers, nothing is said.
    fn is_at(&self, terms: &mut Terms, sort: &Sort, index: usize, key: Term) -> Term {
        let literal = match sort {
            Sort::Bool => terms.bool(index == 1),
            _ => terms.int(i128::try_from(index).unwrap_or(i128::MAX)),
        };
        self.equal_one(terms, key, literal)
    }

    fn select(&self, terms: &mut Terms, map: &Shape, key: Term) -> Written<Rc<Shape>> {
        let Shape::Map { key: sort, cells } = map else { return Err(NotWritten) };
        let (last, others) = cells.split_last().ok_or(NotWritten)?;
        let mut found = last.clone();
        for (index, cell) in others.iter().enumerate().rev() {
            let here = self.is_at(terms, sort, index, key);
            found = choice(terms, here, cell, &found)?;
        }
        Ok(found)
    }

    /// Exact if the key is in the window, or nothing changes elsewhere.
    fn store(
        &mut self,
        terms: &mut Terms,
        map: &Shape,
        key: Term,
        value: &Rc<Shape>,
    ) -> Written<Rc<Shape>> {
        let Shape::Map { key: sort, cells } = map else { return Err(NotWritten) };
        let (last, others) = cells.split_last().ok_or(NotWritten)?;
        let mut changed = Vec::with_capacity(cells.len());
        for (index, cell) in others.iter().enumerate() {
            let here = self.is_at(terms, sort, index, key);
            changed.push(choice(terms, here, value, cell)?);
        }
        if *sort == Sort::Bool {
            changed.push(choice(terms, key, value, last)?);
        } else {
            let inside = self.inside(terms, key);
            let same = self.equal(terms, value, last)?;
            let condition = terms.or(vec![inside, same]);
            // What depends on a bound variable would have to be said under its quantifier.
            if !self.open(terms, condition).is_empty() {
                return Err(NotWritten);
            }
            self.conditions.push(condition);
            changed.push(last.clone());
        }
        Ok(Rc::new(Shape::Map { key: sort.clone(), cells: changed }))
    }

    fn inside(&self, terms: &mut Terms, key: Term) -> Term {
        let (zero, last) = (terms.int(0), terms.int(self.last));
        let (low, high) = (terms.le(zero, key), terms.le(key, last));
        terms.and(vec![low, high])
    }
}
