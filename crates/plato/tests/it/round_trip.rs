//! Printing and parsing again gives the same tree.

use crate::programs;
use crate::support::parsed;
use expect_test::{Expect, expect};
use plato::ast::File;

fn check(input: &str, expected: Expect) {
    let (file, diagnostics) = parsed(input);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    let printed = plato::print(&file);
    let (again, diagnostics) = parsed(&printed);
    assert!(diagnostics.is_empty(), "{printed}\n{diagnostics:#?}");
    assert_eq!(tree(&file), tree(&again), "{printed}");
    assert_eq!(plato::print(&again), printed);
    expected.assert_eq(&printed);
}

/// The tree without its places.
pub(crate) fn tree(file: &File) -> String {
    let text = format!("{file:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("span: Span {") {
        out.push_str(before);
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    out + rest
}

#[test]
fn tour() {
    check(
        programs::TOUR,
        expect![[r#"
        const N: int = 3;
        const K: int;
        const nil: Node;
        const debug: bool = N > 2 && !false;

        type Node;
        type Index = 0..N - 1;

        enum Mode { Idle, Busy }

        var x, y: int = 1;
        var mode: Mode = Idle;
        var r: set<Tid> = {};
        var owner: [Node]Tid = [_ => 0];
        var grid: [Index][bool]0..7;
        mutex m, n;

        init x >= 0;

        invariant safe: m == 0 ==> x >= 0;

        rely m == tid ==> m' == m && x' == x;
        rely kept: stays(tid) && (locked(tid) ==> locked'(tid));

        never exists i, j: Tid, k: Index :: i != j && at(i, L2) && at(j, T1.L2) && k > 0;
        never deadlock;
        never race;
        never race on x, Store.hidden;

        pred locked(i: Tid) = m == i;
        pred stays(i: Tid) = m == i ==> m' == i;
        pred calm = x == 0;

        module Store {
            var hidden: int = 0;

            const limit: int = 2 * N;

            invariant hidden <= limit;

            proc put(v: int)
                requires v > 0
                modifies hidden
                ensures hidden' == v
            {
                hidden := v;
            }

            proc get() returns (v: int, ok: bool) {
                v, ok := hidden, true;
                return;
            }

            proc twice(v: int) returns (result: int) {
                return v * 2;
            }
        }

        thread T1 {
            acquire m;
            L1: x := x * x;
            L2: assert x > 1;
            release m;
        }

        thread Worker[N]
            rely y' == y
            rely x' >= x
        {
            skip;
        }

        thread Many[K] {
            skip;
        }

        thread Client[*] {
            var b: bool;
            var t: Tid := tid;
            var u, v: int;
            var w := x + 1;
            b := cas(m, 0, tid);
            cas(m, 0, t);
            cas(m, 0, tid);
            cas(owner[nil], 0, T1);
            x, y := y, x;
            grid[0][true] := 3;
            grid := grid[1 := [_ => 2][false := 1]];
            havoc x, grid[0][b];
            assume x == -1 || x != y % 2 / 3;
            atomic {
                x := x + 1;
                if (x > 3) {
                    x := 0;
                }
            }
            atomic modifies x, u requires x > 0 action x' == x + 1 && u' == x ensures x' > x;
            if (*) {
                skip;
            } else if (b) {
                skip;
            } else {
                mode := Mode.Busy;
            }
            while (x > 0)
                invariant x >= 0
                invariant true
            {
                if (b) {
                    break;
                }
                continue;
            }
            loop {
                x := x - 1;
            }
            choose {
                Store.put(1);
            } or {
                Store.put(2);
            } or {
                u, b := Store.get();
            }
            u := call Store.twice(u);
            var z := Store.twice(3);
            {
                var inner: int := b ? 1 : 2;
            }
            assert forall i: Tid :: i in r ==> i !in r - {tid, 0} || i in Client;
            r := r + {tid} * {T1};
            return;
        }

        proc acquire()
            modifies ;
            action modifies m ensures m == 0 && m' == tid
        {
            var t: Tid := tid;
            while (t == tid) {
                cas(m, 0, t);
            }
        }
    "#]],
    );
}

#[test]
fn papers() {
    check(
        programs::SIMPLE_LOCK,
        expect![[r#"
        var x: int;
        mutex mx;

        rely mx == tid ==> mx' == tid && x' == x;

        thread Thread1 {
            acquire mx;
            x := x * x;
            x := x + 2;
            assert x > 1;
            release mx;
        }

        thread Thread2 {
            acquire mx;
            x := 0;
            release mx;
        }
    "#]],
    );
    for program in programs::ALL {
        let (file, _) = parsed(program);
        let (again, _) = parsed(&plato::print(&file));
        assert_eq!(tree(&file), tree(&again));
    }
}

#[test]
fn parentheses_only_where_needed() {
    check(
        "
        init ((a + b)) * c == a + (b * c);
        init a - (b - c) == (a - b) - c;
        init (a && b) && c || (a || b);
        init (a ==> b) ==> (c ==> d);
        init (a <==> b) <==> (c <==> d);
        init !(a && !b) && !(!c);
        init -(-x) - -y < -(x + y);
        init (a == b) == c;
        init (a ? b : c) ? (d ? e : f) : (g ? h : i);
        init (a ? b : c) && (forall i: int :: p) && forall i: Tid, j: Tid, k: int :: (exists x: int :: q) ==> q;
        init (f[1 := 2])[3] == (a + b)[c];
        init a in (b + c) && (a !in b) && {a, b, c} == {} && m == [_ => (a)];
        init p'(x', M.y') && at(i, T.L);
        never (deadlock);
        never (race);
        never named: deadlock;
        ",
        expect![[r#"
            init (a + b) * c == a + b * c;
            init a - (b - c) == a - b - c;
            init (a && b) && c || (a || b);
            init (a ==> b) ==> c ==> d;
            init (a <==> b) <==> c <==> d;
            init !(a && !b) && !!c;
            init -(-x) - -y < -(x + y);
            init (a == b) == c;
            init (a ? b : c) ? d ? e : f : g ? h : i;
            init (a ? b : c) && (forall i: int :: p) && (forall i, j: Tid, k: int :: (exists x: int :: q) ==> q);
            init f[1 := 2][3] == (a + b)[c];
            init a in b + c && a !in b && {a, b, c} == {} && m == [_ => a];
            init p'(x', M.y') && at(i, T.L);

            never (deadlock);
            never (race);
            never named: deadlock;
        "#]],
    );
}

#[test]
fn specifications() {
    check(
        "proc p(a, b: int, c: Tid): int requires a > 0; modifies; action modifies x ensures x' == x action ensures true;
         modifies x, M.y ensures result == a { return a; }
         proc q() returns (r: int, s: bool) { }
         thread T rely a == a', rely named: b == b' { if (*) {} else {} L: { skip; } }",
        expect![[r#"
            proc p(a, b: int, c: Tid) returns (result: int)
                requires a > 0
                modifies ;
                action modifies x ensures x' == x
                action ensures true
                modifies x, M.y
                ensures result == a
            {
                return a;
            }

            proc q() returns (r: int, s: bool) {}

            thread T
                rely a == a'
                rely named: b == b'
            {
                if (*) {
                } else {
                }
                L: {
                    skip;
                }
            }
        "#]],
    );
}

#[test]
fn threads_that_wait() {
    check(
        "func f(x: int): bool = x > 0; func one: int = 1; const a, b: int = 2; condition c, d;
         thread W[2](n, k: int) returns (r: int) requires n > 0 requires k > 0; ensures r > n rely true
         { wait c with m[k]; signal d; broadcast c; return n; }
         thread V() { skip; } thread M { var t := fork W(1, 2); t := fork W(3, one); fork V();
         var x: int := join W t; x := join W (t); join V; }",
        expect![[r#"
            func f(x: int): bool = x > 0;
            func one: int = 1;

            const a: int = 2;
            const b: int = 2;

            condition c, d;

            thread W[2](n, k: int) returns (r: int)
                requires n > 0
                requires k > 0
                ensures r > n
                rely true
            {
                wait c with m[k];
                signal d;
                broadcast c;
                return n;
            }

            thread V() {
                skip;
            }

            thread M {
                var t := fork W(1, 2);
                t := fork W(3, one);
                fork V();
                var x: int := join W t;
                x := join W t;
                join V;
            }
        "#]],
    );
}
