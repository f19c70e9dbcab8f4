//! The steps of a thread: it executes, calls, returns, and gets units.

use crate::design::{Assign, Call, ThreadId, Transition, UnitId, Value};
use crate::negotiate::{Asks, Negotiation, settled};
use crate::state::{Frame, State};
use crate::syntax::TransitionKind;
use crate::system::{Policy, System};
use source::{Name, Span};

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub event: Event,
    /// The state afterwards, or what goes wrong.
    pub result: Result<State, Violation>,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A transition of the active unit, with the units that `any` chose.
    Fire {
        /// The active unit.
        unit: UnitId,
        /// Which transition of its class.
        transition: usize,
        /// The chosen units.
        chosen: Vec<UnitId>,
    },
    /// A call of another unit.
    Call {
        /// The calling unit.
        caller: UnitId,
        /// Where the call is allowed.
        span: Span,
        /// The called unit.
        callee: UnitId,
        /// The `before` transition of its class; none if the call goes wrong.
        transition: Option<usize>,
    },
    /// The end of an operation.
    Return {
        /// The unit that returns.
        unit: UnitId,
        /// The operation.
        operation: Name,
        /// The `after` transition of its class, if there is one.
        transition: Option<usize>,
    },
    /// One unit is acquired.
    Acquire(UnitId),
    /// All free units that are needed are acquired.
    Expand(Vec<UnitId>),
    /// Everything that is needed is acquired.
    Complete(Vec<UnitId>),
}

/// What goes wrong in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Violation {
    /// A unit is used that the thread does not hold.
    Access {
        /// Where it is used.
        span: Span,
        /// Which unit, if the variable refers to one.
        unit: Option<UnitId>,
    },
    /// A unit is let go while the thread is inside of it.
    Released(UnitId),
}

/// All steps of a thread, in a fixed order.
pub fn steps(
    negotiation: &mut dyn Negotiation,
    system: &System,
    policy: Policy,
    state: &State,
    thread: ThreadId,
) -> Vec<Step> {
    let asks = negotiation.asks(system, policy, state, thread);
    if asks.is_empty() {
        let mut made = Execution { negotiation, system, policy, state, thread, steps: Vec::new() };
        made.execute();
        return made.steps;
    }
    let given = |units: &[UnitId]| {
        let mut next = state.clone();
        units.iter().for_each(|&unit| next.owners[unit] = Some(thread));
        next
    };
    let Asks { free, blocked } = asks;
    match policy {
        Policy::Saturate | Policy::Fifo => Vec::new(),
        Policy::Aon if blocked.is_empty() => {
            let result = Ok(given(&free));
            vec![Step { event: Event::Complete(free), result }]
        }
        Policy::Aon => Vec::new(),
        Policy::Unit | Policy::Declared | Policy::Ranked => {
            let acquire =
                |&unit: &UnitId| Step { event: Event::Acquire(unit), result: Ok(given(&[unit])) };
            free.iter().map(acquire).collect()
        }
        Policy::Thread if free.is_empty() => Vec::new(),
        Policy::Thread => {
            let (mut next, mut now, mut all) = (state.clone(), free, Vec::new());
            while !now.is_empty() {
                now.iter().for_each(|&unit| next.owners[unit] = Some(thread));
                all.append(&mut now);
                now = negotiation.asks(system, policy, &next, thread).free;
            }
            vec![Step { event: Event::Expand(all), result: Ok(next) }]
        }
    }
}

struct Execution<'a> {
    negotiation: &'a mut dyn Negotiation,
    system: &'a System,
    policy: Policy,
    state: &'a State,
    thread: ThreadId,
    steps: Vec<Step>,
}

