//! What a run found out.

use diagnostic::{Code, Diagnostic, Severity};
use source::{FileId, SourceMap, Span};
use std::collections::BTreeMap;
use std::time::Duration;
use verdict::{Obligation, StopReason, TaskName, Trace, Verdict};

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
    /// Inputs that could not be read, each with the reason. They are for whoever reads files to
    /// add.
    pub unreadable: Vec<String>,
    /// The names by which files are known again, where they are not those shown. They are for
    /// whoever knows the folder of the project to add.
    pub known_as: BTreeMap<String, String>,
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
    pub notices: Vec<Notice>,
    /// Every obligation with its verdict.
    pub results: Vec<ObligationResult>,
    /// Per task the procedures whose specifications it stands on.
    pub uses: BTreeMap<TaskName, Vec<String>>,
    /// What searches were made, in order.
    pub searches: Vec<String>,
    /// What was taken for granted and not checked, in order of place.
    pub assumptions: Vec<(Span, String)>,
    /// The annotations that nobody wrote and that the results stand on.
    pub inferred: Vec<String>,
    /// The text with these annotations, which was verified.
    pub inferred_text: Option<String>,
    /// All in all.
    pub status: Status,
}

source::ids! {
    /// Index of a result in the report on its file.
    ResultId,
}

/// A diagnostic with what it is about.
#[derive(Clone, Debug)]
pub struct Notice {
    /// What to tell the user.
    pub diagnostic: Diagnostic,
    /// The obligation that it is about, if it is about one.
    pub about: Option<ResultId>,
    /// The run that shows it, if it is not the one that refutes the obligation.
    pub run: Option<Box<Trace>>,
    /// Why it does not count, if somebody decided to live with it.
    pub allowed: Option<Allowed>,
}

/// Why a finding does not count for the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// A comment in the source allows it.
    Comment {
        /// The reason that the comment gives.
        reason: String,
    },
    /// It was known before: the baseline has it.
    Baseline,
    /// It is a warning that the settings of the project turn off.
    Settings,
}

impl Notice {
    /// A diagnostic about no obligation.
    pub(crate) fn alone(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, about: None, run: None, allowed: None }
    }

    fn rejects_input(&self) -> bool {
        self.diagnostic.code.info().rejects_input
    }
}

/// An obligation with its verdict.
#[derive(Clone, Debug)]
pub struct ObligationResult {
    /// The task it belongs to, e.g. "thread T1".
    pub task: TaskName,
    /// The obligation.
    pub obligation: Obligation,
    /// Its verdict.
    pub verdict: Verdict,
    /// Which engine decided it.
    pub engine: &'static str,
    /// How it was decided.
    pub effort: Effort,
}

impl ObligationResult {
    /// A result that took no effort worth mentioning.
    pub(crate) fn new(
        task: TaskName,
        obligation: Obligation,
        verdict: Verdict,
        engine: &'static str,
    ) -> Self {
        Self { task, obligation, verdict, engine, effort: Effort::default() }
    }
}

