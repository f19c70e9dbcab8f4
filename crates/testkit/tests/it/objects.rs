//! Runs Chalice programs and compares with their proofs.

use driver::Input;
use std::collections::BTreeSet;
use testkit::objects::{End, compare_objects, compare_texts, run_text};

#[test]
fn proved_checks_of_random_objects_do_not_fail() {
    let tally = compare_objects(0..60, 40);
    assert!(tally.is_clean(), "{:?}\n{:?}", tally.false_proofs, tally.panics);
    let [proved, refuted, open] = tally.checks;
    let failing: usize = tally.failures.values().sum();
    assert!(proved > 10_000 && refuted > 50 && failing > 20 && open < 10, "{tally}");
    assert!(tally.rejected.len() < 8, "{tally}");
}

#[test]
fn proved_checks_of_examples_do_not_fail() {
    let folder = testkit::repository().join("examples/chalice");
    let files = testkit::files_below(&folder, "chalice").into_iter();
    let inputs = files.map(|path| (path.display().to_string(), testkit::read(&path)));
    let inputs: Vec<Input> = inputs
        .filter(|(_, text)| !run_text(text, 1).is_empty())
        .map(|(name, text)| Input { name, text })
        .collect();
    let tally = compare_texts(&inputs, 40);
    assert!(tally.is_clean(), "{:?}\n{:?}", tally.false_proofs, tally.panics);
    assert!(inputs.len() > 10 && tally.failures.len() > 4, "{tally}");
}

/// How runs of a body of `Main` end, each end once.
fn ends(body: &str) -> BTreeSet<String> {
    let text = format!(
        "class C {{
            var f: int;
            volatile var v: int;
            invariant acc(f) && 0 <= f && old(v) <= v
            predicate P {{ acc(f) && 0 <= f }}
            method Add() requires rd(mu) && waitlevel << mu
            {{ acquire this; f := f + 1; release this; }}
            method Set() requires acc(f) ensures acc(f) && f == 7 {{ f := 7; }}
            method Get() returns (x: int) requires rd(f) ensures rd(f) && x == f {{ x := f; }}
            method Both(o: C)
              requires rd(mu) && rd(o.mu)
            {{ acquire this; acquire o; release o; release this; }}
        }}
        channel Number(x: int)
        class Start {{ method Main() {{ var c: C := new C; {body} }} }}"
    );
    let name = |end: End| match end {
        End::Failed(failure) => failure.code.to_string(),
        other => format!("{other:?}"),
    };
    let all = run_text(&text, 60);
    assert_eq!(all.len(), 60, "{text}");
    all.into_iter().map(name).collect()
}

#[test]
fn runs_end_as_they_must() {
    let check = |body: &str, expected: &[&str]| {
        let expected: BTreeSet<String> = expected.iter().map(|end| (*end).to_owned()).collect();
        assert_eq!(ends(body), expected, "{body}");
    };
    check("assert c.f == 0; c.f := 3; assert c.f == 3;", &["Finished"]);
    check("fork t := c.Set(); join t; assert c.f == 7;", &["Finished"]);
    check("fork t := c.Set(); c.f := 1;", &["insufficient-permission"]);
    check("fork t := c.Set(); join t; join t;", &["not-joinable"]);
    check("var x: int; fork t := c.Get(); x := c.f; join x := t; c.f := 2;", &["Finished"]);
    check("var x: int; fork t := c.Get(); c.f := 2;", &["insufficient-permission"]);
    check("share c; fork c.Add(); fork c.Add(); acquire c; release c;", &["Finished"]);
    check("share c; c.f := 1;", &["insufficient-permission"]);
    check("c.f := -1; share c;", &["monitor-invariant-failed"]);
    check("share c; share c;", &["already-shared"]);
    check("acquire c;", &["lock-order"]);
    check("c.v := 1; c.v := 0;", &["volatile-write"]);
    check("fold c.P; unfold c.P; c.f := 1;", &["Finished"]);
    check("fold c.P; c.f := 1;", &["insufficient-permission"]);
    check(
        "share c; fork c.Add(); acquire c; assert c.f == 0; release c;",
        &["Finished", "assertion-failed"],
    );
    check("share c; var d: C := new C; share d; fork c.Both(d); fork d.Both(c);", &["lock-order"]);
    check("var n: Number := new Number; send n(3); receive x := n; assert x == 3;", &["Finished"]);
    check("var n: Number := new Number; receive x := n;", &["no-credit"]);
    check("while (c.f < 3) invariant acc(c.f) { c.f := c.f + 1; } assert c.f == 3;", &["Finished"]);
    check("while (c.f < 3) invariant rd(c.f) { c.f := 5; }", &["insufficient-permission"]);
}
