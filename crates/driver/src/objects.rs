//! Chalice programs: every declaration is decided by itself.

use crate::decide::worst;
use crate::deciding::{ask, uncovered};
use crate::diagnose;
use crate::findings::Findings;
use crate::pool::Executor;
use crate::prepare::{Askable, formulas};
use crate::run::{ObligationResult, Options};
use chalice::hir::Program;
use chalice::{Plan, Task};
use diagnostic::{Code, Diagnostic};
use gcl::{Conditions, Failure, Group, LoopMode, Outcome, Question};
use source::SourceMap;
use std::collections::BTreeMap;
use verdict::{Obligation, ObligationId, Relevance, StopReason, Verdict};

/// A declaration with its formulas.
struct Declaration {
    task: Task,
    graph: gcl::passive::Graph,
    conditions: Conditions,
    groups: Vec<Group>,
}

impl Askable for Declaration {
    fn question<'a>(&'a self, options: &'a Options) -> Question<'a> {
        Question {
            terms: &self.task.terms,
            graph: &self.graph,
            conditions: &self.conditions,
            limits: options.limits,
            quick: false,
            // Permissions come from the contract at the start.
            whole: true,
            solver: &options.solver_name,
            observed: &self.task.constants,
        }
    }

    fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn obligations(&self) -> &[Obligation] {
        &self.task.obligations
    }

    fn graph(&self) -> &gcl::passive::Graph {
        &self.graph
    }
}

impl Declaration {
    /// The outcomes of what must hold.
    fn required<'a>(
        &'a self,
        outcomes: &'a BTreeMap<ObligationId, Outcome>,
    ) -> impl Iterator<Item = &'a Outcome> {
        let relevance = |id: &ObligationId| self.task.obligations[id.0 as usize].relevance;
        let required = outcomes.iter().filter(move |(id, _)| relevance(id) == Relevance::Required);
        required.map(|(_, outcome)| outcome)
    }
}

/// The guarded commands of a declaration, down to formulas.
fn declaration(program: &Program, plan: Plan) -> Declaration {
    let mut task = plan.task(program);
    let body = std::mem::take(&mut task.body);
    let (graph, conditions, groups) = formulas(&mut task.terms, body, LoopMode::Cut);
    Declaration { task, graph, conditions, groups }
}

/// Decides everything there is to show of a program.
pub(crate) fn check_objects(
    executor: &mut impl Executor,
    program: &Program,
    options: &Options,
    sources: &SourceMap,
) -> Findings {
    let mut plans = chalice::plans(program);
    plans.retain(|plan| {
        options.only.is_empty() || options.only.iter().any(|name| is_called(program, *plan, name))
    });
    let weight = plans.len() * 20;
    let tasks = executor.run(&plans, weight, |_, plan| declaration(program, *plan));
    let sites = ask(executor, &tasks, options);
    let mut found = Findings::default();
    let mut holding = Vec::new();
    for (index, (task, sites)) in tasks.iter().zip(sites).enumerate() {
        match (task, sites) {
            (Ok(task), Ok(sites)) => {
                let mut outcomes = worst(sites, &task.task.undecided);
                if let Some(reason) = &task.task.incomplete {
                    // What stands for something that is not supported has any value: that something fails then says
                    // as little as that it holds.
                    outcomes
                        .values_mut()
                        .for_each(|outcome| *outcome = Outcome::Unknown(reason.clone()));
                }
                if task.required(&outcomes).all(|outcome| matches!(outcome, Outcome::Proved(_))) {
                    holding.push((index, task));
                    if options.hygiene {
                        found.diagnostics.extend(hygiene(&task.task, &outcomes));
                    }
                }
                found.extend(decided(&task.task, &outcomes, sources));
            }
            (Err(message), _) => failed(&mut found, program, plans[index], message),
            (_, Err(message)) => failed(&mut found, program, plans[index], &message),
        }
    }
    if options.hygiene {
        for (index, ids) in uncovered(executor, holding, options) {
            if let Ok(task) = &tasks[index] {
                found.diagnostics.extend(uncovered_code(&task.task, &ids));
            }
        }
    }
    found
}

/// Whether a declaration of the program has this name.
pub(crate) fn declares(program: &Program, name: &str) -> bool {
    chalice::plans(program).into_iter().any(|plan| is_called(program, plan, name))
}

/// A member is called by its name, with or without that of its class; a class's name stands for all its members.
fn is_called(program: &Program, plan: Plan, name: &str) -> bool {
    let (full, _) = chalice::name_of(program, plan);
    let full = full.split_once(' ').map_or(full.as_str(), |(_, full)| full);
    full == name || full.split_once('.').is_some_and(|(class, own)| class == name || own == name)
}

