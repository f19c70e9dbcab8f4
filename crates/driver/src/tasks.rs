//! What there is to decide about a program.

use crate::pool::Executor;
use crate::prepare::{Prepared, prepare};
use crate::relies::UsableRely;
use crate::run::Options;
use modular::{Conjunct, conjuncts, init_task, rely_task, thread_task};
use plato::hir::{Program, ThreadId};

/// What there is to build: one job per task.
pub(crate) enum Plan<'a> {
    Init,
    Rely(Option<ThreadId>),
    Thread(ThreadId, Vec<Conjunct<'a>>),
}

/// The tasks of the program, or those of the selected threads.
pub(crate) fn plans<'a>(
    program: &'a Program,
    relies: &[UsableRely],
    options: &Options,
) -> Vec<Plan<'a>> {
    let wanted = |id: &ThreadId| {
        let name = program.threads[id.index()].name.as_str();
        options.only.is_empty() || options.only.iter().any(|only| only == name)
    };
    let mut plans: Vec<Plan<'_>> = Vec::new();
    if options.only.is_empty() {
        plans.push(Plan::Init);
        if !program.relies.is_empty() {
            plans.push(Plan::Rely(None));
        }
        let own = |id: &ThreadId| !program.threads[id.index()].relies.is_empty();
        plans.extend(program.thread_ids().filter(own).map(|id| Plan::Rely(Some(id))));
    }
    let threads = program.thread_ids().filter(wanted);
    plans.extend(threads.map(|id| Plan::Thread(id, usable(program, id, relies))));
    plans
}

/// Builds every task; one that cannot be built leaves a message.
pub(crate) fn make_tasks(
    executor: &mut impl Executor,
    program: &Program,
    plans: &[Plan<'_>],
    options: &Options,
) -> Vec<Result<Prepared, String>> {
    let facts = modular::facts(program);
    let lowering = modular::Options { one_cluster: options.one_cluster };
    let weight = plans.len() * 20;
    executor.run(plans, weight, |_, plan| {
        let task = match plan {
            Plan::Init => init_task(program),
            Plan::Rely(thread) => rely_task(program, *thread),
            Plan::Thread(thread, relies) => thread_task(program, &facts, *thread, relies, lowering),
        };
        prepare(task, options.unroll)
    })
}

/// The conjuncts that the thread may rely on.
fn usable<'a>(program: &'a Program, id: ThreadId, relies: &[UsableRely]) -> Vec<Conjunct<'a>> {
    let own = !program.threads[id.index()].relies.is_empty();
    let thread = own.then_some(id);
    let all = conjuncts(program, thread);
    let found = relies.iter().find(|rely| rely.thread == thread);
    let dropped = |index: &usize| found.is_some_and(|rely| rely.dropped.contains(index));
    all.iter()
        .enumerate()
        .filter(|(index, _)| !dropped(index))
        .map(|(_, conjunct)| *conjunct)
        .collect()
}
