//! Any stage of one input as text.

use crate::deduce::{AnyTask, prepare};
use crate::language::Language;
use crate::languages;
use crate::load::{load, tree};
use crate::options::{Given, Input};
use crate::words::unknown;
use diagnostic::Diagnostic;
use gcl::{dump_body, dump_graph, dump_smt};
use source::{FileId, Span};
use verdict::StopReason;

/// A form a program goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The program as parsed and printed.
    Plato,
    /// Guarded commands.
    Gcl,
    /// The passive form.
    Passive,
    /// The formulas as a solver script. `vc` names it too.
    Smt,
    /// A model for SPIN.
    Promela,
}

/// The text of a stage of an input; diagnostics if the input is rejected or has no such stage. The
/// relies stand as written.
pub fn dump(
    id: FileId,
    input: &Input,
    given: Given<'_>,
    stage: Stage,
) -> Result<String, Vec<Diagnostic>> {
    let language = Language::of(&input.name);
    if stage == Stage::Plato && matches!(language, Language::Plato | Language::C) {
        let about = if language == Language::C { TRANSLATED } else { "" };
        return tree(id, input, given.definitions)
            .map(|tree| about.to_owned() + &plato::print(&tree));
    }
    let file = load(id, input, given);
    let Some(loaded) = &file.loaded else { return Err(file.diagnostics) };
    languages::dump(loaded, language, stage)
        .map_err(|what| vec![unknown(&StopReason::Unsupported(what), Span::new(id, 0, 0))])
}

/// What is said before a translation.
const TRANSLATED: &str = "// Translated from C; some names cannot be written in Plato.\n";

/// A stage of a task.
pub(crate) fn of_task(task: impl AnyTask, stage: Stage) -> String {
    let name = task.name.to_string();
    let (comment, text) = if stage == Stage::Gcl {
        ("//", dump_body(&task.terms, &task.body))
    } else {
        let prepared = prepare(task, None);
        let (terms, graph) = (&prepared.task.terms, &prepared.graph);
        match stage {
            Stage::Smt => (";", dump_smt(terms, graph, &prepared.conditions)),
            _ => ("//", dump_graph(terms, graph)),
        }
    };
    format!("{comment} {name}\n{text}\n")
}