impl Execution<'_> {
    fn execute(&mut self) {
        let system = self.system;
        let Frame { unit, operation } = self.state.active(self.thread).clone();
        let (class, here) = (system.class(unit), self.state.states[unit]);
        for (at, transition) in class.transitions.iter().enumerate() {
            if transition.from != here {
                continue;
            }
            match &operation {
                Some(operation) if transition.kind != TransitionKind::Step => {
                    let ends =
                        transition.kind == TransitionKind::After && transition.label == *operation;
                    if ends {
                        let operation = operation.clone();
                        let event = Event::Return { unit, operation, transition: Some(at) };
                        self.fire(unit, transition, &event, &|stack| {
                            stack.pop();
                        });
                    }
                }
                _ => {
                    let event = Event::Fire { unit, transition: at, chosen: Vec::new() };
                    self.fire(unit, transition, &event, &|_| {});
                }
            }
        }
        if let Some(operation) = operation {
            let ends =
                |one: &Transition| one.kind == TransitionKind::After && one.label == operation;
            if !class.transitions.iter().any(ends) {
                let mut next = self.state.clone();
                next.stacks[self.thread].pop();
                let event = Event::Return { unit, operation, transition: None };
                self.done(&event, next);
            }
        }
        for call in &class.states[here].calls {
            self.call(unit, call);
        }
    }

    fn call(&mut self, caller: UnitId, call: &Call) {
        let (system, state, thread) = (self.system, self.state, self.thread);
        let span = call.span;
        for &callee in &state.bindings[system.units[caller].slots + call.variable] {
            if state.owners[callee] != Some(thread) {
                let event = Event::Call { caller, span, callee, transition: None };
                let violation = Violation::Access { span, unit: Some(callee) };
                self.steps.push(Step { event, result: Err(violation) });
                continue;
            }
            // DIVERGENCE: a thread can be inside of the callee already, if the state of the callee
            // allows the call; the reference for paper 4 does not make such calls.
            for (at, transition) in system.class(callee).transitions.iter().enumerate() {
                let begins = transition.kind == TransitionKind::Before
                    && transition.label == call.operation
                    && transition.from == state.states[callee];
                if begins {
                    let event = Event::Call { caller, span, callee, transition: Some(at) };
                    let operation = Some(call.operation.clone());
                    let frame = Frame { unit: callee, operation };
                    self.fire(callee, transition, &event, &|stack| stack.push(frame.clone()));
                }
            }
        }
    }

    /// Takes a transition of a unit, if its guard is true, for all choices of `any`.
    fn fire(
        &mut self,
        unit: UnitId,
        transition: &Transition,
        event: &Event,
        stack: &dyn Fn(&mut Vec<Frame>),
    ) {
        let slots = self.system.units[unit].slots;
        let bound = |variable: usize| &self.state.bindings[slots + variable];
        let holds = transition.guard.iter().all(|part| {
            let equal = match part.right {
                Some(right) => bound(part.left) == bound(right),
                None => bound(part.left).is_empty(),
            };
            equal == part.equal
        });
        if !holds {
            return;
        }
        let mut choices: Vec<(Vec<Vec<UnitId>>, Vec<UnitId>)> = vec![Default::default()];
        for assign in &transition.assigns {
            let values = match self.values(slots, assign) {
                Ok(values) => values,
                Err(violation) => {
                    self.steps.push(Step { event: event.clone(), result: Err(violation) });
                    return;
                }
            };
            let is_any = matches!(assign.value, Value::Any(_));
            let longer = |(so_far, chosen): &(Vec<Vec<UnitId>>, Vec<UnitId>)| {
                let (so_far, chosen) = (so_far.clone(), chosen.clone());
                values.clone().into_iter().map(move |value| {
                    let chosen =
                        if is_any { [chosen.as_slice(), &value].concat() } else { chosen.clone() };
                    ([so_far.as_slice(), &[value]].concat(), chosen)
                })
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        for (values, chosen) in choices {
            let mut next = self.state.clone();
            next.states[unit] = transition.to;
            for (assign, value) in transition.assigns.iter().zip(values) {
                next.bindings[slots + assign.variable] = value;
            }
            stack(&mut next.stacks[self.thread]);
            let mut event = event.clone();
            if let Event::Fire { chosen: place, .. } = &mut event {
                *place = chosen;
            }
            self.done(&event, next);
        }
    }

    /// All values that an assignment can give.
    fn values(&self, slots: usize, assign: &Assign) -> Result<Vec<Vec<UnitId>>, Violation> {
        let state = self.state;
        Ok(match assign.value {
            Value::Nil => vec![Vec::new()],
            Value::Variable(other) => vec![state.bindings[slots + other].clone()],
            Value::Path(through, field) => {
                let unit = state.bindings[slots + through].first().copied();
                let held = unit.filter(|&unit| state.owners[unit] == Some(self.thread));
                let Some(unit_held) = held else {
                    return Err(Violation::Access { span: assign.span, unit });
                };
                vec![state.bindings[self.system.units[unit_held].slots + field].clone()]
            }
            Value::Any(class) => {
                let units = self.system.units.iter().enumerate();
                units.filter(|(_, unit)| unit.class == class).map(|(id, _)| vec![id]).collect()
            }
        })
    }

    /// Ends an execution step: contraction, and the units that the policy hands out at once.
    fn done(&mut self, event: &Event, mut next: State) {
        let (system, thread) = (self.system, self.thread);
        self.negotiation.contract(system, &mut next, thread);
        let gone = |frame: &&Frame| next.owners[frame.unit] != Some(thread);
        if let Some(frame) = next.stacks[thread].iter().find(gone) {
            let result = Err(Violation::Released(frame.unit));
            self.steps.push(Step { event: event.clone(), result });
            return;
        }
        for state in settled(self.negotiation, system, self.policy, next, thread) {
            self.steps.push(Step { event: event.clone(), result: Ok(state) });
        }
    }
}
