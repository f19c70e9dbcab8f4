//! The events of a run, for readers.

use crate::Run;
use crate::fraction::Fraction;
use crate::machine::Machine;
use crate::state::{Failure, Heap, Key, Stop, Value};
use chalice::hir::{FieldId, Loc, Local, Stmt, StmtKind};
use std::collections::BTreeMap;
use std::fmt;
use verdict::{Cell, Change, Confirmation, Lane, Object, Step, StepKind, Trace};

/// The steps so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    lanes: Vec<String>,
    initial: Vec<(String, String)>,
    steps: Vec<Step>,
    /// The heap before the last step, with the permissions of the thread that took it.
    heap: Vec<Object>,
}

/// The values before a step.
pub(crate) struct Before {
    heap: Heap,
    depth: usize,
    locals: Vec<Option<Value>>,
    objects: Vec<Object>,
}

impl Log {
    /// A run that ended with a failure.
    pub(crate) fn run(mut self, failure: Failure, confirmation: Confirmation) -> Run {
        if let Some(last) = self.steps.last_mut() {
            last.kind = StepKind::Violation;
            last.changes.clear();
        }
        let mut lanes: Vec<Lane> = Vec::new();
        for (at, name) in self.lanes.iter().enumerate() {
            let several = self.lanes.iter().filter(|other| *other == name).count() > 1;
            let before = self.lanes[..at].iter().filter(|other| *other == name).count();
            let name = if several { format!("{name}#{}", before + 1) } else { name.clone() };
            lanes.push(Lane { name });
        }
        let trace = Trace::new(lanes, self.initial, self.steps, confirmation);
        Run { failure, trace: Trace { heap: self.heap, ..trace } }
    }
}

impl<'p> Machine<'p> {
    /// A new thread has a lane of its own.
    pub(crate) fn log_thread(&mut self, name: String) {
        self.log.iter_mut().for_each(|log| log.lanes.push(name.clone()));
    }

    /// The values with which the first thread starts.
    pub(crate) fn log_start(&mut self) {
        let frame = self.frame(0);
        let method = &self.program.methods[frame.method.index()];
        let params = method.params.iter().map(|id| {
            let value = frame.locals[id.index()].as_ref().map(ToString::to_string);
            (method.locals[id.index()].name.to_string(), value.unwrap_or_default())
        });
        let this = ("this".to_owned(), Value::Ref(frame.this).to_string());
        let initial = [this].into_iter().chain(params).collect();
        self.log.iter_mut().for_each(|log| log.initial.clone_from(&initial));
    }

    pub(crate) fn before(&self, at: usize) -> Option<Before> {
        self.log.as_ref()?;
        let depth = self.threads[at].frames.len();
        let (locals, objects) = (self.frame(at).locals.clone(), self.objects(at));
        Some(Before { heap: self.heap.clone(), depth, locals, objects })
    }

    /// Logs a step of a thread; a step without a statement is only logged if it failed.
    pub(crate) fn after(
        &mut self,
        at: usize,
        before: Option<Before>,
        stmt: Option<&'p Stmt>,
        done: &Result<(), Stop>,
    ) {
        let Some(before) = before else { return };
        let is_block = stmt.is_some_and(|stmt| matches!(stmt.kind, StmtKind::Block(_)));
        let (span, text) = match (stmt, done) {
            (_, Err(Stop::Blocked)) => return,
            (Some(stmt), _) if !is_block => (stmt.span, ""),
            (_, Err(Stop::Failed(failure))) => {
                let method = &self.program.methods[self.frame(at).method.index()];
                let ends = failure.span == method.end;
                (failure.span, if ends { "the method ends" } else { "" })
            }
            _ => return,
        };
        let mut changes = self.changed_fields(&before.heap);
        if self.threads[at].frames.len() == before.depth {
            changes.extend(self.changed_locals(at, &before.locals));
        }
        let (kind, text) = (StepKind::Statement, text.to_owned());
        let step = Step { lane: at, kind, span: Some(span), text, changes };
        if let Some(log) = &mut self.log {
            log.steps.push(step);
            log.heap = before.objects;
        }
    }

    /// The objects to which a thread has some permission or whose monitor it holds.
    fn objects(&self, at: usize) -> Vec<Object> {
        let mut cells: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for (key, amount) in self.frame(at).mask.iter() {
            let (object, name, value) = match key {
                Key::Loc(object, Loc::Field(id)) => {
                    (*object, self.name_of(*id), self.heap[*object].fields.get(id).cloned())
                }
                Key::Loc(object, Loc::Mu) => (*object, "mu", None),
                Key::Loc(object, Loc::Joinable) => {
                    (*object, "joinable", Some(Value::Bool(self.heap[*object].joinable)))
                }
                Key::Predicate(id, object, _) => {
                    (*object, self.program.predicates[id.index()].name.as_str(), None)
                }
            };
            let value = value.map(|value| value.to_string());
            let (name, permission) = (name.to_owned(), Some(percent(amount)));
            cells.entry(object).or_default().push(Cell { name, value, permission });
        }
        for (objects, how) in [
            (&self.threads[at].held.write, "held"),
            (&self.threads[at].held.read, "held for reading"),
        ] {
            for object in objects {
                cells.entry(*object).or_default().push(Cell::state(how));
            }
        }
        let this = self.frame(at).this;
        let variables = |object| {
            if object == this { vec!["this".to_owned()] } else { Vec::new() }
        };
        let object = |(number, cells)| Object {
            name: format!("#{number}"),
            variables: variables(number),
            cells,
        };
        cells.into_iter().map(object).collect()
    }

    fn changed_fields(&self, before: &Heap) -> Vec<Change> {
        let mut changes = Vec::new();
        for (at, object) in self.heap.iter().enumerate() {
            for (id, new) in &object.fields {
                let old = before.get(at).and_then(|object| object.fields.get(id));
                if old.is_some_and(|old| old != new) {
                    let name = format!("#{at}.{}", self.name_of(*id));
                    let old = old.map(ToString::to_string);
                    changes.push(Change { name, old, new: new.to_string() });
                }
            }
        }
        changes
    }

    fn name_of(&self, field: FieldId) -> &str {
        self.program.fields[field.index()].name.as_str()
    }

    fn changed_locals(&self, at: usize, before: &[Option<Value>]) -> Vec<Change> {
        let frame = self.frame(at);
        let locals: &[Local] = &self.program.methods[frame.method.index()].locals;
        let pairs = frame.locals.iter().zip(before).zip(locals);
        let changed = pairs.filter(|((new, old), _)| new != old);
        changed
            .filter_map(|((new, old), local)| {
                let (name, old) = (local.name.to_string(), old.as_ref().map(ToString::to_string));
                new.as_ref().map(|new| Change { name, old, new: new.to_string() })
            })
            .collect()
    }
}

/// An amount of permission as the user would write it.
fn percent(amount: Fraction) -> String {
    let whole = amount.floor();
    match whole {
        0 => "rd".to_owned(),
        _ if Fraction::whole(whole) == Ok(amount) => format!("{whole}%"),
        _ => format!("about {whole}%"),
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "{value:?}"),
            Self::Ref(0) => f.write_str("null"),
            Self::Ref(object) => write!(f, "#{object}"),
            Self::Position(_) => f.write_str("a position"),
            Self::Seq(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
        }
    }
}
