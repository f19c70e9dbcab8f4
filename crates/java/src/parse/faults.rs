//! Faults in how a text is written.

use super::{Reader, all};
use diagnostic::Diagnostic;
use parsing::syntax_error;
use source::{Span, number};
use tree_sitter::Node;

/// Limit on faults that are told of a file; nobody reads more.
const MAX_FAULTS: usize = 20;

/// The faults that the parser marked, in the order of the text.
pub(super) fn faults(reader: &Reader<'_>, root: Node<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut rest = vec![root];
    while let Some(node) = rest.pop() {
        if found.len() >= MAX_FAULTS {
            break;
        }
        if node.is_missing() {
            let what = if node.is_named() { words(node.kind()) } else { quoted(node.kind()) };
            let fault = syntax_error(reader.span(node), format!("expected {what}"));
            found.push(fault.at(format!("{what} is missing")));
        } else if node.is_error() {
            found.push(unexpected(reader, node));
        } else if node.has_error() {
            rest.extend(all(node).into_iter().rev());
        }
    }
    if found.is_empty() {
        found.push(syntax_error(reader.span(root), "this is not Java"));
    }
    found
}

/// A part of the text that fits nowhere; its first line is shown.
fn unexpected(reader: &Reader<'_>, node: Node<'_>) -> Diagnostic {
    let text = reader.text(node);
    let line = text.lines().next().unwrap_or_default().trim_end();
    let end = node.start_byte() + line.len();
    let span = Span::new(reader.file, number(node.start_byte()), number(end));
    let word = line.split_whitespace().next().unwrap_or_default();
    let message = match word {
        "" => "something is missing here".to_owned(),
        word => format!("unexpected `{}`", word.chars().take(40).collect::<String>()),
    };
    syntax_error(span, message).at("this does not fit here")
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}

/// A kind of node in words.
fn words(kind: &str) -> String {
    match kind {
        "identifier" | "type_identifier" => "a name".to_owned(),
        other => format!("a {}", other.replace('_', " ")),
    }
}
