//! Which thread takes the next step, drawn by lot.

use super::End;
use super::client::Choice;
use super::machine::{Gives, Machine, Stop};
use super::store::{Object, Value};
use crate::typed::{ClassId, MethodId, Ty};

/// How threads are chosen.
#[derive(Clone, Debug)]
pub(super) enum Schedule {
    /// A thread goes on, but in this many of 256 cases.
    Switches(u8),
    /// The thread with the highest rank goes on; ranks change at some steps.
    Ranks(Vec<u32>),
}

impl Machine<'_, '_> {
    /// Runs a program and code outside of it.
    pub(super) fn play(&mut self, choice: &Choice<'_>, most: usize) -> Result<End, Stop> {
        self.start_program()?;
        let main = self.player.main.filter(|main| {
            (choice.may)(*main)
                && (choice.about == Some(*main)
                    || self.player.methods.is_empty()
                    || self.lot.u8(..) < 40)
        });
        match main {
            Some(main) => self.begin_main(main)?,
            None => {
                if let Some(end) = self.begin_clients(choice, most)? {
                    return Ok(end);
                }
            }
        }
        self.schedule(most)
    }

    fn begin_main(&mut self, main: MethodId) -> Result<(), Stop> {
        let element = self.program().well_known.string.map_or(Ty::Unknown, Ty::Class);
        let args = self.store.allocate(Object::Array(element, 0));
        self.store.publish(args);
        self.store.commit();
        let args = vec![Value::Ref(args)];
        self.log_call(0, main, None, &args);
        let span = self.program().method(main).span;
        self.enter_method(0, main, (None, args), (Gives::Result, span))?;
        self.run_on(0)
    }

    /// Makes objects and threads that call methods on them.
    fn begin_clients(&mut self, choice: &Choice<'_>, most: usize) -> Result<Option<End>, Stop> {
        let program = self.program();
        let methods = self.player.methods.iter().copied();
        self.callable = methods.filter(|id| (choice.may)(*id)).collect();
        let subject = match choice.about {
            Some(about) => Some(self.named(program.method(about).class)),
            None => {
                let classes: Vec<ClassId> =
                    self.callable.iter().map(|id| program.method(*id).class).collect();
                let all = if classes.is_empty() { &self.player.made } else { &classes };
                (!all.is_empty()).then(|| all[self.lot.usize(..all.len())])
            }
        };
        let Some(subject) = subject else { return Ok(Some(End::Done)) };
        // The class itself, or those below it.
        let made = self.player.made.iter().copied();
        let fits: Vec<ClassId> = made.filter(|one| program.is_subclass(*one, subject)).collect();
        let mut needed = Vec::new();
        if !fits.is_empty() {
            let one = fits[self.lot.usize(..fits.len())];
            self.needed(one, &mut needed, 3);
            if self.lot.u8(..) < 60 {
                needed.push(one);
            }
        }
        for class in needed {
            self.make(0, class, choice)?;
            self.store.commit();
            if let Some(end) = self.finish_main(most)? {
                return Ok(Some(end));
            }
        }
        self.prefer(choice, subject);
        let count = [1, 2, 2, 2, 2, 3][self.lot.usize(..6)];
        for _ in 0..count {
            let thread = self.new_thread(Some(0));
            self.threads[thread].calls = self.lot.usize(1..=3);
        }
        self.threads[0].has_ended = true;
        Ok(None)
    }

    /// The class around a class of which nobody else makes objects.
    fn named(&self, class: ClassId) -> ClassId {
        let mut named = class;
        while !self.player.made.contains(&named) {
            match self.program().class(named).outer {
                Some(outer) => named = outer,
                None => return class,
            }
        }
        named
    }

    /// Lets the first thread make an object to the end. Threads that constructors start wait.
    fn finish_main(&mut self, most: usize) -> Result<Option<End>, Stop> {
        self.run_on(0)?;
        let mut count = 0;
        while !self.threads[0].frames.is_empty() {
            if !self.step(0)? {
                return Ok(Some(End::Stuck));
            }
            count += 1;
            if count > most {
                return Ok(Some(End::Long));
            }
        }
        Ok(None)
    }

    /// Calls more often what the run is about.
    fn prefer(&mut self, choice: &Choice<'_>, subject: ClassId) {
        let program = self.program();
        let is_near = |id: &MethodId| {
            program.is_subclass(program.method(*id).class, subject)
                || program.is_subclass(subject, program.method(*id).class)
        };
        let near: Vec<MethodId> = self.callable.iter().copied().filter(is_near).collect();
        self.callable.extend(near.iter().chain(&near).chain(&near));
        let about = choice.about.filter(|about| self.callable.contains(about));
        if let Some(about) = about {
            let weight = self.callable.len() / 2;
            self.callable.extend(std::iter::repeat_n(about, weight));
        }
        let start = program.well_known.thread.and_then(|thread| {
            let methods = &program.class(thread).methods;
            methods.iter().copied().find(|id| program.method(*id).name.as_str() == "start")
        });
        let is_thread = |object: &usize| {
            let thread = program.well_known.thread;
            thread.is_some_and(|thread| self.has_type(*object, &Ty::Class(thread)))
        };
        if self.pool.iter().any(is_thread)
            && let Some(start) = start
        {
            let weight = self.callable.len() / 3 + 1;
            self.callable.extend(std::iter::repeat_n(start, weight));
        }
    }

    fn schedule(&mut self, most: usize) -> Result<End, Stop> {
        let mut schedule = match self.lot.u8(..4) {
            0 => Schedule::Switches(12),
            1 => Schedule::Switches(60),
            2 => Schedule::Switches(255),
            _ => Schedule::Ranks(Vec::new()),
        };
        let mut last = 0;
        for _ in 0..most {
            let ready: Vec<usize> = (0..self.threads.len())
                .filter(|at| !self.threads[*at].has_ended && !self.threads[*at].is_blocked)
                .collect();
            if ready.is_empty() {
                let is_done = self.threads.iter().all(|thread| thread.has_ended);
                return Ok(if is_done { End::Done } else { End::Stuck });
            }
            let next = self.choose(&mut schedule, &ready, last);
            last = next;
            if self.step(next)? {
                self.threads.iter_mut().for_each(|thread| thread.is_blocked = false);
            } else {
                self.threads[next].is_blocked = true;
            }
        }
        Ok(End::Long)
    }

    fn choose(&mut self, schedule: &mut Schedule, ready: &[usize], last: usize) -> usize {
        match schedule {
            Schedule::Switches(often) => {
                if ready.contains(&last) && self.lot.u8(..) > *often {
                    return last;
                }
                ready[self.lot.usize(..ready.len())]
            }
            Schedule::Ranks(ranks) => {
                while ranks.len() < self.threads.len() {
                    ranks.push(self.lot.u32(1000..));
                }
                // Now and then the one that goes on is put behind all others.
                if self.lot.u8(..) < 16
                    && let Some(rank) = ranks.get_mut(last)
                {
                    *rank = self.lot.u32(..1000);
                }
                ready.iter().copied().max_by_key(|at| ranks[*at]).unwrap_or(last)
            }
        }
    }
}
