//! Drawn designs have the same states as their texts.

use crate::naive::{counts, system};
use contract::{Policy, read_diagrams};
use source::SourceMap;

fn drawn(text: &str) -> contract::Read {
    let mut sources = SourceMap::default();
    read_diagrams(sources.add("design.puml", text), text)
}

fn check(diagrams: &str, text: &str) {
    let drawn = drawn(diagrams);
    assert!(drawn.diagnostics.is_empty(), "{:?}", drawn.diagnostics);
    let written = system(text, &[]);
    for policy in Policy::ALL {
        let (left, right) =
            (counts(&drawn.systems[0], policy, None), counts(&written, policy, None));
        assert_eq!(left, right, "{} {policy}", written.name);
    }
}

#[test]
fn twins() {
    check(
        include_str!("../../../../examples/szumo/diagrams/philosophers.puml"),
        include_str!("../../../../examples/szumo/philosophers/at-once.szumo"),
    );
    check(
        include_str!("../../../../examples/szumo/diagrams/model-view.puml"),
        include_str!("../../../../examples/szumo/clients/model-view.szumo"),
    );
    check(
        include_str!("../../../../examples/szumo/diagrams/transfer.puml"),
        include_str!("../../../../examples/szumo/bank/transfer-in-steps.szumo"),
    );
    check(
        include_str!("../../../../examples/szumo/diagrams/readers-writers.puml"),
        include_str!("../../../../examples/szumo/clients/readers-writers.szumo"),
    );
}

#[test]
fn texts_with_a_line_less() {
    let text = include_str!("../../../../examples/szumo/diagrams/transfer.puml");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for left_out in 0..lines.len() {
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != left_out);
        drawn(&kept.map(|(_, line)| *line).collect::<String>());
    }
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        drawn(&text[..end]);
    }
}
