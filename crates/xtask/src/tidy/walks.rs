//! The files that ARCHITECTURE.md leads a reader to exist.

use super::Violation;
use super::files::{File, find};
use std::path::Path;

const PATH: &str = "ARCHITECTURE.md";

pub(super) fn check(files: &[File], violations: &mut Vec<Violation>) {
    let Some(page) = find(files, PATH) else { return };
    for (number, line) in page.lines() {
        for path in named_files(line) {
            let whole = if path.starts_with("crates/") {
                path.to_owned()
            } else {
                format!("crates/{path}")
            };
            if find(files, &whole).is_none() {
                violations.push(Violation::at(page, number, format!("there is no file `{path}`")));
            }
        }
    }
}

/// Rust files in backticks with the folder of their crate: `crates/gcl/src/solve.rs` or
/// `gcl/src/solve.rs`.
fn named_files(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    let is_rust = |text: &str| Path::new(text).extension().is_some_and(|ending| ending == "rs");
    quoted.filter(move |text| is_rust(text) && text.contains("/src/"))
}

#[cfg(test)]
mod tests {
    use super::named_files;

    #[test]
    fn files_are_found_in_backticks() {
        let line =
            "1. `crates/rely/src/check.rs` calls `driver::check` (`pool.rs`), `gcl/src/a.rs`";
        let found: Vec<&str> = named_files(line).collect();
        assert_eq!(found, ["crates/rely/src/check.rs", "gcl/src/a.rs"]);
        assert_eq!(named_files("no file in crates/rely/src/check.rs").count(), 0);
    }
}
