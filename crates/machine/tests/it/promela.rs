//! Programs as models of SPIN: their text, and if SPIN is there, its verdicts and numbers of
//! states.
#![expect(clippy::needless_raw_string_hashes, reason = "written by expect-test")]

use crate::simple::simple;
use crate::{all, program};
use expect_test::{Expect, expect};
use machine::{Request, check, crowd, promela, worlds};
use plato::hir::{Count, Program};
use search::Budget;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn exported(text: &str) -> Result<String, String> {
    let (program, _) = program(text);
    promela(&worlds(&program, &machine::Sizes::default())[0])
}

fn check_text(text: &str, expected: Expect) {
    expected.assert_eq(&exported(text).unwrap_or_else(|why| format!("not exported: {why}\n")));
}

#[test]
fn simple_program() {
    check_text(
        &finite_simple(2),
        expect![[r#"
            /* Each step of a thread is one step here. The number of the running thread: */
            #define TID (_pid + 1)

            bit x = 1;
            byte m = 0;

            active [2] proctype P() {
            end_L0: if
              :: d_step { (m == 0) -> m = TID }; goto end_L1;
              fi;
            end_L1: x = 0; goto end_L2;
            end_L2: if
              :: d_step { ((x + 1) <= 1) -> x = (x + 1) }; goto end_L3;
              :: else -> assert(false); false /* value-out-of-range */;
              fi;
            end_L3: if
              :: (x > 0) -> goto end_L4;
              :: else -> assert(false); false /* assertion-failed */;
              fi;
            end_L4: if
              :: d_step { (m == TID) -> m = 0 }; goto end_L5;
              :: else -> assert(false); false /* release-not-held */;
              fi;
            end_L5: false;
            }

            active proctype monitor() {
              end_watch: if
              :: ((m == 0) && (x != 1)) -> assert(false) /* invariant-broken */
              fi
            }
        "#]],
    );
}

#[test]
fn atomic_block_that_blocks_in_the_middle() {
    check_text(
        "var x: 0..3 = 0; var a: [0..1]bool = [_ => false];
        thread T { atomic { x := x + 1; assume x == 2; a[x - 1], a[0] := a[0], true; } }",
        expect![[r#"
            /* Each step of a thread is one step here. The number of the running thread: */
            #define TID (_pid + 1)

            byte x = 0;
            bool a[2] = 0;
            hidden int scratch0;
            hidden int scratch1;
            hidden int scratch2;

            active [1] proctype T() {
            end_L0: if
              :: d_step { (((x + 1) <= 3) && ((x + 1) == 2)) -> scratch0 = (x + 1); scratch1 = a[0]; scratch2 = ((x + 1) - 1); x = scratch0; a[scratch2] = scratch1; a[0] = 1 }; goto end_L1;
              :: ((x + 1) > 3) -> assert(false); false /* value-out-of-range */;
              :: ((((x + 1) <= 3) && ((x + 1) == 2)) && ((((x + 1) - 1) < 0) || (((x + 1) - 1) > 1))) -> assert(false); false /* index-out-of-range */;
              fi;
            end_L1: false;
            }
        "#]],
    );
}

#[test]
fn arbitrary_choices_and_calls() {
    check_text(
        "var b: bool; never deadlock;
        proc flip(v: bool) returns (w: bool) { return !v; }
        thread T { choose { b := flip(b); } or { assume false; } }",
        expect![[r#"
            /* Each step of a thread is one step here. The number of the running thread: */
            #define TID _pid

            bool b = 0;
            hidden int scratch0;

            proctype T() {
              byte v = 2;
              byte w = 2;
            L0: if
              :: d_step { v = b; w = 0 }; goto L1;
              :: d_step { v = b; w = 1 }; goto L1;
              fi;
            L1: w = !v; goto L2;
            L2: if
              :: d_step { scratch0 = w; b = scratch0; v = 2; w = 2 }; goto end_L3;
              fi;
            end_L3: false;
            }

            init { atomic {
              if
              :: true; b = 0
              :: true; b = 1
              fi;
              run T();
              }
              end_start: false }
        "#]],
    );
}

#[test]
fn properties_of_control() {
    check_text(
        "mutex m; never exists i, j: Tid :: i != j && at(i, In) && at(j, In);
        thread T[2] { acquire m; In: skip; release m; }",
        expect![[r#"
            /* Each step of a thread is one step here. The number of the running thread: */
            #define TID (_pid + 1)

            byte m = 0;

            active [2] proctype T() {
            end_L0: if
              :: d_step { (m == 0) -> m = TID }; goto end_L1;
              fi;
            end_L1: true -> goto end_L2;
            end_L2: if
              :: d_step { (m == TID) -> m = 0 }; goto end_L3;
              :: else -> assert(false); false /* release-not-held */;
              fi;
            end_L3: false;
            }

            active proctype monitor() {
              end_watch: if
              :: (((T[0]@end_L1) && (T[1]@end_L1)) || ((T[1]@end_L1) && (T[0]@end_L1))) -> assert(false) /* never-reached */
              fi
            }
        "#]],
    );
}

#[test]
fn what_is_not_exported() {
    check_text(
        "var x: int = 0; thread T { x := 1; }",
        expect![[r#"
        not exported: `x`: the type `int` has infinitely many values; give it a range
    "#]],
    );
    check_text(
        "type K; var x: K; thread T { skip; }",
        expect![[r#"
        not exported: `x`: the type `K` is not finite
    "#]],
    );
    check_text(
        "var x: 0..1 = 0; never race; thread T { x := 1; }",
        expect![[r#"
        not exported: `never race`
    "#]],
    );
    check_text(
        "proc p() { p(); } thread T { p(); }",
        expect![[r#"
        not exported: `p`, a procedure that calls itself
    "#]],
    );
    check_text(
        "var x: 0..1 = 0; thread T { atomic { while (*) { x := 1 - x; } } }",
        expect![[r#"
        not exported: a loop inside of an atomic block
    "#]],
    );
    check_text(
        "var x: 1..2 = 1; var y: 0..1 = 0; thread T { y := 2 / x; }",
        expect![[r#"
        not exported: division by something else than a positive constant
    "#]],
    );
}

fn finite_simple(n: usize) -> String {
    simple(n).replace("x: int", "x: 0..1")
}

/// What `spin` and its verifier found.
#[derive(Debug, PartialEq, Eq)]
struct Verdict {
    is_wrong: bool,
    states: Option<u64>,
}

/// Runs SPIN on a model; nothing if it is not installed.
fn spin(model: &str, name: &str) -> Option<Verdict> {
    let folder = std::env::temp_dir().join(format!("rely-promela-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let found = spin_in(&folder, model);
    std::fs::remove_dir_all(&folder).expect("the folder is still there");
    found
}

fn spin_in(folder: &Path, model: &str) -> Option<Verdict> {
    let run = |program: PathBuf, arguments: &[&str]| -> Option<Output> {
        Command::new(program).args(arguments).current_dir(folder).output().ok()
    };
    std::fs::write(folder.join("model.pml"), model).expect("the folder can be written to");
    let made = run("spin".into(), &["-o1", "-o2", "-o3", "-a", "model.pml"])?;
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.status.success() && !said.contains("Error"), "{said}\n{model}");
    let options = ["-O1", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"];
    let compiled = run("cc".into(), &options)?;
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let out = run(folder.join("pan"), &["-m1000000"])?;
    let out = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(!out.contains("max search depth too small"), "{out}");
    let errors = out.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let is_wrong = errors.expect("a number of errors") != "0";
    let line = out.lines().find(|line| line.contains("states, stored"));
    let states = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    Some(Verdict { is_wrong, states: states.filter(|_| !is_wrong) })
}

/// More states than these are not counted by SPIN too.
const STATES: u64 = 20_000;

/// Whether both searches agree on the worlds of a program that can be exported; false if SPIN is
/// not installed.
pub(crate) fn agrees(name: &str, program: &Program, copies: &[u64]) -> bool {
    for scope in crowd(program, copies) {
        let Ok(model) = promela(&scope) else { continue };
        let budget = Budget { states: STATES, ..Budget::default() };
        let checked = check(scope, &Request { budget, ..all() });
        let is_wrong = !checked.violations.is_empty();
        if !is_wrong && checked.states >= STATES {
            continue;
        }
        let Some(found) = spin(&model, name) else {
            #[expect(clippy::print_stdout, reason = "says why nothing was compared")]
            {
                println!("skipped: spin is not installed");
            }
            return false;
        };
        // The choice of an initial store is a step of its own.
        let several = u64::from(model.contains("init {"));
        let states = (!is_wrong).then_some(checked.states + several);
        assert_eq!(found, Verdict { is_wrong, states }, "{name}\n{model}");
    }
    true
}

#[test]
fn same_verdicts_and_states_as_spin() {
    let simple = [1, 2, 5].map(finite_simple);
    let texts = SMALL.iter().map(|text| (*text).to_owned()).chain(simple);
    for (at, text) in texts.enumerate() {
        let (program, _) = program(&text);
        let copies: Vec<u64> = program.threads.iter().map(|thread| copies(thread.count)).collect();
        if let Some(scope) = crowd(&program, &copies).first()
            && let Err(why) = promela(scope)
        {
            panic!("{text}: {why}");
        }
        if !agrees(&format!("small-{at}"), &program, &copies) {
            return;
        }
    }
}

fn copies(count: Count) -> u64 {
    match count {
        Count::One => 1,
        Count::Copies(count) => count,
        Count::Symbolic(_) | Count::Any => 2,
    }
}

/// One for each construct.
const SMALL: &[&str] = &[
    "var x: 0..3 = 0; thread T[2] { x := x + 1; } thread U { assert x < 3; }",
    "var x: 0..2 = 0; thread T[3] { x := x + 1; }",
    "var x: -3..3; init x < 0; thread T { x := x / 2; x := x % 2; assert x == 1 || x == 0; }",
    "var x: 0..3 = 0; thread T { atomic { x := x + 1; assume x == 2; } } thread U { x := 1; }",
    "var x: 0..3 = 0; never deadlock; thread T { atomic { x := 1; assume false; } }",
    "never deadlock; thread T { choose { assume false; } or { skip; } } thread U { skip; }",
    "never deadlock; thread T { choose { } or { assume false; } }",
    "mutex a; mutex b; never deadlock; thread T { acquire a; acquire b; release b; release a; }
        thread U { acquire b; acquire a; release a; release b; }",
    "mutex m; thread T[2] { acquire m; release m; release m; }",
    "var f: [0..2]bool = [_ => true]; var i: 0..3; thread T { f[i] := false; }",
    "var f: [0..2]bool = [_ => true]; var i: 0..2; invariant exists k: 0..2 :: f[k];
        thread T[2] { f[i] := false; f := f[1 := true]; havoc i; }",
    "var s: set<Tid> = {}; thread T[3] { s := s + {tid}; assert tid in s; s := s - {tid}; }",
    "var s: set<Tid> = {}; thread T[2] { atomic { s := s + {tid}; } assert s <= T; assert s != {}; }",
    "enum E { A, B, C } var e: E = A; var n: [E]Tid = [_ => 0];
        thread T[2] { n[e] := tid; e := e == A ? B : C; assert n[A] != 0; }",
    "var g: [0..1][bool]0..1 = [_ => [_ => 0]];
        thread T[2] { g[1][true] := 1; g[0] := g[1]; assert g[0][true] == 1; }",
    "var x: 0..1 = 0; thread T[2] { var b: bool; var t: 0..2 := 2; b := cas(x, 0, 1);
        if (b) { t := 0; } cas(x, 1, t); assert x < 2; }",
    "var x: 0..1 = 0; thread T[2] { var t: 0..1 := 1; loop { cas(x, 0, t); if (*) { break; } } }",
    "var x: 0..3 = 0; proc inc(by: 0..2) returns (old: 0..3) { old := x; x := (x + by) % 4; }
        thread T { var r: 0..3 := 0; r := inc(1); r := inc(2); assert r != 3; }
        thread U { inc(1); }",
    "var x: 0..1 = 0; proc two() { one(); one(); } proc one() { var t: 0..1; x := 1 - x; }
        thread T { two(); assert x == 0; }",
    "var x: 0..3 = 0; proc inc() { x := x + 1; }
        thread T { atomic { inc(); inc(); } assert x == 2; } thread U { assert x != 1; }",
    "var x: 0..3 = 0; thread T { atomic { var i: 0..3 := 0; while (i < 3) { i := i + 1; x := i; } } }
        thread U { assert x == 0 || x == 3; }",
    "mutex m; never exists i, j: Tid :: i != j && at(i, In) && at(j, In);
        thread T[3] { acquire m; In: skip; release m; }",
    "mutex m; never exists i, j: Tid :: i != j && at(i, In) && at(j, In);
        thread T[2] { acquire m; release m; In: skip; }",
    "var x: 0..1 = 0; never at(T, L) && x == 1; proc p() { L: x := 0; } thread T { p(); x := 1; p(); }",
    "var x: 0..1 = 0; never at(T, L) && x == 1; thread T { choose { L: x := 1; } or { skip; } }
        thread U { x := 1; }",
    "var x: 0..3 = 0; var y: bool; thread T[2] { atomic modifies x, y requires x < 3 action x' > x && y' == !y; }",
    "var x: 0..3 = 0; pred big() = x > 1; thread T[2] { atomic modifies x action x' >= x && big'() ensures x' < 3; }",
    "var x, y: bool; init x != y; thread T { x, y := y, x; assert x != y; } thread U { assert x || y; }",
    "thread T { var x: 0..2; var y: bool; if (y) { var z: 0..1 := 0; } loop { havoc x; assume x > 0; } }",
];
