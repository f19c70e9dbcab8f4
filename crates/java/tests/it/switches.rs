//! `switch` in all its forms.

use crate::check;
use expect_test::expect;

#[test]
fn groups_and_rules() {
    check(
        r#"
enum E { A, B }
class C {
    static final int K = 2;
    void f(int n, E e, String s, Integer boxed, char c) {
        switch (n) { case 1: int x = 1; break; case K: x = 2; default: n = 0; }
        switch (e) { case A -> n = 1; case B -> { n = 2; } }
        switch (s) { case "a", "b": n = 1; }
        switch (boxed) { case 1: }
        switch (c) { case 'x': }
    }
}"#,
        &expect![[r#"
            static enum E < Enum
              static final E A
              static final E B
              void E()
              static E[] values()
              static E valueOf(String)
              static:
                E.A := new E <E()>()
                E.B := new E <E()>()
            static class C < Object
              static final int K = 2
              void f(int, E, String, Integer, char)
                L0: switch
                  of $0
                  1:
                    local $5 = 1
                    break L0
                  2:
                    ($5 = 2)
                  default:
                    ($0 = 0)
                L1: switch
                  of $1
                  constant E.A ->
                    ($0 = 1)
                  constant E.B ->
                    block
                      ($0 = 2)
                L2: switch
                  of $2
                  "a", "b":
                    ($0 = 1)
                L3: switch
                  of unbox<int>($3)
                  1:
                L4: switch
                  of $4
                  120:char:
              void C()
        "#]],
    );
}

#[test]
fn values() {
    check(
        r"
class C {
    long f(int n, Object o) {
        int a = switch (n) { case 1 -> 2; case 2 -> { yield 3; } default -> throw new Error(); };
        long b = switch (n) { case 1: yield 1; default: yield a; };
        return switch (o) { case null -> 0; case String s when s.length() > 1 -> s.length(); case Integer i -> i; default -> b; };
    }
}",
        &expect![[r#"
            static class C < Object
              long f(int, Object)
                local $2 = switch<int> {
                    of $0
                    1 ->
                      yield 2
                    2 ->
                      block
                        yield 3
                    default ->
                      throw new Error <Error()>()
                }
                local $3 = switch<long> {
                    of $0
                    1:
                      yield 1:long
                    default:
                      yield convert<long>($2)
                }
                return switch<long> {
                    of $1
                    null ->
                      yield 0:long
                    String $4 when ($4.<String.length()>() > 1) ->
                      yield convert<long>($4.<String.length()>())
                    Integer $5 ->
                      yield convert<long>(unbox<int>($5))
                    default ->
                      yield $3
                }
              void C()
        "#]],
    );
}
