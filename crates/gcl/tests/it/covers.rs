//! Which code no run reaches.

use crate::program::{Program, mark};
use crate::solver::{prepare, session};
use gcl::{LoopMode, Stmt};
use logic::Term;
use verdict::ObligationId;

/// Compares the obligations of covers that no run satisfies.
fn check(build: impl FnOnce(&mut Program) -> Vec<Stmt>, excluded: &[u32]) {
    let mut program = Program::new();
    let stmts = build(&mut program);
    let prepared = prepare(program, stmts, LoopMode::Cut);
    assert_eq!(prepared.excluded(&mut session()), excluded);
}

fn cover(number: u32, term: Term) -> Stmt {
    Stmt::Cover(term, ObligationId(number))
}

#[test]
fn reachable_and_unreachable() {
    check(
        |p| {
            let (yes, zero, one) = (p.terms.bool(true), p.is(p.x, 0), p.is(p.x, 1));
            let reset = p.set(p.x, 0);
            let never = vec![Stmt::Assume(one), cover(1, yes), mark(1), cover(2, zero)];
            vec![
                cover(0, one),
                reset,
                Stmt::Choice(vec![never, vec![cover(3, yes)]]),
                cover(4, zero),
                cover(5, one),
            ]
        },
        &[1, 2, 5],
    );
}

/// What comes later does not make earlier code unreachable.
#[test]
fn later_assumptions_do_not_matter() {
    check(
        |p| {
            let (yes, no) = (p.terms.bool(true), p.terms.bool(false));
            let never = p.terms.and(vec![yes, no]);
            vec![cover(0, yes), Stmt::Assume(never)]
        },
        &[],
    );
}

/// Code that was copied is reached if one copy is.
#[test]
fn one_copy_is_enough() {
    check(
        |p| {
            let (yes, one) = (p.terms.bool(true), p.is(p.x, 1));
            let reset = p.set(p.x, 0);
            let never = vec![Stmt::Assume(one), cover(0, yes), cover(1, yes)];
            vec![cover(0, yes), reset, Stmt::Choice(vec![never, vec![]])]
        },
        &[1],
    );
}

/// In a large graph only what the code shortly before excludes is found, and nothing else is
/// reported.
#[test]
fn large_graphs() {
    check(
        |p| {
            let (yes, zero, one) = (p.terms.bool(true), p.is(p.x, 0), p.is(p.x, 1));
            let mut stmts = vec![p.set(p.x, 0)];
            for _ in 0..200 {
                let step = p.step(p.y);
                stmts.push(Stmt::Choice(vec![vec![step], vec![]]));
            }
            let far = vec![Stmt::Assume(one), cover(0, yes)];
            let near = vec![Stmt::Assume(one), Stmt::Assume(zero), cover(1, yes)];
            stmts.extend([Stmt::Choice(vec![far, near, vec![]]), cover(2, zero)]);
            stmts
        },
        &[1],
    );
}
