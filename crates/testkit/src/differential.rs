//! The verifier against the oracle: in a proved program the oracle must find nothing.

use crate::annotation::Header;
use crate::oracle::{Bounds, Exploration, explore_text};
use crate::random::{claims, procedures, random_program};
use crate::solver::options;
use diagnostic::Code;
use driver::{FileReport, Input, Options, Run, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use verdict::{Limits, Verdict};

/// How to compare.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The limits of the oracle.
    pub bounds: Bounds,
    /// Whether to look for a real run behind each refutation.
    pub confirm: bool,
    /// Whether to check everything again with interference everywhere.
    pub one_cluster: bool,
}

/// The results of many comparisons.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of programs that ended with each status.
    pub statuses: BTreeMap<String, usize>,
    /// The same for each kind of program.
    pub kinds: BTreeMap<Slips, BTreeMap<String, usize>>,
    /// Programs about procedures that are not proved although no slip was made.
    pub refused: Vec<Disagreement>,
    /// Programs that are proved although the oracle finds a violation. Must be empty.
    pub false_proofs: Vec<Disagreement>,
    /// Programs on which the verifier failed. Must be empty.
    pub failures: Vec<Disagreement>,
    /// Programs whose status depends on the places of interference.
    pub cluster_differences: Vec<Disagreement>,
    /// Programs that are rejected or have no verdict.
    pub undecided: Vec<Disagreement>,
    /// Searches of proved programs that reached a limit.
    pub cut_short: usize,
    /// Refuted obligations.
    pub refutations: usize,
    /// Refuted obligations with a real run that shows them.
    pub confirmed: usize,
    /// Refuted programs in which the oracle finds violations.
    pub violated: usize,
}

/// The facts about a program that follow from how it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slips {
    /// About threads; slips are not counted.
    Threads,
    /// About procedures, without slips.
    ProceduresWithout,
    /// About procedures, with slips.
    ProceduresWith,
    /// About procedures, with claims; the wrong ones were dropped.
    Claims,
}

/// An odd program.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Which.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What is odd.
    pub what: String,
}

/// Inputs that share one run, so that they share solvers.
const BATCH: usize = 200;

/// Compares the random programs of these seeds.
pub fn compare_random(seeds: impl IntoIterator<Item = u64>, comparison: &Comparison) -> Tally {
    let inputs: Vec<Input> = seeds
        .into_iter()
        .map(|seed| Input { name: format!("seed {seed}"), text: random_program(seed) })
        .collect();
    let inputs = settled(inputs);
    let mut tally = Tally::default();
    for batch in inputs.chunks(BATCH) {
        let run = check(batch, false);
        let again = comparison.one_cluster.then(|| check(batch, true));
        if let Some(again) = &again {
            tally.compare_runs(batch, &run, again);
        }
        let found = explore_all(batch, &run, comparison);
        for ((input, file), found) in batch.iter().zip(&run.files).zip(&found) {
            tally.add(input, file, &run, found.as_ref());
        }
    }
    tally
}

/// Limit on the rounds of dropping claims.
const ROUNDS: usize = 12;

/// The inputs without the claims that are not proved. Claims depend on each other, so this is
/// repeated.
fn settled(mut inputs: Vec<Input>) -> Vec<Input> {
    let has_claims = |&at: &usize| inputs[at].text.contains(claims::CLAIM);
    let mut open: Vec<usize> = (0..inputs.len()).filter(has_claims).collect();
    for _ in 0..ROUNDS {
        let asked: Vec<Input> = open.iter().map(|&at| inputs[at].clone()).collect();
        let run = check(&asked, false);
        let mut changed = Vec::new();
        for (&at, file) in open.iter().zip(&run.files) {
            let text = without_failed_claims(&inputs[at].text, file, &run);
            if text != inputs[at].text {
                inputs[at].text = text;
                changed.push(at);
            }
        }
        open = changed;
    }
    inputs
}

fn without_failed_claims(text: &str, file: &FileReport, run: &Run) -> String {
    let failed = file.results.iter().filter(|one| !matches!(one.verdict, Verdict::Proved(_)));
    let places = failed.flat_map(|one| [Some(one.obligation.span), one.obligation.declared]);
    let lines: BTreeSet<usize> =
        places.flatten().map(|span| run.sources.line_column(span).0).collect();
    let kept = (1..)
        .zip(text.lines())
        .filter(|(number, line)| !line.ends_with(claims::CLAIM) || !lines.contains(number));
    kept.fold(String::new(), |text, (_, line)| text + line + "\n")
}

/// Verdicts on many inputs. Hard questions are left open: others say more in the same time.
pub fn check(inputs: &[Input], one_cluster: bool) -> Run {
    let limits = Limits { resources: 3_000_000, ..Limits::default() };
    let options = Options {
        one_cluster,
        limits,
        // The oracle looks for real runs.
        states: 1_000,
        hygiene: false,
        engine: driver::Engine::Deductive,
        ..options(&Header::default())
    };
    driver::check(inputs, &options, &|_| {})
}

