//! Runs Chalice programs and compares with their proofs: the first check that fails in a run must
//! not be proved.
//!
//! The verifier is the only engine for Chalice, so this is its second opinion. It says nothing
//! about checks that no run reaches, and a run whose first failure is elsewhere says nothing about
//! later checks.

pub use concrete::{End, Failure};

use crate::annotation::Header;
use crate::differential::{Disagreement, in_parallel};
use crate::random::random_objects;
use crate::solver::options;
use chalice::hir::{MethodId, Program};
use diagnostic::Code;
use driver::{FileReport, Input, ObligationResult, Options, Run, Status};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use verdict::{Limits, TaskKind, Verdict};

/// Checks about all states, so that a run does not show that they fail. If one of them is not
/// proved, proofs of others have no ground.
const ABOUT_ALL_STATES: [Code; 6] = [
    Code::InvariantNotReflexive,
    Code::InvariantNotTransitive,
    Code::UnstableFormula,
    Code::MonitorKeepsMu,
    Code::RecursionMayNotEnd,
    Code::Unsupported,
];

/// Inputs that share one run of the verifier.
const BATCH: usize = 100;

/// The results of many comparisons.
#[derive(Clone, Debug, Default)]
pub struct ObjectTally {
    /// The number of programs that ended with each status.
    pub statuses: BTreeMap<String, usize>,
    /// Required checks: proved, refuted, open.
    pub checks: [usize; 3],
    /// Refuted checks by their codes, and how many of them fail in some run.
    pub refuted: BTreeMap<Code, (usize, usize)>,
    /// Runs by how they ended.
    pub runs: BTreeMap<String, usize>,
    /// First failures by their codes, each place once.
    pub failures: BTreeMap<Code, usize>,
    /// Programs that are not compared, since a check about all states is not proved.
    pub left_out: usize,
    /// Programs in which a proved check fails, or threads wait for each other although everything
    /// is proved.
    pub false_proofs: Vec<Disagreement>,
    /// Programs on which the verifier failed.
    pub panics: Vec<Disagreement>,
    /// Texts that are not programs.
    pub rejected: Vec<Disagreement>,
    /// Programs with open checks.
    pub undecided: Vec<Disagreement>,
}

/// Compares the random programs of these seeds, with this number of runs of each.
pub fn compare_objects(seeds: Range<u64>, runs: u64) -> ObjectTally {
    let name = |seed: u64| format!("seed {seed}.chalice");
    let inputs: Vec<Input> =
        seeds.map(|seed| Input { name: name(seed), text: random_objects(seed) }).collect();
    compare_texts(&inputs, runs)
}

/// Compares these programs, with this number of runs of each.
pub fn compare_texts(inputs: &[Input], runs: u64) -> ObjectTally {
    let mut tally = ObjectTally::default();
    for batch in inputs.chunks(BATCH) {
        let limits = Limits { resources: 3_000_000, ..Limits::default() };
        let options = Options { limits, hygiene: false, ..options(&Header::default()) };
        let run = driver::check(batch, &options, &|_| {});
        let ends = in_parallel(batch.len(), |at| run_text(&batch[at].text, runs));
        for ((input, file), ends) in batch.iter().zip(&run.files).zip(ends) {
            tally.add(input, file, &run, ends);
        }
    }
    tally
}

/// How runs of the program's `Main` end, if it has one and it requires nothing.
pub fn run_text(text: &str, runs: u64) -> Vec<End> {
    let mut sources = source::SourceMap::default();
    let file = sources.add("run.chalice", text);
    let (tree, faults) = chalice::parse(file, text);
    let (program, others) = chalice::check(&tree);
    let is_error = |one: &diagnostic::Diagnostic| one.severity == diagnostic::Severity::Error;
    if faults.iter().chain(&others).any(is_error) {
        return Vec::new();
    }
    let Some(main) = main_of(&program) else { return Vec::new() };
    concrete::ends(&program, main, runs)
}

fn main_of(program: &Program) -> Option<MethodId> {
    let is_main = |method: &chalice::hir::Method| {
        method.name.as_str() == "Main"
            && method.spec.requires.is_empty()
            && method.params.is_empty()
    };
    program.methods.iter().position(is_main).map(MethodId::from_index)
}

