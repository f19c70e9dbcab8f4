//! Replacing constants, and listing them.

use crate::{constant, numbers};
use expect_test::{Expect, expect};
use logic::{Quantifier, Sort, Symbol, Term, Terms, free_symbols, substitute};
use std::cell::Cell;

/// The term that `build` makes of `x`, `y` and `map`, with `x` replaced by the other term that it
/// makes; then the names of the constants left.
fn check(build: impl FnOnce(&mut Terms, [Term; 3]) -> (Term, Term), expected: Expect) {
    let mut terms = Terms::default();
    let x = terms.symbol("x", Sort::Int);
    let leaves = [
        terms.constant(x),
        constant(&mut terms, "y", Sort::Int),
        constant(&mut terms, "map", numbers()),
    ];
    let (term, replacement) = build(&mut terms, leaves);
    let new = substitute(&mut terms, term, &|symbol| (symbol == x).then_some(replacement));
    let names: Vec<&str> =
        free_symbols(&terms, new).into_iter().map(|symbol| terms.name(symbol)).collect();
    expected.assert_eq(&format!("{}\nof {}\n", logic::print(&terms, new), names.join(" ")));
}

/// `forall i :: map[i] < x`, with `map[x]` as a further trigger so that triggers mention a
/// constant.
fn bounded(terms: &mut Terms, [x, _, map]: [Term; 3]) -> Term {
    let i = terms.binder("i", Sort::Int);
    let bound = terms.bound(i);
    let entry = terms.select(map, bound);
    let body = terms.lt(entry, x);
    let other = terms.select(map, x);
    terms.quantified(Quantifier::Forall, vec![i], vec![vec![entry, other]], body)
}

#[test]
fn replaced_everywhere_and_simplified() {
    check(
        |terms, [x, y, map]| {
            let stored = terms.store(map, x, y);
            let entry = terms.select(stored, y);
            let sum = terms.add(vec![x, entry]);
            (terms.lt(sum, x), y)
        },
        expect![[r#"
            (< (+ y y) y)
            of y
        "#]],
    );
}

#[test]
fn all_at_once() {
    let mut terms = Terms::default();
    let symbols = ["x", "y"].map(|name| terms.symbol(name, Sort::Int));
    let [x, y] = symbols.map(|symbol| terms.constant(symbol));
    let term = terms.lt(x, y);
    let swapped =
        substitute(&mut terms, term, &|symbol| Some(if symbol == symbols[0] { y } else { x }));
    assert_eq!(logic::print(&terms, swapped), "(< y x)");
}

#[test]
fn triggers_too() {
    check(
        |terms, leaves| (bounded(terms, leaves), leaves[1]),
        expect![[r#"
        (forall ((i?0 Int)) (! (< (select map i?0) y) :pattern ((select map i?0) (select map y)) :qid q10))
        of y map
    "#]],
    );
}

/// A replacement that is a quantified formula of the same variable's name stays apart: bound
/// variables are unique, so no name can be captured.
#[test]
fn nothing_is_captured() {
    check(
        |terms, [x, y, map]| {
            let formula = bounded(terms, [x, y, map]);
            let i = constant(terms, "i", Sort::Int);
            (formula, i)
        },
        expect![[r#"
            (forall ((i?0 Int)) (! (< (select map i?0) i) :pattern ((select map i?0) (select map i)) :qid q11))
            of map i
        "#]],
    );
}

/// A trigger that is no longer an application, or no longer mentions the bound variables, is
/// replaced by a new one.
#[test]
fn triggers_that_vanish() {
    let check = |replacement: &dyn Fn(&mut Terms) -> Term, expected: Expect| {
        let mut terms = Terms::default();
        let map = terms.symbol("map", numbers());
        let (map_term, other) = (terms.constant(map), constant(&mut terms, "other", numbers()));
        let i = terms.binder("i", Sort::Int);
        let bound = terms.bound(i);
        let (entry, far) = (terms.select(map_term, bound), terms.select(other, bound));
        let body = terms.lt(entry, far);
        let formula = terms.quantified(Quantifier::Forall, vec![i], vec![vec![entry]], body);
        let new = replacement(&mut terms);
        let new = substitute(&mut terms, formula, &|symbol| (symbol == map).then_some(new));
        expected.assert_eq(&logic::print(&terms, new));
    };
    check(
        &|terms| {
            let zero = terms.int(0);
            terms.const_array(Sort::Int, zero)
        },
        expect![
            "(forall ((i?0 Int)) (! (< 0 (select other i?0)) :pattern ((select other i?0)) :qid q10))"
        ],
    );
    check(
        &|terms| {
            let (third, zero) = (constant(terms, "third", numbers()), terms.int(0));
            let entry = terms.select(third, zero);
            terms.const_array(Sort::Int, entry)
        },
        expect![
            "(forall ((i?0 Int)) (! (< (select third 0) (select other i?0)) :pattern ((select other i?0)) :qid q12))"
        ],
    );
}

/// As a tree the term has 2^60 leaves.
#[test]
fn shared_parts_are_visited_once() {
    let mut terms = Terms::default();
    let x = terms.symbol("x", Sort::Int);
    let y = constant(&mut terms, "y", Sort::Int);
    let mut term = terms.constant(x);
    for _ in 0..60 {
        term = terms.mul(term, term);
    }
    let visits = Cell::new(0);
    let before = terms.len();
    let new = substitute(&mut terms, term, &|symbol: Symbol| {
        visits.set(visits.get() + 1);
        (symbol == x).then_some(y)
    });
    assert_eq!(visits.get(), 1);
    assert_eq!(terms.len(), before + 60);
    assert_eq!(free_symbols(&terms, new).len(), 1);
}

/// Recursion would overflow the stack.
#[test]
fn deep_terms() {
    let mut terms = Terms::default();
    let x = terms.symbol("x", Sort::Int);
    let start = terms.constant(x);
    let mut term = start;
    for _ in 0..200_000 {
        term = terms.mul(term, start);
    }
    let two = terms.int(2);
    let new = substitute(&mut terms, term, &|symbol| (symbol == x).then_some(two));
    assert!(free_symbols(&terms, new).is_empty());
}
