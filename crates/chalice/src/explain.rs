//! A solver's model as a run of the method, and as a drawing of the heap with permissions, in the
//! user's names.

use crate::encode::{Shown, Task};
use crate::hir::Type;
use gcl::{Failure, MarkKind, PathEvent, Value};
use logic::Symbol;
use std::collections::BTreeMap;
use std::fmt::Write;
use verdict::{Cell, Change, Confirmation, Lane, Object, Step, StepKind, Trace};

/// The run that fails.
pub fn trace(task: &Task, failure: &Failure) -> Trace {
    let mut steps: Vec<Step> = Vec::new();
    let mut initial = Vec::new();
    let mut known: BTreeMap<Symbol, String> = BTreeMap::new();
    let mut now = Now::of_constants(task, failure);
    for event in &failure.events {
        match event {
            PathEvent::Bind(symbol, value) => now.bind(task, *symbol, value),
            PathEvent::Mark(id) => {
                let mark = &task.marks[id.0 as usize];
                let texts = now.locals();
                let changes = changes(task, &known, &texts);
                match mark.kind {
                    MarkKind::Giving
                    | MarkKind::Given
                    | MarkKind::Environment
                    | MarkKind::Enter
                    | MarkKind::Leave => continue,
                    MarkKind::Start => {
                        now.begun = true;
                        initial = changes.into_iter().map(|c| (c.name, c.new)).collect();
                    }
                    MarkKind::Attempt | MarkKind::Statement | MarkKind::LoopHead => {
                        if let Some(last) = steps.last_mut() {
                            last.changes = changes;
                        }
                        let kind = if mark.kind == MarkKind::LoopHead {
                            StepKind::LoopHead
                        } else {
                            StepKind::Statement
                        };
                        let text = mark.text.clone();
                        steps.push(Step {
                            lane: 0,
                            kind,
                            span: mark.span,
                            text,
                            changes: Vec::new(),
                        });
                    }
                }
                known = texts;
            }
        }
    }
    if let Some(last) = steps.last_mut()
        && last.kind == StepKind::Statement
    {
        last.kind = StepKind::Violation;
    }
    let confirmation = if failure.candidate { Confirmation::Candidate } else { Confirmation::Open };
    let lanes = vec![Lane { name: task.lane.clone() }];
    let trace = Trace::new(lanes, initial, steps, confirmation);
    Trace { heap: heap(task, failure), ..trace }
}

fn changes(
    task: &Task,
    known: &BTreeMap<Symbol, String>,
    now: &BTreeMap<Symbol, String>,
) -> Vec<Change> {
    let changed = now.iter().filter(|(symbol, text)| known.get(symbol) != Some(text));
    changed
        .filter_map(|(symbol, text)| match task.shown.get(symbol) {
            Some(Shown::Local { name, .. }) => Some(Change {
                name: name.clone(),
                old: known.get(symbol).cloned(),
                new: text.clone(),
            }),
            _ => None,
        })
        .collect()
}

/// The heap when the run fails: the objects that names lead to.
///
/// While permissions are given away one by one, this is the heap before the first was given.
fn heap(task: &Task, failure: &Failure) -> Vec<Object> {
    let (mut now, mut before) = (Now::of_constants(task, failure), None);
    for event in &failure.events {
        match event {
            PathEvent::Bind(symbol, value) => now.bind(task, *symbol, value),
            PathEvent::Mark(id) => match task.marks[id.0 as usize].kind {
                MarkKind::Giving => before = Some(now.clone()),
                MarkKind::Given => before = None,
                MarkKind::Start => now.begun = true,
                MarkKind::Attempt
                | MarkKind::Enter
                | MarkKind::Leave
                | MarkKind::Statement
                | MarkKind::LoopHead
                | MarkKind::Environment => {}
            },
        }
    }
    before.unwrap_or(now).objects()
}

