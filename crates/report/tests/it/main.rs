//! Views of a run that was made by hand.

mod html;

use diagnostic::{Code, Diagnostic, Style};
use driver::{Effort, FileReport, Notice, ObligationResult, ResultId, Run};
use serde_json::Value;
use source::{SourceMap, Span};
use verdict::{
    Confirmation, Lane, Lifeline, Message, MessageKind, Obligation, Sequence, Step, StepKind,
    StopReason, TaskKind, Trace, Verdict,
};

const TEXT: &str = "var x: int = 0;\nthread T { assert x == 1; }\n";

fn trace(file: source::FileId, confirmation: Confirmation) -> Trace {
    let span = Some(Span::new(file, 27, 41));
    let kind = StepKind::Violation;
    let step = Step { lane: 0, kind, span, text: String::new(), changes: Vec::new() };
    let lanes = vec![Lane { name: "T".to_owned() }];
    let initial = vec![("x".to_owned(), "0".to_owned())];
    Trace::new(lanes, initial, vec![step], confirmation)
}

fn result(file: source::FileId, verdict: Verdict) -> ObligationResult {
    let span = Span::new(file, 27, 41);
    ObligationResult {
        task: TaskKind::Thread.of("T"),
        obligation: Obligation::new(Code::AssertionFailed, span, "this assertion fails"),
        verdict,
        engine: "deduction",
        effort: Effort { asked: 3, remembered: 1, ..Effort::default() },
    }
}

/// One obligation that is refuted by a run, and one that is unknown although a run is shown.
fn run() -> Run {
    let mut sources = SourceMap::default();
    let file = sources.add("a.plato", TEXT);
    let refuting = trace(file, Confirmation::Confirmed);
    let missing = StopReason::Missing("no rely says what other threads do".to_owned());
    let results = vec![
        result(file, Verdict::Refuted(Box::new(refuting))),
        result(file, Verdict::Unknown(missing)),
    ];
    let notice = |code, about, run| Notice {
        diagnostic: Diagnostic::new(code, Span::new(file, 27, 41), "said"),
        about,
        run,
        allowed: None,
    };
    let other = Some(Box::new(trace(file, Confirmation::Open)));
    let notices = vec![
        notice(Code::AssertionFailed, Some(ResultId(0)), None),
        notice(Code::AnnotationMissing, Some(ResultId(1)), other),
        notice(Code::UnusedProcedure, None, None),
    ];
    let files = vec![FileReport::new(file, notices, results)];
    Run {
        sources,
        files,
        only: Vec::new(),
        unknown_options: Vec::new(),
        unfit_solver: None,
        unreadable: Vec::new(),
        known_as: std::collections::BTreeMap::new(),
    }
}

#[test]
fn the_document_links_its_parts() {
    let document: Value = serde_json::from_str(&report::json(&run())).expect("a document");
    let file = &document["files"][0];
    assert_eq!(file["traces"].as_array().map(Vec::len), Some(2));
    let links: Vec<(Value, Value, Value)> = file["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (one["code"].clone(), one["obligation"].clone(), one["trace"].clone()))
        .collect();
    let null = Value::Null;
    let expected = [
        ("assertion-failed".into(), 0.into(), 0.into()),
        ("annotation-missing".into(), 1.into(), 1.into()),
        ("unused-procedure".into(), null.clone(), null.clone()),
    ];
    assert_eq!(links, expected);
    let obligations = &file["obligations"];
    assert_eq!((&obligations[0]["trace"], &obligations[1]["trace"]), (&0.into(), &null));
    assert_eq!(file["traces"][1]["confirmation"], "open");
    assert_eq!(obligations[0]["asked"], 3);
    assert_eq!(obligations[1]["reason"]["kind"], "missing");
    let place = &obligations[0]["place"];
    assert_eq!((&place["line"], &place["column"]), (&2.into(), &12.into()));
    assert_eq!((&place["start"], &place["end"]), (&27.into(), &41.into()));
}

#[test]
fn the_text_shows_runs_where_they_belong() {
    let text = report::text(&run(), Style::Plain, usize::MAX);
    let pictures = text.matches("> 2 | assert x == 1;").count();
    assert_eq!(pictures, 2, "{text}");
    assert!(text.ends_with("a.plato: refuted (1 refuted, 1 unknown)\n"), "{text}");
}

#[test]
fn only_runs_with_messages_are_drawn() {
    let mut run = run();
    assert_eq!(report::sequence(&run), "");
    let lifeline = |name: &str, is_thread| Lifeline { name: name.to_owned(), is_thread };
    let sequence = Sequence {
        lifelines: vec![lifeline("a", true), lifeline("u", false)],
        messages: vec![Message {
            from: 0,
            to: 1,
            kind: MessageKind::Acquire,
            text: "acquire".to_owned(),
        }],
        circle: Vec::new(),
    };
    if let Verdict::Refuted(trace) = &mut run.files[0].results[0].verdict {
        trace.sequence = Some(Box::new(sequence));
    }
    let drawn = report::sequence(&run);
    assert!(drawn.contains("title a.plato: assertion-failed"), "{drawn}");
    assert!(drawn.contains("L0 -> L1 : acquire"), "{drawn}");
    assert!(report::svg(&run).contains(">acquire<"));
}
