//! A solver that dies, hangs or answers nonsense costs one query.

use crate::{AMPLE, session};
use smt::{Answer, Kind, Session, Sexp, SmtError, Solver};
use std::path::Path;
use std::time::{Duration, Instant};
use verdict::{Limits, StopReason};

fn fake() -> Solver {
    Solver {
        program: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake-solver.sh").into(),
        kind: Kind::Z3,
        version: String::new(),
    }
}

/// Sends the command in a frame, and expects the check to fail for a reason with this text and the
/// session to recover.
fn check(command: &str, limits: Limits, reason: &str) {
    let mut session = session(&fake(), limits);
    assert_eq!(session.check(&[]), Answer::Sat);
    session.push();
    session.send(command);
    match session.check(&[]) {
        Answer::Unknown(found) => assert!(found.to_string().contains(reason), "{found}"),
        other => panic!("{other:?}"),
    }
    session.pop();
    session.begin();
    assert_eq!(session.check(&[]), Answer::Sat);
}

const SHORT: Limits = Limits { wall_clock: Duration::from_millis(300), ..AMPLE };

#[test]
fn dies() {
    check("(assert die)", AMPLE, "it ended early (exit status: 3): last words");
    check("(assert error-and-die)", AMPLE, "the solver failed: too hard");
}

#[test]
fn runs_out_of_memory() {
    check("(assert out-of-memory)", AMPLE, "memory limit");
}

#[test]
fn hangs() {
    check("(assert hang)", SHORT, "time limit");
}

#[test]
fn talks_nonsense() {
    check("(assert garbage)", AMPLE, "unexpected output: %&/ segmentation ))) fault");
    check("(assert stray-unsat)", AMPLE, "unexpected output: unsat");
}

#[test]
fn starts_a_reply_and_never_ends_it() {
    check("(assert unbalanced)", SHORT, "time limit");
}

#[test]
fn prints_without_end() {
    check("(assert flood)", SHORT, "time limit");
}

#[test]
fn never_reads() {
    let mut session = session(&fake(), SHORT);
    assert_eq!(session.check(&[]), Answer::Sat);
    session.send("(assert hang)");
    // More than any pipe holds: a write that waited for the solver would wait for ever.
    for _ in 0..100 {
        session.send(&"(assert x)\n".repeat(10_000));
    }
    let begun = Instant::now();
    assert_eq!(session.check(&[]), Answer::Unknown(StopReason::Timeout));
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn restart_replays_what_was_not_taken_back() {
    let mut session = session(&fake(), AMPLE);
    session.push();
    session.send("(assert die)");
    assert!(matches!(session.check(&[]), Answer::Unknown(StopReason::SolverFailed(_))));
    assert!(matches!(session.check(&[]), Answer::Unknown(StopReason::SolverFailed(_))));
    session.pop();
    assert_eq!(session.check(&[]), Answer::Sat);
}

#[cfg(target_os = "linux")]
#[test]
fn leaves_no_process_behind() {
    let process = |session: &mut Session| {
        let reply = session.query("(get-info :pid)").expect("the fake solver knows its process");
        let pid = reply.as_list().and_then(|list| list[1].as_atom()).expect("a number");
        Path::new("/proc").join(pid)
    };
    let mut session = session(&fake(), SHORT);
    let first = process(&mut session);
    assert!(first.exists());
    session.push();
    session.send("(assert hang)");
    assert_eq!(session.check(&[]), Answer::Unknown(StopReason::Timeout));
    assert!(!first.exists());
    session.pop();
    let second = process(&mut session);
    assert!(second.exists());
    drop(session);
    assert!(!second.exists());
}

#[test]
fn missing_program() {
    let solver = Solver {
        program: "no-such-program-anywhere".into(),
        kind: Kind::Z3,
        version: String::new(),
    };
    assert!(matches!(solver.identify(), Err(SmtError::Spawn { .. })));
    let answer = session(&solver, AMPLE).check(&[]);
    assert!(matches!(answer, Answer::Unknown(StopReason::SolverFailed(_))), "{answer:?}");
}

#[test]
fn states_its_version() {
    assert_eq!(fake().identify().expect("a version"), "Z3 0.0.1");
    let other = Solver { kind: Kind::Cvc5, ..fake() };
    assert!(matches!(other.identify(), Err(SmtError::NotASolver { .. })));
}

#[test]
fn reply_is_an_expression() {
    let reply = session(&fake(), AMPLE).query("(get-info :pid)").expect("a reply");
    assert!(matches!(reply, Sexp::List(_)));
}
