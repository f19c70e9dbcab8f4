//! A run as a table with one column for each thread. A script marks one step at a time and shows
//! the values there; it reads them from the table's own data.

use super::findings::link;
use crate::lanes::text;
use crate::xml::escaped;
use driver::Run;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use verdict::{Object, Step, StepKind, Trace};

pub(super) fn write(out: &mut String, trace: &Trace, id: &str, run: &Run) {
    if trace.lanes.is_empty() {
        let values = trace.initial.iter().map(|(name, value)| format!("{name} = {value}"));
        let values: Vec<String> = values.collect();
        let _ = writeln!(out, "<p>For example when {}.</p>", escaped(&values.join(", ")));
        return;
    }
    let used: Vec<usize> = (0..trace.lanes.len())
        .filter(|&lane| lane == 0 || trace.steps.iter().any(|step| step.lane == lane))
        .collect();
    let _ = writeln!(
        out,
        "<div class=\"run\" id=\"{id}r\" tabindex=\"0\" aria-label=\"a run, {}\">\n\
         <p class=\"steps\" hidden><button data-go=\"first\" title=\"to the start (Home)\">|&#x25c0;</button>\
         <button data-go=\"back\" title=\"one step back (left)\">&#x25c0;</button>\
         <button data-go=\"on\" title=\"one step on (right)\">&#x25b6;</button>\
         <button data-go=\"last\" title=\"to the end (End)\">&#x25b6;|</button> \
         <span class=\"at\"></span></p>\n<div class=\"wide\"><table class=\"lanes\">",
        trace.confirmation.word()
    );
    out.push_str("<thead><tr><th>line</th>");
    for &lane in &used {
        let _ = write!(out, "<th>{}</th>", escaped(&trace.lanes[lane].name));
    }
    out.push_str("<th>values</th></tr></thead>\n<tbody>\n");
    start(out, trace, used.len());
    let locals = locals(trace);
    for step in &trace.steps {
        row(out, step, &used, (&locals, trace), run);
    }
    out.push_str("</tbody></table></div>\n<div class=\"values\" hidden></div>\n");
    heap(out, &trace.heap);
    out.push_str("</div>\n");
}

/// The variables of which several threads have one each: those that get a first value in several
/// lanes.
fn locals(trace: &Trace) -> BTreeSet<&str> {
    let mut lanes: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for step in &trace.steps {
        for change in step.changes.iter().filter(|change| change.old.is_none()) {
            lanes.entry(&change.name).or_default().insert(step.lane);
        }
    }
    lanes.into_iter().filter(|(_, lanes)| lanes.len() > 1).map(|(name, _)| name).collect()
}

/// The row with the values at the start.
fn start(out: &mut String, trace: &Trace, lanes: usize) {
    out.push_str("<tr><td>start</td>");
    out.push_str(&"<td></td>".repeat(lanes));
    let values = trace.initial.iter().map(|(name, value)| change(name, name, None, value));
    let values: Vec<String> = values.collect();
    let _ = writeln!(out, "<td>{}</td></tr>", values.join(" "));
}

fn row(
    out: &mut String,
    step: &Step,
    used: &[usize],
    (locals, trace): (&BTreeSet<&str>, &Trace),
    run: &Run,
) {
    let class = match step.kind {
        StepKind::Statement => "",
        StepKind::Environment => " class=\"environment\"",
        StepKind::LoopHead => " class=\"loop\"",
        StepKind::Violation => " class=\"violation\"",
    };
    let place = step.span.map(|span| {
        let line = run.sources.file(span.file).line(span.start);
        let to = link(span, run).replacen("class=\"place\"", "class=\"place\" data-line", 1);
        // The name of the file is not needed in every row.
        let (start, _) = to.split_once('>').unwrap_or((&to, ""));
        format!("{start}>{line}</a>")
    });
    let _ = write!(out, "<tr{class}><td>{}</td>", place.unwrap_or_default());
    for &lane in used {
        if lane == step.lane {
            let _ = write!(
                out,
                "<td><code>{}</code></td>",
                escaped(&text(step, usize::MAX, &run.sources))
            );
        } else {
            out.push_str("<td></td>");
        }
    }
    let changes = step.changes.iter();
    let changes = changes.map(|one| {
        let lane = trace.lanes.get(step.lane).filter(|_| locals.contains(one.name.as_str()));
        let own = lane.map(|lane| format!("{} of {}", one.name, lane.name));
        change(own.as_ref().unwrap_or(&one.name), &one.name, one.old.as_deref(), &one.new)
    });
    let changes: Vec<String> = changes.collect();
    let _ = writeln!(out, "<td>{}</td></tr>", changes.join(" "));
}

/// A value, with its name among all threads and its value for the script.
fn change(own: &str, name: &str, old: Option<&str>, new: &str) -> String {
    let (own, name, new) = (escaped(own), escaped(name), escaped(new));
    let text = match old {
        Some(old) => format!("{name}: {} &rarr; {new}", escaped(old)),
        None => format!("{name} = {new}"),
    };
    format!("<span data-name=\"{own}\" data-value=\"{new}\">{text}</span>")
}

fn heap(out: &mut String, heap: &[Object]) {
    if heap.is_empty() {
        return;
    }
    out.push_str("<div class=\"heap\"><p>The heap at the end, with permissions</p>\n");
    for object in heap {
        let _ = writeln!(
            out,
            "<table><caption>{} {}</caption>",
            escaped(&object.name),
            escaped(&object.variables.join(", "))
        );
        for cell in &object.cells {
            let _ = writeln!(
                out,
                "<tr><th>{}</th><td>{}</td><td>{}</td></tr>",
                escaped(&cell.name),
                escaped(cell.value.as_deref().unwrap_or_default()),
                escaped(cell.permission.as_deref().unwrap_or_default())
            );
        }
        out.push_str("</table>\n");
    }
    out.push_str("</div>\n");
}
