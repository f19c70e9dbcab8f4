//! A second opinion on Plato programs: visits the states of small worlds one by one, and reports
//! violations.
//!
//! The states are those of `machine`, which reads the meaning of the language off [`plato::hir`]
//! alone and shares no code with the verifier. Every reported violation happens in a real run. So
//! in a proved program the oracle must find nothing; the converse does not hold, because it only
//! looks at few threads, small values and short runs.
//!
//! Two things are not exact: `T[N]` with N above 3 is run as two copies, and a quantifier over the
//! integers without bounds is tried on the integers of the stores, their neighbours and two that
//! are far away. A violation that depends on either needs a look. Bodies of procedures are run, and
//! compared with their specifications unless the program has atomic procedures.
//!
//! ```
//! let text = "var x: int = 0; thread T { x := x + 1; assert x == 1; } thread U { x := 5; }";
//! let found = testkit::oracle::explore_text(text, &[], &Default::default()).expect("a program");
//! assert_eq!(found.violations[0].code.as_str(), "assertion-failed");
//! ```

use diagnostic::Code;
use machine::{Request, Settings, Sizes};
use plato::hir::Program;
use search::{Budget, Options};
use source::{SourceMap, Span};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use verdict::Trace;

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Limit on states, in all small worlds together.
    pub states: usize,
    /// Limit on steps from the start.
    pub depth: usize,
    /// Limit on initial stores in each small world.
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
    /// The violations, one per code and place.
    pub violations: Vec<Violation>,
    /// The number of visited states.
    pub states: usize,
    /// Whether the search ended because a limit was reached.
    pub cut_short: bool,
}

/// A violation in a real run.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The code of the registry that the verifier would report.
    pub code: Code,
    /// The place that is at fault.
    pub span: Span,
    /// The line of that place, from 1.
    pub line: usize,
    /// The run, a line for each step.
    pub trace: String,
}

/// Explores the program of a text. `None` if the text is rejected.
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
    let sizes = Sizes { copies: 3, known_copies: 3, worlds: 40 };
    let worlds = machine::worlds(program, &sizes);
    let mut found = Exploration { violations: Vec::new(), states: 0, cut_short: false };
    let mut seen = BTreeSet::new();
    let count = worlds.len();
    for (at, world) in worlds.into_iter().enumerate() {
        // The larger worlds get the states that a small one leaves.
        let states = (bounds.states - found.states.min(bounds.states)) / (count - at);
        let checked = machine::check(world, &request(states, bounds));
        found.states += usize::try_from(checked.states).unwrap_or(usize::MAX);
        found.cut_short |= checked.cut.is_some();
        for machine::Violation { fault, trace, .. } in checked.violations {
            if seen.insert((fault.code, fault.span)) {
                found.violations.push(Violation {
                    code: fault.code,
                    span: fault.span,
                    line: sources.line_column(fault.span).0,
                    trace: text(&trace, sources),
                });
            }
        }
        if !bounds.all && !found.violations.is_empty() {
            break;
        }
    }
    found
}

fn request(states: usize, bounds: &Bounds) -> Request<'static> {
    Request {
        settings: Settings {
            annotations: true,
            specifications: true,
            initial_stores: bounds.stores,
            ..Settings::default()
        },
        options: Options { all: bounds.all, ..Options::default() },
        budget: Budget {
            states: states as u64,
            depth: u32::try_from(bounds.depth).unwrap_or(u32::MAX),
            ..Budget::default()
        },
    }
}

/// The run, a line for each step and what it changes.
fn text(trace: &Trace, sources: &SourceMap) -> String {
    let mut text = String::from("    ");
    for (name, value) in &trace.initial {
        let _ = write!(text, "{name} = {value}; ");
    }
    for step in &trace.steps {
        let name = &trace.lanes[step.lane].name;
        let (line, code) = step.span.map_or((0, ""), |span| {
            (sources.line_column(span).0, sources.text(span).lines().next().unwrap_or_default())
        });
        let _ = write!(text, "\n{name}, line {line}: {code} {}\n    ", step.text);
        for change in &step.changes {
            let _ = write!(text, "{} = {}; ", change.name, change.new);
        }
    }
    text
}
