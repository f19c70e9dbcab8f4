//! A conversation with one solver process, which is started, restarted and replayed as needed.

use crate::SmtError;
use crate::answer::{Answer, Reply, UnknownReason, excerpt, unknown_reason};
use crate::health::Health;
use crate::memory::{Memory, key};
use crate::process::{Process, Wait};
use crate::sexp::Sexp;
use crate::solver::Solver;
use crate::splitter::is_complete;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdict::{Halt, Limits, StopReason};

/// A conversation with a solver. Dropping it ends the solver.
#[derive(Debug)]
pub struct Session {
    solver: Solver,
    limits: Limits,
    mbqi: bool,
    /// Whether maps with the same elements are the same.
    extensional: bool,
    memory: Option<Arc<dyn Memory>>,
    health: Health,
    /// Ends the session together with the run that it is part of.
    halt: Halt,
    /// Whether the process can be reused after taking back all commands.
    warm: bool,
    process: Option<Process>,
    /// Everything sent since `begin` that no `pop` has taken back; a new process gets it first.
    log: String,
    /// The length of the log at each open `push`.
    frames: Vec<usize>,
    /// The commands that the running process has not got yet.
    unsent: String,
    /// Set if the solver did not accept every command, which makes any later answer worthless.
    rejected: Option<StopReason>,
    /// Numbers the marks that separate replies.
    mark: u64,
    count: Count,
}

/// The numbers of questions that a session was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that went to the solver.
    pub asked: u64,
    /// Those answered from memory.
    pub remembered: u64,
}

/// Commands are handed over in pieces of this size, so that the solver reads while more is being
/// written.
const CHUNK: usize = 1 << 16;
/// Limit on the values in one request.
const VALUES_AT_ONCE: usize = 256;

impl Session {
    /// A session with this solver. The process is started when it is first needed.
    pub fn start(solver: &Solver, limits: Limits) -> Self {
        Self {
            solver: solver.clone(),
            limits,
            mbqi: false,
            extensional: true,
            memory: None,
            health: Health::default(),
            halt: Halt::default(),
            warm: false,
            process: None,
            log: String::new(),
            frames: Vec::new(),
            unsent: String::new(),
            rejected: None,
            mark: 0,
            count: Count::default(),
        }
    }

    /// Shares the health of the solver with other sessions, and ends with them.
    pub fn join(&mut self, health: Health, halt: Halt) {
        self.health = health;
        self.halt = halt;
    }

    /// Ends with another run from now on; what it ended with before.
    pub fn until(&mut self, halt: Halt) -> Halt {
        std::mem::replace(&mut self.halt, halt)
    }

    /// Uses answers that were remembered, and remembers new ones.
    pub fn remember(&mut self, memory: Arc<dyn Memory>) {
        self.memory = Some(memory);
    }

    /// The value remembered for the current question with this addition.
    pub fn recall(&self, addition: &str) -> Option<String> {
        self.memory.as_ref()?.get(&key(&self.solver, &[&self.log, addition]))
    }

    /// Remembers a consequence of the current question with this addition.
    pub fn memorise(&self, addition: &str, value: &str) {
        if let Some(memory) = &self.memory {
            memory.put(&key(&self.solver, &[&self.log, addition]), value);
        }
    }

    /// The value remembered for a question that stands for itself.
    pub fn recall_whole(&self, question: &[&str]) -> Option<String> {
        self.memory.as_ref()?.get(&key(&self.solver, question))
    }

    /// Remembers the answer to a question that stands for itself.
    pub fn memorise_whole(&self, question: &[&str], value: &str) {
        if let Some(memory) = &self.memory {
            memory.put(&key(&self.solver, question), value);
        }
    }

    /// Whether answers are remembered at all.
    pub fn remembers(&self) -> bool {
        self.memory.is_some()
    }

    /// The numbers of questions asked so far.
    pub fn count(&self) -> Count {
        self.count
    }

    /// Why nothing is asked any more, once the whole run has to end.
    pub fn halted(&self) -> Option<StopReason> {
        self.halt.reason()
    }

    /// Whether nothing is asked any more, since the solver hung again and again or the run ends.
    pub(crate) fn is_over(&self) -> bool {
        self.health.is_given_up() || self.halted().is_some()
    }

