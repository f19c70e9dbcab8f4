//! Conversations with the server, as an editor has them.

mod programs;
mod session;

use serde_json::{Value, json};
use session::Session;

const HASTY: &str = "\
var balance: int = 100;
mutex m;
rely m == tid ==> m' == m && balance' == balance;
invariant m == 0 ==> balance >= 0;
thread Withdraw[*] {
  var amount: int;
  assume amount > 0;
  if (balance >= amount) {
    acquire m;
    balance := balance - amount;
    release m;
  }
}
";

/// Codes and first lines of what is shown, in order of place.
fn shown(diagnostics: &Value) -> Vec<(String, u64)> {
    let all = diagnostics.as_array().expect("a list").iter();
    all.map(|one| {
        let code = one["code"].as_str().expect("a code").to_owned();
        (code, one["range"]["start"]["line"].as_u64().expect("a line"))
    })
    .collect()
}

#[test]
fn faults_of_the_text_come_first_and_verdicts_later() {
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", HASTY);
    assert_eq!(session.diagnostics("/a.plato"), json!([]), "before the check has ended");
    let told = session.diagnostics("/a.plato");
    assert_eq!(shown(&told), [("invariant-broken".to_owned(), 10)]);
    let related = told[0]["relatedInformation"].as_array().expect("other places");
    assert_eq!(related[0]["location"]["range"]["start"]["line"], 3, "the invariant");
    assert!(related.len() > 5, "and the steps of the run");
    session.change("/a.plato", (0, 4, 11), "stock");
    let told = session.diagnostics("/a.plato");
    assert_eq!(shown(&told)[0].0, "unknown-name");
    session.end();
}

/// What was told before an edit stays at its place and is greyed until the new check ends.
#[test]
fn old_findings_move_with_the_text() {
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", HASTY);
    session.diagnostics("/a.plato");
    session.diagnostics("/a.plato");
    session.change("/a.plato", (0, 0, 0), "// one\n// two\n");
    let told = session.diagnostics("/a.plato");
    assert_eq!(shown(&told), [("invariant-broken".to_owned(), 12)]);
    assert_eq!((&told[0]["tags"], &told[0]["severity"]), (&json!([1]), &json!(4)));
    let told = session.diagnostics("/a.plato");
    assert_eq!((&told[0]["tags"], &told[0]["severity"]), (&Value::Null, &json!(1)));
    session.end();
}

/// Only the last of many edits is answered; the checks of the others are cancelled.
#[test]
fn edits_cancel_checks() {
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", HASTY);
    for number in 0..20 {
        session.change("/a.plato", (0, 0, 0), &format!("// {number}\n"));
    }
    let told = session.diagnostics_of_version("/a.plato", 21);
    assert_eq!(shown(&told), [("invariant-broken".to_owned(), 30)]);
    session.end();
}

#[test]
fn lenses_say_what_is_known_of_a_body() {
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", HASTY);
    session.checked("/a.plato");
    let lenses = session
        .ask("textDocument/codeLens", json!({ "textDocument": { "uri": "file:///a.plato" } }));
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("lenses")
        .iter()
        .filter_map(|lens| lens["command"]["title"].as_str())
        .collect();
    assert_eq!(titles, ["6 proved, 1 refuted", "show run"]);
    let arguments = &lenses[1]["command"]["arguments"];
    let run = session.ask("rely/run", json!({ "uri": arguments[0], "notice": arguments[1] }));
    assert_eq!(run["run"]["confirmation"], "confirmed");
    assert_eq!(run["run"]["lanes"], json!(["Withdraw#1", "Withdraw#2"]));
    session.end();
}

#[test]
fn hover_tells_declarations_formulas_and_verdicts() {
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", HASTY);
    session.checked("/a.plato");
    let told = session.at("textDocument/hover", "/a.plato", (9, 6));
    let text = told["contents"]["value"].as_str().expect("a text");
    for part in ["var balance: int = 100;", "invariant m == 0 ==> balance >= 0;", "On this line: "]
        .into_iter()
        .chain(["`balance` has type `int`"])
    {
        assert!(text.contains(part), "no {part} in {text}");
    }
    session.end();
}

#[test]
fn names() {
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", HASTY);
    let told = session.at("textDocument/definition", "/a.plato", (9, 6));
    assert_eq!(told["range"]["start"], json!({ "line": 0, "character": 4 }));
    let found = session.at("textDocument/documentHighlight", "/a.plato", (5, 8));
    assert_eq!(found.as_array().map(Vec::len), Some(4), "amount");
    let symbols = session.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": "file:///a.plato" } }),
    );
    let names: Vec<&str> = symbols
        .as_array()
        .expect("symbols")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["balance", "m", "Withdraw"]);
    let rename = |session: &mut Session, name: &str| {
        session.try_ask(
            "textDocument/rename",
            json!({
                "textDocument": { "uri": "file:///a.plato" },
                "position": { "line": 5, "character": 8 },
                "newName": name,
            }),
        )
    };
    let edit = rename(&mut session, "sum").expect("an edit");
    assert_eq!(edit["changes"]["file:///a.plato"].as_array().map(Vec::len), Some(4));
    assert!(rename(&mut session, "balance").is_err_and(|why| why.contains("means something")));
    assert!(rename(&mut session, "a b").is_err_and(|why| why.contains("is no name")));
    session.end();
}

const RACE: &str = "\
class Hits {
    private int hits;

    synchronized int get() {
        return hits;
    }

    /** Counts. */
    void hit() {
        hits++;
    }
}
";

