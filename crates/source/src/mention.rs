//! Parts of a text that stand for values, for whoever shows a text rather than checks it.

use crate::Span;

/// A part of a text that stands for a value or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The part. If it means a declaration, that is its name alone.
    pub span: Span,
    /// The type of the value, as it is written.
    pub ty: String,
    /// Where that is declared which it means: a place inside of the declaration. Only front ends
    /// that look beyond one file say so.
    pub means: Option<Span>,
}
