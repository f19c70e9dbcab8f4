//! Mutants of the proved examples: which are noticed, and how the others behave.

use crate::differential::{Disagreement, in_parallel};
use crate::example::{Example, check_examples};
use crate::mutants::mutants;
use crate::oracle::{Bounds, Exploration, explore_text};
use crate::random::Rng;
use driver::Status;
use std::collections::BTreeMap;
use std::fmt;

/// The results of many mutants.
#[derive(Clone, Debug, Default)]
pub struct MutationReport {
    /// The number of changed examples.
    pub examples: usize,
    /// Figures for each kind of change.
    pub kinds: BTreeMap<&'static str, MutationCounts>,
    /// Mutants that are proved although the oracle finds a violation. Must be empty.
    pub false_proofs: Vec<Disagreement>,
    /// Mutants on which the verifier failed. Must be empty.
    pub failures: Vec<Disagreement>,
    /// Mutants that are proved, rightly as far as the oracle can see.
    pub harmless: Vec<Disagreement>,
}

/// Figures for one kind of change.
#[derive(Clone, Copy, Debug, Default)]
pub struct MutationCounts {
    /// Mutants that are programs.
    pub mutants: usize,
    /// No longer proved, or proved with a warning.
    pub noticed: usize,
    /// Still proved, and the oracle finds nothing.
    pub harmless: usize,
    /// Still proved, and the oracle finds a violation.
    pub unsound: usize,
    /// Mutants that are not programs; counted nowhere else.
    pub rejected: usize,
}

/// A mutant of an example.
struct Candidate {
    kind: &'static str,
    example: Example,
}

/// Runs mutants of all wholly proved examples: all of them, or a number of them chosen with a seed.
pub fn run_mutants(
    examples: &[Example],
    sample: Option<(usize, u64)>,
    bounds: &Bounds,
) -> MutationReport {
    let whole: Vec<&Example> =
        examples.iter().filter(|example| is_wholly_proved(example)).collect();
    let mut report = MutationReport { examples: whole.len(), ..MutationReport::default() };
    let mut candidates: Vec<Candidate> = Vec::new();
    for example in &whole {
        candidates.extend(candidates_of(example));
    }
    if let Some((count, seed)) = sample {
        let mut rng = Rng::new(seed);
        while candidates.len() > count {
            let at = rng.below(candidates.len());
            candidates.swap_remove(at);
        }
    }
    let mutated: Vec<Example> = candidates.iter().map(|one| one.example.clone()).collect();
    let mut survivors: Vec<&Candidate> = Vec::new();
    for (indices, run) in check_examples(&mutated, |_| {}) {
        for (&index, file) in indices.iter().zip(&run.files) {
            let candidate = &candidates[index];
            let counts = report.kinds.entry(candidate.kind).or_default();
            match file.status {
                Status::Rejected => counts.rejected += 1,
                // Nothing is reported about the originals, or they would expect it.
                Status::Proved if file.notices.is_empty() => survivors.push(candidate),
                _ => counts.noticed += 1,
            }
            if file.status == Status::InternalError {
                report.failures.push(odd(candidate, "internal error".to_owned()));
            }
        }
    }
    report.add_survivors(&survivors, bounds);
    for counts in report.kinds.values_mut() {
        counts.mutants = counts.noticed + counts.harmless + counts.unsound;
    }
    report
}

fn is_wholly_proved(example: &Example) -> bool {
    let header = &example.annotations.header;
    let whole = header.unroll.is_none() && header.only.is_empty();
    whole && header.proved.is_some() && example.annotations.expectations.is_empty()
}

fn candidates_of(example: &Example) -> Vec<Candidate> {
    let all = mutants(&example.input.text).into_iter();
    all.map(|mutant| {
        let mut changed = example.clone();
        changed.input.name = format!("{}:{}", example.input.name, mutant.line);
        changed.input.text = mutant.text;
        Candidate { kind: mutant.kind, example: changed }
    })
    .collect()
}

fn odd(candidate: &Candidate, what: String) -> Disagreement {
    let input = &candidate.example.input;
    let name = format!("{}, {}", input.name, candidate.kind);
    Disagreement { name, text: input.text.clone(), what }
}

impl MutationReport {
    fn add_survivors(&mut self, survivors: &[&Candidate], bounds: &Bounds) {
        let found: Vec<Option<Exploration>> = in_parallel(survivors.len(), |at| {
            let example = &survivors[at].example;
            explore_text(&example.input.text, &example.annotations.header.definitions, bounds)
        });
        for (candidate, found) in survivors.iter().zip(found) {
            let counts = self.kinds.entry(candidate.kind).or_default();
            let violation = found.as_ref().and_then(|found| found.violations.first());
            if let Some(violation) = violation {
                counts.unsound += 1;
                let what =
                    format!("line {}: {}\n{}", violation.line, violation.code, violation.trace);
                self.false_proofs.push(odd(candidate, what));
            } else {
                counts.harmless += 1;
                let cut_short = found.is_some_and(|found| found.cut_short);
                let what = if cut_short { "no violation within limits" } else { "no violation" };
                self.harmless.push(odd(candidate, what.to_owned()));
            }
        }
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.false_proofs.is_empty() && self.failures.is_empty()
    }
}

impl fmt::Display for MutationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "mutants of {} examples", self.examples)?;
        writeln!(
            f,
            "{:<24} {:>8} {:>8} {:>9} {:>8} {:>10}",
            "", "mutants", "noticed", "harmless", "unsound", "rejected"
        )?;
        let mut total = MutationCounts::default();
        let row = |f: &mut fmt::Formatter<'_>, name: &str, counts: &MutationCounts| {
            let MutationCounts { mutants, noticed, harmless, unsound, rejected } = counts;
            writeln!(
                f,
                "{name:<24} {mutants:>8} {noticed:>8} {harmless:>9} {unsound:>8} {rejected:>10}"
            )
        };
        for (kind, counts) in &self.kinds {
            row(f, kind, counts)?;
            total.mutants += counts.mutants;
            total.noticed += counts.noticed;
            total.harmless += counts.harmless;
            total.unsound += counts.unsound;
            total.rejected += counts.rejected;
        }
        row(f, "all", &total)?;
        let all = total.noticed + total.unsound;
        write!(f, "noticed / (noticed + unsound): {} / {all}", total.noticed)
    }
}
