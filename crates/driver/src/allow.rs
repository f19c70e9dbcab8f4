//! Findings that somebody decided to live with. `rely: allow(CODE) because REASON`, in a comment,
//! is about the line that it stands on, or about the next line if it stands alone.
//!
//! What is allowed stays what it is: refuted or unknown. It is counted and listed, and nothing but
//! the exit code looks past it.

use crate::language::Language;
use crate::results::{Allowed, FileReport};
use diagnostic::{Code, Diagnostic, most_similar};
use source::{FileId, SourceFile, SourceMap, Span, number};
use std::collections::BTreeMap;

/// All comments that allow something.
#[derive(Debug, Default)]
pub(crate) struct Allowances {
    /// By the file and the line that they are about.
    by_line: BTreeMap<(FileId, usize), Vec<Allowance>>,
    /// What is wrong with others.
    malformed: Vec<Diagnostic>,
}

/// A code that a comment allows.
#[derive(Debug)]
struct Allowance {
    code: Code,
    reason: String,
    comment: Span,
}

impl Allowances {
    /// Reads the comments of all texts.
    pub(crate) fn read(sources: &SourceMap) -> Self {
        let mut all = Self::default();
        for (id, file) in sources.files() {
            let leader = leader(Language::of(&file.name));
            for comment in comments(id, file, leader) {
                all.add(&comment, target(file, &comment, leader));
            }
        }
        all
    }

    fn add(&mut self, comment: &Comment<'_>, line: usize) {
        match parse(comment.text) {
            Ok((codes, reason)) => {
                let here = self.by_line.entry((comment.span.file, line)).or_default();
                here.extend(codes.into_iter().map(|code| Allowance {
                    code,
                    reason: reason.clone(),
                    comment: comment.span,
                }));
            }
            Err(why) => {
                let text = "this comment allows nothing";
                let told = Diagnostic::new(Code::MalformedAllowance, comment.span, text).at(why);
                let form = "write `rely: allow(CODE) because REASON`";
                self.malformed.push(told.help(form));
            }
        }
    }

    /// Notes in a report what of it is allowed.
    pub(crate) fn apply(&self, report: &mut FileReport, sources: &SourceMap) {
        for notice in &mut report.notices {
            let told = &notice.diagnostic;
            let (line, _) = sources.line_column(told.primary.span);
            let here = self.by_line.get(&(told.primary.span.file, line));
            let found = here.into_iter().flatten().find(|one| one.code == told.code);
            notice.allowed = found.map(|one| Allowed::Comment { reason: one.reason.clone() });
        }
    }

    /// What to say of the comments themselves: those that are malformed, and, if everything was
    /// looked at, those that allow what is not reported.
    pub(crate) fn faults(
        &self,
        reports: &[FileReport],
        sources: &SourceMap,
        is_complete: bool,
    ) -> Vec<Diagnostic> {
        let mut faults = self.malformed.clone();
        for (&(file, line), allowances) in &self.by_line {
            let report = reports.iter().find(|report| report.file == file);
            let is_checked = is_complete && report.is_some_and(FileReport::is_complete);
            for allowance in allowances.iter().filter(|_| is_checked) {
                let is_used = |told: &Diagnostic| {
                    let at = told.primary.span;
                    told.code == allowance.code
                        && at.file == file
                        && sources.line_column(at).0 == line
                };
                if !reports.iter().flat_map(FileReport::diagnostics).any(is_used) {
                    let text =
                        format!("`{}` is allowed on line {line} and not reported", allowance.code);
                    let told = Diagnostic::new(Code::UnusedAllowance, allowance.comment, text);
                    faults
                        .push(told.help("remove the comment, or move it to the line it is about"));
                }
            }
        }
        faults
    }
}

/// A comment that begins like one that allows something.
struct Comment<'a> {
    /// The text behind `allow`.
    text: &'a str,
    span: Span,
    line: usize,
    stands_alone: bool,
}

/// How comments to the end of a line begin.
fn leader(language: Language) -> &'static str {
    match language {
        Language::Plato | Language::C | Language::Chalice | Language::Design | Language::Java => {
            "//"
        }
        Language::Pds => "#",
        Language::Diagram => "'",
    }
}

fn comments<'a>(id: FileId, file: &'a SourceFile, leader: &str) -> Vec<Comment<'a>> {
    let mut comments = Vec::new();
    let mut start = 0;
    for (index, line) in file.text.split_inclusive('\n').enumerate() {
        if let Some((at, text)) = allowing(line, leader) {
            let end = start + line.trim_end().len();
            comments.push(Comment {
                text,
                span: Span::new(id, number(start + at), number(end)),
                line: index + 1,
                stands_alone: line[..at].trim().is_empty(),
            });
        }
        start += line.len();
    }
    comments
}

