//! Small programs whose states and faults are known.

mod classics;
mod content;
mod faults;
mod promela;
mod reductions;
mod simple;
mod specifications;
mod symbolic;

use machine::{Request, Sizes, Violation, check, worlds};
use plato::hir::Program;
use search::{Options, Report};
use source::SourceMap;

/// The program of a text that must be one.
pub(crate) fn program(text: &str) -> (Program, SourceMap) {
    let mut sources = SourceMap::default();
    let file = sources.add("program", text);
    let (tree, mut diagnostics) = plato::parse(file, text);
    let resolved = plato::resolve(&tree, &[]);
    diagnostics.extend(resolved.diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    (resolved.program, sources)
}

/// The search of the only world of a program.
pub(crate) fn checked(text: &str, request: &Request) -> Report<Violation> {
    let (program, _) = program(text);
    let mut all = worlds(&program, &Sizes::default());
    assert_eq!(all.len(), 1, "{text}");
    check(all.remove(0), request)
}

pub(crate) fn all() -> Request<'static> {
    Request { options: Options { all: true, ..Options::default() }, ..Request::default() }
}
