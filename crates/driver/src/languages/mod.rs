//! What each language gives: reading a text, checking what it says, its parts, its stages.
//!
//! One file or folder for each language, one function for each thing that all of them give.

mod c;
pub(crate) mod chalice;
mod design;
pub(crate) mod java;
mod pds;
pub(crate) mod plato;

use crate::analysis::Context;
use crate::dump::Stage;
use crate::findings::Findings;
use crate::language::Language;
use crate::options::{Given, Input, Options};
use crate::pool::Executor;
use diagnostic::Diagnostic;
use source::FileId;

/// What an input says.
pub(crate) enum Loaded {
    /// A program in Plato.
    Plato(Box<::plato::hir::Program>),
    /// A program in C, translated to Plato.
    C(Box<::plato::hir::Program>),
    /// A Chalice program.
    Chalice(Box<::chalice::hir::Program>),
    /// A pushdown system.
    Pds(Box<::pds::System>),
    /// The systems of a design with synchronization contracts.
    Design(Vec<contract::System>),
    /// The methods of a Java file.
    Java(java::Methods),
}

/// What a front end made of a text; worth nothing if a diagnostic rejects it.
pub(crate) struct Read {
    pub(crate) loaded: Loaded,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) used_definitions: Vec<String>,
}

/// Reads a text with the front end that its name asks for.
pub(crate) fn read(id: FileId, input: &Input, given: Given<'_>) -> Read {
    let definitions = given.definitions;
    let text = input.text.as_str();
    match Language::of(&input.name) {
        Language::Plato => plato::read(id, text, definitions),
        Language::C => c::read(id, text, definitions),
        Language::Chalice => chalice::read(id, text),
        Language::Pds => pds::read(id, text),
        Language::Design => design::read(contract::read(id, text, definitions)),
        Language::Diagram => design::read(contract::read_diagrams(id, text)),
        // Files of Java are read together; this one stands alone.
        Language::Java => java::read_alone(id, input, given.library),
    }
}

/// Decides everything about what an input says.
pub(crate) fn check(
    executor: &mut impl Executor,
    loaded: &Loaded,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    match loaded {
        Loaded::Plato(program) => plato::check(executor, program, file, context),
        Loaded::C(program) => c::check(program, file, context),
        Loaded::Chalice(program) => chalice::check(executor, program, file, context),
        Loaded::Pds(system) => pds::check(system, file, context),
        Loaded::Design(systems) => design::check(systems, file, context),
        Loaded::Java(methods) => java::check(executor, methods, file, context),
    }
}

/// Whether a solver is needed to check it.
pub(crate) fn needs_solver(loaded: &Loaded, options: &Options) -> bool {
    match loaded {
        Loaded::Plato(program) => plato::is_deduced(program, options),
        Loaded::Chalice(_) | Loaded::Java(_) => true,
        Loaded::C(_) | Loaded::Pds(_) | Loaded::Design(_) => false,
    }
}

/// Whether it has a part of this name that can be checked by itself.
pub(crate) fn has_part(loaded: &Loaded, name: &str) -> bool {
    match loaded {
        Loaded::Plato(program) => plato::has_part(program, name),
        Loaded::Chalice(program) => chalice::has_part(program, name),
        Loaded::Java(methods) => java::has_part(methods, name),
        Loaded::C(_) | Loaded::Pds(_) | Loaded::Design(_) => false,
    }
}

/// How many statements are decided one by one. Searches do not share their work.
pub(crate) fn statement_count(loaded: &Loaded) -> usize {
    match loaded {
        Loaded::Plato(program) | Loaded::C(program) => modular::statement_count(program),
        Loaded::Chalice(program) => ::chalice::statement_count(program),
        Loaded::Java(methods) => java::statement_count(methods),
        Loaded::Pds(_) | Loaded::Design(_) => 0,
    }
}

/// The text of a stage of an input in a language, or the name of what it has not.
pub(crate) fn dump(loaded: &Loaded, language: Language, stage: Stage) -> Result<String, String> {
    match loaded {
        Loaded::Plato(program) => plato::dump(program, stage),
        Loaded::C(_) => Err("a stage of a C program other than `plato`".to_owned()),
        Loaded::Java(methods) => java::dump(methods, stage),
        Loaded::Chalice(program) => chalice::dump(program, stage),
        Loaded::Pds(_) | Loaded::Design(_) => {
            Err(format!("a stage of {}, which are searched as they are", language.name()))
        }
    }
}
