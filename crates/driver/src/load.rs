//! From a text to what is checked.

use crate::language::Language;
use crate::languages::{Loaded, Read, java, read, statement_count};
use crate::options::{Given, Input};
use ::java::NoLibrary;
use diagnostic::Diagnostic;
use plato::hir::Program;
use source::{FileId, SourceMap};

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

/// Reads all texts. Those in Java are one program.
pub(crate) fn load_all(sources: &mut SourceMap, inputs: &[Input], given: Given<'_>) -> Vec<File> {
    let add = |input: &Input| sources.add(input.name.as_str(), input.text.as_str());
    let ids: Vec<FileId> = inputs.iter().map(add).collect();
    let is_java = |input: &Input| Language::of(&input.name) == Language::Java;
    let together = ids.iter().zip(inputs).filter(|(_, input)| is_java(input));
    let together: Vec<FileId> = together.map(|(id, _)| *id).collect();
    let mut java = java::read(sources, &together, given.library);
    let all = ids.into_iter().zip(inputs);
    all.map(|(id, input)| match java.remove(&id) {
        Some(read) => file(id, read),
        None => load(id, input, given),
    })
    .collect()
}

/// Reads a text.
pub(crate) fn load(id: FileId, input: &Input, given: Given<'_>) -> File {
    file(id, read(id, input, given))
}

fn file(id: FileId, read: Read) -> File {
    let Read { loaded, diagnostics, used_definitions } = read;
    let loaded = Some(loaded).filter(|_| !is_rejected(&diagnostics));
    File { id, loaded, diagnostics, used_definitions }
}

/// The program of an input that must be written in Plato, or why there is none.
pub(crate) fn load_plato(
    id: FileId,
    input: &Input,
    definitions: &[(String, String)],
) -> Result<Box<Program>, String> {
    let given = Given { definitions, library: &NoLibrary };
    match (Language::of(&input.name), load(id, input, given).loaded) {
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
