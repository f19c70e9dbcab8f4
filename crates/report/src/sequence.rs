//! Runs of designs as sequence diagrams in text, for `PlantUML`, and who waits for whom as a graph.

use diagnostic::Code;
use driver::{FileReport, Run};
use std::fmt::Write;
use verdict::{MessageKind, Sequence};

/// All drawings of a run.
pub fn sequence(run: &Run) -> String {
    let mut out = String::new();
    for file in &run.files {
        for (title, drawing) in sequences(file) {
            let name = &run.sources.file(file.file).name;
            diagram(&mut out, &format!("{name}: {title}"), drawing);
            if !drawing.circle.is_empty() {
                graph(&mut out, drawing);
            }
        }
    }
    out
}

/// The runs of a file that can be drawn, each with the code that it shows.
pub(crate) fn sequences(file: &FileReport) -> impl Iterator<Item = (Code, &Sequence)> {
    file.notices.iter().filter_map(|notice| {
        let sequence = file.run_of(notice)?.sequence.as_deref()?;
        Some((notice.diagnostic.code, sequence))
    })
}

fn diagram(out: &mut String, title: &str, drawing: &Sequence) {
    let _ = writeln!(out, "@startuml\ntitle {title}");
    for (at, lifeline) in drawing.lifelines.iter().enumerate() {
        let kind = if lifeline.is_thread { "participant" } else { "entity" };
        let _ = writeln!(out, "{kind} \"{}\" as L{at}", lifeline.name);
    }
    for message in &drawing.messages {
        let (from, to, text) = (message.from, message.to, &message.text);
        let arrow = match message.kind {
            MessageKind::Step | MessageKind::Call | MessageKind::Acquire => "->",
            MessageKind::Return | MessageKind::Release => "-->",
            MessageKind::Wait => "-[#red]>x",
        };
        let _ = writeln!(out, "L{from} {arrow} L{to} : {text}");
        match message.kind {
            MessageKind::Acquire => _ = writeln!(out, "activate L{to}"),
            MessageKind::Release => _ = writeln!(out, "deactivate L{to}"),
            MessageKind::Step | MessageKind::Call | MessageKind::Return | MessageKind::Wait => {}
        }
    }
    out.push_str("@enduml\n");
}

/// Threads and the units between them.
fn graph(out: &mut String, drawing: &Sequence) {
    let name = |at: usize| &drawing.lifelines[at].name;
    out.push_str("@startdot\ndigraph waiting {\n");
    for (at, &(thread, unit)) in drawing.circle.iter().enumerate() {
        let (next, _) = drawing.circle[(at + 1) % drawing.circle.len()];
        let _ = writeln!(out, "  \"{}\" [shape=box, style=rounded];", name(thread));
        let _ = writeln!(out, "  \"{}\" [shape=box];", name(unit));
        let _ = writeln!(
            out,
            "  \"{}\" -> \"{}\" [label=\"waits for\", color=red];",
            name(thread),
            name(unit)
        );
        let _ = writeln!(out, "  \"{}\" -> \"{}\" [label=\"held by\"];", name(unit), name(next));
    }
    out.push_str("}\n@enddot\n");
}
