//! Rules about the text of single files: their length, their first lines, the width of comments,
//! words they must not contain.

use super::Violation;
use super::files::{File, find, relative};
use crate::checkout::Checkout;

/// Limit on the lines of a Rust file before its unit tests.
const MAX_LINES: usize = 500;

/// Limit on the columns of a line that is a comment; the compiler's formatter leaves those alone.
const MAX_COMMENT_COLUMNS: usize = 100;

/// Parts of paths in which comments may be wider: generated code.
const WIDE_COMMENTS: &[&str] = &["/generated/"];

/// Texts that no Rust file may contain, and why. They are cut so that this file does not contain
/// them.
const UNFINISHED: &[(&str, &str)] = &[
    (concat!("TO", "DO"), "marks unfinished work"),
    (concat!("FIX", "ME"), "marks unfinished work"),
    (concat!("XX", "X"), "marks unfinished work"),
    (concat!("to", "do!("), "marks unfinished work"),
    (concat!("#[ig", "nore"), "switches a test off"),
];

/// Texts that no file at all may contain: paths of somebody's machine.
const MACHINE_PATHS: &[&str] =
    &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

pub(super) fn check(checkout: &Checkout, files: &[File], violations: &mut Vec<Violation>) {
    for file in files {
        check_words(file, violations);
        check_comments(file, violations);
        if file.is_rust() && !file.is_test() {
            check_length(file, violations);
        }
    }
    for root in checkout.crates.iter().flat_map(|package| &package.roots) {
        let path = relative(&checkout.root, root);
        let documented = find(files, &path).is_some_and(|file| file.text.starts_with("//! "));
        if !documented {
            violations.push(Violation::of_file(
                &path,
                "does not start with the documentation of the crate (`//! `)",
            ));
        }
    }
    check_changelog(files, violations);
}

fn check_words(file: &File, violations: &mut Vec<Violation>) {
    for (number, line) in file.lines() {
        for path in MACHINE_PATHS.iter().filter(|path| line.contains(**path)) {
            violations.push(Violation::at(
                file,
                number,
                format!("`{path}` is a path of one machine"),
            ));
        }
        if file.is_rust() {
            for (word, why) in UNFINISHED.iter().filter(|(word, _)| has_word(line, word)) {
                violations.push(Violation::at(file, number, format!("`{word}` {why}")));
            }
        }
    }
}

/// Whether a line contains a text that is not the end of a longer word.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(position, _)| {
        let before = line[..position].chars().next_back();
        let after = line[position + word.len()..].chars().next();
        let joins =
            |neighbour: Option<char>| neighbour.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !joins(before)
            && (!word.ends_with(char::is_alphanumeric) || word.starts_with('#') || !joins(after))
    })
}

fn check_comments(file: &File, violations: &mut Vec<Violation>) {
    if !file.is_rust() || WIDE_COMMENTS.iter().any(|part| file.path.contains(part)) {
        return;
    }
    for (number, line) in file.lines().filter(|(_, line)| line.trim_start().starts_with("//")) {
        let columns = line.chars().count();
        if columns > MAX_COMMENT_COLUMNS {
            let message =
                format!("a comment of {columns} columns; {MAX_COMMENT_COLUMNS} is the most");
            violations.push(Violation::at(file, number, message));
        }
    }
}

fn check_length(file: &File, violations: &mut Vec<Violation>) {
    let count = file.code_lines().count();
    if count > MAX_LINES {
        let message = format!("{count} lines before its tests; {MAX_LINES} is the most");
        violations.push(Violation::of_file(&file.path, message));
    }
}

fn check_changelog(files: &[File], violations: &mut Vec<Violation>) {
    const PATH: &str = "CHANGELOG.md";
    let Some(file) = find(files, PATH) else {
        violations.push(Violation::of_file(PATH, "is missing"));
        return;
    };
    let is_section =
        |line: &str| line.trim_start_matches('#').trim().trim_matches(['[', ']']) == "Unreleased";
    if !file.lines().any(|(_, line)| line.starts_with("## ") && is_section(line)) {
        violations.push(Violation::of_file(PATH, "has no section `## Unreleased`"));
    }
}

#[cfg(test)]
mod tests {
    use super::{
        MACHINE_PATHS, UNFINISHED, check_changelog, check_comments, check_length, check_words,
        has_word,
    };
    use crate::tidy::files::File;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn words() {
        for (word, _) in UNFINISHED {
            let mut violations = Vec::new();
            check_words(&file("a.rs", &format!("x\n// {word}(#3) now")), &mut violations);
            assert_eq!((violations.len(), violations[0].line), (1, 2), "{word}");
        }
        assert!(!has_word("AUTODOX", UNFINISHED[0].0));
        let mut violations = Vec::new();
        check_words(&file("a.md", &format!("see {}x", MACHINE_PATHS[1])), &mut violations);
        assert_eq!(violations.len(), 1);
    }

    #[test]
    fn comments_have_a_width() {
        let lines = |path: &str, text: &str| {
            let mut violations = Vec::new();
            check_comments(&file(path, text), &mut violations);
            violations.iter().map(|violation| violation.line).collect::<Vec<_>>()
        };
        // A letter counts as one column, however many bytes it has.
        let fits = format!("    // {}", "\u{e4}".repeat(93));
        assert_eq!(lines("a.rs", &fits), [0; 0]);
        assert_eq!(lines("a.rs", &format!("x\n{fits}y\n\"{fits}y\"")), [2]);
        assert_eq!(lines("a.md", &format!("{fits}y")), [0; 0]);
        assert_eq!(lines("tests/generated/a.rs", &format!("{fits}y")), [0; 0]);
    }

    #[test]
    fn length_counts_what_is_before_the_tests() {
        let mut violations = Vec::new();
        let code = "x\n".repeat(500);
        check_length(&file("a.rs", &format!("{code}#[cfg(test)]\n{code}")), &mut violations);
        assert!(violations.is_empty());
        check_length(&file("a.rs", &format!("{code}x\n#[cfg(test)]\n")), &mut violations);
        assert_eq!(violations[0].to_string(), "a.rs: 501 lines before its tests; 500 is the most");
    }

    #[test]
    fn changelog() {
        let count = |text: &str| {
            let mut violations = Vec::new();
            check_changelog(&[file("CHANGELOG.md", text)], &mut violations);
            violations.len()
        };
        assert_eq!(count("# Changelog\n\n## Unreleased\n"), 0);
        assert_eq!(count("## [Unreleased]\n"), 0);
        assert_eq!(count("# Changelog\n"), 1);
    }
}
