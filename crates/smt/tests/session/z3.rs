//! The promises of a session, with the pinned Z3.

use crate::{AMPLE, session};
use smt::{Answer, Kind, Session, SmtError, Solver, Value};
use std::path::PathBuf;
use std::time::Duration;
use verdict::{Limits, StopReason};

fn z3() -> Solver {
    #[expect(clippy::disallowed_methods, reason = "tests find the solver as the binary does")]
    let given = std::env::var("RELY_Z3").ok().map(PathBuf::from);
    let pinned = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/z3-5.3.2.0/bin/z3");
    let program = given.unwrap_or_else(|| pinned.into());
    assert!(program.exists(), "no solver at {}: run `cargo xtask setup` first", program.display());
    Solver { program, kind: Kind::Z3, version: String::new() }
}

fn texts(terms: &[&str]) -> Vec<String> {
    terms.iter().map(|&term| term.to_owned()).collect()
}

fn values(session: &mut Session, terms: &[&str]) -> Vec<String> {
    let values = session.values(&texts(terms)).expect("a model");
    values.iter().map(|value| Value::from_sexp(value).to_string()).collect()
}

/// Sums of three cubes: nobody can decide them, and Z3 tries for ever.
const ENDLESS: &str = "(declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)
    (assert (= (+ (* x x x) (* y y y) (* z z z)) 114))";

/// A quantifier that the triggers alone cannot refute.
const QUANTIFIED: &str = "(declare-fun f (Int) Int) (declare-fun i () Int)
    (assert (forall ((x Int)) (! (>= (f x) 0) :pattern ((f x)) :qid positive)))
    (assert (> (f i) i))";

#[test]
fn identifies() {
    assert!(z3().identify().expect("a version").starts_with("Z3 "));
}

#[test]
fn frames_and_assumptions() {
    let mut session = session(&z3(), AMPLE);
    session.send("(declare-fun x () Int) (declare-fun p () Bool) (assert (=> p (> x 3)))");
    assert_eq!(session.check(&[]), Answer::Sat);
    session.push();
    session.send("(assert (< x 2))");
    assert!(session.check(&texts(&["p"])).is_unsat());
    assert_eq!(session.check(&texts(&["(not p)"])), Answer::Sat);
    session.pop();
    assert_eq!(session.check(&texts(&["p"])), Answer::Sat);
    session.begin();
    session.send("(declare-fun x () Bool) (assert x) (assert (not x))");
    assert!(session.check(&[]).is_unsat());
}

#[test]
fn values_of_every_kind() {
    let mut session = session(&z3(), AMPLE);
    session.send(
        "(declare-sort Node 0) (declare-fun n () Node) (declare-fun b () Bool) (declare-fun r () Real)
         (declare-fun a () (Array Int Int)) (declare-fun m () (Array Node Bool)) (declare-fun |odd name| () Int)
         (assert (and b (= r (/ (- 1.0) 2.0)) (= a (store ((as const (Array Int Int)) 7) 3 (- 4)))))
         (assert (= m (store ((as const (Array Node Bool)) false) n true))) (assert (= |odd name| 5))",
    );
    assert_eq!(session.check(&[]), Answer::Sat);
    let found = values(&mut session, &["b", "r", "a", "(select a 9)", "n", "m", "|odd name|"]);
    assert_eq!(
        found,
        [
            "true",
            "-1/2",
            "[3: -4, else: 7]",
            "7",
            "Node!val!0",
            "[Node!val!0: true, else: false]",
            "5"
        ]
    );
}

#[test]
fn many_values_and_long_stores() {
    let mut session = session(&z3(), AMPLE);
    let count = 1000;
    for index in 0..count {
        session.send(&format!("(declare-fun x{index} () Int) (assert (= x{index} {index}))"));
    }
    assert_eq!(session.check(&[]), Answer::Sat);
    let terms: Vec<String> = (0..count).map(|index| format!("x{index}")).collect();
    let found = session.values(&terms).expect("a model");
    assert_eq!(found.len(), count);
    assert_eq!(found[777].as_atom(), Some("777"));

    // Z3 prints this with `let`.
    let stores = (0..count).fold("((as const (Array Int Int)) 0)".to_owned(), |a, i| {
        format!("(store {a} {i} {})", i + 1)
    });
    let array = Value::from_sexp(&session.values(&[stores]).expect("a model")[0]);
    assert_eq!(array.at(&Value::Int(500)), Some(&Value::Int(501)));
    assert_eq!(array.at(&Value::Int(-1)), Some(&Value::Int(0)));
}

#[test]
fn incomplete_quantifiers_leave_a_candidate() {
    let mut session = session(&z3(), AMPLE);
    session.send(QUANTIFIED);
    assert_eq!(session.check(&[]), Answer::Candidate);
    assert_eq!(values(&mut session, &["(> (f i) i)"]), ["true"]);
    session.set_mbqi(true);
    assert_eq!(session.check(&[]), Answer::Sat);
    session.set_mbqi(false);
    assert_eq!(session.check(&[]), Answer::Candidate);
    session.set_mbqi(true);
    session.begin();
    session.send(QUANTIFIED);
    assert_eq!(session.check(&[]), Answer::Candidate);
}

