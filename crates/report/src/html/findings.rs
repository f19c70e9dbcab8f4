//! What is told of a file, each with the run that shows it.

use super::lanes;
use crate::svg;
use crate::text::severity_word;
use crate::xml::escaped;
use diagnostic::Label;
use driver::{Allowed, FileReport, Notice, Run};
use source::Span;
use std::fmt::Write;
use verdict::Trace;

pub(super) fn write(out: &mut String, file: &FileReport, run: &Run) {
    for (number, notice) in file.notices.iter().enumerate() {
        finding(out, notice, &format!("f{}n{number}", file.file.0), file, run);
    }
}

fn finding(out: &mut String, notice: &Notice, id: &str, file: &FileReport, run: &Run) {
    let told = &notice.diagnostic;
    let word = severity_word(told.severity);
    let _ = writeln!(
        out,
        "<article id=\"{id}\" class=\"finding {word}{}\">\n<h3><span class=\"code\">{word}[{}]</span> {}</h3>",
        if notice.allowed.is_some() { " allowed" } else { "" },
        told.code,
        escaped(&told.message),
    );
    match &notice.allowed {
        Some(Allowed::Comment { reason }) => {
            let _ = writeln!(out, "<p>A comment allows it: {}</p>", escaped(reason));
        }
        Some(Allowed::Baseline) => out.push_str("<p>It was known before.</p>\n"),
        Some(Allowed::Settings) => out.push_str("<p>The settings turn it off.</p>\n"),
        None => {}
    }
    out.push_str("<ul class=\"places\">\n");
    for label in std::iter::once(&told.primary).chain(&told.secondary) {
        place(out, label, run);
    }
    out.push_str("</ul>\n");
    if let Some(trace) = file.run_of(notice) {
        shown(out, trace, id, told.code.as_str(), run);
    }
    for note in &told.notes {
        let _ = writeln!(out, "<p>{}</p>", escaped(note));
    }
    for help in &told.help {
        let _ = writeln!(out, "<p class=\"help\">{}</p>", escaped(help));
    }
    out.push_str("</article>\n");
}

fn place(out: &mut String, label: &Label, run: &Run) {
    let there = run.sources.text(label.span).lines().next().unwrap_or_default();
    let _ = writeln!(
        out,
        "<li>{} <code>{}</code> {}</li>",
        link(label.span, run),
        escaped(there),
        escaped(&label.text)
    );
}

/// A reference to a line of the source in the page.
pub(super) fn link(span: Span, run: &Run) -> String {
    let file = run.sources.file(span.file);
    let line = file.line(span.start);
    let name = escaped(&file.name);
    format!("<a href=\"#f{}l{line}\" class=\"place\">{name}:{line}</a>", span.file.0)
}

fn shown(out: &mut String, trace: &Trace, id: &str, title: &str, run: &Run) {
    match &trace.sequence {
        Some(sequence) => {
            out.push_str("<figure>\n");
            out.push_str(&svg::picture(&[(title.to_owned(), sequence)]));
            out.push_str("</figure>\n");
        }
        None => lanes::write(out, trace, id, run),
    }
}
