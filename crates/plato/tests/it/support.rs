//! Functions that all tests call.

use crate::show;
use diagnostic::Diagnostic;
use expect_test::Expect;
use parsing::testing::outline;
use plato::{ast, hir};
use source::FileId;

/// Parses and resolves; compares the diagnostics with the expected ones. An empty text means that
/// there are none.
pub(crate) fn check(input: &str, expected: Expect) {
    check_defined(input, &[], expected);
}

/// Like `check`, with definitions from outside, written `NAME=VALUE`.
pub(crate) fn check_defined(input: &str, definitions: &[&str], expected: Expect) {
    let (_, diagnostics) = resolved(input, definitions);
    expected.assert_eq(&outline(input, &diagnostics));
}

/// Compares the typed program with the expected one; there must be no diagnostics.
pub(crate) fn check_program(input: &str, expected: Expect) {
    let (program, diagnostics) = resolved(input, &[]);
    assert!(diagnostics.is_empty(), "{}", outline(input, &diagnostics));
    expected.assert_eq(&show::program(&program));
}

/// Compares the typed form of a formula, in a program with a few variables.
pub(crate) fn check_expr(formula: &str, expected: Expect) {
    let input = format!(
        "var a, b, c: bool; var x, y, z: int; var k: 0..7; var f: [int]int; var s, t: set<Tid>; var n: set<0..7>;\n\
         mutex m; var g: [Tid]int; rely {formula};"
    );
    let (program, diagnostics) = resolved(&input, &[]);
    assert!(diagnostics.is_empty(), "{}", outline(&input, &diagnostics));
    expected.assert_eq(&show::expr(&program, &hir::Body::default(), &program.relies[0].expr));
}

pub(crate) fn parsed(input: &str) -> (ast::File, Vec<Diagnostic>) {
    plato::parse(FileId(0), input)
}

fn resolved(input: &str, definitions: &[&str]) -> (hir::Program, Vec<Diagnostic>) {
    let pair = |text: &&str| {
        let (name, value) = text.split_once('=').expect("NAME=VALUE");
        (name.to_owned(), value.to_owned())
    };
    let definitions: Vec<_> = definitions.iter().map(pair).collect();
    let (file, mut diagnostics) = parsed(input);
    let resolved = plato::resolve(&file, &definitions);
    diagnostics.extend(resolved.diagnostics);
    (resolved.program, diagnostics)
}