/// Explores the proved programs, and if wanted the refuted ones, on all processors.
fn explore_all(inputs: &[Input], run: &Run, comparison: &Comparison) -> Vec<Option<Exploration>> {
    in_parallel(inputs.len(), |at| match run.files[at].status {
        Status::Proved => explore_text(&inputs[at].text, &[], &comparison.bounds),
        Status::Refuted if comparison.confirm => {
            explore_text(&inputs[at].text, &[], &Bounds { all: true, ..comparison.bounds })
        }
        _ => None,
    })
}

/// Writes odd programs to a file, and makes its folder.
pub fn write_disagreements(path: &Path, all: &[Disagreement]) {
    let text = all.iter().fold(String::new(), |text, one| text + &one.to_string() + "\n");
    let folder = path.parent().unwrap_or(path);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The results of a function on each number below the count, in order.
pub fn in_parallel<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        return;
                    }
                    let result = work(at);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

impl Tally {
    fn add(&mut self, input: &Input, file: &FileReport, run: &Run, found: Option<&Exploration>) {
        let status = format!("{:?}", file.status);
        let kind = slips(&input.text);
        *self.kinds.entry(kind).or_default().entry(status.clone()).or_default() += 1;
        *self.statuses.entry(status).or_default() += 1;
        let odd = |what: String| Disagreement {
            name: input.name.clone(),
            text: input.text.clone(),
            what,
        };
        let violated = found.is_some_and(|found| !found.violations.is_empty());
        if kind == Slips::ProceduresWithout && file.status != Status::Proved && !violated {
            self.refused.push(odd(messages(file, run)));
        }
        match (file.status, found) {
            (Status::Proved, Some(found)) => {
                self.cut_short += usize::from(found.cut_short);
                self.false_proofs.extend(found.violations.first().map(|violation| {
                    odd(format!("line {}: {}\n{}", violation.line, violation.code, violation.trace))
                }));
            }
            (Status::Refuted, Some(found)) => {
                self.violated += usize::from(!found.violations.is_empty());
                for (code, line) in refuted(file, run) {
                    let same = found.violations.iter().any(|violation| {
                        violation.line == line && kind_of(violation.code) == kind_of(code)
                    });
                    self.refutations += 1;
                    self.confirmed += usize::from(same);
                }
            }
            (Status::InternalError, _) => self.failures.push(odd(messages(file, run))),
            (Status::Unknown | Status::Rejected, _) => {
                self.undecided.push(odd(messages(file, run)));
            }
            _ => {}
        }
    }

    fn compare_runs(&mut self, inputs: &[Input], run: &Run, again: &Run) {
        for ((input, one), other) in inputs.iter().zip(&run.files).zip(&again.files) {
            if one.status != other.status {
                self.cluster_differences.push(Disagreement {
                    name: input.name.clone(),
                    text: input.text.clone(),
                    what: format!(
                        "{:?} by default, {:?} with one cluster\n{}\n{}",
                        one.status,
                        other.status,
                        messages(one, run),
                        messages(other, again)
                    ),
                });
            }
        }
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.false_proofs.is_empty() && self.failures.is_empty()
    }
}

fn slips(text: &str) -> Slips {
    if text.starts_with(procedures::NO_SLIP) {
        Slips::ProceduresWithout
    } else if text.starts_with(claims::HEADER) {
        Slips::Claims
    } else if text.starts_with("//") {
        Slips::ProceduresWith
    } else {
        Slips::Threads
    }
}

/// Code and line of every refuted obligation.
fn refuted(file: &FileReport, run: &Run) -> Vec<(Code, usize)> {
    let refuted = file.results.iter().filter(|one| matches!(one.verdict, Verdict::Refuted(_)));
    refuted
        .map(|one| (one.obligation.code, run.sources.line_column(one.obligation.span).0))
        .collect()
}

/// A failure on entry and one in a later round of a loop count as the same here.
fn kind_of(code: Code) -> Code {
    match code {
        Code::LoopInvariantNotEstablished => Code::LoopInvariantNotPreserved,
        other => other,
    }
}

fn messages(file: &FileReport, run: &Run) -> String {
    let line = |span| run.sources.line_column(span).0;
    let all = file.diagnostics();
    let all =
        all.map(|one| format!("line {}: {} {}", line(one.primary.span), one.code, one.message));
    all.collect::<Vec<_>>().join("\n")
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: usize = self.statuses.values().sum();
        writeln!(f, "{total} programs: {:?}", self.statuses)?;
        for (kind, statuses) in &self.kinds {
            let total: usize = statuses.values().sum();
            writeln!(f, "  {kind:?}: {total} programs: {statuses:?}")?;
        }
        writeln!(f, "proved although violated: {}", self.false_proofs.len())?;
        writeln!(f, "failures of the verifier: {}", self.failures.len())?;
        writeln!(f, "searches of proved programs that a limit ended: {}", self.cut_short)?;
        writeln!(f, "refuted programs with a real violation: {}", self.violated)?;
        writeln!(
            f,
            "refuted obligations: {}, of them with a real run: {}",
            self.refutations, self.confirmed
        )?;
        write!(f, "status differs with interference everywhere: {}", self.cluster_differences.len())
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "// {}", self.name)?;
        for line in self.what.lines() {
            writeln!(f, "//   {line}")?;
        }
        write!(f, "{}", self.text)
    }
}