/// Whether the run holds a monitor that no name leads to, so that only a caller can know of it.
pub fn holds_nameless(task: &Task, failure: &Failure) -> bool {
    let now = Now::at_the_end(task, failure);
    let names = now.object_names();
    let is_held = |held: &Value| *held == Value::Bool(true);
    now.values.values().any(|(shown, map)| match (shown, map) {
        (Shown::Held | Shown::RdHeld, Value::Array { entries, default }) => {
            let mut others = entries.iter().filter(|(object, _)| !names.contains_key(object));
            is_held(default) || others.any(|(_, held)| is_held(held))
        }
        _ => false,
    })
}

/// The permission that there was and the one that was needed, if the run fails where they are
/// compared.
pub fn amounts(task: &Task, failure: &Failure) -> Option<(String, String)> {
    let mut last = failure.events.iter().rev().map(|event| match event {
        PathEvent::Bind(symbol, value) => (task.shown.get(symbol), Some(value)),
        PathEvent::Mark(_) => (None, None),
    });
    match (last.next()?, last.next()?) {
        ((Some(Shown::Needed), Some(needed)), (Some(Shown::Had), Some(had))) => {
            Some((amount(had, None), amount(needed, None)))
        }
        _ => None,
    }
}

/// The values of everything that can be shown.
#[derive(Clone, Default)]
struct Now<'a> {
    values: BTreeMap<Symbol, (&'a Shown, Value)>,
    /// Whether the run has begun: before, locals have no values of their own.
    begun: bool,
}

const NULL: &str = "null";

/// More objects than this would help nobody.
const MAX_OBJECTS: usize = 12;

impl<'a> Now<'a> {
    fn of_constants(task: &'a Task, failure: &Failure) -> Self {
        let mut now = Self::default();
        failure.observed.iter().for_each(|(symbol, value)| now.bind(task, *symbol, value));
        now
    }

    fn at_the_end(task: &'a Task, failure: &Failure) -> Self {
        let mut now = Self { begun: true, ..Self::of_constants(task, failure) };
        for event in &failure.events {
            if let PathEvent::Bind(symbol, value) = event {
                now.bind(task, *symbol, value);
            }
        }
        now
    }

    fn bind(&mut self, task: &'a Task, symbol: Symbol, value: &Value) {
        if let Some(shown) = task.shown.get(&symbol)
            && (self.begun || !matches!(shown, Shown::Local { given: false, .. }))
        {
            self.values.insert(symbol, (shown, value.clone()));
        }
    }

    fn locals(&self) -> BTreeMap<Symbol, String> {
        let names = self.object_names();
        let locals = self.values.iter().filter_map(|(&symbol, (shown, value))| match shown {
            Shown::Local { ty, .. } => show(value, ty, &names).map(|text| (symbol, text)),
            _ => None,
        });
        locals.collect()
    }

    /// Objects are numbered in the order in which names lead to them.
    fn object_names(&self) -> BTreeMap<Value, String> {
        let mut names = BTreeMap::new();
        for (shown, value) in self.values.values() {
            if let Shown::Null = shown {
                names.insert(value.clone(), NULL.to_owned());
            }
        }
        // `null` is among the names.
        let next = |names: &BTreeMap<Value, String>| format!("#{}", names.len());
        for (shown, value) in self.values.values() {
            if let Shown::Local { ty, .. } = shown
                && is_reference(ty)
                && !names.contains_key(value)
            {
                names.insert(value.clone(), next(&names));
            }
        }
        let mut grown = true;
        while grown && names.len() < MAX_OBJECTS {
            grown = false;
            for (shown, map) in self.values.values() {
                let Shown::Values { ty: Some(ty), .. } = shown else { continue };
                if !is_reference(ty) {
                    continue;
                }
                for object in names.clone().keys() {
                    if let Some(found) = map.at(object)
                        && self.permission_of(shown, object).is_some_and(|text| text != "none")
                        && !names.contains_key(found)
                    {
                        names.insert(found.clone(), next(&names));
                        grown = true;
                    }
                }
            }
        }
        names
    }

