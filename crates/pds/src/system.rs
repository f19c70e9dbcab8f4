//! A concurrent pushdown system: threads with stacks over one shared state.
//!
//! True of it, if nothing was wrong with its text: every shared state is smaller than
//! [`System::states`], and the initial configuration and every target have one entry for each
//! thread.

use source::Span;

/// The number of a shared state.
pub type State = u32;
/// The number of a stack symbol.
pub type Symbol = u32;

/// A concurrent pushdown system with what must not happen to it.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// How many shared states there are; they are numbered from 0.
    pub states: u32,
    /// The threads.
    pub threads: Vec<Thread>,
    /// Where runs start.
    pub initial: Configuration,
    /// What must never be reached.
    pub targets: Vec<Target>,
}

/// One thread: a pushdown automaton.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The line that begins it.
    pub span: Span,
    /// The first of its stack symbols as its first line tells, where a thread starts for want of
    /// other words.
    pub first: Symbol,
    /// What it can do.
    pub rules: Vec<Rule>,
}

/// `(from, top) -> (to, word)`: where the shared state is `from` and the thread's stack begins with
/// `top`, it may become `to`, and `word` takes the place of `top`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its line.
    pub span: Span,
    /// The shared state before.
    pub from: State,
    /// The top of the stack before; nothing means that the stack is empty.
    pub top: Option<Symbol>,
    /// The shared state after.
    pub to: State,
    /// What takes the place of the top, the new top first.
    pub word: Vec<Symbol>,
}

/// A shared state and the stacks of all threads.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// The shared state.
    pub state: State,
    /// The stacks, each with its top first.
    pub stacks: Vec<Vec<Symbol>>,
}

/// Configurations that must never be reached.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its line.
    pub span: Span,
    /// The shared state; nothing means any.
    pub state: Option<State>,
    /// What is at the top of each stack.
    pub tops: Vec<Top>,
}

/// What is asked of the top of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// Nothing.
    Any,
    /// The stack is empty.
    Empty,
    /// This symbol is at the top.
    Is(Symbol),
}

impl Top {
    /// Whether a stack with this symbol at its top, or an empty one, is meant.
    pub fn matches(self, top: Option<Symbol>) -> bool {
        match self {
            Self::Any => true,
            Self::Empty => top.is_none(),
            Self::Is(symbol) => top == Some(symbol),
        }
    }
}

impl System {
    /// Whether some thread can make its stack longer.
    pub fn pushes(&self) -> bool {
        let rules = self.threads.iter().flat_map(|thread| &thread.rules);
        rules.into_iter().any(|rule| rule.word.len() > usize::from(rule.top.is_some()))
    }
}
