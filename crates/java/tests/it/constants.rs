//! Values that are known before the program runs, and conversions.

use crate::check;
use expect_test::expect;

#[test]
fn folded() {
    check(
        r#"
class A {
    static final int A = 3, B = A * 2 + 1, C = 1 << 33, D = -1 >> 33, E = ~A, F = -(-2147483648), G = 2147483647 + 1;
    static final long L = 1L << 33, M = A;
    static final boolean T = A < B && !(A == 3), U = A == 3 || false;
    static final byte Y = 5;
    static final char Z = 'a' + 1;
    static final String S = "s";
    static final int NOT = f();
    static final int AGAIN = AGAIN + 1;
    static int f() { return B + NOT; }
}"#,
        &expect![[r#"
            static class A < Object
              static final int A = 3
              static final int B = 7
              static final int C = 2
              static final int D = -1
              static final int E = -4
              static final int F
              static final int G
              static final long L = 8589934592
              static final long M = 3
              static final boolean T = false
              static final boolean U = true
              static final byte Y = 5
              static final char Z = 98
              static final String S = "s"
              static final int NOT
              static final int AGAIN
              static int f()
                return (7 + A.NOT)
              void A()
              static:
                A.F := --2147483648
                A.G := (2147483647 + 1)
                A.NOT := !<A.f()>()
                A.AGAIN := (A.AGAIN + 1)
        "#]],
    );
}

#[test]
fn conversions() {
    check(
        r"
class A {
    Integer boxed; long wide; byte small; double d; Object o;
    void f(int i, char c) {
        boxed = i; wide = i; small = 1; d = i; o = i;
        i = boxed; wide = boxed; i = (int) wide; i = (Integer) o; i = (int) o;
        small += i; c++; wide = i * wide + c; i = c << wide;
        boolean e = boxed == i && boxed == o && d < i;
        o = e ? i : wide;
        o = e ? boxed : null;
        String s = i + c + o.toString() + null;
        s += 1;
    }
}",
        &expect![[r#"
            static class A < Object
              Integer boxed
              long wide
              byte small
              double d
              Object o
              void f(int, char)
                (this.boxed = box($0))
                (this.wide = convert<long>($0))
                (this.small = 1:byte)
                (this.d = convert<double>($0))
                (this.o = box($0))
                ($0 = unbox<int>(this.boxed))
                (this.wide = convert<long>(unbox<int>(this.boxed)))
                ($0 = convert<int>(this.wide))
                ($0 = unbox<int>(cast<Integer>(this.o)))
                ($0 = unbox<int>(cast<Integer>(this.o)))
                (this.small +=<int> $0)
                (old $1 += 1)
                (this.wide = ((convert<long>($0) * this.wide) + convert<long>($1)))
                ($0 = (convert<int>($1) << this.wide))
                local $2 = (((unbox<int>(this.boxed) == $0) && (this.boxed == this.o)) && (this.d < convert<double>($0)))
                (this.o = box(($2 ? convert<long>($0) : this.wide)))
                (this.o = ($2 ? this.boxed : null))
                local $3 = concat(($0 + convert<int>($1)), this.o.<Object.toString()>(), null)
                ($3 +=<String> 1)
              void A()
        "#]],
    );
}
