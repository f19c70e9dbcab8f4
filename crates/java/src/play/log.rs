//! The events of a run, for readers.

use super::machine::{Failure, Machine, Stop};
use super::store::{Cell, Object, Value};
use crate::typed::MethodId;
use source::Span;
use std::collections::BTreeMap;
use verdict::{Change, Confirmation, Lane, Step, StepKind, Trace};

/// The steps so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    steps: Vec<Step>,
    /// Numbers of objects among those of their class, in the order in which they are told of.
    names: BTreeMap<usize, String>,
    counts: BTreeMap<String, usize>,
}

/// What a thread had before a step.
pub(super) struct Before {
    depth: usize,
    locals: Vec<Value>,
}

impl Log {
    /// The run that ended with a failure.
    pub(super) fn trace(mut self, threads: usize, failure: &Failure) -> Trace {
        if let Some(last) = self.steps.last_mut() {
            last.kind = StepKind::Violation;
        }
        // The other of two accesses is told also if it changes nothing.
        let lane = self.steps.last().map(|step| step.lane);
        let other = failure.other.and_then(|(span, _)| {
            let is_it = |step: &Step| step.span == Some(span) && Some(step.lane) != lane;
            self.steps.iter().rposition(is_it)
        });
        let mut at = 0;
        self.steps.retain(|step| {
            at += 1;
            step.span.is_none()
                || !step.changes.is_empty()
                || step.kind == StepKind::Violation
                || other == Some(at - 1)
        });
        // Threads that do nothing have no lane.
        let mut lanes = Vec::new();
        let mut numbers = BTreeMap::new();
        for thread in 0..threads {
            if self.steps.iter().any(|step| step.lane == thread) {
                numbers.insert(thread, lanes.len());
                let name = if thread == 0 { "main".to_owned() } else { format!("thread {thread}") };
                lanes.push(Lane { name });
            }
        }
        for step in &mut self.steps {
            step.lane = numbers.get(&step.lane).copied().unwrap_or(0);
        }
        Trace::new(lanes, Vec::new(), self.steps, Confirmation::Confirmed)
    }
}

impl Machine<'_, '_> {
    pub(super) fn before(&self, thread: usize) -> Option<Before> {
        self.log.as_ref()?;
        let frames = &self.threads[thread].frames;
        let locals = frames.last().map(|frame| frame.locals.clone());
        Some(Before { depth: frames.len(), locals: locals.unwrap_or_default() })
    }

    /// Tells of a call from outside of the program.
    pub(super) fn log_call(
        &mut self,
        thread: usize,
        method: MethodId,
        this: Option<usize>,
        args: &[Value],
    ) {
        if self.log.is_none() {
            return;
        }
        let about = self.program().method(method);
        let args: Vec<String> = args.iter().map(|value| self.shown(value)).collect();
        let args = args.join(", ");
        let class = &self.program().class(about.class).name;
        let this = this.map(|this| self.shown(&Value::Ref(this)));
        let text = match this {
            Some(this) if about.is_constructor => format!("{this} = new {class}({args})"),
            Some(this) => format!("{this}.{}({args})", about.name),
            None => format!("{class}.{}({args})", about.name),
        };
        let kind = StepKind::Statement;
        let step = Step { lane: thread, kind, span: None, text, changes: Vec::new() };
        if let Some(log) = &mut self.log {
            log.steps.push(step);
        }
    }

    /// The cells that the step changed, in words.
    pub(super) fn changed_cells(&mut self) -> Vec<Change> {
        if self.log.is_none() {
            return Vec::new();
        }
        let changes: Vec<(Cell, Option<Value>)> =
            self.store.changes().iter().map(|(cell, old)| (cell.clone(), old.clone())).collect();
        let mut told = Vec::new();
        for (cell, old) in changes {
            let new = self.store.get(&cell).cloned().unwrap_or(Value::Null);
            let Some((name, zero)) = self.cell_name(&cell) else { continue };
            let old = old.unwrap_or(zero);
            if old != new {
                let (old, new) = (Some(self.shown(&old)), self.shown(&new));
                told.push(Change { name, old, new });
            }
        }
        told
    }

