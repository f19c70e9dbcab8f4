//! Lambda expressions and method references.

use crate::check;
use expect_test::expect;

#[test]
fn captured() {
    check(
        r"
import java.util.function.*;
class A {
    int x;
    IntSupplier f(int a) {
        int b = a;
        IntSupplier plain = () -> 1;
        IntSupplier s = () -> a + b + x;
        return () -> { IntSupplier in = () -> a + x; return in.getAsInt(); };
    }
    static Function<Integer, Integer> g(int k) { return y -> y + k; }
}",
        &expect![[r#"
            static class A < Object
              int x
              IntSupplier f(int)
                local $1 = $0
                local $2 = new A$lambda1 <A$lambda1(?)>()
                local $3 = (new A$lambda2 <A$lambda2(?)>() with a: $0, b: $1, this: this)
                return (new A$lambda3 <A$lambda3(?)>() with a: $0, this: this)
              static Function g(int)
                return (new A$lambda5 <A$lambda5(?)>() with k: $0)
              void A()
            static lambda A$lambda1 < Object, IntSupplier
              int getAsInt() > IntSupplier.getAsInt()
                return 1
            static lambda A$lambda2 < Object, IntSupplier
              synthetic final int a
              synthetic final int b
              synthetic final A this
              int getAsInt() > IntSupplier.getAsInt()
                return ((this.a + this.b) + this.this.x)
            static lambda A$lambda3 < Object, IntSupplier
              synthetic final int a
              synthetic final A this
              int getAsInt() > IntSupplier.getAsInt()
                local $0 = (new A$lambda4 <A$lambda4(?)>() with this: this)
                return $0.<IntSupplier.getAsInt()>()
            static lambda A$lambda4 < Object, IntSupplier
              synthetic final A$lambda3 this
              int getAsInt() > IntSupplier.getAsInt()
                return (this.this.a + this.this.this.x)
            static lambda A$lambda5 < Object, Function
              synthetic final int k
              Integer apply(Integer) > Function.apply(Object)
                return box((unbox<int>($0) + this.k))
        "#]],
    );
}

#[test]
fn references() {
    check(
        r"
import java.util.function.*;
class A {
    int x;
    A() { }
    A(int x) { this.x = x; }
    int get() { return x; }
    static int twice(int y) { return 2 * y; }
    void f() {
        Supplier<Integer> bound = this::get;
        Function<A, Integer> unbound = A::get;
        Function<Integer, Integer> fixed = A::twice;
        Function<Integer, A> made = A::new;
        Supplier<A> empty = A::new;
        Function<Integer, int[]> array = int[]::new;
        Supplier<String> above = super::toString;
    }
}",
        &expect![[r#"
            static class A < Object
              int x
              void A()
              void A(int)
                (this.x = $0)
              int get()
                return this.x
              static int twice(int)
                return (2 * $0)
              void f()
                local $0 = (new A$lambda1 <A$lambda1(?)>() with target: this)
                local $1 = new A$lambda2 <A$lambda2(?)>()
                local $2 = new A$lambda3 <A$lambda3(?)>()
                local $3 = new A$lambda4 <A$lambda4(?)>()
                local $4 = new A$lambda5 <A$lambda5(?)>()
                local $5 = new A$lambda6 <A$lambda6(?)>()
                local $6 = (new A$lambda7 <A$lambda7(?)>() with target: this)
            static lambda A$lambda1 < Object, Supplier
              synthetic final A target
              Integer get() > Supplier.get()
                return box(this.target.<A.get()>())
            static lambda A$lambda2 < Object, Function
              Integer apply(A) > Function.apply(Object)
                return box($0.<A.get()>())
            static lambda A$lambda3 < Object, Function
              Integer apply(Integer) > Function.apply(Object)
                return box(!<A.twice(int)>(unbox<int>($0)))
            static lambda A$lambda4 < Object, Function
              A apply(Integer) > Function.apply(Object)
                return new A <A(int)>(unbox<int>($0))
            static lambda A$lambda5 < Object, Supplier
              A get() > Supplier.get()
                return new A <A()>()
            static lambda A$lambda6 < Object, Function
              int[] apply(Integer) > Function.apply(Object)
                return new int[](unbox<int>($0))
            static lambda A$lambda7 < Object, Supplier
              synthetic final Object target
              String get() > Supplier.get()
                return this.target.!<Object.toString()>()
        "#]],
    );
}
