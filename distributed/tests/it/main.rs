//! The answer is that of the built-in search, for any number of workers and processes.
#![expect(clippy::disallowed_methods, reason = "tests read the examples")]

mod processes;

use distributed::{Outcome, Subject, run};
use std::path::{Path, PathBuf};
use timely::Config;

/// Simple(n) of paper 5, section 1.1.
fn simple(n: usize) -> String {
    format!(
        "var x: 0..1 = 1; mutex m;
        thread P[{n}] {{ acquire m; x := 0; x := x + 1; assert x > 0; release m; }}"
    )
}

/// A mutex that is not always taken, threads that are told apart, and steps that several threads
/// take alike.
const FAULTY: &str = "var x: 0..9 = 0; var last: Tid = 0; mutex m; invariant x < 4;
    never exists i, j: Tid :: i != j && at(i, Inside) && at(j, Inside);
    never race on last;
    thread P[4] { acquire m; Inside: x := x + 1; last := tid; release m; assert last == tid; }
    thread Q[2] { Inside: last := tid; if (x > 0) { x := x - 1; } }";

fn check(name: &str, text: &str) -> Outcome {
    let subject = Subject::new(name, text).unwrap();
    let expected = subject.built_in();
    for workers in [1, 2, 4] {
        let found = run(&subject, Config::process(workers)).unwrap();
        assert_eq!(found.as_ref(), Some(&expected), "{name} with {workers} workers");
    }
    expected
}

#[test]
fn simple_programs() {
    for n in [1, 2, 3, 7, 64, 65, 130] {
        let found = check(&format!("Simple({n})"), &simple(n));
        assert!(found.is_proof(), "{found}");
        let n = n as u64;
        assert_eq!(found.facts, 4 * n * n + 2 * n, "Simple({n})");
    }
}

#[test]
fn faults() {
    let found = check("faulty", FAULTY);
    assert!(found.alarms.len() > 3, "{found}");
    for code in ["invariant-broken", "never-reached", "data-race", "assertion-failed"] {
        assert!(found.alarms.iter().any(|alarm| alarm.starts_with(code)), "{code}\n{found}");
    }
}

#[test]
fn any_number_of_threads() {
    let found = check("any", &simple(1).replace("P[1]", "P[*]"));
    assert!(found.is_proof(), "{found}");
}

#[test]
fn several_worlds() {
    let text = "const N: 0..3; var x: 0..9 = 0; thread P[2] { x := N; assert x < 3; }";
    let found = check("worlds", text);
    assert_eq!(found.alarms.len(), 1, "{found}");
}

/// The program that `docs/distributed.md` has figures of, with fewer states.
#[test]
fn counters() {
    let path = root().join("distributed/tests/counters.plato");
    let found = check("counters", &std::fs::read_to_string(path).unwrap().replace("39", "4"));
    assert!(found.is_proof() && found.facts > 10_000, "{found}");
}

#[test]
fn examples() {
    let mut searched = 0;
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join("examples/plato/searches"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "plato")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        if Subject::new(&name, &text).is_ok() {
            check(&name, &text);
            searched += 1;
        }
    }
    assert!(searched > 15, "{searched}");
}

#[test]
fn what_is_no_finite_program_is_refused() {
    let recursive = "proc again() { again(); } thread P { again(); }";
    let infinite = "var x: int = 0; thread P { x := x + 1; }";
    for text in [infinite, recursive, "thread P { y := 1; }", "what?"] {
        assert!(Subject::new("none", text).is_err(), "{text}");
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}
