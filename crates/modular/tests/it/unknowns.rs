//! Relies and invariants that are looked for.

use crate::solver::not_proved;
use crate::support::{OTHER, assert_commands, commands, first_thread, program, thread};
use gcl::LoopMode;
use logic::{Quantifier, Term, Terms};
use modular::{
    Conjunct, Formula, Options, Owner, Task, Unknown, Unknowns, conjuncts, facts, thread_task,
    unknowns_task,
};
use plato::hir::{Program, ThreadId};

/// Both threads count up; that `x` is positive after a step of `T` needs a rely and an invariant.
const COUNTING: &str = "var x: int = 0;
    thread T { x := x + 1; assert x >= 1; }
    thread U { x := x + 1; }";

/// One unknown rely and one unknown invariant.
fn one_of_each(program: &Program) -> (Options, Unknown, Unknown) {
    let mut unknowns = Unknowns::default();
    let here = program.threads[0].span;
    let (rely, invariant) = (unknowns.add_rely(here), unknowns.add_invariant(here));
    (Options { unknowns, ..Options::default() }, rely, invariant)
}

/// The unknown rely is assumed of the steps of others and checked of the thread's own, for another
/// thread; the unknown invariant is assumed at the start and after steps of others, and checked
/// after the step that writes.
#[test]
fn unknown_formulas_stand_where_written_ones_would() {
    let program = program(COUNTING);
    let (options, ..) = one_of_each(&program);
    let kept =
        format!("assert rely-violated (=> {OTHER} (|unknown rely 0@| |other thread@| x@old x@));");
    assert_commands(
        &first_thread(&program, &options),
        &[
            "assume (= x@ 0);",
            "assume (|unknown invariant 0@| x@);",
            "block L1 {",
            "x@env := x@;",
            "havoc x@;",
            "assume (|unknown rely 0@| 1 x@env x@);",
            "assume (|unknown invariant 0@| x@);",
            "x@old := x@;",
            "x@ := (+ x@ 1);",
            &kept,
            "assert invariant-broken (|unknown invariant 0@| x@);",
            "x@env := x@;",
            "havoc x@;",
            "assume (|unknown rely 0@| 1 x@env x@);",
            "assume (|unknown invariant 0@| x@);",
            "assert assertion-failed (<= 1 x@);",
            "}",
        ],
    );
}

/// The written ones stay where they are, and the unknown ones come after them. An unknown formula
/// may be about any variable: a step that writes `x` alone is checked against it, and not against
/// the written rely about `y`; but both variables may have changed before.
#[test]
fn unknown_formulas_stand_beside_written_ones() {
    let program = program(
        "var x: int = 0; var y: int = 0; invariant x >= 0; rely y' >= y;
         thread T { x := 1; } thread U { }",
    );
    let (options, ..) = one_of_each(&program);
    let kept = format!(
        "assert rely-violated \
         (=> {OTHER} (|unknown rely 0@| |other thread@| x@old y@ x@ y@));"
    );
    assert_commands(
        &first_thread(&program, &options),
        &[
            "assume (= x@ 0);",
            "assume (= y@ 0);",
            "assume (<= 0 x@);",
            "assume (|unknown invariant 0@| x@ y@);",
            "block L1 {",
            "x@env, y@env := x@, y@;",
            "havoc x@, y@;",
            "assume (<= y@env y@);",
            "assume (|unknown rely 0@| 1 x@env y@env x@ y@);",
            "assume (<= 0 x@);",
            "assume (|unknown invariant 0@| x@ y@);",
            "x@old := x@;",
            "x@ := 1;",
            &kept,
            "assert invariant-broken (<= 0 x@);",
            "assert invariant-broken (|unknown invariant 0@| x@ y@);",
            "}",
        ],
    );
}