    /// What ends a question.
    pub(crate) fn ends_with(&self) -> (&Limits, &Halt) {
        (&self.limits, &self.halt)
    }

    /// Which solver this is.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Makes the next [`Session::begin`] one whose answers do not depend on anything before it.
    ///
    /// Without this, `begin` keeps what the solver's process learnt about itself (names, memory):
    /// 20 times faster than a reset, and still the same answers for the same conversation since the
    /// last `fresh`.
    pub fn fresh(&mut self) {
        self.warm = false;
    }

    /// Forgets everything that was sent, with model-based quantifier instantiation off and maps
    /// compared by their elements.
    pub fn begin(&mut self) {
        let warm = std::mem::replace(&mut self.warm, true) && self.rejected.is_none();
        self.log.clear();
        let frames = std::mem::take(&mut self.frames).len();
        self.rejected = None;
        if self.process.is_none() {
            self.unsent.clear();
        } else if warm {
            let _ = writeln!(self.unsent, "(pop {})\n(push 1)", frames + 1);
        } else {
            self.unsent.clear();
            self.unsent.push_str("(reset)\n");
            self.unsent.push_str(&self.solver.kind.prelude(&self.limits, false));
        }
        if warm {
            self.set_mbqi(false);
            self.set_extensional(true);
        }
        self.mbqi = false;
        self.extensional = true;
    }

    /// Sends commands that the solver does not answer: declarations, definitions, assertions.
    ///
    /// The next check fails if the solver rejects them.
    pub fn send(&mut self, text: &str) {
        if !is_complete(text) {
            let reason = format!("an incomplete command was not sent: {}", excerpt(text));
            self.rejected.get_or_insert(StopReason::SolverFailed(reason));
            return;
        }
        self.log.push_str(text);
        self.log.push('\n');
        self.tell(text);
    }

    /// Opens a frame: the next [`Session::pop`] takes back everything sent after this.
    pub fn push(&mut self) {
        self.frames.push(self.log.len());
        self.log.push_str("(push 1)\n");
        self.tell("(push 1)");
    }

    /// Takes back the innermost frame.
    pub fn pop(&mut self) {
        let Some(length) = self.frames.pop() else { panic!("internal error: pop without push") };
        self.log.truncate(length);
        self.tell("(pop 1)");
    }

    /// Switches model-based quantifier instantiation for the checks until the next
    /// [`Session::begin`]. It can turn a candidate into an answer and takes much longer. cvc5
    /// ignores it.
    pub fn set_mbqi(&mut self, on: bool) {
        if self.mbqi != on {
            self.mbqi = on;
            self.tell(&self.solver.kind.mbqi_option(on));
        }
    }

    /// Sets whether maps with the same elements are the same, for the checks until the next
    /// [`Session::begin`]; call it right after that. If they need not be, `Unsat` is as true as
    /// ever, since the solver assumes less; a model is a candidate only. Z3 makes an element for
    /// each pair of maps that may differ, and instantiates quantifiers for all of them: without it,
    /// questions about linked structures take a hundredth of the time. cvc5 ignores it.
    pub fn set_extensional(&mut self, on: bool) {
        if self.extensional != on {
            self.extensional = on;
            self.tell(&self.solver.kind.extensional_option(on));
        }
    }

    /// Sets the limits of the following checks. The memory limit, and all of them with cvc5, count
    /// from the next [`Session::begin`] on; the time after which the process is killed counts at
    /// once.
    pub fn set_limits(&mut self, limits: Limits) {
        if self.limits != limits {
            self.limits = limits;
            self.tell(&self.solver.kind.limit_options(&limits));
        }
    }

    /// Asks whether the commands sent are satisfiable together with the assumptions, which are
    /// Boolean constants or their negations.
    pub fn check(&mut self, assumptions: &[String]) -> Answer {
        let command = match assumptions {
            [] => "(check-sat)".to_owned(),
            _ => format!("(check-sat-assuming ({}))", assumptions.join(" ")),
        };
        // The absence of a model is a fact about the question; a model would have to be found
        // again.
        if self.rejected.is_none() && self.recall(&command).as_deref() == Some("unsat") {
            self.count.remembered += 1;
            return Answer::unsat();
        }
        self.count.asked += 1;
        let answer = self.check_now(&command);
        if answer.is_unsat() {
            self.memorise(&command, "unsat");
        }
        answer
    }

