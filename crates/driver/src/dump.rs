//! Any stage of one input as text.

use crate::diagnose::unknown;
use crate::language::Language;
use crate::load::{Loaded, load, tree};
use crate::prepare::formulas;
use crate::relies::specified;
use crate::run::Input;
use diagnostic::Diagnostic;
use gcl::{Body, LoopMode, dump_body, dump_graph, dump_smt};
use logic::Terms;
use modular::{Owner, Task, conjuncts, init_task, procedure_task, rely_task, thread_task};
use plato::hir::{Program, ThreadId};
use source::{FileId, Span};
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

/// The text of a stage of an input; diagnostics if the input is rejected or has no such stage. The relies stand as written.
pub fn dump(
    id: FileId,
    input: &Input,
    definitions: &[(String, String)],
    stage: Stage,
) -> Result<String, Vec<Diagnostic>> {
    let language = Language::of(&input.name);
    if stage == Stage::Plato && matches!(language, Language::Plato | Language::C) {
        let about = if language == Language::C { TRANSLATED } else { "" };
        return tree(id, input, definitions).map(|tree| about.to_owned() + &plato::print(&tree));
    }
    let file = load(id, input, definitions);
    let refuse = |what: &str, span| unknown(&StopReason::Unsupported(what.to_owned()), span);
    let whole = Span::new(id, 0, 0);
    match (&file.loaded, stage) {
        (None, _) => Err(file.diagnostics),
        (Some(Loaded::Program(_)), _) if language == Language::C => {
            Err(vec![refuse("a stage of a C program other than `plato`", whole)])
        }
        (Some(Loaded::Program(program)), Stage::Promela) => {
            let at = program.threads.first().map_or(whole, |thread| thread.span);
            let refused = |what| vec![refuse(&format!("in a model for SPIN: {what}"), at)];
            promela(program).map_err(refused)
        }
        (Some(Loaded::Program(program)), _) => Ok(of_program(program, stage)),
        (Some(Loaded::Objects(_)), Stage::Plato | Stage::Promela) => {
            Err(vec![refuse("Plato or Promela text of a Chalice program", whole)])
        }
        (Some(Loaded::Objects(objects)), _) => Ok(of_objects(objects, stage)),
        (Some(Loaded::System(_) | Loaded::Design(_)), _) => {
            let what = language.name();
            Err(vec![refuse(&format!("a stage of {what}, which are searched as they are"), whole)])
        }
    }
}

/// What is said before a translation.
const TRANSLATED: &str = "// Translated from C; some names cannot be written in Plato.\n";

fn of_program(program: &Program, stage: Stage) -> String {
    let facts = modular::facts(program);
    let mut tasks: Vec<Task> = vec![init_task(program)];
    if !program.relies.is_empty() {
        tasks.push(rely_task(program, &facts, None));
    }
    let own = |id: &ThreadId| !program.threads[id.index()].relies.is_empty();
    tasks.extend(program.thread_ids().filter(own).map(|id| rely_task(program, &facts, Some(id))));
    tasks.extend(program.thread_ids().map(|id| {
        let goals = conjuncts(program, &Owner::Thread(id));
        thread_task(program, &facts, id, &goals, &modular::Options::default())
    }));
    tasks.extend(specified(program).map(|id| {
        let goals = conjuncts(program, &Owner::of_procedure(program, id));
        procedure_task(program, &facts, id, &goals, &modular::Options::default())
    }));
    tasks.into_iter().map(|task| of_task(&task.name, task.terms, task.body, stage)).collect()
}

fn of_objects(program: &chalice::hir::Program, stage: Stage) -> String {
    let tasks = chalice::plans(program).into_iter().map(|plan| plan.task(program));
    tasks.map(|task| of_task(&task.name, task.terms, task.body, stage)).collect()
}

fn of_task(name: &str, mut terms: Terms, body: Body, stage: Stage) -> String {
    let (comment, text) = if stage == Stage::Gcl {
        ("//", dump_body(&terms, &body))
    } else {
        let (graph, conditions, _) = formulas(&mut terms, body, LoopMode::Cut);
        match stage {
            Stage::Smt => (";", dump_smt(&terms, &graph, &conditions)),
            _ => ("//", dump_graph(&terms, &graph)),
        }
    };
    format!("{comment} {name}\n{text}\n")
}

/// The model of the only world of a program.
fn promela(program: &Program) -> Result<String, String> {
    let worlds = machine::worlds(program, &machine::Sizes::default());
    match worlds.as_slice() {
        [world] if world.partial.is_none() => machine::promela(world),
        [world, ..] if world.partial.is_none() => {
            Err("a constant without a value: give it one with `-D NAME=VALUE`".to_owned())
        }
        [world, ..] => Err(world.partial.clone().unwrap_or_default()),
        [] => Err("a program that no number of threads can run".to_owned()),
    }
}
