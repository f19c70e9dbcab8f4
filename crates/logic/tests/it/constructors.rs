//! What each constructor simplifies, and what it must leave alone.

use crate::constant;
use expect_test::{Expect, expect};
use logic::{Quantifier, SetOp, Sort, Term, Terms};

/// Terms to build others from.
struct Leaves {
    terms: Terms,
    p: Term,
    q: Term,
    r: Term,
    x: Term,
    y: Term,
    map: Term,
    yes: Term,
    no: Term,
}

impl Leaves {
    fn new() -> Self {
        let mut terms = Terms::default();
        let truths = ["p", "q", "r"].map(|name| constant(&mut terms, name, Sort::Bool));
        let numbers = ["x", "y"].map(|name| constant(&mut terms, name, Sort::Int));
        Self {
            p: truths[0],
            q: truths[1],
            r: truths[2],
            x: numbers[0],
            y: numbers[1],
            map: constant(&mut terms, "map", crate::numbers()),
            yes: terms.bool(true),
            no: terms.bool(false),
            terms,
        }
    }

    fn int(&mut self, value: i128) -> Term {
        self.terms.int(value)
    }
}

/// The texts of the terms that `build` makes, one per line.
fn check<const N: usize>(build: impl FnOnce(&mut Leaves) -> [Term; N], expected: Expect) {
    let mut leaves = Leaves::new();
    let built = build(&mut leaves);
    let lines: String =
        built.iter().map(|&term| logic::print(&leaves.terms, term) + "\n").collect();
    expected.assert_eq(&lines);
}

#[test]
fn equal_terms_are_one() {
    let mut leaves = Leaves::new();
    let before = leaves.terms.len();
    let first = leaves.terms.add(vec![leaves.x, leaves.y]);
    let second = leaves.terms.add(vec![leaves.x, leaves.y]);
    assert_eq!(first, second);
    assert_eq!(leaves.terms.len(), before + 1);
}

