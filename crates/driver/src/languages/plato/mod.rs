//! Programs in Plato: by deduction from their annotations, or by searches.

mod advice;
pub(crate) mod diagnosis;
mod explain;
mod guess;
pub(crate) mod inferred;
mod plan;
mod predicate_reads;
mod relies;
mod replay;
pub(crate) mod search;
mod settle;
mod small_scope;
mod switches;

use super::{Loaded, Read};
use crate::analysis::Context;
use crate::deduce::{
    Decision, Deductive, Extent, Failed, Prepared, Settled, deduce, prepare, uncovered,
};
use crate::dump::{Stage, of_task};
use crate::findings::Findings;
use crate::options::Options;
use crate::pool::Executor;
use crate::words;
use diagnostic::{Code, Diagnostic};
use guess::Guessing;
use machine::{Goal, goals};
use modular::{Facts, Task};
use plan::Plan;
use plato::hir::{Body, Program};
use relies::UsableRely;
use search::{chosen, is_for_search, search};
use settle::Settling;
use smt::Session;
use source::{FileId, Span};
use verdict::{Obligation, ObligationId, TaskName, Trace};

/// Reads a text.
pub(super) fn read(id: FileId, text: &str, definitions: &[(String, String)]) -> Read {
    let (tree, mut diagnostics) = plato::parse(id, text);
    let resolved = plato::resolve(&tree, definitions);
    diagnostics.extend(resolved.diagnostics);
    let loaded = Loaded::Plato(Box::new(resolved.program));
    Read { loaded, diagnostics, used_definitions: resolved.used_definitions }
}

/// Whether deduction decides a program, at least in part.
pub(super) fn is_deduced(program: &Program, options: &Options) -> bool {
    chosen(program, options).is_none()
}

/// Whether a thread, or a procedure with a specification, has this name.
pub(super) fn has_part(program: &Program, name: &str) -> bool {
    let mut specified = program.procs.iter().filter(|procedure| procedure.spec.is_some());
    program.threads.iter().any(|thread| thread.name.as_str() == name)
        || specified.any(|procedure| procedure.name.as_str() == name)
}

/// Decides a program, by deduction or by a search.
pub(super) fn check(
    executor: &mut impl Executor,
    program: &Program,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    let mut found = Findings::default();
    let engine = chosen(program, context.options);
    if let Some(span) = contradictory_init(executor, program, engine.is_none(), context) {
        found.warn(words::contradictory_init(span));
        return found;
    }
    for (span, name) in modular::uncalled(program) {
        found.warn(words::unused_procedure(span, &name));
    }
    for label in machine::unreachable_labels(program) {
        found.warn(words::unreachable_label(&label));
    }
    if let Some(engine) = engine {
        found.extend(search(program, engine, file, context, |_| true));
        return found;
    }
    let for_search = |goal: &Goal| is_for_search(program, goal);
    if goals(program).searched.iter().any(for_search) {
        let ladder = ::search::Engine::Ladder;
        found.extend(search(program, ladder, file, context, for_search));
    }
    let relies = relies::check_relies(executor, program, context.options);
    for warning in relies.iter().flat_map(|rely| &rely.warnings) {
        found.warn(warning.clone());
    }
    let facts = modular::facts(program);
    let options = context.options;
    let relies = &relies;
    let annotated = Annotated { program, facts, relies, options, file, translated: false };
    found.extend(deduce(executor, &annotated, file, context));
    inferred::completed(executor, program, found, file, context)
}

/// Decides one method of another language, whose translation this program is. Its initial stores
/// are those that satisfy the invariants, and it cannot run by itself.
pub(super) fn check_method(
    executor: &mut impl Executor,
    program: &Program,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    let relies = relies::check_relies(executor, program, context.options);
    let mut found = Findings::default();
    for warning in relies.iter().flat_map(|rely| &rely.warnings) {
        found.warn(warning.clone());
    }
    let (facts, options) = (modular::facts(program), context.options);
    let relies = &relies;
    let annotated = Annotated { program, facts, relies, options, file, translated: true };
    found.extend(deduce(executor, &annotated, file, context));
    found
}

