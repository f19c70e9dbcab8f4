//! Chooses the solver, the way to run it, and the options each kind understands.

use crate::SmtError;
use crate::answer::excerpt;
use crate::process::{Process, Wait};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use verdict::{Halt, Limits, StopReason};

/// A solver program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solver {
    /// The executable.
    pub program: PathBuf,
    /// Whose options it understands.
    pub kind: Kind,
    /// Its version, as far as the caller knows: answers are remembered per version.
    pub version: String,
}

/// The solvers whose options are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Z3.
    Z3,
    /// cvc5.
    Cvc5,
}

/// A solver that does not state its version within this time is not usable.
const VERSION_TIME: Duration = Duration::from_secs(20);

/// Two questions with known answers.
const TEST: &str = "\
(declare-fun rely-test () Int)
(assert (> rely-test 1))
(check-sat)
(assert (< rely-test 1))
(check-sat)
";

/// A solver that does not answer them within this time is not usable.
const TEST_TIME: Duration = Duration::from_secs(10);

impl Solver {
    /// Name and version, as the program states them, for example `Z3 5.3.2`.
    pub fn identify(&self) -> Result<String, SmtError> {
        let mut process = self.spawn(&["--version"])?;
        let not_a_solver =
            |answer: String| SmtError::NotASolver { program: self.program.clone(), answer };
        let halt = Halt::default();
        let wait = Wait { deadline: Instant::now().checked_add(VERSION_TIME), halt: &halt };
        let line = match process.reply(wait) {
            Ok(line) => line,
            Err(StopReason::Timeout) => {
                return Err(not_a_solver("no answer to --version".to_owned()));
            }
            Err(reason) => return Err(not_a_solver(reason.to_string())),
        };
        let name = match self.kind {
            Kind::Z3 => "Z3",
            Kind::Cvc5 => "cvc5",
        };
        let version = line.split_once(&format!("{name} version ")).map(|(_, rest)| rest);
        match version.and_then(|rest| rest.split_whitespace().next()) {
            Some(version) => Ok(format!("{name} {version}")),
            None => Err(not_a_solver(line)),
        }
    }

    /// The fault of the program as a solver, found by asking it something that is satisfiable and
    /// something that is not.
    pub(crate) fn fault(&self, limits: &Limits, halt: &Halt) -> Option<String> {
        let mut process = match self.start() {
            Ok(process) => process,
            Err(error) => return Some(error.to_string()),
        };
        process.write(self.kind.prelude(limits, false) + TEST);
        let wait = Wait { deadline: Instant::now().checked_add(TEST_TIME), halt };
        let expected = ["sat", "unsat"];
        for (question, expected) in ["a satisfiable", "an unsatisfiable"].iter().zip(expected) {
            match process.reply(wait) {
                Ok(answer) if answer == expected => {}
                Ok(answer) => {
                    let answer = excerpt(&answer);
                    return Some(format!("it answers `{answer}` to {question} formula"));
                }
                Err(StopReason::Timeout) => {
                    return Some(format!("no answer to {question} formula"));
                }
                Err(reason) => return Some(reason.to_string()),
            }
        }
        None
    }

    /// Starts the program so that it reads commands from a pipe.
    pub(crate) fn start(&self) -> Result<Process, SmtError> {
        self.spawn(match self.kind {
            Kind::Z3 => &["-in", "-smt2"],
            Kind::Cvc5 => &["--lang", "smt2", "--incremental", "--quiet"],
        })
    }

    fn spawn(&self, arguments: &[&str]) -> Result<Process, SmtError> {
        Process::spawn(&self.program, arguments)
            .map_err(|source| SmtError::Spawn { program: self.program.clone(), source })
    }
}

impl Kind {
    /// The commands that every group of queries starts with.
    ///
    /// They end with a `push`: only in its incremental mode does Z3 keep a candidate model when it
    /// answers `unknown`.
    pub(crate) fn prelude(self, limits: &Limits, mbqi: bool) -> String {
        let mut text =
            String::from("(set-option :print-success false)\n(set-option :produce-models true)\n");
        match self {
            Kind::Z3 => {
                text.push_str(Z3_OPTIONS);
                // The memory limit holds for the whole process: `reset` does not lift it.
                let _ = writeln!(text, "(set-option :memory_max_size {})", limits.memory_mib);
                text.push_str(&self.mbqi_option(mbqi));
                text.push_str(&self.extensional_option(true));
                text.push_str(&self.limit_options(limits));
            }
            Kind::Cvc5 => {
                let _ = writeln!(text, "(set-option :seed 0)");
                let _ = writeln!(text, "(set-option :rlimit-per {})", limits.resources);
                let _ =
                    writeln!(text, "(set-option :tlimit-per {})", milliseconds(limits.wall_clock));
                text.push_str("(set-logic ALL)\n");
            }
        }
        text.push_str("(push 1)\n");
        text
    }

    /// The commands that change the limits of later checks, where the solver can do that.
    ///
    /// Z3 counts `rlimit` anew for each check: measured with 5.3.2, every check of a session stops
    /// after the same number of steps, also after other checks and after a `reset`.
    pub(crate) fn limit_options(self, limits: &Limits) -> String {
        match self {
            Kind::Z3 => {
                let resources = limits.resources.min(u64::from(u32::MAX));
                let time = milliseconds(limits.wall_clock);
                format!("(set-option :rlimit {resources})\n(set-option :timeout {time})\n")
            }
            // cvc5 accepts these only before its first assertion, see `prelude`.
            Kind::Cvc5 => String::new(),
        }
    }

    /// The command that switches model-based quantifier instantiation. Z3 accepts it between
    /// checks.
    pub(crate) fn mbqi_option(self, on: bool) -> String {
        match self {
            Kind::Z3 => format!("(set-option :smt.mbqi {on})\n"),
            Kind::Cvc5 => String::new(),
        }
    }

    /// The command that sets whether maps with the same elements are the same. Z3 obeys it for
    /// later assertions.
    pub(crate) fn extensional_option(self, on: bool) -> String {
        match self {
            Kind::Z3 => format!("(set-option :smt.array.extensional {on})\n"),
            Kind::Cvc5 => String::new(),
        }
    }
}

/// Quantifiers are instantiated by the triggers of the encoding only; the seeds are the same in
/// every run.
const Z3_OPTIONS: &str = "\
(set-option :auto_config false)
(set-option :smt.auto_config false)
(set-option :smt.qi.eager_threshold 100)
(set-option :smt.random_seed 0)
(set-option :sat.random_seed 0)
(set-option :nlsat.seed 0)
(set-option :model.completion true)
";

/// Z3 reads an unsigned 32-bit number and takes its greatest value as "no limit".
fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1)
}
