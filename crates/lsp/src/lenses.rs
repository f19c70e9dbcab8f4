//! A line above each thread, procedure and method that says what is known of it.

use crate::documents::Document;
use driver::{FileReport, ObligationResult};
use gen_lsp_types::{CodeLens, Command};
use serde_json::json;
use source::{Declaration, DeclarationKind};
use std::collections::BTreeMap;
use std::fmt;
use verdict::{TaskKind, TaskName, Verdict};

/// The command of a lens that shows a run. The editor's extension knows it.
const SHOW_RUN: &str = "rely.showRun";

/// How many obligations have which verdict.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    proved: usize,
    refuted: usize,
    unknown: usize,
}

impl Counts {
    pub(crate) fn of<'a>(results: impl Iterator<Item = &'a ObligationResult>) -> Self {
        let mut counts = Self::default();
        for result in results {
            match result.verdict {
                Verdict::Proved(_) => counts.proved += 1,
                Verdict::Refuted(_) => counts.refuted += 1,
                Verdict::Unknown(_) => counts.unknown += 1,
            }
        }
        counts
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.proved, "proved"), (self.refuted, "refuted"), (self.unknown, "unknown")];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
        f.write_str(&parts.join(", "))
    }
}

impl Document {
    pub(crate) fn lenses(&self) -> Vec<CodeLens> {
        let mut lenses = Vec::new();
        let mut bodies = Vec::new();
        collect(&self.outline, "", &mut bodies);
        let mut same: BTreeMap<&str, usize> = BTreeMap::new();
        bodies.iter().for_each(|(one, _)| *same.entry(one.name.as_str()).or_default() += 1);
        let results = self.results_by_name();
        for (declaration, name) in &bodies {
            let place = declaration.name_span;
            let range = self.range((place.start as usize, place.end as usize));
            let is_alone = same.get(declaration.name.as_str()).is_none_or(|count| *count < 2);
            let near = results.get(short(name)).map(Vec::as_slice).unwrap_or_default();
            let about = near.iter().filter(|(_, result)| {
                is_about(&result.task, declaration.kind, name)
                    && (is_alone || is_inside(result, declaration))
            });
            for command in self.commands(name, about.copied()) {
                lenses.push(CodeLens { range, command: Some(command), data: None });
            }
        }
        lenses
    }

    /// What the last check found out, if it was of this text.
    fn report(&self) -> Option<&FileReport> {
        let current = self.checked.as_ref().filter(|checked| checked.is_current)?;
        current.run.files.first()
    }

    /// The results with their numbers, by the last parts of the names of their tasks.
    fn results_by_name(&self) -> BTreeMap<&str, Vec<(usize, &ObligationResult)>> {
        let mut all: BTreeMap<&str, Vec<(usize, &ObligationResult)>> = BTreeMap::new();
        for (number, result) in
            self.report().iter().flat_map(|report| report.results.iter()).enumerate()
        {
            all.entry(short(plain(&result.task.name))).or_default().push((number, result));
        }
        all
    }

    fn commands<'r>(
        &self,
        name: &str,
        results: impl Iterator<Item = (usize, &'r ObligationResult)>,
    ) -> Vec<Command> {
        let text = |title: String| Command { title, ..Command::default() };
        let Some(report) = self.report() else {
            let decided = self.decided.iter().find(|(task, _)| is_named(task, name));
            return match decided {
                Some((_, true)) => vec![text("proved".to_owned())],
                Some((_, false)) => vec![text("not proved".to_owned())],
                None => Vec::new(),
            };
        };
        let mut by_task: BTreeMap<&TaskName, Vec<(usize, &ObligationResult)>> = BTreeMap::new();
        for (number, result) in results {
            by_task.entry(&result.task).or_default().push((number, result));
        }
        let mut commands = Vec::new();
        for results in by_task.values() {
            commands.push(text(Counts::of(results.iter().map(|(_, result)| *result)).to_string()));
            let numbers: Vec<usize> = results.iter().map(|(number, _)| *number).collect();
            let shown = report.notices.iter().position(|notice| {
                let about = notice.about.map(driver::ResultId::index);
                about.is_some_and(|about| numbers.contains(&about))
                    && report.run_of(notice).is_some()
            });
            commands.extend(shown.map(|notice| Command {
                title: "show run".to_owned(),
                command: SHOW_RUN.to_owned(),
                arguments: Some(vec![json!(self.uri.0), json!(notice)]),
                tooltip: None,
            }));
        }
        commands
    }
}

/// Methods of one name are told apart by their places. What is called there stands elsewhere.
fn is_inside(result: &ObligationResult, declaration: &Declaration) -> bool {
    let (at, body) = (result.obligation.span, declaration.span);
    body.start <= at.start && at.end <= body.end
}

/// Whatever has a body, with its name and the names of what it is in.
fn collect<'a>(all: &'a [Declaration], before: &str, found: &mut Vec<(&'a Declaration, String)>) {
    for one in all {
        let name =
            if before.is_empty() { one.name.clone() } else { format!("{before}.{}", one.name) };
        let has_body = matches!(
            one.kind,
            DeclarationKind::Thread | DeclarationKind::Method | DeclarationKind::Function
        );
        if has_body {
            found.push((one, name.clone()));
        }
        collect(&one.inside, &name, found);
    }
}

fn is_about(task: &TaskName, kind: DeclarationKind, name: &str) -> bool {
    let fits = match task.kind {
        TaskKind::Thread => kind == DeclarationKind::Thread,
        TaskKind::Procedure | TaskKind::Method => kind == DeclarationKind::Method,
        TaskKind::Function | TaskKind::Predicate => kind == DeclarationKind::Function,
        _ => false,
    };
    fits && is_named(&task.name, name)
}

/// Whether a task, `thread T` or `Stack.push(int)`, has this name, which may begin with a class
/// that the task leaves out.
fn is_named(task: &str, name: &str) -> bool {
    let task = plain(task);
    task == name
        || (short(task) == short(name) && (name.ends_with(task) || task.ends_with(name)))
        // A constructor has the name of its class.
        || name.strip_suffix(short(task)).is_some_and(|rest| rest.strip_suffix('.') == Some(task))
}

/// The name of a task without its kind and parameters.
fn plain(task: &str) -> &str {
    let task = task.rsplit(' ').next().unwrap_or(task);
    task.split('(').next().unwrap_or(task)
}

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
