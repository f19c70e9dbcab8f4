//! The text of a process: every place in the code of a thread, with its steps.

use super::expr::Env;
use super::paths::{Location, Outcome, Paths};
use super::term::{TRUE, Term, not};
use super::{Model, Names};
use crate::graph::{Node, Pc};
use plato::hir::{Count, NeverKind, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A process, for all copies of a thread.
pub(super) struct Process {
    pub(super) name: String,
    pub(super) thread: ThreadId,
    pub(super) copies: usize,
    /// The label of every place.
    pub(super) places: Vec<(Pc, String)>,
    /// Declarations and steps.
    pub(super) text: String,
    /// The number of variables that are used to write several places at once.
    pub(super) scratch: usize,
}

/// The code of a thread itself, in none of its calls.
const ROOT: usize = 0;

/// More places than these in one thread are refused.
const PLACES: usize = 20_000;

/// The process of a thread declaration with this number of copies.
pub(super) fn process(
    model: &Model<'_>,
    names: &mut Names,
    thread: ThreadId,
    copies: usize,
) -> Result<Process, String> {
    let (scope, code) = (model.scope, model.code);
    let declared = &scope.program.threads[thread.index()];
    let name = names.fresh(declared.name.as_str());
    let first = scope.threads.iter().position(|id| *id == thread).unwrap_or(0) + 1;
    let alone = declared.count == Count::One || copies == 1;
    let tid = if alone { Term::Int(first as i128) } else { Term::Var("TID".to_owned()) };
    let mut fresh = |like: &str| names.fresh(like);
    let mut paths = Paths::new(scope, code, model.globals, tid, &mut fresh);
    let root = paths.enter(None, None, &declared.body.locals)?;
    let mut text = Text::new(model);
    let start = text.number((root, code.threads[thread.index()]));
    let mut at = start;
    while let Some(&place) = text.order.get(at) {
        let outcomes = paths.step(place)?;
        text.place(place, &outcomes);
        at += 1;
        if at > PLACES {
            return Err(format!("`{}`: too many places in its code", declared.name));
        }
    }
    let mut out = String::new();
    for storage in paths.calls.iter().flat_map(|call| &call.locals) {
        let unset = vec![storage.unset(); storage.all_keys().len()];
        let _ = writeln!(out, "  {}", storage.declaration(true, &unset));
    }
    out.push_str(&text.out);
    let places = text.order.iter().map(|&place| (place.1, text.label(place))).collect();
    Ok(Process { name, thread, copies, places, text: out, scratch: text.scratch })
}

struct Text<'m> {
    model: &'m Model<'m>,
    /// Whether only threads that have ended may be stuck.
    is_deadlock_wrong: bool,
    order: Vec<Location>,
    numbers: BTreeMap<Location, usize>,
    out: String,
    scratch: usize,
}

impl<'m> Text<'m> {
    fn new(model: &'m Model<'m>) -> Self {
        let is_deadlock = |kind: &NeverKind| matches!(kind, NeverKind::Deadlock);
        let nevers = &model.scope.program.nevers;
        Self {
            model,
            is_deadlock_wrong: nevers.iter().any(|never| is_deadlock(&never.kind)),
            order: Vec::new(),
            numbers: BTreeMap::new(),
            out: String::new(),
            scratch: 0,
        }
    }

    fn number(&mut self, place: Location) -> usize {
        if let Some(&number) = self.numbers.get(&place) {
            return number;
        }
        self.order.push(place);
        self.numbers.insert(place, self.order.len() - 1);
        self.order.len() - 1
    }

    /// The label of a place that has a number. SPIN takes what begins with `end` for a place where
    /// a process may stay.
    fn label(&self, place: Location) -> String {
        let code = self.model.code;
        let is_end = |pc: Pc| matches!(code.nodes[pc], Node::End);
        let ends = place.0 == ROOT && code.ready(place.1).into_iter().any(is_end);
        let threads = self.model.scope.program.threads.iter().zip(&code.threads);
        let awaits_fork =
            threads.into_iter().any(|(thread, &start)| thread.is_forked && place == (ROOT, start));
        let prefix = if ends || awaits_fork || !self.is_deadlock_wrong { "end_L" } else { "L" };
        format!("{prefix}{}", self.numbers.get(&place).copied().unwrap_or(0))
    }