/// Where the comment begins, and what stands behind `allow`.
fn allowing<'a>(line: &'a str, leader: &str) -> Option<(usize, &'a str)> {
    line.match_indices(leader).find_map(|(at, _)| {
        let comment = line[at + leader.len()..].trim_start();
        let rest = comment.strip_prefix("rely:")?.trim_start().strip_prefix("allow")?;
        rest.trim_start().starts_with('(').then_some((at, rest.trim()))
    })
}

/// The line that a comment is about: its own, or the next one that is neither empty nor a comment.
fn target(file: &SourceFile, comment: &Comment<'_>, leader: &str) -> usize {
    if !comment.stands_alone {
        return comment.line;
    }
    let after = file.text.lines().zip(1..).skip(comment.line);
    let says_something = |text: &str| !text.is_empty() && !text.starts_with(leader);
    let mut after = after.filter(|(text, _)| says_something(text.trim()));
    after.next().map_or(comment.line, |(_, line)| line)
}

/// The codes and the reason.
fn parse(text: &str) -> Result<(Vec<Code>, String), String> {
    let inner = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let (codes, rest) = inner.ok_or("the `)` is missing")?;
    let codes = codes.split(',').map(|name| code(name.trim())).collect::<Result<Vec<_>, _>>()?;
    let reason = rest.trim().strip_prefix("because").map(str::trim);
    match reason {
        Some(reason) if !reason.is_empty() => Ok((codes, reason.to_owned())),
        _ => Err("it does not say why".to_owned()),
    }
}

fn code(name: &str) -> Result<Code, String> {
    let Some(code) = Code::find(name) else {
        let known = Code::ALL.iter().map(|code| code.as_str());
        let meant = most_similar(name, known);
        let meant = meant.map(|code| format!("; `{code}` is similar")).unwrap_or_default();
        return Err(format!("there is no code `{name}`{meant}"));
    };
    let is_about_us = matches!(code, Code::InternalError | Code::SolverFailed);
    if code.info().rejects_input || is_about_us {
        return Err(format!("`{code}` cannot be allowed: nothing is checked then"));
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::{Allowances, parse};
    use diagnostic::Code;
    use source::SourceMap;

    /// The lines that are allowed something, and what is wrong with other comments.
    fn check(name: &str, text: &str, lines: &[usize], faults: &[&str]) {
        let mut sources = SourceMap::default();
        sources.add(name, text);
        let all = Allowances::read(&sources);
        let found: Vec<usize> = all.by_line.keys().map(|(_, line)| *line).collect();
        assert_eq!(found, lines, "{text}");
        let found: Vec<&str> = all.malformed.iter().map(|one| one.primary.text.as_str()).collect();
        assert_eq!(found, faults, "{text}");
    }

    #[test]
    fn comments_are_about_their_line_or_the_next() {
        let because = "allow(data-race) because it is a statistic";
        check("a.plato", &format!("x;\ny := 1; // rely: {because}\n"), &[2], &[]);
        check("a.plato", &format!("  // rely: {because}\n\n// rely: {because}\nx;\n"), &[4], &[]);
        check("a.java", &format!("/* é */ x; //rely:{because}"), &[1], &[]);
        check("a.pds", &format!("# rely: {because}\n(g0, l0)"), &[2], &[]);
        check("a.puml", &format!("' rely: {because}\nclass A"), &[2], &[]);
        check("a.pds", &format!("// rely: {because}\n"), &[], &[]);
        check("a.plato", &format!("// rely: {because}"), &[1], &[]);
    }

    #[test]
    fn other_comments_are_no_matter() {
        check(
            "a.plato",
            "// rely: nobody writes x\n// we rely: allow them\nx; // allow(x)",
            &[],
            &[],
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |comment: &str, why: &str| {
            check("a.plato", &format!("x; // rely: allow{comment}"), &[], &[why]);
        };
        wrong("(data-race)", "it does not say why");
        wrong("(data-race) because", "it does not say why");
        wrong("(data-race because", "the `)` is missing");
        wrong("(data-rase) because x", "there is no code `data-rase`; `data-race` is similar");
        wrong(
            "(syntax-error) because x",
            "`syntax-error` cannot be allowed: nothing is checked then",
        );
    }

    #[test]
    fn several_codes() {
        let parsed = parse("( data-race , lock-order) because of (x)");
        let codes = vec![Code::DataRace, Code::LockOrder];
        assert_eq!(parsed, Ok((codes, "of (x)".to_owned())));
    }
}
