//! A second opinion on Plato programs: visits the states of small worlds one by one, and reports what goes wrong.
//!
//! It is slow and simple, and reads the meaning of the language off [`plato::hir`] alone: it shares no code with the
//! verifier. Whatever it reports happens in a real run. So a program that is proved must be one in which it finds nothing;
//! the converse does not hold, because it sees few threads, small values and short runs only.
//!
//! Two things are not exact: `T[N]` with N above 3 is run as two copies, and a quantifier over the integers is tried on
//! the integers of the stores, their neighbours and two that are far away. A violation that hangs on either needs a look.
//! Specifications of procedures are not checked: bodies are run. Nor are `at`, `never deadlock` and `never race`.
//!
//! ```
//! let text = "var x: int = 0; thread T { x := x + 1; assert x == 1; } thread U { x := 5; }";
//! let found = testkit::oracle::explore_text(text, &[], &Default::default()).expect("a program");
//! assert_eq!(found.violations[0].code, "assertion-failed");
//! ```

mod code;
mod eval;
mod initial;
mod scope;
mod search;
mod step;
mod value;

use plato::hir::Program;
use source::{SourceMap, Span};

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// At most so many states, in all small worlds together.
    pub states: usize,
    /// At most so many steps from the start.
    pub depth: usize,
    /// At most so many initial stores in each small world.
    pub stores: usize,
    /// Whether to go on after the first violation.
    pub all: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { states: 20_000, depth: 60, stores: 64, all: false }
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// What goes wrong, one per code and place.
    pub violations: Vec<Violation>,
    /// How many states were visited.
    pub states: usize,
    /// Whether the search ended because a limit was reached.
    pub cut_short: bool,
}

/// Something that goes wrong in a real run.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The code of the registry that the verifier would report.
    pub code: &'static str,
    /// The place that is at fault.
    pub span: Span,
    /// The line of that place, from 1.
    pub line: usize,
    /// The run, a line for each step.
    pub trace: String,
}

/// Explores the program of a text. Nothing if the text is rejected.
pub fn explore_text(
    text: &str,
    definitions: &[(String, String)],
    bounds: &Bounds,
) -> Option<Exploration> {
    let mut sources = SourceMap::default();
    let file = sources.add("program", text);
    let (tree, mut diagnostics) = plato::parse(file, text);
    let resolved = plato::resolve(&tree, definitions);
    diagnostics.extend(resolved.diagnostics);
    let rejected = diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input);
    (!rejected).then(|| explore(&resolved.program, &sources, bounds))
}

/// Explores a program.
pub fn explore(program: &Program, sources: &SourceMap, bounds: &Bounds) -> Exploration {
    search::search(program, sources, bounds)
}
