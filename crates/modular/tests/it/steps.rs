//! `A*; X | (Y && G)`: what stands before and after one step.

use crate::support::{OTHER, check_thread, first_thread, program};
use gcl::Stmt;
use modular::Options;

/// Other threads act before the step, within the rely and the invariant. After it, the rely of
/// another thread and the invariant are checked, the rely from the store before the step to the one
/// after it.
#[test]
fn a_step_stands_between_environment_and_guarantee() {
    let input = "var x: int = 0; invariant x >= 0; rely x' >= x;
        thread T { x := x + 1; } thread U { }";
    let kept = format!("assert rely-violated (=> {OTHER} (<= x@old x@));");
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "assume (<= 0 x@);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "assume (<= 0 x@);",
            "x@old := x@;",
            "x@ := (+ x@ 1);",
            &kept,
            "assert invariant-broken (<= 0 x@);",
            "}",
        ],
    );
}

/// What is known after a step: that the invariant holds, and nothing of the relies of others.
#[test]
fn only_the_invariant_is_known_after_its_check() {
    let input = "var x: int = 0; invariant x >= 0; rely x' >= x;
        thread T { x := x + 1; } thread U { }";
    let task = first_thread(&program(input), &Options::default());
    let known: Vec<(String, bool)> = task
        .body
        .stmts
        .iter()
        .flat_map(|stmt| match stmt {
            Stmt::Block(_, inner) => inner.as_slice(),
            _ => &[],
        })
        .filter_map(|stmt| match stmt {
            Stmt::Assert(checks) => Some(checks),
            _ => None,
        })
        .flatten()
        .map(|check| {
            let about = &task.obligations[check.obligation.0 as usize];
            (about.code.to_string(), check.then_known)
        })
        .collect();
    let expected = [("rely-violated", false), ("invariant-broken", true)];
    assert_eq!(known, expected.map(|(code, known)| (code.to_owned(), known)));
}

/// A step that writes nothing keeps everything, since relies are reflexive. What it reads may have
/// changed before.
#[test]
fn a_step_that_writes_nothing_is_not_checked_against_the_guarantee() {
    let input = "var x: int = 0; invariant x >= 0; rely x' >= x;
        thread T { assert x >= 0; } thread U { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "assume (<= 0 x@);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "assume (<= 0 x@);",
            "assert assertion-failed (<= 0 x@);",
            "}",
        ],
    );
}

/// The environment leaves alone what the step does not touch and no formula connects with what it
/// touches. The rely about `y` is not in danger; nothing is said of `x`, so that it may have any
/// value.
#[test]
fn clusters_that_a_step_does_not_touch_stay_out_of_it() {
    let input = "var x: int = 0; var y: int = 0; rely y' >= y;
        thread T { x := 1; } thread U { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "assume (= y@ 0);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "x@old := x@;",
            "x@ := 1;",
            "}",
        ],
    );
}

/// The invariant connects `x` with `y`: a step that writes `x` alone can break it, and both may
/// have changed before.
#[test]
fn a_formula_connects_what_it_mentions() {
    let input = "var x: int = 0; var y: int = 0; invariant x <= y;
        thread T { x := 0; } thread U { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "assume (= y@ 0);",
            "assume (<= x@ y@);",
            "block L1 {",
            "x@env, y@env := x@, y@;",
            "havoc x@, y@;",
            "assume (<= x@ y@);",
            "x@old := x@;",
            "x@ := 0;",
            "assert invariant-broken (<= x@ y@);",
            "}",
        ],
    );
}

/// A thread's own rely is assumed by it and not checked of it; what `x' == x` freezes is not even
/// made arbitrary.
#[test]
fn a_rely_of_the_thread_itself_is_only_assumed() {
    let input = "var x: int = 0;
        thread T rely x' == x { x := 1; } thread U { }";
    check_thread(input, &["assume (= x@ 0);", "block L1 {", "x@old := x@;", "x@ := 1;", "}"]);
}

/// The rely of one thread is checked of the steps of the other, under the premise that it is that
/// thread.
#[test]
fn a_rely_of_another_thread_is_only_checked() {
    let input = "var x: int = 0;
        thread T { x := 1; } thread U rely x' >= x { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "x@old := x@;",
            "x@ := 1;",
            "assert rely-violated (=> (and (= |other thread@| 2) (not (= |other thread@| 1))) \
             (<= x@old x@));",
            "}",
        ],
    );
}

/// One environment and one check for the whole block, from the store before its first statement.
#[test]
fn an_atomic_block_is_one_step() {
    let input = "var x: int = 0; rely x' >= x;
        thread T { atomic { x := x + 2; x := x - 1; } } thread U { }";
    let kept = format!("assert rely-violated (=> {OTHER} (<= x@old x@));");
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "x@old := x@;",
            "x@ := (+ x@ 2);",
            "x@ := (+ x@ (- 1));",
            &kept,
            "}",
        ],
    );
}

/// Others do not act between the evaluation of a condition inside the block and what follows it.
#[test]
fn a_condition_inside_an_atomic_block_is_no_step_of_its_own() {
    let input = "var x: int = 0; rely x' >= x;
        thread T { atomic { if (x > 0) { x := x + 1; } } } thread U { }";
    let kept = format!("assert rely-violated (=> {OTHER} (<= x@old x@));");
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "x@old := x@;",
            "choose {",
            "assume (< 0 x@);",
            "x@ := (+ x@ 1);",
            "}",
            "or {",
            "assume (not (< 0 x@));",
            "}",
            &kept,
            "}",
        ],
    );
}

/// Nobody interferes with the only thread, and nobody relies on anything. The invariant must hold
/// all the same.
#[test]
fn a_thread_alone_has_no_environment() {
    let input = "var x: int = 0; invariant x >= 0; rely x' >= x; thread T { x := x + 1; }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "assume (<= 0 x@);",
            "block L1 {",
            "x@old := x@;",
            "x@ := (+ x@ 1);",
            "assert invariant-broken (<= 0 x@);",
            "}",
        ],
    );
}

/// `acquire m` is `<m == 0 && m' == tid>`, `release m` is `<m' == 0>` checked by `m == tid`. The
/// rely keeps the mutex of the thread that holds it.
#[test]
fn locks_are_numbers_of_threads() {
    let input = "mutex m; rely m == tid ==> m' == m;
        thread T { acquire m; release m; } thread U { }";
    let still_held = "(=> (= m@old |other thread@|) (= m@ m@old))";
    let kept = format!("assert rely-violated (=> {OTHER} {still_held});");
    check_thread(
        input,
        &[
            "assume (= m@ 0);",
            "block L1 {",
            "m@env := m@;",
            "havoc m@;",
            "assume (=> (= m@env 1) (= m@ m@env));",
            "assume (= (= m@env 1) (= m@ 1));",
            "m@old := m@;",
            "assume (= m@ 0);",
            "m@ := 1;",
            &kept,
            "m@env := m@;",
            "havoc m@;",
            "assume (=> (= m@env 1) (= m@ m@env));",
            "assume (= (= m@env 1) (= m@ 1));",
            "m@old := m@;",
            "assert release-not-held (= m@ 1);",
            "m@ := 0;",
            &kept,
            "}",
        ],
    );
}