    /// How much permission there is to a place of an object.
    fn permission_of(&self, values: &Shown, object: &Value) -> Option<String> {
        let Shown::Values { name, .. } = values else { return None };
        let find = |wanted: &dyn Fn(&Shown) -> bool| {
            let found = self.values.values().find(|(shown, _)| wanted(shown));
            found.and_then(|(_, map)| map.at(object).cloned())
        };
        let parts = find(&|shown| matches!(shown, Shown::Permissions { name: n } if n == name))?;
        let epsilons = find(&|shown| matches!(shown, Shown::Epsilons { name: n } if n == name));
        Some(amount(&parts, epsilons.as_ref()))
    }

    /// The objects that names lead to, with the values of their fields and how much permission
    /// there is to each.
    fn objects(&self) -> Vec<Object> {
        let names = self.object_names();
        let mut objects: Vec<(&Value, &String)> =
            names.iter().filter(|(_, name)| *name != NULL).collect();
        objects.sort_by_key(|(_, name)| (name.len(), (*name).clone()));
        let mut found = Vec::new();
        for (object, name) in objects {
            let mut variables: Vec<String> = Vec::new();
            let mut cells: Vec<Cell> = Vec::new();
            for (shown, value) in self.values.values() {
                match shown {
                    Shown::Local { name, ty, .. } if is_reference(ty) && value == object => {
                        variables.push(name.clone());
                    }
                    Shown::Values { name, ty } => {
                        let Some(held) = self.permission_of(shown, object) else { continue };
                        if held == "none" {
                            continue;
                        }
                        let text = ty.as_ref().and_then(|ty| {
                            let value = value.at(object)?;
                            if self.is_lock_bottom(value) {
                                return Some("lockbottom".to_owned());
                            }
                            show(value, ty, &names)
                        });
                        let name = name.clone();
                        cells.push(Cell { name, value: text, permission: Some(held) });
                    }
                    Shown::Held if value.at(object) == Some(&Value::Bool(true)) => {
                        cells.push(Cell::state("held"));
                    }
                    Shown::RdHeld if value.at(object) == Some(&Value::Bool(true)) => {
                        cells.push(Cell::state("held for reading"));
                    }
                    Shown::Credits => {
                        if let Some(Value::Int(count)) = value.at(object)
                            && *count != 0
                        {
                            cells.push(Cell::state(format!("credit {count}")));
                        }
                    }
                    _ => {}
                }
            }
            if !(cells.is_empty() && variables.is_empty()) {
                found.push(Object { name: name.clone(), variables, cells });
            }
        }
        found
    }

    fn is_lock_bottom(&self, value: &Value) -> bool {
        self.values
            .values()
            .any(|(shown, bottom)| matches!(shown, Shown::LockBottom) && bottom == value)
    }
}

fn is_reference(ty: &Type) -> bool {
    matches!(ty, Type::Object(_) | Type::Channel(_) | Type::Token(_) | Type::Null)
}

/// The value as the user would write it; `None` if it cannot be written.
fn show(value: &Value, ty: &Type, names: &BTreeMap<Value, String>) -> Option<String> {
    match (value, ty) {
        (Value::Int(number), Type::Int) => Some(number.to_string()),
        (Value::Bool(truth), _) => Some(truth.to_string()),
        (value, ty) if is_reference(ty) => {
            Some(names.get(value).cloned().unwrap_or_else(|| "an object".to_owned()))
        }
        _ => None,
    }
}

/// An amount of permission: hundredths, and infinitesimals.
fn amount(parts: &Value, epsilons: Option<&Value>) -> String {
    let epsilons = match epsilons {
        Some(Value::Int(count)) => *count,
        _ => 0,
    };
    let mut text = match parts {
        Value::Real { numerator: 0, .. } => String::new(),
        Value::Real { numerator, denominator: 1 } => format!("{numerator}%"),
        Value::Real { numerator, denominator } if *numerator > 0 && numerator < denominator => {
            "rd".to_owned()
        }
        Value::Real { numerator, denominator } => format!("about {}%", numerator / denominator),
        other => other.to_string(),
    };
    if epsilons != 0 {
        let _ = write!(text, "{}{epsilons}e", if text.is_empty() { "" } else { " + " });
    }
    if text.is_empty() { "none".to_owned() } else { text }
}
