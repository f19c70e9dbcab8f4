//! Diagnostics as text, in the manner of rustc.

use crate::{Diagnostic, Label, Severity};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use source::{FileId, SourceMap, Span};

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// With terminal colours.
    Colour,
}

/// The text of one diagnostic, with a picture that shows it unless that is empty, ending in a
/// newline.
pub fn render(diagnostic: &Diagnostic, picture: &str, sources: &SourceMap, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Unknown => Level::NOTE.with_name("unknown"),
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.as_str());
    let mut group = title.elements(snippets(diagnostic, sources));
    if !picture.is_empty() {
        group = group.element(Level::NOTE.no_name().message(picture));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// One snippet per file, the primary file first.
fn snippets<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let mut files: Vec<FileId> = vec![diagnostic.primary.span.file];
    for label in &diagnostic.secondary {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files.into_iter().map(|file| snippet(diagnostic, sources, file)).collect()
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
    file: FileId,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = sources.file(file);
    let annotation = |kind: AnnotationKind, label: &'a Label| {
        let text = (!label.text.is_empty()).then_some(label.text.as_str());
        kind.span(byte_range(label.span, &source.text)).label(text)
    };
    let primary = std::iter::once(&diagnostic.primary).filter(|label| label.span.file == file);
    let secondary = diagnostic.secondary.iter().filter(|label| label.span.file == file);
    Snippet::source(source.text.as_str())
        .path(source.name.as_str())
        .annotations(primary.map(|label| annotation(AnnotationKind::Primary, label)))
        .annotations(secondary.map(|label| annotation(AnnotationKind::Context, label)))
}

/// The place inside the text and between characters, whatever the span says: the renderer would
/// panic otherwise.
fn byte_range(span: Span, text: &str) -> std::ops::Range<usize> {
    let before = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = before((span.start as usize).min(text.len()));
    start..before((span.end as usize).clamp(start, text.len()))
}
