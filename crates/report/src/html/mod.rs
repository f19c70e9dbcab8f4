//! The run as one page for a browser: an overview, every obligation, the source with marks, and
//! each run as lanes that one can step through. The page needs no network and no other file, and
//! without scripts it still shows everything.

mod findings;
mod lanes;
mod obligations;
mod source;

use crate::text::{allowed_counts, word};
use crate::xml::escaped;
use driver::{FileReport, Language, Run, Status};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn html(run: &Run) -> String {
    let mut body = String::new();
    overview(&mut body, run);
    for told in crate::about_run(run) {
        let _ = writeln!(body, "<p class=\"about-run\">{}</p>", escaped(&told));
    }
    for file in &run.files {
        section(&mut body, file, run);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Rely: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(&title(run))
    )
}

fn title(run: &Run) -> String {
    match run.files.as_slice() {
        [one] => format!("{} {}", run.sources.file(one.file).name, word(one.status)),
        files => format!("{} files", files.len()),
    }
}

/// The class of what has a status, for its colour. Texts always say the same in words.
fn class(status: Status) -> &'static str {
    match status {
        Status::Proved => "proved",
        Status::NothingToVerify => "nothing",
        Status::Unknown => "unknown",
        Status::Rejected | Status::Refuted | Status::InternalError => "refuted",
    }
}

/// All files with their verdicts.
fn overview(out: &mut String, run: &Run) {
    out.push_str("<header>\n<h1>Rely</h1>\n");
    if !run.only.is_empty() {
        let names = escaped(&run.only.join(", "));
        let _ = writeln!(out, "<p>Nothing was looked at but {names}.</p>");
    }
    out.push_str(
        "<p class=\"tools\"><label>Show <select id=\"shown\"><option value=\"all\">all files</option>\
         <option value=\"refuted\">refuted</option><option value=\"unknown\">unknown</option>\
         <option value=\"proved\">proved</option></select></label>\n\
         <label>Name <input id=\"named\" type=\"search\"></label></p>\n</header>\n",
    );
    out.push_str(
        "<nav><table><thead><tr><th>file</th><th>verdict</th><th>proved</th><th>refuted</th>\
         <th>unknown</th><th></th><th class=\"bar\"></th></tr></thead><tbody>\n",
    );
    for file in &run.files {
        let (proved, refuted, unknown) = file.counts();
        let name = escaped(&run.sources.file(file.file).name);
        let _ = writeln!(
            out,
            "<tr class=\"{0}\" data-file=\"f{1}\"><td><a href=\"#f{1}\">{name}</a></td>\
             <td class=\"verdict\">{2}</td><td>{proved}</td><td>{refuted}</td><td>{unknown}</td>\
             <td>{3}</td><td class=\"bar\">{4}</td></tr>",
            class(file.status),
            file.file.0,
            word(file.status),
            escaped(&allowed_counts(file).join(", ")),
            bar([proved, refuted, unknown]),
        );
    }
    out.push_str("</tbody></table></nav>\n");
}

/// The shares of obligations as a picture.
fn bar(counts: [usize; 3]) -> String {
    let total = counts.iter().sum::<usize>().max(1);
    let mut out = String::from("<svg width=\"120\" height=\"10\" aria-hidden=\"true\">");
    let mut left = 0;
    for (count, class) in counts.into_iter().zip(["proved", "refuted", "unknown"]) {
        let width = 120 * count / total;
        let _ =
            write!(out, "<rect x=\"{left}\" width=\"{width}\" height=\"10\" class=\"{class}\"/>");
        left += width;
    }
    out + "</svg>"
}

/// Everything about a file.
fn section(out: &mut String, file: &FileReport, run: &Run) {
    let source = run.sources.file(file.file);
    let _ = writeln!(
        out,
        "<section id=\"f{}\" class=\"{}\">\n<h2>{} <span class=\"verdict\">{}</span> \
         <small>{}</small></h2>",
        file.file.0,
        class(file.status),
        escaped(&source.name),
        word(file.status),
        Language::of(&source.name).name(),
    );
    findings::write(out, file, run);
    list(out, "Taken for granted", assumptions(file, run));
    list(out, "Annotations that nobody wrote", file.inferred.clone());
    list(out, "Searches", file.searches.clone());
    obligations::write(out, file, run);
    source::write(out, file, run);
    out.push_str("</section>\n");
}

fn assumptions(file: &FileReport, run: &Run) -> Vec<String> {
    let told = file.assumptions.iter().map(|(span, text)| {
        let place = run.sources.file(span.file);
        format!("{}:{}: {text}", place.name, place.line(span.start))
    });
    told.collect()
}

fn list(out: &mut String, title: &str, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details><summary>{title}: {}</summary><ul>", lines.len());
    for line in lines {
        let _ = writeln!(out, "<li>{}</li>", escaped(&line));
    }
    out.push_str("</ul></details>\n");
}
