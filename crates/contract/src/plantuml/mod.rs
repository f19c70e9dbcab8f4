//! Designs drawn in `PlantUML`, with the stereotypes of paper 4: class diagrams, a state diagram
//! for each class, an object diagram. They become the same syntax tree as a text, with places in
//! the diagrams. Lines that only concern the appearance are skipped; a line that is not understood
//! is an error, since it might matter.

mod classes;
mod lines;
mod objects;
mod states;

use crate::syntax::Design;
use diagnostic::{Code, Diagnostic};
use lines::{Line, blocks};
use source::{FileId, Span};

/// Reads all diagrams of a text.
pub(crate) fn parse(file: FileId, text: &str) -> (Design, Vec<Diagnostic>) {
    let mut reader = Reader { file, design: Design::default(), faults: Vec::new() };
    let blocks = blocks(text);
    let is = |lines: &[Line<'_>], word: &str| lines.iter().any(|line| line.starts_with_word(word));
    // Classes first, because the other diagrams refer to them.
    for block in &blocks {
        if is(block, "class") {
            reader.class_diagram(block);
        }
    }
    for block in &blocks {
        if is(block, "object") {
            reader.object_diagram(block);
        } else if !is(block, "class") {
            reader.state_diagram(block);
        }
    }
    if blocks.is_empty() {
        let span = Span::new(file, 0, 0);
        reader.fault(span, "there is no diagram: none begins with `@startuml`");
    }
    (reader.design, reader.faults)
}

struct Reader {
    file: FileId,
    design: Design,
    faults: Vec<Diagnostic>,
}

impl Reader {
    fn fault(&mut self, span: Span, message: impl Into<String>) {
        self.faults.push(Diagnostic::new(Code::SyntaxError, span, message));
    }

    fn not_understood(&mut self, line: &Line<'_>, what: &str) {
        let span = line.span(self.file);
        self.fault(span, format!("this line is not understood: {what}"));
    }
}
