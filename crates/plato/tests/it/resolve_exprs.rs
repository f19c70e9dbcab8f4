//! Expressions: precedence, types, primes.

use crate::support::{check, check_expr};
use expect_test::expect;

#[test]
fn precedence() {
    check_expr("a <==> b ==> c || a && b", expect!["(Iff a (Implies b (or c, (and a, b))))"]);
    check_expr("a ==> b ==> c", expect!["(Implies a (Implies b c))"]);
    check_expr(
        "x + y * z - -x % 2 / 3 == x - y - z",
        expect!["(Eq (Sub (Add x (Mul y z)) (Div (Mod (neg x) 2) 3)) (Sub (Sub x y) z))"],
    );
    check_expr(
        "!a && !(b || c) || x < y && x >= y",
        expect!["(or (and (not a), (not (or b, c))), (and (Lt x y), (Ge x y)))"],
    );
    check_expr("a ? b : c ? a : b", expect!["(if a b (if c a b))"]);
    check_expr("(a || b ? x : y) + 1 > 0", expect!["(Gt (Add (if (or a, b) x y) 1) 0)"]);
    check_expr(
        "a && forall i: int :: b && exists j, l: Tid :: c || j == l",
        expect!["(and a, (forall i (and b, (exists j l (or c, (Eq ?j ?l))))))"],
    );
    check_expr(
        "f[x + 1] == 0 ==> f'[x := y'][z] == 0",
        expect!["(Implies (Eq f[(Add x 1)] 0) (Eq f'[x := y'][z] 0))"],
    );
    check_expr(
        "m in s + t * {tid} && tid !in s - t",
        expect![
            "(and (in m (Union s (Intersection t {tid: Set(Tid)}))), (not (in tid (Difference s t))))"
        ],
    );
}

#[test]
fn nobody() {
    check_expr(
        "m == 0 && 0 != m && (a ? 0 : m) == 0 && 0 in s && {0} == s",
        expect![
            "(and (Eq m nobody), (Ne nobody m), (Eq (if a nobody m) nobody), (in nobody s), (Eq {nobody: Set(Tid)} s))"
        ],
    );
    check_expr(
        "g == [_ => 0] && s == {0, tid} && g[0] == 0",
        expect![
            "(and (Eq g (all 0: Map(Tid, Int))), (Eq s {nobody, tid: Set(Tid)}), (Eq g[nobody] 0))"
        ],
    );
}

#[test]
fn literals_take_the_type_of_their_place() {
    check_expr(
        "{} == s && s == {} + {} && {} + s == t && {tid} <= s && s >= {}",
        expect![
            "(and (Eq {: Set(Tid)} s), (Eq s (Union {: Set(Tid)} {: Set(Tid)})), (Eq (Union {: Set(Tid)} s) t), (Subset {tid: Set(Tid)} s), (Subset {: Set(Tid)} s))"
        ],
    );
    check_expr(
        "n == {1, 2} && {x} + n == n && x in {1, 2} && k in {1, 2, 9} && {k} == {x}",
        expect![
            "(and (Eq n {1, 2: Set(Range(0, 7))}), (Eq (Union {x: Set(Range(0, 7))} n) n), (in x {1, 2: Set(Int)}), (in k {1, 2, 9: Set(Int)}), (Eq {k: Set(Int)} {x: Set(Int)}))"
        ],
    );
    check_expr(
        "f == [_ => 1][2 := 3] && [_ => 0] == f && (a ? f : [_ => 1]) == f",
        expect![
            "(and (Eq f (all 1: Map(Int, Int))[2 := 3]), (Eq (all 0: Map(Int, Int)) f), (Eq (if a f (all 1: Map(Int, Int))) f))"
        ],
    );
    check_expr("k == x && k + 1 > 7", expect!["(and (Eq k x), (Gt (Add k 1) 7))"]);
}

