//! Every diagnostic code has its page and an example that shows it.

use super::Violation;
use super::files::File;
use diagnostic::Code;
use std::collections::BTreeSet;

/// Codes that no example can show, and why.
const WITHOUT_EXAMPLE: &[(&str, &str)] = &[
    ("internal-error", "no input is known to cause one"),
    ("solver-failed", "needs a solver that misbehaves"),
    ("limit-reached", "depends on limits given at the command line"),
    ("unknown-option", "speaks of the command line"),
    ("nothing-to-verify", "speaks of a whole file, which has no line to expect it at"),
];

const PAGES: &str = "docs/codes/";
const EXAMPLES: &str = "examples/";

pub(super) fn check(files: &[File], violations: &mut Vec<Violation>) {
    let pages: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.path.strip_prefix(PAGES)?.strip_suffix(".md"))
        .collect();
    for page in pages.iter().filter(|page| Code::find(page).is_none() && **page != "README") {
        violations.push(Violation::of_file(
            &format!("{PAGES}{page}.md"),
            "describes a code that does not exist",
        ));
    }
    let shown = shown_codes(files, violations);
    for code in Code::ALL.iter().map(|code| code.as_str()) {
        if !pages.contains(code) {
            violations.push(Violation::of_file(
                &format!("{PAGES}{code}.md"),
                format!("is missing, the page of `{code}`"),
            ));
        }
        let excused = WITHOUT_EXAMPLE.iter().any(|(excused, _)| *excused == code);
        if !excused && !shown.contains(code) {
            violations.push(Violation::of_file(EXAMPLES, format!("no example shows `{code}`")));
        }
    }
}

/// The codes that examples expect. One that does not exist is a violation.
fn shown_codes<'f>(files: &'f [File], violations: &mut Vec<Violation>) -> BTreeSet<&'f str> {
    let mut shown = BTreeSet::new();
    for file in files.iter().filter(|file| file.path.starts_with(EXAMPLES)) {
        for (number, line) in file.lines() {
            for code in expected_codes(line) {
                if Code::find(code).is_none() {
                    violations.push(Violation::at(
                        file,
                        number,
                        format!("there is no code `{code}`"),
                    ));
                }
                shown.insert(code);
            }
        }
    }
    shown
}

/// The codes of a line such as `x = 1; //~ error[rely-violated] "x"`.
fn expected_codes(line: &str) -> impl Iterator<Item = &str> {
    line.split("//~").skip(1).filter_map(|note| {
        let (kind, rest) = note.trim_start().split_once('[')?;
        let (code, _) = rest.split_once(']')?;
        matches!(kind, "error" | "warning" | "unknown").then_some(code)
    })
}

#[cfg(test)]
mod tests {
    use super::{WITHOUT_EXAMPLE, expected_codes};
    use diagnostic::Code;

    #[test]
    fn expectations() {
        let check = |line, codes: &[&str]| {
            assert_eq!(expected_codes(line).collect::<Vec<_>>(), codes, "{line}");
        };
        check("x = 1; //~ error[rely-violated] \"x\"", &["rely-violated"]);
        check(
            "//~ unknown[bound-reached] //~ warning[trivial-rely]",
            &["bound-reached", "trivial-rely"],
        );
        check("a.lock(); //~ missed[deadlock]", &[]);
        check("a[error] // error[x]", &[]);
    }

    #[test]
    fn excuses_name_codes() {
        for (code, _) in WITHOUT_EXAMPLE {
            assert!(Code::find(code).is_some(), "{code}");
        }
    }
}
