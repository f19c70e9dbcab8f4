//! Every text is handled without panic, and soon.

use crate::programs::ALL;
use crate::round_trip::tree;
use crate::support::parsed;
use parsing::fuzz;
use parsing::testing::assert_sensible;

/// Parses, resolves and prints; if the text is right, printing must be a round trip.
fn run(text: &str) {
    let (file, diagnostics) = parsed(text);
    let resolved = plato::resolve(&file, &[("N".into(), "4".into()), ("K".into(), "x".into())]);
    assert_sensible(text, diagnostics.iter().chain(&resolved.diagnostics));
    let printed = plato::print(&file);
    if diagnostics.is_empty() {
        let (again, diagnostics) = parsed(&printed);
        assert!(diagnostics.is_empty(), "{text}\n---\n{printed}\n{diagnostics:?}");
        assert_eq!(tree(&file), tree(&again), "{text}\n---\n{printed}");
        assert_eq!(plato::print(&again), printed);
    }
}

#[test]
fn random_bytes() {
    fuzz::random_bytes(run);
}

#[test]
fn token_soup() {
    let starts = ["", "thread T { "];
    let more = "{ } ( ) [ ] ; : :: := = ==> => ' .. & | ++ /* */ // \n \
        forall if else thread while atomic {} 0 99999999999999999999999999999999999999999";
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
