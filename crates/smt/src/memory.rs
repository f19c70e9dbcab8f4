//! Answers that need not be asked for again.

use crate::solver::Solver;
use sha2::{Digest, Sha256};
use std::fmt::{Debug, Write as _};

/// Remembers answers by the content of their questions. It only remembers decided answers.
pub trait Memory: Debug + Send + Sync {
    /// The value remembered under this key.
    fn get(&self, key: &str) -> Option<String>;
    /// Remembers it.
    fn put(&self, key: &str, value: &str);
}

/// The key of a question: its whole text, and the solver. 128 bits of SHA-256, in hexadecimal.
pub fn key(solver: &Solver, question: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(solver.version.as_bytes());
    for part in question {
        hash.update(part.len().to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