/// What it took to decide an obligation, together with others that were decided with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How long it took.
    pub time: Duration,
    /// How many questions the solver answered.
    pub asked: u64,
    /// How many answers were remembered from earlier runs.
    pub remembered: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.time += other.time;
        self.asked += other.asked;
        self.remembered += other.remembered;
    }
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
    /// The status that follows from notices and results.
    pub fn new(file: FileId, mut notices: Vec<Notice>, results: Vec<ObligationResult>) -> Self {
        notices.sort_by_key(order);
        let rejected = notices.iter().any(Notice::rejects_input);
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
        let (uses, searches, assumptions) = (BTreeMap::new(), Vec::new(), Vec::new());
        let (inferred, inferred_text) = (Vec::new(), None);
        Self {
            file,
            notices,
            results,
            uses,
            searches,
            assumptions,
            inferred,
            inferred_text,
            status,
        }
    }

    /// Adds a warning about no obligation.
    pub(crate) fn warn(&mut self, diagnostic: Diagnostic) {
        self.notices.push(Notice::alone(diagnostic));
        self.notices.sort_by_key(order);
    }

    /// That the solver failed is said once for all files; what else was found out in a file that
    /// needs one means little.
    pub(crate) fn without_solver_failures(&mut self) {
        let is_failure = |result: &ObligationResult| {
            matches!(result.verdict, Verdict::Unknown(StopReason::SolverFailed(_)))
        };
        if self.results.iter().any(is_failure) {
            self.notices.retain(Notice::rejects_input);
        }
    }

    /// What to tell the user, in order of place.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.notices.iter().map(|notice| &notice.diagnostic)
    }

    /// The run that a notice shows: its own, or the one that refutes what it is about.
    pub fn run_of<'a>(&'a self, notice: &'a Notice) -> Option<&'a Trace> {
        let refuting = || match &self.results.get(notice.about?.index())?.verdict {
            Verdict::Refuted(trace) => Some(&**trace),
            Verdict::Proved(_) | Verdict::Unknown(_) => None,
        };
        notice.run.as_deref().or_else(refuting)
    }

    /// The status that counts for the exit code: what is allowed counts as if it held.
    pub fn counted_status(&self) -> Status {
        let kept = if self.denied().next().is_some() { Status::Refuted } else { Status::Proved };
        match self.status {
            Status::Refuted | Status::Unknown => {}
            Status::Proved | Status::NothingToVerify => return self.status.max(kept),
            Status::Rejected | Status::InternalError => return self.status,
        }
        let counted = (0..self.results.len()).filter(|index| !self.is_allowed(*index));
        let worst = counted.map(|index| match self.results[index].verdict {
            Verdict::Refuted(_) => Status::Refuted,
            Verdict::Unknown(_) => Status::Unknown,
            Verdict::Proved(_) => Status::Proved,
        });
        worst.max().unwrap_or(Status::Proved).max(kept)
    }

    /// The warnings that are set to count like errors.
    pub fn denied(&self) -> impl Iterator<Item = &Notice> {
        self.notices.iter().filter(|notice| {
            let told = &notice.diagnostic;
            let is_raised = told.code.info().severity == Severity::Warning;
            notice.allowed.is_none() && told.severity == Severity::Error && is_raised
        })
    }

    /// Whether a result does not count. One of which nothing is told hangs on another one of its
    /// task that is open for the same reason, and is allowed if that is.
    pub fn is_allowed(&self, index: usize) -> bool {
        let about = |notice: &&Notice| notice.about.map(ResultId::index) == Some(index);
        if let Some(notice) = self.notices.iter().find(about) {
            return notice.allowed.is_some();
        }
        let one = &self.results[index];
        let Verdict::Unknown(reason) = &one.verdict else { return false };
        let allowed = self.notices.iter().filter(|notice| notice.allowed.is_some());
        let mut others = allowed.filter_map(|notice| self.results.get(notice.about?.index()));
        others.any(|other| {
            let is_same = matches!(&other.verdict, Verdict::Unknown(why) if why == reason);
            is_same && other.task == one.task
        })
    }

    /// Whether the check of the file came to its end: no limit struck.
    pub(crate) fn is_complete(&self) -> bool {
        let is_cut = |result: &ObligationResult| {
            use StopReason::{Cancelled, MemoryLimit, ResourceLimit, SolverFailed, Timeout};
            let Verdict::Unknown(reason) = &result.verdict else { return false };
            matches!(reason, Cancelled | MemoryLimit | ResourceLimit | SolverFailed(_) | Timeout)
        };
        matches!(self.status, Status::Proved | Status::Refuted | Status::Unknown)
            && !self.results.iter().any(is_cut)
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

/// The order in which notices are told.
fn order(notice: &Notice) -> (Span, Severity, Code) {
    let about = &notice.diagnostic;
    (about.primary.span, about.severity, about.code)
}

impl Run {
    /// A run that found out nothing yet.
    pub(crate) fn of(sources: SourceMap) -> Self {
        let (files, only, unreadable) = (Vec::new(), Vec::new(), Vec::new());
        let unknown_options = Vec::new();
        let known_as = BTreeMap::new();
        Self { sources, files, only, unknown_options, unfit_solver: None, unreadable, known_as }
    }

    /// The exit code: 0 all proved, 1 something refuted, 3 input rejected, 4 nothing to verify, 5
    /// only unknowns left, 101 internal error. The worst file decides, in the order of
    /// [`Status`]; findings that are allowed do not count.
    pub fn exit_code(&self) -> u8 {
        if self.unfit_solver.is_some() {
            return 101;
        }
        let worst = self
            .files
            .iter()
            .map(FileReport::counted_status)
            .max()
            .unwrap_or(Status::NothingToVerify);
        let is_incomplete = !(self.unknown_options.is_empty() && self.unreadable.is_empty());
        if is_incomplete && worst < Status::Rejected {
            return 3;
        }
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
