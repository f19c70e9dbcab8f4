//! Functions that tests of parsers share.

use diagnostic::Diagnostic;
use source::SourceMap;
use std::fmt::Write;

/// Each diagnostic as `line:column code: message`, then the texts at places, then notes and help.
#[must_use]
pub fn outline(input: &str, diagnostics: &[Diagnostic]) -> String {
    let mut map = SourceMap::default();
    map.add("test", input);
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

/// Something nested in itself.
#[must_use]
pub fn repeated(before: &str, middle: &str, after: &str, count: usize) -> String {
    format!("{}{middle}{}", before.repeat(count), after.repeat(count))
}

/// Panics if a diagnostic points outside of the text or reports a fault of the parser itself.
pub fn assert_sensible<'d>(text: &str, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
    let end = source::number(text.len());
    for diagnostic in diagnostics {
        let span = diagnostic.primary.span;
        assert!(span.start <= span.end && span.end <= end, "{diagnostic:?} in\n{text}");
        assert_ne!(diagnostic.code.as_str(), "internal-error", "{text}");
    }
}
