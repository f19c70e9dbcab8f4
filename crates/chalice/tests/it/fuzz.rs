//! Every text is handled without panic, and soon.

use crate::programs::ALL;
use crate::support::checked;
use parsing::fuzz;
use parsing::testing::assert_sensible;

fn run(text: &str) {
    let (program, diagnostics) = checked(text);
    assert_sensible(text, &diagnostics);
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
