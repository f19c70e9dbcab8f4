//! Branches, loops and jumps.

use crate::support::check_thread;

/// The condition is evaluated in one step, after which other threads may act again.
#[test]
fn a_branch_assumes_its_condition_or_the_negation() {
    let input = "var x: int = 0; rely x' >= x;
        thread T { if (x > 0) { assert x > 0; } } thread U { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "choose {",
            "assume (< 0 x@);",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "assert assertion-failed (< 0 x@);",
            "}",
            "or {",
            "assume (not (< 0 x@));",
            "}",
            "}",
        ],
    );
}

/// At the head of the loop are known: its invariant; the program's invariant about `x`, which the
/// loop writes; and of `y`, which only others write, that it changed as the rely allows since the
/// loop was entered.
#[test]
fn a_loop_is_cut_at_its_head() {
    let input = "var x: int = 0; var y: int = 0; invariant x >= 0; rely y' >= y;
        thread T {
            var n: int := 0;
            while (n < 3) invariant n <= 3 { x := x + 1; n := n + y; }
        }
        thread U { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "assume (= y@ 0);",
            "assume (<= 0 x@);",
            "block L1 {",
            "n@T.1.0 := 0;",
            "y@entry.2 := y@;",
            "block L2 {",
            "loop",
            "invariant (<= n@T.1.0 3);",
            "free invariant (<= y@entry.2 y@);",
            "free invariant (<= 0 x@);",
            "{",
            "block L3 {",
            "choose {",
            "assume (< n@T.1.0 3);",
            "}",
            "or {",
            "assume (not (< n@T.1.0 3));",
            "exit L2;",
            "}",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= 0 x@);",
            "x@old := x@;",
            "x@ := (+ x@ 1);",
            "assert invariant-broken (<= 0 x@);",
            "y@env := y@;",
            "havoc y@;",
            "assume (<= y@env y@);",
            "n@T.1.0 := (+ n@T.1.0 y@);",
            "}",
            "}",
            "}",
            "}",
        ],
    );
}

/// A loop invariant about a shared variable must hold after the environment had its turn, when the
/// loop is entered and after each iteration.
#[test]
fn the_environment_acts_before_a_loop_invariant_is_checked() {
    let input = "var x: int = 0; rely x' >= x;
        thread T { loop invariant x >= 0 { } } thread U { }";
    check_thread(
        input,
        &[
            "assume (= x@ 0);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "x@entry.2 := x@;",
            "block L2 {",
            "loop",
            "invariant (<= 0 x@);",
            "free invariant (<= x@entry.2 x@);",
            "{",
            "block L3 {",
            "choose {",
            "}",
            "or {",
            "exit L2;",
            "}",
            "}",
            "x@env := x@;",
            "havoc x@;",
            "assume (<= x@env x@);",
            "}",
            "}",
            "}",
        ],
    );
}

/// `break` leads behind the loop, `continue` to the end of the iteration, `return` to the end of
/// the thread.
#[test]
fn jumps_lead_to_ends_of_blocks() {
    let input = "thread T { loop { if (*) { break; } if (*) { continue; } return; } }";
    check_thread(
        input,
        &[
            "block L1 {",
            "block L2 {",
            "loop",
            "{",
            "block L3 {",
            "choose {",
            "}",
            "or {",
            "exit L2;",
            "}",
            "choose {",
            "exit L2;",
            "}",
            "or {",
            "}",
            "choose {",
            "exit L3;",
            "}",
            "or {",
            "}",
            "exit L1;",
            "}",
            "}",
            "}",
            "}",
        ],
    );
}

/// With a label they lead behind that block or loop, or to the end of an iteration of that loop.
#[test]
fn labels_say_which_block_is_left() {
    let input = "thread T { B: { A: loop { loop { continue A; } if (*) { break B; } } } }";
    check_thread(
        input,
        &[
            "block L1 {",
            "block L2 {",
            "block L3 {",
            "loop",
            "{",
            "block L4 {",
            "choose {",
            "}",
            "or {",
            "exit L3;",
            "}",
            "block L5 {",
            "loop",
            "{",
            "block L6 {",
            "choose {",
            "}",
            "or {",
            "exit L5;",
            "}",
            "exit L4;",
            "}",
            "}",
            "}",
            "choose {",
            "exit L2;",
            "}",
            "or {",
            "}",
            "}",
            "}",
            "}",
            "}",
            "}",
        ],
    );
}
