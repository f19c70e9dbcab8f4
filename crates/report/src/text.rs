//! The run as text: diagnostics, then a line per file, then the sum.

use crate::picture::picture;
use diagnostic::{Severity, Style, render};
use driver::{Allowed, FileReport, Notice, Run, Status};
use std::fmt::Write;

/// The text of the run, with pictures of at most `width` characters in a line.
pub fn text(run: &Run, style: Style, width: usize) -> String {
    let mut out = String::new();
    if let Some(why) = &run.unfit_solver {
        let _ = writeln!(out, "error[solver-failed]: the solver cannot be used: {why}\n");
    }
    for unknown in &run.unknown_options {
        let _ = writeln!(out, "error[unknown-option]: {unknown}\n");
    }
    for file in &run.files {
        for one in file.notices.iter().filter(|notice| notice.allowed.is_none()) {
            out.push_str(&notice(one, file, run, (style, width)));
            out.push('\n');
        }
    }
    out.push_str(&summary(run));
    out
}

/// A diagnostic with the run that shows it.
pub(crate) fn notice(
    notice: &Notice,
    file: &FileReport,
    run: &Run,
    (style, width): (Style, usize),
) -> String {
    let shown = file.run_of(notice).map(|trace| picture(trace, &run.sources, width));
    render(&notice.diagnostic, &shown.unwrap_or_default(), &run.sources, style)
}

/// What is wrong with the run as a whole, and the summary.
pub fn quiet(run: &Run) -> String {
    let told = crate::about_run(run).into_iter().map(|line| format!("error: {line}\n"));
    told.collect::<String>() + &summary(run)
}

/// A line per file, and the sum if there are several.
pub fn summary(run: &Run) -> String {
    let mut out = String::new();
    for file in &run.files {
        let (proved, refuted, unknown) = file.counts();
        let mut counts = Vec::new();
        for (count, what) in [(proved, "proved"), (refuted, "refuted"), (unknown, "unknown")] {
            if count > 0 {
                counts.push(format!("{count} {what}"));
            }
        }
        match file.assumptions.len() {
            0 => {}
            1 => counts.push("1 assumption".to_owned()),
            count => counts.push(format!("{count} assumptions")),
        }
        counts.extend(allowed_counts(file));
        match file.denied().count() {
            0 => {}
            1 => counts.push("1 warning counts as an error".to_owned()),
            count => counts.push(format!("{count} warnings count as errors")),
        }
        match file.inferred.len() {
            0 => {}
            1 => counts.push("with 1 inferred annotation".to_owned()),
            count => counts.push(format!("with {count} inferred annotations")),
        }
        if !run.only.is_empty() {
            counts.push(format!("nothing looked at but {}", run.only.join(", ")));
        }
        let counts =
            if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
        let _ = writeln!(
            out,
            "{}: {}{counts}",
            shown(&run.sources.file(file.file).name),
            word(file.status)
        );
    }
    if run.files.len() > 1 {
        let count = |status: Status| run.files.iter().filter(|file| file.status == status).count();
        let mut parts = Vec::new();
        for status in [
            Status::Proved,
            Status::Refuted,
            Status::Unknown,
            Status::Rejected,
            Status::NothingToVerify,
            Status::InternalError,
        ] {
            if count(status) > 0 {
                parts.push(format!("{} {}", count(status), word(status)));
            }
        }
        let _ = writeln!(out, "{} files: {}", run.files.len(), parts.join(", "));
    }
    out
}

/// The name of a file in one line, whatever is in it.
fn shown(name: &str) -> String {
    name.replace(char::is_control, "?")
}

/// How many findings do not count, and why.
pub(crate) fn allowed_counts(file: &FileReport) -> Vec<String> {
    let count = |test: fn(&Allowed) -> bool| {
        let notices = file.notices.iter().filter_map(|notice| notice.allowed.as_ref());
        notices.filter(|allowed| test(allowed)).count()
    };
    let counts = [
        (count(|one| matches!(one, Allowed::Comment { .. })), "allowed"),
        (count(|one| matches!(one, Allowed::Baseline)), "in the baseline"),
        (count(|one| matches!(one, Allowed::Settings)), "turned off"),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, what)| format!("{count} {what}")).collect()
}

/// The word for a severity.
pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Unknown => "unknown",
        Severity::Warning => "warning",
    }
}

pub(crate) fn word(status: Status) -> &'static str {
    match status {
        Status::Proved => "proved",
        Status::NothingToVerify => "nothing to verify",
        Status::Unknown => "unknown",
        Status::Rejected => "rejected",
        Status::Refuted => "refuted",
        Status::InternalError => "internal error",
    }
}
