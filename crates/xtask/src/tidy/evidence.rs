//! Evidence for a proof is made in few places, each of which was looked at with care.

use super::Violation;
use super::files::File;

/// The files that may make evidence: where a solver said `unsat`, and where a search saw everything.
const MAKERS: &[&str] = &["crates/gcl/src/solve.rs", "crates/search/src/exhausted.rs"];

/// What making evidence looks like.
const EVIDENCE: &[&str] = &["Evidence::Unsat", "Evidence::Exhausted"];
/// Imports that would hide it from this check.
const IMPORTS: &[&str] = &["Evidence::{", "Evidence::*"];

pub(super) fn check(files: &[File], violations: &mut Vec<Violation>) {
    let checked = |file: &&File| {
        file.is_rust()
            && !file.is_test()
            && !file.path.starts_with("crates/xtask/")
            && !MAKERS.contains(&file.path.as_str())
    };
    for file in files.iter().filter(checked) {
        for (number, line) in file.code_lines() {
            if makes_evidence(line) {
                violations.push(Violation::at(
                    file,
                    number,
                    "evidence for a proof is not to be made here",
                ));
            }
            if IMPORTS.iter().any(|import| line.contains(import)) {
                violations.push(Violation::at(
                    file,
                    number,
                    "write `Evidence::` in full, so that tidy finds its uses",
                ));
            }
        }
    }
}

/// Whether a line makes evidence, other than in a comment, rather than looking at it in a pattern.
fn makes_evidence(line: &str) -> bool {
    if line.trim_start().starts_with("//") {
        return false;
    }
    EVIDENCE.iter().flat_map(|name| line.match_indices(name)).any(|(position, _)| {
        let (before, after) = line.split_at(position);
        let is_pattern = after.contains("=>")
            || before.contains("let ") && !before.contains('=')
            || before.contains("matches!");
        !is_pattern
    })
}

#[cfg(test)]
mod tests {
    use super::makes_evidence;

    #[test]
    fn patterns_are_no_evidence() {
        for line in [
            "Verdict::Proved(Evidence::Unsat { solver }) => solver.clone(),",
            "if let Evidence::Exhausted { states } = evidence {",
            "matches!(verdict, Verdict::Proved(Evidence::Unsat { .. }))",
            "/// See [`Evidence::Unsat`].",
        ] {
            assert!(!makes_evidence(line), "{line}");
        }
        for line in [
            "Answer::Unsat => Verdict::Proved(Evidence::Unsat { solver }),",
            "let evidence = Evidence::Exhausted { states: 0 };",
            "Evidence::Unsat {",
        ] {
            assert!(makes_evidence(line), "{line}");
        }
    }
}
