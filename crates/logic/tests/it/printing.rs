//! Names and sorts as SMT-LIB text.

use crate::constant;
use expect_test::{Expect, expect};
use logic::{Sort, Terms, symbol_text};

/// How constants of these names are written.
fn check(names: &[&str], expected: Expect) {
    let mut terms = Terms::default();
    let mut lines = String::new();
    for name in names {
        let symbol = terms.symbol(name, Sort::Bool);
        let term = terms.constant(symbol);
        let text = logic::print(&terms, term);
        assert_eq!(text, symbol_text(&terms, symbol));
        lines += &(text + "\n");
    }
    expected.assert_eq(&lines);
}

#[test]
fn plain_names() {
    check(
        &["x", "x@12", "Queue.head", "a_b", "fail@@3", "next'", "<=>"],
        expect![[r#"
            x
            x@12
            Queue.head
            a_b
            fail@@3
            |next'|
            <=>
        "#]],
    );
}

#[test]
fn quoted_names() {
    check(
        &["größe", "名前", "two words", "", "3x", "@x", ".x", "a(b)", "a;b"],
        expect![[r#"
            |größe|
            |名前|
            |two words|
            ||
            |3x|
            |@x|
            |.x|
            |a(b)|
            |a;b|
        "#]],
    );
}

#[test]
fn reserved_words() {
    check(
        &["let", "forall", "exists", "as", "par", "match", "_", "!", "true", "lets", "assert"],
        expect![[r#"
            |let|
            |forall|
            |exists|
            |as|
            |par|
            |match|
            |_|
            |!|
            |true|
            lets
            assert
        "#]],
    );
}

#[test]
fn sorts() {
    let sort = Sort::array(Sort::opaque("my node"), Sort::array(Sort::Real, Sort::opaque("T")));
    assert_eq!(sort.to_string(), "(Array |my node| (Array Real T))");
}

#[test]
fn functions() {
    let mut terms = Terms::default();
    let x = constant(&mut terms, "x", Sort::Int);
    let f = terms.func("über", vec![Sort::Int], Sort::Int);
    let g = terms.func("g", vec![], Sort::Int);
    let g = terms.apply(g, vec![]);
    let sum = terms.add(vec![x, g]);
    let applied = terms.apply(f, vec![sum]);
    assert_eq!(logic::print(&terms, applied), "(|über| (+ x g))");
}
