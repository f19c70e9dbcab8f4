//! The search with decision diagrams against the one with tables.

use crate::program;
use machine::{Goal, Machine, Settings, crowd, symbolic};
use search::{Budget, thread_modular};
use std::collections::BTreeSet;

fn compare(text: &str, copies: &[u64]) -> u64 {
    let (program, _) = program(text);
    let found = symbolic(&program, copies).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
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
    let found = symbolic(&program(SIMPLE).0, &[1_000_000]).expect("a translation");
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
        "proc p() { skip; } thread P[*] { p(); }",
        "var s: set<Tid> = {}; thread P[*] { skip; }",
        "var x: 0..3 = 0; thread P[*] { x := 3 / 2; }",
        "never deadlock; thread P[*] { skip; }",
    ] {
        assert!(symbolic(&program(text).0, &[2]).is_err(), "{text}");
    }
}
