//! Every construct of every grammar in a wrong program, which no engine may prove.
//!
//! The grammars list their constructs themselves: each `match` below names every variant of a type
//! of syntax trees, so a new one does not compile until it is listed, and a listed one needs a
//! program in the table of its language. There, a line `== Type::Variant` or `== Type.field` names
//! the construct. Lines that begin with `-` belong to the wrong program, those that begin with `+`
//! to the repaired one, all others to both. If nothing is repaired, Rely does not understand or
//! refuses the wrong program.

mod c;
mod chalice;
mod designs;
mod pds;
mod plato;

use driver::{Choice, Engine, FileReport, Input, Language, Options, Run, Status};
use std::collections::BTreeSet;
use testkit::find_solver;

/// The variants of an enumeration, all of them.
macro_rules! variants {
    ($($all:ident: $enum:ty = [$($variant:ident),* $(,)?];)*) => {
        $(
            const _: fn(&$enum) = |one| {
                type Of = $enum;
                match one { $(Of::$variant { .. } => {})* }
            };
            const $all: &[&str] = &[$(stringify!($variant)),*];
        )*
    };
}
pub(crate) use variants;

/// The fields of a structure that a program may leave out, and the rest of them.
macro_rules! fields {
    ($($all:ident: $of:ty = [$($said:ident),* $(,)?] besides [$($rest:ident),* $(,)?];)*) => {
        $(
            const _: fn(&$of) = |one| {
                type Of = $of;
                let Of { $($said: _,)* $($rest: _),* } = one;
            };
            const $all: &[&str] = &[$(stringify!($said)),*];
        )*
    };
}
pub(crate) use fields;

/// The constructs of a language and programs for them.
struct Grammar {
    language: Language,
    /// All constructs.
    constructs: Vec<String>,
    /// Constructs that cannot be in a program that parses, with the reason.
    exempt: &'static [(&'static str, &'static str)],
    /// The programs.
    table: &'static str,
    /// The names of the variants in a text's syntax tree.
    shown: fn(&str) -> String,
}

/// A construct with its programs.
#[derive(Debug)]
struct Section {
    construct: String,
    wrong: String,
    repaired: Option<String>,
}

fn sections(table: &str) -> Vec<Section> {
    let sections = table.split("\n== ").map(|text| text.strip_prefix("== ").unwrap_or(text));
    sections
        .map(|text| {
            let (construct, program) =
                text.split_once('\n').expect("a program after its construct");
            let is_repaired = program.lines().any(|line| line.starts_with(['+', '-']));
            Section {
                construct: construct.to_owned(),
                wrong: without('+', program),
                repaired: is_repaired.then(|| without('-', program)),
            }
        })
        .collect()
}

