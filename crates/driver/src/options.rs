//! How to check.

use crate::language::Choice;
use crate::settings::Settings;
use java::{Library, NoLibrary};
use search::{Budget, Meter};
use smt::{Memory, Solver};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use verdict::{Halt, Limits};

/// One text to check.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name shown to the user.
    pub name: String,
    /// The text.
    pub text: String,
}

/// What texts are read with.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Values for constants.
    pub definitions: &'a [(String, String)],
    /// Class files of the library of Java.
    pub library: &'a dyn Library,
}

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The solver.
    pub solver: Solver,
    /// Its name and version, as evidence names it.
    pub solver_name: String,
    /// How much one query may cost.
    pub limits: Limits,
    /// How many solvers may run at once.
    pub jobs: usize,
    /// Unroll loops this many times instead of using their invariants.
    pub unroll: Option<u32>,
    /// Check only the threads of these names; empty means everything.
    pub only: Vec<String>,
    /// Values for constants.
    pub definitions: Vec<(String, String)>,
    /// Answers from earlier runs.
    pub memory: Option<Arc<dyn Memory>>,
    /// Whether to look for specifications that say less than they seem to.
    pub hygiene: bool,
    /// How to decide.
    pub engine: Engine,
    /// Limit on the states that a search may visit.
    pub states: u64,
    /// Counts the states that searches visit.
    pub meter: Arc<Meter>,
    /// When the whole run has to end.
    pub halt: Halt,
    /// The only policy under which designs with synchronization contracts are checked.
    pub policy: Option<contract::Policy>,
    /// How long to look for annotations that are missing; `None`: they are not looked for.
    pub infer: Option<Duration>,
    /// Whether what is taken for granted leaves a method undecided.
    pub strict: bool,
    /// Let the environment act on all variables before every step.
    pub one_cluster: bool,
    /// Let the environment take this many steps in a row where one is enough; 0 means one.
    pub environment_steps: usize,
    /// Class files of the library of Java.
    pub library: Arc<dyn Library>,
    /// What is set for single files, by their names.
    pub settings: Arc<BTreeMap<String, Settings>>,
}

/// How to decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// Deduction if relies or specifications are written or the program is not finite, else
    /// searches, cheap ones first.
    #[default]
    Auto,
    /// Deduction from the annotations.
    Deductive,
    /// A search of each thread alone.
    ThreadModular,
    /// The same with sets of states as decision diagrams.
    Symbolic,
    /// A search of pairs of threads.
    Pairs,
    /// A search of each thread alone, with stacks.
    Pushdown,
    /// A search of every interleaving.
    Explore,
}

impl Engine {
    /// The engine of this name on the command line and in headers of examples.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Deductive,
        Self::ThreadModular,
        Self::Symbolic,
        Self::Pairs,
        Self::Pushdown,
        Self::Explore,
    ];

    /// The search that is asked for, if one is.
    pub(crate) fn search(self) -> Option<search::Engine> {
        match self {
            Self::Auto | Self::Deductive => None,
            Self::ThreadModular => Some(search::Engine::ThreadModular),
            Self::Symbolic => Some(search::Engine::Symbolic),
            Self::Pairs => Some(search::Engine::Pairs),
            Self::Pushdown => Some(search::Engine::Pushdown),
            Self::Explore => Some(search::Engine::Explore),
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Deductive => "deductive",
            Self::ThreadModular => "thread-modular",
            Self::Symbolic => "symbolic",
            Self::Pairs => "pairs",
            Self::Pushdown => "pushdown",
            Self::Explore => "explore",
        }
    }
}

impl Options {
    /// What is done unless something else is asked for.
    pub fn new(solver: Solver) -> Self {
        Self {
            solver_name: solver.version.clone(),
            solver,
            limits: Limits::default(),
            jobs: 1,
            unroll: None,
            only: Vec::new(),
            definitions: Vec::new(),
            memory: None,
            hygiene: true,
            infer: None,
            strict: false,
            engine: Engine::Auto,
            states: Self::STATES,
            meter: Arc::default(),
            halt: Halt::default(),
            policy: None,
            one_cluster: false,
            environment_steps: 1,
            library: Arc::new(NoLibrary),
            settings: Arc::default(),
        }
    }

    /// What texts are read with.
    pub fn given(&self) -> Given<'_> {
        Given { definitions: &self.definitions, library: &*self.library }
    }

    /// How many states a search may visit unless something else is asked for.
    pub const STATES: u64 = 20_000_000;

    /// How far searches may go.
    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget {
            states: self.states,
            bytes: u64::from(self.limits.memory_mib) << 20,
            halt: Some(&self.halt),
            meter: Some(&self.meter),
            ..Budget::default()
        }
    }

    /// What is asked for that is not for every language. Limits have values in any case.
    pub fn choices(&self) -> Vec<Choice> {
        let given = [
            (self.engine != Engine::Auto, Choice::Engine(self.engine)),
            (self.unroll.is_some(), Choice::Unroll),
            (!self.only.is_empty(), Choice::Only),
            (self.policy.is_some(), Choice::Policy),
            (!self.hygiene, Choice::NoHygiene),
            (self.strict, Choice::Strict),
            (self.one_cluster, Choice::OneCluster),
            (self.environment_steps > 1, Choice::EnvironmentSteps),
        ];
        given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, choice)| choice).collect()
    }

    /// Everything that the answers of deduction depend on.
    pub(crate) fn of_deduction(&self) -> String {
        let (threads, steps) = (self.one_cluster, self.environment_steps);
        format!("{:?}", (self.unroll, &self.definitions, self.limits, self.hygiene, threads, steps))
    }

    /// How threads and procedures are lowered.
    pub(crate) fn lowering(&self) -> modular::Options {
        modular::Options {
            one_cluster: self.one_cluster,
            environment_steps: self.environment_steps,
            ..modular::Options::default()
        }
    }
}
