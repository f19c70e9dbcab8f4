//! What a text declares, in the language that its name asks for.

use crate::language::Language;
use source::{Declaration, FileId};

/// The declarations of a text, also of one with errors. Of languages whose texts are generated, or
/// are drawings, nothing is listed.
pub fn outline(file: FileId, name: &str, text: &str) -> Vec<Declaration> {
    match Language::of(name) {
        Language::Plato => plato::outline(file, text),
        Language::Chalice => chalice::outline(file, text),
        Language::Java => java::outline(file, text),
        Language::Design => contract::outline(file, text),
        Language::C | Language::Pds | Language::Diagram => Vec::new(),
    }
}
