//! Groups decided by the solver.

use crate::program::{Program, assert, block, check as one_check, exit, mark, repeat};
use crate::solver::{prepare, session};
use expect_test::{Expect, expect};
use gcl::{LoopMode, Stmt};

fn check(build: impl FnOnce(&mut Program) -> Vec<Stmt>, expected: Expect) {
    check_mode(LoopMode::Cut, build, expected);
}

fn check_mode(mode: LoopMode, build: impl FnOnce(&mut Program) -> Vec<Stmt>, expected: Expect) {
    let mut program = Program::new();
    let stmts = build(&mut program);
    let prepared = prepare(program, stmts, mode);
    let outcomes = prepared.solve(&mut session());
    expected.assert_eq(&prepared.describe(&outcomes));
}

/// Everything starts with known values, so that failures have one run only.
fn start(p: &mut Program) -> Stmt {
    let no = p.terms.bool(false);
    let zero = p.terms.int(0);
    Stmt::Assign(vec![(p.x, zero), (p.y, zero), (p.z, zero), (p.b, no)])
}

#[test]
fn proved() {
    check(
        |p| {
            let (small, yes) = (p.at_most(p.x, 1), p.terms.bool(true));
            let (start, step) = (start(p), p.step(p.x));
            vec![start, Stmt::Choice(vec![vec![step], vec![]]), assert(0, small), assert(1, yes)]
        },
        expect![[r#"
            #0 proved by Z3
            #1 proved by simplifier
        "#]],
    );
}

/// The run goes through the branch that makes the check fail, and says what it did on the way, in
/// order.
#[test]
fn a_failure_has_a_run() {
    check(
        |p| {
            let small = p.at_most(p.x, 1);
            let (start, one, two) = (start(p), p.step(p.x), p.set(p.x, 2));
            let harmless = vec![mark(1), one];
            let harmful = vec![mark(2), two, mark(3)];
            vec![
                start,
                Stmt::Choice(vec![harmless, harmful, vec![mark(4)]]),
                mark(5),
                assert(0, small),
            ]
        },
        expect![[r#"
            #0 fails in [0]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false, mark 2, x = 2, mark 3, x = 2, mark 5
        "#]],
    );
}

/// Each failing check is found, with the parts that fail; the others are proved all the same.
#[test]
fn several_failures() {
    check(
        |p| {
            let (zero, one, small) = (p.is(p.x, 0), p.is(p.x, 1), p.at_most(p.x, 3));
            let start = start(p);
            let not_known = |number, parts| Stmt::Assert(vec![one_check(number, parts, false)]);
            vec![
                start,
                not_known(0, vec![one]),
                not_known(1, vec![zero]),
                not_known(2, vec![small, one, zero]),
                Stmt::Assert(vec![one_check(3, vec![small], true), one_check(4, vec![one], true)]),
            ]
        },
        expect![[r#"
            #0 fails in [0]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false
            #1 proved by Z3
            #2 fails in [1]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false
            #3 proved by Z3
            #4 fails in [0]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false
        "#]],
    );
}

/// A check that failed is assumed afterwards, so that only the first complaint is made.
#[test]
fn known_afterwards() {
    check(
        |p| {
            let one = p.is(p.x, 1);
            let start = start(p);
            vec![start, assert(0, one), assert(1, one)]
        },
        expect![[r#"
            #0 fails in [0]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false
            #1 proved by Z3
        "#]],
    );
}

/// What no run reaches holds, if the solver has to find out; if it is plain to see there is no site
/// at all.
#[test]
fn behind_false_assumptions() {
    check(
        |p| {
            let (zero, one, no) = (p.is(p.x, 0), p.is(p.x, 1), p.terms.bool(false));
            let start = start(p);
            let hidden = vec![Stmt::Assume(one), assert(0, no)];
            let plain = vec![Stmt::Assume(no), assert(1, no)];
            vec![start, Stmt::Choice(vec![hidden, plain, vec![]]), assert(2, zero)]
        },
        expect![[r#"
            #0 proved by Z3
            #2 proved by Z3
        "#]],
    );
}

/// Counts `x` up to at most 3, leaving at any time.
fn counting(p: &mut Program, bound: i128) -> Vec<Stmt> {
    let (invariant, more) = (p.at_most(p.x, bound), p.at_most(p.x, 2));
    let (start, step) = (start(p), p.step(p.x));
    let leave = Stmt::Choice(vec![vec![exit(1)], vec![Stmt::Assume(more), step]]);
    vec![start, block(1, vec![repeat(0, Some(invariant), vec![leave])]), assert(9, invariant)]
}

#[test]
fn loops_by_invariants() {
    check(
        |p| counting(p, 3),
        expect![[r#"
        #0 proved by Z3
        #1 proved by Z3
        #9 proved by Z3
    "#]],
    );
    // `x <= 1` holds at the start, but not after two iterations.
    check(
        |p| counting(p, 1),
        expect![[r#"
        #0 proved by Z3
        #1 fails in [0]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false, x = 1, mark 0, x = 2
        #9 proved by Z3
    "#]],
    );
}

/// Nothing is proved of runs that were cut off, not even what is plainly true; what fails within
/// the bound fails.
#[test]
fn unrolled_loops_prove_nothing() {
    check_mode(
        LoopMode::Unroll(2),
        |p| {
            let yes = p.terms.bool(true);
            let mut stmts = counting(p, 3);
            stmts.push(assert(10, yes));
            stmts
        },
        expect![[r#"
            #0 unknown: no error within 2 unrollings of each loop; longer runs were not checked
            #1 unknown: no error within 2 unrollings of each loop; longer runs were not checked
            #1 unknown: no error within 2 unrollings of each loop; longer runs were not checked
            #1 unknown: no error within 2 unrollings of each loop; longer runs were not checked
            #9 unknown: no error within 2 unrollings of each loop; longer runs were not checked
            #10 unknown: no error within 2 unrollings of each loop; longer runs were not checked
        "#]],
    );
    check_mode(
        LoopMode::Unroll(1),
        |p| counting(p, 0),
        expect![[r#"
        #0 unknown: no error within 1 unrollings of each loop; longer runs were not checked
        #1 fails in [0]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false, x = 1
        #1 unknown: no error within 1 unrollings of each loop; longer runs were not checked
        #9 unknown: no error within 1 unrollings of each loop; longer runs were not checked
    "#]],
    );
}

/// Many nodes between a fact and its use, and no other way to know it: the window must grow.
fn far(p: &mut Program, bound: i128) -> Vec<Stmt> {
    let mut stmts = vec![start(p), Stmt::Havoc(vec![p.x])];
    stmts.push(Stmt::Assume(p.is(p.x, 2)));
    let flag = p.value(p.b);
    for number in 0..1_000 {
        // Has a node of its own and no effect.
        stmts.push(Stmt::Cover(flag, verdict::ObligationId(100)));
        if number % 100 == 0 {
            let step = p.step(p.y);
            stmts.extend([mark(number), Stmt::Choice(vec![vec![step], vec![]])]);
        }
    }
    stmts.push(assert(0, p.at_most(p.x, bound)));
    stmts
}

#[test]
fn proofs_that_look_far_back() {
    check(
        |p| far(p, 2),
        expect![[r#"
        #0 proved by Z3
    "#]],
    );
}

/// The run of a failure starts at the start, however small the first window is.
#[test]
fn failures_far_from_the_start() {
    let mut program = Program::new();
    let stmts = far(&mut program, 1);
    let prepared = prepare(program, stmts, LoopMode::Cut);
    assert!(prepared.graph.nodes.len() > 1_000);
    let text = prepared.describe(&prepared.solve(&mut session()));
    assert!(text.starts_with("#0 fails in [0]: "), "{text}");
    let marks: Vec<&str> =
        text.trim().split(", ").filter(|event| event.starts_with("mark")).collect();
    let expected: Vec<String> = (0..10).map(|hundred| format!("mark {}", hundred * 100)).collect();
    assert_eq!(marks, expected);
}

/// Nearby and far-away checks of one group: each is decided with the window that it needs.
#[test]
fn different_windows_in_one_group() {
    check(
        |p| {
            let (two, one, close) = (p.is(p.x, 2), p.at_most(p.x, 1), p.is(p.z, 1));
            let set = p.set(p.z, 1);
            let mut stmts = far(p, 3);
            let separate = |number, term| Stmt::Assert(vec![one_check(number, vec![term], false)]);
            stmts.extend([set, separate(1, two), separate(2, close)]);
            let more = p.terms.not(one);
            stmts.push(separate(3, more));
            stmts
        },
        expect![[r#"
            #0 proved by Z3
            #1 proved by Z3
            #2 proved by Z3
            #3 proved by Z3
        "#]],
    );
}

/// `z` is from 0 to 3, and may be any of these.
#[test]
fn arbitrary_values_satisfy_facts() {
    check(
        |p| {
            let (inside, smaller) = (p.at_most(p.z, 3), p.at_most(p.z, 2));
            let start = start(p);
            vec![start, Stmt::Havoc(vec![p.z]), assert(0, inside), assert(1, smaller)]
        },
        expect![[r#"
            #0 proved by Z3
            #1 fails in [0]: x = 0, y = 0, z = 0, b = false, x = 0, y = 0, z = 0, b = false, z = 3
        "#]],
    );
}

/// With maps written out failures are found, and nothing else: a key outside of the window may have
/// a value that no cell has.
#[test]
fn maps_written_out() {
    use logic::{Quantifier, Sort};
    let mut program = Program::new();
    let (x, y) = (program.x, program.y);
    let terms = &mut program.terms;
    let map = terms.symbol("map", Sort::array(Sort::Int, Sort::Int));
    let map = terms.constant(map);
    let binder = terms.binder("i", Sort::Int);
    let (index, zero) = (terms.bound(binder), terms.int(0));
    let entry = terms.select(map, index);
    let positive = terms.lt(zero, entry);
    let all = terms.quantified(Quantifier::Forall, vec![binder], vec![vec![entry]], positive);
    let [x, y] = [x, y].map(|symbol| terms.constant(symbol));
    let (at_x, at_y) = (terms.select(map, x), terms.select(map, y));
    let (holds, same) = (terms.lt(zero, at_x), terms.eq(at_x, at_y));
    // Three numbers outside of the window have one value here, and others elsewhere.
    let far: Vec<_> = [7, 8].map(|key| terms.int(key)).to_vec();
    let far: Vec<_> = far.into_iter().map(|key| terms.select(map, key)).collect();
    let outside = terms.eq(far[0], far[1]);
    let stmts = vec![Stmt::Assume(all), assert(0, holds), assert(1, same), assert(2, outside)];
    let mut prepared = prepare(program, stmts, LoopMode::Cut);
    assert_eq!(prepared.refute(&mut session(), 2), Some(vec![1]));
}
