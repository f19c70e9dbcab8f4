//! The run as Checkstyle XML, which many services that show findings read.

use crate::xml::escaped;
use diagnostic::Severity;
use driver::{Notice, Run};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The document, ending in a newline. Findings that are allowed are not in it: the form has no
/// word for them.
pub fn checkstyle(run: &Run) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<checkstyle version=\"4.3\">\n");
    let mut by_file: BTreeMap<_, Vec<&Notice>> = BTreeMap::new();
    for notice in run.files.iter().flat_map(|file| &file.notices) {
        let file = notice.diagnostic.primary.span.file;
        by_file.entry(file).or_default().extend(notice.allowed.is_none().then_some(notice));
    }
    for (file, notices) in by_file {
        let source = run.sources.file(file);
        let _ = writeln!(out, "  <file name=\"{}\">", escaped(&source.name));
        for notice in notices {
            let told = &notice.diagnostic;
            let (line, column) = source.line_column(told.primary.span.start);
            let (severity, prefix) = match told.severity {
                Severity::Error => ("error", ""),
                Severity::Unknown => ("warning", "unknown: "),
                Severity::Warning => ("warning", ""),
            };
            let message = escaped(&format!("{prefix}{}", told.message));
            let _ = writeln!(
                out,
                "    <error line=\"{line}\" column=\"{column}\" severity=\"{severity}\" message=\"{message}\" source=\"rely.{}\"/>",
                told.code
            );
        }
        out.push_str("  </file>\n");
    }
    for told in crate::about_run(run) {
        let _ = writeln!(
            out,
            "  <file name=\"rely\"><error line=\"1\" severity=\"error\" message=\"{}\" source=\"rely.run\"/></file>",
            escaped(&told)
        );
    }
    out.push_str("</checkstyle>\n");
    out
}
