//! From a text to what is checked: which front end reads it, and what comes out.

use crate::language::Language;
use crate::run::Input;
use diagnostic::Diagnostic;
use plato::hir::Program;
use source::FileId;

/// An input that was read.
pub(crate) struct File {
    pub(crate) id: FileId,
    pub(crate) language: Language,
    /// What it says, unless it was rejected.
    pub(crate) loaded: Option<Loaded>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) used_definitions: Vec<String>,
}

/// What an input says.
pub(crate) enum Loaded {
    /// A program in Plato, or one that was translated to it.
    Program(Box<Program>),
    /// A Chalice program.
    Objects(Box<chalice::hir::Program>),
    /// A pushdown system.
    System(Box<pds::System>),
    /// The systems of a design with synchronization contracts.
    Design(Vec<contract::System>),
}

/// A file with fewer statements is checked in one conversation with a solver: starting another costs as much as checking
/// a few hundred obligations.
const SMALL_FILE_STATEMENTS: usize = 150;

impl File {
    pub(crate) fn is_small(&self) -> bool {
        let statements = match &self.loaded {
            Some(Loaded::Program(program)) => modular::statement_count(program),
            Some(Loaded::Objects(program)) => chalice::statement_count(program),
            Some(Loaded::System(_) | Loaded::Design(_)) | None => 0,
        };
        statements <= SMALL_FILE_STATEMENTS
    }
}

/// The program of an input that must be written in Plato, or why there is none.
pub(crate) fn load_plato(
    id: FileId,
    input: &Input,
    definitions: &[(String, String)],
) -> Result<(plato::ast::File, Program), String> {
    if Language::of(&input.name) != Language::Plato {
        return Err("this is for programs in Plato only".to_owned());
    }
    let (tree, diagnostics) = plato::parse(id, &input.text);
    let resolved = plato::resolve(&tree, definitions);
    if is_rejected(&diagnostics) || is_rejected(&resolved.diagnostics) {
        return Err("the input is rejected; `rely check` says why".to_owned());
    }
    Ok((tree, resolved.program))
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

/// Reads a text with the front end that its name asks for.
pub(crate) fn load(id: FileId, input: &Input, definitions: &[(String, String)]) -> File {
    let language = Language::of(&input.name);
    let text = input.text.as_str();
    let read = match language {
        Language::Pds => system(id, text),
        Language::Diagram => design(contract::read_diagrams(id, text)),
        Language::Design => design(contract::read(id, text, definitions)),
        Language::C => translated(id, text, definitions),
        Language::Chalice => objects(id, text),
        Language::Plato => program(id, text, definitions),
    };
    let Read { loaded, diagnostics, used_definitions } = read;
    let loaded = Some(loaded).filter(|_| !is_rejected(&diagnostics));
    File { id, language, loaded, diagnostics, used_definitions }
}

/// What a front end made of a text; worth nothing if a diagnostic rejects it.
struct Read {
    loaded: Loaded,
    diagnostics: Vec<Diagnostic>,
    used_definitions: Vec<String>,
}

fn program(id: FileId, text: &str, definitions: &[(String, String)]) -> Read {
    let (tree, mut diagnostics) = plato::parse(id, text);
    let resolved = plato::resolve(&tree, definitions);
    diagnostics.extend(resolved.diagnostics);
    let loaded = Loaded::Program(Box::new(resolved.program));
    Read { loaded, diagnostics, used_definitions: resolved.used_definitions }
}

fn translated(id: FileId, text: &str, definitions: &[(String, String)]) -> Read {
    let c::Translated { tree, mut diagnostics, used_definitions } =
        c::translate(id, text, definitions);
    let resolved = plato::resolve(&tree, &[]);
    if diagnostics.is_empty() {
        diagnostics.extend(resolved.diagnostics);
    }
    Read { loaded: Loaded::Program(Box::new(resolved.program)), diagnostics, used_definitions }
}

fn system(id: FileId, text: &str) -> Read {
    let (system, diagnostics) = pds::parse(id, text);
    Read { loaded: Loaded::System(Box::new(system)), diagnostics, used_definitions: Vec::new() }
}

fn objects(id: FileId, text: &str) -> Read {
    let (tree, mut diagnostics) = chalice::parse(id, text);
    let (program, faults) = chalice::check(&tree);
    diagnostics.extend(faults);
    Read { loaded: Loaded::Objects(Box::new(program)), diagnostics, used_definitions: Vec::new() }
}

fn design(read: contract::Read) -> Read {
    let contract::Read { systems, diagnostics, used_definitions } = read;
    Read { loaded: Loaded::Design(systems), diagnostics, used_definitions }
}

fn is_rejected(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input)
}
