//! `rely check --format json`. Keys stay; new ones may come.

use crate::support::{FAILS, Folder, HOLDS, REJECTED};
use serde_json::Value;

fn document(name: &str, text: &str, code: i32) -> Value {
    document_with(&[], name, text, code)
}

fn document_with(options: &[&str], name: &str, text: &str, code: i32) -> Value {
    let folder = Folder::new(&format!("json-{name}"), &[("a.plato", text)]);
    let arguments = [&["check", "--format", "json", "a.plato"], options].concat();
    let outcome = folder.rely(&arguments).exits(code).quietly();
    serde_json::from_str(&outcome.out).expect("standard output is one JSON document")
}

#[track_caller]
fn has_keys(value: &Value, keys: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("not an object: {value}"));
    for key in keys {
        assert!(object.contains_key(*key), "no `{key}` in {value}");
    }
}

/// The run that something points to.
fn trace_of<'v>(file: &'v Value, about: &Value) -> &'v Value {
    let number = about["trace"].as_u64().expect("a number");
    &file["traces"][usize::try_from(number).expect("a small number")]
}

const PLACE: &[&str] = &["line", "column", "end_line", "end_column"];

#[test]
fn of_a_refutation() {
    let document = document("refuted", FAILS, 1);
    has_keys(&document, &["format", "exit_code", "unknown_options", "only", "files"]);
    assert_eq!((&document["format"], &document["exit_code"]), (&2.into(), &1.into()));
    let file = &document["files"][0];
    has_keys(file, &["name", "language", "status", "diagnostics", "obligations", "traces"]);
    assert_eq!((&file["name"], &file["status"]), (&"a.plato".into(), &"refuted".into()));
    let diagnostic = &file["diagnostics"][0];
    let keys = ["code", "severity", "message", "place", "label", "related", "notes", "help"];
    has_keys(diagnostic, &keys);
    has_keys(&diagnostic["place"], PLACE);
    assert_eq!(diagnostic["code"], "assertion-failed");
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["place"]["line"], 2);
    let refuted = |obligation: &&Value| obligation["verdict"] == "refuted";
    let obligations = file["obligations"].as_array().expect("a list");
    let obligation = obligations.iter().find(refuted).expect("a refuted obligation");
    let keys = ["task", "code", "place", "declared", "verdict", "evidence", "reason", "trace"];
    has_keys(obligation, &keys);
    assert_eq!(obligation["task"]["kind"], "thread");
    assert_eq!(obligation["task"]["name"], "Count");
    assert_eq!(obligation["engine"], "deduction");
    let trace = trace_of(file, obligation);
    assert_eq!(trace, trace_of(file, diagnostic));
    has_keys(trace, &["confirmation", "lanes", "initial", "steps", "calls", "heap", "sequence"]);
    let steps = trace["steps"].as_array().expect("a list");
    steps.iter().for_each(|step| has_keys(step, &["lane", "kind", "place", "text", "changes"]));
    assert_eq!(steps.last().expect("a step")["kind"], "violation");
}

#[test]
fn of_a_proof() {
    let document = document("proved", HOLDS, 0);
    let file = &document["files"][0];
    assert_eq!(file["status"], "proved");
    assert_eq!(file["diagnostics"], Value::Array(Vec::new()));
    for obligation in file["obligations"].as_array().expect("a list") {
        assert_eq!(obligation["verdict"], "proved");
        assert!(obligation["evidence"]["kind"].is_string(), "{obligation}");
        assert!(obligation["trace"].is_null(), "{obligation}");
    }
}

#[test]
fn of_a_rejection() {
    let document = document("rejected", REJECTED, 3);
    assert_eq!(document["files"][0]["status"], "rejected");
    assert_eq!(document["files"][0]["diagnostics"][0]["code"], "unknown-name");
    assert_eq!(document["files"][0]["obligations"], Value::Array(Vec::new()));
}

/// The exit code in the document is the one of the process, also if a file is missing.
#[test]
fn of_a_missing_file() {
    let folder = Folder::new("json-missing", &[("a.plato", HOLDS)]);
    let words = ["check", "--format", "json", "a.plato", "missing.plato"];
    let outcome = folder.rely(&words).exits(3);
    let document: Value = serde_json::from_str(&outcome.out).expect("one JSON document");
    assert_eq!(document["exit_code"], 3);
    let unreadable = document["unreadable"][0].as_str().expect("a message");
    assert!(unreadable.starts_with("missing.plato: "), "{unreadable}");
    let outcome = folder.rely(&["check", "--format", "json", "missing.plato"]).exits(3);
    let document: Value = serde_json::from_str(&outcome.out).expect("one JSON document");
    assert_eq!(document["files"], Value::Array(Vec::new()));
}

/// Every refutation says whether it is real.
#[test]
fn of_open_questions() {
    let confirmed = document("confirmed", FAILS, 1);
    let file = &confirmed["files"][0];
    let trace = trace_of(file, &file["obligations"][0]);
    assert_eq!(trace["confirmation"], "confirmed");
    let text = "mutex m;\nvar x: int = 0;\nrely m == tid ==> m' == m;\n\
        thread A { acquire m; x := 1; assert x == 1; release m; }\n\
        thread B[*] { acquire m; x := 2; release m; }\n";
    let open = document_with(&["--no-infer"], "open", text, 1);
    let obligations = open["files"][0]["obligations"].as_array().expect("a list");
    let refuted = obligations.iter().find(|one| one["verdict"] == "refuted").expect("refuted");
    assert_eq!(trace_of(&open["files"][0], refuted)["confirmation"], "open");
    assert_eq!(open["files"][0]["inferred"], serde_json::json!([]));
    let completed = document("completed", text, 0);
    let expected = serde_json::json!(["rely m == tid ==> x' == x;"]);
    assert_eq!(completed["files"][0]["inferred"], expected);
}

#[test]
fn of_definitions() {
    let folder = Folder::new("json-definitions", &[("a.plato", HOLDS)]);
    let outcome = folder.rely(&["check", "--format", "json", "-D", "N=1", "a.plato"]).exits(3);
    let document: Value = serde_json::from_str(&outcome.out).expect("one JSON document");
    assert_eq!(document["unknown_options"][0], "no input declares a constant `N`");
}
