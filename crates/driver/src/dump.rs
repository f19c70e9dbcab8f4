//! Any stage of one input as text.

use crate::prepare::prepare;
use diagnostic::Diagnostic;
use gcl::{dump_body, dump_graph, dump_smt};
use modular::{Owner, Task, conjuncts, init_task, rely_task, thread_task};
use plato::hir::ThreadId;
use source::FileId;
use std::fmt::Write;

/// A form a program goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The program as parsed and printed.
    Plato,
    /// Guarded commands.
    Gcl,
    /// The passive form.
    Passive,
    /// The formulas as a solver script. `vc` names it too.
    Smt,
}

/// The text of a stage; diagnostics if the input is rejected. The relies stand as written.
pub fn dump(
    file: FileId,
    text: &str,
    definitions: &[(String, String)],
    stage: Stage,
) -> Result<String, Vec<Diagnostic>> {
    let (tree, mut diagnostics) = plato::parse(file, text);
    if stage == Stage::Plato && diagnostics.is_empty() {
        return Ok(plato::print(&tree));
    }
    let resolved = plato::resolve(&tree, definitions);
    diagnostics.extend(resolved.diagnostics);
    if diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input) {
        return Err(diagnostics);
    }
    let program = &resolved.program;
    let facts = modular::facts(program);
    let mut tasks: Vec<Task> = vec![init_task(program)];
    if !program.relies.is_empty() {
        tasks.push(rely_task(program, None));
    }
    let own = |id: &ThreadId| !program.threads[id.index()].relies.is_empty();
    tasks.extend(program.thread_ids().filter(own).map(|id| rely_task(program, Some(id))));
    tasks.extend(program.thread_ids().map(|id| {
        thread_task(
            program,
            &facts,
            id,
            &conjuncts(program, &Owner::Thread(id)),
            &modular::Options::default(),
        )
    }));
    let mut out = String::new();
    for task in tasks {
        let comment = if stage == Stage::Smt { ";" } else { "//" };
        let _ = writeln!(out, "{comment} {}", task.name);
        let body =
            if stage == Stage::Gcl { Some(dump_body(&task.terms, &task.body)) } else { None };
        out.push_str(&body.unwrap_or_else(|| {
            let prepared = prepare(task, None);
            match stage {
                Stage::Smt => dump_smt(&prepared.task.terms, &prepared.graph, &prepared.conditions),
                _ => dump_graph(&prepared.task.terms, &prepared.graph),
            }
        }));
        out.push('\n');
    }
    Ok(out)
}
