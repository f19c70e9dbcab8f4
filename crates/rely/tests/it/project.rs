//! rely.toml, and programs that are made with it.

use crate::support::{FAILS, Folder, HOLDS};
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

const UNUSED: &str = "proc p() { skip; }\nthread T { assert true; }\n";

#[test]
fn a_first_project() {
    let folder = Folder::new("new", &[]);
    folder.rely(&["check"]).exits(2).complains("`rely init` writes one");
    folder.rely(&["new", "first"]).exits(0).prints("rely check");
    folder.rely(&["new", "first"]).exits(2).complains("rely.toml is there already");
    let first = folder.below("first");
    first.rely(&["check"]).exits(0).prints("bank.plato: proved");
    let text = first.read("bank.plato").replace("  acquire m;\n", "");
    first.write("bank.plato", text.as_bytes());
    first.rely(&["check"]).exits(1).prints("error[");
}

#[test]
fn init_writes_what_can_be_read() {
    let folder = Folder::new("init", &[("a.plato", HOLDS)]);
    folder.rely(&["init"]).exits(0);
    folder.rely(&["check"]).exits(0).prints("a.plato: proved");
    // Everything that stands there as a comment can be said.
    let text = folder.read("rely.toml");
    let said = |line: &str| {
        let said = line.strip_prefix("# ").filter(|rest| rest.contains(['=', '[']));
        said.unwrap_or(line).to_owned()
    };
    // These two name files that are not there.
    let is_kept = |line: &String| !line.starts_with("baseline") && !line.starts_with("classpath");
    let said: Vec<String> = text.lines().map(said).filter(is_kept).collect();
    let said = said.join("\n");
    assert!(said.contains("\n[limits]") && said.contains("\ntimeout = 30"), "{said}");
    folder.write("rely.toml", said.replace("\n[define]", "\n[define]\n#").as_bytes());
    folder.write("a.plato", format!("const N: int = 1;\n{HOLDS}").as_bytes());
    folder.rely(&["check"]).exits(0);
}

/// A file that several patterns name is one input.
#[test]
fn inputs_that_overlap_are_checked_once() {
    let text = "inputs = [\"a\", \"a/*.plato\", \".\"]\n";
    let files = [("rely.toml", text), ("a/x.plato", HOLDS), ("y.plato", HOLDS)];
    let folder = Folder::new("overlap", &files);
    let told = folder.rely(&["check", "--quiet"]).exits(0).out;
    assert_eq!(told.matches("x.plato: proved").count(), 1, "{told}");
    assert_eq!(told.matches("y.plato: proved").count(), 1, "{told}");
}

#[test]
fn what_is_misspelt_is_an_error() {
    let check = |name: &str, text: &str, why: &str| {
        let folder = Folder::new(name, &[("a.plato", HOLDS), ("rely.toml", text)]);
        folder.rely(&["check"]).exits(2).complains(why);
        folder.rely(&["check", "--no-project", "a.plato"]).exits(0);
    };
    check("key", "imputs = [\"a.plato\"]\n", "did you mean `inputs`?");
    check("inner_key", "[limits]\ntime-limits = 3\n", "did you mean `time-limit`?");
    check("value", "[check]\nengine = \"explorer\"\n", "did you mean `explore`?");
    check("code", "[severity]\nunused-procedur = \"off\"\n", "did you mean `unused-procedure`?");
    check("no_code", "[severity]\nzzzzz = \"off\"\n", "there is no code `zzzzz`");
    check("no_warning", "[severity]\ndata-race = \"off\"\n", "`data-race` is no warning");
    check("pattern", "inputs = [\"a[\"]\n", "`a[` is no pattern");
    check("nothing", "inputs = [\"*.java\"]\n", "nothing fits the input `*.java`");
    check("syntax", "inputs = [\n", "rely.toml: TOML parse error");
}

#[test]
fn inputs_of_a_project_are_seen_from_its_folder() {
    let files = [
        ("rely.toml", "inputs = [\"proofs\", \"*.plato\"]\nexclude = [\"proofs/old*\"]\n"),
        ("one.plato", HOLDS),
        ("proofs/two.plato", HOLDS),
        ("proofs/old/three.plato", FAILS),
        ("other/four.plato", FAILS),
    ];
    let folder = Folder::new("project_inputs", &files);
    let expected =
        "proofs/two.plato: proved (2 proved)\none.plato: proved (2 proved)\n2 files: 2 proved\n";
    assert_eq!(folder.rely(&["check"]).exits(0).out, expected);
    let below = folder.below("proofs");
    below.rely(&["check"]).exits(0).prints("../proofs/two.plato: proved").prints("../one.plato");
    folder.rely(&["check", "other"]).exits(1);
    folder.rely(&["check", "proofs"]).exits(0).prints_no("three");
    // A file that is named is checked.
    folder.rely(&["check", "proofs/old/three.plato"]).exits(1);
}

