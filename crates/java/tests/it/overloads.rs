//! Which of several methods is meant.

use crate::check;
use expect_test::expect;

#[test]
fn phases() {
    check(
        r"
class A {
    void f(long x) { } void f(Integer x) { } void f(Object x) { } void f(int... x) { }
    void g(Integer x) { } void g(Object x) { }
    void h(int a, int... x) { } void h(Object a) { }
    void t(byte b, char c, short s, Integer i, String w) {
        f(1);       // widening comes before boxing
        f(i); f(w); f('c'); f(1, 2); f(); f(new int[0]);
        g(1);       // boxing, and the most specific of what is boxed
        g(1L);
        h(1); h(1, 2); h(b, c, s);
        f(1.5);
    }
}",
        &expect![[r#"
            static class A < Object
              void f(long)
              void f(Integer)
              void f(Object)
              varargs void f(int[])
              void g(Integer)
              void g(Object)
              varargs void h(int, int[])
              void h(Object)
              void t(byte, char, short, Integer, String)
                this.<A.f(long)>(1:long)
                this.<A.f(Integer)>($3)
                this.<A.f(Object)>($4)
                this.<A.f(long)>(99:long)
                this.<A.f(int[])>(int[]{1, 2})
                this.<A.f(int[])>(int[]{})
                this.<A.f(int[])>(new int[](0))
                this.<A.g(Integer)>(box(1))
                this.<A.g(Object)>(box(1:long))
                this.<A.h(Object)>(box(1))
                this.<A.h(int, int[])>(1, int[]{2})
                this.<A.h(int, int[])>(convert<int>($0), int[]{convert<int>($1), convert<int>($2)})
                this.<A.f(Object)>(box(?:double))
              void A()
        "#]],
    );
}

#[test]
fn most_specific() {
    check(
        r"
class A {
    static void f(Object x) { } static void f(String x) { }
    static void g(int a, double b) { } static void g(double a, double b) { }
    static void k(char[] x) { } static void k(Object x) { }
    void t() { f(null); f((Object) null); f(1 > 0 ? null : null); g(1, 1); g(1L, 1); k(null); }
}",
        &expect![[r#"
            static class A < Object
              static void f(Object)
              static void f(String)
              static void g(int, double)
              static void g(double, double)
              static void k(char[])
              static void k(Object)
              void t()
                !<A.f(String)>(null)
                !<A.f(Object)>(cast<Object>(null))
                !<A.f(String)>((true ? null : null))
                !<A.g(int, double)>(1, convert<double>(1))
                !<A.g(double, double)>(convert<double>(1:long), convert<double>(1))
                !<A.k(char[])>(null)
              void A()
        "#]],
    );
}

#[test]
fn below_and_above() {
    check(
        r"
class A { void f(int x) { } void g() { } private void p() { } static void s() { } }
class B extends A {
    void f(long x) { }
    @Override void g() { super.g(); }
    void p() { }
    void t(A a) { f(1); a.f(1); g(); a.g(); p(); s(); B.s(); toString(); a.none(); f(null, 1); }
}",
        &expect![[r#"
            static class A < Object
              void f(int)
              void g()
              private void p()
              static void s()
              void A()
            static class B < A
              void f(long)
              void g() > A.g()
                this.!<A.g()>()
              void p()
              void t(A)
                this.<A.f(int)>(1)
                $0.<A.f(int)>(1)
                this.<B.g()>()
                $0.<A.g()>()
                this.<B.p()>()
                !<A.s()>()
                !<A.s()>()
                this.<Object.toString()>()
                <`A` has no method `none`>
                <no method `f` of `B` takes these arguments>
              void B()
                <A()>()
        "#]],
    );
}

#[test]
fn functions() {
    check(
        r"
import java.util.function.*;
import java.util.concurrent.Callable;
class A {
    void f(Runnable r) { } <T> T f(Callable<T> c) { return null; }
    int g() { return 1; }
    void t() {
        f(() -> { });
        f(() -> 1);
        f(() -> { if (g() > 0) { g(); } return 2; });
        f(() -> { while (true) { } });
        f(() -> { throw new RuntimeException(); });
    }
}",
        &expect![[r#"
            static class A < Object
              void f(Runnable)
              Object f(Callable)
                return null
              int g()
                return 1
              void t()
                this.<A.f(Runnable)>(new A$lambda1 <A$lambda1(?)>())
                this.<A.f(Callable)>(new A$lambda2 <A$lambda2(?)>())
                this.<A.f(Callable)>((new A$lambda3 <A$lambda3(?)>() with this: this))
                this.<A.f(Callable)>(new A$lambda4 <A$lambda4(?)>())
                this.<A.f(Callable)>(new A$lambda5 <A$lambda5(?)>())
              void A()
            static lambda A$lambda1 < Object, Runnable
              void run() > Runnable.run()
            static lambda A$lambda2 < Object, Callable
              Integer call() > Callable.call()
                return box(1)
            static lambda A$lambda3 < Object, Callable
              synthetic final A this
              Integer call() > Callable.call()
                if (this.this.<A.g()>() > 0)
                  this.this.<A.g()>()
                return box(2)
            static lambda A$lambda4 < Object, Callable
              Object call() > Callable.call()
                L0: while true
            static lambda A$lambda5 < Object, Callable
              Object call() > Callable.call()
                throw new RuntimeException <RuntimeException()>()
        "#]],
    );
}
