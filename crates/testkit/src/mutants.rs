//! Programs with one small change each.
//!
//! A verifier should notice a change to a proved program, unless the program still does what it
//! says. So mutants show whether specifications say anything, and, together with the oracle,
//! whether proofs can be trusted.

mod change;

use change::{Change, Walk};
use source::SourceMap;

/// A program with one change.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// What kind of change.
    pub kind: &'static str,
    /// The line of the original that was changed, from 1.
    pub line: usize,
    /// The changed program.
    pub text: String,
}

/// All mutants of a text; none if it cannot be parsed.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let mut sources = SourceMap::default();
    let id = sources.add("original", text);
    let (tree, faults) = plato::parse(id, text);
    if !faults.is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for target in 0.. {
        let mut changed = tree.clone();
        let mut walk = Walk::new(target);
        walk.items(&mut changed.items);
        let Some(Change { kind, span }) = walk.change else { break };
        let line = sources.line_column(span).0;
        all.push(Mutant { kind, line, text: plato::print(&changed) });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::mutants;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = mutants(text)
            .into_iter()
            .map(|one| {
                format!(
                    "{}: {}",
                    one.kind,
                    one.text.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn annotations_are_deleted() {
        check(
            "invariant a && b;",
            &[
                "annotation deleted: ",
                "conjunct deleted: invariant b;",
                "conjunct deleted: invariant a;",
            ],
        );
    }

    #[test]
    fn statements_are_changed() {
        check(
            "thread T { acquire m; if (x < 1) { f(); } }",
            &[
                "lock statement deleted: thread T { skip; if (x < 1) { f(); } }",
                "statement deleted: thread T { acquire m; }",
                "condition negated: thread T { acquire m; if (!(x < 1)) { f(); } }",
                "comparison changed: thread T { acquire m; if (x <= 1) { f(); } }",
                "number changed: thread T { acquire m; if (x < 2) { f(); } }",
                "statement deleted: thread T { acquire m; if (x < 1) { } }",
            ],
        );
    }

    #[test]
    fn expressions_are_changed() {
        check(
            "init x + 1 == y;",
            &[
                "annotation deleted: ",
                "comparison changed: init x + 1 != y;",
                "sum changed: init x - 1 == y;",
                "number changed: init x + 2 == y;",
            ],
        );
    }
}
