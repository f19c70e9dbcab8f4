//! Names: unknown, twice, not allowed here.

use crate::support::{check, check_defined, check_program};
use expect_test::expect;

#[test]
fn unknown_name() {
    check(
        "var counter: int; init countr == 0; init Counter == 0; init zebra == 0;",
        expect![[r#"
        1:24 unknown-name: there is nothing called `countr`
          at `countr`: not declared
          = did you mean `counter`?
        1:42 unknown-name: there is nothing called `Counter`
          at `Counter`: not declared
          = did you mean `counter`?
        1:61 unknown-name: there is nothing called `zebra`
          at `zebra`: not declared
    "#]],
    );
    check(
        "enum Mode { Idle, Busy } var m: Mode = Mode.Idel; init m == Mood.Idle; init m.Idle == m;",
        expect![[r#"
            1:45 unknown-name: `Mode` has no `Idel`
              at `Idel`: not declared there
              = did you mean `Idle`?
            1:61 unknown-name: there is nothing called `Mood`
              at `Mood`: not declared
            1:79 unknown-name: `m` has no parts
              at `Idle`: `m` is a shared variable
              = a dot follows the name of a module, an enumeration or a thread that is forked
        "#]],
    );
    check(
        "module M { var x: int; } init M.y == 0; init x == 0; init N.x == 0;",
        expect![[r#"
        1:33 unknown-name: `M` has no `y`
          at `y`: not declared there
        1:46 unknown-name: there is nothing called `x`
          at `x`: not declared
          = did you mean `M.x`?
        1:59 unknown-name: there is nothing called `N`
          at `N`: not declared
    "#]],
    );
    check(
        "var x: Nod; thread T { foo(); call bar(); acquire(x); x := baz(1); }",
        expect![[r#"
        1:8 unknown-name: there is nothing called `Nod`
          at `Nod`: not declared
        1:24 unknown-name: there is nothing called `foo`
          at `foo`: not declared
        1:36 unknown-name: there is nothing called `bar`
          at `bar`: not declared
        1:43 unknown-name: there is nothing called `acquire`
          at `acquire`: not declared
          = the statement is written `acquire m;` without parentheses
        1:60 unknown-name: there is nothing called `baz`
          at `baz`: not declared
    "#]],
    );
    check(
        "never exists i: Tid :: at(i, L2) && at(i, U.L1) && at(i, T.L1); thread T { L1: skip; } thread U { skip; }",
        expect![[r#"
            1:30 unknown-name: there is no label `L2`
              at `L2`: no statement has it
              = did you mean `L1`?
            1:45 unknown-name: `U` has no label `L1`
              at `L1`: no statement has it
        "#]],
    );
}

#[test]
fn one_fault_one_message() {
    check(
        "var x: Nowhere; init x == 0 && x > 1; thread T { x := 1; var t := x; t := t + x; acquire x; }",
        expect![[r#"
            1:8 unknown-name: there is nothing called `Nowhere`
              at `Nowhere`: not declared
        "#]],
    );
    check(
        "const N: int = M; const P: int = N + 1; type I = 0..P; var i: I; thread T[N] { i := 2; }",
        expect![[r#"
            1:16 unknown-name: there is nothing called `M`
              at `M`: not declared
        "#]],
    );
    check(
        "pred p(x: Nowhere) = x == 0; init p(3) && p(true);",
        expect![[r#"
        1:11 unknown-name: there is nothing called `Nowhere`
          at `Nowhere`: not declared
    "#]],
    );
}

#[test]
fn duplicate_name() {
    check(
        "var x: int; const x: int = 1; thread x { skip; } enum E { A, A } var A: int;",
        expect![[r#"
            1:19 duplicate-name: `x` is declared twice
              at `x`: the second declaration
              1:5 `x`: first declared here
              = rename one of them
            1:38 duplicate-name: `x` is declared twice
              at `x`: the second declaration
              1:5 `x`: first declared here
              = rename one of them
            1:62 duplicate-name: `A` is declared twice
              at `A`: the second declaration
              1:59 `A`: first declared here
              = rename one of them
            1:70 duplicate-name: `A` is declared twice
              at `A`: the second declaration
              1:59 `A`: first declared here
              = rename one of them
        "#]],
    );
    check(
        "var x: int; thread T { var x: int; var y: int; { var y: int; } }",
        expect![[r#"
        1:28 duplicate-name: `x` is declared already where this is visible
          at `x`: hides the other declaration
          1:5 `x`: first declared here
          = rename one of them, so that traces can be read
        1:54 duplicate-name: `y` is declared already where this is visible
          at `y`: hides the other declaration
          1:40 `y`: first declared here
          = rename one of them, so that traces can be read
    "#]],
    );
    check(
        "proc p(a: int, a: int) returns (a: int) { skip; } init forall i: int :: exists i: int :: true;",
        expect![[r#"
            1:16 duplicate-name: `a` is declared already where this is visible
              at `a`: hides the other declaration
              1:8 `a`: first declared here
              = rename one of them, so that traces can be read
            1:33 duplicate-name: `a` is declared already where this is visible
              at `a`: hides the other declaration
              1:16 `a`: first declared here
              = rename one of them, so that traces can be read
            1:80 duplicate-name: `i` is declared already where this is visible
              at `i`: hides the other declaration
              1:63 `i`: first declared here
              = rename one of them, so that traces can be read
        "#]],
    );
    check(
        "thread T { L: skip; L: skip; } thread U { L: skip; }",
        expect![[r#"
        1:21 duplicate-name: `L` is declared twice
          at `L`: the second declaration
          1:12 `L`: first declared here
          = rename one of them
    "#]],
    );
    check(
        "invariant a: true; invariant a: true; rely a: true;",
        expect![[r#"
        1:30 duplicate-name: `a` is declared twice
          at `a`: the second declaration
          1:11 `a`: first declared here
          = rename one of them
    "#]],
    );
    check(
        "var x, y: int; var m: [int]int; thread T { x, x := 1, 2; m, m[0] := m, 1; havoc x, y, x; }",
        expect![[r#"
            1:47 duplicate-name: a variable is written twice in one step
              at `x`: written again
              1:44 `x`: first written here
              = write two statements, or name the variable once
            1:61 duplicate-name: a variable is written twice in one step
              at `m[0]`: written again
              1:58 `m`: first written here
              = write two statements, or name the variable once
            1:87 duplicate-name: a variable is written twice in one step
              at `x`: written again
              1:81 `x`: first written here
              = write two statements, or name the variable once
        "#]],
    );
}

#[test]
fn names_may_repeat_in_sibling_scopes_and_modules() {
    check(
        "var m: [int]int;
         module A { var x: int; init x == 0; } module B { var x: int; init x == A.x; }
         thread T { { var t: int; } { var t: bool; } if (*) { var t: int; } else { var t: Tid; } m[0], m[1] := 1, 2; }
         thread U { var t: int; }
         init (forall i: int :: true) && (forall i: Tid :: true);",
        expect![[""]],
    );
}

#[test]
fn local_not_allowed() {
    check(
        "var x: int; invariant t == x; init i == 0; thread T { var t: int; } proc p(i: int) { skip; }",
        expect![[r#"
            1:23 local-not-allowed: `t` is a local variable, unknown outside its thread
              at `t`: cannot be named in an invariant
              1:59 `t`: declared here
              = formulas of the program speak of shared variables; make it one with `var` at the top
            1:36 local-not-allowed: `i` is a local variable, unknown outside its thread
              at `i`: cannot be named in an `init`
              1:76 `i`: declared here
              = formulas of the program speak of shared variables; make it one with `var` at the top
        "#]],
    );
    check(
        "mutex m; invariant m == tid; init m != tid; never m == tid; pred mine = m == tid; invariant mine;",
        expect![[r#"
            1:25 local-not-allowed: `tid` in an invariant, which speaks of no particular thread
              at `tid`: there is no running thread here
              = quantify over threads: `forall i: Tid :: ...`
            1:40 local-not-allowed: `tid` in an `init`, which speaks of no particular thread
              at `tid`: there is no running thread here
              = quantify over threads: `forall i: Tid :: ...`
            1:56 local-not-allowed: `tid` in a `never`, which speaks of no particular thread
              at `tid`: there is no running thread here
              = quantify over threads: `forall i: Tid :: ...`
            1:93 local-not-allowed: `mine`, which mentions `tid`, in an invariant, which speaks of no particular thread
              at `mine`: there is no running thread here
              = quantify over threads: `forall i: Tid :: ...`
        "#]],
    );
    check(
        "thread T { L: skip; assert at(tid, L); } init at(T, L);",
        expect![[r#"
            1:28 local-not-allowed: `at` in a statement
              at `at(tid, L)`: where a thread stands is known to `never`, relies and invariants only
              = use a shared variable that says where the thread is
            1:47 local-not-allowed: `at` in an `init`
              at `at(T, L)`: where a thread stands is known to `never`, relies and invariants only
              = use a shared variable that says where the thread is
        "#]],
    );
    check(
        "thread T { L: skip; atomic { M: skip; } } proc p() { N: skip; } invariant at(T, L) || at(T, M) || at(T, N);",
        expect![[r#"
            1:30 local-not-allowed: a rely or an invariant asks for this label
              at `M`: no thread is seen inside of a procedure or an atomic block
              = use a shared variable that says where the thread is
            1:54 local-not-allowed: a rely or an invariant asks for this label
              at `N`: no thread is seen inside of a procedure or an atomic block
              = use a shared variable that says where the thread is
        "#]],
    );
    check(
        "proc p(a: int) modifies a { skip; }",
        expect![[r#"
        1:25 local-not-allowed: expected a shared variable, found a local one
          at `a`: a local variable
          = leave it out: locals are nobody else's business
    "#]],
    );
    check(
        "mutex m; pred mine = m == tid; rely mine ==> mine'; thread T { assert mine; } never at(T, L);",
        expect![[r#"
            1:91 unknown-name: there is no label `L`
              at `L`: no statement has it
        "#]],
    );
}

#[test]
fn not_assignable() {
    check(
        "const N: int = 3; enum E { A } pred p = true; module M { } thread U { skip; }
         thread T { N := 1; tid := 0; T := 0; A := A; E := A; p := true; M := 1; havoc N; acquire U; atomic modifies N action true; }
         proc q() modifies N, p { skip; } never race on T;",
        expect![[r#"
            2:21 not-assignable: a constant cannot be written
              at `N`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:29 not-assignable: the running thread cannot be written
              at `tid`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:39 not-assignable: a thread cannot be written
              at `T`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:47 not-assignable: a variant cannot be written
              at `A`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:55 not-assignable: a type cannot be written
              at `E`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:63 not-assignable: a predicate cannot be written
              at `p`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:74 not-assignable: a module cannot be written
              at `M`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:88 not-assignable: a constant cannot be written
              at `N`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:99 not-assignable: a thread cannot be written
              at `U`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            2:118 not-assignable: a constant cannot be written
              at `N`: not a variable
              = only variables declared with `var` or `mutex`, parameters and results can be written
            3:28 not-assignable: expected a shared variable
              at `N`: a constant, which does not change
            3:31 not-assignable: expected a shared variable
              at `p`: a predicate, which does not change
            3:57 not-assignable: expected a shared variable
              at `T`: a thread, which does not change
        "#]],
    );
}

#[test]
fn modules() {
    check_program(
        "const N: int = 1;
         module M { const N: int = 2; enum E { A, B } type T = 0..N; var x: T = N; var e: E = A; pred p = x == 0; rely p ==> p';
                    thread Inner { x := 1; M.x := 2; q(); } proc q() { e := E.B; e := M.E.B; } }
         init M.x == N && M.p && M.e == M.E.A && M.e == M.B;
         thread Outer { M.q(); M.x := M.N; }",
        expect![[r#"
            const N: Int = Some(Int(1))
            const M.N: Int = Some(Int(2))
            var M.x: Range(0, 2)
            var M.e: Enum(EnumId(0))
            pred1 M.p = (Eq M.x 0)
            init (Eq M.x M.N)
            init (Eq M.e M.E.A)
            init (and (Eq M.x N), M.p(), (Eq M.e M.E.A), (Eq M.e M.E.B))
            rely (Implies M.p() M.p'())
            thread M.Inner One
              M.x := 1
              M.x := 2
              [] := call M.q()
            thread Outer One
              [] := call M.q()
              M.x := M.N
            proc M.q [] -> []
              M.e := M.E.B
              M.e := M.E.B
        "#]],
    );
}

#[test]
fn variants_shared_by_enumerations() {
    check(
        "enum A { Red, Blue } enum B { Red, Green } var a: A = Red; var b: B; init b == Red; init B.Red == b;",
        expect![[""]],
    );
    check(
        "enum A { Red, Blue } enum B { Red, Green } init Red != Red;",
        expect![[r#"
        1:49 unknown-name: `Red` is a variant of several enumerations
          at `Red`: which one?
          = write it in full, as in `A.Red`
        1:56 unknown-name: `Red` is a variant of several enumerations
          at `Red`: which one?
          = write it in full, as in `A.Red`
    "#]],
    );
}

#[test]
fn recursive_definition() {
    check(
        "const A: int = B; const B: int = C + 1; const C: int = A; const D: int = A;",
        expect![[r#"
            1:7 recursive-definition: the definition of `A` needs itself
              at `A`: needs itself
              1:25 `B`: by way of `B`
              1:47 `C`: by way of `C`
              = a definition may use only what is known without it
        "#]],
    );
    check(
        "type A = B; type B = [int]A; var a: A; const N: T = 1; type T = 0..N;",
        expect![[r#"
        1:6 recursive-definition: the definition of `A` needs itself
          at `A`: needs itself
          1:18 `B`: by way of `B`
          = a definition may use only what is known without it
        1:46 recursive-definition: the definition of `N` needs itself
          at `N`: needs itself
          1:61 `T`: by way of `T`
          = a definition may use only what is known without it
    "#]],
    );
    check(
        "pred p(i: int) = i == 0 || q; pred q = p(1); pred r = r; init q && r; pred fine = q;",
        expect![[r#"
            1:6 recursive-definition: the definition of `p` needs itself
              at `p`: needs itself
              1:36 `q`: by way of `q`
              = a definition may use only what is known without it
            1:51 recursive-definition: the definition of `r` needs itself
              at `r`: needs itself
              = a definition may use only what is known without it
        "#]],
    );
}

#[test]
fn used_definitions_are_told() {
    let text = "const N: int = 3; module Q { const L: int; } var x: int;";
    let (file, _) = crate::support::parsed(text);
    let definitions = ["N", "L", "Q.L", "x", "M"].map(|name| (name.to_owned(), "1".to_owned()));
    let resolved = plato::resolve(&file, &definitions);
    assert_eq!(resolved.used_definitions, ["N", "Q.L"]);
}

#[test]
fn definitions_from_outside() {
    let program = "const N: int = 3; const B: bool = false; enum E { A, C } const M: E = A; const K: 0..4; module Q { const L: int; }";
    check_defined(program, &["N=-5", "B=true", "M=C", "K=4", "Q.L=7", "Unknown=1"], expect![[""]]);
    check_defined(
        program,
        &["N=x", "B=1", "M=D", "K=9", "Q.L=1.5"],
        expect![[r#"
            1:7 type-mismatch: `x` is no value for the constant `N`
              at `N`: declared with type `int`
              = give a number
            1:25 type-mismatch: `1` is no value for the constant `B`
              at `B`: declared with type `bool`
              = give `true` or `false`
            1:64 type-mismatch: `D` is no value for the constant `M`
              at `M`: declared with type `E`
              = give a variant of `E`
            1:80 type-mismatch: `9` is no value for the constant `K`
              at `K`: declared with type `0..4`
              = give a number from 0 to 4
            1:106 type-mismatch: `1.5` is no value for the constant `Q.L`
              at `L`: declared with type `int`
              = give a number
        "#]],
    );
    check_defined(
        "const t: Tid; type Node; const n: Node;",
        &["t=0", "n=1"],
        expect![[r#"
            1:7 type-mismatch: `0` is no value for the constant `t`
              at `t`: declared with type `Tid`
              = only numbers, truth values and variants can be given
            1:32 type-mismatch: `1` is no value for the constant `n`
              at `n`: declared with type `Node`
              = only numbers, truth values and variants can be given
        "#]],
    );
    check_defined(
        "const N: int = M; const M: int;",
        &["M=E.A", "N=1"],
        expect![[r#"
            1:25 type-mismatch: `E.A` is no value for the constant `M`
              at `M`: declared with type `int`
              = give a number
        "#]],
    );
}