impl ObjectTally {
    /// Both together.
    pub fn add_tally(&mut self, other: Self) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        for (end, count) in other.runs {
            *self.runs.entry(end).or_default() += count;
        }
        for (code, count) in other.failures {
            *self.failures.entry(code).or_default() += count;
        }
        for (mine, others) in self.checks.iter_mut().zip(other.checks) {
            *mine += others;
        }
        for (code, (count, confirmed)) in other.refuted {
            let mine = self.refuted.entry(code).or_default();
            *mine = (mine.0 + count, mine.1 + confirmed);
        }
        self.left_out += other.left_out;
        self.false_proofs.extend(other.false_proofs);
        self.panics.extend(other.panics);
        self.rejected.extend(other.rejected);
        self.undecided.extend(other.undecided);
    }

    fn add(&mut self, input: &Input, file: &FileReport, run: &Run, ends: Vec<End>) {
        *self.statuses.entry(format!("{:?}", file.status)).or_default() += 1;
        let odd = |what: String| Disagreement {
            name: input.name.clone(),
            text: input.text.clone(),
            what,
        };
        let line = |span: Span| run.sources.line_column(Span { file: file.file, ..span }).0;
        let messages = || -> String {
            let all = file.diagnostics();
            let all = all.map(|one| {
                format!("line {}: {} {}", line(one.primary.span), one.code, one.message)
            });
            all.collect::<Vec<_>>().join("\n")
        };
        match file.status {
            Status::InternalError => self.panics.push(odd(messages())),
            Status::Rejected => return self.rejected.push(odd(messages())),
            Status::Unknown => self.undecided.push(odd(messages())),
            _ => {}
        }
        let mut failures = BTreeSet::new();
        let (mut deadlock, mut too_much) = (false, false);
        for end in ends {
            let name = match &end {
                End::GaveUp(why) => format!("gave up: {why}"),
                End::Failed(_) => "failed".to_owned(),
                other => format!("{other:?}").to_lowercase(),
            };
            *self.runs.entry(name).or_default() += 1;
            deadlock |= end == End::Deadlock;
            too_much |= end == End::TooMuch;
            if let End::Failed(failure) = end {
                failures.insert(failure);
            }
        }
        self.count_checks(file, &failures);
        if too_much {
            self.false_proofs.push(odd("permission out of nothing".to_owned()));
        }
        if file.results.iter().any(is_open_for_all) {
            self.left_out += 1;
            return;
        }
        if deadlock && file.status == Status::Proved {
            self.false_proofs.push(odd("threads wait for each other".to_owned()));
        }
        for failure in failures {
            *self.failures.entry(failure.code).or_default() += 1;
            let same = file.results.iter().filter(|one| is_about(one, &failure));
            let verdicts: Vec<&Verdict> = same.map(|one| &one.verdict).collect();
            if verdicts.iter().all(|verdict| matches!(verdict, Verdict::Proved(_))) {
                let place = failure.declared.map_or(0, line);
                let (at, count) = (line(failure.span), verdicts.len());
                let what = format!("line {at} ({place}): {} fails, {count} proved", failure.code);
                self.false_proofs.push(odd(what));
            }
        }
    }

    fn count_checks(&mut self, file: &FileReport, failures: &BTreeSet<Failure>) {
        for result in &file.results {
            let at = match result.verdict {
                Verdict::Proved(_) => 0,
                Verdict::Refuted(_) => 1,
                Verdict::Unknown(_) => 2,
            };
            self.checks[at] += 1;
            if at == 1 {
                let fails = failures.iter().any(|failure| is_about(result, failure));
                let count = self.refuted.entry(result.obligation.code).or_default();
                *count = (count.0 + 1, count.1 + usize::from(fails));
            }
        }
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.false_proofs.is_empty() && self.panics.is_empty()
    }
}

/// Whether the check is about all states and not proved.
fn is_open_for_all(result: &ObligationResult) -> bool {
    use TaskKind::{Channel, Function, Monitor, Predicate};
    let of_all = [Monitor, Predicate, Function, Channel];
    let is_static =
        ABOUT_ALL_STATES.contains(&result.obligation.code) || of_all.contains(&result.task.kind);
    is_static && !matches!(result.verdict, Verdict::Proved(_))
}

/// Whether the check is the one that failed.
fn is_about(result: &ObligationResult, failure: &Failure) -> bool {
    let place = |span: Span| (span.start, span.end);
    let obligation = &result.obligation;
    obligation.code == failure.code
        && place(obligation.span) == place(failure.span)
        && obligation.declared.map(place) == failure.declared.map(place)
}

impl fmt::Display for ObjectTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: usize = self.statuses.values().sum();
        let [proved, refuted, open] = self.checks;
        writeln!(f, "{total} programs: {:?}", self.statuses)?;
        writeln!(f, "checks: {proved} proved, {refuted} refuted, {open} open")?;
        let confirmed: usize = self.refuted.values().map(|(_, confirmed)| confirmed).sum();
        writeln!(f, "refuted checks that fail in a run: {confirmed}")?;
        writeln!(f, "refuted, failing by code: {:?}", self.refuted)?;
        writeln!(f, "runs: {:?}", self.runs)?;
        writeln!(f, "places that fail first: {:?}", self.failures)?;
        writeln!(f, "left out: {}", self.left_out)?;
        write!(f, "false proofs: {}, panics: {}", self.false_proofs.len(), self.panics.len())
    }
}
