//! Every obligation of a file with its verdict.

use super::findings::link;
use crate::xml::escaped;
use driver::{FileReport, ObligationResult, Run};
use std::fmt::Write;
use verdict::{Ground, Verdict};

pub(super) fn write(out: &mut String, file: &FileReport, run: &Run) {
    if file.results.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<details class=\"obligations\"><summary>Obligations: {}</summary>\n<div class=\"wide\"><table>\n\
         <thead><tr><th>about</th><th>place</th><th>what</th><th>verdict</th><th>why</th><th>engine</th>\
         <th>seconds</th><th>asked</th><th>remembered</th></tr></thead>\n<tbody>",
        file.results.len()
    );
    for result in &file.results {
        row(out, result, run);
    }
    out.push_str("</tbody></table></div></details>\n");
}

fn row(out: &mut String, result: &ObligationResult, run: &Run) {
    let (verdict, why) = match &result.verdict {
        Verdict::Proved(evidence) => {
            let why = match evidence.ground() {
                Ground::Unsat { solver } => solver.to_owned(),
                Ground::Exhausted { states } => format!("all of {states} states"),
            };
            ("proved", why)
        }
        Verdict::Refuted(trace) => ("refuted", trace.confirmation.word().to_owned()),
        Verdict::Unknown(reason) => ("unknown", reason.to_string()),
    };
    let about = &result.obligation;
    let _ = writeln!(
        out,
        "<tr class=\"{verdict}\"><td>{}</td><td>{}</td><td title=\"{}\">{}</td>\
         <td class=\"verdict\">{verdict}</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{}</td><td>{}</td></tr>",
        escaped(&result.task.to_string()),
        link(about.span, run),
        escaped(about.code.info().summary),
        about.code,
        escaped(&why),
        escaped(result.engine),
        result.effort.time.as_secs_f64(),
        result.effort.asked,
        result.effort.remembered,
    );
}
