//! `rely check`: verdicts and exit codes.

use crate::support::{FAILS, Folder, HOLDS, NOTHING, REJECTED, UNKNOWN};

fn check(name: &str, text: &str, code: i32, printed: &str) {
    let folder = Folder::new(&format!("verdict-{name}"), &[("a.plato", text)]);
    folder.rely(&["check", "a.plato"]).exits(code).prints(printed).quietly();
}

#[test]
fn proved_is_0() {
    check("proved", HOLDS, 0, "a.plato: proved (2 proved)");
}

#[test]
fn refuted_is_1() {
    check("refuted", FAILS, 1, "error[assertion-failed]");
}

#[test]
fn usage_is_2() {
    let folder = Folder::new("usage", &[("a.plato", HOLDS)]);
    folder.rely(&[]).exits(2);
    folder.rely(&["check"]).exits(2).complains("nothing is named to check");
    folder.rely(&["verify", "a.plato"]).exits(2);
    folder.rely(&["check", "--colour", "a.plato"]).exits(2);
    folder.rely(&["check", "--jobs", "0", "a.plato"]).exits(2);
    folder.rely(&["check", "--timeout", "0", "a.plato"]).exits(2);
    folder.rely(&["check", "-D", "N", "a.plato"]).exits(2).complains("NAME=VALUE");
    folder.rely(&["check", "--format", "xml", "a.plato"]).exits(2).complains("json");
}

#[test]
fn rejected_is_3() {
    check("rejected", REJECTED, 3, "error[unknown-name]");
}

#[test]
fn nothing_to_verify_is_4() {
    check("nothing", NOTHING, 4, "warning[nothing-to-verify]");
    check("empty", "", 4, "a.plato: nothing to verify");
}

#[test]
fn unknown_is_5() {
    check("unknown", UNKNOWN, 5, "unknown[unsupported]");
}

/// The worst file decides, whatever the order.
#[test]
fn the_worst_file_decides() {
    let files = [
        ("holds.plato", HOLDS),
        ("nothing.plato", NOTHING),
        ("unknown.plato", UNKNOWN),
        ("rejected.plato", REJECTED),
        ("fails.plato", FAILS),
    ];
    let folder = Folder::new("worst", &files);
    let mut words = vec!["check"];
    for ((name, _), code) in files.iter().zip([0, 4, 5, 3, 1]) {
        words.insert(1, name);
        folder.rely(&words).exits(code);
        words.remove(1);
        words.push(name);
        folder.rely(&words).exits(code);
    }
}

#[test]
fn a_solver_that_does_not_work_proves_nothing() {
    let folder = Folder::new("solver", &[("a.plato", HOLDS)]);
    let with = |solver: &str| folder.run(&["check", "a.plato"], "", &[("RELY_Z3", solver)]);
    with("no-such-file").exits(2).complains("RELY_Z3");
    with("/bin/false").exits(101).prints("error[solver-failed]");
    with("/bin/true").exits(101).prints("error[solver-failed]");
}
