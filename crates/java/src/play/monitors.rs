//! Monitors, locks and threads.

use super::library::Effect;
use super::machine::{Gives, Machine, Stop, Wait};
use super::store::{Cell, Object, Value};
use crate::typed::{Callee, MethodId};
use diagnostic::Code;
use source::Span;

impl Machine<'_, '_> {
    /// Enters the monitor whose object is on the stack.
    pub(super) fn enter_op(&mut self, thread: usize) -> Result<(), Stop> {
        let object = self.frame(thread)?.stack.last().and_then(Value::object);
        let object = object.ok_or_else(|| Stop::GiveUp("a monitor".to_owned()))?;
        self.enter(thread, object)?;
        self.pop(thread).map(|_| ())
    }

    /// Enters a monitor if it is free or held by the thread.
    pub(super) fn enter(&mut self, thread: usize, object: usize) -> Result<(), Stop> {
        match self.store.holder(object) {
            Some(holder) if holder != thread => Err(Stop::Blocked),
            None if self.is_read(object) => Err(Stop::Blocked),
            _ => {
                let depth = self.store.depth(object) + 1;
                self.store.set_monitor(object, Some(thread), depth);
                self.acquire(thread, &Cell::Holder(object));
                Ok(())
            }
        }
    }

    pub(super) fn exit(&mut self, thread: usize, object: usize, span: Span) -> Result<(), Stop> {
        self.must_hold(thread, object, span)?;
        let depth = self.store.depth(object) - 1;
        self.release(thread, &Cell::Holder(object));
        self.store.set_monitor(object, (depth > 0).then_some(thread), depth);
        Ok(())
    }

    fn must_hold(&self, thread: usize, object: usize, span: Span) -> Result<(), Stop> {
        if self.store.holder(object) == Some(thread) {
            return Ok(());
        }
        Err(Stop::Failed(self.failure(thread, Code::MonitorNotHeld, span)))
    }

    /// What the language says of a call. A thread that must wait leaves the stack as it is.
    pub(super) fn effect(
        &mut self,
        thread: usize,
        effect: Effect,
        callee: &Callee,
        span: Span,
    ) -> Result<(), Stop> {
        let count = callee.args.len() + usize::from(callee.receiver.is_some());
        let frame = self.frame(thread)?;
        let operands = frame.stack.len().saturating_sub(count);
        let operands: Vec<Value> = frame.stack[operands..].to_vec();
        let object = match (&callee.receiver, operands.first()) {
            (Some(receiver), Some(value)) => {
                Some(self.must_exist(thread, value, Some(receiver.span))?)
            }
            _ => operands.first().and_then(Value::object),
        };
        let value = match object.and_then(|object| self.whole_lock(object)) {
            Some((lock, true)) => self.effect_of_reader(thread, effect, lock, span)?,
            Some((lock, false)) => self.effect_on(thread, effect, Some(lock), span)?,
            None => self.effect_on(thread, effect, object, span)?,
        };
        self.pop_all(thread, count)?;
        self.push(thread, value)
    }

    fn effect_on(
        &mut self,
        thread: usize,
        effect: Effect,
        object: Option<usize>,
        span: Span,
    ) -> Result<Value, Stop> {
        let known = || object.ok_or_else(|| Stop::GiveUp("an object".to_owned()));
        match effect {
            Effect::Enter { interrupted } => {
                if interrupted {
                    self.interrupted()?;
                }
                self.enter(thread, known()?)?;
            }
            Effect::Exit => self.exit(thread, known()?, span)?,
            Effect::TryEnter { interrupted } => {
                if interrupted {
                    self.interrupted()?;
                }
                return Ok(Value::Bool(self.enter(thread, known()?).is_ok()));
            }
            Effect::Wait { timed } => self.wait(thread, known()?, timed, span)?,
            Effect::Notify { all } => {
                self.must_hold(thread, known()?, span)?;
                self.notify(known()?, all);
            }
            Effect::HoldsLock => {
                return Ok(Value::Bool(self.store.holder(known()?) == Some(thread)));
            }
            Effect::Start => self.start(thread, known()?, span)?,
            Effect::Join { timed } => {
                self.interrupted()?;
                let object = known()?;
                let is_it = |one: &super::machine::Thread<'_, '_>| one.object == Some(object);
                if let Some(other) = self.threads.iter().position(is_it) {
                    if !self.threads[other].has_ended {
                        return if timed { Ok(Value::Null) } else { Err(Stop::Blocked) };
                    }
                    let clock = self.threads[other].clock.clone();
                    self.threads[thread].clock.join(&clock);
                }
            }
            Effect::CurrentThread => return self.current_thread(thread),
            Effect::Sleep => self.interrupted()?,
        }
        Ok(Value::Null)
    }

