//! What was shown, task by task, and what follows (paper 1, theorems 1 and 2; paper 2, theorem 1).

use driver::{FileReport, ObligationResult, Run};
use std::fmt::Write;
use verdict::Verdict;

/// The argument for each file.
pub fn proof(run: &Run) -> String {
    let mut out = String::new();
    for file in &run.files {
        let _ = writeln!(out, "\n{}", run.sources.file(file.file).name);
        for search in &file.searches {
            let _ = writeln!(out, "  search: {search}");
        }
        let mut missing = Vec::new();
        for (task, results) in tasks(file) {
            let proved = results
                .iter()
                .filter(|result| matches!(result.verdict, Verdict::Proved(_)))
                .count();
            let _ =
                writeln!(out, "  {task}: {proved} of {} shown: {}", results.len(), meaning(task));
            if proved < results.len() {
                missing.push(task);
            }
        }
        let conclusion = if file.results.is_empty() {
            "nothing was to be shown".to_owned()
        } else if missing.is_empty() {
            "together: no run of the program goes wrong, and the invariants hold throughout"
                .to_owned()
        } else {
            format!(
                "nothing follows about the whole program before these are shown too: {}",
                missing.join(", ")
            )
        };
        let _ = writeln!(out, "  {conclusion}");
    }
    out
}

/// The results by task, in order.
fn tasks(file: &FileReport) -> Vec<(&str, Vec<&ObligationResult>)> {
    let mut tasks: Vec<(&str, Vec<&ObligationResult>)> = Vec::new();
    for result in &file.results {
        match tasks.iter_mut().find(|(task, _)| *task == result.task) {
            Some((_, results)) => results.push(result),
            None => tasks.push((&result.task, vec![result])),
        }
    }
    tasks
}

fn meaning(task: &str) -> &'static str {
    match task.split_whitespace().next() {
        Some("thread") => {
            "alone under its rely it does not go wrong, and its steps respect what others rely on"
        }
        Some("proc") => {
            "its body is simulated by its specification, which stands for it at every call"
        }
        Some("search") => "no state that a search did not exclude violates them",
        Some("relies") => "relies allow others to do nothing",
        Some("init") => "initial stores satisfy the invariants",
        _ => "needed for the whole",
    }
}
