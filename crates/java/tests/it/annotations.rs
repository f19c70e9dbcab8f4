//! Annotations: how they are written, and where.

use crate::{check, faults};
use expect_test::expect;

/// One line, several lines with `@` before each, several in one comment.
#[test]
fn spellings() {
    check(
        r#"
class A {
    /*@ unwritable_by_env_if this.holder == tid */
    int x;
    int y; //@ unwritable_by_env_if this.holder == \tid
    //@ ghost int g = 0
    /*@ env_assumption x >= \old(x);
      @ global_invariant x >= 0
      @*/
    //@ requires n > 0; modifies x, y; ensures \result == n
    int f(int n) {
        //@ assert n > 0
        //@ set g = n
        x = n;
        //@ {{
        y = n;
        //@ }}
        //@ assume g == n
        /*@ loop_invariant x > 0 @*/
        while (x < 9) x++;
        return n;
    }
}"#,
        &expect![[r#"
            static class A < Object
              env_assumption: (this.x >= \old(this.x))
              global_invariant: (this.x >= 0)
              int x
                unwritable: (this.\holder == \tid)
              int y
                unwritable: (this.\holder == \tid)
              ghost int g
              int f(int)
                requires: ($0 > 0)
                modifies: this.x, this.y
                ensures: (\result == $0)
                //@ assert ($0 > 0)
                //@ set this.g = $0
                (this.x = $0)
                //@ atomic
                  (this.y = $0)
                //@ assume (this.g == $0)
                L0: while (this.x < 9)
                  //@ loop_invariant (this.x > 0)
                  (old this.x += 1)
                return $0
              void A()
                this.!<A.<fields>()>()
              private void <fields>()
                this.g := 0
        "#]],
    );
}

#[test]
fn spellings_of_2002() {
    check(
        r#"
class A {
    //@ monitored
    int a;
    //@ monitored_by lock, this
    int b;
    //@ guarded_by lock
    int c;
    Object lock;
    /*@ non_null */ Object o;
    //@ elems_unwritable_by_env_if[i] i < a
    int[] e;
    //@ axiom \forall A x, y; x != y ==> x.lock != y.lock
    //@ also_requires p != null
    //@ also_modifies a
    //@ also_ensures a == 1
    //@ action up: also_modifies a ensures a == \old(a) + 1
    //@ performs action "x" (a) { a > 0 } ; (action "y" (b) { b > 0 } [] action () { true })
    //@ exsures (Throwable t) a == 0
    /*@ helper */ void f(/*@ non_null */ Object p) { //@ nowarn Race
        //@ set \witness = "x"
        a = 1;
        //@ unreachable
    }
}"#,
        &expect![[r#"
            20:58 annotation-unknown: `nowarn` is not obeyed: whatever can go wrong is reported [nowarn Race]
            20:9 annotation-unknown: `helper` says nothing of a method that others may call [helper]
            static class A < Object
              axiom: (forall A x#0, A y#1; ((#0 != #1) ==> (#0.lock != #1.lock)))
              int a
                guarded OneForReads: this
              int b
                guarded OneForReads: this.lock, this
              int c
                guarded All: this.lock
              Object lock
              non_null Object o
              int[] e
                elements[#2]: (#2 < this.a)
              helper void f(Object)
                requires: ($0 != null)
                modifies: this.a
                action up[this.a]{(this.a == (\old(this.a) + 1))}
                action (x[this.a]{(this.a > 0)}; (y[this.b]{(this.b > 0)} [] []{true}))
                ensures: (this.a == 1)
                exsures: (forall Throwable t#3; (#3 == \result); (this.a == 0))
                non_null [0]
                //@ witness x
                (this.a = 1)
                //@ assert false
              void A()
        "#]],
    );
}

#[test]
fn conventions() {
    check(
        r#"
class A {
    final Object lock = new Object();
    @GuardedBy("this") int a;
    @GuardedBy({"lock", "this"}) int b;
    @GuardedBy("itself") int[] c;
    int d; // @GuardedBy("lock")
    @Holding("lock") void f(@NonNull Object o) { }
    @EnsuresLockHeld("lock") @Pure int g() { return 1; }
    @NotNull("never null") String s() { return ""; }
}"#,
        &expect![[r#"
            static class A < Object
              final Object lock
              int a
                guarded All: this
              int b
                guarded All: this.lock, this
              int[] c
                guarded All: this.c
              int d
                guarded All: this.lock
              void f(Object)
                requires: (this.lock.\holder == \tid)
                non_null [0]
              pure int g()
                ensures: (this.lock.\holder == \tid)
                return 1
              non_null String s()
                return ""
              void A()
                this.!<A.<fields>()>()
              private void <fields>()
                this.lock := new Object <Object()>()
        "#]],
    );
}

/// A guard must be an object, and that of a static variable must belong to no object.
#[test]
fn guards_that_are_no_locks() {
    faults(
        r#"
class A {
    final Object lock = new Object();
    static final Object all = new Object();
    @GuardedBy("itself") int a;
    @GuardedBy("a") int b;
    @GuardedBy("this") static int c;
    @GuardedBy("lock") static int d;
    @GuardedBy("all") static int e;
    @GuardedBy("A.class") static int f;
    @GuardedBy("itself") static int[] g;
    @GuardedBy("lock") int h;
    @GuardedBy("a") void f() { }
}"#,
        &expect![[r#"
            5:17 type-mismatch: a lock is an object, and this is none [itself]
            6:17 type-mismatch: a lock is an object, and this is none [a]
            7:17 misplaced-expression: `this` in code that is static [this]
            8:17 unknown-name: `lock` is not declared [lock]
            13:17 type-mismatch: a lock is an object, and this is none [a]
        "#]],
    );
}

/// An annotation that cannot be evaluated is never passed over in silence.
#[test]
fn not_evaluated() {
    faults(
        r#"
class A {
    @GuardedBy(A.class) int a;
    @GuardedBy int b;
    @GuardedBy(lock = "this") int c;
    void f(@GuardedBy("this") int p) {
        @NonNull Object o = null;
        for (@NonNull Object x : new Object[0]) { }
    }
    //@ model int m; requires false; ensures true
    //@ public normal_behavior requires false
    //@@@ odd
    void g() { }
    //@ decreases 3
    void h() { }
}"#,
        &expect![[r#"
            3:16 annotation-unknown: only locks in quotes are looked at [A.class]
            4:5 annotation-unknown: no lock is named here [@GuardedBy]
            5:5 annotation-unknown: only locks in quotes are looked at [@GuardedBy(lock = "this")]
            6:12 annotation-unknown: annotations of a parameter are not looked at [@GuardedBy("this")]
            7:9 annotation-unknown: annotations of a local variable are not looked at [@NonNull]
            8:14 annotation-unknown: annotations of a local variable are not looked at [@NonNull]
            10:9 annotation-unknown: no annotation is called `model` [model]
            11:16 annotation-unknown: no annotation is called `normal_behavior` [normal_behavior]
            12:8 annotation-unknown: no annotation starts like this [@]
            14:9 annotation-unknown: `decreases` is not looked at [decreases 3]
        "#]],
    );
}

#[test]
fn misplaced() {
    faults(
        r#"
//@ requires true
import java.util.List;
class A {
    //@ loop_invariant true
    int x;
    //@ unwritable_by_env_if true
    void f(int a, /*@ requires true */ int b) {
        //@ requires true
        x = 1;
        g(1, /*@ assert true */ 2);
        //@ loop_invariant true
        x = 2;
        if (x == 1) //@ assert true
            x = 3;
        //@ }}
    }
    void g(int a, int b) {
        //@ {{
    }
    //@ ensures true
    static { }
    //@ requires true
}"#,
        &expect![[r#"
            8:23 misplaced-statement: this annotation does not belong here [requires true]
            9:13 misplaced-statement: this annotation does not belong here [requires true]
            11:18 misplaced-statement: this annotation does not belong here [assert true]
            12:13 misplaced-statement: this annotation does not belong here [loop_invariant true]
            14:25 misplaced-statement: this annotation does not belong here [assert true]
            21:9 misplaced-statement: this annotation does not belong here [ensures true]
            23:9 misplaced-statement: this annotation does not belong here [requires true]
            2:5 misplaced-statement: this annotation is not about a class [requires true]
            5:9 misplaced-statement: this annotation is not about a variable [loop_invariant true]
            7:9 misplaced-statement: this annotation is not about a method [unwritable_by_env_if true]
            16:13 syntax-error: `}}` without `{{` in this block [}}]
            19:13 syntax-error: `{{` without `}}` in this block [{{]
        "#]],
    );
}

/// In annotations, what is not declared is an error at its place; in code it is not.
#[test]
fn unknown_names() {
    check(
        r#"
class A {
    int x;
    //@ requires y > 0 && this.z && g(1) == x.length; modifies w, x + 1
    void f() {
        y = this.z + g(1) + x.length;
        //@ set x = 1
        //@ assert \result == 1
    }
}"#,
        &expect![[r#"
            4:18 unknown-name: `y` is not declared [y]
            4:32 unknown-name: `A` has no field `z` [z]
            4:37 unknown-name: no method `g` is declared [g(1)]
            4:47 unknown-name: `int` has no field `length` [length]
            4:64 unknown-name: `w` is not declared [w]
            4:67 not-assignable: this cannot be assigned to [x + 1]
            7:17 not-assignable: only ghosts can be set in annotations [x]
            8:20 misplaced-expression: `\result` where there is no result [\result]
            static class A < Object
              int x
              void f()
                requires: ((<`y` is not declared> && <`A` has no field `z`>) && (<no method `g` is declared> == <`int` has no field `length`>))
                modifies: 
                <`y` is not declared>
                //@ set this.x = 1
                //@ assert (<`\result` where there is no result> == 1)
              void A()
        "#]],
    );
}

#[test]
fn words_of_logic() {
    check(
        r#"
class A {
    //@ ghost Thread owner = null
    //@ ghost set<Thread> all
    //@ ghost Thread -> int at
    //@ global_invariant owner != main ==> (\exists Thread t; t.start && t \in all; at[t] > 0)
    //@ global_invariant owner == \main <==> at == at[tid := 1]
    //@ ensures \old(all) \union {tid} == all \minus {}
    void f() { }
    void g(Thread main) {
        //@ assert main == null
    }
}"#,
        &expect![[r#"
            static class A < Object
              global_invariant: ((this.owner != \main) ==> (exists Thread t#0; (#0.\started && (#0 \in this.all)); (this.at[[#0]] > 0)))
              global_invariant: ((this.owner == \main) <==> (this.at == this.at[\tid := 1]))
              ghost Thread owner
              ghost set of Thread all
              ghost Thread -> int at
              void f()
                ensures: ((\old(this.all) \union {\tid}) == (this.all \minus {}))
              void g(Thread)
                //@ assert ($0 == null)
              void A()
                this.!<A.<fields>()>()
              private void <fields>()
                this.owner := null
        "#]],
    );
}
