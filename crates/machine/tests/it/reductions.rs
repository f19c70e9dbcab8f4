//! Symmetry leaves states out, and never a fault.

use crate::{all, checked};
use machine::{Request, Violation};
use search::{Options, Report};
use std::collections::BTreeSet;

fn run(text: &str, symmetry: bool) -> Report<Violation> {
    checked(text, &Request { options: Options { symmetry, all: true }, ..all() })
}

fn codes(checked: &Report<Violation>) -> BTreeSet<(&str, u32)> {
    checked.violations.iter().map(|one| (one.fault.code.as_str(), one.fault.span.start)).collect()
}

const PROGRAMS: &[&str] = &[
    "var x: 0..9 = 0; thread T[3] { var i: 0..3 := 0; while (i < 2) { i := i + 1; } x := x + 1; assert x < 3; }",
    "var last: Tid = 0; var first: Tid = 0; mutex m;
     thread T[3] { acquire m; if (first == 0) { first := tid; } last := tid; release m; assert last == tid; }
     thread U { assert first == 0; }",
    "var seen: set<Tid> = {}; thread T[3] { var me: Tid := tid; seen := seen + {me}; assert U !in seen; assert seen != T; }
     thread U { var k: 0..2 := 1; k := k + 1; }",
    "var next: [Tid]Tid = [_ => 0]; var top: Tid = 0;
     thread T[3] { var t: Tid := top; atomic { next[tid] := t; top := tid; } assert next[tid] != tid; assert next[top] == 0; }",
    "var a: 0..9 = 0; var b: 0..9 = 0; invariant a < 2;
     thread T { var i: 0..5 := 0; while (i < 4) { i := i + 1; } a := 1; a := 2; }
     thread U { var j: 0..5 := 0; while (j < 4) { j := j + 1; } b := 1; assert b == 1; b := b / (b - 1); }",
    "proc inc(by: int) returns (r: int) { r := by + 1; } var x: 0..20 = 0;
     thread T[2] { var a := inc(3); x := x + a; assert x == 4; }",
];

#[test]
fn faults_stay() {
    let mut saved = 0;
    for text in PROGRAMS {
        let whole = run(text, false);
        assert_eq!(whole.cut, None, "{text}");
        let reduced = run(text, true);
        assert_eq!(codes(&whole), codes(&reduced), "{text}");
        // Not every program has copies.
        assert!(reduced.states <= whole.states, "{text}");
        saved += usize::from(reduced.states < whole.states);
    }
    assert!(saved >= 5, "{saved}");
}

/// A run found up to names is a run of the program: a plain search finds one as short.
#[test]
fn runs_are_as_short() {
    for text in PROGRAMS {
        let whole = run(text, false);
        let reduced = run(text, true);
        for violation in &whole.violations {
            let same = |one: &&Violation| one.fault == violation.fault;
            let other = reduced.violations.iter().find(same).expect("the same fault");
            assert_eq!(violation.run.steps.len(), other.run.steps.len(), "{text}");
        }
    }
}
