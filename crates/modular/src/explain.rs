//! A solver's model as a run of the program, in the user's names.

use crate::task::Task;
use gcl::MarkKind;
use gcl::Value;
use gcl::{Failure, PathEvent};
use logic::{Node, Symbol, Term};
use plato::hir::Ty;
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

/// The values of all shown variables, as texts.
type Store = BTreeMap<Symbol, String>;

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
        let mut known = Store::new();
        let mut now = Store::new();
        let mut initial = Vec::new();
        let mut attempt = None;
        for event in &self.failure.events {
            match event {
                PathEvent::Bind(symbol, value) => {
                    if let Some(shown) = self.task.shown.get(symbol) {
                        now.insert(*symbol, self.show(value, &shown.ty));
                    }
                }
                PathEvent::Mark(id) => {
                    let mark = &self.task.marks[id.0 as usize];
                    attempt = None;
                    match mark.kind {
                        MarkKind::Start => {
                            // Locals have values from their declarations on.
                            now.retain(|symbol, _| self.task.shown[symbol].from_start);
                            initial = self.listed(&now);
                        }
                        MarkKind::Attempt => {
                            attempt = Some(mark);
                            continue;
                        }
                        MarkKind::Statement
                        | MarkKind::Environment
                        | MarkKind::LoopHead
                        | MarkKind::Giving
                        | MarkKind::Given => {
                            steps.push(step(mark, self.changes(&known, &now)));
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
        initial.extend(self.constants_shown());
        if initial.len() > MAX_INITIAL && !steps.is_empty() {
            let changed: BTreeSet<&String> = steps
                .iter()
                .flat_map(|step| step.changes.iter().map(|change| &change.name))
                .collect();
            initial.retain(|(name, _)| changed.contains(name));
        }
        let confirmation =
            if self.failure.candidate { Confirmation::Candidate } else { Confirmation::Open };
        Trace::new(self.lanes(), initial, steps, confirmation)
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

    fn changes(&self, known: &Store, now: &Store) -> Vec<Change> {
        let mut changes = Vec::new();
        for (symbol, value) in now {
            let old = known.get(symbol);
            if old != Some(value) {
                let name = self.task.shown[symbol].name.clone();
                changes.push(Change { name, old: old.cloned(), new: value.clone() });
            }
        }
        changes
    }

    fn listed(&self, now: &Store) -> Vec<(String, String)> {
        let name = |symbol: &Symbol| self.task.shown[symbol].name.clone();
        now.iter().map(|(symbol, value)| (name(symbol), value.clone())).collect()
    }

    fn constants_shown(&self) -> Vec<(String, String)> {
        self.constants
            .iter()
            .filter_map(|(symbol, value)| self.task.shown.get(symbol).map(|shown| (shown, value)))
            .map(|(shown, value)| (shown.name.clone(), self.show(value, &shown.ty)))
            .collect()
    }

    /// A variable that others changed although no other thread writes it: the rely should say so.
    fn advice(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for step in self.trace().steps.iter().filter(|step| step.kind == StepKind::Environment) {
            names.extend(step.changes.iter().map(|change| change.name.clone()));
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

    fn number(&self, term: Term) -> Option<i128> {
        match self.task.terms.node(term) {
            Node::Int(value) => Some(*value),
            Node::Constant(symbol) => match self.constants.get(symbol)? {
                Value::Int(value) => Some(*value),
                _ => None,
            },
            Node::Add(parts) => parts.iter().map(|&part| self.number(part)).sum(),
            Node::Neg(inner) => self.number(*inner).map(|value| -value),
            _ => None,
        }
    }

    fn thread_name(&self, number: Option<i128>) -> String {
        let Some(number) = number else { return "this thread".to_owned() };
        if number == 0 {
            return "0".to_owned();
        }
        let numbering = &self.task.numbering;
        let known = u64::try_from(number).ok().and_then(|number| numbering.roll.name_of(number));
        if let Some(name) = known {
            return name;
        }
        for (id, &(low, high)) in &numbering.symbolic {
            if let (Some(low), Some(high)) = (self.number(low), self.number(high))
                && (low..=high).contains(&number)
            {
                let copy = u64::try_from(number - low + 1).unwrap_or(u64::MAX);
                return numbering.roll.name_in(id.index(), copy);
            }
        }
        format!("thread {number}")
    }

    /// The value as the user would write it, cut if it is very long.
    fn show(&self, value: &Value, ty: &Ty) -> String {
        const MAX_LENGTH: usize = 80;
        let text = self.show_whole(value, ty);
        if text.chars().count() <= MAX_LENGTH {
            return text;
        }
        let cut: String = text.chars().take(MAX_LENGTH - 3).collect();
        format!("{cut}...")
    }

    fn show_whole(&self, value: &Value, ty: &Ty) -> String {
        match (value, ty) {
            (Value::Int(number), Ty::Tid) => self.thread_name(Some(*number)),
            (Value::Int(number), Ty::Enum(id)) => usize::try_from(*number)
                .ok()
                .and_then(|index| {
                    self.task.numbering.roll.enums[id.index()].get(index).map(ToString::to_string)
                })
                .unwrap_or_else(|| number.to_string()),
            (Value::Int(number), Ty::Opaque(id)) => {
                format!("{}#{number}", self.task.numbering.roll.opaques[id.index()])
            }
            (Value::Int(number), _) => number.to_string(),
            (Value::Bool(truth), _) => truth.to_string(),
            (Value::Opaque(name), _) => opaque_name(name),
            (Value::Array { default, entries }, Ty::Set(element)) => {
                self.show_set(default, entries, element)
            }
            (Value::Array { default, entries }, Ty::Map(key, inner)) => {
                let mut parts: Vec<String> = entries
                    .iter()
                    .filter(|(_, entry)| entry != &**default)
                    .map(|(at, entry)| {
                        format!("{} => {}", self.show(at, key), self.show(entry, inner))
                    })
                    .collect();
                parts.push(format!("_ => {}", self.show(default, inner)));
                format!("[{}]", parts.join(", "))
            }
            (other, _) => format!("{other}"),
        }
    }

    fn show_set(&self, default: &Value, entries: &[(Value, Value)], element: &Ty) -> String {
        let everything = *default == Value::Bool(true);
        let names: Vec<String> = entries
            .iter()
            .filter(|(_, entry)| entry != default)
            .map(|(at, _)| self.show(at, element))
            .collect();
        match (everything, names.is_empty()) {
            (false, _) => format!("{{{}}}", names.join(", ")),
            (true, true) => "everything".to_owned(),
            (true, false) => format!("everything but {{{}}}", names.join(", ")),
        }
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
        | MarkKind::Given => (0, StepKind::Statement),
    };
    Step { lane, kind, span: mark.span, text: mark.text.clone(), changes }
}

/// `|Node@type|!val!3` is shown as `Node#3`.
fn opaque_name(name: &str) -> String {
    let plain = name.replace('|', "");
    match plain.split_once("@type!val!") {
        Some((ty, number)) => format!("{ty}#{number}"),
        None => plain,
    }
}
