//! The annotation language: what stands in comments after `@`, and in the arguments of annotations
//! of Java such as `@GuardedBy`.
//!
//! Papers 1 and 2 (section 6) show its core; `docs/java.md` lists all of it.

mod clauses;
mod conventions;
mod exprs;
mod tokens;

pub(crate) use conventions::{is_convention, of_annotation};

use crate::tree::Clause;
use diagnostic::Diagnostic;
use parsing::Cursor;
use source::FileId;
use std::ops::Range;
use tokens::TokenKind;

parsing::parser!(Pragma, TokenKind);

/// What an annotation says; its words stand in a range of the text.
pub(crate) fn clauses(
    file: FileId,
    text: &str,
    range: Range<usize>,
) -> (Vec<Clause>, Vec<Diagnostic>) {
    let mut parser = Pragma(Cursor::of_part(file, &text[..range.end], range.start));
    let mut warnings = Vec::new();
    let clauses = parser.all(&mut warnings);
    let mut diagnostics = parser.0.finish();
    diagnostics.extend(warnings);
    (clauses, diagnostics)
}
