//! The meaning of a solver's answers.

use crate::sexp::Sexp;
use std::time::Duration;
use verdict::{Limits, StopReason, Warrant};

/// The answer to one check.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// No interpretation satisfies the assertions. What follows from that is proved.
    Unsat(Warrant),
    /// Some interpretation does, and its values can be asked for.
    Sat,
    /// The solver found an interpretation but cannot decide whether it satisfies every quantifier;
    /// its values can be asked for.
    Candidate,
    /// No answer.
    Unknown(StopReason),
}

impl Answer {
    /// The solver said `unsat`, now or in an earlier run. Nothing else in this crate issues a
    /// warrant.
    pub(crate) fn unsat() -> Self {
        Self::Unsat(Warrant::issue())
    }

    /// Whether no interpretation satisfies the assertions.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat(_))
    }
}

/// A reply, classified by its form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Unsat,
    Sat,
    Unknown,
    /// The command was not executed.
    Error(StopReason),
    /// Anything else.
    Form(String),
}

impl Reply {
    pub(crate) fn of(text: String) -> Self {
        match text.as_str() {
            "unsat" => Self::Unsat,
            "sat" => Self::Sat,
            "unknown" => Self::Unknown,
            "timeout" => Self::Error(StopReason::Timeout),
            "unsupported" => {
                Self::Error(StopReason::SolverFailed("it does not support a command".to_owned()))
            }
            _ if text.starts_with("(error") => Self::Error(error_reason(&text)),
            _ => Self::Form(text),
        }
    }
}

/// The reason behind an `(error "...")`.
fn error_reason(text: &str) -> StopReason {
    if text.contains("out of memory") {
        return StopReason::MemoryLimit;
    }
    let message = text.trim_start_matches("(error").trim_end_matches(')').trim().trim_matches('"');
    // Z3 lists every option it knows when one is misspelt; the first line is enough.
    StopReason::SolverFailed(message.lines().next().unwrap_or_default().to_owned())
}

/// The reason why the solver answered `unknown`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnknownReason {
    /// Its procedure for quantifiers got no further.
    Incomplete(String),
    /// Something else.
    Stopped(StopReason),
}

/// Reads the reply to `(get-info :reason-unknown)`.
///
/// `elapsed` is how long the check took: Z3 says `canceled` for the resource limit and, in older
/// versions, for its timer.
pub(crate) fn unknown_reason(reply: &str, limits: &Limits, elapsed: Duration) -> UnknownReason {
    let sexp = Sexp::parse(reply);
    let reason = match sexp.as_ref().map(Sexp::as_list) {
        Ok(Some([Sexp::Atom(key), reason])) if key == ":reason-unknown" => reason.to_string(),
        _ => {
            return UnknownReason::Stopped(StopReason::SolverFailed(format!(
                "unexpected reply: {}",
                excerpt(reply)
            )));
        }
    };
    let reason = reason.trim_matches('"');
    let has = |word: &str| reason.contains(word);
    UnknownReason::Stopped(if has("incomplete") {
        return UnknownReason::Incomplete(reason.to_owned());
    } else if has("memout") || has("out of memory") || has("memory limit") {
        StopReason::MemoryLimit
    } else if has("resource") {
        StopReason::ResourceLimit
    } else if has("timeout") {
        StopReason::Timeout
    } else if has("cancel") || has("interrupted") {
        if limits.resources == 0 || elapsed >= limits.wall_clock {
            StopReason::Timeout
        } else {
            StopReason::ResourceLimit
        }
    } else {
        StopReason::SolverGaveUp(reason.to_owned())
    })
}

/// The beginning of a text of any length.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 200;
    let line = text.lines().next().unwrap_or_default();
    if line.len() == text.len() && line.chars().count() <= LENGTH {
        return line.to_owned();
    }
    line.chars().take(LENGTH).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Reply, UnknownReason, unknown_reason};
    use std::time::Duration;
    use verdict::{Limits, StopReason};

    fn check(reason: &str, expected: &UnknownReason) {
        let reply = format!("(:reason-unknown {reason})");
        assert_eq!(
            &unknown_reason(&reply, &Limits::default(), Duration::ZERO),
            expected,
            "{reason}"
        );
    }

    #[test]
    fn reasons() {
        check(
            "\"(incomplete quantifiers)\"",
            &UnknownReason::Incomplete("(incomplete quantifiers)".to_owned()),
        );
        check("incomplete", &UnknownReason::Incomplete("incomplete".to_owned()));
        check("\"canceled\"", &UnknownReason::Stopped(StopReason::ResourceLimit));
        check(
            "\"max. resource limit exceeded\"",
            &UnknownReason::Stopped(StopReason::ResourceLimit),
        );
        check("resourceout", &UnknownReason::Stopped(StopReason::ResourceLimit));
        check("\"timeout\"", &UnknownReason::Stopped(StopReason::Timeout));
        check("\"memout\"", &UnknownReason::Stopped(StopReason::MemoryLimit));
        check("\"tired\"", &UnknownReason::Stopped(StopReason::SolverGaveUp("tired".to_owned())));
    }

    #[test]
    fn cancelled_by_the_timer_of_an_old_version() {
        let limits = Limits::default();
        let reason = unknown_reason("(:reason-unknown \"canceled\")", &limits, limits.wall_clock);
        assert_eq!(reason, UnknownReason::Stopped(StopReason::Timeout));
    }

    #[test]
    fn errors_keep_their_first_line() {
        let reply =
            Reply::of("(error \"unknown parameter\nLegal parameters are: ...\")".to_owned());
        assert_eq!(reply, Reply::Error(StopReason::SolverFailed("unknown parameter".to_owned())));
    }
}