#[test]
fn rejected_assertion_makes_later_answers_worthless() {
    let mut session = session(&z3(), AMPLE);
    session.send("(declare-fun x () Int) (assert (= x undeclared))");
    session.send("(assert false)");
    let Answer::Unknown(StopReason::SolverFailed(text)) = session.check(&[]) else {
        panic!("not rejected")
    };
    assert!(text.contains("unknown constant undeclared"), "{text}");
    assert!(matches!(session.check(&[]), Answer::Unknown(StopReason::SolverFailed(_))));
    assert!(session.values(&texts(&["x"])).is_err());
    session.begin();
    assert_eq!(session.check(&[]), Answer::Sat);
}

#[test]
fn incomplete_command_is_not_sent() {
    for text in ["(assert (= 1 1)", "(assert false))", "(assert |x)"] {
        let mut session = session(&z3(), AMPLE);
        session.send(text);
        session.send("(assert false)");
        assert!(
            matches!(session.check(&[]), Answer::Unknown(StopReason::SolverFailed(_))),
            "{text}"
        );
        session.begin();
        assert_eq!(session.check(&[]), Answer::Sat);
    }
}

#[test]
fn rejected_question_harms_no_other() {
    let mut session = session(&z3(), AMPLE);
    session.send("(declare-fun x () Int)");
    assert!(matches!(session.values(&texts(&["x"])), Err(SmtError::Rejected(_))));
    assert!(matches!(session.check(&texts(&["x"])), Answer::Unknown(StopReason::SolverFailed(_))));
    assert!(matches!(
        session.check(&texts(&["(> x"])),
        Answer::Unknown(StopReason::SolverFailed(_))
    ));
    assert_eq!(session.check(&[]), Answer::Sat);
    assert!(matches!(session.values(&texts(&["y"])), Err(SmtError::Rejected(_))));
    assert_eq!(session.check(&[]), Answer::Sat);
}

#[test]
fn many_errors_while_much_is_sent() {
    let mut session = session(&z3(), AMPLE);
    assert_eq!(session.check(&[]), Answer::Sat);
    for _ in 0..200 {
        session.send(&"(assert undeclared)\n".repeat(200));
    }
    assert!(matches!(session.check(&[]), Answer::Unknown(StopReason::SolverFailed(_))));
}

#[test]
fn resource_limit_counts_per_check() {
    let mut session = session(&z3(), Limits { resources: 100_000, ..AMPLE });
    session.send(ENDLESS);
    assert_eq!(session.check(&[]), Answer::Unknown(StopReason::ResourceLimit));
    assert_eq!(session.check(&[]), Answer::Unknown(StopReason::ResourceLimit));
    session.push();
    session.send("(assert false)");
    assert!(session.check(&[]).is_unsat());
    session.pop();
    session.set_limits(AMPLE);
    session.begin();
    session.send("(declare-fun x () Int) (assert (and (> x 5) (< x 7)))");
    assert_eq!(session.check(&[]), Answer::Sat);
}

#[test]
fn hang_is_ended() {
    let mut session =
        session(&z3(), Limits { resources: 0, wall_clock: Duration::from_secs(1), ..AMPLE });
    session.push();
    session.send(ENDLESS);
    assert_eq!(session.check(&[]), Answer::Unknown(StopReason::Timeout));
    session.pop();
    session.send("(declare-fun x () Int) (assert (< x x))");
    assert!(session.check(&[]).is_unsat());
}

#[test]
fn memory_limit_ends_the_solver_and_the_session_goes_on() {
    let mut session = session(&z3(), Limits { resources: 0, memory_mib: 40, ..AMPLE });
    session.send("(declare-fun f (Int) Int)");
    session.push();
    session.send(
        "(assert (forall ((x Int)) (! (and (> (f (* 2 x)) (f x)) (> (f (+ 1 (* 2 x))) (f x))) :pattern ((f x)))))
         (assert (> (f 1) 0))",
    );
    assert_eq!(session.check(&[]), Answer::Unknown(StopReason::MemoryLimit));
    session.pop();
    session.send("(assert (> (f 1) (f 1)))");
    assert!(session.check(&[]).is_unsat());
}

#[test]
fn answers_do_not_depend_on_what_came_before() {
    let count = |session: &mut Session| {
        session.fresh();
        session.begin();
        session.send(QUANTIFIED);
        assert_eq!(session.check(&[]), Answer::Candidate);
        session.query("(get-info :rlimit)").expect("a count").to_string()
    };
    let mut session = session(&z3(), AMPLE);
    let first = count(&mut session);
    session.begin();
    session.send("(declare-fun g (Int) Int) (assert (> (g 1) (g 2)))");
    assert_eq!(session.check(&[]), Answer::Sat);
    assert_eq!(count(&mut session), first);
}
