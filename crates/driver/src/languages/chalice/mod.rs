//! Chalice programs: every declaration is decided by itself.

pub(crate) mod loops;

use super::{Loaded, Read};
use crate::analysis::Context;
use crate::deduce::{
    Decided, Decision, Deductive, Extent, Failed, Prepared, Settled, deduce, prepare,
};
use crate::dump::{Stage, of_task};
use crate::findings::{Findings, Told};
use crate::options::{Input, Options};
use crate::pool::Executor;
use crate::words;
use chalice::hir::{Method, MethodId, Program};
use chalice::{Facts, Plan, Task};
use diagnostic::{Code, Diagnostic};
use smt::Session;
use source::{FileId, Span};
use verdict::{Cell, Object, Obligation, TaskName, Trace};

/// Reads a text.
pub(super) fn read(id: FileId, text: &str) -> Read {
    let (tree, mut diagnostics) = chalice::parse(id, text);
    let (program, faults) = chalice::check(&tree);
    diagnostics.extend(faults);
    diagnostics.extend(chalice::switches(id, text));
    let loaded = Loaded::Chalice(Box::new(program));
    Read { loaded, diagnostics, used_definitions: Vec::new() }
}

/// Decides everything there is to show of a program.
pub(super) fn check(
    executor: &mut impl Executor,
    program: &Program,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    let facts = chalice::facts(program);
    let options = context.options;
    let found = deduce(executor, &Objects { program, facts, options }, file, context);
    let budget = options.infer.filter(|_| options.only.is_empty() && !found.is_proved());
    let Some(budget) = budget else { return found };
    let source = context.sources.file(file);
    let input = Input { name: source.name.clone(), text: source.text.clone() };
    loops::completed(executor, found, (file, &input), (options, budget))
}

/// Whether a declaration of the program has this name.
pub(super) fn has_part(program: &Program, name: &str) -> bool {
    chalice::plans(program).into_iter().any(|plan| is_called(program, plan, name))
}

/// A member is called by its name, with or without that of its class; a class's name stands for all
/// its members.
fn is_called(program: &Program, plan: Plan, name: &str) -> bool {
    let (TaskName { name: full, .. }, _) = chalice::name_of(program, plan);
    full == name || full.split_once('.').is_some_and(|(class, own)| class == name || own == name)
}

/// The text of a stage.
pub(super) fn dump(program: &Program, stage: Stage) -> Result<String, String> {
    if matches!(stage, Stage::Plato | Stage::Promela) {
        return Err("Plato or Promela text of a Chalice program".to_owned());
    }
    let facts = chalice::facts(program);
    let dumped = |plan: Plan| of_task(plan.task(program, &facts), stage);
    Ok(chalice::plans(program).into_iter().map(dumped).collect())
}

/// How often each method is run to confirm failures.
const RUNS: u64 = 200;

/// How often each method is run if everything is proved.
const SECOND_OPINION: u64 = 5;

/// A program, as deduction sees it.
struct Objects<'a> {
    program: &'a Program,
    facts: Facts,
    options: &'a Options,
}

/// Runs that fail.
enum Runs {
    /// Those that confirm failures.
    Confirming(Vec<concrete::Run>),
    /// One that must not be, since everything is proved.
    Contradicting(Option<concrete::Failure>),
}

