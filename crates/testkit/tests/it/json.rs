//! Statuses and exit codes computed a second time, from nothing but the document for programs.

use crate::schema::Schema;
use crate::usual::usual;
use diagnostic::Code;
use serde_json::{Value, json};

fn texts<'v>(values: &'v Value, key: &str) -> Vec<&'v str> {
    let all = values.as_array().expect("a list");
    all.iter().map(|one| one[key].as_str().expect("a text")).collect()
}

/// The status that follows from the obligations and diagnostics of a file.
fn status(file: &Value) -> &'static str {
    let verdicts = texts(&file["obligations"], "verdict");
    let codes = texts(&file["diagnostics"], "code");
    let is_rejected =
        |code: &&str| Code::find(code).expect("a code of the registry").info().rejects_input;
    if codes.contains(&"internal-error") {
        "internal-error"
    } else if verdicts.contains(&"refuted") {
        "refuted"
    } else if codes.iter().any(is_rejected) {
        "rejected"
    } else if verdicts.contains(&"unknown") {
        "unknown"
    } else if verdicts.is_empty() {
        "nothing-to-verify"
    } else {
        "proved"
    }
}

/// The exit code of a run with these statuses: the worst decides.
fn exit_code(statuses: &[&str]) -> u64 {
    let order = [
        ("internal-error", 101),
        ("refuted", 1),
        ("rejected", 3),
        ("unknown", 5),
        ("nothing-to-verify", 4),
        ("proved", 0),
    ];
    let worst = order.into_iter().find(|(status, _)| statuses.contains(status));
    worst.expect("one of the statuses").1
}

/// The run that something points to.
fn trace_of<'v>(file: &'v Value, about: &Value) -> Option<&'v Value> {
    file["traces"].get(usize::try_from(about["trace"].as_u64()?).ok()?)
}

/// The fault of a diagnostic, if any: an error or an unknown of an accepted file is about an
/// obligation with the same verdict, and shows its run.
fn loose_end(file: &Value, diagnostic: &Value) -> Option<String> {
    let number = diagnostic["obligation"].as_u64().and_then(|at| usize::try_from(at).ok());
    let about = number.and_then(|at| file["obligations"].get(at));
    let is_right = match diagnostic["severity"].as_str()? {
        "error" if file["status"] == "rejected" => about.is_none(),
        "error" => about.is_some_and(|about| {
            about["verdict"] == "refuted" && about["trace"] == diagnostic["trace"]
        }),
        "unknown" => about.is_some_and(|about| about["verdict"] == "unknown"),
        _ => true,
    };
    (!is_right).then(|| diagnostic.to_string())
}

/// The fault of one obligation, if any: a refuted one has a run, a proved one evidence, and an
/// unknown one a reason.
fn complaint(file: &Value, obligation: &Value) -> Option<String> {
    let has = |key: &str| !obligation[key].is_null();
    let expected = match obligation["verdict"].as_str().expect("a verdict") {
        "proved" => (true, false, false),
        "unknown" => (false, true, false),
        "refuted" => (false, false, true),
        other => return Some(format!("the verdict is {other}")),
    };
    let confirmation = trace_of(file, obligation).and_then(|run| run["confirmation"].as_str());
    let is_known = |word: &str| ["confirmed", "excluded", "open"].contains(&word);
    let is_wrong = (has("evidence"), has("reason"), has("trace")) != expected
        || confirmation.is_some_and(|word| !is_known(word))
        || has("trace") && confirmation.is_none();
    is_wrong.then(|| format!("{obligation}"))
}

/// The published schema.
fn schema() -> Schema {
    let path = testkit::repository().join("docs/format.schema.json");
    let text = testkit::read(&path);
    Schema::new(&serde_json::from_str(&text).expect("the schema is JSON"))
}

/// Every document follows the published schema, no key more and no key less.
#[test]
fn documents_follow_the_schema() {
    let schema = schema();
    for (_, run) in &usual().runs {
        let document: Value = serde_json::from_str(&report::json(run)).expect("a document");
        assert_eq!(schema.fault(&document), None);
    }
}

#[test]
fn the_schema_refuses_wrong_documents() {
    let schema = schema();
    let right = json!({
        "format": 2,
        "exit_code": 4,
        "unknown_options": [],
        "unreadable": [],
        "unfit_solver": null,
        "only": [],
        "files": [],
    });
    assert_eq!(schema.fault(&right), None);
    let check = |key: &str, value: Value, expected: &str| {
        let mut wrong = right.clone();
        wrong[key] = value;
        let fault = schema.fault(&wrong).expect("a wrong document");
        assert!(fault.contains(expected), "{fault}");
    };
    check("format", json!(3), "/format: 3 instead of");
    check("exit_code", json!(2), "/exit_code: 2 instead of");
    check("files", json!({}), "/files: {} instead of");
    check("only", json!(["a", 1]), "/only/1: 1 instead of");
    check("other", json!(1), "unknown key `other`");
    check("files", json!([{}]), "/files/0: no key `name`");
    let missing = schema.fault(&json!({ "format": 2, "files": [] }));
    assert_eq!(missing.as_deref(), Some(": no key `exit_code`"));
}

#[test]
fn statuses_follow_from_the_document() {
    let mut seen = std::collections::BTreeSet::new();
    for (_, run) in &usual().runs {
        let document: Value = serde_json::from_str(&report::json(run)).expect("a document");
        let files = document["files"].as_array().expect("files");
        let mut statuses = Vec::new();
        for file in files {
            let computed = status(file);
            assert_eq!(file["status"], computed, "{}", file["name"]);
            for obligation in file["obligations"].as_array().expect("obligations") {
                assert_eq!(complaint(file, obligation), None, "{}", file["name"]);
                let run = trace_of(file, obligation);
                seen.extend(run.and_then(|run| run["confirmation"].as_str()).map(str::to_owned));
            }
            for diagnostic in file["diagnostics"].as_array().expect("diagnostics") {
                assert_eq!(loose_end(file, diagnostic), None, "{}", file["name"]);
            }
            statuses.push(computed);
        }
        assert_eq!(document["exit_code"], exit_code(&statuses));
    }
    assert_eq!(seen.len(), 3, "not every kind of trace is there: {seen:?}");
}
