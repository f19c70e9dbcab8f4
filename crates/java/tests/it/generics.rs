//! Types with arguments.

use crate::check;
use expect_test::expect;

#[test]
fn members_through_arguments() {
    check(
        r"
class Box<T> { T value; T get() { return value; } void set(T t) { value = t; } <U> Box<U> with(U u) { return null; } }
class Names extends Box<String> { int f() { return value.length() + get().length(); } }
class A {
    int f(Box<Integer> b, Box<? extends Number> n, Box<?> w, Box<Box<String>> d, Box raw) {
        b.set(1);
        int x = b.value + b.get();
        n.get().intValue();
        w.get().hashCode();
        raw.get().hashCode();
        b.with('c').get().charValue();
        b.<String>with(null).get().length();
        return d.get().get().length() + x;
    }
}",
        &expect![[r#"
            static class Box < Object
              Object value
              Object get()
                return this.value
              void set(Object)
                (this.value = $0)
              Box with(Object)
                return null
              void Box()
            static class Names < Box
              int f()
                return (this.Box::value.<String.length()>() + this.<Box.get()>().<String.length()>())
              void Names()
                <Box()>()
            static class A < Object
              int f(Box, Box, Box, Box, Box)
                $0.<Box.set(Object)>(box(1))
                local $5 = (unbox<int>($0.value) + unbox<int>($0.<Box.get()>()))
                $1.<Box.get()>().<Number.intValue()>()
                $2.<Box.get()>().<Object.hashCode()>()
                $4.<Box.get()>().<Object.hashCode()>()
                $0.<Box.with(Object)>(box(99:char)).<Box.get()>().<Character.charValue()>()
                $0.<Box.with(Object)>(null).<Box.get()>().<String.length()>()
                return ($3.<Box.get()>().<Box.get()>().<String.length()>() + $5)
              void A()
        "#]],
    );
}

#[test]
fn diamonds() {
    check(
        r"
import java.util.*;
class P<A, B> { A a; B b; P(A a, B b) { } }
class A {
    void f() {
        List<String> l = new ArrayList<>();
        l.get(0).length();
        var p = new P<>(1, l);
        int x = p.a;
        p.b.get(0).length();
        for (String s : l) s.length();
        for (int i : new int[] {1}) x += i;
        for (Map.Entry<String, Integer> e : new HashMap<String, Integer>().entrySet()) x += e.getValue();
    }
}",
        &expect![[r#"
            static class P < Object
              Object a
              Object b
              void P(Object, Object)
            static class A < Object
              void f()
                local $0 = new ArrayList <ArrayList()>()
                $0.<List.get(int)>(0).<String.length()>()
                local $1 = new P <P(Object, Object)>(box(1), $0)
                local $2 = unbox<int>($1.a)
                $1.b.<List.get(int)>(0).<String.length()>()
                L0: for $3 in $0
                  $3.<String.length()>()
                L1: for $4 in int[]{1}
                  ($2 +=<int> $4)
                L2: for $5 in new HashMap <HashMap()>().<Map.entrySet()>()
                  ($2 +=<int> unbox<int>($5.<Map.Entry.getValue()>()))
              void A()
        "#]],
    );
}

#[test]
fn bounds() {
    check(
        r"
interface Has { int id(); }
class A<T extends Has> {
    T t;
    int f() { return t.id(); }
    static <U extends Has & Runnable> int g(U u) { u.run(); return u.id(); }
    static <V> V pick(V a, V b) { return a; }
    static <V> V none() { return null; }
    int h() {
        String s = none();
        return pick(1, 2) + pick('a', 'b');
    }
}",
        &expect![[r#"
            static interface Has
              abstract int id()
            static class A < Object
              Has t
              int f()
                return this.t.<Has.id()>()
              static int g(Has)
                $0.<Runnable.run()>()
                return $0.<Has.id()>()
              static Object pick(Object, Object)
                return $0
              static Object none()
                return null
              int h()
                local $0 = !<A.none()>()
                return (unbox<int>(!<A.pick(Object, Object)>(box(1), box(2))) + convert<int>(unbox<char>(!<A.pick(Object, Object)>(box(97:char), box(98:char)))))
              void A()
        "#]],
    );
}
