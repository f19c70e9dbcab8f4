//! Deduction, the same for every language: plan, prepare, solve, look again, settle, explain.

mod content;
mod decided;
mod known;
mod prepare;
mod solve;

pub(crate) use content::{Content, Contents};
pub(crate) use decided::{Answer, Decided, Decision, Witness, is_limit};
pub(crate) use known::{Extent, Known};
pub(crate) use prepare::{AnyTask, Prepared, prepare};
pub(crate) use solve::{decide, uncovered};

use crate::analysis::Context;
use crate::events::Event;
use crate::findings::{Findings, Told};
use crate::pool::Executor;
use crate::results::ObligationResult;
use crate::words;
use diagnostic::{Code, Diagnostic};
use gcl::Outcome;
use known::Learned;
use smt::Session;
use source::{FileId, Span};
use verdict::{
    Evidence, Obligation, ObligationId, Relevance, StopReason, TaskName, Trace, Verdict,
};

/// The engine's name in results.
pub(crate) const DEDUCTION: &str = "deduction";

/// A program in a language with annotations, as deduction sees it.
pub(crate) trait Deductive: Sync {
    /// What a task is made from.
    type Plan: Sync;
    /// The tasks of the language.
    type Task: AnyTask;
    /// Real runs that go wrong.
    type Runs;

    /// Everything there is to decide, or what was chosen.
    fn plans(&self) -> Vec<Self::Plan>;

    /// What a plan is about, and where that is declared.
    fn about(&self, plan: &Self::Plan) -> (TaskName, Span);

    /// What tasks depend on.
    fn extent(&self) -> Extent;

    /// The bodies that a task looks into, in order.
    fn looks_into(&self, plan: &Self::Plan) -> Vec<Span>;

    /// Makes the task of a plan.
    fn task(&self, session: &mut Session, plan: &Self::Plan) -> Prepared<Self::Task>;

    /// Whether candidates are confirmed or excluded by looking again, so that a solver need not do
    /// all it can before.
    fn looks_at_candidates(&self) -> bool;

    /// Looks again at what fails, for failures that are easier to understand, and at what was left
    /// undecided.
    fn look_again(
        &self,
        executor: &mut impl Executor,
        decided: &mut [(Self::Plan, Decision<Self::Task>)],
    );

    /// Looks for real runs that go wrong. If everything is proved, there should be none.
    fn runs(&self, decided: &[(Self::Plan, Decision<Self::Task>)], all_proved: bool) -> Self::Runs;

    /// What a failure comes to.
    fn settle(&self, runs: &Self::Runs, failed: Failed<'_, Self::Task>) -> Settled;

    /// A real run in which an obligation fails that deduction did not decide.
    fn shown(&self, runs: &Self::Runs, about: &Obligation) -> Option<(Trace, Diagnostic)>;

    /// A failure that a real run shows although everything is proved.
    fn contradiction(&self, runs: &Self::Runs) -> Option<(Code, Span)>;

    /// The procedures whose specifications a task stands on.
    fn uses(&self, task: &Self::Task) -> Vec<String>;
}

/// An obligation that fails.
pub(crate) struct Failed<'a, T> {
    pub(crate) about: &'a Obligation,
    pub(crate) task: &'a Decided<T>,
    pub(crate) witness: Witness<'a, T>,
    /// Why the solver could not tell whether it fails: the witness is only a candidate then, which
    /// refutes nothing.
    pub(crate) doubt: Option<&'a StopReason>,
}

/// What a failure comes to.
pub(crate) enum Settled {
    /// The obligation is refuted by this run.
    Refuted(Trace, Diagnostic),
    /// It holds: all states were visited. The annotations allow this run all the same; what to tell
    /// of that is left to the report if there are no annotations.
    Holds(Evidence, Option<Told>),
    /// Nothing is known.
    Open(StopReason, Told),
}

/// Decides everything about a program.
pub(crate) fn deduce<L: Deductive>(
    executor: &mut impl Executor,
    program: &L,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    let plans = program.plans();
    let names = plans.iter().map(|plan| program.about(plan).0).collect();
    context.tell(&Event::Planned { file, tasks: names });
    let mut found = Findings::default();
    // A check that nothing comes after remembers nothing.
    let extent = context.known.map(|_| program.extent());
    let (known, open) = match &extent {
        Some(extent) => known::recall(program, plans, extent, (file, context)),
        None => (Vec::new(), plans),
    };
    for task in known {
        context.tell(&Event::Decided { file, task: &task.name, proved: true });
        found.extend(task.findings);
    }
    let weight = open.len() * 20;
    let tasks = executor.run(&open, weight, |session, plan| program.task(session, plan));
    let decided = decide(executor, tasks, (file, program.looks_at_candidates()), context);
    let mut decided: Vec<_> = open.into_iter().zip(decided).collect();
    program.look_again(executor, &mut decided);
    let holds = |task: &Decision<L::Task>| task.as_ref().is_ok_and(Decided::holds);
    let all_proved = decided.iter().all(|(_, task)| holds(task)) && found.is_proved();
    let runs = program.runs(&decided, all_proved);
    for (plan, task) in &decided {
        let told = report(program, &runs, (plan, task));
        let (name, _) = program.about(plan);
        let is_empty = task.as_ref().is_ok_and(|task| task.prepared.groups.is_empty());
        if !told.is_proved() || is_empty {
            context.tell(&Event::Decided { file, task: &name, proved: told.is_proved() });
        }
        if let Some(extent) = extent.as_ref().filter(|_| told.is_proved() && holds(task)) {
            let learned = Learned { name, findings: &told };
            known::learn(program, plan, learned, extent, (file, context));
        }
        found.extend(told);
    }
    if let Some((code, span)) = program.contradiction(&runs).filter(|_| all_proved) {
        let message = format!("a run shows `{code}` although everything is proved");
        found.internal_error(verdict::TaskKind::Failed.alone(), &message, span);
    }
    found
}

