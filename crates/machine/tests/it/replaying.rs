//! Looking for one fault.

use crate::program;
use machine::{Replay, Request, Sizes, replay};
use search::Budget;
use source::Span;

fn search(text: &str, code: &str, place: &str, states: u64) -> Replay {
    let (program, sources) = program(text);
    let start = text.find(place).expect("the place is in the text");
    let (file, _) = sources.files().next().expect("a file");
    let number = |at: usize| u32::try_from(at).expect("a short text");
    let span = Span::new(file, number(start), number(start + place.len()));
    let request = Request { budget: Budget { states, ..Budget::default() }, ..Request::default() };
    replay(&program, (code, span), &Sizes::default(), &request)
}

const TEXT: &str =
    "var x: int = 0; invariant x < 3; thread T { x := 1; assert x == 1; assert x > 0; x := 3; }
    thread U { x := 2; }";

#[test]
fn found_or_not() {
    let found = search(TEXT, "assertion-failed", "assert x == 1", 1000);
    let Replay::Found(violation) = found else { panic!("{found:?}") };
    assert_eq!(violation.trace.steps.len(), 3);
    assert!(matches!(
        search(TEXT, "assertion-failed", "assert x > 0", 1000),
        Replay::Exhausted { .. }
    ));
    assert!(matches!(search(TEXT, "assertion-failed", "assert x > 0", 3), Replay::Budget(_)));
}

#[test]
fn an_invariant_by_statement_or_by_declaration() {
    for place in ["x := 3", "invariant x < 3"] {
        assert!(matches!(search(TEXT, "invariant-broken", place, 1000), Replay::Found(_)));
    }
    let other = search(TEXT, "invariant-broken", "x := 1", 1000);
    assert!(matches!(other, Replay::Exhausted { .. }));
}

#[test]
fn copies_are_added_until_it_happens() {
    let text = "var x: int = 0; thread T[*] { x := x + 1; assert x < 3; }";
    assert!(matches!(search(text, "assertion-failed", "assert x < 3", 9999), Replay::Found(_)));
    let text = "var x: int = 0; thread T[*] { x := x + 1; assert x < 9; }";
    assert!(matches!(search(text, "assertion-failed", "assert x < 9", 9999), Replay::Budget(_)));
}
