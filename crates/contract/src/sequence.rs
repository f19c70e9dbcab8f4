//! A run as a sequence of messages, and who waits for whom at its end.

use crate::design::{ThreadId, UnitId};
use crate::explain::all_waits;
use crate::state::State;
use crate::steps::Event;
use crate::system::{Policy, System};
use crate::trace::Replayed;
use crate::waiting::circle;
use verdict::{Lifeline, Message, MessageKind, Sequence};

/// Limit on the steps of a run that is drawn.
const MOST_STEPS: usize = 400;
/// Limit on the participants of a run that is drawn.
const MOST_LIFELINES: usize = 40;

/// The messages of a run; `None` if there are too many to look at.
pub(crate) fn sequence(system: &System, policy: Policy, run: &Replayed) -> Option<Sequence> {
    if run.steps.len() > MOST_STEPS {
        return None;
    }
    let mut artist = Artist { system, lifelines: Vec::new(), messages: Vec::new() };
    let mut before = &run.start;
    for (thread, site, after) in &run.steps {
        artist.event(*thread, &site.event, before);
        if let Some(after) = after {
            artist.owners(before, after);
            before = after;
        }
    }
    let waits = all_waits(system, policy, before);
    for (thread, waits) in waits.iter().enumerate() {
        for &(unit, owner) in waits {
            let text = format!("waits, held by {}", system.thread_name(owner));
            artist.message(system.roots[thread], unit, MessageKind::Wait, text);
        }
    }
    let circle = circle(&waits).unwrap_or_default();
    let circle: Vec<(usize, usize)> = circle
        .into_iter()
        .map(|(thread, unit)| (artist.lifeline(system.roots[thread]), artist.lifeline(unit)))
        .collect();
    artist.finish(circle)
}

struct Artist<'s> {
    system: &'s System,
    lifelines: Vec<UnitId>,
    messages: Vec<Message>,
}

impl Artist<'_> {
    fn lifeline(&mut self, unit: UnitId) -> usize {
        let known = self.lifelines.iter().position(|&other| other == unit);
        known.unwrap_or_else(|| {
            self.lifelines.push(unit);
            self.lifelines.len() - 1
        })
    }

    fn message(&mut self, from: UnitId, to: UnitId, kind: MessageKind, text: String) {
        let (from, to) = (self.lifeline(from), self.lifeline(to));
        self.messages.push(Message { from, to, kind, text });
    }

    fn event(&mut self, thread: ThreadId, event: &Event, before: &State) {
        let system = self.system;
        let label = |unit: UnitId, at: usize| {
            let class = system.class(unit);
            let transition = &class.transitions[at];
            let state = |at: usize| &class.states[at].name;
            format!("{}: {} -> {}", transition.label, state(transition.from), state(transition.to))
        };
        match event {
            Event::Fire { unit, transition, .. } => {
                self.message(*unit, *unit, MessageKind::Step, label(*unit, *transition));
            }
            Event::Call { caller, callee, transition, .. } => {
                let text = transition
                    .map_or_else(|| "call without holding it".to_owned(), |at| label(*callee, at));
                self.message(*caller, *callee, MessageKind::Call, text);
            }
            Event::Return { unit, operation, transition } => {
                let stack = &before.stacks[thread];
                let caller = stack.len().checked_sub(2).map_or(*unit, |at| stack[at].unit);
                let text = transition.map_or_else(|| operation.to_string(), |at| label(*unit, at));
                self.message(*unit, caller, MessageKind::Return, text);
            }
            // The changes of owners show these.
            Event::Acquire(_) | Event::Expand(_) | Event::Complete(_) => {}
        }
    }

    fn owners(&mut self, before: &State, after: &State) {
        for unit in 0..after.owners.len() {
            let (old, new) = (before.owners[unit], after.owners[unit]);
            if old == new {
                continue;
            }
            if let Some(thread) = old {
                let root = self.system.roots[thread];
                self.message(root, unit, MessageKind::Release, "release".to_owned());
            }
            if let Some(thread) = new {
                let root = self.system.roots[thread];
                self.message(root, unit, MessageKind::Acquire, "acquire".to_owned());
            }
        }
    }

    /// Threads to the left, units to the right, each in the order of the system.
    fn finish(self, circle: Vec<(usize, usize)>) -> Option<Sequence> {
        if self.lifelines.len() > MOST_LIFELINES {
            return None;
        }
        let mut order: Vec<usize> = (0..self.lifelines.len()).collect();
        let is_thread = |unit: UnitId| self.system.units[unit].thread.is_some();
        order.sort_by_key(|&at| (!is_thread(self.lifelines[at]), self.lifelines[at]));
        let mut places = vec![0; order.len()];
        for (place, &at) in order.iter().enumerate() {
            places[at] = place;
        }
        let lifeline = |&at: &usize| Lifeline {
            name: self.system.name(self.lifelines[at]).to_owned(),
            is_thread: is_thread(self.lifelines[at]),
        };
        let moved = |message: Message| Message {
            from: places[message.from],
            to: places[message.to],
            ..message
        };
        Some(Sequence {
            lifelines: order.iter().map(lifeline).collect(),
            messages: self.messages.into_iter().map(moved).collect(),
            circle: circle.into_iter().map(|(one, other)| (places[one], places[other])).collect(),
        })
    }
}
