//! The languages that are read: by what names of files, and which options make sense for each.

use crate::options::Engine;

/// A language of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// Plato.
    Plato,
    /// A part of C with POSIX threads.
    C,
    /// Chalice.
    Chalice,
    /// Concurrent pushdown systems.
    Pds,
    /// Designs with synchronization contracts, as text.
    Design,
    /// The same, as diagrams.
    Diagram,
    /// Java with annotations.
    Java,
}

/// Something that can be asked for when inputs are checked, and is not for every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `--only`.
    Only,
    /// `--unroll`.
    Unroll,
    /// `--engine`.
    Engine(Engine),
    /// `--states`.
    States,
    /// `--timeout`.
    Timeout,
    /// `--policy`.
    Policy,
    /// `--no-hygiene`.
    NoHygiene,
    /// `--one-cluster`.
    OneCluster,
    /// `--environment-steps`.
    EnvironmentSteps,
    /// `--format sequence` and `--format svg`.
    Drawings,
    /// `--jdk`.
    Jdk,
    /// `--classpath`.
    ClassPath,
    /// `--strict`.
    Strict,
    /// `--infer`, `--no-infer` and `--infer-budget`.
    Infer,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Plato, Self::C, Self::Chalice, Self::Pds, Self::Design, Self::Diagram, Self::Java];

    /// The language of a text, by its name. What has an unknown ending, or none, is Plato.
    pub fn of(name: &str) -> Self {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let known = Self::ALL.into_iter().find(|language| language.endings().contains(&ending));
        known.unwrap_or(Self::Plato)
    }

    /// How names of texts end.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Plato => &["plato"],
            Self::C => &["c", "i"],
            Self::Chalice => &["chalice"],
            Self::Pds => &["pds"],
            Self::Design => &["szumo"],
            Self::Diagram => &["puml", "plantuml"],
            Self::Java => &["java"],
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plato => "Plato",
            Self::C => "C",
            Self::Chalice => "Chalice",
            Self::Pds => "pushdown systems",
            Self::Design => "designs",
            Self::Diagram => "diagrams",
            Self::Java => "Java",
        }
    }

    /// Whether the choice means something for inputs in this language.
    pub fn supports(self, choice: Choice) -> bool {
        let is_design = matches!(self, Self::Design | Self::Diagram);
        match choice {
            Choice::Only | Choice::Timeout => {
                matches!(self, Self::Plato | Self::Chalice | Self::Java)
            }
            Choice::Unroll | Choice::OneCluster | Choice::EnvironmentSteps => self == Self::Plato,
            Choice::Infer => matches!(self, Self::Plato | Self::Chalice),
            Choice::Engine(engine) => self.has_engine(engine),
            Choice::States => !matches!(self, Self::Chalice | Self::Java),
            Choice::NoHygiene => {
                matches!(self, Self::Plato | Self::Chalice | Self::Java) || is_design
            }
            Choice::Policy | Choice::Drawings => is_design,
            Choice::Jdk | Choice::ClassPath | Choice::Strict => self == Self::Java,
        }
    }

    fn has_engine(self, engine: Engine) -> bool {
        match engine {
            Engine::Auto => true,
            Engine::Deductive => matches!(self, Self::Plato | Self::Chalice | Self::Java),
            Engine::ThreadModular | Engine::Explore => !matches!(self, Self::Chalice | Self::Java),
            Engine::Pairs | Engine::Pushdown => matches!(self, Self::Plato | Self::C | Self::Pds),
            Engine::Symbolic => matches!(self, Self::Plato | Self::C),
        }
    }
}

/// Which of the choices are wrong for an input of this name: for each a message.
pub fn unsuitable(name: &str, choices: &[Choice]) -> Vec<String> {
    let language = Language::of(name);
    let wrong = choices.iter().filter(|choice| !language.supports(**choice));
    let told = wrong.map(|choice| {
        let fits = Language::ALL.into_iter().filter(|other| other.supports(*choice));
        let fits: Vec<&str> = fits.map(Language::name).collect();
        let is = if fits.len() == 1 { "is for" } else { "is only for" };
        format!("{choice} {is} {}; {name} is read as {}", fits.join(", "), language.name())
    });
    told.chain(against_searches(language, choices)).collect()
}

/// A search looks at whole programs and follows loops as they are: choices about parts of them are
/// for deduction.
fn against_searches(language: Language, choices: &[Choice]) -> Option<String> {
    let is_search = |choice: &&Choice| match choice {
        Choice::Engine(engine) => !matches!(engine, Engine::Auto | Engine::Deductive),
        _ => false,
    };
    let search = choices.iter().find(is_search)?;
    let of_deduction = |choice: &&Choice| {
        use Choice::{EnvironmentSteps, OneCluster, Only, Timeout, Unroll};
        matches!(choice, Only | Unroll | OneCluster | EnvironmentSteps | Timeout)
    };
    let other = choices.iter().find(of_deduction).filter(|one| language.supports(**one))?;
    Some(format!("{other} is for deduction, and {search} asks for a search of the whole program"))
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Only => "--only",
            Self::Unroll => "--unroll",
            Self::Engine(engine) => return write!(f, "--engine {}", engine.name()),
            Self::States => "--states",
            Self::Timeout => "--timeout",
            Self::Policy => "--policy",
            Self::NoHygiene => "--no-hygiene",
            Self::OneCluster => "--one-cluster",
            Self::EnvironmentSteps => "--environment-steps",
            Self::Drawings => "--format sequence|svg",
            Self::Jdk => "--jdk",
            Self::ClassPath => "--classpath",
            Self::Strict => "--strict",
            Self::Infer => "--infer, --no-infer or --infer-budget",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Language, unsuitable};
    use crate::options::Engine;

    #[test]
    fn languages_are_known_by_their_endings() {
        assert_eq!(Language::of("a/b.szumo"), Language::Design);
        assert_eq!(Language::of("x.i"), Language::C);
        assert_eq!(Language::of("<standard input>"), Language::Plato);
        let endings: Vec<_> = Language::ALL.iter().flat_map(|one| one.endings()).collect();
        let mut distinct = endings.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), endings.len());
    }

    #[test]
    fn every_choice_is_for_some_language_and_says_for_which() {
        let told = unsuitable("x.chalice", &[Choice::Unroll, Choice::Only]);
        assert_eq!(told, ["--unroll is for Plato; x.chalice is read as Chalice"]);
        let told = unsuitable("x.szumo", &[Choice::Only]);
        assert_eq!(told, ["--only is only for Plato, Chalice, Java; x.szumo is read as designs"]);
        assert!(unsuitable("x.szumo", &[Choice::Policy, Choice::States]).is_empty());
    }

    #[test]
    fn parts_of_programs_are_not_for_searches() {
        let explore = Choice::Engine(Engine::Explore);
        assert_eq!(unsuitable("x.plato", &[Choice::Only, explore]).len(), 1);
        assert!(unsuitable("x.plato", &[Choice::States, explore]).is_empty());
        let deductive = Choice::Engine(Engine::Deductive);
        assert!(unsuitable("x.plato", &[Choice::Only, deductive]).is_empty());
    }
}
