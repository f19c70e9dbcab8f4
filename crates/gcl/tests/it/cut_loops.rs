//! Loops become straight code.

use crate::program::{Program, assert, block, exit, repeat};
use expect_test::{Expect, expect};
use gcl::{Body, LoopMode, Stmt};

/// The code without loops that comes of what `build` makes.
fn check(mode: LoopMode, build: impl FnOnce(&mut Program) -> Vec<Stmt>, expected: Expect) {
    let mut program = Program::new();
    let stmts = build(&mut program);
    let body = program.body(stmts);
    let code = gcl::cut_loops(&mut program.terms, &body, mode);
    // Printed as code that may have loops, which it has not.
    let straight =
        Body { stmts: code.stmts.into_iter().map(loopless).collect(), ..Body::default() };
    let text = gcl::dump_body(&program.terms, &straight);
    expected.assert_eq(&format!("{text}bounded: {:?}\n", code.bounded));
}

fn loopless(stmt: Stmt<std::convert::Infallible>) -> Stmt {
    let all = |stmts: Vec<Stmt<_>>| stmts.into_iter().map(loopless).collect();
    match stmt {
        Stmt::Assign(pairs) => Stmt::Assign(pairs),
        Stmt::Havoc(symbols) => Stmt::Havoc(symbols),
        Stmt::Assume(term) => Stmt::Assume(term),
        Stmt::Assert(checks) => Stmt::Assert(checks),
        Stmt::Cover(term, id) => Stmt::Cover(term, id),
        Stmt::Choice(branches) => Stmt::Choice(branches.into_iter().map(all).collect()),
        Stmt::Block(label, inner) => Stmt::Block(label, all(inner)),
        Stmt::Exit(label) => Stmt::Exit(label),
        Stmt::Mark(mark) => Stmt::Mark(mark),
        Stmt::Loop(never) => match never {},
    }
}

/// `x` is written directly, `y` in an inner loop, `z` in a block in a branch, and `b` not at all.
fn nested(p: &mut Program) -> Vec<Stmt> {
    let (small, known) = (p.at_most(p.x, 3), p.value(p.b));
    let inner = repeat(10, None, vec![p.step(p.y), Stmt::Choice(vec![vec![exit(2)], vec![]])]);
    let branch = Stmt::Choice(vec![vec![block(3, vec![Stmt::Havoc(vec![p.z])])], vec![exit(1)]]);
    let body = vec![Stmt::Assume(known), block(2, vec![inner]), branch, p.step(p.x)];
    vec![block(1, vec![repeat(0, Some(small), body)]), assert(9, small)]
}

#[test]
fn everything_written_is_forgotten() {
    check(
        LoopMode::Cut,
        nested,
        expect![[r#"
        block L1 {
          assert #0 (<= x 3);
          havoc x, y, z;
          assume (<= x 3);
          mark 0;
          assume b;
          block L2 {
            havoc y;
            mark 10;
            y := (+ y 1);
            choose {
              exit L2;
            }
            or {
            }
            assume false;
          }
          choose {
            block L3 {
              havoc z;
            }
          }
          or {
            exit L1;
          }
          x := (+ x 1);
          assert #1 (<= x 3);
          assume false;
        }
        assert #9 (<= x 3);
        bounded: None
    "#]],
    );
}

/// Invariants are checked wherever an iteration starts, the last time after it.
#[test]
fn unrolled() {
    let counting = |p: &mut Program| {
        let small = p.at_most(p.x, 3);
        let body = vec![Stmt::Choice(vec![vec![exit(1)], vec![p.step(p.x)]])];
        vec![block(1, vec![repeat(0, Some(small), body)])]
    };
    check(
        LoopMode::Unroll(0),
        counting,
        expect![[r#"
        block L1 {
          assert #0 (<= x 3);
          choose {
            exit L1;
          }
          or {
            x := (+ x 1);
          }
          assert #1 (<= x 3);
          assume false;
        }
        bounded: Some(0)
    "#]],
    );
    check(
        LoopMode::Unroll(1),
        counting,
        expect![[r#"
        block L1 {
          assert #0 (<= x 3);
          choose {
            exit L1;
          }
          or {
            x := (+ x 1);
          }
          assert #1 (<= x 3);
          choose {
            exit L1;
          }
          or {
            x := (+ x 1);
          }
          assert #1 (<= x 3);
          assume false;
        }
        bounded: Some(1)
    "#]],
    );
}

/// Without a loop nothing is cut off, whatever the mode.
#[test]
fn nothing_to_unroll() {
    check(
        LoopMode::Unroll(5),
        |p| vec![p.step(p.x)],
        expect![[r#"
        x := (+ x 1);
        bounded: None
    "#]],
    );
}

/// An inner loop is unrolled in each copy of the outer one: (count + 1) squared.
#[test]
fn nested_unrolling() {
    let mut program = Program::new();
    let inner = repeat(10, None, vec![program.step(program.x)]);
    let stmts = vec![repeat(0, None, vec![inner])];
    let body = program.body(stmts);
    let code = gcl::cut_loops(&mut program.terms, &body, LoopMode::Unroll(2));
    let steps = code.stmts.iter().filter(|stmt| matches!(stmt, Stmt::Assign(_))).count();
    assert_eq!((steps, code.bounded), (9, Some(2)));
}
