//! Evidence for a proof needs a warrant, and warrants are issued in few places, each of which was
//! looked at with care.

use super::Violation;
use super::files::File;

/// The files that may issue a warrant: where the solver's answer is read, where a search comes to
/// its end, and where nothing is left to ask.
const ISSUERS: &[&str] =
    &["crates/smt/src/answer.rs", "crates/search/src/exhausted.rs", "crates/gcl/src/unasked.rs"];

/// What issuing one looks like, also where it is only named to be called elsewhere.
const ISSUE: &str = "Warrant::issue";

pub(super) fn check(files: &[File], violations: &mut Vec<Violation>) {
    let checked = |file: &&File| {
        file.is_rust()
            && !file.path.starts_with("crates/xtask/")
            && !ISSUERS.contains(&file.path.as_str())
    };
    for file in files.iter().filter(checked) {
        for (number, line) in file.code_lines() {
            if issues(line) {
                let message = "a warrant for evidence is not to be issued here";
                violations.push(Violation::at(file, number, message));
            }
            if renames(line) {
                let message = "write `Warrant` as it is, so that tidy finds who issues one";
                violations.push(Violation::at(file, number, message));
            }
        }
    }
}

/// Whether a line issues a warrant, other than in a comment.
fn issues(line: &str) -> bool {
    !is_comment(line) && line.contains(ISSUE)
}

/// Whether a line gives the type another name, under which it could issue one unseen.
fn renames(line: &str) -> bool {
    let is_alias = line.contains("type ") && line.contains("= Warrant");
    !is_comment(line) && (line.contains("Warrant as ") || is_alias || line.contains("<Warrant>::"))
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::{issues, renames};

    #[test]
    fn warrants_are_found() {
        assert!(issues("let evidence = Evidence::unsat(&Warrant::issue(), name);"));
        assert!(issues("let make = verdict::Warrant::issue;"));
        assert!(!issues("/// See [`Warrant::issue`]."));
        assert!(!issues("Answer::Unsat(warrant) => self.all_proved(&open, &warrant),"));
        assert!(renames("use verdict::{Evidence, Warrant as Paper};"));
        assert!(renames("type Paper = Warrant;"));
        assert!(!renames("use verdict::{Evidence, Warrant};"));
    }
}