#[test]
fn negation() {
    check(
        |l| {
            let not = l.terms.not(l.p);
            [l.terms.not(l.yes), l.terms.not(l.no), not, l.terms.not(not)]
        },
        expect![[r#"
            false
            true
            (not p)
            p
        "#]],
    );
}

#[test]
fn conjunction() {
    check(
        |l| {
            let (p, q, r, yes, no) = (l.p, l.q, l.r, l.yes, l.no);
            let inner = l.terms.and(vec![q, p]);
            let other = l.terms.or(vec![q, r]);
            [
                l.terms.and(vec![]),
                l.terms.and(vec![p]),
                l.terms.and(vec![yes, p, yes]),
                l.terms.and(vec![p, no, q]),
                l.terms.and(vec![p, inner, r]),
                l.terms.and(vec![p, other]),
                l.terms.and(vec![p, p]),
            ]
        },
        expect![[r#"
            true
            p
            p
            false
            (and p q r)
            (and p (or q r))
            p
        "#]],
    );
}

#[test]
fn disjunction() {
    check(
        |l| {
            let (p, q, r, yes, no) = (l.p, l.q, l.r, l.yes, l.no);
            let inner = l.terms.or(vec![q, p]);
            let other = l.terms.and(vec![q, r]);
            [
                l.terms.or(vec![]),
                l.terms.or(vec![no, p]),
                l.terms.or(vec![p, yes, q]),
                l.terms.or(vec![p, inner, r]),
                l.terms.or(vec![p, other]),
            ]
        },
        expect![[r#"
            false
            p
            true
            (or p q r)
            (or p (and q r))
        "#]],
    );
}

#[test]
fn implication() {
    check(
        |l| {
            let (p, q, yes, no) = (l.p, l.q, l.yes, l.no);
            [
                l.terms.implies(yes, p),
                l.terms.implies(no, p),
                l.terms.implies(p, yes),
                l.terms.implies(p, no),
                l.terms.implies(p, p),
                l.terms.implies(p, q),
            ]
        },
        expect![[r#"
            p
            true
            true
            (not p)
            true
            (=> p q)
        "#]],
    );
}

#[test]
fn equality() {
    check(
        |l| {
            let (p, x, y, yes, no) = (l.p, l.x, l.y, l.yes, l.no);
            let (one, two) = (l.int(1), l.int(2));
            [
                l.terms.eq(x, x),
                l.terms.eq(one, two),
                l.terms.eq(x, y),
                l.terms.eq(p, yes),
                l.terms.eq(yes, p),
                l.terms.eq(p, no),
                l.terms.eq(no, p),
                l.terms.eq(yes, no),
                l.terms.eq(no, no),
            ]
        },
        expect![[r#"
            true
            false
            (= x y)
            p
            p
            (not p)
            (not p)
            false
            true
        "#]],
    );
}

/// Opaque values of different names may be equal; only numbers are known to differ.
#[test]
fn distinctness() {
    check(
        |l| {
            let (x, y) = (l.x, l.y);
            let node = Sort::opaque("Node");
            let a = constant(&mut l.terms, "a", node.clone());
            let b = constant(&mut l.terms, "b", node);
            [
                l.terms.distinct(vec![]),
                l.terms.distinct(vec![x]),
                l.terms.distinct(vec![x, y]),
                l.terms.eq(a, b),
            ]
        },
        expect![[r#"
            true
            true
            (distinct x y)
            (= a b)
        "#]],
    );
}

#[test]
fn conditional() {
    check(
        |l| {
            let (p, x, y, yes, no) = (l.p, l.x, l.y, l.yes, l.no);
            [
                l.terms.ite(yes, x, y),
                l.terms.ite(no, x, y),
                l.terms.ite(p, x, x),
                l.terms.ite(p, x, y),
            ]
        },
        expect![[r#"
            x
            y
            x
            (ite p x y)
        "#]],
    );
}

#[test]
fn sums() {
    check(
        |l| {
            let (x, y) = (l.x, l.y);
            let [one, two, minus] = [1, 2, -3].map(|value| l.int(value));
            [
                l.terms.add(vec![]),
                l.terms.add(vec![x]),
                l.terms.add(vec![one, x, two]),
                l.terms.add(vec![one, x, two, minus]),
                l.terms.sub(x, y),
                l.terms.sub(x, one),
                l.terms.sub(two, one),
            ]
        },
        expect![[r#"
            0
            x
            (+ x 3)
            x
            (+ x (- y))
            (+ x (- 1))
            1
        "#]],
    );
}

#[test]
fn signs_and_products() {
    check(
        |l| {
            let (x, y) = (l.x, l.y);
            let negative = l.terms.neg(x);
            let [zero, one, two, three] = [0, 1, 2, 3].map(|value| l.int(value));
            [
                l.terms.neg(three),
                l.terms.neg(negative),
                l.terms.mul(two, three),
                l.terms.mul(one, x),
                l.terms.mul(x, one),
                l.terms.mul(zero, x),
                l.terms.mul(x, y),
                l.terms.div(three, two),
                l.terms.modulo(x, zero),
            ]
        },
        expect![[r#"
            (- 3)
            x
            6
            x
            x
            (* 0 x)
            (* x y)
            (div 3 2)
            (mod x 0)
        "#]],
    );
}

/// Numbers that no longer fit are left to the solver, not wrapped around.
#[test]
fn overflow() {
    check(
        |l| {
            let [largest, smallest, one, two] =
                [i128::MAX, i128::MIN, 1, 2].map(|value| l.int(value));
            [
                l.terms.add(vec![largest, one]),
                l.terms.add(vec![one, largest, smallest]),
                l.terms.mul(largest, two),
                l.terms.neg(smallest),
            ]
        },
        expect![[r#"
            (+ 1 170141183460469231731687303715884105727)
            (+ 170141183460469231731687303715884105727 (- 170141183460469231731687303715884105727))
            (* 170141183460469231731687303715884105727 2)
            (- (- 170141183460469231731687303715884105728))
        "#]],
    );
}

#[test]
fn comparison() {
    check(
        |l| {
            let (x, y) = (l.x, l.y);
            let (one, two) = (l.int(1), l.int(2));
            [
                l.terms.lt(one, two),
                l.terms.lt(two, one),
                l.terms.lt(x, x),
                l.terms.lt(x, y),
                l.terms.le(one, one),
                l.terms.le(two, one),
                l.terms.le(x, x),
                l.terms.le(x, y),
            ]
        },
        expect![[r#"
            true
            false
            false
            (< x y)
            true
            false
            true
            (<= x y)
        "#]],
    );
}

#[test]
fn fractions() {
    check(
        |l| {
            let terms = &mut l.terms;
            [terms.real(2, 4), terms.real(-6, 3), terms.real(0, 5), terms.real(i128::MIN, 2)]
        },
        expect![[r#"
            (/ 1 2)
            (/ (- 2) 1)
            (/ 0 1)
            (/ (- 85070591730234615865843651857942052864) 1)
        "#]],
    );
}

/// A key that may be another one is not looked through.
#[test]
fn maps() {
    check(
        |l| {
            let (x, y, map) = (l.x, l.y, l.map);
            let one = l.int(1);
            let stored = l.terms.store(map, x, one);
            let same = l.terms.const_array(Sort::Int, y);
            [
                l.terms.select(map, x),
                l.terms.select(stored, x),
                l.terms.select(stored, y),
                l.terms.select(same, x),
                same,
            ]
        },
        expect![[r#"
            (select map x)
            1
            (select (store map x 1) y)
            y
            ((as const (Array Int Int)) y)
        "#]],
    );
}

#[test]
fn sets() {
    check(
        |l| {
            let sort = Sort::array(Sort::Int, Sort::Bool);
            let s = constant(&mut l.terms, "s", sort.clone());
            let t = constant(&mut l.terms, "t", sort);
            [SetOp::Union, SetOp::Intersection, SetOp::Difference]
                .map(|op| l.terms.set_op(op, s, t))
        },
        expect![[r#"
            ((_ map or) s t)
            ((_ map and) s t)
            ((_ map and) s ((_ map not) t))
        "#]],
    );
}

#[test]
fn quantifiers() {
    check(
        |l| {
            let (yes, map) = (l.yes, l.map);
            let i = l.terms.binder("i", Sort::Int);
            let bound = l.terms.bound(i);
            let entry = l.terms.select(map, bound);
            let body = l.terms.lt(entry, bound);
            [
                l.terms.quantified(Quantifier::Forall, vec![], vec![], body),
                l.terms.quantified(Quantifier::Exists, vec![i], vec![], yes),
                l.terms.quantified(Quantifier::Forall, vec![i], vec![], body),
            ]
        },
        expect![[r#"
            (< (select map i?0) i?0)
            true
            (forall ((i?0 Int)) (! (< (select map i?0) i?0) :pattern ((select map i?0)) :qid q11))
        "#]],
    );
}

#[test]
#[should_panic(expected = "internal error: symbol x has two sorts")]
fn a_symbol_has_one_sort() {
    Leaves::new().terms.symbol("x", Sort::Bool);
}

#[test]
fn fresh_symbols_are_new() {
    let mut terms = Terms::default();
    // The name that would come next is taken.
    terms.symbol("x@1", Sort::Int);
    let first = terms.fresh("x", Sort::Int);
    let second = terms.fresh("x", Sort::Int);
    assert_eq!([terms.name(first), terms.name(second)], ["x@2", "x@3"]);
}

#[test]
fn writing_the_old_value_back_changes_nothing() {
    check(
        |l| {
            let old = l.terms.select(l.map, l.x);
            let other = l.terms.select(l.map, l.y);
            let (then, otherwise) = (l.terms.ite(l.p, l.y, old), l.terms.ite(l.p, old, l.y));
            let elsewhere = l.terms.ite(l.p, l.y, other);
            [
                l.terms.store(l.map, l.x, old),
                l.terms.store(l.map, l.x, then),
                l.terms.store(l.map, l.x, otherwise),
                l.terms.store(l.map, l.x, other),
                l.terms.store(l.map, l.x, elsewhere),
            ]
        },
        expect![[r"
            map
            (ite p (store map x y) map)
            (ite p map (store map x y))
            (store map x (select map y))
            (store map x (ite p y (select map y)))
        "]],
    );
}
