//! A run of a design as a sequence of messages, and who waits for whom at its end.

/// A run of a design as messages between its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// What takes part: threads by their roots, and the units that they use.
    pub lifelines: Vec<Lifeline>,
    /// What happens, in order.
    pub messages: Vec<Message>,
    /// Threads that wait in a circle, each with the unit that it waits for and the next one holds;
    /// as lifelines.
    pub circle: Vec<(usize, usize)>,
}

/// Something that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// What it is called.
    pub name: String,
    /// Whether it is a root, and so has a thread.
    pub is_thread: bool,
}

/// Something that happens between lifelines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who does it.
    pub from: usize,
    /// To whom; the same for a step of its own.
    pub to: usize,
    /// What kind it is.
    pub kind: MessageKind,
    /// A few words.
    pub text: String,
}

/// What kind of thing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// A transition.
    Step,
    /// A call.
    Call,
    /// Its end.
    Return,
    /// A unit comes into the realm of a thread.
    Acquire,
    /// A unit leaves it.
    Release,
    /// A thread waits, at the end.
    Wait,
}
