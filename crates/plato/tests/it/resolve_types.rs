//! Types and constants.

use crate::support::check;
use expect_test::expect;

#[test]
fn types_that_are_fine() {
    check(
        "const N: int = 3; type I = -N..N * 2; type Node; enum E { A } type M = [Node][I]set<E>; var m: M;
         var s: set<0..7>; var t: [Tid]bool; const nil: Node; var r: -1..-1; var o: (N)..(N + 1);",
        expect![[""]],
    );
}

#[test]
fn empty_type() {
    check(
        "var x: 3..2; enum E { } type T = 1..0; var y: T; thread W[0] { skip; } thread V[-1] { skip; }",
        expect![[r#"
            1:8 empty-type: the range 3..2 is empty
              at `3..2`: no number is in it
              = both bounds belong to the range, the smaller one first
            1:19 empty-type: `E` has no variants
              at `E`: a type needs values
              = write at least one variant, or `type T;` for a type about which nothing is known
            1:34 empty-type: the range 1..0 is empty
              at `1..0`: no number is in it
              = both bounds belong to the range, the smaller one first
            1:59 empty-type: 0 copies of a thread
              at `0`: at least one copy must run, and fewer than 2^64
              = write `[*]` for any number of copies
            1:81 empty-type: -1 copies of a thread
              at `-1`: at least one copy must run, and fewer than 2^64
              = write `[*]` for any number of copies
        "#]],
    );
    check("const N: int = 1; thread W[N] { skip; } thread V[N + 2] { skip; }", expect![[""]]);
}

#[test]
fn not_a_constant() {
    check(
        "var x: int; const K: int; var y: 0..x; var z: 0..K - 1; thread T[K + 1] { skip; } const C: int = x; var w: 0..later; var later: int;
         const D: bool = p; const E: bool = q(1); pred p = true; pred q(i: int) = true; const F: Tid = T; init w == C;",
        expect![[r#"
            1:37 not-a-constant: not known before the run
              at `x`: a shared variable
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            1:50 not-a-constant: not known before the run
              at `K`: a constant without a value
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            1:66 not-a-constant: not known before the run
              at `K`: a constant without a value
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            1:98 not-a-constant: not known before the run
              at `x`: a shared variable
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            1:111 not-a-constant: not known before the run
              at `later`: a shared variable
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            2:26 not-a-constant: not known before the run
              at `p`: a predicate
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            2:45 not-a-constant: not known before the run
              at `q(1)`: a predicate
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            2:104 not-a-constant: not known before the run
              at `T`: a thread
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
        "#]],
    );
    check(
        "const A: int = 1 / 0; const B: int = 1267650600228229401496703205376 * 2; const C: Tid = 0; const D: set<int> = {};",
        expect![[r#"
            1:16 not-a-constant: not known before the run
              at `1 / 0`: a division by zero
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            1:38 not-a-constant: not known before the run
              at `1267650600228229401496703205376 * 2`: a number beyond 2^100
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            1:90 not-a-constant: not known before the run
              at `0`: a thread
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
            1:113 not-a-constant: not known before the run
              at `{}`: a set
              = use numbers and constants with a value; `-D NAME=VALUE` gives one
        "#]],
    );
    check(
        "const A: int = -7 / 2; const B: int = -7 % 2; var a: A..A; var b: B..B; const C: bool = A < 0 ==> B == 1 || false;
         enum E { X, Y } const D: E = C ? X : Y; const F: bool = D == X <==> !(B >= 1); const K: int; thread T[K] { skip; }",
        expect![[""]],
    );
}

#[test]
fn type_mismatch_in_types() {
    check(
        "const N: int = 1; var x: N; var y: set<set<int>>; var z: [set<int>]int; var w: true..2; const R: 0..3 = 4;",
        expect![[r#"
            1:80 syntax-error: expected a type, found keyword `true`
              at `true`: expected a type
            1:26 type-mismatch: expected a type
              at `N`: a constant, not a type
              = a range of numbers is written `low..high`
            1:40 type-mismatch: a set's elements cannot be of type `set<int>`
              at `set<int>`: a set or a map
              = use numbers, `bool`, `Tid`, an enumeration or an uninterpreted type
            1:59 type-mismatch: a map's keys cannot be of type `set<int>`
              at `set<int>`: a set or a map
              = use numbers, `bool`, `Tid`, an enumeration or an uninterpreted type
            1:105 type-mismatch: 4 is not in 0..3
              at `4`: outside the type of the constant
        "#]],
    );
}

#[test]
fn initial_values_lie_in_their_types() {
    check(
        "const N: int = 3; const M: int; var a: 0..3 = 7; var b: 0..N = N + 1; var c: 0..N = M; var d: 1..3 = -1;
         var e, f: 0..1 = 2; var g: [int]0..1 = [_ => 2]; var h: [0..1][0..1]0..1 = [_ => [_ => -1]];
         var k: 0..3 = 3; var l: 0..3 = a; var m: [int]0..1 = [_ => 1];",
        expect![[r#"
            1:47 type-mismatch: 7 is not in 0..3
              at `7`: outside the type of the variable
            1:64 type-mismatch: 4 is not in 0..3
              at `N + 1`: outside the type of the variable
            1:102 type-mismatch: -1 is not in 1..3
              at `-1`: outside the type of the variable
            2:27 type-mismatch: 2 is not in 0..1
              at `2`: outside the type of the variable
            2:55 type-mismatch: 2 is not in 0..1
              at `2`: outside the type of the variable
            2:97 type-mismatch: -1 is not in 0..1
              at `-1`: outside the type of the variable
        "#]],
    );
}

#[test]
fn similar_built_in_types() {
    check(
        "type Tix; var a: Tad; var b: Itn; var c: Boolean; var d: integer; var e: TID; var pad: int; var f: Pad; var g: Tik;
         const N: int = 3; var h: O..N; var i: Bit;",
        expect![[r#"
            1:18 unknown-name: there is nothing called `Tad`
              at `Tad`: not declared
              = did you mean `Tid`?
            1:30 unknown-name: there is nothing called `Itn`
              at `Itn`: not declared
              = did you mean `int`?
            1:42 unknown-name: there is nothing called `Boolean`
              at `Boolean`: not declared
              = did you mean `bool`?
            1:58 unknown-name: there is nothing called `integer`
              at `integer`: not declared
              = did you mean `int`?
            1:74 unknown-name: there is nothing called `TID`
              at `TID`: not declared
              = did you mean `Tid`?
            1:100 unknown-name: there is nothing called `Pad`
              at `Pad`: not declared
            1:112 unknown-name: there is nothing called `Tik`
              at `Tik`: not declared
              = did you mean `Tix`?
            2:35 unknown-name: there is nothing called `O`
              at `O`: not declared
            2:48 unknown-name: there is nothing called `Bit`
              at `Bit`: not declared
        "#]],
    );
}
