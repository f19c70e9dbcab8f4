//! The rules of the project that no compiler knows. Every violation is listed with its place.

mod codes;
mod evidence;
mod files;
mod layers;
mod links;
mod texts;
mod unit_tests;
mod walks;

use crate::checkout::Checkout;
use anyhow::bail;
use files::File;
use std::fmt;
use std::time::Instant;

/// Checks all rules.
pub(crate) fn tidy(checkout: &Checkout) -> anyhow::Result<()> {
    let begun = Instant::now();
    let files = files::load(&checkout.root)?;
    let mut violations = Vec::new();
    layers::check(checkout, &files, &mut violations);
    texts::check(checkout, &files, &mut violations);
    evidence::check(&files, &mut violations);
    codes::check(&files, &mut violations);
    walks::check(&files, &mut violations);
    links::check(&checkout.root, &files, &mut violations);
    unit_tests::check(&files, &mut violations);
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => println!(
            "tidy: {} files, no violation, {:.1} s",
            files.len(),
            begun.elapsed().as_secs_f32()
        ),
        1 => bail!("tidy: one violation"),
        count => bail!("tidy: {count} violations"),
    }
    Ok(())
}

/// A rule broken at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    path: String,
    /// From 1; 0 stands for the whole file.
    line: usize,
    message: String,
}

impl Violation {
    fn of_file(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: 0, message: message.into() }
    }

    fn at(file: &File, line: usize, message: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}