    /// Rarely, somebody interrupts the thread.
    pub(super) fn interrupted(&mut self) -> Result<(), Stop> {
        let class = self.player.class_called("java.lang.InterruptedException");
        match class.filter(|_| !self.is_starting && self.lot.u8(..) < 6) {
            Some(class) => Err(Stop::Thrown(self.store.allocate(Object::Plain(class)))),
            None => Ok(()),
        }
    }

    fn wait(
        &mut self,
        thread: usize,
        object: usize,
        is_timed: bool,
        span: Span,
    ) -> Result<(), Stop> {
        self.must_hold(thread, object, span)?;
        let depth = self.store.depth(object);
        self.release(thread, &Cell::Holder(object));
        self.store.set_monitor(object, None, 0);
        self.threads[thread].wait = Some(Wait { object, depth, is_notified: false, is_timed });
        Ok(())
    }

    /// Goes on after waiting, if the monitor is free and there is a reason; rarely without one.
    pub(super) fn wake(&mut self, thread: usize) -> Result<(), Stop> {
        let Some(wait) = self.threads[thread].wait else { return Ok(()) };
        let chance = if wait.is_timed { 64 } else { 8 };
        let is_woken = wait.is_notified || self.lot.u8(..) < chance;
        let is_busy = self.store.holder(wait.object).is_some() || self.is_read(wait.object);
        if !is_woken || is_busy {
            return Err(Stop::Blocked);
        }
        self.threads[thread].wait = None;
        self.store.set_monitor(wait.object, Some(thread), wait.depth);
        self.acquire(thread, &Cell::Holder(wait.object));
        self.interrupted()
    }

    fn notify(&mut self, object: usize, all: bool) {
        let waits = |one: &&mut super::machine::Thread<'_, '_>| {
            one.wait.is_some_and(|wait| wait.object == object && !wait.is_notified)
        };
        let mut waiters: Vec<_> = self.threads.iter_mut().filter(waits).collect();
        if waiters.is_empty() {
            return;
        }
        let one = self.lot.usize(..waiters.len());
        for (at, waiter) in waiters.iter_mut().enumerate() {
            if let Some(wait) = waiter.wait.as_mut().filter(|_| all || at == one) {
                wait.is_notified = true;
            }
        }
    }

    /// `thread.start()`
    pub(super) fn start(&mut self, thread: usize, object: usize, span: Span) -> Result<(), Stop> {
        if self.is_starting {
            return Err(Stop::GiveUp("a thread started by a class initializer".to_owned()));
        }
        if self.store.get(&Cell::Started(object)) == Some(&Value::Bool(true)) {
            return Err(Stop::Failed(self.failure(thread, Code::StartedTwice, span)));
        }
        let run = self.run_method().map(|run| self.target(run, object));
        let run = run.ok_or_else(|| Stop::GiveUp("a thread".to_owned()))?;
        self.store.put(Cell::Started(object), Value::Bool(true));
        self.store.publish(object);
        let new = self.new_thread(Some(thread));
        self.threads[new].object = Some(object);
        let gives = Gives::Nothing;
        self.enter_method(new, run, (Some(object), Vec::new()), (gives, span))
    }

    /// What a thread runs.
    fn run_method(&self) -> Option<MethodId> {
        let class = self.program().well_known.thread?;
        let methods = &self.program().class(class).methods;
        let is_run = |id: &&MethodId| {
            let method = self.program().method(**id);
            method.name.as_str() == "run" && method.params.is_empty()
        };
        methods.iter().find(is_run).copied()
    }

    fn current_thread(&mut self, thread: usize) -> Result<Value, Stop> {
        if let Some(object) = self.threads[thread].object {
            return Ok(Value::Ref(object));
        }
        let class = self.program().well_known.thread;
        let class = class.ok_or_else(|| Stop::GiveUp("a thread".to_owned()))?;
        let object = self.store.allocate(Object::Plain(class));
        self.store.put(Cell::Started(object), Value::Bool(true));
        self.store.publish(object);
        self.threads[thread].object = Some(object);
        Ok(Value::Ref(object))
    }
}
