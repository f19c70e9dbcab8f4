//! Comments with annotations: which comments are some, and what text of them counts.

use super::{Reader, all};
use crate::pragma;
use crate::tree::Clause;
use diagnostic::{Code, Diagnostic};
use std::ops::Range;
use tree_sitter::Node;

impl Reader<'_> {
    /// What a comment says; nothing if it is an ordinary one.
    pub(super) fn note(&mut self, node: Node<'_>) -> Vec<Clause> {
        let Some(inner) = annotation(self.text, node.byte_range()) else { return Vec::new() };
        if !self.read_notes.insert(node.start_byte()) {
            return Vec::new();
        }
        let (clauses, diagnostics) = pragma::clauses(self.file, &self.masked, inner);
        self.diagnostics.extend(diagnostics);
        clauses
    }

    /// What the comments directly below a node say.
    pub(super) fn notes_among(&mut self, node: Node<'_>) -> Vec<Clause> {
        let comments = all(node).into_iter().filter(|child| child.kind().ends_with("_comment"));
        comments.flat_map(|comment| self.note(comment)).collect()
    }

    /// Reports annotations that stand where they mean nothing.
    pub(super) fn misplaced(&mut self, clauses: &[Clause]) {
        for clause in clauses.iter().filter(|clause| !clause.kind.is_anywhere()) {
            // What projects write for other tools is no error.
            let is_convention = self.text[clause.span.start as usize..].starts_with('@');
            let (code, message) = if is_convention {
                (Code::AnnotationUnknown, "this annotation is not looked at here")
            } else {
                (Code::MisplacedStatement, "this annotation does not belong here")
            };
            self.diagnostics.push(Diagnostic::new(code, clause.span, message));
        }
    }

    /// Warns of annotations of variables that are understood but change nothing here.
    pub(super) fn not_looked_at(&mut self, clauses: &[Clause], what: &str) {
        let (of_variable, others): (Vec<&Clause>, Vec<&Clause>) =
            clauses.iter().partition(|clause| clause.kind.is_of_field());
        let others: Vec<Clause> = others.into_iter().cloned().collect();
        self.misplaced(&others);
        for clause in of_variable.iter().filter(|clause| !clause.kind.is_anywhere()) {
            let message = format!("annotations {what} are not looked at");
            self.diagnostics.push(Diagnostic::new(Code::AnnotationUnknown, clause.span, message));
        }
    }

    /// Reports the annotations in comments that stand where nothing looks for them.
    pub(super) fn rest_of_notes(&mut self, root: Node<'_>) {
        let mut rest = vec![root];
        while let Some(node) = rest.pop() {
            if node.kind().ends_with("_comment") {
                let clauses = self.note(node);
                self.misplaced(&clauses);
            }
            rest.extend(all(node));
        }
    }
}

/// The part of a comment that is an annotation.
fn annotation(text: &str, comment: Range<usize>) -> Option<Range<usize>> {
    let body = text.get(comment.clone())?;
    let is_block = body.starts_with("/*");
    let end = comment.end - if is_block { 2 } else { 0 };
    let inner = body.get(2..)?;
    let at = inner.trim_start();
    let start = comment.start + 2 + (inner.len() - at.len());
    let after = at.strip_prefix('@')?;
    // `// @GuardedBy("this")` is an annotation for people, in a comment.
    let is_java = after.starts_with(|c: char| c.is_uppercase());
    let is_near = inner.starts_with('@');
    if is_java {
        return pragma::is_convention(after).then_some(start..end);
    }
    (is_near && start < end).then_some(start + 1..end)
}

/// The text in which annotations are read: `@` at the start of a line and before the end of a
/// comment is blank. All places stay as they are.
pub(super) fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let blank = line.len() - line.trim_start().len();
        let rest = &line[blank..];
        masked.push_str(&line[..blank]);
        let rest = match rest.strip_prefix('@').filter(|rest| !rest.starts_with(char::is_uppercase))
        {
            Some(rest) => {
                masked.push(' ');
                rest
            }
            None => rest,
        };
        match rest.split_once("@*/") {
            Some((before, after)) => {
                masked.push_str(before);
                masked.push_str(" */");
                masked.push_str(after);
            }
            None => masked.push_str(rest),
        }
    }
    masked
}
