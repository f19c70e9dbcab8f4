//! What can be written, and faults in how it is written.

use crate::{check, faults};
use expect_test::expect;

/// Every construct up to Java 21 is read without a fault.
#[test]
fn everything() {
    faults(include_str!("everything.java"), &expect![""]);
}

#[test]
fn statements() {
    check(
        r"
class A {
    int f(int n) {
        int a = 1, b[] = {2}, c;
        for (int i = 0, j = n; i < j; i++, j--) { if (i == 3) continue; else break; }
        outer: do { while (true) { break outer; } } while (n > 0);
        for (int x : b) a += x;
        { ; }
        synchronized (this) { c = a; }
        assert n > 0 : n;
        try { throw new Error(); } catch (RuntimeException | Error e) { c = 1; } finally { c = 2; }
        return c;
    }
}",
        &expect![[r#"
            static class A < Object
              int f(int)
                local $1 = 1
                local $2 = int[]{2}
                local $3
                block
                  local $4 = 0
                  local $5 = $0
                  L0: while ($4 < $5)
                    if ($4 == 3)
                      continue L0
                    else
                      break L0
                    update (old $4 += 1), (old $5 += -1)
                L1: do-while ($0 > 0)
                  L2: while true
                    break L1
                L3: for $6 in $2
                  ($1 +=<int> $6)
                block
                synchronized this
                  ($3 = $1)
                assert ($0 > 0)
                try
                  throw new Error <Error()>()
                catch RuntimeException | Error $7
                  ($3 = 1)
                finally
                  ($3 = 2)
                return $3
              void A()
        "#]],
    );
}

#[test]
fn faults_are_told_where_they_are() {
    faults(
        "class A { int f( { } }",
        &expect![[r#"
        1:17 syntax-error: expected `)` []
    "#]],
    );
    faults(
        "class A { void f() { int x = ; } }",
        &expect![[r#"
        1:28 syntax-error: unexpected `=` [=]
    "#]],
    );
    faults(
        "class A {\n  void f() {\n    x = 1\n  }\n}",
        &expect![[r#"
        3:5 syntax-error: unexpected `x` [x = 1]
    "#]],
    );
    faults(
        "class A { long x = 99999999999999999999L; }",
        &expect![[r#"
        1:20 syntax-error: a number that is too large [99999999999999999999L]
    "#]],
    );
    faults(
        "class A { int x = 09; }",
        &expect![[r#"
        1:20 syntax-error: unexpected `9` [9]
    "#]],
    );
    faults(
        "clas A { }",
        &expect![[r#"
        1:7 syntax-error: expected `;` []
    "#]],
    );
}

#[test]
fn nesting_has_a_limit() {
    let deep = format!("class A {{ int x = {}1{}; }}", "(".repeat(500), ")".repeat(500));
    faults(
        &deep,
        &expect![[r#"
        1:318 nesting-too-deep: nested too deeply [(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))]
    "#]],
    );
    let long = format!("class A {{ int x = 1{}; }}", " + 1".repeat(5000));
    faults(&long, &expect![[""]]);
}

#[test]
fn literals() {
    check(
        r#"
class A {
    long a = 0xFFL, b = 1_000L, c = -9223372036854775808L;
    int d = 0xFFFFFFFF, e = 0b101, f = 017, g = '\n', h = 'ä', i = '\u0041', k = '\101';
    double x = 1.5, y = 1e3;
    float z = 1f;
    String s = "a\"b", t = """
        block""";
}"#,
        &expect![[r#"
            static class A < Object
              long a
              long b
              long c
              int d
              int e
              int f
              int g
              int h
              int i
              int k
              double x
              double y
              float z
              String s
              String t
              void A()
                this.!<A.<fields>()>()
              private void <fields>()
                this.a := 255:long
                this.b := 1000:long
                this.c := -9223372036854775808:long
                this.d := -1
                this.e := 5
                this.f := 15
                this.g := 10
                this.h := 228
                this.i := 65
                this.k := 65
                this.x := ?:double
                this.y := ?:double
                this.z := ?:float
                this.s := "a\"b"
                this.t := """
                    block"""
        "#]],
    );
}
