//! What there is to decide about a program by deduction.

use super::relies::{UsableRely, specified, thread_owner};
use modular::{
    Conjunct, Facts, Owner, Task, called, conjuncts, init_task, procedure_task, rely_task,
    thread_task,
};
use plato::hir::{Body, ProcId, Program, ThreadId};
use source::{FileId, Span};
use std::collections::BTreeSet;
use verdict::{TaskKind, TaskName};

/// What there is to build: one job per task.
pub(crate) enum Plan<'a> {
    Init,
    Rely(Option<ThreadId>),
    Thread(ThreadId, Vec<Conjunct<'a>>),
    Procedure(ProcId, Vec<Conjunct<'a>>),
}

/// The tasks of the program, or those of the selected threads and procedures.
pub(crate) fn plans<'a>(
    program: &'a Program,
    relies: &'a [UsableRely],
    only: &[String],
) -> Vec<Plan<'a>> {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| only == name);
    let mut plans: Vec<Plan<'_>> = Vec::new();
    if only.is_empty() {
        plans.push(Plan::Init);
        if !program.relies.is_empty() {
            plans.push(Plan::Rely(None));
        }
        let own = |id: &ThreadId| !program.threads[id.index()].relies.is_empty();
        plans.extend(program.thread_ids().filter(own).map(|id| Plan::Rely(Some(id))));
    }
    let threads =
        program.thread_ids().filter(|id| wanted(program.threads[id.index()].name.as_str()));
    plans.extend(
        threads.map(|id| Plan::Thread(id, usable(program, &thread_owner(program, id), relies))),
    );
    let procedures =
        specified(program).filter(|id| wanted(program.procs[id.index()].name.as_str()));
    plans.extend(
        procedures.map(|id| {
            Plan::Procedure(id, usable(program, &Owner::of_procedure(program, id), relies))
        }),
    );
    plans
}

impl Plan<'_> {
    /// What it is about, and where that is declared.
    pub(crate) fn about(&self, program: &Program, file: FileId) -> (TaskName, Span) {
        let thread = |id: &ThreadId| &program.threads[id.index()];
        let whole = Span::new(file, 0, 0);
        match self {
            Self::Init => (TaskKind::Init.alone(), whole),
            Self::Rely(None) => (TaskKind::Relies.alone(), whole),
            Self::Rely(Some(id)) => {
                (TaskKind::ReliesOf.of(thread(id).name.as_str()), thread(id).span)
            }
            Self::Thread(id, _) => (TaskKind::Thread.of(thread(id).name.as_str()), thread(id).span),
            Self::Procedure(id, _) => {
                let procedure = &program.procs[id.index()];
                (TaskKind::Procedure.of(procedure.name.as_str()), procedure.span)
            }
        }
    }

    /// The bodies that its task looks into: its own, and those of procedures that it calls.
    pub(crate) fn bodies<'p>(&self, program: &'p Program) -> Vec<&'p Body> {
        let own = match self {
            Self::Init | Self::Rely(_) => return Vec::new(),
            Self::Thread(id, _) => &program.threads[id.index()].body,
            Self::Procedure(id, _) => &program.procs[id.index()].body,
        };
        let callees: BTreeSet<ProcId> = called(program, own);
        let callees = callees.iter().map(|id| &program.procs[id.index()].body);
        [own].into_iter().chain(callees).collect()
    }

    /// Its guarded commands.
    pub(crate) fn task(
        &self,
        program: &Program,
        facts: &Facts,
        lowering: &modular::Options,
    ) -> Task {
        match self {
            Self::Init => init_task(program),
            Self::Rely(thread) => rely_task(program, facts, *thread),
            Self::Thread(id, relies) => thread_task(program, facts, *id, relies, lowering),
            Self::Procedure(id, relies) => procedure_task(program, facts, *id, relies, lowering),
        }
    }
}

/// The conjuncts that the owner may rely on.
fn usable<'a>(program: &'a Program, owner: &Owner, relies: &'a [UsableRely]) -> Vec<Conjunct<'a>> {
    let found = relies.iter().find(|rely| rely.owner == *owner);
    let dropped = |index: &usize| found.is_some_and(|rely| rely.dropped.contains(index));
    let all = conjuncts(program, owner).into_iter().enumerate();
    let kept = all.filter(|(index, _)| !dropped(index)).map(|(_, conjunct)| conjunct);
    let closures = found.iter().flat_map(|rely| &rely.closures);
    kept.chain(closures.map(|formula| Conjunct { formula, item: formula.span })).collect()
}
