//! Scripts: when symbols are declared, and which terms are written once.

use crate::{constant, numbers};
use expect_test::{Expect, expect};
use logic::{Quantifier, Script, Sort, Term, Terms};

/// The text of asserting each of the terms that `build` makes.
fn check(build: impl FnOnce(&mut Terms) -> Vec<Term>, expected: Expect) {
    let mut terms = Terms::default();
    let all = build(&mut terms);
    let mut script = Script::default();
    all.iter().for_each(|&term| script.assert(&terms, term));
    expected.assert_eq(&script.take());
}

/// `forall n: Node :: size[n] > 0` or, without a term to match, `n == n2`.
fn about_nodes(terms: &mut Terms, triggered: bool) -> Term {
    let node = Sort::opaque("Node");
    let binder = terms.binder("n", node.clone());
    let bound = terms.bound(binder);
    let body = if triggered {
        let size = constant(terms, "size", Sort::array(node, Sort::Int));
        let (entry, zero) = (terms.select(size, bound), terms.int(0));
        terms.lt(zero, entry)
    } else {
        let other = constant(terms, "n", node);
        terms.eq(bound, other)
    };
    terms.quantified(Quantifier::Forall, vec![binder], vec![], body)
}

#[test]
fn declarations_come_before_use_and_once() {
    check(
        |terms| {
            let node = Sort::opaque("Node");
            let head = constant(terms, "head", node.clone());
            let next = terms.func("next", vec![node.clone()], node);
            let second = terms.apply(next, vec![head]);
            let third = terms.apply(next, vec![second]);
            let (near, far) = (terms.eq(head, second), terms.eq(head, third));
            vec![near, far]
        },
        expect![[r#"
            (declare-sort Node 0)
            (declare-fun head () Node)
            (declare-fun next (Node) Node)
            (assert (= head (next head)))
            (assert (= head (next (next head))))
        "#]],
    );
}

#[test]
fn sorts_of_binders_and_maps_are_declared() {
    check(
        |terms| {
            let zero = terms.int(0);
            let map = terms.const_array(Sort::opaque("Key"), zero);
            let binder = terms.binder("k", Sort::opaque("Mark"));
            let bound = terms.bound(binder);
            let same = terms.distinct(vec![bound, bound]);
            let all = terms.quantified(Quantifier::Exists, vec![binder], vec![], same);
            let other = constant(terms, "map", Sort::array(Sort::opaque("Key"), Sort::Int));
            vec![terms.eq(map, other), all]
        },
        expect![[r#"
            (declare-sort Key 0)
            (declare-fun map () (Array Key Int))
            (assert (= ((as const (Array Key Int)) 0) map))
            (declare-sort Mark 0)
            (assert (exists ((k?0 Mark)) (! (distinct k?0 k?0) :qid q4)))
        "#]],
    );
}

#[test]
fn what_is_true_is_not_said() {
    check(|terms| vec![terms.bool(true)], expect![""]);
    check(
        |terms| vec![terms.bool(false)],
        expect![[r#"
            (assert false)
        "#]],
    );
}

#[test]
fn shared_parts_are_named() {
    check(
        |terms| {
            let [x, y] = ["x", "y"].map(|name| constant(terms, name, Sort::Int));
            let sum = terms.add(vec![x, y, x, y, x]);
            let (small, large) = (terms.lt(sum, x), terms.lt(y, sum));
            let (first, second) = (terms.and(vec![small, large]), terms.or(vec![small, large]));
            vec![first, second]
        },
        expect![[r#"
            (declare-fun x () Int)
            (declare-fun y () Int)
            (define-fun $t2 () Int (+ x y x y x))
            (assert (and (< $t2 x) (< y $t2)))
            (assert (or (< $t2 x) (< y $t2)))
        "#]],
    );
}

#[test]
fn take_gives_what_is_new() {
    let mut terms = Terms::default();
    let p = terms.symbol("p", Sort::Bool);
    let term = terms.constant(p);
    let mut script = Script::default();
    script.declare(&terms, p);
    assert_eq!(script.take(), "(declare-fun p () Bool)\n");
    assert_eq!(script.expression(&terms, term), "p");
    assert_eq!(script.take(), "");
}

#[test]
fn missing_triggers_are_noticed() {
    for triggered in [true, false] {
        let mut terms = Terms::default();
        let formula = about_nodes(&mut terms, triggered);
        let mut script = Script::default();
        script.assert(&terms, formula);
        assert_eq!(script.has_untriggered(), !triggered, "{}", script.take());
    }
}

/// The text of a term that doubles as a tree on each of many levels, above the given leaf.
fn doubling(levels: u32, leaf: impl FnOnce(&mut Terms) -> Term) -> String {
    let mut terms = Terms::default();
    let mut term = leaf(&mut terms);
    for level in 0..levels {
        let flag = constant(&mut terms, &format!("p{level}"), Sort::Bool);
        let (both, one) = (terms.and(vec![term, flag]), terms.or(vec![flag, term]));
        term = terms.eq(both, one);
    }
    let mut script = Script::default();
    script.assert(&terms, term);
    script.take()
}

/// The cost of more levels, which must not depend on how many there are already.
fn check_linear(leaf: impl Fn(&mut Terms) -> Term) {
    let lengths: Vec<usize> = [20, 40, 60].map(|levels| doubling(levels, &leaf).len()).to_vec();
    let (first, second) = (lengths[1] - lengths[0], lengths[2] - lengths[1]);
    assert!(second <= first + first / 10, "{lengths:?}");
}

#[test]
fn text_is_linear_in_the_number_of_terms() {
    check_linear(|terms| constant(terms, "leaf", Sort::Bool));
    check_linear(|terms| about_nodes(terms, true));
    check_linear(|terms| {
        let (map, other) = (constant(terms, "map", numbers()), constant(terms, "o", numbers()));
        terms.eq(map, other)
    });
}
