//! Every code is one word of its own with one sentence.

use diagnostic::{Code, CodeInfo, Severity};
use std::collections::BTreeSet;

fn rows() -> impl Iterator<Item = &'static CodeInfo> {
    Code::ALL.iter().map(|code| code.info())
}

#[test]
fn codes_are_unique() {
    let all: BTreeSet<&str> = rows().map(|info| info.text).collect();
    assert_eq!(all.len(), Code::ALL.len());
}

#[test]
fn codes_are_kebab_case() {
    for info in rows() {
        let words_fit = info
            .text
            .split('-')
            .all(|word| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase()));
        assert!(words_fit, "{}", info.text);
    }
}

#[test]
fn summaries_are_one_line() {
    for info in rows() {
        let summary = info.summary;
        let plain = !summary.is_empty() && !summary.contains('\n') && !summary.ends_with('.');
        assert!(plain, "{}: {summary}", info.text);
    }
}

/// An input that is not even looked at is wrong, not unknown.
#[test]
fn rejections_are_errors() {
    for info in rows().filter(|info| info.rejects_input) {
        assert_eq!(info.severity, Severity::Error, "{}", info.text);
    }
}

#[test]
fn codes_are_found_by_their_text() {
    for &code in Code::ALL {
        assert_eq!(Code::find(code.as_str()), Some(code));
    }
    assert_eq!(Code::find("no-such-code"), None);
}
