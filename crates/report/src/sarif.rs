//! The run as a SARIF 2.1.0 log, for services that show findings beside the code.
//!
//! A run of the program is a code flow with one thread flow for each lane; `executionOrder` says
//! how they interleave. What is unknown has the kind `open`, which is what the format calls an
//! analysis without an answer.

use crate::lanes::{changes, one_line};
use diagnostic::{Code, Diagnostic, Severity};
use driver::{Allowed, Finding, Notice, Run, findings};
use serde_json::{Map, Value, json};
use source::{SourceMap, Span};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use verdict::{Step, StepKind, Trace};

/// The name under which fingerprints are kept in the log.
const FINGERPRINT: &str = "rely/v1";

/// The log, ending in a newline. `page` is the documentation of a code, in Markdown.
pub fn sarif(run: &Run, version: &str, page: &dyn Fn(Code) -> Option<&'static str>) -> String {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Rely",
                "semanticVersion": version,
                "rules": Code::ALL.iter().map(|code| rule(*code, page(*code))).collect::<Value>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(run)],
            "artifacts": run.sources.files().map(|(_, file)| json!({
                "location": { "uri": uri(&file.name) },
                "roles": ["analysisTarget"],
            })).collect::<Value>(),
            "results": results(run),
        }],
    });
    let mut text =
        serde_json::to_string_pretty(&log).expect("internal error: plain data serializes");
    text.push('\n');
    text
}

fn rule(code: Code, page: Option<&str>) -> Value {
    let info = code.info();
    let mut rule = json!({
        "id": code.as_str(),
        "shortDescription": { "text": info.summary },
        "defaultConfiguration": { "level": level(info.severity) },
    });
    if let Some(page) = page {
        rule["help"] = json!({ "text": page, "markdown": page });
    }
    rule
}

/// An answer that could not be given at all is told of the run, not of a place in a file.
fn invocation(run: &Run) -> Value {
    let told = crate::about_run(run).into_iter();
    let told = told.map(|text| json!({ "level": "error", "message": { "text": text } }));
    json!({
        "executionSuccessful": run.exit_code() != 101,
        "exitCode": run.exit_code(),
        "toolExecutionNotifications": told.collect::<Value>(),
    })
}

fn results(run: &Run) -> Value {
    let all = findings(run);
    let files = run.files.iter().zip(&all);
    let results = files.flat_map(|(file, findings)| {
        let notices = file.notices.iter().zip(findings);
        notices.map(|(notice, finding)| result(notice, finding, file.run_of(notice), &run.sources))
    });
    results.collect()
}

fn result(notice: &Notice, finding: &Finding, trace: Option<&Trace>, sources: &SourceMap) -> Value {
    let told = &notice.diagnostic;
    let kind = if told.severity == Severity::Unknown { "open" } else { "fail" };
    let related = told.secondary.iter().map(|label| location(label.span, &label.text, sources));
    let mut result = json!({
        "ruleId": told.code.as_str(),
        "ruleIndex": Code::ALL.iter().position(|code| *code == told.code),
        "kind": kind,
        "level": level(told.severity),
        "message": { "text": message(told) },
        "locations": [location(told.primary.span, &told.primary.text, sources)],
        "relatedLocations": related.collect::<Value>(),
        "partialFingerprints": { FINGERPRINT: finding.fingerprint },
    });
    if let Some(trace) = trace.filter(|trace| !trace.lanes.is_empty()) {
        result["codeFlows"] = json!([code_flow(trace, told.primary.span, sources)]);
    }
    match &notice.allowed {
        Some(Allowed::Comment { reason }) => {
            let told = json!({ "kind": "inSource", "status": "accepted", "justification": reason });
            result["suppressions"] = json!([told]);
        }
        Some(Allowed::Baseline | Allowed::Settings) => {
            result["suppressions"] = json!([{ "kind": "external", "status": "accepted" }]);
        }
        None => {}
    }
    result
}

fn message(told: &Diagnostic) -> String {
    let mut text = told.message.clone();
    for note in &told.notes {
        let _ = write!(text, "\n{note}");
    }
    for help in &told.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    text
}

/// The level of a result that is no failure has to be `none`.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Unknown => "none",
        Severity::Warning => "warning",
    }
}

/// One thread flow for each lane with steps. A step without a place of its own happens where the
/// run ends.
fn code_flow(trace: &Trace, end: Span, sources: &SourceMap) -> Value {
    let flows = trace.lanes.iter().enumerate().filter_map(|(at, lane)| {
        let steps = (1..).zip(&trace.steps).filter(|(_, step)| step.lane == at);
        let steps: Vec<Value> =
            steps.map(|(order, step)| flow_location(order, step, end, sources)).collect();
        (!steps.is_empty()).then(|| {
            json!({
                "id": format!("{at} {}", lane.name),
                "message": { "text": lane.name },
                "initialState": state(trace.initial.iter().map(|(name, value)| (name, value))),
                "locations": steps,
            })
        })
    });
    json!({
        "message": { "text": trace.confirmation.word() },
        "threadFlows": flows.collect::<Value>(),
    })
}

fn flow_location(order: usize, step: &Step, end: Span, sources: &SourceMap) -> Value {
    let is_end = step.kind == StepKind::Violation;
    let span = step.span.unwrap_or(end);
    json!({
        "location": location(span, &step_text(step, sources), sources),
        "executionOrder": order,
        "importance": if is_end { "essential" } else { "important" },
        "state": state(step.changes.iter().map(|change| (&change.name, &change.new))),
    })
}

fn step_text(step: &Step, sources: &SourceMap) -> String {
    let statement = step.span.map(|span| one_line(sources, span, usize::MAX)).unwrap_or_default();
    let mut parts = vec![statement, step.text.clone()];
    match step.kind {
        StepKind::Environment => parts.push("a step that the relies allow".to_owned()),
        StepKind::LoopHead => parts.push("some iterations".to_owned()),
        StepKind::Statement | StepKind::Violation => {}
    }
    parts.push(changes(step).join(", "));
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

fn state<'a>(values: impl Iterator<Item = (&'a String, &'a String)>) -> Value {
    // Later values of one name replace earlier ones.
    let values: BTreeMap<&String, &String> = values.collect();
    let texts = values.into_iter().map(|(name, value)| (name.clone(), json!({ "text": value })));
    Value::Object(texts.collect::<Map<String, Value>>())
}

fn location(span: Span, text: &str, sources: &SourceMap) -> Value {
    let file = sources.file(span.file);
    let (line, column) = file.line_column(span.start);
    let (end_line, end_column) = file.line_column(span.end);
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&file.name), "index": span.file.0 },
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        },
    });
    if !text.is_empty() {
        location["message"] = json!({ "text": text });
    }
    location
}

/// The name of a file as a reference: relative as it was given, or with `file:`.
pub fn uri(name: &str) -> String {
    let name = name.replace('\\', "/");
    let name = name.strip_prefix("./").unwrap_or(&name);
    let mut uri = String::new();
    if name.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_are_references() {
        assert_eq!(uri("./src/a b.java"), "src/a%20b.java");
        assert_eq!(uri("/tmp/é.plato"), "file:///tmp/%C3%A9.plato");
        assert_eq!(uri("src\\a.plato"), "src/a.plato");
        assert_eq!(uri("<standard input>"), "%3Cstandard%20input%3E");
    }
}
