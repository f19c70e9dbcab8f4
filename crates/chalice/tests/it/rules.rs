//! Rules about what may stand where.

use crate::support::{check, check_code};
use expect_test::expect;

#[test]
fn permissions_stand_in_positive_positions() {
    check_code(
        "assert !acc(o.f); assert acc(o.f) ==> true; assert acc(o.f) == true; assert acc(f) || rd(f);
         assert true ==> acc(o.f) && (p == 1 ? o.P : rd*(o.f)); assert forall c in o.s :: acc(c.f);
         assert exists c in o.s :: acc(c.f); assert !o.P; assert credit(ch) <==> true; q := acc(f)",
        expect![[r#"
            7:9 misplaced-expression: `acc` is not a truth value
              at `acc(o.f)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            7:26 misplaced-expression: `acc` is not a truth value
              at `acc(o.f)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            7:52 misplaced-expression: `acc` is not a truth value
              at `acc(o.f)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            7:77 misplaced-expression: `acc` is not a truth value
              at `acc(f)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            7:87 misplaced-expression: `rd` is not a truth value
              at `rd(f)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            9:36 misplaced-expression: `acc` is not a truth value
              at `acc(c.f)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            9:54 misplaced-expression: the predicate `P` is not a truth value
              at `o.P`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            9:66 misplaced-expression: `credit` is not a truth value
              at `credit(ch)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
            9:93 misplaced-expression: `acc` is not a truth value
              at `acc(f)`: not allowed here
              = permissions stand alone, in conjunctions, right of `==>`, and under `forall`
        "#]],
    );
}

#[test]
fn predicates_and_invariants_speak_of_no_thread() {
    check(
        "class A { predicate P { holds(this) && eval(this.acquire, true) && waitlevel << mu }
           invariant rd holds(this) && old(true) && maxlock << mu
           predicate Q { old(true) }
           method run() requires waitlevel << mu ensures waitlevel << mu && holds(this) lockchange this { } }",
        expect![[r#"
            1:25 misplaced-expression: `holds` in a predicate
              at `holds(this)`: not allowed here
              = whether a monitor is held is a matter of one thread at one time
            1:40 misplaced-expression: `eval` in a predicate
              at `eval(this.acquire, true)`: not allowed here
              = `eval` speaks of the states of one thread
            1:68 misplaced-expression: `waitlevel` in a predicate
              at `waitlevel`: not allowed here
              = the locks that are held are a matter of one thread at one time
            2:22 misplaced-expression: `rd holds` in a monitor invariant
              at `rd holds(this)`: not allowed here
              = whether a monitor is held is a matter of one thread at one time
            2:53 misplaced-expression: `waitlevel` in a monitor invariant
              at `maxlock`: not allowed here
              = the locks that are held are a matter of one thread at one time
            3:26 misplaced-expression: `old` where there is no earlier state
              at `old(true)`: not allowed here
              = `old` has a meaning in postconditions, loop invariants, monitor invariants and assertions
            4:58 misplaced-expression: `waitlevel` in the contract of `run`
              at `waitlevel`: not allowed here
              = the locks that are held are a matter of one thread at one time
            4:77 misplaced-expression: `holds` in the contract of `run`
              at `holds(this)`: not allowed here
              = whether a monitor is held is a matter of one thread at one time
            4:89 misplaced-expression: `lockchange` of a method `run`
              at `lockchange this`: not allowed here
              = a forked thread starts without locks and ends without locks
        "#]],
    );
}

#[test]
fn functions() {
    check(
        "channel Ch() class A { var f: int; predicate P { acc(f) }
           function a(ch: Ch): int requires acc(f) && credit(ch) ensures acc(f) && result == 1 lockchange this { f }
           function b(): int ensures P ensures unfolding P in true { true }
           static function c(): int { f + this.f + a(null) + d() } static function d(): int { 1 }
           method m() { var x := result; x := old(x); } }",
        expect![[r#"
            2:55 misplaced-expression: a credit in the contract of a function
              at `credit(ch)`: not allowed here
              = functions neither send nor receive; drop it
            2:74 misplaced-expression: a permission in the postcondition of a function
              at `acc(f) && result == 1`: not allowed here
              = a function gives back all permissions that it needs
            2:96 misplaced-expression: `lockchange` of a function
              at `lockchange this`: not allowed here
              = functions change nothing; drop it
            3:38 misplaced-expression: a permission in the postcondition of a function
              at `P`: not allowed here
              = a function gives back all permissions that it needs
            3:48 misplaced-expression: `unfolding` in the postcondition of a function
              at `unfolding P in true`: not allowed here
              = put the fact into the postcondition of a function of its own
            3:70 type-mismatch: the value of the function must be of type `int`, not `bool`
              at `true`: is of type `bool`
            4:39 misplaced-expression: `this` in a static function
              at `f`: not allowed here
              = drop `static`, or pass the object as a parameter
            4:43 misplaced-expression: `this` in a static function
              at `this`: not allowed here
              = drop `static`, or pass the object as a parameter
            4:52 misplaced-expression: `this` in a static function
              at `a`: not allowed here
              = drop `static`, or pass the object as a parameter
            5:34 misplaced-expression: `result` outside the postcondition of a function
              at `result`: not allowed here
              = `result` is the value of a function, in its `ensures`
            5:47 misplaced-expression: `old` where there is no earlier state
              at `old(x)`: not allowed here
              = `old` has a meaning in postconditions, loop invariants, monitor invariants and assertions
        "#]],
    );
}

#[test]
fn what_can_be_assigned() {
    check_code(
        "p := 1; o := null; const k := 1; k := 2; ghost const h: int; h := 1; o.mu := lockbottom; mu := lockbottom;
         F(1) := 2; o.P := true; o.F := 1; P := true; this.f := 1; f := 2; q := 3; ch.mu := lockbottom; o.s[0] := o;
         var n := new C { mu := lockbottom, f := 1, f := 2, h := 3 }; n := new C above waitlevel; var c2 := new Ch { f := 1 }",
        expect![[r#"
            7:1 not-assignable: `p` is an in-parameter and cannot be assigned
              at `p`: assigned here
              6:13 `p`: declared here
              = assign to a variable: `var x: T := ..;`
            7:9 not-assignable: `o` is an in-parameter and cannot be assigned
              at `o`: assigned here
              6:21 `o`: declared here
              = assign to a variable: `var x: T := ..;`
            7:34 not-assignable: `k` is a constant and cannot be assigned
              at `k`: assigned here
              7:26 `k`: declared here
              = assign to a variable: `var x: T := ..;`
            7:70 not-assignable: `mu` cannot be assigned directly
              at `o.mu`: a built-in field
              = `mu` changes by `share`, `reorder` and `unshare`, `joinable` by `fork` and `join`
            7:90 not-assignable: `mu` cannot be assigned directly
              at `mu`: a built-in field
              = `mu` changes by `share`, `reorder` and `unshare`, `joinable` by `fork` and `join`
            8:10 not-assignable: only variables and fields can be assigned
              at `F(1)`: neither a variable nor a field
            8:23 type-mismatch: `P` is a predicate of `C`, not a field
              at `P`: not a field
            8:36 type-mismatch: `F` is a function of `C`, not a field
              at `F`: not a field
            8:44 type-mismatch: `P` is a predicate of `C`, not a field
              at `P`: not a field
            8:84 not-assignable: `mu` cannot be assigned directly
              at `ch.mu`: a built-in field
              = `mu` changes by `share`, `reorder` and `unshare`, `joinable` by `fork` and `join`
            8:105 not-assignable: only variables and fields can be assigned
              at `o.s[0]`: neither a variable nor a field
            9:27 not-assignable: `mu` cannot be initialised
              at `mu`: a built-in field
            9:53 duplicate-name: `f` is initialised twice
              at `f`: has a value already
            9:61 unknown-name: the class `C` has no member `h`
              at `h`: not declared
            9:76 misplaced-expression: bounds of an object that is not shared
              at `new C above waitlevel`: not allowed here
              = an object gets its place in the locking order by `share`
            9:118 unknown-name: `Ch` has no member `f`
              at `f`: not a member
        "#]],
    );
}

#[test]
fn ghost_state_stays_in_specifications() {
    check_code(
        "ghost var w := 1; q := w; w := g; f := g; g := w; if (w == 1) { } assert w == g; call a, b := m(g, o);
         var n := new C { g := w, f := w }",
        expect![[r#"
            7:24 misplaced-expression: `w` is for specifications only
              at `w`: not allowed here
              = code that runs cannot depend on ghost state; drop `ghost` where it is declared
            7:40 misplaced-expression: `g` is for specifications only
              at `g`: not allowed here
              = code that runs cannot depend on ghost state; drop `ghost` where it is declared
            7:55 misplaced-expression: `w` is for specifications only
              at `w`: not allowed here
              = code that runs cannot depend on ghost state; drop `ghost` where it is declared
            7:97 misplaced-expression: `g` is for specifications only
              at `g`: not allowed here
              = code that runs cannot depend on ghost state; drop `ghost` where it is declared
            8:40 misplaced-expression: `w` is for specifications only
              at `w`: not allowed here
              = code that runs cannot depend on ghost state; drop `ghost` where it is declared
        "#]],
    );
}

#[test]
fn amounts() {
    check_code(
        "assert acc(f, true); assert acc(f, rd * rd); assert acc(f, rd(rd(1))); assert acc(f, rd*(f)); assert acc(f, rd(null));
         fork tk := m(1, o); assert acc(f, 100 - rd(tk)) && acc(f, 2 * rd + 50) && acc(f, rd(o)) && acc(f, rd(3)) && acc(f, rd*(2));
         assert rd(f, true); assert acc(p); assert acc(1 + 1); assert acc(nothing); assert acc(o.m); assert acc(p.*)",
        expect![[r#"
            7:15 type-mismatch: a percentage must be of type `int`, not `bool`
              at `true`: is of type `bool`
            7:36 misplaced-expression: a product of two amounts
              at `rd * rd`: not allowed here
              = multiply by a number
            7:63 misplaced-expression: `rd` inside `rd`
              at `rd(1)`: not allowed here
              = write `rd(n)` with a number
            7:86 misplaced-expression: this is not an amount of permission
              at `rd*(f)`: not allowed here
              = amounts are percentages, `rd`, `rd(token)`, `rd(n)`, their sums and multiples
            7:112 type-mismatch: `rd` of a number, token, monitor or channel is an amount, not of `null`
              at `null`: does not fit here
            9:23 type-mismatch: the number of epsilons must be of type `int`, not `bool`
              at `true`: is of type `bool`
            9:41 type-mismatch: `p` is a local variable, which needs no permission
              at `p`: not a location
              = write the field that is meant
            9:56 type-mismatch: a permission is to a location
              at `1 + 1`: not a location
              = write a field `e.f`, a predicate `e.P`, `e.*` or `s[*].f`
            9:75 unknown-name: the class `C` has no member `nothing`
              at `nothing`: not declared
            9:98 type-mismatch: `m` is a method of `C`, not a field
              at `m`: not a field
            9:113 type-mismatch: what stands before `.*` must be an object, not of type `int`
              at `p`: does not fit here
        "#]],
    );
}

#[test]
fn folding() {
    check_code(
        "fold f; unfold o.nothing; fold rd(P); fold acc(o.Q(1), 50); unfold 1; q := unfolding o.f in 1",
        expect![[r#"
            7:6 type-mismatch: `fold` needs a predicate
              at `f`: does not fit here
            7:18 unknown-name: the class `C` has no member `nothing`
              at `nothing`: not declared
            7:68 type-mismatch: `unfold` needs a predicate
              at `1`: does not fit here
            7:86 type-mismatch: `unfolding` needs a predicate
              at `o.f`: does not fit here
        "#]],
    );
}

#[test]
fn words_with_a_place() {
    check_code(
        "q := _; assert assigned(q); q := o.*; assert holds(p); var x := waitlevel",
        expect![[r#"
            7:6 misplaced-expression: `_` has no value
              at `_`: not allowed here
              = `_` stands for an argument in `eval`
            7:16 misplaced-expression: `assigned` asks about a ghost constant
              at `assigned(q)`: not allowed here
              = declare the variable with `ghost const`
            7:34 misplaced-expression: `*` has no value
              at `o.*`: not allowed here
              = `.*` and `[*]` stand in `acc` and `rd`
            7:52 type-mismatch: the operand of `holds` must be a reference, not of type `int`
              at `p`: does not fit here
        "#]],
    );
}
