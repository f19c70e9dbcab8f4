//! The oracle itself, and the verifier against it.

use driver::Language;
use std::time::Duration;
use testkit::differential::{Comparison, Slips, compare_random};
use testkit::inference::infer_random;
use testkit::mutation::run_mutants;
use testkit::oracle::{Bounds, explore_text};
use testkit::{load_examples, repository};

/// The oracle finds exactly these violations, as `line: code`.
fn check(text: &str, expected: &[&str]) {
    let bounds = Bounds { all: true, ..Bounds::default() };
    let found = explore_text(text, &[], &bounds).expect("the text is a program");
    let mut lines: Vec<String> =
        found.violations.iter().map(|one| format!("{}: {}", one.line, one.code)).collect();
    lines.sort();
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn interference_comes_between_steps_and_not_into_them() {
    let other = "var x: int = 0;\nthread U { x := 5; }\n";
    check(&format!("{other}thread T {{ assert x == 0; }}"), &["3: assertion-failed"]);
    check(&format!("{other}thread T {{ atomic {{ x := 1; assert x == 1; }} }}"), &[]);
    check(
        &format!("{other}thread T {{ atomic {{ x := 1; }} assert x == 1; }}"),
        &["3: assertion-failed"],
    );
}

#[test]
fn blocked_statements_have_no_effect() {
    check("var x: int = 0; thread T { assume x == 1; assert false; }", &[]);
    check("var x: int = 0; never x == 2; thread T { atomic { x := 2; assume false; } }", &[]);
    check("mutex m; thread T { acquire m; acquire m; assert false; }", &[]);
    check("thread T { atomic { assert false; assume false; } }", &["1: assertion-failed"]);
}

#[test]
fn every_kind_of_violation_is_found() {
    check("mutex m; thread T { release m; }", &["1: release-not-held"]);
    check("var r: 0..1 = 1; thread T { r := r + 1; }", &["1: value-out-of-range"]);
    check("var f: [0..1]int; thread T { f[2] := 0; }", &["1: index-out-of-range"]);
    check("var x: int = 0; thread T { x := 1 / x; }", &["1: division-by-zero"]);
    check("var x: int = 0; invariant x == 0; thread T { x := 1; }", &["1: invariant-broken"]);
    check("var x: int; invariant x != 1; thread T { skip; }", &["1: invariant-not-initial"]);
    check(
        "var x: int = 0; rely tid == U ==> x' == x; thread T { x := 1; } thread U { skip; }",
        &["1: rely-violated"],
    );
    check(
        "var x: int = 0; thread T { atomic modifies x requires x > 0 action x' == 0; }",
        &["1: precondition-failed"],
    );
    check(
        "var x: int = 0; thread T { atomic modifies x action x' > x ensures x' == 1; }",
        &["1: action-check-failed"],
    );
    check(
        "thread T { var i: int := 0; while (i < 3) invariant i < 2 { i := i + 1; } }",
        &["1: loop-invariant-not-preserved"],
    );
}

#[test]
fn calls_return_what_was_computed() {
    let text = "proc sum(n: int) returns (s: int) {
        if (n == 0) { return 0; }
        s := sum(n - 1);
        s := s + n;
    }
    thread T { var s := sum(3); assert s == 6; assert s != 6; }";
    check(text, &["6: assertion-failed"]);
}

/// What is proved with annotations that were found goes wrong in no run.
#[test]
fn what_is_inferred_holds() {
    let tally = infer_random(0..24, Duration::from_secs(2));
    assert!(tally.false_proofs.is_empty() && tally.failures.is_empty(), "{tally:?}");
    assert!(tally.inferred > 0, "{tally:?}");
}

/// Proofs hold: on random programs, most of them nearly right.
#[test]
fn proved_random_programs_have_no_violation() {
    let bounds = Bounds { states: 1_500, ..Bounds::default() };
    let comparison = Comparison { bounds, confirm: false, one_cluster: false };
    let tally = compare_random(0..300, &comparison);
    for odd in tally.false_proofs.iter().chain(&tally.failures) {
        eprint_all(odd);
    }
    assert!(tally.is_clean(), "{tally}");
    let proved = tally.statuses.get("Proved").copied().unwrap_or(0);
    assert!(proved >= 75, "too few are proved to say anything\n{tally}");
    let share = |kinds: &[Slips]| {
        let all = kinds.iter().filter_map(|kind| tally.kinds.get(kind));
        let of = |status| all.clone().filter_map(|one| one.get(status)).sum::<usize>();
        let total: usize = all.clone().flat_map(|one| one.values()).sum();
        100 * of("Proved") / total.max(1)
    };
    assert!(share(&[Slips::ProceduresWithout]) >= 50, "too few right ones are proved\n{tally}");
    let procedures = [Slips::ProceduresWithout, Slips::ProceduresWith];
    assert!(share(&procedures) >= 25, "too few procedures are proved\n{tally}");
    assert!(share(&[Slips::Claims]) >= 40, "too few claims are left over\n{tally}");
}

/// Proofs hold: on examples with one change each.
#[test]
fn proved_mutants_have_no_violation() {
    let examples = load_examples(&repository().join("examples"), &[Language::Plato]);
    let bounds = Bounds { states: 1_500, ..Bounds::default() };
    let report = run_mutants(&examples, Some((80, 1)), &bounds);
    for odd in report.false_proofs.iter().chain(&report.failures) {
        eprint_all(odd);
    }
    assert!(report.is_clean(), "{report}");
}

#[expect(clippy::print_stderr, reason = "shown when the test fails")]
fn eprint_all(odd: &testkit::differential::Disagreement) {
    eprintln!("{odd}");
}

/// One of ten seeds is about procedures that act like one step.
#[test]
fn proved_reductions_have_no_violation() {
    let comparison = Comparison { bounds: Bounds::default(), confirm: false, one_cluster: false };
    let (mut proved, mut refuted) = (0, 0);
    for seed in (2..402).step_by(10) {
        let tally = compare_random([seed], &comparison);
        assert!(tally.is_clean(), "seed {seed}: {tally}");
        let count = |status: &str| tally.statuses.get(status).copied().unwrap_or(0);
        proved += count("Proved");
        refuted += count("Refuted");
    }
    assert!(proved >= 10 && refuted >= 10, "{proved} proved, {refuted} refuted");
}