/// What was found out about one task.
fn report<L: Deductive>(
    program: &L,
    runs: &L::Runs,
    (plan, decision): (&L::Plan, &Decision<L::Task>),
) -> Findings {
    let mut found = Findings::default();
    let (name, span) = program.about(plan);
    let decided = match decision {
        Ok(decided) => decided,
        Err(message) => {
            found.internal_error(name, message, span);
            return found;
        }
    };
    for (id, about) in decided.obligations() {
        if about.relevance != Relevance::Required {
            continue;
        }
        let (verdict, told) = match decided.answer(id) {
            Answer::Proved(evidence) => (Verdict::Proved(evidence), None),
            Answer::Unknown(reason) => match program.shown(runs, about) {
                Some((trace, told)) => (Verdict::Refuted(Box::new(trace)), Some(told.into())),
                None => {
                    let is_open = |other: &Obligation| program.shown(runs, other).is_none();
                    let told = undecided(decided, about, &reason, is_open);
                    (Verdict::Unknown(reason), told.map(Told::from))
                }
            },
            Answer::Failed(failure, doubt) => {
                let witness = Witness { task: &decided.prepared.task, id, failure };
                match program.settle(runs, Failed { about, task: decided, witness, doubt }) {
                    Settled::Refuted(trace, diagnostic) => {
                        (Verdict::Refuted(Box::new(trace)), Some(diagnostic.into()))
                    }
                    Settled::Open(reason, told) => (Verdict::Unknown(reason), Some(told)),
                    Settled::Holds(evidence, told) => {
                        if told.is_none() {
                            found.by_search_alone.get_or_insert(about.span);
                        }
                        (Verdict::Proved(evidence), told)
                    }
                }
            }
        };
        let result = ObligationResult::new(name.clone(), about.clone(), verdict, DEDUCTION);
        found.add(ObligationResult { effort: decided.effort, ..result }, told);
    }
    hygiene(decided).into_iter().for_each(|warning| found.warn(warning));
    let uses = program.uses(&decided.prepared.task);
    if !uses.is_empty() {
        found.uses.insert(name, uses);
    }
    found
}

/// What to say of an obligation that was not decided. Where something is not supported, that is
/// reported once, at its place.
fn undecided<T: AnyTask>(
    decided: &Decided<T>,
    about: &Obligation,
    reason: &StopReason,
    is_open: impl Fn(&Obligation) -> bool,
) -> Option<Diagnostic> {
    let is_gap = decided.prepared.task.gap.as_ref().is_some_and(|gap| gap.reason() == reason);
    if about.code != Code::Unsupported {
        return (!is_gap).then(|| words::undecided(reason, about.span, about.code));
    }
    let told = words::unknown(reason, about.span);
    let hangs_on_it = |(id, other): &(ObligationId, &Obligation)| {
        let waits = matches!(decided.answer(*id), Answer::Unknown(why) if why == *reason);
        waits
            && is_open(other)
            && other.relevance == Relevance::Required
            && other.code != Code::Unsupported
    };
    let others = decided.obligations().filter(hangs_on_it).count();
    Some(if is_gap && others > 0 { told.note(words::hanging(others)) } else { told })
}

/// Warnings about specifications that say less than they seem to.
fn hygiene<T: AnyTask>(decided: &Decided<T>) -> Vec<Diagnostic> {
    let mut warnings: Vec<Diagnostic> = Vec::new();
    for id in &decided.uncovered {
        let warning = words::hygiene(decided.obligation(*id));
        // Of a stretch of unreachable statements, the first tells all.
        let is_told = |other: &Diagnostic| other.code == warning.code;
        if warning.code != Code::UnreachableCode || !warnings.iter().any(is_told) {
            warnings.push(warning);
        }
    }
    for (id, outcome) in &decided.outcomes {
        let about = decided.obligation(*id);
        let is_hygiene = about.relevance == Relevance::Hygiene;
        if is_hygiene && matches!(outcome, Outcome::Failed(_)) && decided.holds() {
            warnings.push(words::hygiene(about));
        }
    }
    warnings
}
