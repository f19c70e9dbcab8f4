//! An interleaving as text: one lane per thread, the values that changed at the right.

use source::{SourceMap, Span};
use std::fmt::Write;
use verdict::{Step, StepKind, Trace};

/// Wider statements are cut.
const MAX_WIDTH: usize = 40;
/// A run of more threads is not drawn.
const MAX_LANES: usize = 12;
/// Nor are more steps.
const MAX_STEPS: usize = 400;

/// The picture of a run.
pub(crate) fn lanes(trace: &Trace, sources: &SourceMap) -> String {
    let initial: Vec<String> =
        trace.initial.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if trace.lanes.is_empty() {
        return format!("for example when {}", initial.join(", "));
    }
    let used: Vec<usize> = (0..trace.lanes.len())
        .filter(|&lane| lane == 0 || trace.steps.iter().any(|s| s.lane == lane))
        .collect();
    if used.len() > MAX_LANES || trace.steps.len() > MAX_STEPS {
        return format!(
            "a run of {} threads in {} steps; `--format json` shows all of it",
            used.len(),
            trace.steps.len()
        );
    }
    let texts: Vec<String> = trace.steps.iter().map(|step| text(step, sources)).collect();
    let width_of = |lane: usize| {
        let steps = trace.steps.iter().zip(&texts).filter(|(step, _)| step.lane == lane);
        steps
            .map(|(_, text)| text.chars().count())
            .chain([trace.lanes[lane].name.chars().count()])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = used.iter().map(|&lane| width_of(lane)).collect();
    let row = |number: &str, cells: &dyn Fn(usize) -> String, right: &str| {
        let mut line = format!("{number:>6}");
        for (&lane, &width) in used.iter().zip(&widths) {
            let cell = cells(lane);
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            let _ = write!(line, " | {cell}{pad}");
        }
        format!("{line} | {right}").trim_end().to_owned()
    };

    let mut lines = vec![row("line", &|lane| trace.lanes[lane].name.clone(), "values")];
    lines.push(row("start", &|_| String::new(), &initial.join(", ")));
    for (step, text) in trace.steps.iter().zip(&texts) {
        let number =
            step.span.map(|span| sources.line_column(span).0.to_string()).unwrap_or_default();
        let number = if step.kind == StepKind::Violation { format!("> {number}") } else { number };
        let cell = |lane: usize| if lane == step.lane { text.clone() } else { String::new() };
        lines.push(row(&number, &cell, &changes(step)));
    }
    lines.join("\n")
}

fn text(step: &Step, sources: &SourceMap) -> String {
    let statement = step.span.map(|span| one_line(sources, span)).unwrap_or_default();
    match step.kind {
        StepKind::Environment => "step".to_owned(),
        StepKind::LoopHead => format!("{statement} ... some iterations"),
        StepKind::Statement | StepKind::Violation if step.text.is_empty() => statement,
        StepKind::Statement | StepKind::Violation => {
            format!("{statement} {}", step.text).trim_start().to_owned()
        }
    }
}

fn one_line(sources: &SourceMap, span: Span) -> String {
    let text: Vec<&str> = sources.text(span).split_whitespace().collect();
    let text = text.join(" ");
    if text.chars().count() <= MAX_WIDTH {
        return text;
    }
    let cut: String = text.chars().take(MAX_WIDTH - 3).collect();
    format!("{cut}...")
}

fn changes(step: &Step) -> String {
    let texts: Vec<String> = step
        .changes
        .iter()
        .map(|change| match &change.old {
            Some(old) => format!("{}: {old} -> {}", change.name, change.new),
            None => format!("{} = {}", change.name, change.new),
        })
        .collect();
    texts.join(", ")
}
