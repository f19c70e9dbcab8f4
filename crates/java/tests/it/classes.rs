//! Classes inside others and in bodies, enumerations, records.

use crate::check;
use expect_test::expect;

#[test]
fn constructors() {
    check(
        r"
class Base { Base(int x) { } }
class A extends Base {
    int a = 1;
    { a = 2; }
    A() { this(3); }
    A(int x) { super(x); a = x; }
}",
        &expect![[r#"
            static class Base < Object
              void Base(int)
            static class A < Base
              int a
              void A()
                <A(int)>(3)
              void A(int)
                <Base(int)>($0)
                this.!<A.<fields>()>()
                (this.a = $0)
              private void <fields>()
                this.a := 1
                block
                  (this.a = 2)
        "#]],
    );
}

#[test]
fn anonymous() {
    check(
        r"
abstract class Task { Task(int n) { } abstract int run(); }
class A {
    int x;
    Task f(int p) {
        return new Task(p) { int y = p; int run() { return x + p + y; } };
    }
    static Runnable g(int p) { return new Runnable() { public void run() { int q = p; } }; }
}",
        &expect![[r#"
            static class Task < Object
              void Task(int)
              abstract int run()
            static class A < Object
              int x
              Task f(int)
                return (new A$1 <A$1(int)>($0) with p: $0, A.this: this)
              static Runnable g(int)
                return (new A$2 <A$2()>() with p: $0)
              void A()
            class A$1 < Task
              synthetic final A A.this
              int y
              synthetic final int p
              int run() > Task.run()
                return ((this.A.this.x + this.p) + this.y)
              void <init>(int)
                <Task(int)>($0)
                this.!<A$1.<fields>()>()
              private void <fields>()
                this.y := this.p
            static class A$2 < Object, Runnable
              synthetic final int p
              void run() > Runnable.run()
                local $0 = this.p
              void <init>()
        "#]],
    );
}

#[test]
fn local() {
    check(
        r"
class A {
    int x;
    int f(int p) {
        class L { int get() { return x + p; } }
        class M extends L { }
        return new L().get() + new M().get();
    }
    int again(int p) {
        class R { R next; int n = p; void grow() { next = new R(); } }
        return new R().n;
    }
}",
        &expect![[r#"
            static class A < Object
              int x
              int f(int)
                return ((new A.L <A.L()>() with p: $0, A.this: this).<A.L.get()>() + (new A.M <A.M()>() with A.this: this, p: $0, A.this: this).<A.L.get()>())
              int again(int)
                return (new A.R <A.R()>() with p: $0, A.this: this).n
              void A()
            class A.L < Object
              synthetic final A A.this
              synthetic final int p
              int get()
                return (this.A.this.x + this.p)
              void L()
            class A.M < A.L
              synthetic final A A.this
              void M()
                <A.L()>()
            class A.R < Object
              synthetic final A A.this
              A.R next
              int n
              synthetic final int p
              void grow()
                (this.next = (new A.R <A.R()>() with p: this.p, A.this: this.A.this))
              void R()
                this.!<A.R.<fields>()>()
              private void <fields>()
                this.n := this.p
        "#]],
    );
}

#[test]
fn inner() {
    check(
        r"
class A {
    class I { }
    class J extends I { }
    void f(A other) {
        new I(); other.new I(); this.new J();
        other.new I() { };
        new J() { };
    }
    static void g() { new I(); }
}
class B extends A.I { B(A a) { a.super(); } }",
        &expect![[r#"
            static class A < Object
              void f(A)
                (new A.I <A.I()>() with A.this: this)
                (new A.I <A.I()>() with A.this: $0)
                (new A.J <A.J()>() with A.this: this, A.this: this)
                (new A$1 <A$1()>() with A.this: this, A.this: $0)
                (new A$2 <A$2()>() with A.this: this, A.this: this, A.this: this)
              static void g()
                (new A.I <A.I()>() with A.this: <an object of an inner class needs one around it>)
              void A()
            class A.I < Object
              synthetic final A A.this
              void I()
            class A.J < A.I
              synthetic final A A.this
              void J()
                <A.I()>()
            static class B < A.I
              void B(A)
                <a constructor called through an object around>
            class A$1 < A.I
              synthetic final A A.this
              void <init>()
                <A.I()>()
            class A$2 < A.J
              synthetic final A A.this
              void <init>()
                <A.J()>()
        "#]],
    );
}

#[test]
fn enumerations() {
    check(
        r"
enum E {
    ONE, TWO(2) { int m() { return n; } };
    int n;
    E() { }
    E(int n) { this.n = n; }
    int m() { return values().length + valueOf(null).ordinal() + ONE.n; }
}",
        &expect![[r#"
            static enum E < Enum
              static final E ONE
              static final E TWO
              int n
              void E()
              void E(int)
                (this.n = $0)
              int m()
                return ((!<E.values()>().length + !<E.valueOf(String)>(null).<Enum.ordinal()>()) + E.ONE.n)
              static E[] values()
              static E valueOf(String)
              static:
                E.ONE := new E <E()>()
                E.TWO := new E$1 <E$1(int)>(2)
            static class E$1 < E
              int m() > E.m()
                return this.E::n
              void <init>(int)
                <E(int)>($0)
        "#]],
    );
}

#[test]
fn records() {
    check(
        r"
record P(int x, @NonNull String s) { int sum() { return x + s().length(); } }
record Q(int x) { Q { if (x < 0) x = 0; } Q() { this(1); } public int x() { return x; } }",
        &expect![[r#"
            static record P < Record
              final int x
              final non_null String s
              int sum()
                return (this.x + this.<P.s()>().<String.length()>())
              void P(int, String)
                this.x := $0
                this.s := $1
              int x()
                return this.x
              String s()
                return this.s
            static record Q < Record
              final int x
              void Q(int)
                if ($0 < 0)
                  ($0 = 0)
                this.x := $0
              void Q()
                <Q(int)>(1)
              int x()
                return this.x
        "#]],
    );
}
