//! Which of several methods is meant.

use crate::{check, check_all};
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

/// What code may not name is no candidate.
#[test]
fn access() {
    check_all(
        &[
            r#"
package p;
public class A {
    private A(String s) { } public A(Object o) { }
    private boolean same(A a) { return true; } public boolean same(Object o) { return false; }
    void near(String s) { } public void near(Object o) { }
    class B { void f(A a) { new A("in"); a.same(a); } }
}"#,
            r#"
package q;
class C { void f(p.A a) { new p.A("out"); a.same(a); a.near("far"); } }"#,
            r#"
package p;
class D { void f(A a) { new A("out"); a.same(a); a.near("near"); } }"#,
        ],
        &expect![[r#"
            static class A < Object
              private void A(String)
              void A(Object)
              private boolean same(A)
                return true
              boolean same(Object)
                return false
              void near(String)
              void near(Object)
            class A.B < Object
              synthetic final A A.this
              void f(A)
                new A <A(String)>("in")
                $0.!<A.same(A)>($0)
              void B()
            static class C < Object
              void f(A)
                new A <A(Object)>("out")
                $0.<A.same(Object)>($0)
                $0.<A.near(Object)>("far")
              void C()
            static class D < Object
              void f(A)
                new A <A(Object)>("out")
                $0.<A.same(Object)>($0)
                $0.<A.near(String)>("near")
              void D()
        "#]],
    );
}

/// A method with a body, in a class above, comes before one without in an interface that is nearer.
#[test]
fn classes_before_interfaces() {
    check(
        r"
interface I { int f(); int g(); }
abstract class Top { public int f() { return 1; } public abstract int g(); }
abstract class Middle extends Top { }
abstract class Low extends Middle implements I { int h() { return f() + g(); } }",
        &expect![[r#"
            static interface I
              abstract int f()
              abstract int g()
            static class Top < Object
              int f() > I.f()
                return 1
              abstract int g()
              void Top()
            static class Middle < Top
              void Middle()
                <Top()>()
            static class Low < Middle, I
              int h()
                return (this.<Top.f()>() + this.<I.g()>())
              void Low()
                <Middle()>()
        "#]],
    );
}

/// Lambda expressions in calls that are arguments themselves.
#[test]
fn nested_functions() {
    check(
        r"
import java.util.function.*;
class Flow<T> {
    <R> R collect(How<? super T, R> how) { return null; }
    <R> Flow<R> flat(Function<? super T, ? extends Flow<? extends R>> f) { return null; }
    Flow<T> inner() { return this; }
    static <A> Flow<A> of(A a) { return null; }
    static <S> S make(Supplier<S> s, BiConsumer<S, S> c) { return null; }
    static <U> U make(U seed, BiFunction<U, U, U> f) { return null; }
}
interface How<T, R> {
    static <T, K> How<T, K> by(Function<? super T, ? extends K> f, Function<T, T> g) { return null; }
    static <Z> Function<Z, Z> same() { return null; }
}
class A {
    int f(Flow<String> s, Flow<Flow<String>> d) {
        d.flat(x -> x.inner()).inner().collect(How.by(x -> x.length(), How.same())).intValue();
        Flow.make(() -> s, (a, b) -> { a.inner(); });
        int n = 1;
        n += unknown.Lib.count();
        return s.collect(How.by(x -> x.length(), How.same()));
    }
}",
        &expect![[r#"
            20:14 unresolved-type: the type `unknown.Lib` is not known [unknown.Lib]
            static class Flow < Object
              Object collect(How)
                return null
              Flow flat(Function)
                return null
              Flow inner()
                return this
              static Flow of(Object)
                return null
              static Object make(Supplier, BiConsumer)
                return null
              static Object make(Object, BiFunction)
                return null
              void Flow()
            static interface How
              static How by(Function, Function)
                return null
              static Function same()
                return null
            static class A < Object
              int f(Flow, Flow)
                $1.<Flow.flat(Function)>(new A$lambda1 <A$lambda1(?)>()).<Flow.inner()>().<Flow.collect(How)>(!<How.by(Function, Function)>(new A$lambda2 <A$lambda2(?)>(), !<How.same()>())).<Integer.intValue()>()
                !<Flow.make(Supplier, BiConsumer)>((new A$lambda3 <A$lambda3(?)>() with s: $0), new A$lambda4 <A$lambda4(?)>())
                local $2 = 1
                ($2 +=<int> unbox<int>(<? count>()))
                return unbox<int>($0.<Flow.collect(How)>(!<How.by(Function, Function)>(new A$lambda5 <A$lambda5(?)>(), !<How.same()>())))
              void A()
            static lambda A$lambda1 < Object, Function
              Flow apply(Flow) > Function.apply(Object)
                return $0.<Flow.inner()>()
            static lambda A$lambda2 < Object, Function
              Integer apply(String) > Function.apply(Object)
                return box($0.<String.length()>())
            static lambda A$lambda3 < Object, Supplier
              synthetic final Flow s
              Flow get() > Supplier.get()
                return this.s
            static lambda A$lambda4 < Object, BiConsumer
              void accept(Flow, Flow) > BiConsumer.accept(Object, Object)
                $0.<Flow.inner()>()
            static lambda A$lambda5 < Object, Function
              Integer apply(String) > Function.apply(Object)
                return box($0.<String.length()>())
        "#]],
    );
}

/// Static methods of interfaces are not inherited, and methods of `Object` are those of `Object`.
#[test]
fn interfaces() {
    check(
        r"
interface I { static int of(String s) { return 1; } boolean equals(Object o); }
interface J extends I { }
class C implements I { static int of(Object o) { return 2; } }
class A { void f(I i, J j, C c) { I.of(null); C.of(null); i.equals(i); j.equals(j); c.equals(c); } }",
        &expect![[r#"
            static interface I
              static int of(String)
                return 1
              abstract boolean equals(Object) > Object.equals(Object)
            static interface J < I
            static class C < Object, I
              static int of(Object)
                return 2
              void C()
            static class A < Object
              void f(I, J, C)
                !<I.of(String)>(null)
                !<C.of(Object)>(null)
                $0.<I.equals(Object)>($0)
                $1.<Object.equals(Object)>($1)
                $2.<Object.equals(Object)>($2)
              void A()
        "#]],
    );
}
