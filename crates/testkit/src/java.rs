//! Runs Java programs and compares with their proofs: what goes wrong in a run that calls proved
//! methods alone must not be.

use crate::annotation::Header;
use crate::differential::{Disagreement, in_parallel};
use crate::random::random_java;
use crate::solver::options;
use diagnostic::Code;
use driver::{Input, Options, Status};
use java::play::{End, Failure, Wanted};
use source::{SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::time::Duration;
use verdict::{Confirmation, Limits, Verdict};

/// How many instructions the runs of a program have together.
const INSTRUCTIONS: usize = 3_000_000;

/// The results of many comparisons.
#[derive(Clone, Debug, Default)]
pub struct JavaTally {
    /// The number of programs that ended with each status.
    pub statuses: BTreeMap<String, usize>,
    /// Checks: proved, refuted, open.
    pub checks: [usize; 3],
    /// Refuted checks by their codes, and how many of them a real run shows.
    pub refuted: BTreeMap<Code, (usize, usize)>,
    /// Runs by how they ended.
    pub runs: BTreeMap<String, usize>,
    /// Methods that are proved without an assumption.
    pub proved_methods: usize,
    /// Programs in which something goes wrong that is proved.
    pub false_proofs: Vec<Disagreement>,
    /// Programs on which the verifier failed.
    pub panics: Vec<Disagreement>,
    /// Texts that are not programs.
    pub rejected: Vec<Disagreement>,
}

/// Compares the random programs of these seeds, with this number of runs of each.
pub fn compare_java(seeds: Range<u64>, runs: u64) -> JavaTally {
    let name = |seed: u64| format!("seed{seed}.java");
    let inputs: Vec<Input> =
        seeds.map(|seed| Input { name: name(seed), text: random_java(seed) }).collect();
    compare_java_texts(&inputs, runs)
}

/// Compares these programs, with this number of runs of each.
pub fn compare_java_texts(inputs: &[Input], runs: u64) -> JavaTally {
    let tallies = in_parallel(inputs.len(), |at| compare(&inputs[at], runs));
    let mut tally = JavaTally::default();
    tallies.into_iter().for_each(|other| tally.add(other));
    tally
}

/// Compares one program.
fn compare(input: &Input, runs: u64) -> JavaTally {
    let limits =
        Limits { resources: 200_000, wall_clock: Duration::from_secs(2), ..Limits::default() };
    let options = Options { limits, hygiene: false, jobs: 1, ..options(&Header::default()) };
    let run = driver::check(std::slice::from_ref(input), &options, &|_| {});
    let mut tally = JavaTally::default();
    let Some(file) = run.files.first() else { return tally };
    let odd =
        |what: String| Disagreement { name: input.name.clone(), text: input.text.clone(), what };
    let line = |span: Span| run.sources.line_column(span).0;
    let messages = || -> String {
        let all = file
            .diagnostics()
            .map(|one| format!("line {}: {} {}", line(one.primary.span), one.code, one.message));
        all.collect::<Vec<_>>().join("\n")
    };
    *tally.statuses.entry(format!("{:?}", file.status)).or_default() += 1;
    match file.status {
        Status::Rejected => tally.rejected.push(odd(messages())),
        Status::InternalError => tally.panics.push(odd(messages())),
        _ => {}
    }
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for result in &file.results {
        let at = match &result.verdict {
            Verdict::Proved(_) => 0,
            Verdict::Refuted(trace) => {
                let count = tally.refuted.entry(result.obligation.code).or_default();
                count.0 += 1;
                count.1 += usize::from(trace.confirmation == Confirmation::Confirmed);
                1
            }
            Verdict::Unknown(_) => 2,
        };
        tally.checks[at] += 1;
        if at > 0 {
            open.insert(result.task.name.as_str());
        }
    }
    run_proved(input, runs, &open, &mut tally);
    tally
}

/// Runs what is proved of a program.
fn run_proved(input: &Input, runs: u64, open: &BTreeSet<&str>, tally: &mut JavaTally) {
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    let program = java::read(&mut sources, &[id], &java::NoLibrary);
    let line = |span: Span| sources.line_column(span).0;
    let odd =
        |what: String| Disagreement { name: input.name.clone(), text: input.text.clone(), what };
    let is_proved = |method: &&java::Method| {
        !open.contains(method.name.as_str()) && method.translate().assumptions.is_empty()
    };
    let proved: BTreeSet<Span> =
        program.methods.iter().filter(is_proved).map(|one| one.span).collect();
    tally.proved_methods += proved.len();
    let mut shown: BTreeSet<Failure> = BTreeSet::new();
    let wanted = Wanted { may: &|head| proved.contains(&head), about: None };
    program.play.runs(0..runs, INSTRUCTIONS, &wanted, |seed, run| {
        let name = match &run.end {
            End::GaveUp(why) => format!("gave up: {why}"),
            End::Failed(_) => "failed".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        *tally.runs.entry(name).or_default() += 1;
        if let End::Failed(failure) = run.end
            && run.roots.iter().all(|root| proved.contains(root))
            && shown.insert(Failure { other: None, ..failure })
        {
            let other = failure.other.map_or(0, |(span, _)| line(span));
            let what = format!(
                "line {} ({other}): {} in a run of proved methods, of line {} (run {seed})",
                line(failure.span),
                failure.code,
                line(failure.root),
            );
            tally.false_proofs.push(odd(what));
        }
        true
    });
}

impl JavaTally {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        for (end, count) in other.runs {
            *self.runs.entry(end).or_default() += count;
        }
        for (mine, others) in self.checks.iter_mut().zip(other.checks) {
            *mine += others;
        }
        for (code, (count, confirmed)) in other.refuted {
            let mine = self.refuted.entry(code).or_default();
            *mine = (mine.0 + count, mine.1 + confirmed);
        }
        self.proved_methods += other.proved_methods;
        self.false_proofs.extend(other.false_proofs);
        self.panics.extend(other.panics);
        self.rejected.extend(other.rejected);
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.false_proofs.is_empty() && self.panics.is_empty() && self.rejected.is_empty()
    }
}

impl fmt::Display for JavaTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: usize = self.statuses.values().sum();
        let [proved, refuted, open] = self.checks;
        writeln!(f, "{total} programs: {:?}", self.statuses)?;
        writeln!(f, "checks: {proved} proved, {refuted} refuted, {open} open")?;
        writeln!(f, "methods that are proved: {}", self.proved_methods)?;
        let confirmed: usize = self.refuted.values().map(|(_, confirmed)| confirmed).sum();
        writeln!(f, "refuted checks that a real run shows: {confirmed}")?;
        writeln!(f, "refuted, shown by code: {:?}", self.refuted)?;
        writeln!(f, "runs: {:?}", self.runs)?;
        write!(
            f,
            "false proofs: {}, panics: {}, rejected: {}",
            self.false_proofs.len(),
            self.panics.len(),
            self.rejected.len()
        )
    }
}
