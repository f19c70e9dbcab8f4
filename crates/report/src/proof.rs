//! What was shown, task by task, and what follows (paper 1, theorems 1 and 2; paper 2, theorem 1).

use driver::{FileReport, Language, ObligationResult, Run};
use std::fmt::Write;
use verdict::{TaskKind, TaskName, Verdict};

/// The argument for each file.
pub fn proof(run: &Run) -> String {
    let mut out = String::new();
    for file in &run.files {
        let name = &run.sources.file(file.file).name;
        let language = Language::of(name);
        let _ = writeln!(out, "\n{name}");
        for search in &file.searches {
            let _ = writeln!(out, "  search: {search}");
        }
        for (span, text) in &file.assumptions {
            let place = run.sources.file(span.file);
            let line = place.line(span.start);
            let _ = writeln!(out, "  taken for granted, {} line {line}: {text}", place.name);
        }
        for item in &file.inferred {
            let _ = writeln!(out, "  inferred: {item}");
        }
        let tasks = tasks(file);
        for (task, results) in &tasks {
            let shown = results.iter().filter(|result| is_shown(result)).count();
            let _ = write!(
                out,
                "  {task}: {shown} of {} shown: {}",
                results.len(),
                meaning(language, task.kind)
            );
            if let Some(callees) = file.uses.get(*task) {
                let _ = write!(out, ", given the specifications of {}", callees.join(", "));
            }
            out.push('\n');
        }
        conclude(run, file, &tasks, &mut out);
    }
    out
}

fn conclude(run: &Run, file: &FileReport, tasks: &[Task<'_>], out: &mut String) {
    let missing: Vec<&ObligationResult> =
        file.results.iter().filter(|result| !is_shown(result)).collect();
    if file.results.is_empty() {
        let _ = writeln!(out, "  nothing was to be shown");
        return;
    }
    let language = Language::of(&run.sources.file(file.file).name);
    let holds = conclusion(language, run.only.is_empty());
    if missing.is_empty() {
        let _ = writeln!(out, "  together: {holds}");
        return;
    }
    for result in &missing {
        let line = run.sources.line_column(result.obligation.span).0;
        let why = match &result.verdict {
            Verdict::Unknown(reason) => format!("not decided, {reason}"),
            _ => result.obligation.failed.clone(),
        };
        let code = result.obligation.code;
        let _ = writeln!(out, "  missing, line {line}, {}: {code}: {why}", result.task);
    }
    for (task, _) in tasks {
        if task.kind != TaskKind::Procedure {
            continue;
        }
        let name = &task.name;
        if missing.iter().any(|result| result.task == **task) {
            let stands_on =
                |(_, callees): &(&TaskName, &Vec<String>)| callees.iter().any(|c| c == name);
            let users: Vec<String> =
                file.uses.iter().filter(stands_on).map(|(user, _)| user.to_string()).collect();
            if !users.is_empty() {
                let _ =
                    writeln!(out, "  the specification of {name} is used by: {}", users.join(", "));
            }
        }
    }
    let _ = writeln!(out, "  if what is missing held, then together: {holds}");
}

fn is_shown(result: &ObligationResult) -> bool {
    matches!(result.verdict, Verdict::Proved(_))
}

/// A task with its results.
type Task<'a> = (&'a TaskName, Vec<&'a ObligationResult>);

/// The results by task, in order.
fn tasks(file: &FileReport) -> Vec<Task<'_>> {
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for result in &file.results {
        match tasks.iter_mut().find(|(task, _)| **task == result.task) {
            Some((_, results)) => results.push(result),
            None => tasks.push((&result.task, vec![result])),
        }
    }
    tasks
}

/// What the results of a task say, in the words of the language.
fn meaning(language: Language, kind: TaskKind) -> &'static str {
    match (language, kind) {
        (Language::Chalice, _) => {
            "from every state that its contract allows, it keeps the contract"
        }
        (Language::Design | Language::Diagram, _) => "no run of the system breaks these promises",
        (Language::Pds, _) => "no run reaches these configurations",
        (Language::Plato, TaskKind::Thread) => {
            "alone under its rely it does not go wrong, and its steps respect what others rely on"
        }
        (Language::Plato, TaskKind::Procedure) => {
            "its body is simulated by its specification, which stands for it at every call"
        }
        (Language::Java, TaskKind::Method | TaskKind::Thread) => {
            "called by any thread at any time it does not go wrong, and its steps respect what others rely on"
        }
        (Language::Java, _) => "relies allow others to do nothing",
        (Language::Plato, TaskKind::Relies | TaskKind::ReliesOf) => {
            "relies allow others to do nothing"
        }
        (Language::Plato, TaskKind::Init) => "initial stores satisfy the invariants",
        (Language::Plato | Language::C, _) => {
            "no state that a search did not exclude violates them"
        }
    }
}

/// What follows if everything is shown, of all that there is or of a part.
fn conclusion(language: Language, whole: bool) -> &'static str {
    match language {
        Language::Plato if whole => {
            "no run of the program goes wrong, and the invariants hold throughout"
        }
        Language::Plato => {
            "these do not go wrong as long as all others keep to what is relied on, which was not looked at"
        }
        Language::Chalice if whole => {
            "no method goes wrong that is called or forked as its contract says"
        }
        Language::Chalice => {
            "these do not go wrong as long as all others keep their contracts, which was not looked at"
        }
        Language::C => "no run of the program goes wrong",
        Language::Java if whole => {
            "no method goes wrong, whoever calls it and whenever, with arguments that it accepts"
        }
        Language::Java => {
            "these do not go wrong as long as all others keep to what is relied on, which was not looked at"
        }
        Language::Design | Language::Diagram => "every run of the systems keeps all promises",
        Language::Pds => "no run reaches a configuration that must never be reached",
    }
}
