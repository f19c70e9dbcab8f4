//! Programs of several files, and settings of projects.

use crate::session::{Session, alone};
use driver::{Input, Settings};
use lsp::Program;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const COUNTER: &str = "\
class Counter {
    private int count;
    synchronized void up(int by) { count = count + by; }
    synchronized int get() { return count; }
}
";
const USER: &str = "\
class User {
    final Counter all = new Counter();
    void use(int count) { all.up(count); }
}
";

/// A session in which the two files are one program.
fn session() -> Session {
    Session::of(|input, options| {
        let files = [("/p/Counter.java", COUNTER), ("/p/User.java", USER)];
        let others = files.iter().filter(|(name, _)| *name != input.name);
        let other = |(name, text): &(&str, &str)| Input {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        };
        Ok(Program { others: others.map(other).collect(), ..alone(options) })
    })
}

fn place(value: &Value) -> (&str, u64, u64) {
    let start = &value["range"]["start"];
    let numbers = (start["line"].as_u64(), start["character"].as_u64());
    (value["uri"].as_str().expect("a file"), numbers.0.expect("a line"), numbers.1.expect("one"))
}

fn rename(
    session: &mut Session,
    (line, character): (u32, u32),
    name: &str,
) -> Result<Value, String> {
    session.try_ask(
        "textDocument/rename",
        json!({
            "textDocument": { "uri": "file:///p/User.java" },
            "position": { "line": line, "character": character },
            "newName": name,
        }),
    )
}

#[test]
fn names_mean_something_in_other_files() {
    let mut session = session();
    session.open("/p/User.java", USER);
    let told = session.at("textDocument/definition", "/p/User.java", (2, 31));
    assert_eq!(place(&told), ("file:///p/Counter.java", 2, 22), "up");
    let told = session.at("textDocument/definition", "/p/User.java", (1, 11));
    assert_eq!(place(&told), ("file:///p/Counter.java", 0, 6), "Counter");
    // The parameter is not the field of the other file.
    let told = session.at("textDocument/definition", "/p/User.java", (2, 35));
    assert_eq!(place(&told), ("file:///p/User.java", 2, 17), "count");
    let told = session.at("textDocument/references", "/p/User.java", (2, 31));
    let all: Vec<_> = told.as_array().expect("a list").iter().map(place).collect();
    assert_eq!(all, [("file:///p/User.java", 2, 30), ("file:///p/Counter.java", 2, 22)]);
    let told = session.at("textDocument/hover", "/p/User.java", (2, 27));
    let text = told["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("`all` has type `Counter`"), "{text}");
    let told = session.at("textDocument/hover", "/p/User.java", (2, 31));
    let text = told["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("synchronized void up(int by)"), "{text}");
    session.end();
}

#[test]
fn names_are_renamed_in_all_files_or_not_at_all() {
    let mut session = session();
    session.open("/p/User.java", USER);
    let edit = rename(&mut session, (2, 31), "raise").expect("an edit");
    let edits = edit["changes"].as_object().expect("files");
    assert_eq!(edits.len(), 2);
    assert!(edits.values().all(|all| all.as_array().is_some_and(|all| all.len() == 1)), "{edit}");
    let refused = rename(&mut session, (1, 11), "Sum").expect_err("a class");
    assert!(refused.contains("the name of its file"), "{refused}");
    let refused = rename(&mut session, (2, 31), "get").expect_err("it is taken");
    assert!(refused.contains("means something in"), "{refused}");
    session.end();
}

/// Warnings that the project turns off are not told; if it cannot be understood, nothing is.
#[test]
fn settings_of_projects_count() {
    let text = "var x: int = 0;\nrely true;\nthread T { x := 1; }\n";
    let mut session = Session::of(|input, options| {
        if input.text.contains("broken") {
            return Err("rely.toml: there is no code `trivial`".to_owned());
        }
        let code = diagnostic::Code::TrivialRely;
        let settings = Settings {
            severities: BTreeMap::from([(code, driver::Level::Off)]),
            ..Settings::default()
        };
        let wanted = input.text.contains("quiet").then(|| (input.name.clone(), settings));
        let mut program = alone(options);
        program.settings = format!("{}", wanted.is_some());
        program.options.settings = Arc::new(wanted.into_iter().collect());
        Ok(program)
    });
    session.open("/a.plato", text);
    let told = session.checked("/a.plato");
    assert_eq!(told[0]["code"], "trivial-rely", "{told}");
    session.change("/a.plato", (0, 0, 0), "/* quiet */ ");
    assert_eq!(session.checked("/a.plato"), json!([]));
    session.change("/a.plato", (0, 0, 0), "/* broken */ ");
    let told = session.notified("window/showMessage");
    assert_eq!(told["message"], "nothing is verified: rely.toml: there is no code `trivial`");
    session.end();
}

/// An annotation that is offered was tried: the assertion holds with it.
#[test]
fn annotations_that_are_missing_are_offered() {
    let text = "\
var count: int = 0;
thread Up[*] { atomic { count := count + 1; } }
thread Watch {
  var seen: int := count;
  assert count >= seen;
}
";
    let mut session = Session::begin(json!({ "inferBudget": 0 }));
    session.open("/a.plato", text);
    let told = session.checked("/a.plato");
    let range = told[0]["range"].clone();
    let about = json!({
        "textDocument": { "uri": "file:///a.plato" },
        "range": range,
        "context": { "diagnostics": [] },
    });
    let actions = session.until("textDocument/codeAction", &about);
    let titles: Vec<&str> = actions
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["title"].as_str())
        .collect();
    assert!(titles.contains(&"add `rely count' >= count`"), "{titles:?}");
    assert!(!titles.contains(&"add `rely count' <= count`"), "{titles:?}");
    session.end();
}
