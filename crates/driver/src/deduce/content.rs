//! Programs that were proved before and are the same but for places: nothing is asked again.
//!
//! All that a proof depends on stands in the program that it is about; places matter only in that
//! two of them are the same or not. So programs that differ in nothing but places, which correspond
//! one to one, have one proof, and its results stand at the places that correspond.

use crate::analysis::Context;
use crate::findings::Findings;
use source::{FileId, Span};
use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::sync::Mutex;

/// For how many checks that do not meet a program its proof is kept.
const KEPT: u64 = 20;

/// A program with everything else that findings about it depend on.
pub(crate) struct Content {
    /// What it says, without places.
    key: String,
    /// Its places, in the order in which they come first.
    places: Vec<Span>,
}

/// Programs that were proved, by what they say.
#[derive(Default)]
pub(crate) struct Contents(Mutex<Proofs>);

#[derive(Default)]
struct Proofs {
    /// How many checks were begun.
    checks: u64,
    by_content: BTreeMap<String, Proof>,
}

struct Proof {
    places: Vec<Span>,
    findings: Findings,
    /// The check that met it last.
    met: u64,
}

impl Content {
    /// What all of this says. Parts that show the same are the same.
    pub(crate) fn of(parts: &dyn Debug, context: &Context<'_>) -> Self {
        let (text, places) = without_places(&format!("{parts:?}"));
        let options = context.options;
        let chosen = format!("{} {}", options.of_deduction(), options.strict);
        Self { key: smt::key(&options.solver, &["content", &text, &chosen]), places }
    }
}

impl Contents {
    /// A check begins. What was not met for long is forgotten.
    pub(crate) fn begin(&self) {
        let Ok(mut proofs) = self.0.lock() else { return };
        proofs.checks += 1;
        let oldest = proofs.checks.saturating_sub(KEPT);
        proofs.by_content.retain(|_, proof| proof.met >= oldest);
    }

    /// What is known of a program, at its places.
    pub(crate) fn recall(&self, content: &Content) -> Option<Findings> {
        let mut proofs = self.0.lock().ok()?;
        let checks = proofs.checks;
        let proof = proofs.by_content.get_mut(&content.key)?;
        proof.met = checks;
        let moved = proof.places.iter().copied().zip(content.places.iter().copied());
        let moved: BTreeMap<Span, Span> = moved.collect();
        proof.findings.moved(&|span| moved.get(&span).copied())
    }

    /// Remembers what was found out about a program, if it is proved.
    pub(crate) fn learn(&self, content: Content, findings: &Findings) {
        // Places that the program does not have cannot be moved, and a run is about one program.
        let is_own = |span: Span| content.places.contains(&span).then_some(span);
        let is_proved = findings.is_proved() && !findings.results().is_empty();
        let Some(findings) = findings.moved(&is_own).filter(|_| is_proved) else { return };
        let Ok(mut proofs) = self.0.lock() else { return };
        let met = proofs.checks;
        let Content { key, places } = content;
        proofs.by_content.insert(key, Proof { places, findings, met });
    }
}

/// How places are shown.
const START: &str = "Span { file: FileId(";

/// A text with the numbers of places instead of the places, and the places.
fn without_places(text: &str) -> (String, Vec<Span>) {
    let (mut out, mut numbers) = (String::with_capacity(text.len() / 2), BTreeMap::new());
    let mut places = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(START) {
        let (before, place) = rest.split_at(at);
        out.push_str(before);
        rest = &place[START.len()..];
        match read(rest) {
            Some((span, length)) => {
                let number = *numbers.entry(span).or_insert(places.len());
                if number == places.len() {
                    places.push(span);
                }
                // Shown texts have no such character.
                let _ = write!(out, "\0{number};");
                rest = &rest[length..];
            }
            None => out.push_str(START),
        }
    }
    out.push_str(rest);
    (out, places)
}

/// A place behind its start, and how long it is.
fn read(text: &str) -> Option<(Span, usize)> {
    let end = text.find(" }")?;
    let (file, range) = text[..end].split_once("), start: ")?;
    let (from, to) = range.split_once(", end: ")?;
    let span = Span::new(FileId(file.parse().ok()?), from.parse().ok()?, to.parse().ok()?);
    Some((span, end + " }".len()))
}

#[cfg(test)]
mod tests {
    use super::without_places;
    use source::{FileId, Span};

    #[test]
    fn programs_are_the_same_if_their_places_correspond() {
        let span = |start| Span::new(FileId(0), start, start + 1);
        let shown = |all: &[(&str, u32)]| {
            let all: Vec<(&str, Span)> = all.iter().map(|(name, at)| (*name, span(*at))).collect();
            without_places(&format!("{all:?}"))
        };
        let (text, places) = shown(&[("a", 3), ("b", 5), ("c", 3)]);
        assert_eq!(places, [span(3), span(5)]);
        // Further down.
        let (same, moved) = shown(&[("a", 7), ("b", 9), ("c", 7)]);
        assert_eq!((same, moved), (text.clone(), vec![span(7), span(9)]));
        // Two places became one, and one became two.
        assert_ne!(shown(&[("a", 3), ("b", 3), ("c", 3)]).0, text);
        assert_ne!(shown(&[("a", 3), ("b", 5), ("c", 4)]).0, text);
        // Another text.
        assert_ne!(shown(&[("a", 3), ("B", 5), ("c", 3)]).0, text);
    }

    #[test]
    fn texts_that_look_like_places_stay() {
        let text = "\"Span { file: FileId(x), start: 1, end: 2 }\"";
        assert_eq!(without_places(text), (text.to_owned(), Vec::new()));
    }
}
