//! Every code is one word of its own with one sentence.

use diagnostic::{CODES, Code, Severity};
use std::collections::BTreeSet;

#[test]
fn codes_are_unique() {
    let all: BTreeSet<&str> = CODES.iter().map(|info| info.code).collect();
    assert_eq!(all.len(), CODES.len());
}

#[test]
fn codes_are_kebab_case() {
    for info in CODES {
        let words_fit = info
            .code
            .split('-')
            .all(|word| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase()));
        assert!(words_fit, "{}", info.code);
    }
}

#[test]
fn summaries_are_one_line() {
    for info in CODES {
        let summary = info.summary;
        let plain = !summary.is_empty() && !summary.contains('\n') && !summary.ends_with('.');
        assert!(plain, "{}: {summary}", info.code);
    }
}

/// What is not even looked at is wrong, not unknown.
#[test]
fn rejections_are_errors() {
    for info in CODES.iter().filter(|info| info.rejects_input) {
        assert_eq!(info.severity, Severity::Error, "{}", info.code);
    }
}

#[test]
fn codes_are_found_by_their_text() {
    for info in CODES {
        let code = Code::of(info.code);
        assert_eq!(code.as_str(), info.code);
        assert_eq!(code.info().summary, info.summary);
    }
    assert_eq!(Code::find("no-such-code"), None);
}

#[test]
#[should_panic(expected = "internal error: unregistered diagnostic code no-such-code")]
fn unregistered_codes_are_a_defect() {
    let _ = Code::of("no-such-code");
}
