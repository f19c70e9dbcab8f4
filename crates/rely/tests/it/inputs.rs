//! Where `rely check` finds its texts.

use crate::support::{FAILS, Folder, HOLDS, REJECTED};

#[test]
fn folders() {
    let files = [
        ("b/two.plato", HOLDS),
        ("b/one.plato", HOLDS),
        ("a/deep/three.plato", HOLDS),
        ("b/notes.txt", "no program"),
    ];
    let folder = Folder::new("folders", &files);
    let summary = "\
a/deep/three.plato: proved (2 proved)
b/one.plato: proved (2 proved)
b/two.plato: proved (2 proved)
3 files: 3 proved
";
    let outcome = folder.rely(&["check", "."]).exits(0).quietly();
    assert_eq!(outcome.out, summary);
    folder.rely(&["check", "b"]).exits(0).prints("2 files: 2 proved");
}

#[test]
fn a_folder_without_programs() {
    let folder = Folder::new("no-programs", &[("notes/a.txt", "")]);
    folder.rely(&["check", "notes"]).exits(3).complains(".chalice");
}

#[test]
fn one_of_several_is_rejected() {
    let files = [("a.plato", HOLDS), ("b.plato", REJECTED), ("c.plato", HOLDS)];
    let folder = Folder::new("several", &files);
    folder
        .rely(&["check", "a.plato", "b.plato", "c.plato"])
        .exits(3)
        .prints("a.plato: proved (2 proved)\nb.plato: rejected\nc.plato: proved (2 proved)\n")
        .prints("3 files: 2 proved, 1 rejected");
}

#[test]
fn standard_input() {
    let folder = Folder::new("standard-input", &[("a.plato", HOLDS)]);
    folder.run(&["check", "-"], FAILS, &[]).exits(1).prints("<standard input>:2:");
    folder.run(&["check", "-"], HOLDS, &[]).exits(0).prints("<standard input>: proved");
    folder.run(&["check", "-"], "", &[]).exits(4);
    folder.run(&["check", "-", "a.plato"], FAILS, &[]).exits(1).prints("a.plato: proved");
}

#[test]
fn unreadable_files() {
    let folder = Folder::new("unreadable", &[("a.plato", HOLDS), ("f.plato", FAILS)]);
    folder.write("bytes.plato", b"var x\xff: int;\n");
    folder.rely(&["check", "missing.plato"]).exits(3).complains("cannot read missing.plato");
    folder.rely(&["check", "bytes.plato"]).exits(3).complains("bytes.plato: not UTF-8");
    // The others are checked all the same, and a proof of them is not success.
    let both = folder.rely(&["check", "missing.plato", "bytes.plato", "a.plato"]);
    both.exits(3).prints("a.plato: proved").complains("missing.plato").complains("bytes.plato");
    folder.rely(&["check", "missing.plato", "f.plato"]).exits(1);
}

/// A pipe would keep a reader waiting for ever.
#[test]
fn what_is_no_regular_file() {
    let folder = Folder::new("no-file", &[]);
    folder.rely(&["check", "/dev/null"]).exits(3).complains("not a regular file");
}

/// Lost results are no success.
#[test]
fn results_that_cannot_be_written() {
    let folder = Folder::new("full", &[("a.plato", HOLDS)]);
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
    let mut command = folder.command(&["check", "a.plato"]);
    let output = command.stdout(full).output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(101));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
}

#[test]
fn line_ends_and_marks_of_other_systems() {
    let folder = Folder::new("line-ends", &[("a.plato", &FAILS.replace('\n', "\r\n"))]);
    folder.write("b.plato", format!("\u{feff}{HOLDS}").as_bytes());
    folder.rely(&["check", "a.plato"]).exits(1).prints("a.plato:2:");
    folder.rely(&["check", "b.plato"]).exits(0);
}
