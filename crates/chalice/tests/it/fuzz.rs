//! Whatever the text: no panic, and done soon.

use crate::programs::ALL;
use crate::support::checked;
use parsing::fuzz;

fn run(text: &str) {
    let (program, diagnostics) = checked(text);
    let end = u32::try_from(text.len()).expect("a short text");
    for diagnostic in &diagnostics {
        let span = diagnostic.primary.span;
        assert!(span.start <= span.end && span.end <= end, "{diagnostic:?} in\n{text}");
        assert_ne!(diagnostic.code.as_str(), "internal-error", "{text}");
    }
    drop(program);
}

#[test]
fn random_bytes() {
    fuzz::random_bytes(run);
}

#[test]
fn token_soup() {
    let starts = ["", "class C { ", "class C { method m() { ", "class C { predicate P { "];
    let more = "{ } ( ) [ ] := ==> .. & /* */ \" ' 9999999";
    fuzz::token_soup(&starts, ALL, more, run);
}

#[test]
fn mutated_programs() {
    fuzz::mutated_programs(ALL, run);
}

#[test]
fn every_prefix() {
    fuzz::prefixes(ALL, run);
}
