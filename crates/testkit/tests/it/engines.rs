//! Every engine on every example, in every language that it is for: no two of them may contradict each other.
//!
//! What an engine proves of a whole file, none may refute with a run that was repeated. What one
//! search proves of an obligation, no other search may refute so. Each has a number of states and a
//! little time for each file; who gives up early says nothing, and contradicts nobody.

use crate::usual::usual;
use driver::{Choice, Engine, FileReport, Language, Options, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use testkit::{Example, options};
use verdict::{Confirmation, Halt, Verdict};

/// So far each search goes.
const STATES: u64 = 2_000;
/// So much time it has for a file.
const TIME: Duration = Duration::from_millis(50);

/// What an obligation is about: its code, and where its text begins and ends.
type Subject = (&'static str, u32, u32);

/// The task of everything that a search decides.
const SEARCH: &str = "search";

/// What one engine says of a file.
struct Answer {
    engine: String,
    status: Status,
    /// What searches proved.
    proved: BTreeSet<Subject>,
    /// What was refuted with a run that was repeated.
    refuted: BTreeSet<Subject>,
}

impl Answer {
    fn new(engine: String, file: &FileReport) -> Self {
        let (mut proved, mut refuted) = (BTreeSet::new(), BTreeSet::new());
        for result in &file.results {
            let span = result.obligation.span;
            let subject = (result.obligation.code, span.start, span.end);
            match &result.verdict {
                Verdict::Proved(_) if result.task == SEARCH => _ = proved.insert(subject),
                Verdict::Refuted(trace) if trace.confirmation == Confirmation::Confirmed => {
                    refuted.insert(subject);
                }
                Verdict::Proved(_) | Verdict::Refuted(_) | Verdict::Unknown(_) => {}
            }
        }
        Self { engine, status: file.status, proved, refuted }
    }

    /// How another answer contradicts this one.
    fn contradiction(&self, other: &Self) -> Option<String> {
        if self.status == Status::Proved && !other.refuted.is_empty() {
            return Some(format!("{} proves what {} refutes", self.engine, other.engine));
        }
        let both = self.proved.intersection(&other.refuted).next()?;
        Some(format!("{} proves {both:?}, and {} refutes it", self.engine, other.engine))
    }
}

/// The engines of a language that are no choice among others.
fn engines(language: Language) -> Vec<Engine> {
    let has = |engine: &Engine| language.supports(Choice::Engine(*engine));
    Engine::ALL.into_iter().filter(|engine| *engine != Engine::Auto && has(engine)).collect()
}

/// Whether it is worth asking another engine. What the usual run deduced would be deduced again.
fn is_worth(engine: Engine, usual: &FileReport) -> bool {
    engine != Engine::Deductive || usual.results.iter().all(|result| result.task == SEARCH)
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

#[test]
fn engines_do_not_contradict_each_other() {
    let usual = usual();
    let files = usual.files();
    let mut decided: BTreeMap<(Language, &str), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for example in &usual.examples {
        let name = example.input.name.as_str();
        let language = example.language();
        let (file, _) = files[name];
        let mut answers = vec![Answer::new("the usual run".to_owned(), file)];
        // The only engine of a language is the one that the usual run takes.
        let engines = Some(engines(language)).filter(|engines| engines.len() > 1);
        let engines = engines.into_iter().flatten();
        for engine in engines.filter(|&engine| is_worth(engine, file)) {
            let answer = ask(example, engine);
            let has_verdict = matches!(answer.status, Status::Proved | Status::Refuted);
            *decided.entry((language, engine.name())).or_default() += usize::from(has_verdict);
            answers.push(answer);
        }
        wrong.extend(contradictions(name, &answers));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(decided.values().all(|&count| count > 0), "{decided:?}");
    assert!(decided.values().sum::<usize>() > 500, "{decided:?}");
}
