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
use verdict::{Obligation, ObligationId, Relevance, StopReason, Trace, Verdict};

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

type Outcomes = BTreeMap<ObligationId, Outcome>;

impl Declaration {
    /// What was found out about each obligation.
    fn outcomes(&self, sites: Vec<(ObligationId, Outcome)>) -> Outcomes {
        let mut outcomes = worst(sites, &self.task.undecided);
        if let Some(reason) = &self.task.incomplete {
            // What stands for something that is not supported has any value: that something fails then says as little
            // as that it holds.
            outcomes.values_mut().for_each(|outcome| *outcome = Outcome::Unknown(reason.clone()));
        }
        outcomes
    }

    /// The outcomes of what must hold.
    fn required<'a>(&'a self, outcomes: &'a Outcomes) -> impl Iterator<Item = &'a Outcome> {
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

/// How often each method is run, to see what fails in earnest.
const RUNS: u64 = 200;

/// How often if everything is proved.
const SECOND_OPINION: u64 = 5;

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
    let mut all_outcomes = Vec::new();
    for (index, (task, sites)) in tasks.iter().zip(sites).enumerate() {
        match (task, sites) {
            (Ok(task), Ok(sites)) => all_outcomes.push((index, task, task.outcomes(sites))),
            (Err(message), _) => failed(&mut found, program, plans[index], message),
            (_, Err(message)) => failed(&mut found, program, plans[index], &message),
        }
    }
    let runs = runs(program, &plans, &all_outcomes, options);
    let mut holding = Vec::new();
    for (index, task, outcomes) in &all_outcomes {
        if task.required(outcomes).all(|outcome| matches!(outcome, Outcome::Proved(_))) {
            holding.push((*index, *task));
            if options.hygiene {
                found.diagnostics.extend(hygiene(&task.task, outcomes));
            }
        }
        found.extend(decided(&task.task, outcomes, &runs, sources));
    }
    contradict(&mut found, program, options);
    if options.hygiene {
        for (index, ids) in uncovered(executor, holding, options) {
            if let Ok(task) = &tasks[index] {
                found.diagnostics.extend(uncovered_code(&task.task, &ids));
            }
        }
    }
    found
}

/// Runs that fail, if something was refuted.
fn runs(
    program: &Program,
    plans: &[Plan],
    outcomes: &[(usize, &Declaration, Outcomes)],
    options: &Options,
) -> Vec<concrete::Run> {
    let mut refuted = Vec::new();
    for (index, task, outcomes) in outcomes {
        if task.required(outcomes).any(|outcome| matches!(outcome, Outcome::Failed(_))) {
            refuted.push(plans[*index]);
        }
    }
    if refuted.is_empty() {
        return Vec::new();
    }
    let methods = refuted.iter().filter_map(|plan| match plan {
        Plan::Method(id) => Some(*id),
        _ => None,
    });
    concrete::failures(program, &methods.collect::<Vec<_>>(), RUNS, &options.halt)
}

/// What is proved must not fail in a run. With some declarations only, others may do anything.
fn contradict(found: &mut Findings, program: &Program, options: &Options) {
    let proved = found.results.iter().all(|one| matches!(one.verdict, Verdict::Proved(_)));
    if proved
        && options.only.is_empty()
        && let Some(failure) = concrete::real_failure(program, SECOND_OPINION, &options.halt)
    {
        let message = format!("a run shows `{}` although everything is proved", failure.code);
        found.internal_error("run", &message, failure.span);
    }
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
    outcomes: &Outcomes,
    runs: &[concrete::Run],
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
                if Some(reason) != incomplete.as_ref() || obligation.code == Code::Unsupported {
                    found.diagnostics.push(unknown(reason, obligation));
                }
                Verdict::Unknown(reason.clone())
            }
            (Some(Outcome::Failed(failure)), _) => {
                let run = runs.iter().find(|run| is_shown(obligation, &run.failure));
                let counterexample = Counterexample { task, failure, run };
                let trace = counterexample.trace();
                found.diagnostics.push(refuted(obligation, &counterexample, &trace, sources));
                Verdict::Refuted(Box::new(trace))
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
fn hygiene(task: &Task, outcomes: &Outcomes) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (id, outcome) in outcomes {
        let about = &task.obligations[id.0 as usize];
        if about.relevance == Relevance::Hygiene && matches!(outcome, Outcome::Failed(_)) {
            let mut warning = Diagnostic::new(about.code, about.span, about.failed.clone());
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
        let unreachable = about.code == Code::UnreachableCode;
        // Of a stretch of unreachable statements, the first tells all.
        if !unreachable || !std::mem::replace(&mut told, true) {
            warnings.push(Diagnostic::new(about.code, about.span, about.failed.clone()));
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
    if about.code == Code::Unsupported {
        return diagnostic;
    }
    let what = about.code.info().summary;
    diagnostic.at(format!("not decided whether: {what}"))
}

/// How an obligation fails: in a state that the contracts allow, and perhaps in a run.
struct Counterexample<'a> {
    task: &'a Task,
    failure: &'a Failure,
    run: Option<&'a concrete::Run>,
}

impl Counterexample<'_> {
    fn trace(&self) -> Trace {
        match self.run {
            Some(run) => run.trace.clone(),
            None => chalice::trace(self.task, self.failure),
        }
    }

    fn heap(&self, about: &Obligation) -> String {
        if let Some(run) = self.run {
            return run.heap.clone();
        }
        let mut heap = chalice::picture(self.task, self.failure);
        if about.code == Code::LockOrder && chalice::holds_nameless(self.task, self.failure) {
            heap.push_str("an object that no name leads to: held");
        }
        heap
    }

    /// What to say of the permission that is needed, and what may help.
    fn lacking(&self) -> (String, Option<&'static str>) {
        match chalice::amounts(self.task, self.failure) {
            // Both are small and nobody knows how much.
            Some((had, needed)) if had == needed => {
                let help = "every call, fork and loop has a `rd` of its own; `acc(o.f, rd(p))` is the part of monitors, `acc(o.f, rd(t))` that of the token `t`";
                ("this part can be more than there is".to_owned(), Some(help))
            }
            Some((had, needed)) if self.run.is_none() => {
                (format!("{needed} is needed, there is {had}"), None)
            }
            Some((_, needed)) => (format!("{needed} is needed"), None),
            None => ("this is needed".to_owned(), None),
        }
    }
}

/// Whether the run shows that the obligation fails.
fn is_shown(about: &Obligation, failure: &concrete::Failure) -> bool {
    about.code == failure.code && about.span == failure.span && about.declared == failure.declared
}

fn refuted(
    about: &Obligation,
    counterexample: &Counterexample<'_>,
    trace: &Trace,
    sources: &SourceMap,
) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(about.code, about.span, about.failed.clone());
    if let Some(declared) = about.declared {
        let (lacking, help) = counterexample.lacking();
        let label = match about.code {
            Code::InsufficientPermission => {
                diagnostic.help.extend(help.map(str::to_owned));
                &lacking
            }
            _ => about.code.info().label,
        };
        diagnostic = diagnostic.label(declared, label);
    }
    diagnostic.picture = diagnose::lanes(trace, sources);
    let heap = counterexample.heap(about);
    if !heap.is_empty() {
        diagnostic.picture.push_str("\nthe heap, with permissions:\n");
        diagnostic.picture.push_str(heap.trim_end());
    }
    diagnostic = diagnose::note_on_trace(diagnostic, trace);
    diagnostic.help.extend(about.help.clone());
    diagnostic
}