/// Each repair that is offered was tried: the finding is gone, and no other is new.
#[test]
fn repairs_are_tried_before_they_are_offered() {
    let mut session = Session::begin(json!({}));
    session.open("/Hits.java", RACE);
    let told = session.checked("/Hits.java");
    let race =
        told.as_array().expect("a list").iter().find(|one| one["range"]["start"]["line"] == 9);
    let range = race.expect("a race")["range"].clone();
    let actions = session.until(
        "textDocument/codeAction",
        &json!({
            "textDocument": { "uri": "file:///Hits.java" },
            "range": range,
            "context": { "diagnostics": [] },
        }),
    );
    assert_eq!(actions[0]["title"], "make `hit` synchronized");
    assert_eq!(actions[1]["title"], "wrap the statement in `synchronized (this)`");
    let edits = actions[1]["edit"]["changes"]["file:///Hits.java"].as_array().expect("edits");
    let texts: Vec<&str> = edits.iter().filter_map(|edit| edit["newText"].as_str()).collect();
    assert_eq!(texts, ["synchronized (this) { ", " }"]);
    let edit = &actions[0]["edit"]["changes"]["file:///Hits.java"][0];
    assert_eq!(edit["newText"], "synchronized ");
    assert_eq!(edit["range"]["start"], json!({ "line": 8, "character": 4 }));
    session.change("/Hits.java", (8, 4, 4), "synchronized ");
    assert_eq!(session.checked("/Hits.java"), json!([]));
    session.end();
}

/// What nobody wrote is shown between the lines; written into the text, it proves it.
#[test]
fn inferred_annotations_can_be_written() {
    let text = "\
mutex m;
var stock: int = 0;
thread Deliver[*] { acquire m; stock := stock + 10; release m; }
thread Sell[*] {
  acquire m;
  if (stock > 0) { stock := stock - 1; }
  assert stock >= 0;
  release m;
}
";
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", text);
    assert_eq!(session.checked("/a.plato"), json!([]));
    let about = json!({ "uri": "file:///a.plato" });
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints =
        session.ask("textDocument/inlayHint", json!({ "textDocument": about, "range": whole }));
    let labels: Vec<&str> =
        hints.as_array().expect("hints").iter().filter_map(|hint| hint["label"].as_str()).collect();
    assert!(labels.iter().any(|label| label.starts_with("invariant stock >= 0")), "{labels:?}");
    let actions = session.ask(
        "textDocument/codeAction",
        json!({
            "textDocument": about, "range": whole, "context": { "diagnostics": [] },
        }),
    );
    assert_eq!(actions[0]["title"], "write 2 inferred annotations into the text");
    let edits = actions[0]["edit"]["changes"]["file:///a.plato"].as_array().expect("edits");
    let lines: Vec<u64> =
        edits.iter().filter_map(|edit| edit["range"]["start"]["line"].as_u64()).collect();
    assert!(lines.iter().all(|line| *line == 2), "before the first thread: {lines:?}");
    session.end();
}

/// Locks of fields of Java are found, proved, and offered as annotations.
#[test]
fn locks_of_fields_can_be_written() {
    let text = RACE.replace("void hit", "synchronized void hit");
    let mut session = Session::begin(json!({}));
    session.open("/Hits.java", &text);
    assert_eq!(session.checked("/Hits.java"), json!([]));
    let nowhere = json!({ "line": 0, "character": 0 });
    let about = json!({
        "textDocument": { "uri": "file:///Hits.java" },
        "range": { "start": nowhere, "end": nowhere },
        "context": { "diagnostics": [] },
    });
    let actions = session.until("textDocument/codeAction", &about);
    assert_eq!(actions[0]["title"], "write the inferred annotation into the text");
    let edit = &actions[0]["edit"]["changes"]["file:///Hits.java"][0];
    assert_eq!(edit["newText"], "    //@GuardedBy(\"this\")\n");
    assert_eq!(edit["range"]["start"], json!({ "line": 1, "character": 0 }));
    session.end();
}

/// An edit in one file of a program makes old what is known of the others.
#[test]
fn files_of_a_program_are_checked_again_together() {
    let mut session = Session::begin(json!({}));
    session.open("/A.java", "class A { int n; synchronized void up() { n++; } }\n");
    session.checked("/A.java");
    session.open("/B.java", "class B { int f() { return 1; } }\n");
    session.checked("/B.java");
    // The other one was made old, and checked again.
    session.checked("/A.java");
    session.change("/A.java", (0, 10, 10), "/* more */ ");
    session.checked("/B.java");
    session.end();
}

#[test]
fn places_count_utf16() {
    let mut session = Session::begin(json!({}));
    session.open("/a.plato", "/* \u{1d11e} */ var x: int = 0; thread T { assert x == 1; }\n");
    let told = session.checked("/a.plato");
    assert_eq!(told[0]["range"]["start"]["character"], 36);
    session.end();
}

#[test]
fn without_a_solver_texts_are_read_all_the_same() {
    let mut session = Session::without_solver();
    let told = session.notified("window/showMessage");
    assert_eq!(told["message"], "nothing is verified: there is no solver");
    session.open("/a.plato", HASTY);
    let told = session.at("textDocument/definition", "/a.plato", (9, 6));
    assert_eq!(told["range"]["start"]["line"], 0);
    session.end();
}

#[test]
fn what_is_not_known_is_refused() {
    let mut session = Session::begin(json!({}));
    let told = session.try_ask("workspace/unheardOf", json!({}));
    assert!(told.is_err_and(|why| why.contains("is not known")));
    let nowhere = json!({ "textDocument": { "uri": "file:///none" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(session.ask("textDocument/hover", nowhere), Value::Null);
    session.end();
}