/// The steps of a procedure are checked like those of threads, so that its caller may assume that
/// they keep the unknown formulas. The caller checks them all the same.
#[test]
fn a_callee_keeps_unknown_formulas() {
    let program = program(
        "var x: int = 0;
         proc up() action modifies x ensures x' == x + 1 { x := x + 1; }
         thread T { up(); } thread U { }",
    );
    let (options, ..) = one_of_each(&program);
    let assumed = format!("assume (=> {OTHER} (|unknown rely 0@| |other thread@| x@before x@));");
    let kept =
        format!("assert rely-violated (=> {OTHER} (|unknown rely 0@| |other thread@| x@old x@));");
    assert_commands(
        &first_thread(&program, &options),
        &[
            "assume (= x@ 0);",
            "assume (|unknown invariant 0@| x@);",
            "block L1 {",
            "havoc ;",
            "x@env := x@;",
            "havoc x@;",
            "assume (|unknown rely 0@| 1 x@env x@);",
            "assume (|unknown invariant 0@| x@);",
            "x@old := x@;",
            "x@before := x@;",
            "havoc x@;",
            "assume (= x@ (+ x@before 1));",
            &assumed,
            "assume (|unknown invariant 0@| x@);",
            &kept,
            "assert invariant-broken (|unknown invariant 0@| x@);",
            "}",
        ],
    );
}

/// Without unknown formulas a task is what it was, and so is its script.
#[test]
fn without_unknown_formulas_nothing_changes() {
    let program = program(COUNTING);
    let none = first_thread(&program, &Options::default());
    let expected = [
        "assume (= x@ 0);",
        "block L1 {",
        "x@env := x@;",
        "havoc x@;",
        "x@old := x@;",
        "x@ := (+ x@ 1);",
        "x@env := x@;",
        "havoc x@;",
        "assert assertion-failed (<= 1 x@);",
        "}",
    ];
    assert_commands(&none, &expected);
    let options = Options { unknowns: Unknowns::default(), ..Options::default() };
    assert_commands(&first_thread(&program, &options), &expected);
    assert!(!smt(none).contains("unknown"));
}

/// A rely that is assumed must be checked of all threads, so that an unknown one does not count as
/// a conjunct alone.
#[test]
fn an_unknown_rely_is_not_assumed_unless_it_is_checked() {
    let program = program(COUNTING);
    let (_, rely, _) = one_of_each(&program);
    let id = ThreadId(0);
    let mut relies = conjuncts(&program, &Owner::Thread(id));
    relies.push(Conjunct { formula: Formula::Unknown(rely), item: program.threads[0].span });
    let task = thread_task(&program, &facts(&program), id, &relies, &Options::default());
    assert_eq!(commands(&task), commands(&first_thread(&program, &Options::default())));
}

/// The script declares the predicates. It speaks of what others may do to thread 1, of what the
/// thread does to another one, and of the stores in which the invariant is assumed or checked.
#[test]
fn the_script_declares_and_applies_the_predicates() {
    let program = program(COUNTING);
    let (options, ..) = one_of_each(&program);
    let script = smt(first_thread(&program, &options));
    for line in [
        "(declare-fun |unknown rely 0@| (Int Int Int) Bool)",
        "(declare-fun |unknown invariant 0@| (Int) Bool)",
    ] {
        assert!(script.lines().any(|found| found == line), "no `{line}` in\n{script}");
    }
    for start in
        ["(|unknown rely 0@| 1 ", "(|unknown rely 0@| |other thread@| ", "(|unknown invariant 0@| "]
    {
        assert!(script.contains(start), "no `{start}` in\n{script}");
    }
}

/// With `R(tid, x, x') = x' >= x` and `J(x) = x >= 0` everything is proved. If nothing is said of
/// them, the steps of `T` and `U` need not keep them, and the assertion of `T` need not hold.
#[test]
fn a_program_is_proved_with_the_right_meaning() {
    let program = program(COUNTING);
    let (of_t, of_u) = (
        ["rely-violated", "invariant-broken", "assertion-failed"],
        ["rely-violated", "invariant-broken"],
    );
    assert_eq!(check_threads(&program, None), [&of_t[..], &of_u[..]].concat());
    assert_eq!(check_threads(&program, Some(grows)), [""; 0]);
}