#[test]
fn settings_hold_where_they_mean_something() {
    let files = [
        (
            "rely.toml",
            "[check]\nengine = \"explore\"\n[define]\nN = 5\n[folder.sub]\nengine = \"deductive\"\n",
        ),
        ("a.plato", "const N: int = 3;\nthread T { assert N == 5; }\n"),
        ("sub/b.plato", "thread U { assert true; }\n"),
        ("c.java", "class C { int f() { return 1; } }\n"),
    ];
    let folder = Folder::new("settings", &files);
    let engines = |words: &[&str]| {
        let outcome = folder.rely(&[&["check", "--format", "json", "."], words].concat()).exits(0);
        let document: serde_json::Value = serde_json::from_str(&outcome.out).expect("a document");
        let files = document["files"].as_array().expect("files").clone();
        let engine = |file: &serde_json::Value| {
            let name = file["name"].as_str().expect("a name").to_owned();
            (name, file["obligations"][0]["engine"].as_str().expect("an engine").to_owned())
        };
        files.iter().map(engine).collect::<Vec<_>>()
    };
    let set = engines(&[]);
    let engine = |all: &[(String, String)], name: &str| {
        all.iter().find(|(other, _)| other == name).expect("the file").1.clone()
    };
    assert_eq!(engine(&set, "a.plato"), "explore");
    assert_eq!(engine(&set, "sub/b.plato"), "deduction");
    assert_eq!(engine(&set, "c.java"), "deduction");
}

#[test]
fn warnings_can_be_turned_off_and_up() {
    let folder = Folder::new("severity", &[("a.plato", UNUSED), ("sub/b.plato", UNUSED)]);
    folder.rely(&["check", "."]).exits(0).prints("warning[unused-procedure]");
    folder.write("rely.toml", b"[severity]\nunused-procedure = \"error\"\n");
    folder.rely(&["check"]).exits(1).prints("error[unused-procedure]");
    let off = "[folder.sub]\nseverity = { unused-procedure = \"off\" }\n";
    folder
        .write("rely.toml", format!("[severity]\nunused-procedure = \"error\"\n{off}").as_bytes());
    folder.rely(&["check", "sub"]).exits(0).prints("1 turned off").prints_no("[unused-procedure]");
    folder.rely(&["check", "a.plato"]).exits(1);
    let outcome = folder.rely(&["check", "a.plato", "--format", "junit"]).exits(1);
    outcome.prints("<failure message=").prints("failures=\"1\"");
    folder.rely(&["check", "-q", "a.plato"]).prints("1 warning counts as an error");
}

/// Settings hold however the path is spelt, and from every folder.
#[test]
fn settings_do_not_depend_on_the_current_folder() {
    let set = "[folder.\"legacy\"]\nseverity = { unused-procedure = \"error\" }\n";
    let files = [("rely.toml", set), ("legacy/a.plato", UNUSED)];
    let folder = Folder::new("spelling", &files);
    folder.rely(&["check"]).exits(1);
    folder.rely(&["check", "./legacy/../legacy/a.plato"]).exits(1);
    let below = folder.below("legacy");
    below.rely(&["check", "a.plato"]).exits(1);
    below.rely(&["check", "."]).exits(1);
    let whole = format!("{}/a.plato", below.place());
    folder.rely(&["check", &whole]).exits(1);
}

#[test]
fn comments_that_allow_nothing_have_a_severity_too() {
    let text = "thread T { assert true; // rely: allow(deadlock) because of a reason\n}\n";
    let set = "[severity]\nunused-allowance = \"error\"\n";
    let folder = Folder::new("allowance_severity", &[("rely.toml", set), ("a.plato", text)]);
    folder.rely(&["check"]).exits(1).prints("error[unused-allowance]");
}

/// A project may name a baseline that is not there yet, and knows its findings from every folder.
#[test]
fn a_project_has_a_baseline() {
    let files = [("rely.toml", "baseline = \"b.json\"\n"), ("sub/a.plato", FAILS)];
    let folder = Folder::new("project_baseline", &files);
    folder.rely(&["check"]).exits(2).complains("cannot read the baseline");
    folder.rely(&["check", "--write-baseline", "b.json"]).exits(1);
    folder.rely(&["check"]).exits(0).prints("1 in the baseline");
    folder.below("sub").rely(&["check", "a.plato"]).exits(0);
}

#[test]
fn the_command_line_comes_first() {
    let text = "[check]\nengine = \"explore\"\n[define]\nN = 5\n";
    let program = "const N: int = 3;\nthread T { assert N == 5; }\n";
    let folder = Folder::new("first", &[("rely.toml", text), ("a.plato", program)]);
    folder.rely(&["check"]).exits(0);
    folder.rely(&["check", "-D", "N=6"]).exits(1);
    folder.rely(&["check", "--engine", "deductive", "--format", "json"]).prints("\"deduction\"");
    folder.rely(&["check", "--no-project", "a.plato"]).exits(1);
}

/// A change is seen, and the answer is about the new text.
#[test]
fn watch() {
    let folder = Folder::new("watch", &[("a.plato", HOLDS)]);
    let mut command = folder.command(&["watch", "a.plato"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut out = child.stdout.take().expect("a pipe");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = out.read(&mut bytes) {
            let _ = sender.send(String::from_utf8_lossy(&bytes[..count]).into_owned());
        }
    });
    let wait = |text: &str| {
        let begun = Instant::now();
        let mut seen = String::new();
        while !seen.contains(text) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no `{text}` in {seen}");
            seen += &receiver.recv_timeout(Duration::from_secs(60)).expect("more is printed");
        }
    };
    wait("a.plato: proved");
    folder.write("a.plato", FAILS.as_bytes());
    wait("a.plato: refuted");
    folder.write("a.plato", HOLDS.as_bytes());
    wait("a.plato: proved");
    folder.rely(&["watch", "--format", "json", "a.plato"]).exits(2).complains("shows text");
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
}
