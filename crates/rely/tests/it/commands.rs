//! Everything but `rely check`.

use crate::support::{Folder, HOLDS, REJECTED};

/// The codes that `rely explain` lists.
fn codes(folder: &Folder) -> Vec<String> {
    let list = folder.rely(&["explain"]).exits(0).quietly().out;
    list.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn explain_lists_and_prints() {
    let folder = Folder::new("explain", &[]);
    let codes = codes(&folder);
    assert!(codes.iter().any(|code| code == "rely-violated"), "{codes:?}");
    for code in codes {
        folder.rely(&["explain", &code]).exits(0).quietly().prints(&format!("# {code}\n"));
    }
}

#[test]
fn explain_knows_what_it_does_not_know() {
    let folder = Folder::new("explain-unknown", &[]);
    let outcome = folder.rely(&["explain", "nosuch"]).exits(2);
    assert_eq!(outcome.complains("`nosuch`").out, "");
}

#[test]
fn dump_prints_every_stage() {
    let folder = Folder::new("dump", &[("a.plato", HOLDS), ("b.plato", REJECTED)]);
    let stage = |name: &str| folder.rely(&["dump", "--stage", name, "a.plato"]).exits(0).quietly();
    stage("plato").prints("invariant stock >= 0;");
    stage("gcl").prints("// thread Sale").prints("assert");
    stage("passive").prints("// thread Sale");
    stage("smt").prints("; thread Sale").prints("(declare-fun ");
    assert_eq!(stage("vc").out, stage("smt").out);
    for name in ["gcl", "passive", "vc", "smt"] {
        let outcome = folder.rely(&["dump", "--stage", name, "b.plato"]).exits(3);
        assert_eq!(outcome.complains("error[unknown-name]").out, "");
    }
    let finite = "thread T[2] { skip; }";
    folder.run(&["dump", "--stage", "promela", "-"], finite, &[]).exits(0).prints("proctype T()");
    folder.rely(&["dump", "--stage", "promela", "a.plato"]).exits(3).complains("`stock`");
    folder.rely(&["dump", "--stage", "air", "a.plato"]).exits(2);
    folder.rely(&["dump", "a.plato"]).exits(2);
    folder.rely(&["dump", "--stage", "gcl", "missing.plato"]).exits(3).complains("missing.plato");
    folder.run(&["dump", "--stage", "plato", "-"], HOLDS, &[]).exits(0).prints("thread Sale");
}

/// The ending of the name says which language it is, as for `rely check`.
#[test]
fn dump_knows_the_languages() {
    let files = [
        ("a.c", "#include <assert.h>\nint x;\nint main() { x = 1; assert(x == 1); }\n"),
        ("b.c", "int x;\n"),
        ("a.chalice", "class C { var x: int; method m() requires acc(x) { x := 1 } }\n"),
        ("a.pds", "1\n#@ init: 0|0\nPDA 0 1\n"),
        ("a.szumo", "system S { }\n"),
        ("a.puml", "@startuml\n@enduml\n"),
    ];
    let folder = Folder::new("dump-languages", &files);
    let dump = |stage: &str, name: &str| folder.rely(&["dump", "--stage", stage, name]);
    dump("plato", "a.c").exits(0).quietly().prints("// Translated from C").prints("x := 1;");
    dump("gcl", "a.c").exits(3).complains("not supported: a stage of a C program");
    dump("plato", "b.c").exits(3).complains("no function `main`");
    dump("gcl", "a.chalice").exits(0).quietly().prints("// method C.m");
    dump("plato", "a.chalice").exits(3).complains("Plato or Promela text of a Chalice program");
    for stage in ["plato", "gcl", "smt", "promela"] {
        dump(stage, "a.pds").exits(3).complains("not supported: a stage of pushdown systems");
        dump(stage, "a.szumo").exits(3).complains("not supported: a stage of designs");
        dump(stage, "a.puml").exits(3).complains("not supported: a stage of diagrams");
    }
}

/// What is printed is the program again.
#[test]
fn dumped_programs_can_be_checked() {
    let folder = Folder::new("dump-again", &[("a.plato", HOLDS)]);
    let printed = folder.rely(&["dump", "--stage", "plato", "a.plato"]).exits(0).out;
    folder.run(&["check", "-"], &printed, &[]).exits(0).prints("proved (2 proved)");
}

#[test]
fn doctor() {
    let folder = Folder::new("doctor", &[]);
    folder.rely(&["doctor"]).exits(0).prints("solver: Z3").prints_no("FAILED");
    let with = |solver: &str| folder.run(&["doctor"], "", &[("RELY_Z3", solver)]);
    with("no-such-file").exits(2).prints("solver: none");
    with("/bin/false").exits(2).prints("/bin/false");
    // What the user names is the user's; nothing is fetched.
    let named = [("RELY_Z3", "no-such-file")];
    folder.run(&["doctor", "--fix"], "", &named).exits(2).complains("unset it");
    folder.rely(&["doctor", "--fix"]).exits(0).prints_no("fetched");
}

#[test]
fn manual_pages() {
    let folder = Folder::new("man", &[]);
    folder.rely(&["man"]).exits(0).quietly().prints(".TH rely 1").prints("rely\\-check(1)");
    folder.rely(&["man", "--all", "pages"]).exits(0).quietly();
    assert!(folder.read("pages/rely-check.1").contains("\\-\\-unroll"));
}

#[test]
fn completions() {
    let folder = Folder::new("completions", &[]);
    folder.rely(&["completions", "bash"]).exits(0).prints("_rely()").prints("--unroll");
    folder.rely(&["completions", "zsh"]).exits(0).prints("#compdef rely");
    folder.rely(&["completions", "fish"]).exits(0).prints("complete -c rely");
    folder.rely(&["completions", "cmd"]).exits(2);
}

#[test]
fn help_and_version() {
    let folder = Folder::new("help", &[]);
    folder.rely(&["--version"]).exits(0).prints(concat!("rely ", env!("CARGO_PKG_VERSION")));
    folder.rely(&["--help"]).exits(0).prints("check").prints("explain");
    folder.rely(&["check", "--help"]).exits(0).prints("Exit codes: 0 all proved");
}

/// What a search claims is written to a file and checked again; a file that was changed is refused.
#[test]
fn certificates() {
    let lock = "mutex m; var x: 0..1 = 1;
        thread P[*] { acquire m; x := 0; x := x + 1; assert x > 0; release m; }";
    let wrong = lock.replace("x := x + 1", "skip");
    let twice = lock.replace("P[*]", "P[2]");
    let folder =
        Folder::new("certificate", &[("a.plato", lock), ("b.plato", &wrong), ("c.plato", &twice)]);
    let check = |program: &str| folder.rely(&["certificate", program, "--check", "a.certificate"]);
    check("a.plato").exits(3).complains("a.certificate");
    folder.rely(&["certificate", "a.plato", "--output", "a.certificate"]).exits(0).quietly();
    check("a.plato").exits(0).quietly().prints("the certificate is right");
    check("b.plato").exits(1).complains("is no proof of the program");
    check("c.plato").exits(3).complains("other threads");
    folder.rely(&["certificate", "b.plato"]).exits(5).complains("there is no certificate");
    let text = folder.rely(&["certificate", "a.plato"]).exits(0).quietly().out;
    // Without one fact it is not closed; with another version it is not read.
    let last = text.trim_end().rfind('\n').expect("facts");
    folder.write("a.certificate", &text.as_bytes()[..=last]);
    check("a.plato").exits(1).complains("is no proof of the program");
    folder.write("a.certificate", text.replace("certificate 1", "certificate 2").as_bytes());
    check("a.plato").exits(3).complains("this is no certificate");
    folder.write("a.certificate", text.replace("thread 0", "thread 99").as_bytes());
    check("a.plato").exits(3).complains("does not fit the program");
    folder.write("a.certificate", text.replace("local 0", "local 7f").as_bytes());
    check("a.plato").exits(3).complains("line 3 does not fit the program");
}

/// Annotations are found for Plato and Chalice and certificates written for Plato; other languages
/// are not taken for them.
#[test]
fn plato_only() {
    let folder = Folder::new(
        "only",
        &[("a.chalice", "class C { method M() { } }"), ("a.c", "int main() { return 0; }")],
    );
    for file in ["a.chalice", "a.c"] {
        let outcome = folder.rely(&["certificate", file]);
        assert_ne!(outcome.code, Some(0), "{file}");
        outcome.complains("for programs in Plato only");
    }
    let outcome = folder.rely(&["infer", "a.c"]);
    assert_ne!(outcome.code, Some(0));
    outcome.complains("for programs in Plato and Chalice only");
}