/// Where the conditions on initial stores stand, if no store satisfies them all. A search tells
/// for finite types, a solver for others.
fn contradictory_init(
    executor: &mut impl Executor,
    program: &Program,
    by_deduction: bool,
    context: &Context<'_>,
) -> Option<Span> {
    let last = program.inits.last()?.span;
    if machine::has_no_start(program) {
        return Some(last);
    }
    if !by_deduction {
        return None;
    }
    let prepared = prepare(modular::init_task(program), None);
    let found = uncovered(executor, vec![(0, &prepared)], context);
    let is_about_init =
        |id: &ObligationId| prepared.task.obligations[id.index()].code == Code::ContradictoryInit;
    found.iter().any(|(_, ids)| ids.iter().any(is_about_init)).then_some(last)
}

/// A program with what deduction knows of it.
struct Annotated<'a> {
    program: &'a Program,
    facts: Facts,
    relies: &'a [UsableRely],
    options: &'a Options,
    file: FileId,
    /// Whether it is a part of a program in another language.
    translated: bool,
}

impl<'a> Deductive for Annotated<'a> {
    type Plan = Plan<'a>;
    type Task = Task;
    type Runs = Settling;

    fn plans(&self) -> Vec<Plan<'a>> {
        if self.translated {
            let plans = plan::plans(self.program, self.relies, &[]).into_iter();
            return plans.filter(|plan| !matches!(plan, Plan::Init)).collect();
        }
        plan::plans(self.program, self.relies, &self.options.only)
    }

    fn about(&self, plan: &Plan<'a>) -> (TaskName, Span) {
        plan.about(self.program, self.file)
    }

    fn extent(&self) -> Extent {
        let threads = self.program.threads.iter().map(|thread| &thread.body);
        let procedures = self.program.procs.iter().map(|procedure| &procedure.body);
        let mut bodies: Vec<Span> = threads.chain(procedures).filter_map(place).collect();
        bodies.sort_unstable();
        Extent { bodies: bodies.into(), facts: format!("{:?}", self.facts) }
    }

    fn looks_into(&self, plan: &Plan<'a>) -> Vec<Span> {
        plan.bodies(self.program).into_iter().filter_map(place).collect()
    }

    fn task(&self, session: &mut Session, plan: &Plan<'a>) -> Prepared<Task> {
        let (program, facts, options) = (self.program, &self.facts, self.options);
        Guessing { plan, program, facts, options }.task(session)
    }

    fn looks_at_candidates(&self) -> bool {
        small_scope::is_smaller(self.program)
    }

    fn look_again(&self, executor: &mut impl Executor, decided: &mut [(Plan<'a>, Decision<Task>)]) {
        small_scope::look_at_few(executor, self.program, decided, self.options);
        if small_scope::is_smaller(self.program) {
            small_scope::look_at_all(executor, decided, self.options);
        }
        let known = (self.program, &self.facts);
        small_scope::look_at_few_iterations(executor, known, decided, self.options);
    }

    fn runs(&self, decided: &[(Plan<'a>, Decision<Task>)], all_proved: bool) -> Settling {
        let runs = if self.translated {
            replay::RealRuns::none()
        } else {
            replay::real_runs(self.program, self.options, decided, all_proved)
        };
        Settling::new(self.program, runs, self.options, self.translated)
    }

    fn settle(&self, runs: &Settling, failed: Failed<'_, Task>) -> Settled {
        runs.settle(&failed)
    }

    fn shown(&self, settling: &Settling, about: &Obligation) -> Option<(Trace, Diagnostic)> {
        let trace = settling.shown(about)?;
        let told = words::confirmation(search::failure(about), &trace);
        Some((trace, told))
    }

    fn contradiction(&self, settling: &Settling) -> Option<(Code, Span)> {
        // With some threads only, the others may do anything.
        let fault = settling.runs.first(self.program).filter(|_| self.options.only.is_empty())?;
        Some((fault.code, Span::new(self.file, 0, 0)))
    }

    fn uses(&self, task: &Task) -> Vec<String> {
        task.uses.clone()
    }
}

/// Where the statements of a body stand.
fn place(body: &Body) -> Option<Span> {
    let (first, last) = (body.stmts.first()?, body.stmts.last()?);
    Some(first.span.to(last.span))
}

/// The text of a stage; relies stand as written.
pub(super) fn dump(program: &Program, stage: Stage) -> Result<String, String> {
    if stage == Stage::Promela {
        return promela(program).map_err(|what| format!("in a model for SPIN: {what}"));
    }
    let facts = modular::facts(program);
    let lowering = modular::Options::default();
    let dumped = |plan: Plan<'_>| {
        let task = plan.task(program, &facts, &lowering);
        of_task(task, stage)
    };
    Ok(plan::plans(program, &[], &[]).into_iter().map(dumped).collect())
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
