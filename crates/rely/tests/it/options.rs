//! The options of `rely check`.

use crate::support::{FAILS, Folder, HOLDS, LOOP};

#[test]
fn definitions() {
    let text = "const N: int = 3;\nthread T { assert N < 5; }\n";
    let folder = Folder::new("definitions", &[("a.plato", text), ("b.plato", HOLDS)]);
    folder.rely(&["check", "a.plato"]).exits(0);
    folder.rely(&["check", "-D", "N=4", "a.plato"]).exits(0);
    folder.rely(&["check", "-D", "N=5", "a.plato"]).exits(1).prints("error[assertion-failed]");
    folder.rely(&["check", "-D", "N=5", "-D", "N=5", "b.plato", "a.plato"]).exits(1);
    folder.rely(&["check", "-D", "N=many", "a.plato"]).exits(3).prints("error[type-mismatch]");
    folder.rely(&["check", "-D", "M=4", "a.plato"]).exits(3).prints("error[unknown-option]");
}

#[test]
fn only() {
    let folder = Folder::new("only", &[("a.plato", FAILS)]);
    folder.rely(&["check", "--only", "Count", "a.plato"]).exits(1);
    let text = FAILS.replace("stock := stock - 1;", "assert true;");
    folder.write("b.plato", text.as_bytes());
    folder.rely(&["check", "--only", "Sale", "b.plato"]).exits(0);
    folder.rely(&["check", "--only", "Sale", "--only", "Count", "a.plato"]).exits(1);
    let outcome = folder.rely(&["check", "--only", "Sail", "b.plato"]);
    outcome.exits(3).prints("no input has a thread, procedure, method or class `Sail`");
}

/// Loops are followed to a bound, so that nothing about them can be called proved.
#[test]
fn unrolling_never_proves_a_loop() {
    let texts = [
        LOOP.to_owned(),
        LOOP.replace("invariant left >= 0 ", ""),
        LOOP.replace(":= 10", ":= 0"),
        "var n: int = 0;\ninvariant n >= 0;\nthread T { loop { atomic { n := n + 1; } } }\n".to_owned(),
        "proc wait() { while (true) { skip; } }\nthread T { assert true; call wait(); assert true; }\n"
            .to_owned(),
        "thread T { assert true; while (false) { skip; } }\n".to_owned(),
    ];
    let folder = Folder::new("unroll", &[]);
    for (index, text) in texts.iter().enumerate() {
        let name = format!("{index}.plato");
        folder.write(&name, text.as_bytes());
        for bound in ["0", "1", "3", "12"] {
            let outcome = folder.rely(&["check", "--unroll", bound, &name]);
            outcome.exits(5).prints("unknown[bound-reached]");
        }
    }
    folder.write("late.plato", LOOP.replace("left == 0", "left == 1").as_bytes());
    folder.rely(&["check", "--unroll", "2", "late.plato"]).exits(5);
    folder.rely(&["check", "--unroll", "12", "late.plato"]).exits(1);
    folder.write("straight.plato", HOLDS.as_bytes());
    folder.rely(&["check", "--unroll", "2", "straight.plato"]).exits(0);
}

/// Sums of three cubes are beyond any solver.
#[test]
fn timeout() {
    let text = "var x, y, z: int;\nthread T { assert x * x * x + y * y * y + z * z * z != 114; }\n";
    let folder = Folder::new("timeout", &[("a.plato", text)]);
    let outcome = folder.rely(&["check", "--timeout", "1", "a.plato"]);
    outcome.exits(5).prints("unknown[limit-reached]").prints("--timeout");
}

#[test]
fn the_number_of_jobs_does_not_show() {
    let folder = Folder::new("jobs", &[("a.plato", FAILS), ("b.plato", HOLDS), ("c.plato", LOOP)]);
    let with = |jobs: &str| folder.rely(&["check", "--jobs", jobs, "."]).exits(1).out;
    assert_eq!(with("1"), with("3"));
}

#[test]
fn hygiene() {
    let text = "var x: int = 0;\nrely x' >= x || x' < x;\nthread T { x := x + 1; }\n";
    let folder = Folder::new("hygiene", &[("a.plato", text)]);
    folder.rely(&["check", "a.plato"]).exits(0).prints("warning[trivial-rely]");
    folder.rely(&["check", "--no-hygiene", "a.plato"]).exits(0).prints_no("warning");
}

#[test]
fn interference_everywhere() {
    let folder = Folder::new("one-cluster", &[("a.plato", HOLDS), ("b.plato", FAILS)]);
    folder.rely(&["check", "--one-cluster", "a.plato"]).exits(0);
    folder.rely(&["check", "--one-cluster", "b.plato"]).exits(1);
}

/// A pipe gets neither colours nor a progress line.
#[test]
fn no_colours_in_a_pipe() {
    let folder = Folder::new("colours", &[("a.plato", FAILS)]);
    for variables in [&[][..], &[("NO_COLOR", "1")], &[("TERM", "xterm-256color")]] {
        let outcome = folder.run(&["check", "a.plato"], "", variables);
        outcome.exits(1).prints_no("\u{1b}").quietly();
    }
}

/// An option that means nothing for an input is refused, and says for which languages it is.
#[test]
fn options_of_other_languages() {
    let method = "class C { method M() { assert true; } }\n";
    let files = [("a.plato", HOLDS), ("b.chalice", method), ("c.c", "int main(void) { }\n")];
    let folder = Folder::new("other-languages", &files);
    let refused = |words: &[&str], told: &str| {
        folder.rely(&[&["check"], words].concat()).exits(2).complains(told);
    };
    refused(&["--unroll", "3", "b.chalice"], "--unroll is for Plato");
    refused(&["--engine", "explore", "b.chalice"], "--engine explore is only for Plato, C,");
    refused(&["--states", "5", "b.chalice"], "--states is only for");
    refused(&["--only", "M", "c.c"], "--only is only for Plato, Chalice");
    refused(&["--engine", "deductive", "c.c"], "only for Plato, Chalice");
    refused(&["--policy", "aon", "a.plato"], "--policy is only for designs");
    refused(&["--engine", "explore", "--only", "Sale", "a.plato"], "--only is for deduction");
    refused(&["--format", "svg", "a.plato"], "--format sequence|svg is only for designs");
    folder.rely(&["check", "--only", "C.M", "b.chalice"]).exits(0);
}
