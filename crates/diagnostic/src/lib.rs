//! Diagnostics as plain data, the registry of their codes, and their rendering as text.
//!
//! It sits near the bottom: it knows spans and nothing of any language.

mod code;
mod render;
mod similar;

pub use code::{Code, CodeInfo, Runs};
pub use render::{Style, render};
pub use similar::most_similar;

use source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The input is rejected or an obligation is refuted.
    Error,
    /// An obligation has no verdict.
    Unknown,
    /// Suspicious, but no verdict depends on it.
    Warning,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which fault; see [`Code::ALL`].
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One line that says what is wrong.
    pub message: String,
    /// The place at fault and the text there.
    pub primary: Label,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// Facts that help understanding.
    pub notes: Vec<String>,
    /// What would repair it.
    pub help: Vec<String>,
}

/// A place in the source with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text there; may be empty.
    pub text: String,
}

impl Diagnostic {
    /// A diagnostic with its code's usual severity and nothing but a message and a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: code.info().severity,
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Sets the text at the primary place.
    pub fn at(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a repair.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}
