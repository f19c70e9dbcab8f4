//! What is known at a place: the declaration of a word, its type, formulas that speak of it, and
//! what was decided on its line.

use crate::documents::{Checked, Document};
use crate::lenses::Counts;
use driver::{FileReport, ObligationResult};
use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};
use std::fmt::Write;
use verdict::{Ground, Verdict};

/// More obligations of one line are counted only.
const MOST: usize = 12;

impl Document {
    pub(crate) fn hover(&self, at: usize) -> Option<Hover> {
        let word = self.word(at);
        let mut text = String::new();
        if let Some(line) = self.line_elsewhere(at) {
            let _ = writeln!(text, "```java\n{}\n```", line.trim());
        } else if let Some(meant) = word.and_then(|word| self.meaning(word)) {
            let line = self.line_at(meant.name_span.start as usize);
            let _ = writeln!(
                text,
                "```{}\n{}\n```",
                self.language().name().to_lowercase(),
                line.trim()
            );
            self.formulas(&meant.name, &mut text);
        }
        if let Some((shown, ty)) = self.type_at(at) {
            let _ = writeln!(text, "\n`{shown}` has type `{ty}`\n");
        }
        if let Some(checked) = &self.checked {
            self.decided_here(at, checked, &mut text);
        }
        let range = word.map(|word| self.range((word.start, word.end)));
        let contents = MarkupContent { kind: MarkupKind::Markdown, value: text };
        let is_empty = contents.value.is_empty();
        (!is_empty).then_some(Hover { contents: Contents::MarkupContent(contents), range })
    }

    fn line_at(&self, at: usize) -> &str {
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        self.text[start..].lines().next().unwrap_or_default()
    }

    /// The relies, invariants and so on that speak of a name.
    fn formulas(&self, name: &str, text: &mut String) {
        let begins = |line: &str| {
            let line = line.trim_start().trim_start_matches("/*@").trim_start_matches("//@").trim();
            ["rely", "invariant", "never", "env_assumption", "global_invariant"]
                .iter()
                .any(|word| line.starts_with(word))
        };
        let mut lines: Vec<&str> = Vec::new();
        for word in &self.words {
            if self.text_of(*word) != name {
                continue;
            }
            let line = self.line_at(word.start).trim();
            if begins(line) && !lines.contains(&line) {
                lines.push(line);
            }
        }
        if !lines.is_empty() {
            let _ = writeln!(text, "\nSaid of `{name}`:\n```\n{}\n```", lines.join("\n"));
        }
    }

    fn decided_here(&self, at: usize, checked: &Checked, text: &mut String) {
        let Some(report) = checked.run.files.first().filter(|_| checked.is_current) else {
            return;
        };
        let line = self.range((at, at)).start.line;
        let is_here = |result: &&ObligationResult| {
            let span = result.obligation.span;
            span.file == report.file && {
                let place = self.range((span.start as usize, span.end as usize));
                place.start.line == line
            }
        };
        let here: Vec<&ObligationResult> = report.results.iter().filter(is_here).collect();
        if here.is_empty() {
            return;
        }
        let counts = Counts::of(here.iter().copied());
        let _ = writeln!(text, "\nOn this line: {counts}\n");
        for result in here.iter().take(MOST) {
            let _ = writeln!(text, "- {}", told(result, report));
        }
        if !report.inferred.is_empty() {
            let _ = writeln!(text, "\nInferred:\n```\n{}\n```", report.inferred.join("\n"));
        }
    }
}

fn told(result: &ObligationResult, report: &FileReport) -> String {
    let why = match &result.verdict {
        Verdict::Proved(evidence) => match evidence.ground() {
            Ground::Unsat { solver } => format!("proved by {} ({solver})", result.engine),
            Ground::Exhausted { states } => {
                format!("proved by {} ({states} states)", result.engine)
            }
        },
        Verdict::Refuted(trace) => format!("refuted, {}", trace.confirmation.word()),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    };
    let uses = report.uses.get(&result.task).filter(|uses| !uses.is_empty());
    let uses = uses.map(|uses| format!(", given {}", uses.join(", "))).unwrap_or_default();
    format!("`{}` in {}: {why}{uses}", result.obligation.code, result.task)
}
