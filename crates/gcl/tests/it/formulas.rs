//! Formulas and groups.

use crate::program::{Program, assert, block, exit};
use expect_test::{Expect, expect};
use gcl::Stmt;

/// The formulas of the code that `build` makes.
fn check(build: impl FnOnce(&mut Program) -> Vec<Stmt>, expected: Expect) {
    let mut program = Program::new();
    let stmts = build(&mut program);
    let code = program.acyclic(stmts);
    let graph = gcl::passify(&mut program.terms, &code);
    let conditions = gcl::conditions(&mut program.terms, &graph);
    let print = |term| logic::print(&program.terms, term);
    let mut lines: Vec<String> = conditions.nodes.iter().map(|&node| print(node)).collect();
    lines.extend(conditions.sites.iter().map(|site| match site {
        Some((_, meaning)) => print(*meaning),
        None => "holds".to_owned(),
    }));
    lines.extend(conditions.covers.iter().map(|&(_, meaning)| print(meaning)));
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn reaching_and_failing() {
    check(
        |p| {
            let (known, small) = (p.value(p.b), p.at_most(p.x, 3));
            let (step, yes) = (p.step(p.x), p.terms.bool(true));
            let then = vec![Stmt::Assume(known), step];
            let cover = Stmt::Cover(known, verdict::ObligationId(2));
            vec![Stmt::Choice(vec![then, vec![]]), assert(0, small), assert(1, yes), cover]
        },
        expect![[r#"
            (=> reach@@0 (and (<= 0 z@6) (<= z@6 3)))
            (=> reach@@1 (and reach@@0 b@7 (= x@8 (+ x@4 1)) (= x@9 x@8)))
            (=> reach@@2 (and reach@@0 (= x@9 x@4)))
            (=> reach@@3 (or reach@@1 reach@@2))
            (=> reach@@4 (and reach@@3 (<= x@9 3)))
            (=> reach@@5 reach@@4)
            (=> reach@@6 reach@@5)
            (=> fail@@0 (and reach@@3 (not (<= x@9 3))))
            holds
            (=> cover@@0 (and reach@@5 b@7))
        "#]],
    );
}

/// A node is not reached if one of its assumptions is false.
#[test]
fn dead_ends() {
    check(
        |p| {
            let (no, small) = (p.terms.bool(false), p.at_most(p.x, 3));
            let dead = vec![Stmt::Assume(no)];
            vec![block(1, vec![Stmt::Choice(vec![dead, vec![exit(1)]])]), assert(0, small)]
        },
        expect![[r#"
            (=> reach@@0 (and (<= 0 z@6) (<= z@6 3)))
            (not reach@@1)
            (=> reach@@2 reach@@0)
            (=> reach@@3 (and reach@@2 (<= x@4 3)))
            (=> fail@@0 (and reach@@2 (not (<= x@4 3))))
        "#]],
    );
}

#[test]
fn groups_cover_each_site_once() {
    let mut program = Program::new();
    let small = program.at_most(program.x, 3);
    let stmts = (0..7).map(|number| assert(number, small)).collect();
    let code = program.acyclic(stmts);
    let graph = gcl::passify(&mut program.terms, &code);
    let sizes =
        |size| gcl::groups(&graph, size).into_iter().map(|group| group.sites).collect::<Vec<_>>();
    assert_eq!(sizes(3), [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
    assert_eq!(sizes(100), [vec![0, 1, 2, 3, 4, 5, 6]]);
    // A size of nothing would never end.
    assert_eq!(sizes(0).len(), 7);
}
