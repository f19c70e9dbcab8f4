//! The text of a file with a mark at each line of which something is known.

use crate::xml::escaped;
use diagnostic::Severity;
use driver::{FileReport, Run};
use std::collections::BTreeMap;
use std::fmt::Write;
use verdict::Verdict;

/// What is known of a line.
#[derive(Default)]
struct Line {
    proved: usize,
    refuted: usize,
    unknown: usize,
    /// What is told of it, with the number of the notice.
    told: Vec<usize>,
    is_warned: bool,
}

pub(super) fn write(out: &mut String, file: &FileReport, run: &Run) {
    let lines = known(file, run);
    let source = run.sources.file(file.file);
    let id = file.file.0;
    let _ = writeln!(
        out,
        "<details class=\"source\"><summary>Source: {} lines</summary>\n<div class=\"wide\"><table><tbody>",
        source.text.lines().count()
    );
    for (number, text) in (1..).zip(source.text.lines()) {
        let line = lines.get(&number);
        let (class, mark) = line.map_or(("", String::new()), |line| mark(line, id));
        let _ = writeln!(
            out,
            "<tr id=\"f{id}l{number}\" class=\"{class}\"><td>{number}</td><td>{mark}</td><td><code>{}</code></td></tr>",
            escaped(text)
        );
    }
    out.push_str("</tbody></table></div></details>\n");
}

fn known(file: &FileReport, run: &Run) -> BTreeMap<usize, Line> {
    let source = run.sources.file(file.file);
    let mut lines: BTreeMap<usize, Line> = BTreeMap::new();
    for result in file.results.iter().filter(|one| one.obligation.span.file == file.file) {
        let line = lines.entry(source.line(result.obligation.span.start)).or_default();
        match &result.verdict {
            Verdict::Proved(_) => line.proved += 1,
            Verdict::Refuted(_) => line.refuted += 1,
            Verdict::Unknown(_) => line.unknown += 1,
        }
    }
    for (number, notice) in file.notices.iter().enumerate() {
        let told = &notice.diagnostic;
        if told.primary.span.file == file.file {
            let line = lines.entry(source.line(told.primary.span.start)).or_default();
            line.told.push(number);
            line.is_warned |= told.severity == Severity::Warning;
            // A rejected text has no obligations.
            line.refuted += usize::from(told.code.info().rejects_input);
        }
    }
    lines
}

fn mark(line: &Line, id: u32) -> (&'static str, String) {
    let class = match line {
        Line { refuted: 1.., .. } => "refuted",
        Line { unknown: 1.., .. } => "unknown",
        Line { is_warned: true, .. } => "warned",
        Line { proved: 1.., .. } => "proved",
        _ => "",
    };
    let counts = [(line.proved, "&#x2713;"), (line.refuted, "&#x2717;"), (line.unknown, "?")];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, sign)| format!("{count}{sign}")).collect();
    let told = line.told.iter().map(|number| format!("<a href=\"#f{id}n{number}\">!</a>"));
    let told: String = told.collect();
    (class, format!("{} {told}", counts.join(" ")))
}
