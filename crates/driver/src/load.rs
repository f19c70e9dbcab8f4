//! From a text to what is checked: which front end reads it, and what comes out.

use crate::language::Language;
use crate::run::Input;
use diagnostic::Diagnostic;
use plato::hir::Program;
use source::FileId;

/// An input that was read. If it was not rejected, it is one of what is optional here.
pub(crate) struct File {
    pub(crate) id: FileId,
    /// The text as Plato, also if its names or types are wrong.
    pub(crate) tree: Option<plato::ast::File>,
    /// A program, unless the input was rejected.
    pub(crate) program: Option<Program>,
    /// A pushdown system, unless the input was rejected.
    pub(crate) system: Option<pds::System>,
    /// A Chalice program, unless the input was rejected.
    pub(crate) objects: Option<chalice::hir::Program>,
    /// The systems of a design with synchronization contracts, unless the input was rejected.
    pub(crate) design: Option<Vec<contract::System>>,
    /// What the translation of a program from C could not say; nothing if it is not from C.
    pub(crate) gaps: Option<Vec<c::Unsupported>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) used_definitions: Vec<String>,
}

/// A file with fewer statements is checked in one conversation with a solver: starting another costs as much as checking
/// a few hundred obligations.
const SMALL_FILE_STATEMENTS: usize = 150;

impl File {
    fn nothing(id: FileId) -> Self {
        Self {
            id,
            tree: None,
            program: None,
            system: None,
            design: None,
            objects: None,
            gaps: None,
            diagnostics: Vec::new(),
            used_definitions: Vec::new(),
        }
    }

    pub(crate) fn is_small(&self) -> bool {
        let small = |count: usize| count <= SMALL_FILE_STATEMENTS;
        self.program.as_ref().is_none_or(|program| small(modular::statement_count(program)))
            && self.objects.as_ref().is_none_or(|program| small(chalice::statement_count(program)))
    }

    /// Whether there is something to check.
    pub(crate) fn is_accepted(&self) -> bool {
        self.program.is_some()
            || self.system.is_some()
            || self.design.is_some()
            || self.objects.is_some()
    }
}

/// The program of an input that must be written in Plato, or why there is none.
pub(crate) fn load_plato(
    id: FileId,
    input: &Input,
    definitions: &[(String, String)],
) -> Result<(plato::ast::File, Program), String> {
    let file = load(id, input, definitions);
    if file.gaps.is_some()
        || file.system.is_some()
        || file.design.is_some()
        || file.objects.is_some()
    {
        return Err("this is for programs in Plato only".to_owned());
    }
    let rejected = || "the input is rejected; `rely check` says why".to_owned();
    file.tree.zip(file.program).ok_or_else(rejected)
}

/// Reads a text with the front end that its name asks for.
pub(crate) fn load(id: FileId, input: &Input, definitions: &[(String, String)]) -> File {
    match Language::of(&input.name) {
        Language::Pds => system(id, &input.text),
        Language::Diagram => design(id, contract::read_diagrams(id, &input.text)),
        Language::Design => design(id, contract::read(id, &input.text, definitions)),
        Language::C => translated(id, &input.text, definitions),
        Language::Chalice => objects(id, &input.text),
        Language::Plato => program(id, &input.text, definitions),
    }
}

fn program(id: FileId, text: &str, definitions: &[(String, String)]) -> File {
    let (tree, mut diagnostics) = plato::parse(id, text);
    let resolved = plato::resolve(&tree, definitions);
    let tree = (!is_rejected(&diagnostics)).then_some(tree);
    diagnostics.extend(resolved.diagnostics);
    let program = (!is_rejected(&diagnostics)).then_some(resolved.program);
    let used_definitions = resolved.used_definitions;
    File { tree, program, diagnostics, used_definitions, ..File::nothing(id) }
}

fn translated(id: FileId, text: &str, definitions: &[(String, String)]) -> File {
    let c::Translated { tree, mut diagnostics, unsupported, used_definitions } =
        c::translate(id, text, definitions);
    let resolved = plato::resolve(&tree, &[]);
    let tree = (!is_rejected(&diagnostics)).then_some(tree);
    if diagnostics.is_empty() {
        diagnostics.extend(resolved.diagnostics);
    }
    let program = (!is_rejected(&diagnostics)).then_some(resolved.program);
    File {
        tree,
        program,
        gaps: Some(unsupported),
        diagnostics,
        used_definitions,
        ..File::nothing(id)
    }
}

fn system(id: FileId, text: &str) -> File {
    let (system, diagnostics) = pds::parse(id, text);
    let system = (!is_rejected(&diagnostics)).then_some(system);
    File { system, diagnostics, ..File::nothing(id) }
}

fn objects(id: FileId, text: &str) -> File {
    let (tree, mut diagnostics) = chalice::parse(id, text);
    let (program, faults) = chalice::check(&tree);
    diagnostics.extend(faults);
    let objects = (!is_rejected(&diagnostics)).then_some(program);
    File { objects, diagnostics, ..File::nothing(id) }
}

fn design(id: FileId, read: contract::Read) -> File {
    let contract::Read { systems, diagnostics, used_definitions } = read;
    let design = (!is_rejected(&diagnostics)).then_some(systems);
    File { design, diagnostics, used_definitions, ..File::nothing(id) }
}

fn is_rejected(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input)
}
