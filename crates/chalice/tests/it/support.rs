//! What all tests call.

use chalice::{hir, syntax};
use diagnostic::Diagnostic;
use expect_test::Expect;
use source::{FileId, SourceMap};
use std::fmt::Write;

/// Parses and checks; compares the diagnostics with what is expected. Nothing means that there are none.
pub(crate) fn check(input: &str, expected: Expect) {
    let (_, diagnostics) = checked(input);
    expected.assert_eq(&render(input, &diagnostics));
}

/// The same for code of a method, in a class with a few members.
pub(crate) fn check_code(code: &str, expected: Expect) {
    let (_, diagnostics) = checked(&around(code));
    expected.assert_eq(&render(&around(code), &diagnostics));
}

/// Compares the statements that code becomes; there must be no diagnostics.
pub(crate) fn check_lowered(code: &str, expected: Expect) {
    let input = around(code);
    let (program, diagnostics) = checked(&input);
    assert!(diagnostics.is_empty(), "{}", render(&input, &diagnostics));
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

/// `line:column code: message`, then what is said at places, then what would help.
fn render(input: &str, diagnostics: &[Diagnostic]) -> String {
    let mut map = SourceMap::default();
    map.add("test.chalice", input);
    let mut out = String::new();
    for diagnostic in diagnostics {
        let (line, column) = map.line_column(diagnostic.primary.span);
        let text = map.text(diagnostic.primary.span).replace(char::is_control, " ");
        writeln!(out, "{line}:{column} {}: {}", diagnostic.code, diagnostic.message)
            .expect("a string");
        writeln!(out, "  at `{text}`: {}", diagnostic.primary.text).expect("a string");
        for label in &diagnostic.secondary {
            let (line, column) = map.line_column(label.span);
            writeln!(out, "  {line}:{column} `{}`: {}", map.text(label.span), label.text)
                .expect("a string");
        }
        for text in diagnostic.notes.iter().chain(&diagnostic.help) {
            writeln!(out, "  = {text}").expect("a string");
        }
    }
    out
}
