//! The findings of a comparison.

use std::fmt;

/// The outcome of comparing many files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of compared files or blocks.
    pub compared: usize,
    /// The mismatches, in order of place.
    pub mismatches: Vec<Mismatch>,
}

/// A place where expectation and finding differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mismatch {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The expected and the found result; may have several lines.
    pub message: String,
}

impl Report {
    /// Fails the test with the list of all mismatches, or if nothing was compared.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.compared > 0, "nothing was compared");
        assert!(self.mismatches.is_empty(), "{self}");
    }
}

impl Mismatch {
    pub(crate) fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mismatch in &self.mismatches {
            writeln!(f, "{mismatch}")?;
        }
        write!(f, "{} compared, {} mismatches", self.compared, self.mismatches.len())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message.replace('\n', "\n    "))
    }
}
