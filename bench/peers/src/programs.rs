//! What is measured.

use plato::hir::Program;
use source::SourceMap;

/// A program with a name.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// Simple(n) of paper 5, section 1.1.
pub(crate) fn simple(n: usize) -> String {
    format!(
        "var x: 0..1 = 1; mutex m;
        thread P[{n}] {{ acquire m; x := 0; x := x + 1; assert x > 0; release m; }}"
    )
}

/// Programs with some millions of states: examples, with more threads.
pub(crate) fn subjects() -> Vec<Subject> {
    let grown = |text: &str, changes: &[(&str, &str)]| {
        changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let mcs = include_str!("../../../examples/plato/searches/mcs_lock.plato");
    let bluetooth = include_str!("../../../examples/plato/searches/bluetooth.plato");
    let dining = include_str!("../../../examples/plato/searches/dining_ordered.plato");
    vec![
        Subject { name: "Simple(18)", text: simple(18) },
        Subject { name: "queue lock", text: mcs.to_owned() },
        Subject {
            name: "driver",
            text: grown(bluetooth, &[("Adder[3]", "Adder[5]"), ("0..4", "0..6")]),
        },
        Subject { name: "philosophers", text: dining.to_owned() },
    ]
}

/// The program of a text.
pub(crate) fn parsed(text: &str) -> anyhow::Result<Program> {
    let mut sources = SourceMap::default();
    let file = sources.add("program", text);
    let (tree, mut diagnostics) = plato::parse(file, text);
    let resolved = plato::resolve(&tree, &[]);
    diagnostics.extend(resolved.diagnostics);
    anyhow::ensure!(diagnostics.is_empty(), "{diagnostics:?}");
    Ok(resolved.program)
}
