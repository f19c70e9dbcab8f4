//! The run as workflow commands of GitHub Actions, which marks the lines of a change with them.

use crate::text::summary;
use diagnostic::Severity;
use driver::Run;
use std::fmt::Write;

/// A command for each finding that is not allowed, then the summary.
pub fn github(run: &Run) -> String {
    let mut out = String::new();
    for told in crate::about_run(run) {
        let _ = writeln!(out, "::error title=rely::{}", data(&told));
    }
    for notice in run.files.iter().flat_map(|file| &file.notices) {
        if notice.allowed.is_some() {
            continue;
        }
        let told = &notice.diagnostic;
        let file = run.sources.file(told.primary.span.file);
        let (line, column) = file.line_column(told.primary.span.start);
        let (end_line, end_column) = file.line_column(told.primary.span.end);
        let (command, word) = match told.severity {
            Severity::Error => ("error", "error"),
            Severity::Unknown => ("warning", "unknown"),
            Severity::Warning => ("warning", "warning"),
        };
        let mut text = told.message.clone();
        for note in told.notes.iter().chain(&told.help) {
            let _ = write!(text, "\n{note}");
        }
        // Columns are for places within a line only.
        let columns = if line == end_line {
            format!(",col={column},endColumn={end_column}")
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "::{command} file={},line={line},endLine={end_line}{columns},title={}::{}",
            property(&file.name),
            property(&format!("{word}[{}]", told.code)),
            data(&text)
        );
    }
    out + &summary(run)
}

/// The text behind a command, which ends with its line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn commands_keep_to_their_line() {
        assert_eq!(data("50%\nmore: a, b"), "50%25%0Amore: a, b");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
