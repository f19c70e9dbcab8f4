//! From a text to what is checked.

use crate::language::Language;
use crate::languages::{Loaded, Read, read, statement_count};
use crate::options::Input;
use diagnostic::Diagnostic;
use plato::hir::Program;
use source::FileId;

/// An input that was read.
pub(crate) struct File {
    pub(crate) id: FileId,
    /// What it says, unless it was rejected.
    pub(crate) loaded: Option<Loaded>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) used_definitions: Vec<String>,
}

/// A file with fewer statements is checked in one conversation with a solver: starting another
/// costs as much as checking a few hundred obligations.
const SMALL_FILE_STATEMENTS: usize = 150;

impl File {
    pub(crate) fn is_small(&self) -> bool {
        self.loaded.as_ref().map_or(0, statement_count) <= SMALL_FILE_STATEMENTS
    }
}

/// Reads a text.
pub(crate) fn load(id: FileId, input: &Input, definitions: &[(String, String)]) -> File {
    let Read { loaded, diagnostics, used_definitions } = read(id, input, definitions);
    let loaded = Some(loaded).filter(|_| !is_rejected(&diagnostics));
    File { id, loaded, diagnostics, used_definitions }
}

/// The program of an input that must be written in Plato, or why there is none.
pub(crate) fn load_plato(
    id: FileId,
    input: &Input,
    definitions: &[(String, String)],
) -> Result<Box<Program>, String> {
    match (Language::of(&input.name), load(id, input, definitions).loaded) {
        (Language::Plato, Some(Loaded::Plato(program))) => Ok(program),
        (Language::Plato, _) => Err("the input is rejected; `rely check` says why".to_owned()),
        _ => Err("this is for programs in Plato only".to_owned()),
    }
}

/// The syntax tree of a text in Plato or of its translation, also if its names or types are wrong;
/// otherwise what is wrong with the text.
pub(crate) fn tree(
    id: FileId,
    input: &Input,
    definitions: &[(String, String)],
) -> Result<plato::ast::File, Vec<Diagnostic>> {
    let (tree, diagnostics) = if Language::of(&input.name) == Language::C {
        let translated = c::translate(id, &input.text, definitions);
        (translated.tree, translated.diagnostics)
    } else {
        plato::parse(id, &input.text)
    };
    if is_rejected(&diagnostics) { Err(diagnostics) } else { Ok(tree) }
}

fn is_rejected(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input)
}
