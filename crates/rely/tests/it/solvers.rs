//! Solvers that are none, that lie, that hang.

use crate::support::{Folder, HOLDS};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Two obligations, so that one hang is not all.
const HARD: &str = "\
var x, y: int = 0;
rely x' == x && y' == y;
thread T { assert x >= 0; assert y >= 0; }
thread U { assert x <= 0; assert y <= 0; }
";

/// An executable script in a folder of its own.
fn script(name: &str, body: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solvers");
    std::fs::create_dir_all(&folder).expect("a folder for the script");
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a file for the script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    path
}

fn checked(name: &str, solver: &Path, words: &[&str]) -> crate::support::Outcome {
    let folder = Folder::new(&format!("solver-{name}"), &[("a.plato", HARD), ("b.plato", HOLDS)]);
    let words = [&["check", "--no-cache"], words, &["a.plato", "b.plato"]].concat();
    folder.run(&words, "", &[("RELY_Z3", &solver.display().to_string())])
}

/// Answers the marks of a conversation, and `$1` to every check.
const ECHO: &str = r#"while read -r line; do
  case "$line" in
    "(check-sat"*) echo "$ANSWER" ;;
    "(echo "*) line="${line#(echo \"}"; echo "${line%\")}" ;;
  esac
done"#;

#[test]
fn one_that_says_unsat_to_everything_is_not_believed() {
    let liar = script("liar", &format!("ANSWER=unsat\n{ECHO}"));
    let outcome = checked("liar", &liar, &[]).exits(101);
    let outcome = outcome.prints("answers `unsat` to a satisfiable formula").prints_no(": proved");
    assert_eq!(outcome.out.matches("solver-failed").count(), 1, "{}", outcome.out);
    let optimist = script("optimist", &format!("ANSWER=sat\n{ECHO}"));
    checked("optimist", &optimist, &[]).exits(101).prints("`sat` to an unsatisfiable formula");
}

#[test]
fn what_is_no_solver_is_one_error() {
    let nothing = script("nothing", "exit 0");
    let outcome = checked("nothing", &nothing, &[]).exits(101).prints_no(": proved");
    assert_eq!(outcome.out.matches("solver-failed").count(), 1, "{}", outcome.out);
}

/// It answers the two questions of the test, and nothing after them. What it started ends with it.
#[test]
fn one_that_hangs_is_given_up() {
    let left = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solvers/left-over");
    let _ = std::fs::remove_file(&left);
    let body = format!(
        r#"(sleep 8; touch "{}") >/dev/null 2>&1 &
count=0
while read -r line; do
  case "$line" in
    "(check-sat)") count=$((count + 1))
      [ $count = 1 ] && echo sat
      [ $count = 2 ] && echo unsat && exit 0 ;;
    "(echo "*) sleep 1000 ;;
  esac
done"#,
        left.display()
    );
    let hanging = script("hanging", &body);
    let begun = Instant::now();
    let outcome = checked("hanging", &hanging, &["--timeout", "3", "--jobs", "1"]).exits(5);
    outcome.prints("given up").prints_no("3 proved");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    std::thread::sleep(Duration::from_secs(9));
    assert!(!left.exists(), "a process of the script outlived it");
}

/// Answers of one solver are not used for another that took its place.
#[test]
fn a_swapped_solver_is_another() {
    let real = testkit::find_solver().program;
    let solver = script("swapped", &format!("# one\nexec \"{}\" \"$@\"", real.display()));
    let folder = Folder::new("solver-swapped", &[("a.plato", HARD)]);
    let named = solver.display().to_string();
    let variables = [("RELY_Z3", named.as_str()), ("XDG_CACHE_HOME", "cache")];
    let answers = || folder.run(&["cache"], "", &variables).exits(0).out;
    folder.run(&["check", "a.plato"], "", &variables).exits(0);
    let first = answers();
    folder.run(&["check", "a.plato"], "", &variables).exits(0);
    assert_eq!(answers(), first);
    script("swapped", &format!("# two\nexec \"{}\" \"$@\"", real.display()));
    folder.run(&["check", "a.plato"], "", &variables).exits(0);
    assert_ne!(answers(), first);
}
