//! What goes into a run and what comes out.

use crate::language::Choice;
use diagnostic::{Code, Diagnostic};
use search::Budget;
use smt::{Memory, Solver};
use source::{FileId, SourceMap};
use std::collections::BTreeMap;
use std::sync::Arc;
use verdict::{Halt, Limits, Obligation, StopReason, Verdict};

/// One text to check.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name shown to the user.
    pub name: String,
    /// The text.
    pub text: String,
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
    /// A search may visit so many states.
    pub states: u64,
    /// When the whole run has to end.
    pub halt: Halt,
    /// The only policy under which designs with synchronization contracts are checked.
    pub policy: Option<contract::Policy>,
    /// Let the environment act on all variables before every step.
    pub one_cluster: bool,
    /// Let the environment take this many steps in a row where one is enough; 0 means one.
    pub environment_steps: usize,
}

/// How to decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// Deduction if relies or specifications are written or the program is not finite, else searches, cheap ones first.
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
            engine: Engine::Auto,
            states: Self::STATES,
            halt: Halt::default(),
            policy: None,
            one_cluster: false,
            environment_steps: 1,
        }
    }

    /// How many states a search may visit unless something else is asked for.
    pub const STATES: u64 = 20_000_000;

    /// How far searches may go.
    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget {
            states: self.states,
            bytes: u64::from(self.limits.memory_mib) << 20,
            halt: Some(&self.halt),
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
            (self.one_cluster, Choice::OneCluster),
            (self.environment_steps > 1, Choice::EnvironmentSteps),
        ];
        given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, choice)| choice).collect()
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

/// Told now and then, for a progress line.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Queries decided.
    pub done: usize,
    /// Queries known of so far.
    pub total: usize,
}

/// Everything a run found out.
#[derive(Clone, Debug)]
pub struct Run {
    /// The texts.
    pub sources: SourceMap,
    /// One report per input, in order.
    pub files: Vec<FileReport>,
    /// The only threads, procedures and so on that were looked at; if there is none, all were.
    pub only: Vec<String>,
    /// Definitions and selections that fit no input.
    pub unknown_options: Vec<UnknownOption>,
    /// What is wrong with the solver, if it is not fit to be believed.
    pub unfit_solver: Option<String>,
    /// Inputs that could not be read, each with the reason. They are for whoever reads files to add.
    pub unreadable: Vec<String>,
}

/// An option that names something no input has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownOption {
    /// A definition of a constant.
    Constant(String),
    /// A selected thread, procedure, method or class.
    Part(String),
}

impl std::fmt::Display for UnknownOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Constant(name) => write!(f, "no input declares a constant `{name}`"),
            Self::Part(name) => {
                write!(f, "no input has a thread, procedure, method or class `{name}`")
            }
        }
    }
}

/// What was found out about one input.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Which input.
    pub file: FileId,
    /// What to tell the user, in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// Every obligation with its verdict.
    pub results: Vec<ObligationResult>,
    /// Per task the procedures whose specifications it stands on.
    pub uses: BTreeMap<String, Vec<String>>,
    /// What searches were made, in order.
    pub searches: Vec<String>,
    /// Runs of designs to be drawn, each with its code.
    pub drawings: Vec<(Code, contract::Drawing)>,
    /// All in all.
    pub status: Status,
}

/// An obligation with its verdict.
#[derive(Clone, Debug)]
pub struct ObligationResult {
    /// The task it belongs to, e.g. "thread T1".
    pub task: String,
    /// The obligation.
    pub obligation: Obligation,
    /// Its verdict.
    pub verdict: Verdict,
}

/// The verdict on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Every obligation is proved, and there is one.
    Proved,
    /// There is no obligation.
    NothingToVerify,
    /// Some have no verdict, none is refuted.
    Unknown,
    /// The text is not a program.
    Rejected,
    /// Some obligation is refuted.
    Refuted,
    /// Rely itself failed.
    InternalError,
}

impl FileReport {
    /// The status that follows from diagnostics and results.
    pub fn new(
        file: FileId,
        mut diagnostics: Vec<Diagnostic>,
        results: Vec<ObligationResult>,
    ) -> Self {
        diagnostics.sort_by_key(|d| (d.primary.span, d.severity, d.code));
        let rejected = diagnostics.iter().any(|d| d.code.info().rejects_input);
        let is = |test: fn(&Verdict) -> bool| results.iter().any(|result| test(&result.verdict));
        let status = if is(|v| matches!(v, Verdict::Unknown(StopReason::InternalError(_)))) {
            Status::InternalError
        } else if is(|v| matches!(v, Verdict::Refuted(_))) {
            Status::Refuted
        } else if rejected {
            Status::Rejected
        } else if is(|v| matches!(v, Verdict::Unknown(_))) {
            Status::Unknown
        } else if results.is_empty() {
            Status::NothingToVerify
        } else {
            Status::Proved
        };
        Self {
            file,
            diagnostics,
            results,
            uses: BTreeMap::new(),
            searches: Vec::new(),
            drawings: Vec::new(),
            status,
        }
    }

    /// That the solver failed is said once for all files; what else was found out in a file that
    /// needs one means little.
    pub(crate) fn without_solver_failures(&mut self) {
        let is_failure = |result: &ObligationResult| {
            matches!(result.verdict, Verdict::Unknown(StopReason::SolverFailed(_)))
        };
        if self.results.iter().any(is_failure) {
            self.diagnostics.retain(|diagnostic| diagnostic.code.info().rejects_input);
        }
    }

    /// How many obligations are proved, refuted and unknown.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count =
            |test: fn(&Verdict) -> bool| self.results.iter().filter(|r| test(&r.verdict)).count();
        (
            count(|v| matches!(v, Verdict::Proved(_))),
            count(|v| matches!(v, Verdict::Refuted(_))),
            count(|v| matches!(v, Verdict::Unknown(_))),
        )
    }
}

impl Run {
    /// The exit code: 0 all proved, 1 something refuted, 3 input rejected, 4 nothing to verify, 5 only unknowns left,
    /// 101 internal error. The worst file decides, in the order of [`Status`].
    pub fn exit_code(&self) -> u8 {
        if self.unfit_solver.is_some() {
            return 101;
        }
        let kept = self.files.iter().all(|file| file.status < Status::Rejected);
        if kept && !(self.unknown_options.is_empty() && self.unreadable.is_empty()) {
            return 3;
        }
        let worst =
            self.files.iter().map(|file| file.status).max().unwrap_or(Status::NothingToVerify);
        match worst {
            Status::Proved => 0,
            Status::NothingToVerify => 4,
            Status::Unknown => 5,
            Status::Rejected => 3,
            Status::Refuted => 1,
            Status::InternalError => 101,
        }
    }
}
