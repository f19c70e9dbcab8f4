//! The search with decision diagrams against the one with tables.

use crate::program;
use machine::{Goal, Machine, Settings, crowd, symbolic};
use search::{Budget, pushdown, thread_modular};
use std::collections::BTreeSet;

fn compare(text: &str, copies: &[u64]) -> u64 {
    let (program, _) = program(text);
    let found = symbolic(&program, copies, &Budget::default())
        .unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    let mut alarms = BTreeSet::new();
    let mut states = 0;
    for scope in crowd(&program, copies) {
        let mut machine = Machine::new(scope, Settings::default());
        let relations = thread_modular(&mut machine, &Budget::default());
        assert_eq!(relations.cut, None, "{text}");
        states += relations.states();
        alarms.extend(relations.alarms.iter().map(|alarm| Goal::of(machine.fault(alarm.fault))));
    }
    assert_eq!(found.alarms, alarms, "{text}");
    assert_eq!(found.states, states, "{text}");
    states
}

const SIMPLE: &str = "mutex m; var x: 0..1 = 1; invariant m == 0 ==> x == 1;
    never exists i, j: Tid :: i != j && at(i, A) && at(j, A);
    thread P[*] { acquire m; x := 0; A: x := x + 1; assert x > 0; release m; }";

#[test]
fn simple_has_the_facts_of_the_paper() {
    for n in [1, 2, 3, 10] {
        assert_eq!(compare(SIMPLE, &[n]), 4 * n * n + 2 * n);
    }
    // As many threads as nobody would write down.
    let found =
        symbolic(&program(SIMPLE).0, &[1_000_000], &Budget::default()).expect("a translation");
    let n: u64 = 1_000_000;
    assert_eq!(found.states, 4 * n * n + 2 * n);
    assert!(found.alarms.is_empty());
}

#[test]
fn the_same_alarms_as_with_tables() {
    for text in [
        "var m: bool = false; var x: 0..1 = 1; never exists i, j: Tid :: i != j && at(i, A) && at(j, A);
         thread P[*] { atomic { assume !m; m := true; } x := 0; A: x := x + 1; assert x > 0; m := false; }",
        "var x: -2..3 = 0; thread P[*] { x := x * x - 2; assert x < 2; if (x == -2) { x := 3; } }",
        "enum Mode { Idle, Busy, Done } var mode: Mode = Idle; thread P[*] { if (mode == Idle) { mode := Busy; }
         assert mode != Done; }",
        "var f: [0..2]bool = [_ => false]; var i: 0..2 = 0; thread P[*] { f[i] := !f[i]; assert f[0] || f[1];
         if (i < 2) { i := i + 1; } }",
        "mutex m; thread P[*] { if (*) { acquire m; } release m; }",
        "var x: 0..3; init x < 2; thread P[*] { atomic modifies x action x' > x; assert x != 2; }",
        "var t: Tid = 0; var n: 0..3 = 0; thread P[*] { cas(t, 0, tid); if (t == tid) { n := 2; } assert n < 2; }",
        "var x: 0..7 = 1; invariant x > 0; thread P[*] { choose { x := x - 1; } or { havoc x; } }",
    ] {
        for n in 1..=3 {
            compare(text, &[n]);
        }
    }
}

#[test]
fn what_is_not_translated_is_refused() {
    for text in [
        "var x: int = 0; thread P[*] { x := 1; }",
        "proc p() { skip; } thread P[*] { atomic { p(); } }",
        "proc p() returns (r: 0..400) { r := 1; } thread P[*] { var x: 0..400; x := p(); }",
        "var s: set<Tid> = {}; thread P[*] { skip; }",
        "var x: 0..3 = 0; thread P[*] { x := 3 / 2; }",
        "never deadlock; thread P[*] { skip; }",
    ] {
        assert!(symbolic(&program(text).0, &[2], &Budget::default()).is_err(), "{text}");
    }
}

/// The same with stacks.
fn compare_with_stacks(text: &str, copies: &[u64]) -> u64 {
    let (program, _) = program(text);
    let found = symbolic(&program, copies, &Budget::default())
        .unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    let mut alarms = BTreeSet::new();
    let mut paths = 0;
    for scope in crowd(&program, copies) {
        let mut machine = Machine::new(scope, Settings::default());
        let summaries = pushdown(&mut machine, &Budget::default());
        assert_eq!(summaries.cut, None, "{text}");
        paths += summaries.paths();
        alarms.extend(summaries.alarms.iter().map(|alarm| Goal::of(machine.fault(alarm.fault))));
    }
    assert_eq!(found.alarms, alarms, "{text}");
    assert_eq!(found.states, paths, "{text}");
    paths
}

const RECURSIVE: &str = "mutex m; var x: 0..1 = 1;
    proc work() { x := 0; x := x + 1; if (*) { work(); } assert x > 0; }
    thread P[*] { acquire m; work(); assert m == tid; release m; }";

#[test]
fn stacks_of_any_depth() {
    for n in [1, 2, 5] {
        compare_with_stacks(RECURSIVE, &[n]);
    }
    let found =
        symbolic(&program(RECURSIVE).0, &[100_000], &Budget::default()).expect("a translation");
    assert!(found.alarms.is_empty());
    let unlocked = RECURSIVE.replace("if (*) { work(); }", "if (*) { release m; work(); }");
    let found =
        symbolic(&program(&unlocked).0, &[100_000], &Budget::default()).expect("a translation");
    let codes: Vec<&str> = found.alarms.iter().map(|goal| goal.code.as_str()).collect();
    assert!(codes.contains(&"release-not-held"), "{codes:?}");
}

#[test]
fn the_same_paths_as_with_tables() {
    for text in [
        // Parameters and results, of several kinds, to local and shared variables and to elements
        // of maps.
        "var x: 0..3 = 0; proc up(by: 0..3) returns (r: 0..7) { r := x + by; if (r > 3) { r := up(0); } }
         thread P[*] { var y: 0..7; y := up(1); x := up(2); assert y < 4; }",
        "var f: [0..1]bool = [_ => false]; 
         proc flip(i: 0..1) returns (old: bool) { old := f[i]; f[i] := !old; if (*) { old := flip(i); } return old; }
         thread P[*] { var b: bool; b := flip(0); f[1] := flip(1); assert !b; }",
        // Two procedures that call each other, and an end through a choice.
        "var t: Tid = 0; proc even() { choose { odd(); } or { skip; } } proc odd() { cas(t, 0, tid); even(); }
         thread P[*] { even(); assert t == 0; } thread Q { t := 0; }",
        // A result that is never written is arbitrary.
        "var x: 0..2 = 0; proc any() returns (r: 0..2) { } thread P[*] { x := any(); assert x < 2; }",
        // The caller's variables are as they were, whatever the procedure calls its own.
        "var x: 0..1 = 0; proc p(a: bool, b: 0..1) { var c: 0..1 := b; x := c; if (a) { p(false, 1); } assert x == b; }
         thread P[2] { var k: 0..1 := 0; var l: bool := true; p(l, k); assert k == 0 && l; }",
        // An argument outside of its range.
        "var x: 0..3 = 0; proc p(a: 0..1) { x := a; } thread P[*] { x := 2; p(x); }",
        // An invariant that is broken inside.
        "var x: 0..2 = 0; invariant x < 2; proc p() { if (x < 2) { x := x + 1; p(); } } thread P[*] { p(); x := 0; }",
    ] {
        let threads = program(text).0.threads.len();
        for n in 1..=2 {
            let copies: Vec<u64> = [n, 1][..threads].to_vec();
            compare_with_stacks(text, &copies);
        }
    }
}