    /// A place with its steps.
    fn place(&mut self, place: Location, outcomes: &[Outcome]) {
        let label = self.label(place);
        match outcomes {
            [] => {
                let _ = writeln!(self.out, "{label}: false;");
            }
            [only] => {
                let step = self.step(only, false);
                // SPIN takes a jump to a label before a `d_step` for one into it.
                let _ = if step.starts_with("d_step") {
                    writeln!(self.out, "{label}: if\n  :: {step}\n  fi;")
                } else {
                    writeln!(self.out, "{label}: {step}")
                };
            }
            [one, other] if is_else(one, other) => {
                let (one, other) = (self.step(one, false), self.step(other, true));
                let _ = writeln!(self.out, "{label}: if\n  :: {one}\n  :: {other}\n  fi;");
            }
            all => {
                let _ = writeln!(self.out, "{label}: if");
                for outcome in all {
                    let step = self.step(outcome, false);
                    let _ = writeln!(self.out, "  :: {step}");
                }
                let _ = writeln!(self.out, "  fi;");
            }
        }
    }

    /// One transition, and where it leads.
    fn step(&mut self, outcome: &Outcome, is_else: bool) -> String {
        let guard = match &outcome.guard {
            _ if is_else => Some("else".to_owned()),
            guard if *guard == TRUE => None,
            guard => Some(guard.to_string()),
        };
        if let Some(code) = outcome.fault {
            let guard = guard.map_or(String::new(), |guard| format!("{guard} -> "));
            return format!("{guard}assert(false); false /* {code} */;");
        }
        self.number(outcome.next);
        let next = self.label(outcome.next);
        let writes = self.writes(&outcome.env);
        match (guard, writes.as_slice()) {
            (None, []) => format!("true -> goto {next};"),
            (None, [write]) => format!("{write}; goto {next};"),
            (None, all) => format!("d_step {{ {} }}; goto {next};", all.join("; ")),
            (Some(guard), []) => format!("{guard} -> goto {next};"),
            (Some(guard), all) => {
                format!("d_step {{ {guard} -> {} }}; goto {next};", all.join("; "))
            }
        }
    }

    /// The writes of a step, one after the other: all values and indices are those before the step.
    fn writes(&mut self, env: &Env) -> Vec<String> {
        let mut all: Vec<(String, Option<&Term>, &Term)> = Vec::new();
        for (name, value) in &env.scalars {
            if *value != Term::Var(name.clone()) {
                all.push((name.clone(), None, value));
            }
        }
        for (name, writes) in &env.arrays {
            all.extend(writes.iter().map(|(index, value)| (name.clone(), Some(index), value)));
        }
        if let [(name, index, value)] = all.as_slice() {
            return vec![format!("{} = {value}", target(name, *index))];
        }
        let names: BTreeSet<&String> = all.iter().map(|(name, _, _)| name).collect();
        let is_written = |term: &Term| names.iter().any(|name| term.mentions(name));
        let mut first = Vec::new();
        let mut last = Vec::new();
        let mut used = 0;
        let mut saved = |term: &Term| {
            if !is_written(term) {
                return term.to_string();
            }
            let name = format!("scratch{used}");
            used += 1;
            first.push(format!("{name} = {term}"));
            name
        };
        for (name, index, value) in &all {
            let value = saved(value);
            let target = match index {
                None => name.clone(),
                Some(index) => format!("{name}[{}]", saved(index)),
            };
            last.push(format!("{target} = {value}"));
        }
        self.scratch = self.scratch.max(used);
        first.extend(last);
        first
    }
}

/// Whether the second step is possible exactly if the first is not, and writes nothing, so that
/// `else` will do.
fn is_else(one: &Outcome, other: &Outcome) -> bool {
    one.guard == not(other.guard.clone()) && other.env == Env::default()
}

fn target(name: &str, index: Option<&Term>) -> String {
    index.map_or_else(|| name.to_owned(), |index| format!("{name}[{index}]"))
}
