//! Statements.

use crate::support::{check, check_program};
use expect_test::expect;

#[test]
fn misplaced_statement() {
    check(
        "thread T { break; continue; if (*) { break; } loop { break; if (*) { continue; } } }",
        expect![[r#"
            1:12 misplaced-statement: `break` outside a loop
              at `break`: no `while` or `loop` around it
              = remove it
            1:19 misplaced-statement: `continue` outside a loop
              at `continue`: no `while` or `loop` around it
              = remove it
            1:38 misplaced-statement: `break` outside a loop
              at `break`: no `while` or `loop` around it
              = remove it
        "#]],
    );
    check(
        "var x: int; proc p() { atomic { return; } } thread T { atomic { atomic { x := 1; } }
         while (*) { atomic { break; } atomic { while (*) { break; } } } atomic { continue; } }",
        expect![[r#"
            1:33 misplaced-statement: `return` in an `atomic` block
              at `return`: would leave the step in the middle
              = return after the block
            1:65 misplaced-statement: an `atomic` block in an `atomic` block
              at `atomic`: is one step already
              = remove the inner `atomic`
            2:31 misplaced-statement: `break` would leave an `atomic` block in the middle
              at `break`: its loop is outside the `atomic`
              = set a local variable and test it after the block
            2:83 misplaced-statement: `continue` outside a loop
              at `continue`: no `while` or `loop` around it
              = remove it
        "#]],
    );
    check(
        "var x: int; thread T { atomic { while (x > 0) { x := x - 1; if (x == 3) { break; } } atomic modifies x action x' == 1; } return; }",
        expect![[""]],
    );
}

#[test]
fn counts() {
    check(
        "var x, y: int; proc p(a: int) returns (r: int, s: int) { return 1; return 1, 2; return; }
         thread T { x, y := 1; x := 1, 2; p(); p(1, 2); x := p(1); x, y := p(1); p(1); return 1; var b, c: int := 1, 2, 3; var d := p(1); }",
        expect![[r#"
            1:58 wrong-argument-count: 1 value returned by a procedure with 2 results
              at `return 1`: wrong number of values
              = declare results with `returns (r: T)`
            2:21 wrong-argument-count: 1 value for 2 variables
              at `x, y := 1`: as many values as variables are needed
            2:32 wrong-argument-count: 2 values for 1 variable
              at `x := 1, 2`: as many values as variables are needed
            2:43 wrong-argument-count: 0 arguments for `p`, which takes 1
              at `p()`: wrong number of arguments
              1:21 `p`: declared here
            2:48 wrong-argument-count: 2 arguments for `p`, which takes 1
              at `p(1, 2)`: wrong number of arguments
              1:21 `p`: declared here
            2:62 wrong-argument-count: 1 variable for 2 results of `p`
              at `p(1)`: take all results or none
              1:21 `p`: declared here
            2:88 wrong-argument-count: this thread returns no values
              at `return 1`: wrong number of values
              = declare results with `returns (r: T)`
            2:102 wrong-argument-count: 3 values for 2 variables
              at `b, c: int := 1, 2, 3`: as many values as variables are needed
            2:133 wrong-argument-count: 2 values for 1 variable
              at `p(1)`: as many values as variables are needed
        "#]],
    );
}

#[test]
fn types_of_statements() {
    check(
        "var x: int; var b: bool; mutex m; proc p(a: Tid): bool { return 1; }
         thread T { x := true; b, x := 1, true; acquire x; release m[0]; assert x; assume 1; x := p(1); x := cas(m, 0, tid);
                    b := cas(m, 1, tid); cas(x, 0, b); cas(x, true, 3); if (x) { } while (1) invariant x { } x[0] := 1; havoc m[1]; }",
        expect![[r#"
            1:65 type-mismatch: expected `bool`, found `int`
              at `1`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            2:26 type-mismatch: expected `int`, found `bool`
              at `true`: has type `bool`
            2:40 type-mismatch: expected `bool`, found `int`
              at `1`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            2:43 type-mismatch: expected `int`, found `bool`
              at `true`: has type `bool`
            2:57 type-mismatch: expected a mutex, found `int`
              at `x`: a mutex holds the thread that has it
              = declare it with `mutex m;`, or give it type `Tid`
            2:70 type-mismatch: expected a map, found `Tid`
              at `0`: indexes something that is not a map
            2:81 type-mismatch: expected `bool`, found `int`
              at `x`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            2:91 type-mismatch: expected `bool`, found `int`
              at `1`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            2:99 type-mismatch: expected `int`, found `bool`
              at `p(1)`: has type `bool`
            2:101 type-mismatch: expected `Tid`, found `int`
              at `1`: has type `int`
              = only `0` (nobody), `tid` and names of threads have type `Tid`
            2:105 type-mismatch: expected `bool`, found `int`
              at `x`: has type `int`
            3:33 type-mismatch: expected `Tid`, found `int`
              at `1`: has type `int`
              = only `0` (nobody), `tid` and names of threads have type `Tid`
            3:52 type-mismatch: expected `int`, found `bool`
              at `b`: has type `bool`
            3:63 type-mismatch: expected `int`, found `bool`
              at `true`: has type `bool`
            3:77 type-mismatch: expected `bool`, found `int`
              at `x`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            3:91 type-mismatch: expected `bool`, found `int`
              at `1`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            3:104 type-mismatch: expected `bool`, found `int`
              at `x`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            3:112 type-mismatch: expected a map, found `int`
              at `0`: indexes something that is not a map
            3:129 type-mismatch: expected a map, found `Tid`
              at `1`: indexes something that is not a map
        "#]],
    );
}

#[test]
fn cas_swaps_places_and_writes_values() {
    check_program(
        "var x: int; var f: [int]int; const N: int = 1; mutex m;
         thread T { var t: Tid; var n: int; var b: bool; cas(m, 0, t); cas(x, 1, f[n]); cas(x, 1, N); cas(x, n, n + 1); b := cas(f[1], 1, n); var c := cas(m, tid, 0); }",
        expect![[r#"
            const N: Int = Some(Int(1))
            var x: Int
            var f: Map(Int, Int)
            var m: Tid mutex
            init (Eq m nobody)
            thread T One
              havoc %t
              havoc %n
              havoc %b
              swap m nobody %t
              swap x 1 f[%n]
              _ := cas x 1 N
              _ := cas x %n (Add %n 1)
              %b := cas f[1] 1 %n
              %c := cas m tid nobody
        "#]],
    );
}

#[test]
fn local_declarations() {
    check_program(
        "var k: 0..3; proc p() returns (a: 0..3, b: bool) { a := 1; }
         thread T { var a := k; var b, c := k + 1, tid; var d, e: int := 7; var f, g: bool; var h, i := p(); var j: 0..1; }",
        expect![[r#"
            var k: Range(0, 3)
            thread T One
              %a := k
              %b := (Add k 1), %c := tid
              %d := 7, %e := 7
              havoc %f, %g
              [%h, %i] := call p()
              havoc %j
            proc p [] -> [LocalId(0), LocalId(1)]
              %a := 1
        "#]],
    );
    check(
        "thread T { var x := x; var y: int := y + 1; }",
        expect![[r#"
        1:21 unknown-name: there is nothing called `x`
          at `x`: not declared
        1:38 unknown-name: there is nothing called `y`
          at `y`: not declared
    "#]],
    );
}

#[test]
fn broken_locals_are_quiet() {
    check(
        "thread T { var x: Nowhere; var y := x + 1; y := x; x := 3; assert x == y; cas(x, y, y); havoc x; }",
        expect![[r#"
            1:19 unknown-name: there is nothing called `Nowhere`
              at `Nowhere`: not declared
        "#]],
    );
}

#[test]
fn spans_leave_out_blocks() {
    let text = "var x: int; thread T { if (x == 1) { skip; } else if (*) { x := 2; } L: while (x > 0) { skip; } atomic { skip; } }";
    let (file, _) = crate::support::parsed(text);
    let program = plato::resolve(&file, &[]).program;
    let stmts = &program.threads[0].body.stmts;
    let texts: Vec<&str> =
        stmts.iter().map(|stmt| &text[stmt.span.start as usize..stmt.span.end as usize]).collect();
    assert_eq!(texts, ["if (x == 1)", "while (x > 0)", "atomic"]);
}

/// The result and the location of a `cas` are two variables.
#[test]
fn cas_writes_a_variable_once() {
    check(
        "var b: bool; var f: [int]bool; module M { var b: bool; }
         thread T {
             b := cas(b, true, false);
             f[0] := cas(f[1], true, false);
             b := cas(M.b, b, !b);
             M.b := cas(M.b, b, !b);
             var c: bool := cas(b, true, false);
             c := cas(c, true, false);
         }",
        expect![[r#"
            3:23 duplicate-name: a variable is written twice in one step
              at `b`: written again
              3:14 `b`: first written here
              = write two statements, or name the variable once
            6:25 duplicate-name: a variable is written twice in one step
              at `M.b`: written again
              6:14 `M.b`: first written here
              = write two statements, or name the variable once
            8:23 duplicate-name: a variable is written twice in one step
              at `c`: written again
              8:14 `c`: first written here
              = write two statements, or name the variable once
        "#]],
    );
}
