//! What a task is about.

use std::fmt;

/// What a task is about: its kind and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskName {
    /// What kind of thing it is about.
    pub kind: TaskKind,
    /// The name of that thing as the user wrote it; empty if there is only one of its kind.
    pub name: String,
}

/// What kind of thing a task is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskKind {
    /// The initial stores and the invariants.
    Init,
    /// The relies of all threads.
    Relies,
    /// The relies of one thread.
    ReliesOf,
    /// Whether a rely is transitive.
    Transitivity,
    /// A thread.
    Thread,
    /// A procedure with a specification.
    Procedure,
    /// A method.
    Method,
    /// A function.
    Function,
    /// A predicate.
    Predicate,
    /// A monitor invariant.
    Monitor,
    /// A channel.
    Channel,
    /// A condition variable.
    Condition,
    /// A class as a whole.
    Class,
    /// Everything that a search decides.
    Search,
    /// The options of the run.
    Options,
    /// A task of which nothing is left because Rely failed.
    Failed,
}

impl TaskKind {
    /// The word for it before a name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Init => "init and invariants",
            Self::Relies => "relies",
            Self::ReliesOf => "relies of thread",
            Self::Transitivity => "transitivity",
            Self::Thread => "thread",
            Self::Procedure => "proc",
            Self::Method => "method",
            Self::Function => "function",
            Self::Predicate => "predicate",
            Self::Monitor => "monitor",
            Self::Channel => "channel",
            Self::Condition => "condition",
            Self::Class => "class",
            Self::Search => "search",
            Self::Options => "options",
            Self::Failed => "internal error",
        }
    }

    /// The name of the only task of this kind.
    pub fn alone(self) -> TaskName {
        TaskName { kind: self, name: String::new() }
    }

    /// The name of the task of this kind about something.
    pub fn of(self, name: impl Into<String>) -> TaskName {
        TaskName { kind: self, name: name.into() }
    }
}

impl fmt::Display for TaskName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.word())?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}