    fn check_now(&mut self, command: &str) -> Answer {
        let begun = Instant::now();
        match self.ask(command) {
            Ok(replies) => match replies.as_slice() {
                [Reply::Unsat] => Answer::unsat(),
                [Reply::Sat] if self.extensional => Answer::Sat,
                [Reply::Sat] => Answer::Candidate,
                [Reply::Unknown] => self.explain_unknown(begun.elapsed()),
                other => Answer::Unknown(self.nonsense(other)),
            },
            Err(error) => Answer::Unknown(error.into_stop_reason()),
        }
    }

    /// The values of these terms in the model of the last check, in the same order. Asked for right
    /// after a check that answered `Sat` or `Candidate`.
    pub fn values(&mut self, terms: &[String]) -> Result<Vec<Sexp>, SmtError> {
        let mut values = Vec::with_capacity(terms.len());
        for chunk in terms.chunks(VALUES_AT_ONCE) {
            let mut reply = self.query(&format!("(get-value ({}))", chunk.join(" ")))?;
            let unexpected = || {
                SmtError::Stopped(StopReason::SolverFailed(
                    "unexpected reply to get-value".to_owned(),
                ))
            };
            let Sexp::List(pairs) = &mut reply else { return Err(unexpected()) };
            if pairs.len() != chunk.len() {
                return Err(unexpected());
            }
            for pair in pairs {
                match pair {
                    Sexp::List(pair) if pair.len() == 2 => values.extend(pair.pop()),
                    _ => return Err(unexpected()),
                }
            }
        }
        Ok(values)
    }

    /// Sends one command that is answered by one s-expression, such as `(get-model)`, and reads the
    /// reply.
    pub fn query(&mut self, command: &str) -> Result<Sexp, SmtError> {
        let replies = self.ask(command)?;
        match replies.as_slice() {
            [Reply::Form(text)] => Sexp::parse(text).map_err(|error| {
                SmtError::Stopped(StopReason::SolverFailed(format!("unreadable reply: {error}")))
            }),
            other => Err(SmtError::Stopped(self.nonsense(other))),
        }
    }

    /// Finds out why the solver answered `unknown`, and whether it has a model all the same.
    fn explain_unknown(&mut self, elapsed: Duration) -> Answer {
        let replies = match self.ask("(get-info :reason-unknown)") {
            Ok(replies) => replies,
            Err(error) => return Answer::Unknown(error.into_stop_reason()),
        };
        let [Reply::Form(text)] = replies.as_slice() else {
            return Answer::Unknown(self.nonsense(&replies));
        };
        match unknown_reason(text, &self.limits, elapsed) {
            UnknownReason::Stopped(reason) => Answer::Unknown(reason),
            UnknownReason::Incomplete(text) => match self.query("(get-value (true))") {
                Ok(_) => Answer::Candidate,
                Err(_) => Answer::Unknown(StopReason::SolverGaveUp(text)),
            },
        }
    }

    /// Gives up on a process that answers nonsense, since its state is unknown.
    fn nonsense(&mut self, replies: &[Reply]) -> StopReason {
        self.process = None;
        let text = match replies.first() {
            Some(Reply::Form(text)) => excerpt(text),
            Some(reply) => format!("{reply:?}").to_lowercase(),
            None => "nothing".to_owned(),
        };
        StopReason::SolverFailed(format!("unexpected reply: {text}"))
    }

    /// Queues commands for the running process. Without a process there is nothing to do: a new one
    /// gets the log.
    fn tell(&mut self, text: &str) {
        if let Some(process) = &self.process {
            self.unsent.push_str(text);
            self.unsent.push('\n');
            if self.unsent.len() >= CHUNK {
                process.write(std::mem::take(&mut self.unsent));
            }
        }
    }