impl Deductive for Objects<'_> {
    type Plan = Plan;
    type Task = Task;
    type Runs = Runs;

    fn plans(&self) -> Vec<Plan> {
        let only = &self.options.only;
        let mut plans = chalice::plans(self.program);
        plans.retain(|plan| {
            only.is_empty() || only.iter().any(|name| is_called(self.program, *plan, name))
        });
        plans
    }

    fn about(&self, plan: &Plan) -> (TaskName, Span) {
        chalice::name_of(self.program, *plan)
    }

    fn extent(&self) -> Extent {
        let mut bodies: Vec<Span> = self.program.methods.iter().filter_map(place).collect();
        bodies.sort_unstable();
        Extent { bodies: bodies.into(), facts: format!("{:?}", self.facts) }
    }

    fn looks_into(&self, plan: &Plan) -> Vec<Span> {
        match plan {
            Plan::Method(id) => place(&self.program.methods[id.index()]).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn task(&self, _session: &mut Session, plan: &Plan) -> Prepared<Task> {
        prepare(plan.task(self.program, &self.facts), None)
    }

    fn looks_at_candidates(&self) -> bool {
        false
    }

    fn look_again(&self, _executor: &mut impl Executor, _decided: &mut [(Plan, Decision<Task>)]) {}

    fn runs(&self, decided: &[(Plan, Decision<Task>)], all_proved: bool) -> Runs {
        let halt = &self.options.halt;
        if all_proved {
            // With some declarations only, others may do anything.
            let failure = || concrete::real_failure(self.program, SECOND_OPINION, halt);
            return Runs::Contradicting(self.options.only.is_empty().then(failure).flatten());
        }
        let fails = |task: &Decision<Task>| task.as_ref().is_ok_and(Decided::fails);
        let failing = decided.iter().filter(|(_, task)| fails(task));
        let failing: Vec<Plan> = failing.map(|(plan, _)| *plan).collect();
        if failing.is_empty() {
            return Runs::Confirming(Vec::new());
        }
        let methods = failing.iter().filter_map(|plan| match plan {
            Plan::Method(id) => Some(*id),
            _ => None,
        });
        let methods: Vec<MethodId> = methods.collect();
        Runs::Confirming(concrete::failures(self.program, &methods, RUNS, halt))
    }

    fn settle(&self, runs: &Runs, failed: Failed<'_, Task>) -> Settled {
        let Failed { about, witness, doubt, .. } = failed;
        let run = match runs {
            Runs::Confirming(runs) => runs.iter().find(|run| is_shown(about, &run.failure)),
            Runs::Contradicting(_) => None,
        };
        let amounts = chalice::amounts(witness.task, witness.failure);
        let trace = match run {
            Some(run) => run.trace.clone(),
            None => open_run(about, witness.task, witness.failure),
        };
        if let Some(reason) = doubt.filter(|_| run.is_none()) {
            let told = words::undecided(reason, about.span, about.code);
            let diagnostic = words::confirmation(told, &trace);
            return Settled::Open(reason.clone(), Told { diagnostic, run: Some(Box::new(trace)) });
        }
        let told = refuted(about, &trace, amounts, run.is_some());
        Settled::Refuted(trace, told)
    }

    fn shown(&self, _runs: &Runs, _about: &Obligation) -> Option<(Trace, Diagnostic)> {
        None
    }

    fn contradiction(&self, runs: &Runs) -> Option<(Code, Span)> {
        match runs {
            Runs::Contradicting(Some(failure)) => Some((failure.code, failure.span)),
            Runs::Contradicting(None) | Runs::Confirming(_) => None,
        }
    }

    fn uses(&self, _task: &Task) -> Vec<String> {
        Vec::new()
    }
}

/// Where the statements of a method stand.
fn place(method: &Method) -> Option<Span> {
    let (first, last) = (method.body.first()?, method.body.last()?);
    Some(first.span.to(last.span))
}

/// Whether the run shows that the obligation fails.
fn is_shown(about: &Obligation, failure: &concrete::Failure) -> bool {
    about.code == failure.code && about.span == failure.span && about.declared == failure.declared
}

/// The run that the contracts allow.
fn open_run(about: &Obligation, task: &Task, failure: &gcl::Failure) -> Trace {
    let mut trace = chalice::trace(task, failure);
    if about.code == Code::LockOrder && chalice::holds_nameless(task, failure) {
        trace.heap.push(Object {
            name: "an object that no name leads to".to_owned(),
            variables: Vec::new(),
            cells: vec![Cell::state("held")],
        });
    }
    trace
}

/// What to say of the permission that is needed, and what may help.
fn lacking(amounts: Option<(String, String)>, is_real: bool) -> (String, Option<&'static str>) {
    match amounts {
        // Both are small and nobody knows how much.
        Some((had, needed)) if had == needed => {
            let help = "every call, fork and loop has a `rd` of its own; `acc(o.f, rd(p))` is the \
                        part of monitors, `acc(o.f, rd(t))` that of the token `t`";
            ("this part can be more than there is".to_owned(), Some(help))
        }
        Some((had, needed)) if !is_real => (format!("{needed} is needed, there is {had}"), None),
        Some((_, needed)) => (format!("{needed} is needed"), None),
        None => ("this is needed".to_owned(), None),
    }
}

fn refuted(
    about: &Obligation,
    trace: &Trace,
    amounts: Option<(String, String)>,
    is_real: bool,
) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(about.code, about.span, about.failed.clone());
    if let Some(declared) = about.declared {
        let label = if about.code == Code::InsufficientPermission {
            let (lacking, help) = lacking(amounts, is_real);
            diagnostic.help.extend(help.map(str::to_owned));
            lacking
        } else {
            about.code.info().label.to_owned()
        };
        diagnostic = diagnostic.label(declared, label);
    }
    diagnostic = words::confirmation(diagnostic, trace);
    diagnostic.help.extend(about.help.clone());
    diagnostic
}
