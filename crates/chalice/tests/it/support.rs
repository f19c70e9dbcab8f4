//! Functions that all tests call.

use chalice::{hir, syntax};
use diagnostic::Diagnostic;
use expect_test::Expect;
use parsing::testing::outline;
use source::FileId;

/// Parses and checks; compares the diagnostics with the expected ones. An empty text means that
/// there are none.
pub(crate) fn check(input: &str, expected: Expect) {
    let (_, diagnostics) = checked(input);
    expected.assert_eq(&outline(input, &diagnostics));
}

/// Like `check`, for code of a method in a class with a few members.
pub(crate) fn check_code(code: &str, expected: Expect) {
    let (_, diagnostics) = checked(&around(code));
    expected.assert_eq(&outline(&around(code), &diagnostics));
}

/// Compares the statements that code becomes; there must be no diagnostics.
pub(crate) fn check_lowered(code: &str, expected: Expect) {
    let input = around(code);
    let (program, diagnostics) = checked(&input);
    assert!(diagnostics.is_empty(), "{}", outline(&input, &diagnostics));
    let method = program.methods.last().expect("the method around the code");
    expected.assert_eq(&crate::lowering::stmts(&program, &method.locals, &method.body, ""));
}

fn around(code: &str) -> String {
    format!(
        "channel Ch(n: int, c: C) where acc(c.f)\n\
         class C {{ var f: int; var s: seq<C>; ghost var g: int; condition k\n\
         predicate P {{ acc(f) }} predicate Q(n: int) {{ acc(f) && f == n }}\n\
         function F(n: int): int {{ n }} static function S(n: int): int {{ n }}\n\
         method m(a: int, c: C) returns (r: int, t: C) {{ }}\n\
         method test(p: int, o: C, ch: Ch) returns (q: int) {{\n{code}\n}} }}"
    )
}

pub(crate) fn parsed(input: &str) -> (syntax::Program, Vec<Diagnostic>) {
    chalice::parse(FileId(0), input)
}

pub(crate) fn checked(input: &str) -> (hir::Program, Vec<Diagnostic>) {
    let (tree, mut diagnostics) = parsed(input);
    let (program, more) = chalice::check(&tree);
    diagnostics.extend(more);
    (program, diagnostics)
}
