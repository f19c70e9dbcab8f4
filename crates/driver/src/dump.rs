//! Any stage of one input as text.

use crate::diagnose::unknown;
use crate::prepare::{formulas, prepare};
use diagnostic::Diagnostic;
use gcl::{LoopMode, dump_body, dump_graph, dump_smt};
use modular::{Owner, Task, conjuncts, init_task, rely_task, thread_task};
use plato::hir::{Program, ThreadId};
use source::{FileId, Span};
use std::fmt::Write;
use verdict::StopReason;

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
    /// A model for SPIN.
    Promela,
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
    if stage == Stage::Promela {
        return promela(program, file);
    }
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

/// The text of a stage of a Chalice program.
pub fn dump_objects(file: FileId, text: &str, stage: Stage) -> Result<String, Vec<Diagnostic>> {
    let (tree, mut diagnostics) = chalice::parse(file, text);
    let (program, faults) = chalice::check(&tree);
    diagnostics.extend(faults);
    if diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input) {
        return Err(diagnostics);
    }
    if matches!(stage, Stage::Plato | Stage::Promela) {
        let what = "Plato or Promela text of a Chalice program".to_owned();
        return Err(vec![unknown(&StopReason::Unsupported(what), Span::new(file, 0, 0))]);
    }
    let mut out = String::new();
    for plan in chalice::plans(&program) {
        let mut task = plan.task(&program);
        let comment = if stage == Stage::Smt { ";" } else { "//" };
        let _ = writeln!(out, "{comment} {}", task.name);
        if stage == Stage::Gcl {
            out.push_str(&dump_body(&task.terms, &task.body));
        } else {
            let body = std::mem::take(&mut task.body);
            let (graph, conditions, _) = formulas(&mut task.terms, body, LoopMode::Cut);
            out.push_str(&match stage {
                Stage::Smt => dump_smt(&task.terms, &graph, &conditions),
                _ => dump_graph(&task.terms, &graph),
            });
        }
        out.push('\n');
    }
    Ok(out)
}

/// The model of the only world of a program.
fn promela(program: &Program, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let worlds = machine::worlds(program, &machine::Sizes::default());
    let model = match worlds.as_slice() {
        [world] if world.partial.is_none() => machine::promela(world),
        [world, ..] if world.partial.is_none() => {
            Err("a constant without a value: give it one with `-D NAME=VALUE`".to_owned())
        }
        [world, ..] => Err(world.partial.clone().unwrap_or_default()),
        [] => Err("a program that no number of threads can run".to_owned()),
    };
    model.map_err(|what| {
        let at = program.threads.first().map_or(Span::new(file, 0, 0), |thread| thread.span);
        vec![unknown(&StopReason::Unsupported(format!("in a model for SPIN: {what}")), at)]
    })
}
