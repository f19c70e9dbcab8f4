//! Programs whose annotations were taken out, and what inference makes of them.

use crate::annotation::Header;
use crate::oracle::{Bounds, explore_text};
use crate::random::random_program;
use crate::solver::options;
use driver::{FileReport, Input, Options, Status};
use plato::ast::{Item, ItemKind, LoopFormulas, Stmt, StmtKind};
use source::{SourceMap, Span};
use std::ops::{AddAssign, Range};
use std::time::Duration;

/// Where the relies, invariants and loop invariants of a text stand, each with all that has to go
/// for it to go.
pub fn annotations_of(text: &str) -> Vec<Range<usize>> {
    let mut sources = SourceMap::default();
    let file = sources.add("program", text);
    let (tree, _) = plato::parse(file, text);
    let mut found = Vec::new();
    tree.items.iter().for_each(|item| of_item(text, item, &mut found));
    found.sort_by_key(|range: &Range<usize>| range.start);
    found
}

/// Where the loop invariants of a text in Chalice stand, each with its keyword.
pub fn loop_annotations_of(text: &str) -> Vec<Range<usize>> {
    let mut sources = SourceMap::default();
    let file = sources.add("program.chalice", text);
    let (tree, _) = chalice::parse(file, text);
    let mut found: Vec<Range<usize>> = chalice::guess::whiles(&tree)
        .into_iter()
        .flat_map(|one| &one.invariants)
        .filter_map(|invariant| with_keyword(text, "invariant", invariant.span))
        .collect();
    found.sort_by_key(|range| range.start);
    found
}

fn of_item(text: &str, item: &Item, into: &mut Vec<Range<usize>>) {
    match &item.kind {
        ItemKind::Rely(_) | ItemKind::Invariant(_) => {
            into.push(with_semicolon(text, item.span));
        }
        ItemKind::Thread(thread) => {
            into.extend(thread.relies.iter().map(|rely| with_semicolon(text, rely.span)));
            of_stmts(text, &thread.body.stmts, into);
        }
        ItemKind::Proc(procedure) => of_stmts(text, &procedure.body.stmts, into),
        ItemKind::Module(module) => module.items.iter().for_each(|item| of_item(text, item, into)),
        _ => {}
    }
}

fn of_stmts(text: &str, stmts: &[Stmt], into: &mut Vec<Range<usize>>) {
    for stmt in stmts {
        if let StmtKind::While(_, LoopFormulas { invariants, .. }, _)
        | StmtKind::Loop(LoopFormulas { invariants, .. }, _) = &stmt.kind
        {
            for invariant in invariants {
                into.extend(with_keyword(text, "invariant", invariant.span));
            }
        }
        stmt.blocks().into_iter().for_each(|block| of_stmts(text, &block.stmts, into));
    }
}

/// A clause with the semicolon behind it, if there is one.
fn with_semicolon(text: &str, span: Span) -> Range<usize> {
    let end = span.end as usize;
    span.start as usize..end + usize::from(text[end..].starts_with(';'))
}

/// A formula with the keyword before it.
fn with_keyword(text: &str, keyword: &str, span: Span) -> Option<Range<usize>> {
    let start = text[..span.start as usize].rfind(keyword)?;
    Some(start..span.end as usize)
}

/// The text without some parts, which become blanks, so that all places stay.
pub fn without(text: &str, parts: &[Range<usize>]) -> String {
    let is_out = |at: usize| parts.iter().any(|part| part.contains(&at));
    let kept = text.char_indices().map(|(at, c)| if is_out(at) && c != '\n' { ' ' } else { c });
    kept.collect()
}

/// What is found out about a text, with annotations that are looked for.
pub fn checked(name: &str, text: &str, budget: Duration) -> FileReport {
    let options = Options { infer: Some(budget), hygiene: false, ..options(&Header::default()) };
    let input = Input { name: name.to_owned(), text: text.to_owned() };
    let mut run = driver::check(&[input], &options, &|_| {});
    run.files.remove(0)
}

/// What became of random programs without their annotations.
#[derive(Clone, Debug, Default)]
pub struct InferenceTally {
    /// The programs that had annotations.
    pub programs: usize,
    /// Those that are proved.
    pub proved: usize,
    /// Those that are proved with annotations that were found.
    pub inferred: usize,
    /// The seeds of programs that are proved and go wrong in a real run. Must be empty.
    pub false_proofs: Vec<u64>,
    /// The seeds of programs of which annotations were found and then not proved anew. They count
    /// as not proved; there should be none.
    pub not_verified: Vec<u64>,
    /// The seeds of programs on which Rely failed. Must be empty.
    pub failures: Vec<u64>,
}

impl AddAssign for InferenceTally {
    fn add_assign(&mut self, more: Self) {
        self.programs += more.programs;
        self.proved += more.proved;
        self.inferred += more.inferred;
        self.false_proofs.extend(more.false_proofs);
        self.not_verified.extend(more.not_verified);
        self.failures.extend(more.failures);
    }
}

/// Takes all annotations out of random programs and lets them be found. What is proved then must go
/// wrong in no run.
pub fn infer_random(seeds: impl IntoIterator<Item = u64>, budget: Duration) -> InferenceTally {
    let mut tally = InferenceTally::default();
    for seed in seeds {
        let text = random_program(seed);
        let annotations = annotations_of(&text);
        if annotations.is_empty() {
            continue;
        }
        tally.programs += 1;
        let bare = without(&text, &annotations);
        let report = checked("random.plato", &bare, budget);
        if report.notices.iter().any(|notice| {
            notice.diagnostic.notes.iter().any(|note| note.contains("was not proved anew"))
        }) {
            tally.not_verified.push(seed);
        }
        match report.status {
            Status::Proved => {
                tally.proved += 1;
                tally.inferred += usize::from(!report.inferred.is_empty());
                let bounds = Bounds { states: 3_000, ..Bounds::default() };
                let found = explore_text(&bare, &[], &bounds);
                if found.is_none_or(|found| !found.violations.is_empty()) {
                    tally.false_proofs.push(seed);
                }
            }
            Status::InternalError | Status::Rejected => tally.failures.push(seed),
            Status::Refuted | Status::Unknown | Status::NothingToVerify => {}
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::{annotations_of, without};

    #[test]
    fn annotations_go_and_nothing_else() {
        let text = "var x: int;\nrely x' >= x; invariant x > 0;\nthread T rely x' == x { while (x < 3) invariant x < 9 { skip; } }\n";
        let found = annotations_of(text);
        let parts: Vec<&str> = found.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(parts, ["rely x' >= x;", "invariant x > 0;", "rely x' == x", "invariant x < 9"]);
        let bare = without(text, &found);
        let words: Vec<&str> = bare.split_whitespace().collect();
        assert_eq!(words.join(" "), "var x: int; thread T { while (x < 3) { skip; } }");
        assert_eq!(bare.len(), text.len());
    }
}
