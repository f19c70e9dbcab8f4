//! Inference on random programs without their annotations, `cargo run --release --package testkit
//! --example infer -- 1000 0 1.5` (how many, from which seed on, seconds for each), or on proved
//! examples of Plato without one annotation at a time and without all, `.. --example infer --
//! examples`; the same for invariants of loops of examples of Chalice with `-- chalice`.
#![expect(clippy::print_stdout, reason = "a developer tool talks to its user")]

use driver::{Language, Status};
use std::ops::Range;
use std::time::Duration;
use testkit::inference::{
    InferenceTally, annotations_of, checked, infer_random, loop_annotations_of, without,
};
use testkit::{load_examples, repository};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("examples") => return examples("plato", Language::Plato, annotations_of),
        Some("chalice") => return examples("chalice", Language::Chalice, loop_annotations_of),
        _ => {}
    }
    let number = |at: usize| arguments.get(at)?.parse().ok();
    let (count, first): (u64, u64) = (number(0).unwrap_or(100), number(1).unwrap_or(0));
    let budget = arguments.get(2).and_then(|seconds| seconds.parse().ok()).unwrap_or(3.0);
    random(first..first + count, Duration::from_secs_f64(budget));
}

/// What becomes of random programs; said as it goes, since many take long.
fn random(seeds: Range<u64>, budget: Duration) {
    const MANY: usize = 20;
    let mut tally = InferenceTally::default();
    let all: Vec<u64> = seeds.collect();
    for some in all.chunks(MANY) {
        tally += infer_random(some.iter().copied(), budget);
        println!("up to seed {}: {tally:?}", some[some.len() - 1]);
    }
}

/// How many annotations of proved examples are found again.
fn examples(name: &str, language: Language, annotations_of: fn(&str) -> Vec<Range<usize>>) {
    let budget = Duration::from_secs(10);
    let folder = repository().join("examples").join(name);
    let (mut single, mut single_found, mut whole, mut whole_found) = (0, 0, 0, 0);
    for example in load_examples(&folder, &[language]) {
        let header = &example.annotations.header;
        let (name, text) = (&example.input.name, &example.input.text);
        let is_usual = header.engine.is_none() && header.inferred.is_none();
        let annotations = annotations_of(text);
        if !is_usual || header.proved.is_none() || annotations.is_empty() {
            continue;
        }
        let is_proved = |bare: &str| checked(name, bare, budget).status == Status::Proved;
        if !is_proved(text) {
            continue;
        }
        let found = annotations
            .iter()
            .filter(|range| is_proved(&without(text, &[(*range).clone()])))
            .count();
        single += annotations.len();
        single_found += found;
        let all = is_proved(&without(text, &annotations));
        whole += 1;
        whole_found += usize::from(all);
        println!("{name}: {found} of {} singly, all at once: {all}", annotations.len());
    }
    println!("singly: {single_found} of {single}; all at once: {whole_found} of {whole}");
}
