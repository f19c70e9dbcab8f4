//! Programs in C, translated to Plato: how far they are searched.

use super::plato::search::search;
use super::{Loaded, Read};
use crate::analysis::Context;
use crate::findings::Findings;
use crate::options::{Engine, Options};
use plato::hir::Program;
use source::FileId;
use verdict::Verdict;

/// Numbers have many values, so that searches often have no end. They are given up earlier than
/// those of programs with few values, unless fewer are asked for. Real runs are few compared with
/// what an abstraction makes of numbers, so that they are looked at first.
const STATES: u64 = 2_000_000;
const FIRST_STATES: u64 = 200_000;

/// Reads a text.
pub(super) fn read(id: FileId, text: &str, definitions: &[(String, String)]) -> Read {
    let c::Translated { tree, mut diagnostics, used_definitions } =
        c::translate(id, text, definitions);
    let resolved = plato::resolve(&tree, &[]);
    if diagnostics.is_empty() {
        diagnostics.extend(resolved.diagnostics);
    }
    Read { loaded: Loaded::C(Box::new(resolved.program)), diagnostics, used_definitions }
}

/// Decides everything that can go wrong.
pub(super) fn check(program: &Program, file: FileId, context: &Context<'_>) -> Findings {
    let within = |states: u64, engine| {
        let states = context.options.states.min(states);
        let options = Options { states, ..context.options.clone() };
        search(program, engine, file, &context.with(&options), |_| true)
    };
    if context.options.engine != Engine::Auto {
        return within(STATES, context.options.engine.search().unwrap_or_default());
    }
    let first = within(FIRST_STATES, search::Engine::Explore);
    if !first.results().iter().any(|result| matches!(result.verdict, Verdict::Unknown(_))) {
        return first;
    }
    let mut second = within(STATES, search::Engine::Ladder);
    second.tried.splice(0..0, first.tried);
    second
}
