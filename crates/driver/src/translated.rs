//! Programs that were translated from C: how far they are searched.

use crate::findings::Findings;
use crate::run::{Engine, Options};
use crate::searching::{chosen, search};
use plato::hir::Program;
use source::SourceMap;
use verdict::Verdict;

/// Numbers have many values, so that searches often have no end. They are given up earlier than those of programs with
/// few values, unless fewer are asked for. Real runs are few compared with what an abstraction makes of numbers, so that
/// they are looked at first.
const STATES: u64 = 2_000_000;
const FIRST_STATES: u64 = 200_000;

/// Decides everything that can go wrong.
pub(crate) fn search_translated(
    program: &Program,
    options: &Options,
    sources: &SourceMap,
) -> Findings {
    let within = |states: u64, engine| {
        let limited = Options { states: options.states.min(states), ..options.clone() };
        search(program, engine, &limited, sources, |_| true)
    };
    if options.engine != Engine::Auto {
        return within(STATES, chosen(program, options).unwrap_or_default());
    }
    let first = within(FIRST_STATES, machine::Engine::Explore);
    if !first.results.iter().any(|result| matches!(result.verdict, Verdict::Unknown(_))) {
        return first;
    }
    let mut second = within(STATES, machine::Engine::Ladder);
    second.tried.splice(0..0, first.tried);
    second
}
