//! Names and types.

use crate::support::{check, check_code};
use expect_test::expect;

#[test]
fn unknown_names() {
    check_code(
        "q := pp; q := o.ff; q := o.f.h; call x := o.nothing(); var z: Cc; q := z",
        expect![[r#"
            7:6 unknown-name: there is no variable or field `pp`
              at `pp`: not declared
            7:17 unknown-name: the class `C` has no member `ff`
              at `ff`: not declared
            7:30 unknown-name: `int` has no member `h`
              at `h`: not a member
            7:45 unknown-name: the class `C` has no member `nothing`
              at `nothing`: not declared
            7:63 unknown-name: there is no class or channel `Cc`
              at `Cc`: not declared
              = did you mean `Ch`?
        "#]],
    );
    check(
        "class A refines Bb { var x: token<A.n>; var y: seq<Cell> }",
        expect![[r#"
            1:17 unknown-name: there is no class `Bb`
              at `Bb`: not declared
            1:52 unknown-name: there is no class or channel `Cell`
              at `Cell`: not declared
        "#]],
    );
    check_code(
        "q := new D",
        expect![[r#"
        7:10 unknown-name: there is no class or channel `D`
          at `D`: not declared
    "#]],
    );
}

#[test]
fn duplicate_names() {
    check(
        "class A { var x: int; method x() { } } channel A() class B { method m(a, a) returns (a) { } }",
        expect![[r#"
            1:30 duplicate-name: `x` is declared twice
              at `x`: declared again
              1:15 `x`: declared here first
              = rename one of them
            1:48 duplicate-name: `A` is declared twice
              at `A`: declared again
              1:7 `A`: declared here first
              = rename one of them
            1:74 duplicate-name: `a` is declared twice
              at `a`: declared again
              1:71 `a`: declared here first
              = rename one of them
            1:86 duplicate-name: `a` is declared twice
              at `a`: declared again
              1:74 `a`: declared here first
              = rename one of them
        "#]],
    );
    check_code(
        "var p := 1; { var i := 1 } var i := 2; assert forall i in [0..1] :: true",
        expect![[r#"
            7:5 duplicate-name: `p` is declared twice
              at `p`: declared again
              6:13 `p`: declared here first
              = rename one of them
            7:54 duplicate-name: `i` is declared twice
              at `i`: declared again
              7:32 `i`: declared here first
              = rename one of them
        "#]],
    );
}

#[test]
fn operands() {
    check_code(
        "q := true; q := p + (p == 1); var b: bool := !p && p",
        expect![[r#"
        7:6 type-mismatch: the value must be of type `int`, not `bool`
          at `true`: is of type `bool`
        7:21 type-mismatch: the right side of `+` must be of type `int`, not `bool`
          at `(p == 1)`: is of type `bool`
        7:47 type-mismatch: the operand of `!` must be of type `bool`, not `int`
          at `p`: is of type `int`
        7:52 type-mismatch: an operand of `&&` must be of type `bool`, not `int`
          at `p`: is of type `int`
    "#]],
    );
    check_code(
        "assert o == 1; assert o == null; assert ch == o; assert o << 3; assert p in p",
        expect![[r#"
            7:8 type-mismatch: both sides of `==` must have the same type, not `C` and `int`
              at `o == 1`: does not fit here
            7:41 type-mismatch: both sides of `==` must have the same type, not `Ch` and `C`
              at `ch == o`: does not fit here
            7:62 type-mismatch: `<<` compares positions in the locking order, not `int`
              at `3`: does not fit here
            7:77 type-mismatch: `in` needs a sequence, not `int`
              at `p`: does not fit here
        "#]],
    );
    check_code(
        "assert |p| == 1; assert o.s[true] == o; assert o.s ++ [1] == o.s; assert [1, true] == []",
        expect![[r#"
            7:9 type-mismatch: what stands between `|` must be a sequence, not `int`
              at `p`: does not fit here
            7:29 type-mismatch: the index must be of type `int`, not `bool`
              at `true`: is of type `bool`
            7:48 type-mismatch: both sides of `++` must have the same type, not `seq<C>` and `seq<int>`
              at `o.s ++ [1]`: does not fit here
            7:48 type-mismatch: both sides of `==` must have the same type, not `seq<int>` and `seq<C>`
              at `o.s ++ [1] == o.s`: does not fit here
            7:78 type-mismatch: the elements of a sequence must have the same type, not `int` and `bool`
              at `true`: does not fit here
        "#]],
    );
    check_code(
        "q := true ? 1 : o; o.s := []; o.s := [1]",
        expect![[r#"
            7:6 type-mismatch: both values of a conditional must have the same type, not `int` and `C`
              at `true ? 1 : o`: does not fit here
            7:38 type-mismatch: the value must be of type `seq<C>`, not `seq<int>`
              at `[1]`: is of type `seq<int>`
        "#]],
    );
    check_code(
        "var x := null; var y: C := null; y := ch",
        expect![[r#"
        7:5 type-mismatch: the type of `x` is not known
          at `x`: `null` has every class as its type
          = write the type: `var x: C := null;`
        7:39 type-mismatch: the value must be of type `C`, not `Ch`
          at `ch`: is of type `Ch`
    "#]],
    );
}

#[test]
fn arguments() {
    check_code(
        "call a, b := m(1); call m(true, o); call a2 := o.m(1, ch)",
        expect![[r#"
        7:14 wrong-argument-count: the method `m` takes 2 arguments, not 1
          at `m(1)`: 1 argument
        7:25 wrong-argument-count: there are 2 results, but 0 variables
          at `m(true, o)`: results and variables do not match
        7:27 type-mismatch: the argument must be of type `int`, not `bool`
          at `true`: is of type `bool`
        7:48 wrong-argument-count: there are 2 results, but 1 variable
          at `o.m(1, ch)`: results and variables do not match
        7:55 type-mismatch: the argument must be of type `C`, not `Ch`
          at `ch`: is of type `Ch`
    "#]],
    );
    check_code(
        "q := F(); q := o.F(1, 2); q := P(); assert Q(true) && o.Q() && P(1)",
        expect![[r#"
        7:6 wrong-argument-count: the function `F` takes 1 argument, not 0
          at `F()`: 0 arguments
        7:16 wrong-argument-count: the function `F` takes 1 argument, not 2
          at `o.F(1, 2)`: 2 arguments
        7:32 misplaced-expression: the predicate `P` is not a truth value
          at `P()`: not allowed here
          = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
        7:46 type-mismatch: the argument must be of type `int`, not `bool`
          at `true`: is of type `bool`
        7:55 wrong-argument-count: the predicate `Q` takes 1 argument, not 0
          at `o.Q()`: 0 arguments
        7:64 wrong-argument-count: the predicate `P` takes 0 arguments, not 1
          at `P(1)`: 1 argument
    "#]],
    );
    check_code(
        "send ch(1); receive x := ch; send o(1); receive ch",
        expect![[r#"
            7:6 wrong-argument-count: a message of the channel takes 2 arguments, not 1
              at `ch`: 1 argument
            7:26 wrong-argument-count: there are 2 results, but 1 variable
              at `ch`: results and variables do not match
            7:35 type-mismatch: `send` needs a channel, not `C`
              at `o`: does not fit here
            7:49 wrong-argument-count: there are 2 results, but 0 variables
              at `ch`: results and variables do not match
        "#]],
    );
    check_code(
        "call a, a := m(1, o); var i: bool; call i, c2 := m(1, o)",
        expect![[r#"
            7:9 duplicate-name: `a` cannot hold two results
              at `a`: assigned already
              = use another variable
            7:9 type-mismatch: a result of type `C` for a variable of type `int`
              at `a`: does not fit here
            7:41 type-mismatch: a result of type `int` for a variable of type `bool`
              at `i`: does not fit here
        "#]],
    );
}

#[test]
fn tokens_and_joins() {
    check_code(
        "fork tk := o.m(1, o); join x, y := tk; var i: int; var c: C; join i, c := tk; join tk; join o; join c, i := tk",
        expect![[r#"
            7:28 unknown-name: there is no local variable `x`
              at `x`: not declared
              = declare it before: `var x: T`
            7:31 unknown-name: there is no local variable `y`
              at `y`: not declared
              = declare it before: `var y: T`
            7:93 type-mismatch: `join` needs the token of a fork, not `C`
              at `o`: does not fit here
            7:101 type-mismatch: a result of type `int` for a variable of type `C`
              at `c`: does not fit here
            7:104 type-mismatch: a result of type `C` for a variable of type `int`
              at `i`: does not fit here
        "#]],
    );
    check_code(
        "fork p := o.m(1, o); fork tk := o.F(1); var t: token<C.test> ; fork t := m(1, o)",
        expect![[r#"
            7:6 type-mismatch: a result of type `token<C.m>` for a variable of type `int`
              at `p`: does not fit here
            7:6 not-assignable: `p` is an in-parameter and cannot be assigned
              at `p`: assigned here
              6:13 `p`: declared here
              = assign to a variable: `var x: T := ..;`
            7:35 type-mismatch: `F` is a function of `C`, not a method
              at `F`: not a method
            7:69 type-mismatch: a result of type `token<C.m>` for a variable of type `token<C.test>`
              at `t`: does not fit here
        "#]],
    );
}

#[test]
fn monitors() {
    check_code(
        "share p; unshare ch; acquire 1 + 1; lock (p) { } share o between p and ch; free p",
        expect![[r#"
            7:7 type-mismatch: what is shared must be an object, not of type `int`
              at `p`: does not fit here
            7:18 type-mismatch: what is unshared must be an object, not of type `Ch`
              at `ch`: does not fit here
            7:30 type-mismatch: what is acquired must be an object, not of type `int`
              at `1 + 1`: does not fit here
            7:43 type-mismatch: what is locked must be a reference, not of type `int`
              at `p`: does not fit here
            7:66 type-mismatch: a bound must be a reference, not of type `int`
              at `p`: does not fit here
            7:81 type-mismatch: what is freed must be a reference, not of type `int`
              at `p`: does not fit here
        "#]],
    );
    check_code(
        "wait o.k; wait o.f; signal nothing; signal forall k",
        expect![[r#"
        7:18 type-mismatch: `f` is a field of `C`, not a condition
          at `f`: not a condition
        7:28 unknown-name: the class `C` has no member `nothing`
          at `nothing`: not declared
    "#]],
    );
}
