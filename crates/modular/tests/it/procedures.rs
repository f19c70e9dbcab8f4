//! Calls, specifications and reduction.

use crate::support::{OTHER, OTHER_THAN_THIS, check_procedure, check_thread};

/// The body runs with symbols of its own; its steps are steps of the caller.
#[test]
fn a_call_without_specification_is_inlined() {
    let input = "var x: int = 0;
        proc add(n: int) returns (r: int) { x := x + n; return x; }
        thread T { var a: int; a := add(1); } thread U { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "block L1 {",
            "havoc a@T.1.0;",
            "n@add.2.0 := 1;",
            "havoc r@add.2.1;",
            "block L2 {",
            "x@env := x@;",
            "havoc x@;",
            "x@old := x@;",
            "x@ := (+ x@ n@add.2.0);",
            "x@env := x@;",
            "havoc x@;",
            "r@add.2.1 := x@;",
            "exit L2;",
            "}",
            "a@T.1.0 := r@add.2.1;",
            "}",
        ],
    );
}

const ADD: &str = "var x: int = 0; rely x' >= x;
    proc add(n: int)
      requires n >= 0;
      action modifies x ensures x' == x + n;
      ensures x' >= x;
    { x := x + n; }
    thread T { add(1); } thread U { }";

/// The caller checks `requires`; then the action is one step of its own, with the guarantee of the
/// callee assumed and its own checked; then the environment acts and `ensures` is assumed, from the
/// store of the call to the present one.
#[test]
fn a_call_by_specification_is_the_abstraction() {
    let kept = format!("assert rely-violated (=> {OTHER} (<= x@old x@));");
    check_thread(
        ADD,
        &[
            "assume (= x@ 0);",
            "block L1 {",
            "n@add.2.0 := 1;",
            "havoc ;",
            "assert precondition-failed (<= 0 n@add.2.0);",
            "x@call.3 := x@;",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "x@old := x@;",
            "x@before := x@;",
            "havoc x@;",
            "assume (= x@ (+ x@before n@add.2.0));",
            "assume (<= x@before x@);",
            &kept,
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "assume (<= x@call.3 x@);",
            "}",
        ],
    );
}

/// The abstraction starts in state 0. A step leaves it where it is if it changes nothing, or takes
/// it from 0 to 1 if it does what the action says, with `n` as it was at the start. It must be
/// somewhere after each step, and in state 1 at the end.
#[test]
fn a_body_is_simulated_by_its_specification() {
    let kept = format!("assert rely-violated (=> {OTHER_THAN_THIS} (<= x@old x@));");
    check_procedure(
        ADD,
        &[
            "assume (<= 0 n@add.1.0);",
            "x@entry := x@;",
            "n@add.1.0entry := n@add.1.0;",
            "at 0@, at 1@ := true, false;",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "x@old := x@;",
            "x@ := (+ x@ n@add.1.0);",
            &kept,
            "at 0@, at 1@ := (and |at 0@| (= x@ x@old)), \
             (or (and |at 1@| (= x@ x@old)) \
             (and |at 0@| (= x@ (+ x@old n@add.1.0entry))));",
            "assert step-not-allowed (or |at 0@| |at 1@|);",
            "}",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "assert action-missing |at 1@|;",
            "assert postcondition-failed (<= x@entry x@);",
        ],
    );
}

/// A step that is said to perform an action performs that one: it does not leave the abstraction
/// where it is.
#[test]
fn a_step_that_performs_an_action_does_nothing_else() {
    let input = "var x: int = 0;
        proc grow() action up modifies x ensures x' >= x { performs up: x := x + 1; }
        thread T { } thread U { }";
    check_procedure(
        input,
        &[
            "at 0@, at 1@ := true, false;",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "x@old := x@;",
            "x@ := (+ x@ 1);",
            "at 0@, at 1@ := false, (and |at 0@| (<= x@old x@));",
            "assert step-not-allowed (or |at 0@| |at 1@|);",
            "}",
            "assert action-missing |at 1@|;",
        ],
    );
}

/// The whole body is one step: the environment acts once, before it, and the guarantee is checked
/// once, after it. An acquire must not come after the commitment; the release commits. The access
/// needs its lock, to read and to write. What `guarded by` stands for is relied on: nobody takes
/// the lock away from its holder or gives it to a thread, and `x` stays as it is for the holder.
#[test]
fn an_atomic_procedure_is_reduced_to_one_step() {
    let input = "mutex m; var x: int = 0 guarded by m;
        atomic proc bump() { acquire m; x := x + 1; release m; }
        thread T { bump(); } thread U { }";
    let kept = |formula: &str| format!("assert rely-violated (=> {OTHER} {formula});");
    let (held, is_held) = ("(= m@old |other thread@|)", "(= m@ |other thread@|)");
    let still_held = kept(&format!("(=> {held} {is_held})"));
    let still_not_held = kept(&format!("(=> (not {held}) (not {is_held}))"));
    let guarded = kept(&format!("(=> {held} (= x@ x@old))"));
    check_thread(
        input,
        &[
            "assume (= m@ 0);",
            "assume (= x@ 0);",
            "block L1 {",
            "havoc ;",
            "m@env, x@env := m@, x@;",
            "havoc m@, x@;",
            "assume (=> (= m@env 1) (= m@ 1));",
            "assume (=> (not (= m@env 1)) (not (= m@ 1)));",
            "assume (=> (= m@env 1) (= x@ x@env));",
            "assume (= (= m@env 1) (= m@ 1));",
            "m@old, x@old := m@, x@;",
            "committed.3@ := false;",
            "block L2 {",
            "assert not-atomic (not committed.3@);",
            "assume (= m@ 0);",
            "m@ := 1;",
            "assert unguarded-access (= m@ 1);",
            "assert unguarded-access (= m@ 1);",
            "x@ := (+ x@ 1);",
            "committed.3@ := true;",
            "assert release-not-held (= m@ 1);",
            "m@ := 0;",
            "}",
            &still_held,
            &still_not_held,
            &guarded,
            "}",
        ],
    );
}