/// The lines that are not of this kind, without their marks.
fn without(mark: char, program: &str) -> String {
    let lines = program.lines().filter(|line| !line.starts_with(mark));
    let lines = lines.map(|line| line.strip_prefix(['+', '-']).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

impl Grammar {
    /// Faults of the table: constructs without a program, programs without their construct.
    fn gaps(&self, sections: &[Section]) -> Vec<String> {
        let listed: BTreeSet<&str> = self.constructs.iter().map(String::as_str).collect();
        let has: BTreeSet<&str> = sections.iter().map(|one| one.construct.as_str()).collect();
        let is_exempt = |name: &&&str| self.exempt.iter().any(|(exempt, _)| exempt == *name);
        let missing = listed.difference(&has).filter(|name| !is_exempt(name));
        let missing = missing.map(|name| format!("{name} has no program"));
        let unknown = has.difference(&listed).map(|name| format!("{name} is no construct"));
        let absent = sections.iter().filter(|one| !self.uses(one));
        let absent = absent.map(|one| format!("{0}: the program has no {0}", one.construct));
        missing.chain(unknown).chain(absent).collect()
    }

    /// Whether a program of the section has its construct, as far as the tree shows. Fields do not
    /// appear under a name of their own.
    fn uses(&self, section: &Section) -> bool {
        let Some((_, variant)) = section.construct.split_once("::") else { return true };
        let mut programs = section.repaired.iter().chain([&section.wrong]);
        programs.any(|program| {
            let shown = (self.shown)(program);
            shown.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == variant)
        })
    }

    fn engines(&self) -> impl Iterator<Item = Engine> {
        let language = self.language;
        Engine::ALL.into_iter().filter(move |engine| language.supports(Choice::Engine(*engine)))
    }

    /// The answer of each engine to each program of `texts` that exists.
    fn answers(&self, texts: &[Option<&String>]) -> Vec<Vec<(Engine, FileReport)>> {
        let ending = self.language.endings()[0];
        let given = texts.iter().enumerate().filter_map(|(at, text)| Some((at, (*text)?)));
        let inputs: Vec<(usize, Input)> = given
            .map(|(at, text)| (at, Input { name: format!("{at}.{ending}"), text: text.clone() }))
            .collect();
        let texts_only: Vec<Input> = inputs.iter().map(|(_, input)| input.clone()).collect();
        let mut answers = vec![Vec::new(); texts.len()];
        for engine in self.engines() {
            let jobs = std::thread::available_parallelism().map_or(1, usize::from);
            let options = Options { engine, jobs, states: STATES, ..Options::new(find_solver()) };
            let Run { files, .. } = driver::check(&texts_only, &options, &|_| {});
            for ((at, _), file) in inputs.iter().zip(files) {
                answers[*at].push((engine, file));
            }
        }
        answers
    }

    /// All faults of the answers.
    fn complaints(&self) -> Vec<String> {
        let sections = sections(self.table);
        let mut all = self.gaps(&sections);
        let wrong: Vec<_> = sections.iter().map(|one| Some(&one.wrong)).collect();
        let repaired: Vec<_> = sections.iter().map(|one| one.repaired.as_ref()).collect();
        let answers = self.answers(&wrong).into_iter().zip(self.answers(&repaired));
        for (section, (wrong, repaired)) in sections.iter().zip(answers) {
            let of_wrong = complaints_of_wrong(section, &wrong);
            let unproved = section.repaired.is_some() && !says(&repaired, Status::Proved);
            let unproved =
                unproved.then(|| format!("repaired, no engine proves it: {}", told(&repaired)));
            let told = of_wrong.into_iter().chain(unproved);
            all.extend(told.map(|complaint| format!("{}: {complaint}", section.construct)));
        }
        all
    }
}

/// Checks that no engine proves the wrong program, and that some engine refutes it if it can be
/// repaired.
fn complaints_of_wrong(section: &Section, answers: &[(Engine, FileReport)]) -> Vec<String> {
    let is_allowed = |status: Status| match status {
        Status::Refuted | Status::Unknown => true,
        Status::Rejected => section.repaired.is_none(),
        Status::Proved | Status::NothingToVerify | Status::InternalError => false,
    };
    let odd = answers.iter().filter(|(_, file)| !is_allowed(file.status));
    let mut all: Vec<String> =
        odd.map(|(engine, file)| format!("{} says {:?}", engine.name(), file.status)).collect();
    if section.repaired.is_some() && !says(answers, Status::Refuted) {
        all.push(format!("no engine refutes it: {}", told(answers)));
    }
    all
}

fn says(answers: &[(Engine, FileReport)], status: Status) -> bool {
    answers.iter().any(|(_, file)| file.status == status)
}

/// The answer of each engine, in a few words.
fn told(answers: &[(Engine, FileReport)]) -> String {
    let told = answers.iter().map(|(engine, file)| {
        let codes: BTreeSet<&str> = file.diagnostics().map(|one| one.code.as_str()).collect();
        format!("{} {:?} {codes:?}", engine.name(), file.status)
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The programs are small.
const STATES: u64 = 20_000;

fn check(grammar: &Grammar) {
    let complaints = grammar.complaints();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The names of constructs, from the variants or fields of types.
fn names(between: &str, types: &[(&str, &[&str])]) -> Vec<String> {
    let of = |(name, all): &(&str, &[&str])| -> Vec<String> {
        all.iter().map(|one| format!("{name}{between}{one}")).collect()
    };
    types.iter().flat_map(of).collect()
}
