//! Assignments become equations over incarnations.

use crate::program::{Program, assert, block, check as one_check, exit, mark};
use expect_test::{Expect, expect};
use gcl::Stmt;
use gcl::passive::Graph;

fn graph(program: &mut Program, build: impl FnOnce(&mut Program) -> Vec<Stmt>) -> Graph {
    let stmts = build(program);
    let code = program.acyclic(stmts);
    gcl::passify(&mut program.terms, &code)
}

/// The graph of what `build` makes, without the first values, which are the same for all.
fn check(build: impl FnOnce(&mut Program) -> Vec<Stmt>, expected: Expect) {
    let mut program = Program::new();
    let graph = graph(&mut program, build);
    let text = gcl::dump_graph(&program.terms, &graph);
    let start = "n0: from []\n  x is x@4\n  y is y@5\n  z is z@6\n  b is b@7\n";
    let rest = text.strip_prefix(start).expect("the start of every graph");
    expected.assert_eq(&format!("n0:\n{rest}"));
}

#[test]
fn assignments() {
    check(
        |p| {
            let (x, y) = (p.value(p.x), p.value(p.y));
            let small = p.at_most(p.x, 3);
            // The values are those before both.
            let both = Stmt::Assign(vec![(p.x, p.plus(p.y, 1)), (p.y, p.plus(p.x, 1))]);
            let swap = Stmt::Assign(vec![(p.x, y), (p.y, x)]);
            vec![both, swap, assert(0, small)]
        },
        expect![[r#"
            n0:
              x is x@8
              y is y@9
              x is y@9
              y is x@8
              assume (and (<= 0 z@6) (<= z@6 3));
              assume (= x@8 (+ y@5 1));
              assume (= y@9 (+ x@4 1));
              assert #0 (<= y@9 3);
            n1: from [n0]
              assume (<= y@9 3);
        "#]],
    );
}

/// A copy is another name for the same value, also after the original changed.
#[test]
fn copies_need_no_incarnation() {
    check(
        |p| {
            let copy = Stmt::Assign(vec![(p.y, p.value(p.x))]);
            let small = p.at_most(p.y, 3);
            vec![copy, Stmt::Havoc(vec![p.x]), assert(0, small)]
        },
        expect![[r#"
            n0:
              y is x@4
              x is x@8
              assume (and (<= 0 z@6) (<= z@6 3));
              assert #0 (<= x@4 3);
            n1: from [n0]
              assume (<= x@4 3);
        "#]],
    );
}

/// Arbitrary values satisfy the facts, which may speak of other variables as they are then.
#[test]
fn facts_of_arbitrary_values() {
    check(
        |p| vec![Stmt::Havoc(vec![p.z, p.x])],
        expect![[r#"
            n0:
              z is z@8
              x is x@9
              assume (and (<= 0 z@6) (<= z@6 3));
              assume (and (<= 0 z@8) (<= z@8 3));
        "#]],
    );
}

/// Only `x` differs behind the branches; `y` is the same on both, `z` was not written.
#[test]
fn only_differing_variables_are_joined() {
    check(
        |p| {
            let reset = p.set(p.y, 0);
            let (one, two) = (p.set(p.x, 1), p.set(p.x, 2));
            let small = p.at_most(p.x, 3);
            let choice = Stmt::Choice(vec![vec![mark(1), one], vec![two, mark(2)], vec![]]);
            vec![reset, choice, assert(0, small)]
        },
        expect![[r#"
            n0:
              y is y@8
              assume (and (<= 0 z@6) (<= z@6 3));
              assume (= y@8 0);
            n1: from [n0]
              mark 1
              x is x@9
              x is x@11
              assume (= x@9 1);
              assume (= x@11 x@9);
            n2: from [n0]
              x is x@10
              mark 2
              x is x@11
              assume (= x@10 2);
              assume (= x@11 x@10);
            n3: from [n0]
              x is x@11
              assume (= x@11 x@4);
            n4: from [n1, n2, n3]
              assert #0 (<= x@11 3);
            n5: from [n4]
              assume (<= x@11 3);
        "#]],
    );
}

/// Exits join at the end of their own block; code behind them has no sites.
#[test]
fn exits_and_nested_blocks() {
    check(
        |p| {
            let small = p.at_most(p.x, 3);
            let inner = block(2, vec![Stmt::Choice(vec![vec![exit(1)], vec![exit(2)]])]);
            let step = p.step(p.x);
            vec![block(1, vec![inner, step, exit(1), assert(8, small)]), assert(0, small)]
        },
        expect![[r#"
            n0:
              assume (and (<= 0 z@6) (<= z@6 3));
            n1: from [n0]
              x is x@9
              assume (= x@9 x@4);
            n2: from [n0]
              x is x@8
              x is x@9
              assume (= x@8 (+ x@4 1));
              assume (= x@9 x@8);
            n3: from [n1, n2]
              assert #0 (<= x@9 3);
            n4: from [n3]
              assume (<= x@9 3);
        "#]],
    );
}

/// What follows an assumption that is false has no sites, and does not take part in joins.
#[test]
fn false_assumptions_end_runs() {
    check(
        |p| {
            let (no, small) = (p.terms.bool(false), p.at_most(p.x, 3));
            let step = p.step(p.x);
            let dead = vec![step, Stmt::Assume(no), assert(1, small)];
            vec![Stmt::Choice(vec![dead, vec![]]), assert(0, small)]
        },
        expect![[r#"
            n0:
              assume (and (<= 0 z@6) (<= z@6 3));
            n1: from [n0]
              x is x@8
              assume (= x@8 (+ x@4 1));
              assume false;
            n2: from [n0]
              assert #0 (<= x@4 3);
            n3: from [n2]
              assume (<= x@4 3);
        "#]],
    );
}

/// Only what is to be known afterwards is assumed afterwards.
#[test]
fn checks_that_are_not_known_afterwards() {
    check(
        |p| {
            let (small, zero) = (p.at_most(p.x, 3), p.is(p.x, 0));
            vec![
                Stmt::Assert(vec![
                    one_check(0, vec![small], true),
                    one_check(1, vec![zero], false),
                ]),
                Stmt::Cover(zero, verdict::ObligationId(2)),
            ]
        },
        expect![[r#"
            n0:
              assume (and (<= 0 z@6) (<= z@6 3));
              assert #0 (<= x@4 3);
              assert #1 (= x@4 0);
            n1: from [n0]
              assume (<= x@4 3);
              cover #2 (= x@4 0)
            n2: from [n1]
        "#]],
    );
}

/// How much there is in the graph of `count` conditional steps one after the other.
fn size(count: usize) -> [usize; 3] {
    let mut program = Program::new();
    let graph = graph(&mut program, |p| {
        let conditional = |p: &mut Program| {
            let known = p.value(p.b);
            let unknown = p.terms.not(known);
            let step = p.step(p.x);
            let then = vec![Stmt::Assume(known), step];
            Stmt::Choice(vec![then, vec![Stmt::Assume(unknown)]])
        };
        (0..count).map(|_| conditional(p)).collect()
    });
    let assumptions = graph.nodes.iter().map(|node| node.assumptions.len()).sum();
    let events = graph.nodes.iter().map(|node| node.events.len()).sum();
    [graph.nodes.len(), assumptions, events]
}

#[test]
fn size_is_linear_in_the_code() {
    let [small, middle, large] = [100, 200, 300].map(size);
    for part in 0..3 {
        assert_eq!(middle[part] - small[part], large[part] - middle[part]);
    }
    // Two branches and a join each, with two conditions, one equation for the step and two for the
    // join.
    assert_eq!([middle[0] - small[0], middle[1] - small[1]], [300, 500]);
}
