//! Every engine checks every example of its languages, and no two engines contradict each other.
//!
//! If an engine proves a whole file, no other may refute anything in it with a run that was
//! repeated step by step. If a search proves an obligation, no other search may refute it in this
//! way. Each engine gets few states and little time for each file. An engine that gives up says
//! nothing, and contradicts nobody; the test counts the answers, so that a decrease is noticed.

use crate::usual::usual;
use diagnostic::Code;
use driver::{Choice, Engine, FileReport, Language, Options, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use testkit::{Example, options};
use verdict::{Confirmation, Halt, StopReason, TaskKind, Verdict};

/// Limit on the states that a search visits in a file.
const STATES: u64 = 2_000;
/// The time that an engine has for a file. Most need far less.
const TIME: Duration = Duration::from_millis(100);

/// The subject of an obligation: its code, and where its text begins and ends.
type Subject = (Code, u32, u32);

/// The answer of one engine to a file.
struct Answer {
    engine: String,
    status: Status,
    /// Whether the clock ended it.
    is_late: bool,
    /// The obligations that searches proved. A proof by deduction of one obligation depends on
    /// those of others.
    proved: BTreeSet<Subject>,
    /// The obligations that were refuted with a repeated run.
    refuted: BTreeSet<Subject>,
}

impl Answer {
    fn new(engine: String, file: &FileReport) -> Self {
        let (mut proved, mut refuted) = (BTreeSet::new(), BTreeSet::new());
        let mut is_late = false;
        for result in &file.results {
            let span = result.obligation.span;
            let subject = (result.obligation.code, span.start, span.end);
            match &result.verdict {
                Verdict::Proved(_) if result.task.kind == TaskKind::Search => {
                    proved.insert(subject);
                }
                Verdict::Refuted(trace) if trace.confirmation == Confirmation::Confirmed => {
                    refuted.insert(subject);
                }
                Verdict::Unknown(StopReason::Timeout | StopReason::Cancelled) => is_late = true,
                Verdict::Proved(_) | Verdict::Refuted(_) | Verdict::Unknown(_) => {}
            }
        }
        Self { engine, status: file.status, is_late, proved, refuted }
    }

    /// Describes how another answer contradicts this one.
    fn contradiction(&self, other: &Self) -> Option<String> {
        if self.status == Status::Proved && !other.refuted.is_empty() {
            return Some(format!("{} proves what {} refutes", self.engine, other.engine));
        }
        let both = self.proved.intersection(&other.refuted).next()?;
        Some(format!("{} proves {both:?}, and {} refutes it", self.engine, other.engine))
    }
}

/// The engines of a language, without the one that chooses among the others.
fn engines(language: Language) -> Vec<Engine> {
    let has = |engine: &Engine| language.supports(Choice::Engine(*engine));
    Engine::ALL.into_iter().filter(|engine| *engine != Engine::Auto && has(engine)).collect()
}

/// Whether an engine may say anything new. It would repeat the deductions of the usual run.
fn is_worth(engine: Engine, usual: &FileReport) -> bool {
    engine != Engine::Deductive
        || usual.results.iter().all(|result| result.task.kind == TaskKind::Search)
}

fn ask(example: &Example, engine: Engine) -> Answer {
    let halt = Halt::new(Some(Instant::now() + TIME), None);
    let states = STATES;
    let options = Options { engine, states, halt, ..options(&example.annotations.header) };
    let run = driver::check(std::slice::from_ref(&example.input), &options, &|_| {});
    let answer = Answer::new(engine.name().to_owned(), &run.files[0]);
    assert_ne!(answer.status, Status::InternalError, "{}: {}", example.input.name, answer.engine);
    answer
}

/// All pairs of answers that contradict each other.
fn contradictions(name: &str, answers: &[Answer]) -> Vec<String> {
    let pairs = answers.iter().flat_map(|one| answers.iter().map(move |other| (one, other)));
    let found = pairs.filter_map(|(one, other)| one.contradiction(other));
    found.map(|found| format!("{name}: {found}")).collect()
}

/// The numbers of files that an engine was asked about, of those that it proved or refuted, and of
/// others that took it too long.
#[derive(Debug, Default)]
struct Count {
    asked: usize,
    decided: usize,
    late: usize,
}

type Counts = BTreeMap<(Language, Engine), Count>;

/// The answers of all engines to one file.
fn answers(example: &Example, usual: &FileReport, counts: &mut Counts) -> Vec<Answer> {
    let language = example.language();
    let mut answers = vec![Answer::new("the usual run".to_owned(), usual)];
    let engines = engines(language);
    // The only engine of a language is the one that the usual run takes.
    if engines.len() > 1 {
        for engine in engines.into_iter().filter(|&engine| is_worth(engine, usual)) {
            let answer = ask(example, engine);
            let count = counts.entry((language, engine)).or_default();
            count.asked += 1;
            let is_decided = matches!(answer.status, Status::Proved | Status::Refuted);
            count.decided += usize::from(is_decided);
            count.late += usize::from(answer.is_late && !is_decided);
            answers.push(answer);
        }
    }
    answers
}

#[test]
fn engines_do_not_contradict_each_other() {
    let usual = usual();
    let files = usual.files();
    let mut counts = Counts::new();
    let mut wrong = Vec::new();
    for example in &usual.examples {
        let name = example.input.name.as_str();
        let answers = answers(example, files[name].0, &mut counts);
        wrong.extend(contradictions(name, &answers));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_are_many(&counts);
}

/// Checks that every engine decides at least a third of the files that do not take it too long. How
/// many do depends on the machine and on what else runs there.
fn assert_are_many(counts: &Counts) {
    for ((language, engine), count) in counts {
        let in_time = count.asked - count.late;
        assert!(count.decided * 3 >= in_time, "{language:?}, {engine:?}: {counts:?}");
    }
    let counted: usize = counts.values().map(|count| count.decided + count.late).sum();
    assert!(counted > 1200, "{counted}: {counts:?}");
}
