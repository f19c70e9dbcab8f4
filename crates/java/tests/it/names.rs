//! What names mean.

use crate::{check, check_all};
use expect_test::expect;

#[test]
fn fields_and_locals() {
    check(
        r"
class Base { int a, b; static int s; private int hidden; }
class A extends Base {
    int b, hidden0;
    int f(int a) {
        int r = a + b + this.a + super.b + ((Base) this).b + s + Base.s + A.s;
        { int c = r; r = c; }
        return r;
    }
}",
        &expect![[r#"
            static class Base < Object
              int a
              int b
              static int s
              int hidden
              void Base()
            static class A < Base
              int b
              int hidden0
              int f(int)
                local $1 = ((((((($0 + this.b) + this.Base::a) + this.Base::b) + cast<Base>(this).b) + Base.s) + Base.s) + Base.s)
                block
                  local $2 = $1
                  ($1 = $2)
                return $1
              void A()
                <Base()>()
        "#]],
    );
}

/// The object around, and shadowing by what is nearer.
#[test]
fn around() {
    check(
        r"
class Outer {
    int x, y;
    private int p() { return 1; }
    static int s;
    class Inner {
        int x;
        int f() { return x + y + Outer.this.x + s + p(); }
        class Deep { int f() { return x + y + Inner.this.f(); } }
    }
    static class Nested { int f(Outer o) { return o.y + s; } }
    // A private method is not inherited: that of the object around is meant.
    class Sub extends Outer { int f() { return p() + super.p(); } }
}",
        &expect![[r#"
            static class Outer < Object
              int x
              int y
              static int s
              private int p()
                return 1
              void Outer()
            class Outer.Inner < Object
              synthetic final Outer Outer.this
              int x
              int f()
                return ((((this.x + this.Outer.this.y) + this.Outer.this.x) + Outer.s) + this.Outer.this.!<Outer.p()>())
              void Inner()
            class Outer.Inner.Deep < Object
              synthetic final Outer.Inner Outer.Inner.this
              int f()
                return ((this.Outer.Inner.this.x + this.Outer.Inner.this.Outer.this.y) + this.Outer.Inner.this.<Outer.Inner.f()>())
              void Deep()
            static class Outer.Nested < Object
              int f(Outer)
                return ($0.y + Outer.s)
              void Nested()
            class Outer.Sub < Outer
              synthetic final Outer Outer.this
              int f()
                return (this.Outer.this.!<Outer.p()>() + this.!<Outer.p()>())
              void Sub()
                <Outer()>()
        "#]],
    );
}

#[test]
fn imports() {
    check_all(
        &[
            "package p; public class C { public static int N = 1; public static int m() { return 2; } public static class In { } }",
            "package p; class Hidden { static int h; }",
            "package q; import static p.C.N; import static p.C.*; import p.*;
             class D { int f() { return N + m() + C.N; } In in; Hidden hidden; java.util.List<p.C.In> all; }
             class Hidden { }",
        ],
        &expect![[r#"
            static class C < Object
              static int N
              static int m()
                return 2
              void C()
              static:
                C.N := 1
            static class C.In < Object
              void In()
            static class p.Hidden < Object
              static int h
              void Hidden()
            static class D < Object
              C.In in
              q.Hidden hidden
              List all
              int f()
                return ((C.N + !<C.m()>()) + C.N)
              void D()
            static class q.Hidden < Object
              void Hidden()
        "#]],
    );
}

#[test]
fn types_of_classes_above() {
    check(
        r"
class A { static class T { } private static class P { } }
class B extends A { T t; P p; static class P { } }
class C { static class P { } static class D extends A { P p; } }",
        &expect![[r#"
            static class A < Object
              void A()
            static class A.T < Object
              void T()
            static class A.P < Object
              void P()
            static class B < A
              A.T t
              B.P p
              void B()
                <A()>()
            static class B.P < Object
              void P()
            static class C < Object
              void C()
            static class C.P < Object
              void P()
            static class C.D < A
              C.P p
              void D()
                <A()>()
        "#]],
    );
}

#[test]
fn twice() {
    check(
        "class A { class B { } class B { } } class A { }",
        &expect![[r#"
            1:29 duplicate-name: `B` is declared twice [B]
            1:43 duplicate-name: `A` is declared twice [A]
            static class A < Object
              void A()
            class A.B < Object
              synthetic final A A.this
              void B()
            class A.B~2 < Object
              synthetic final A A.this
              void B()
        "#]],
    );
    check(
        "class A extends A { int x; }",
        &expect![[r#"
        @unknown superclass static class A < Object
          int x
          void A()
    "#]],
    );
}

/// An import of one name comes before imports of all; members that are inherited are imported by
/// static imports alone.
#[test]
fn imports_of_members() {
    check_all(
        &[
            r"
package p;
public class One { public static int X; public static class Kind { } }",
            r"
package p;
public class Two extends Base { public static String X; public static void m() { } }",
            r"
package p;
public class Base { public static class Kind { public int n; } }",
            r"
package q;
import static p.One.*;
import static p.Two.X;
import p.Two.*;
class A { void f(Kind k) { X.length(); } }",
            r"
package q;
import static p.Two.*;
class B { int f(Kind k) { m(); return k.n; } }",
        ],
        &expect![[r#"
            static class One < Object
              static int X
              void One()
            static class One.Kind < Object
              void Kind()
            static class Two < Base
              static String X
              static void m()
              void Two()
                <Base()>()
            static class Base < Object
              void Base()
            static class Base.Kind < Object
              int n
              void Kind()
            static class A < Object
              void f(One.Kind)
                Two.X.<String.length()>()
              void A()
            static class B < Object
              int f(Base.Kind)
                !<Two.m()>()
                return $0.n
              void B()
        "#]],
    );
}