/// `R(tid, x, x') = x' > x` is too strong: others must be allowed to do nothing.
#[test]
fn unknown_relies_must_be_reflexive_and_transitive() {
    let program = program(COUNTING);
    assert_eq!(check_own(&program, grows), [""; 0]);
    let grows_for_sure = |terms: &mut Terms, args: &[Term]| match *args {
        [_, before, after] => terms.lt(before, after),
        _ => terms.bool(true),
    };
    assert_eq!(check_own(&program, grows_for_sure), ["rely-not-reflexive"]);
    let at_most_one_more = |terms: &mut Terms, args: &[Term]| match *args {
        [_, before, after] => {
            let one = terms.int(1);
            let more = terms.add(vec![before, one]);
            let same = terms.eq(before, after);
            let next = terms.eq(more, after);
            terms.or(vec![same, next])
        }
        _ => terms.bool(true),
    };
    assert_eq!(check_own(&program, at_most_one_more), ["rely-not-transitive"]);
}

/// `J(x) = x >= 1` does not hold at the start.
#[test]
fn unknown_invariants_must_hold_at_the_start() {
    let program = program(COUNTING);
    let positive = |terms: &mut Terms, args: &[Term]| match *args {
        [value] => {
            let one = terms.int(1);
            terms.le(one, value)
        }
        _ => terms.bool(true),
    };
    assert_eq!(check_own(&program, positive), ["invariant-not-initial"]);
}

/// Says of arguments when a predicate is true of them.
type Meaning = fn(&mut Terms, &[Term]) -> Term;

fn grows(terms: &mut Terms, args: &[Term]) -> Term {
    match *args {
        [_, before, after] => terms.le(before, after),
        [value] => {
            let zero = terms.int(0);
            terms.le(zero, value)
        }
        _ => panic!("a rely has three arguments here, an invariant one"),
    }
}

/// What is not proved of the threads with this meaning of the unknown formulas.
fn check_threads(program: &Program, meaning: Option<Meaning>) -> Vec<String> {
    let (options, rely, invariant) = one_of_each(program);
    let mut open = Vec::new();
    for id in program.thread_ids() {
        let mut task = thread(program, id, &options);
        if let Some(meaning) = meaning {
            define(program, &mut task, rely, meaning);
            define(program, &mut task, invariant, meaning);
        }
        open.extend(not_proved(task));
    }
    open
}

/// What is not proved of the unknown formulas themselves with this meaning.
fn check_own(program: &Program, meaning: Meaning) -> Vec<String> {
    let (options, rely, invariant) = one_of_each(program);
    let mut task = unknowns_task(program, &options.unknowns);
    define(program, &mut task, rely, meaning);
    define(program, &mut task, invariant, meaning);
    not_proved(task)
}

/// Assumes that the predicate is true of its arguments exactly if `meaning` is.
fn define(program: &Program, task: &mut Task, unknown: Unknown, meaning: Meaning) {
    let terms = &mut task.terms;
    let func = unknown.predicate(program, terms);
    let sorts = terms.func_info(func).args.clone();
    let binders: Vec<_> = sorts.into_iter().map(|sort| terms.binder("a", sort)).collect();
    let args: Vec<Term> = binders.iter().map(|&binder| terms.bound(binder)).collect();
    let holds = terms.apply(func, args.clone());
    let meaning = meaning(terms, &args);
    let same = terms.eq(holds, meaning);
    let all = terms.quantified(Quantifier::Forall, binders, vec![vec![holds]], same);
    task.body.background.push(all);
}

/// The script that asks about everything at once.
fn smt(task: Task) -> String {
    let mut task = task.common;
    let code = gcl::cut_loops(&mut task.terms, &task.body, LoopMode::Cut);
    let graph = gcl::passify(&mut task.terms, &code);
    let conditions = gcl::conditions(&mut task.terms, &graph);
    gcl::dump_smt(&task.terms, &graph, &conditions)
}
