//! Runs the rules. Open work is on a stack of its own, so that long chains of rules do not exhaust
//! that of the host.

use crate::constant::Symbol;
use crate::matching::{Bindings, Match};
use crate::program::{Op, Predicate};
use crate::store::{Id, Inserted, Mark, Store};

/// The result of posting a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No more rule applies.
    Done,
    /// A rule failed and no choice was open; the store is as it was before.
    Failed,
    /// The limit on firings was reached; the store is as it was before.
    OutOfSteps,
}

/// A piece of open work.
enum Frame {
    /// A constraint at one of its occurrences, and the partners it fired with last.
    Active { id: Id, occurrence: usize, after: Vec<Id>, fired: bool },
    /// A body from one of its goals on.
    Body { body: usize, at: usize, bindings: Bindings },
    /// If the work above fails, the engine goes back and takes the other body. If it reaches this
    /// frame without failure, the choice is final.
    Choice { mark: Mark, other: usize, bindings: Bindings },
}

impl Store<'_> {
    /// Adds a constraint and applies rules until none applies.
    ///
    /// # Panics
    /// Panics if the number of arguments is not that of the predicate.
    pub fn post(&mut self, predicate: Predicate, arguments: &[Symbol]) -> Outcome {
        assert_eq!(arguments.len(), self.program.arity(predicate), "arguments of a constraint");
        let mark = self.mark();
        let outcome = self.run(predicate, arguments);
        if outcome == Outcome::Done {
            self.forget(mark);
        } else {
            self.undo(mark);
        }
        outcome
    }

    fn run(&mut self, predicate: Predicate, arguments: &[Symbol]) -> Outcome {
        let mut stack: Vec<Frame> = Vec::new();
        if !self.activate(predicate, arguments, &mut stack) {
            return Outcome::Failed;
        }
        while let Some(frame) = stack.pop() {
            let goes_on = match frame {
                Frame::Active { id, occurrence, after, fired } => {
                    if self.firings >= self.limit {
                        return Outcome::OutOfSteps;
                    }
                    self.try_rules(id, (occurrence, after, fired), &mut stack);
                    true
                }
                Frame::Body { body, at, bindings } => self.goal(body, at, bindings, &mut stack),
                Frame::Choice { .. } => true,
            };
            if !goes_on && !self.fall_back(&mut stack) {
                return Outcome::Failed;
            }
        }
        Outcome::Done
    }

    /// Puts a constraint into the store and makes it active; false if it contradicts the store.
    fn activate(
        &mut self,
        predicate: Predicate,
        arguments: &[Symbol],
        stack: &mut Vec<Frame>,
    ) -> bool {
        match self.insert(predicate, arguments) {
            Inserted::New(id) => {
                stack.push(Frame::Active { id, occurrence: 0, after: Vec::new(), fired: false });
                true
            }
            Inserted::Known => true,
            Inserted::Contradiction => false,
        }
    }

    /// Fires the next rule that applies to the active constraint, if there is one.
    fn try_rules(
        &mut self,
        id: Id,
        (mut at, mut after, mut fired): (usize, Vec<Id>, bool),
        stack: &mut Vec<Frame>,
    ) {
        let program = self.program;
        let occurrences = &program.occurrences[self.entry(id).predicate.0 as usize];
        while let Some(occurrence) = occurrences.get(at).filter(|_| self.entry(id).alive) {
            // A constraint that is the only head has one combination.
            let spent = fired && occurrence.partners.is_empty();
            let found = if spent { None } else { self.next_match(id, occurrence, &after) };
            let Some(Match { bindings, partners }) = found else {
                (at, fired) = (at + 1, false);
                after.clear();
                continue;
            };
            let rule = &program.rules[occurrence.rule];
            self.firings += 1;
            if occurrence.head >= rule.kept {
                self.remove(id);
            }
            for (partner, &other) in occurrence.partners.iter().zip(&partners) {
                if partner.head >= rule.kept {
                    self.remove(other);
                }
            }
            if self.entry(id).alive {
                stack.push(Frame::Active { id, occurrence: at, after: partners, fired: true });
            }
            let body = program.rule_bodies[occurrence.rule];
            stack.push(Frame::Body { body, at: 0, bindings });
            return;
        }
    }

    /// Runs one goal of a body; false if it fails.
    fn goal(
        &mut self,
        body: usize,
        at: usize,
        mut bindings: Bindings,
        stack: &mut Vec<Frame>,
    ) -> bool {
        let program = self.program;
        let Some(op) = program.bodies[body].get(at) else { return true };
        match op {
            Op::Fail => false,
            Op::Is(variable, value) => {
                let Some(value) = self.computed(value, &bindings) else { return false };
                bindings[variable.0 as usize] = Some(value);
                stack.push(Frame::Body { body, at: at + 1, bindings });
                true
            }
            Op::Post(atom) => {
                let mut arguments = Vec::with_capacity(atom.arguments.len());
                for argument in &atom.arguments {
                    let Some(value) = self.computed(argument, &bindings) else { return false };
                    arguments.push(value);
                }
                stack.push(Frame::Body { body, at: at + 1, bindings });
                self.activate(atom.predicate, &arguments, stack)
            }
            Op::Choice(first, other) => {
                stack.push(Frame::Body { body, at: at + 1, bindings: bindings.clone() });
                let mark = self.here();
                stack.push(Frame::Choice { mark, other: *other, bindings: bindings.clone() });
                stack.push(Frame::Body { body: *first, at: 0, bindings });
                true
            }
        }
    }

    /// Goes back to the innermost open choice; false if there is none.
    fn fall_back(&mut self, stack: &mut Vec<Frame>) -> bool {
        while let Some(frame) = stack.pop() {
            if let Frame::Choice { mark, other, bindings } = frame {
                self.roll_back(mark);
                stack.push(Frame::Body { body: other, at: 0, bindings });
                return true;
            }
        }
        false
    }
}
