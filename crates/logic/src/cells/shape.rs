//! Terms cell by cell.

use super::{NotWritten, Written};
use crate::Sort;
use crate::term::{Node, SetOp, Term, Terms};
use std::rc::Rc;

/// What a term is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shape {
    One(Term),
    /// A map from numbers has a cell for all other keys in the end, one from truth values has none.
    Map {
        key: Sort,
        cells: Vec<Rc<Shape>>,
    },
}

/// `if cond then .. else ..`, cell by cell.
pub(super) fn choice(
    terms: &mut Terms,
    cond: Term,
    then: &Rc<Shape>,
    otherwise: &Rc<Shape>,
) -> Written<Rc<Shape>> {
    match terms.node(cond) {
        Node::Bool(true) => return Ok(then.clone()),
        Node::Bool(false) => return Ok(otherwise.clone()),
        _ if then == otherwise => return Ok(then.clone()),
        _ => {}
    }
    Ok(Rc::new(match (&**then, &**otherwise) {
        (Shape::One(then), Shape::One(otherwise)) => Shape::One(terms.ite(cond, *then, *otherwise)),
        (Shape::Map { key, cells: then }, Shape::Map { cells: otherwise, .. }) => {
            let pairs = then.iter().zip(otherwise);
            let cells = pairs.map(|(then, otherwise)| choice(terms, cond, then, otherwise));
            Shape::Map { key: key.clone(), cells: cells.collect::<Written<_>>()? }
        }
        _ => return Err(NotWritten),
    }))
}

/// Two sets, cell by cell.
pub(super) fn combined(
    terms: &mut Terms,
    op: SetOp,
    left: &Shape,
    right: &Shape,
) -> Written<Rc<Shape>> {
    let (Shape::Map { key, cells: left }, Shape::Map { cells: right, .. }) = (left, right) else {
        return Err(NotWritten);
    };
    let mut cells = Vec::new();
    for pair in left.iter().zip(right) {
        let (Shape::One(left), Shape::One(right)) = (&**pair.0, &**pair.1) else {
            return Err(NotWritten);
        };
        let both = match op {
            SetOp::Union => terms.or(vec![*left, *right]),
            SetOp::Intersection => terms.and(vec![*left, *right]),
            SetOp::Difference => {
                let not_right = terms.not(*right);
                terms.and(vec![*left, not_right])
            }
        };
        cells.push(Rc::new(Shape::One(both)));
    }
    Ok(Rc::new(Shape::Map { key: key.clone(), cells }))
}

/// A map made of its cells.
pub(super) fn made_of(terms: &mut Terms, shape: &Shape) -> Term {
    let (key, cells) = match shape {
        Shape::One(one) => return *one,
        Shape::Map { key, cells } => (key, cells),
    };
    let values: Vec<Term> = cells.iter().map(|cell| made_of(terms, cell)).collect();
    let Some((&last, others)) = values.split_last() else {
        panic!("internal error: a map without cells")
    };
    let mut map = terms.const_array(key.clone(), last);
    for (index, &value) in others.iter().enumerate() {
        let at = match key {
            Sort::Bool => terms.bool(index == 1),
            _ => terms.int(i128::try_from(index).unwrap_or(i128::MAX)),
        };
        map = terms.store(map, at, value);
    }
    map
}