fn decided(
    task: &Task,
    outcomes: &BTreeMap<ObligationId, Outcome>,
    sources: &SourceMap,
) -> Findings {
    let mut found = Findings::default();
    for (index, obligation) in task.obligations.iter().enumerate() {
        if obligation.relevance != Relevance::Required {
            continue;
        }
        let id = ObligationId(u32::try_from(index).unwrap_or(u32::MAX));
        let verdict = match (outcomes.get(&id), &task.incomplete) {
            (Some(Outcome::Proved(evidence)), _) => Verdict::Proved(evidence.clone()),
            (Some(Outcome::Unknown(reason)), incomplete) => {
                // Where something is not supported, that is told once, at its place.
                if Some(reason) != incomplete.as_ref() || obligation.code == "unsupported" {
                    found.diagnostics.push(unknown(reason, obligation));
                }
                Verdict::Unknown(reason.clone())
            }
            (Some(Outcome::Failed(failure)), _) => {
                found.diagnostics.push(refuted(task, obligation, failure, sources));
                Verdict::Refuted(Box::new(chalice::trace(task, failure)))
            }
            (None, Some(reason)) => Verdict::Unknown(reason.clone()),
            (None, None) => Verdict::Proved(gcl::no_path()),
        };
        let obligation = obligation.clone();
        found.results.push(ObligationResult { task: task.name.clone(), obligation, verdict });
    }
    found
}

/// Checks that need not hold, and are worth a warning if they do not.
fn hygiene(task: &Task, outcomes: &BTreeMap<ObligationId, Outcome>) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (id, outcome) in outcomes {
        let about = &task.obligations[id.0 as usize];
        if about.relevance == Relevance::Hygiene && matches!(outcome, Outcome::Failed(_)) {
            let mut warning =
                Diagnostic::new(Code::of(about.code), about.span, about.failed.clone());
            if let Some(declared) = about.declared {
                warning = warning.label(declared, "given here");
            }
            warning.help.extend(about.help.clone());
            warnings.push(warning);
        }
    }
    warnings
}

fn uncovered_code(task: &Task, ids: &[ObligationId]) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let mut told = false;
    for id in ids {
        let about = &task.obligations[id.0 as usize];
        let unreachable = about.code == "unreachable-code";
        // Of a stretch of unreachable statements, the first tells all.
        if !unreachable || !std::mem::replace(&mut told, true) {
            warnings.push(Diagnostic::new(Code::of(about.code), about.span, about.failed.clone()));
        }
    }
    warnings
}

/// Rely itself failed.
fn failed(found: &mut Findings, program: &Program, plan: Plan, message: &str) {
    let (name, span) = chalice::name_of(program, plan);
    found.internal_error(&name, message, span);
}

/// What is unsupported says so itself; of everything else there, it is told that it was not decided.
fn unknown(reason: &StopReason, about: &Obligation) -> Diagnostic {
    let diagnostic = diagnose::unknown(reason, about.span);
    if about.code == "unsupported" {
        return diagnostic;
    }
    let what = Code::find(about.code).map_or("", |code| code.info().summary);
    diagnostic.at(format!("not decided whether: {what}"))
}

fn refuted(task: &Task, about: &Obligation, failure: &Failure, sources: &SourceMap) -> Diagnostic {
    let trace = chalice::trace(task, failure);
    let mut diagnostic = Diagnostic::new(Code::of(about.code), about.span, about.failed.clone());
    let amounts = chalice::amounts(task, failure);
    if amounts.as_ref().is_some_and(|(had, needed)| had == needed) {
        let help = "every call, fork and loop has a `rd` of its own; `acc(o.f, rd(p))` is the part of monitors, `acc(o.f, rd(t))` that of the token `t`";
        diagnostic = diagnostic.help(help);
    }
    if let Some(declared) = about.declared {
        let label = match about.code {
            "insufficient-permission" => match &amounts {
                // Both are small and nobody knows how much.
                Some((had, needed)) if had == needed => "this part can be more than there is",
                Some((had, needed)) => &format!("{needed} is needed, there is {had}"),
                None => "this is needed",
            },
            "bounds-out-of-order" => "this bound",
            _ => diagnose::label_of(about.code),
        };
        diagnostic = diagnostic.label(declared, label);
    }
    let mut picture = diagnose::lanes(&trace, sources);
    let heap = chalice::picture(task, failure);
    if !heap.is_empty() {
        picture.push_str("\nthe heap, with permissions:\n");
        picture.push_str(heap.trim_end());
    }
    if about.code == "lock-order" && chalice::holds_nameless(task, failure) {
        picture.push_str("\nan object that no name leads to: held");
    }
    diagnostic.picture = picture;
    diagnostic = diagnose::note_on_trace(diagnostic, &trace);
    diagnostic.help.extend(about.help.clone());
    diagnostic
}
