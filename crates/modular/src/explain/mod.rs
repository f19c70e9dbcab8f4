//! A solver's model as a run of the program, in the user's names.

mod heap;
mod values;

use crate::task::Task;
use gcl::{Failure, MarkKind, PathEvent, Value};
use heap::Objects;
use logic::Symbol;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Change, Confirmation, Lane, Step, StepKind, Trace};

/// Above this many variables, only those that matter are listed.
const MAX_INITIAL: usize = 12;

/// The run that fails.
pub fn trace(task: &Task, failure: &Failure) -> Trace {
    Reader::new(task, failure).trace()
}

/// What would repair the failure, as far as the run tells.
pub fn advice(task: &Task, failure: &Failure) -> Vec<String> {
    Reader::new(task, failure).advice()
}

/// The thread that runs, by its name in the failure.
pub fn running_thread(task: &Task, failure: &Failure) -> Option<String> {
    let reader = Reader::new(task, failure);
    task.thread.as_ref().and(task.numbering.tid).map(|tid| reader.thread_name(reader.number(tid)))
}

/// The thread whose rely is looked at, by its name in the failure, if it is a certain one.
pub fn other_thread(task: &Task, failure: &Failure) -> Option<String> {
    let reader = Reader::new(task, failure);
    let own = task.numbering.tid.and_then(|tid| reader.number(tid));
    let other = task.numbering.other.and_then(|other| reader.number(other));
    let other = other.filter(|other| Some(*other) != own && *other > 0)?;
    Some(reader.thread_name(Some(other)))
}

struct Reader<'a> {
    task: &'a Task,
    failure: &'a Failure,
    constants: BTreeMap<Symbol, &'a Value>,
}

/// The values of all shown variables.
type Store = BTreeMap<Symbol, Value>;

impl<'a> Reader<'a> {
    fn new(task: &'a Task, failure: &'a Failure) -> Self {
        Self {
            task,
            failure,
            constants: failure.observed.iter().map(|(symbol, value)| (*symbol, value)).collect(),
        }
    }

    fn trace(&self) -> Trace {
        let mut steps: Vec<Step> = Vec::new();
        let (mut known, mut now, mut first) = (Store::new(), Store::new(), Store::new());
        let objects = self.objects();
        let mut calls = Vec::new();
        let mut attempt = None;
        for event in &self.failure.events {
            match event {
                PathEvent::Bind(symbol, value) => {
                    if self.task.shown.contains_key(symbol) {
                        now.insert(*symbol, value.clone());
                    }
                }
                PathEvent::Mark(id) => {
                    let mark = &self.task.marks[id.0 as usize];
                    if matches!(mark.kind, MarkKind::Enter | MarkKind::Leave) {
                        let open = calls.len();
                        calls.truncate(
                            open.saturating_sub(usize::from(mark.kind == MarkKind::Leave)),
                        );
                        calls.extend(Some(mark.span).filter(|_| mark.kind == MarkKind::Enter));
                        continue;
                    }
                    attempt = None;
                    match mark.kind {
                        MarkKind::Start => {
                            // Locals have values from their declarations on.
                            now.retain(|symbol, _| self.task.shown[symbol].from_start);
                            first.clone_from(&now);
                        }
                        MarkKind::Attempt => {
                            attempt = Some(mark);
                            continue;
                        }
                        MarkKind::Environment | MarkKind::LoopHead => {
                            let changes = self.changes(&known, &now, Some(&objects));
                            steps.push(step(mark, changes));
                        }
                        MarkKind::Enter | MarkKind::Leave => continue,
                        MarkKind::Statement | MarkKind::Giving | MarkKind::Given => {
                            steps.push(step(mark, self.changes(&known, &now, None)));
                        }
                    }
                    known.clone_from(&now);
                }
            }
        }
        if let Some(mark) = attempt {
            steps.push(step(mark, Vec::new()));
        }
        steps.retain(|step| step.kind != StepKind::Environment || !step.changes.is_empty());
        if let Some(last) = steps.last_mut()
            && last.kind == StepKind::Statement
        {
            last.kind = StepKind::Violation;
        }
        let initial = self.initial(&first, &objects, &steps);
        let confirmation =
            if self.failure.candidate { Confirmation::Candidate } else { Confirmation::Open };
        let trace = Trace::new(self.lanes(), initial, steps, confirmation);
        Trace { calls: calls.into_iter().rev().flatten().collect(), ..trace }
    }

    /// The values at the start that matter.
    fn initial(&self, first: &Store, objects: &Objects, steps: &[Step]) -> Vec<(String, String)> {
        let changed = steps.iter().flat_map(|step| &step.changes);
        let changed: BTreeSet<String> = changed.map(|change| change.name.clone()).collect();
        let mut initial = self.listed(first, objects, &changed);
        initial.extend(self.constants_shown(objects, &changed));
        if initial.len() > MAX_INITIAL && !steps.is_empty() {
            initial.retain(|(name, _)| changed.contains(name));
        }
        initial
    }

    fn lanes(&self) -> Vec<Lane> {
        match (&self.task.thread, self.task.numbering.tid) {
            (Some(_), Some(tid)) => {
                let here = self.thread_name(self.number(tid));
                [here, "other threads".to_owned()].map(|name| Lane { name }).into()
            }
            _ => Vec::new(),
        }
    }

    /// The constants. One of an uninterpreted type is its own name, so that nothing needs to be
    /// said of it.
    fn constants_shown(
        &self,
        objects: &Objects,
        changed: &BTreeSet<String>,
    ) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for (symbol, value) in &self.constants {
            if let Some(shown) = self.task.shown.get(symbol) {
                all.extend(self.list(&shown.name, value, &shown.ty, (objects, changed)));
            }
        }
        all.retain(|(name, value)| name != value);
        all
    }

    /// A variable that others changed although no other thread writes it: the rely should say so.
    fn advice(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for step in self.trace().steps.iter().filter(|step| step.kind == StepKind::Environment) {
            let variable =
                |change: &Change| change.name.split('[').next().unwrap_or_default().to_owned();
            names.extend(step.changes.iter().map(variable));
        }
        let only_here: BTreeSet<String> = self
            .task
            .not_written_by_others
            .iter()
            .filter_map(|s| self.task.shown.get(s))
            .map(|s| s.name.clone())
            .collect();
        let thread = self.task.thread.clone().unwrap_or_default();
        let mut advice: Vec<String> = names
            .intersection(&only_here)
            .map(|name| format!("no other thread writes `{name}`: say so with `rely {name}' == {name}` on thread {thread}"))
            .collect();
        if advice.is_empty() && !names.is_empty() && !self.task.has_rely {
            let free =
                "no rely is written, so other threads may change every shared variable at any time";
            advice.push(free.to_owned());
        }
        advice
    }
}

fn step(mark: &gcl::Mark, changes: Vec<Change>) -> Step {
    let (lane, kind) = match mark.kind {
        MarkKind::Environment => (1, StepKind::Environment),
        MarkKind::LoopHead => (0, StepKind::LoopHead),
        MarkKind::Start
        | MarkKind::Statement
        | MarkKind::Attempt
        | MarkKind::Giving
        | MarkKind::Given
        | MarkKind::Enter
        | MarkKind::Leave => (0, StepKind::Statement),
    };
    Step { lane, kind, span: mark.span, text: mark.text.clone(), changes }
}