#[test]
fn type_mismatch() {
    check(
        "var x: int; var b: bool; init x; init b + 1 == 2; init !x; init x && b; init -b == 1; init b ? 1 : 2;",
        expect![[r#"
            1:31 type-mismatch: expected `bool`, found `int`
              at `x`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            1:39 type-mismatch: expected `int`, found `bool`
              at `b`: has type `bool`
            1:57 type-mismatch: expected `bool`, found `int`
              at `x`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            1:65 type-mismatch: expected `bool`, found `int`
              at `x`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            1:79 type-mismatch: expected `int`, found `bool`
              at `b`: has type `bool`
            1:92 type-mismatch: expected `bool`, found `int`
              at `b ? 1 : 2`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
        "#]],
    );
    check(
        "mutex m; init m == 1; init m < m; init m + 1 == m; init m == true; invariant 3 == m;",
        expect![[r#"
            1:20 type-mismatch: `Tid` and `int` do not go together
              at `1`: has type `int`
              1:15 `m`: has type `Tid`
              = only `0` (nobody), `tid` and names of threads have type `Tid`
            1:28 type-mismatch: values of type `Tid` have no order
              at `m < m`: compares by order
              = threads are interchangeable: `Tid` is a scalarset, on which only `==` and `!=` make sense
            1:40 type-mismatch: arithmetic on a thread identifier
              at `m`: has type `Tid`
              = threads are interchangeable: on `Tid` only `==` and `!=` make sense
            1:62 type-mismatch: `Tid` and `bool` do not go together
              at `true`: has type `bool`
              1:57 `m`: has type `Tid`
            1:83 type-mismatch: `int` and `Tid` do not go together
              at `m`: has type `Tid`
              1:78 `3`: has type `int`
              = only `0` (nobody), `tid` and names of threads have type `Tid`
        "#]],
    );
    check(
        "enum E { A, B } var e: E; init e == 0; init A < B; init E == e; init e == A;",
        expect![[r#"
            1:37 type-mismatch: `E` and `int` do not go together
              at `0`: has type `int`
              1:32 `e`: has type `E`
            1:45 type-mismatch: values of type `E` have no order
              at `A < B`: compares by order
              = only `==` and `!=` make sense here
            1:57 type-mismatch: expected a value, found `E`
              at `E`: a type, not a value
        "#]],
    );
    check(
        "var s: set<int>; var t: set<0..3>; init s == t; init s < s; init 1 in 2; init true in s; init s[1]; init s in s;",
        expect![[r#"
            1:46 type-mismatch: `set<int>` and `set<0..3>` do not go together
              at `t`: has type `set<0..3>`
              1:41 `s`: has type `set<int>`
            1:54 type-mismatch: values of type `set<int>` have no order
              at `s < s`: compares by order
              = subset is written `<=`
            1:71 type-mismatch: expected a set, found `int`
              at `2`: `in` needs a set on its right
            1:79 type-mismatch: expected `int`, found `bool`
              at `true`: has type `bool`
            1:95 type-mismatch: expected a map, found `set<int>`
              at `s`: indexes something that is not a map
              = membership in a set is written `a in s`; a family of threads is a set
            1:106 type-mismatch: expected `int`, found `set<int>`
              at `s`: has type `set<int>`
        "#]],
    );
    check(
        "var f: [int]bool; init f[true]; init f == [_ => 1]; init f[1 := 2] == f; init f(1); init [_ => 1] == [_ => 2];",
        expect![[r#"
            1:26 type-mismatch: expected `int`, found `bool`
              at `true`: has type `bool`
            1:49 type-mismatch: expected `bool`, found `int`
              at `1`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            1:65 type-mismatch: expected `bool`, found `int`
              at `2`: has type `int`
              = numbers are not truth values; compare it, as in `x != 0`
            1:79 type-mismatch: only predicates and functions take arguments
              at `f`: a shared variable, neither a predicate nor a function
              = an entry of a map is written `m[i]`
            1:90 type-mismatch: the type of this map cannot be told
              at `[_ => 1]`: could be of many types
              = compare it with a variable, or declare the variable it is assigned to with its type
        "#]],
    );
    check(
        "init {} == {}; thread T { var t := {}; var u := [_ => 0]; } init {{1}} == {}; var n: set<0..3> = {4};",
        expect![[r#"
            1:6 type-mismatch: the type of this set cannot be told
              at `{}`: could be of many types
              = compare it with a variable, or declare the variable it is assigned to with its type
            1:36 type-mismatch: the type of this set cannot be told
              at `{}`: could be of many types
              = compare it with a variable, or declare the variable it is assigned to with its type
            1:49 type-mismatch: the type of this map cannot be told
              at `[_ => 0]`: could be of many types
              = compare it with a variable, or declare the variable it is assigned to with its type
            1:66 type-mismatch: a set's elements cannot be of type `set<int>`
              at `{{1}}`: a set of sets or maps
            1:99 type-mismatch: 4 is not in 0..3
              at `4`: cannot be in this set
        "#]],
    );
    check(
        "thread F[2] { skip; } thread G { skip; } mutex m; init m == F; init m == G; init m in F && G in F;",
        expect![[r#"
            1:61 type-mismatch: `Tid` and `set<Tid>` do not go together
              at `F`: has type `set<Tid>`
              1:56 `m`: has type `Tid`
        "#]],
    );
    check(
        "type A; type B; const a: A; const b: B; init a == b; init a == a;",
        expect![[r#"
        1:51 type-mismatch: `A` and `B` do not go together
          at `b`: has type `B`
          1:46 `a`: has type `A`
    "#]],
    );
}

#[test]
fn wrong_argument_count() {
    check(
        "pred p(i: int) = i == 0; pred q = true; init p(); init p(1, 2); init p; init q(1); init q() && q && p(1);",
        expect![[r#"
            1:46 wrong-argument-count: 0 arguments for `p`, which takes 1
              at `p()`: wrong number of arguments
              1:6 `p`: declared here
            1:56 wrong-argument-count: 2 arguments for `p`, which takes 1
              at `p(1, 2)`: wrong number of arguments
              1:6 `p`: declared here
            1:70 wrong-argument-count: 0 arguments for `p`, which takes 1
              at `p`: wrong number of arguments
              1:6 `p`: declared here
            1:78 wrong-argument-count: 1 argument for `q`, which takes 0
              at `q(1)`: wrong number of arguments
              1:31 `q`: declared here
        "#]],
    );
}

#[test]
fn prime_not_allowed() {
    check(
        "var x: int; const N: int = 1; pred two = x' == x; pred one = x == 0;
         init x' == 0; invariant two; never x' == 1; invariant one'; rely two'; rely N' == 1; pred bad = two';
         rely forall i: int :: i' == 0; thread T { assert x' == 1; while (x' == 1) invariant two { } }",
        expect![[r#"
            2:15 prime-not-allowed: a prime in an `init`, which speaks of one store
              at `x'`: there is no store after this one for `x'`
              = drop the prime; steps are described by `rely`, `action` and `ensures`
            2:34 prime-not-allowed: an invariant speaks of one store, `two` of two
              at `two`: needs a store after this one
              1:36 `two`: declared here
              = steps are described by `rely`, `action` and `ensures`
            2:45 prime-not-allowed: a prime in a `never`, which speaks of one store
              at `x'`: there is no store after this one for `x'`
              = drop the prime; steps are described by `rely`, `action` and `ensures`
            2:64 prime-not-allowed: an invariant speaks of one store, `one` of two
              at `one'`: needs a store after this one
              1:56 `one`: declared here
              = steps are described by `rely`, `action` and `ensures`
            2:75 prime-not-allowed: a prime on a predicate that speaks of two stores
              at `two'`: its body has primes already
              = drop the prime
            2:86 prime-not-allowed: a prime on a constant
              at `N'`: the same in every store
              = drop the prime
            2:106 prime-not-allowed: a prime on a predicate that speaks of two stores
              at `two'`: its body has primes already
              = drop the prime
            3:32 prime-not-allowed: a prime on a bound variable
              at `i'`: the same in every store
              = drop the prime
            3:59 prime-not-allowed: a prime in a statement, which speaks of one store
              at `x'`: there is no store after this one for `x'`
              = drop the prime; steps are described by `rely`, `action` and `ensures`
            3:75 prime-not-allowed: a prime in a statement, which speaks of one store
              at `x'`: there is no store after this one for `x'`
              = drop the prime; steps are described by `rely`, `action` and `ensures`
            3:94 prime-not-allowed: a loop invariant speaks of one store, `two` of two
              at `two`: needs a store after this one
              1:36 `two`: declared here
              = steps are described by `rely`, `action` and `ensures`
        "#]],
    );
    check(
        "var x: int; proc p(a: int): int requires x' == 0 ensures a' == 0 ensures result' == 1
         action modifies x ensures a' == 1 { var t: int; atomic requires x' == 1 action t' == 1 && x' == t; }",
        expect![[r#"
            1:42 prime-not-allowed: a prime in a `requires`, which speaks of one store
              at `x'`: there is no store after this one for `x'`
              = drop the prime; steps are described by `rely`, `action` and `ensures`
            1:58 prime-not-allowed: a prime on the local variable `a`
              at `a'`: locals have primes in `atomic ... action` only
              1:20 `a`: declared here
              = drop the prime
            1:74 prime-not-allowed: a prime on the local variable `result`
              at `result'`: locals have primes in `atomic ... action` only
              1:29 `int`: declared here
              = drop the prime
            2:36 prime-not-allowed: a prime on the local variable `a`
              at `a'`: locals have primes in `atomic ... action` only
              1:20 `a`: declared here
              = drop the prime
            2:74 prime-not-allowed: a prime in a `requires`, which speaks of one store
              at `x'`: there is no store after this one for `x'`
              = drop the prime; steps are described by `rely`, `action` and `ensures`
        "#]],
    );
    check(
        "var x: int; pred two = x' == x; pred one = x == 0; rely two && (one ==> one') && x' >= x;
         proc p(a: int): int ensures result == a && x' == x action modifies x ensures two { var t: int; atomic modifies t action t' == x' ensures two; return a; }
         thread T rely x' == x { skip; }",
        expect![[""]],
    );
}

#[test]
fn procedures_are_not_values() {
    check(
        "proc p(): int { return 1; } thread T { var x: int; x := p() + 1; x := p; assert p() == 1; x := p(); }",
        expect![[r#"
            1:57 misplaced-statement: the procedure `p` inside an expression
              at `p`: calls are statements
              = call it before and keep the result: `x := p(...);`
            1:71 misplaced-statement: the procedure `p` inside an expression
              at `p`: calls are statements
              = call it before and keep the result: `x := p(...);`
            1:81 misplaced-statement: the procedure `p` inside an expression
              at `p`: calls are statements
              = call it before and keep the result: `x := p(...);`
        "#]],
    );
}