    /// Sends the queued commands and one more; returns the replies to the latter.
    fn ask(&mut self, command: &str) -> Result<Vec<Reply>, SmtError> {
        if let Some(reason) = &self.rejected {
            return Err(SmtError::Stopped(reason.clone()));
        }
        if !is_complete(command) {
            return Err(SmtError::Rejected(format!("incomplete command {}", excerpt(command))));
        }
        if self.health.is_given_up() {
            let why = "it hung again and again and was given up".to_owned();
            return Err(SmtError::Stopped(StopReason::SolverFailed(why)));
        }
        if let Some(reason) = self.halted() {
            // What is sent from now on would be read for nothing.
            self.process = None;
            return Err(SmtError::Stopped(reason));
        }
        self.ensure_process()?;
        let (before, after) = (self.next_mark(), self.next_mark());
        self.tell(&format!("(echo \"{before}\")\n{command}\n(echo \"{after}\")"));
        let begun = Instant::now();
        let outcome = self.converse(&before, &after);
        match &outcome {
            Err(SmtError::Stopped(reason)) => {
                // Drop the process: it hangs, or its state is unknown.
                self.process = None;
                if *reason == StopReason::Timeout && self.halt.reason().is_none() {
                    self.health.hung(begun.elapsed());
                }
            }
            _ => self.health.answered(),
        }
        outcome
    }

    /// Reads the replies to the queued commands, up to the first mark, and those to the command, up
    /// to the second.
    fn converse(&mut self, before: &str, after: &str) -> Result<Vec<Reply>, SmtError> {
        let Some(process) = &mut self.process else {
            panic!("internal error: no process to converse with")
        };
        process.write(std::mem::take(&mut self.unsent));
        let wait = Wait { deadline: deadline(&self.limits), halt: &self.halt };
        let early = read_until(process, before, wait)?;
        let replies = read_until(process, after, wait)?;
        // None of the queued commands has an answer: a reply means that one was not understood.
        if let Some(reply) = early.into_iter().next() {
            let reason = match reply {
                Reply::Error(reason) => reason,
                Reply::Form(text) => {
                    StopReason::SolverFailed(format!("unexpected output: {}", excerpt(&text)))
                }
                other => {
                    StopReason::SolverFailed(format!("unexpected output: {other:?}").to_lowercase())
                }
            };
            self.rejected = Some(reason.clone());
            return Err(SmtError::Stopped(reason));
        }
        for reply in &replies {
            match reply {
                Reply::Error(StopReason::SolverFailed(text)) => {
                    return Err(SmtError::Rejected(text.clone()));
                }
                Reply::Error(reason) => return Err(SmtError::Stopped(reason.clone())),
                Reply::Unsat | Reply::Sat | Reply::Unknown | Reply::Form(_) => {}
            }
        }
        Ok(replies)
    }

    fn ensure_process(&mut self) -> Result<(), SmtError> {
        if self.process.is_none() {
            let limits = self.limits;
            let test = || self.solver.fault(&limits, &self.halt);
            self.health.test(&self.halt, test).map_err(SmtError::Stopped)?;
            let process = self.solver.start()?;
            self.unsent = self.solver.kind.prelude(&self.limits, self.mbqi);
            self.unsent.push_str(&self.solver.kind.extensional_option(self.extensional));
            self.unsent.push_str(&self.log);
            self.process = Some(process);
        }
        Ok(())
    }

    fn next_mark(&mut self) -> String {
        self.mark += 1;
        format!("rely-mark-{}", self.mark)
    }
}

/// The time at which the process is killed: a little after its own timer, which normally ends the
/// check and leaves the process alive.
fn deadline(limits: &Limits) -> Option<Instant> {
    let grace = (limits.wall_clock / 10).clamp(Duration::from_millis(100), Duration::from_secs(2));
    Instant::now().checked_add(limits.wall_clock)?.checked_add(grace)
}

/// The replies before a mark. Z3 echoes the mark as it is, other solvers in quotes.
fn read_until(process: &mut Process, mark: &str, wait: Wait<'_>) -> Result<Vec<Reply>, SmtError> {
    let mut replies = Vec::new();
    loop {
        let text = match process.reply(wait) {
            Ok(text) => text,
            // cvc5 ends after an error; what it said tells more than that it ended.
            Err(end) => return Err(SmtError::Stopped(first_error(replies).unwrap_or(end))),
        };
        if text.trim_matches('"') == mark {
            return Ok(replies);
        }
        // The first ones tell enough; a solver that prints without end must not fill the memory.
        if replies.len() < 100 {
            replies.push(Reply::of(text));
        }
    }
}

fn first_error(replies: Vec<Reply>) -> Option<StopReason> {
    replies.into_iter().find_map(|reply| match reply {
        Reply::Error(reason) => Some(reason),
        Reply::Unsat | Reply::Sat | Reply::Unknown | Reply::Form(_) => None,
    })
}
