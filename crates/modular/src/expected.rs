//! What a specification expected of a step that it does not allow.

use crate::task::Task;
use diagnostic::Code;
use gcl::MarkKind;
use gcl::{Failure, PathEvent, Value};
use logic::Symbol;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A specification, as far as messages need it.
#[derive(Clone, Debug)]
pub struct Specified {
    /// Per state of the abstraction, whether it can be there for some results.
    pub live: Vec<Symbol>,
    /// The same for the results that are returned.
    pub exact: Vec<Symbol>,
    /// From a state, by an action, to a state.
    pub edges: Vec<(usize, usize, usize)>,
    /// Per action its clause, and what it may change, `modifies` included.
    pub actions: Vec<(Span, BTreeSet<Symbol>)>,
    /// Whether the actions follow each other in one line, so that the state is the number of those
    /// performed.
    pub linear: bool,
}

/// Labels for the actions that the specification allowed where the run ends, and how far it had
/// got.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    /// A place and what is to be said there.
    pub labels: Vec<(Span, String)>,
    /// What was done so far.
    pub note: Option<String>,
}

/// What was expected of the step with which the run ends, or after it if the run ends too early.
pub fn expected(task: &Task, failure: &Failure, code: Code) -> Expectation {
    let (Some(specified), true) =
        (&task.specified, matches!(code, Code::StepNotAllowed | Code::ActionMissing))
    else {
        return Expectation::default();
    };
    let run = Run::read(task, failure);
    let ended = code == Code::ActionMissing;
    let states = if ended { &specified.exact } else { &specified.live };
    let values = if ended { &run.now } else { &run.before_step };
    let here: Vec<usize> = (0..states.len())
        .filter(|&state| {
            values.get(&states[state]).is_some_and(|value| **value == Value::Bool(true))
        })
        .collect();
    let mut labels = BTreeMap::new();
    for &(_, action, _) in specified.edges.iter().filter(|(from, ..)| here.contains(from)) {
        let (span, changes) = &specified.actions[action];
        let text = if ended {
            "this was not performed".to_owned()
        } else {
            let others: Vec<&str> =
                run.changed.difference(changes).map(|s| task.shown[s].name.as_str()).collect();
            match others.as_slice() {
                [] => "this is allowed, but is false of the step".to_owned(),
                names => format!("this is allowed, but does not change {}", quoted(names)),
            }
        };
        labels.insert(*span, text);
    }
    let note = progress(specified, &here, ended || !labels.is_empty());
    Expectation { labels: labels.into_iter().collect(), note }
}

fn progress(specified: &Specified, here: &[usize], more: bool) -> Option<String> {
    let all = specified.actions.len();
    match here {
        [done] if specified.linear && more => {
            Some(format!("{done} of {all} actions were performed before"))
        }
        _ if !more && all > 0 => Some("all actions were performed before".to_owned()),
        _ => None,
    }
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What the run binds, at its end and before its last step was compared with the specification.
struct Run<'f> {
    now: BTreeMap<Symbol, &'f Value>,
    before_step: BTreeMap<Symbol, &'f Value>,
    /// The shared variables that the last step changed.
    changed: BTreeSet<Symbol>,
}

impl<'f> Run<'f> {
    fn read(task: &Task, failure: &'f Failure) -> Self {
        let mut now = BTreeMap::new();
        let mut before_step = BTreeMap::new();
        let mut changed = BTreeSet::new();
        for event in &failure.events {
            match event {
                PathEvent::Bind(symbol, value) => {
                    now.insert(*symbol, value);
                }
                PathEvent::Mark(id) => {
                    let kind = task.marks[id.0 as usize].kind;
                    if matches!(kind, MarkKind::Attempt | MarkKind::Enter | MarkKind::Leave) {
                        continue;
                    }
                    let shared = |symbol: &&Symbol| {
                        task.shown.get(*symbol).is_some_and(|shown| shown.shared)
                    };
                    let differs = |symbol: &&Symbol| before_step.get(*symbol) != now.get(*symbol);
                    changed = now.keys().filter(shared).filter(differs).copied().collect();
                    before_step.clone_from(&now);
                }
            }
        }
        Self { now, before_step, changed }
    }
}
