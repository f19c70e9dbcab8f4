//! Which triggers are chosen.

use crate::{constant, numbers};
use expect_test::{Expect, expect};
use logic::{Quantifier, Sort, Term, Terms, find_triggers};

/// The parts of bodies: two bound numbers, two maps, a function, a map of maps.
struct Leaves {
    terms: Terms,
    i: Term,
    j: Term,
    f: Term,
    g: Term,
    table: Term,
}

impl Leaves {
    fn at(&mut self, map: Term, key: Term) -> Term {
        self.terms.select(map, key)
    }

    fn call(&mut self, args: Vec<Term>) -> Term {
        let func = self.terms.func("h", vec![Sort::Int; args.len()], Sort::Int);
        self.terms.apply(func, args)
    }
}

/// The triggers of the body that `build` makes, for one or two bound variables, one alternative per
/// line.
fn check(count: usize, build: impl FnOnce(&mut Leaves) -> Term, expected: Expect) {
    let mut terms = Terms::default();
    let binders = ["i", "j"].map(|name| terms.binder(name, Sort::Int));
    let [i, j] = binders.map(|binder| terms.bound(binder));
    let [f, g] = ["f", "g"].map(|name| constant(&mut terms, name, numbers()));
    let table = constant(&mut terms, "table", Sort::array(Sort::Int, numbers()));
    let mut leaves = Leaves { terms, i, j, f, g, table };
    let body = build(&mut leaves);
    let mut lines = String::new();
    for trigger in find_triggers(&leaves.terms, &binders[..count], body) {
        let parts: Vec<String> =
            trigger.iter().map(|&part| logic::print(&leaves.terms, part)).collect();
        lines += &(parts.join(" with ") + "\n");
    }
    expected.assert_eq(&lines);
}

/// Each small term that mentions everything bound is an alternative of its own.
#[test]
fn single() {
    check(
        1,
        |l| {
            let (f, g) = (l.at(l.f, l.i), l.at(l.g, l.i));
            l.terms.lt(f, g)
        },
        expect![[r#"
            (select f i?0)
            (select g i?0)
        "#]],
    );
    check(
        2,
        |l| {
            let row = l.at(l.table, l.i);
            let cell = l.at(row, l.j);
            let entry = l.at(l.f, l.i);
            l.terms.lt(cell, entry)
        },
        expect![[r#"
            (select (select table i?0) j?1)
        "#]],
    );
}

#[test]
fn several_terms_together() {
    check(
        2,
        |l| {
            let (f, g) = (l.at(l.f, l.i), l.at(l.g, l.j));
            l.terms.eq(f, g)
        },
        expect![[r#"
            (select f i?0) with (select g j?1)
        "#]],
    );
}

/// `f[g[i]]` as an instance of `f[i]` would give `f[g[g[i]]]` and so on.
#[test]
fn no_loops() {
    check(
        1,
        |l| {
            let (f, g) = (l.at(l.f, l.i), l.at(l.g, l.i));
            let far = l.at(l.f, g);
            l.terms.lt(f, far)
        },
        expect![[r#"
            (select g i?0)
            (select f (select g i?0))
        "#]],
    );
    check(
        1,
        |l| {
            let once = l.call(vec![l.i]);
            let twice = l.call(vec![once]);
            l.terms.lt(once, twice)
        },
        expect![[r#"
            (h (h i?0))
        "#]],
    );
}

/// Nothing interpreted stands in a trigger: the solver could not match it.
#[test]
fn arithmetic_is_no_trigger() {
    check(
        1,
        |l| {
            let one = l.terms.int(1);
            let next = l.terms.add(vec![l.i, one]);
            let (here, there) = (l.at(l.f, l.i), l.at(l.f, next));
            l.terms.lt(here, there)
        },
        expect![[r#"
            (select f i?0)
        "#]],
    );
    check(
        1,
        |l| {
            let one = l.terms.int(1);
            let next = l.terms.add(vec![l.i, one]);
            let there = l.at(l.f, next);
            l.terms.lt(there, one)
        },
        expect![""],
    );
}

#[test]
fn none() {
    check(2, |l| l.terms.lt(l.i, l.j), expect![""]);
    // One of two variables is not enough.
    check(
        2,
        |l| {
            let entry = l.at(l.f, l.i);
            l.terms.lt(entry, l.j)
        },
        expect![""],
    );
}

/// The variable of an inner quantifier is meaningless outside.
#[test]
fn inner_variables() {
    check(
        1,
        |l| {
            let inner = l.terms.binder("k", Sort::Int);
            let k = l.terms.bound(inner);
            let row = l.at(l.table, l.i);
            let cell = l.at(row, k);
            let body = l.terms.lt(cell, l.i);
            l.terms.quantified(Quantifier::Exists, vec![inner], vec![], body)
        },
        expect![[r#"
            (select table i?0)
        "#]],
    );
}

#[test]
fn few_alternatives() {
    check(
        1,
        |l| {
            let maps: Vec<Term> =
                (0..9).map(|n| constant(&mut l.terms, &format!("m{n}"), numbers())).collect();
            let entries: Vec<Term> = maps.into_iter().map(|map| l.at(map, l.i)).collect();
            l.terms.distinct(entries)
        },
        expect![[r#"
            (select m0 i?0)
            (select m1 i?0)
            (select m2 i?0)
            (select m3 i?0)
        "#]],
    );
}
