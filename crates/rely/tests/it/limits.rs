//! Every limit is an answer: exit code 5, and the whole output.

use crate::support::{Folder, HOLDS};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Too many states for any search, and for the memory that the tests give it.
const ENDLESS: &str = "\
var a, b, c, d: 0..200 = 0;
thread T[2] { while (true) { havoc a; havoc b; } }
thread U[2] { while (true) { havoc c; havoc d; assert a + b + c + d <= 800; } }
";

fn status(out: &str) -> Value {
    let document: Value = serde_json::from_str(out).expect("one JSON document");
    assert_eq!(document["exit_code"], 5);
    document["files"][0]["status"].clone()
}

#[test]
fn memory() {
    let folder = Folder::new("memory", &[("a.plato", ENDLESS), ("b.plato", HOLDS)]);
    for engine in ["explore", "pairs", "thread-modular", "pushdown"] {
        let words = ["check", "--memory", "64", "--engine", engine, "--format", "json", "a.plato"];
        let outcome = folder.rely(&words).exits(5);
        assert_eq!(status(&outcome.out), "unknown", "{engine}");
    }
    folder.rely(&["check", "--memory", "64", "b.plato"]).exits(0);
}

#[test]
fn time() {
    let folder = Folder::new("time-limit", &[("a.plato", ENDLESS), ("b.plato", HOLDS)]);
    let begun = Instant::now();
    let words = ["check", "--time-limit", "1", "--format", "json", "a.plato"];
    let outcome = folder.rely(&words).exits(5);
    assert_eq!(status(&outcome.out), "unknown");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    folder.rely(&["check", "--time-limit", "100", "b.plato"]).exits(0);
}

/// A map has so many values that to list them takes longer than the limit; every engine has to know
/// the one value that the text gives it, and to stop between one world and the next.
const LARGE_MAPS: &str = "\
var a, b, c, d, e: [0..999]int = [_ => 0];
var lock: [0..999]Tid = [_ => 0];
proc add(key: 0..999) { acquire lock[key]; a[key] := a[key] + 1; release lock[key]; }
thread T[*] { while (true) { add(3); add(4); assert b[3] + c[3] + d[3] + e[3] <= 1000; } }
";

#[test]
fn time_of_engines() {
    let folder = Folder::new("time-of-engines", &[("a.plato", LARGE_MAPS)]);
    for engine in ["explore", "pairs", "thread-modular", "symbolic", "pushdown"] {
        let begun = Instant::now();
        let words =
            ["check", "--time-limit", "1", "--engine", engine, "--format", "json", "a.plato"];
        assert_eq!(status(&folder.rely(&words).exits(5).out), "unknown", "{engine}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{engine}: {:?}", begun.elapsed());
    }
}

/// Who ends Rely gets what it knows, in time.
#[test]
fn interruption() {
    let folder = Folder::new("interruption", &[("a.plato", ENDLESS)]);
    let words = ["check", "--engine", "explore", "--states", "1000000000", "a.plato"];
    let mut child = folder.command(&words).stdout(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(1));
    let begun = Instant::now();
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.expect("a signal").success());
    let status = child.wait().expect("it ends");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(matches!(status.code(), Some(5 | 130)), "{status}");
}

/// Three cubes are beyond any solver; the limit of the run ends the query.
#[test]
fn time_of_queries() {
    let text = "var x, y, z: int;\nthread T { assert x * x * x + y * y * y + z * z * z != 114; }\n";
    let folder = Folder::new("time-of-queries", &[("a.plato", text)]);
    let begun = Instant::now();
    let outcome = folder.rely(&["check", "--time-limit", "1", "--timeout", "60", "a.plato"]);
    outcome.exits(5).prints("unknown[limit-reached]");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
