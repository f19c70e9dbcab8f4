//! Tests of the front end for Java, up to the typed program.

#![expect(clippy::too_many_lines, reason = "expected texts are long")]
#![expect(clippy::needless_raw_string_hashes, reason = "`UPDATE_EXPECT=1` writes them")]

mod annotations;
mod classes;
mod constants;
mod functions;
mod generics;
mod library;
mod names;
mod outline;
mod overloads;
mod play;
mod switches;
mod syntax;

use expect_test::Expect;

/// The typed program of a text.
#[track_caller]
fn check(text: &str, expect: &Expect) {
    expect.assert_eq(&java::testing::typed(&[text]));
}

/// The typed program of several files.
#[track_caller]
fn check_all(texts: &[&str], expect: &Expect) {
    expect.assert_eq(&java::testing::typed(texts));
}

/// The typed program of a text that uses class files.
#[track_caller]
fn check_with(text: &str, library: &dyn java::Library, expect: &Expect) {
    expect.assert_eq(&java::testing::typed_with(&[text], library));
}

/// What is reported of a text.
#[track_caller]
fn faults(text: &str, expect: &Expect) {
    expect.assert_eq(&java::testing::faults(&[text]));
}