    /// The name of a cell and its first value, if readers care.
    fn cell_name(&mut self, cell: &Cell) -> Option<(String, Value)> {
        let field_name = |machine: &Self, id| {
            let field = machine.program().field(id);
            (field.name.to_string(), Value::zero(&field.ty))
        };
        Some(match cell {
            Cell::Field(object, field) => {
                let (name, zero) = field_name(self, *field);
                (format!("{}.{name}", self.shown(&Value::Ref(*object))), zero)
            }
            Cell::Static(field) => {
                let (name, zero) = field_name(self, *field);
                let class = self.program().field(*field).class;
                (format!("{}.{name}", self.program().class(class).name), zero)
            }
            Cell::Element(array, at) => {
                let zero = match &self.store.objects[*array] {
                    Object::Array(ty, _) => Value::zero(ty),
                    _ => Value::Null,
                };
                (format!("{}[{at}]", self.shown(&Value::Ref(*array))), zero)
            }
            Cell::Holder(object) => {
                (format!("{}.holder", self.shown(&Value::Ref(*object))), Value::Null)
            }
            Cell::Depth(_) | Cell::Reads(..) | Cell::Started(_) | Cell::Shared(_) => return None,
        })
    }

    /// A value in words.
    fn shown(&mut self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Int(value) => value.to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Thread(0) => "main".to_owned(),
            Value::Thread(thread) => format!("thread {thread}"),
            Value::Fraction => "a number".to_owned(),
            Value::Set(all) => {
                let all: Vec<String> = all.iter().map(|one| self.shown(one)).collect();
                format!("{{{}}}", all.join(", "))
            }
            Value::Map(entries, _) => {
                let mut all = Vec::new();
                for (key, value) in entries {
                    all.push(format!("{}: {}", self.shown(key), self.shown(value)));
                }
                format!("[{}]", all.join(", "))
            }
            Value::Ref(object) => self.object_name(*object),
        }
    }

    fn object_name(&mut self, object: usize) -> String {
        let class = match &self.store.objects[object] {
            Object::Text(text) => return format!("\"{text}\""),
            Object::Boxed(_, value) => {
                let value = value.clone();
                return self.shown(&value);
            }
            Object::Class(ty) => return format!("{}.class", self.program().type_name(ty)),
            Object::Plain(class) => self.program().class(*class).name.to_string(),
            Object::Array(ty, length) => format!("{}[{length}]", self.program().type_name(ty)),
        };
        let Some(log) = &mut self.log else { return class };
        if let Some(name) = log.names.get(&object) {
            return name.clone();
        }
        let count = log.counts.entry(class.clone()).or_default();
        *count += 1;
        let name = format!("{class}#{count}");
        log.names.insert(object, name.clone());
        name
    }

    /// Tells of a step, with the variables of the method that changed.
    pub(super) fn after(
        &mut self,
        thread: usize,
        before: Option<Before>,
        (span, changes): (Option<Span>, Vec<Change>),
        stop: Option<&Stop>,
    ) {
        let Some(before) = before else { return };
        let mut changes = changes;
        changes.extend(self.changed_locals(thread, &before));
        let later = self.changed_cells();
        changes.extend(later);
        let failed = match stop {
            Some(Stop::Failed(failure)) => Some(failure.span),
            _ => None,
        };
        let step = |span: Option<Span>, changes: Vec<Change>| {
            let (kind, text) = (StepKind::Statement, String::new());
            Step { lane: thread, kind, span, text, changes }
        };
        let Some(log) = &mut self.log else { return };
        if span.is_some() && (failed.is_none() || failed != span) {
            push(&mut log.steps, step(span, std::mem::take(&mut changes)));
        }
        if let Some(failed) = failed {
            let changes = if Some(failed) == span { changes } else { Vec::new() };
            log.steps.push(step(Some(failed), changes));
        }
    }

    fn changed_locals(&mut self, thread: usize, before: &Before) -> Vec<Change> {
        let Some(frame) = self.threads[thread].frames.last() else { return Vec::new() };
        if self.threads[thread].frames.len() != before.depth {
            return Vec::new();
        }
        let body = frame.method.and_then(|id| self.program().method(id).body.as_ref());
        let Some(body) = body else { return Vec::new() };
        let pairs = frame.locals.iter().zip(&before.locals).zip(&body.locals);
        let changed: Vec<(String, Value)> = pairs
            .filter(|((new, old), _)| new != old)
            .map(|((new, _), local)| (local.name.to_string(), new.clone()))
            .collect();
        let told = changed.into_iter().map(|(name, new)| {
            let new = self.shown(&new);
            Change { name, old: None, new }
        });
        told.collect()
    }
}

/// What happens at one place without a break is one line.
fn push(steps: &mut Vec<Step>, step: Step) {
    match steps.last_mut() {
        Some(last) if last.lane == step.lane && last.span == step.span => {
            last.changes.extend(step.changes);
        }
        _ => steps.push(step),
    }
}
