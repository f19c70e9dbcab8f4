//! Threads with their stacks, and one step of one of them.

use super::clock::{Accesses, Clock};
use super::code::{Code, Handler, Op};
use super::log::Log;
use super::player::Player;
use super::store::{Object, Store, Value};
use crate::typed::{ClassId, MethodId, Origin, Program, Ty};
use diagnostic::Code as Fault;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Something that goes wrong in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// What goes wrong.
    pub code: Fault,
    /// Where.
    pub span: Span,
    /// The formula that becomes false.
    pub declared: Option<Span>,
    /// The head of the method that the thread was called with.
    pub root: Span,
    /// The other of two accesses, and the method that its thread was called with.
    pub other: Option<(Span, Span)>,
}

/// Why an instruction does not go on with the next one.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// The thread must wait.
    Blocked,
    Thrown(usize),
    Failed(Failure),
    /// The run does something that is not known here.
    GiveUp(String),
}

/// Which races end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Races {
    All,
    None,
    One(Failure),
}

/// What a method gives to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    Result,
    /// The object that was made.
    Object(usize),
    Nothing,
}

/// A method that runs.
#[derive(Clone, Debug)]
pub(super) struct Frame<'a, 'p> {
    /// None for a class initializer.
    pub(super) method: Option<MethodId>,
    pub(super) code: &'a Code<'p>,
    pub(super) at: usize,
    pub(super) this: Option<usize>,
    pub(super) locals: Vec<Value>,
    pub(super) stack: Vec<Value>,
    pub(super) handlers: Vec<Handler>,
    pub(super) called_at: Span,
    /// Values of `\old(e)`, by their places.
    pub(super) olds: BTreeMap<Span, Value>,
    pub(super) gives: Gives,
    /// Whether somebody outside of the program called it.
    pub(super) is_root: bool,
}

/// A thread that waits to be notified.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) object: usize,
    pub(super) depth: i128,
    pub(super) is_notified: bool,
    pub(super) is_timed: bool,
}

/// A thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Thread<'a, 'p> {
    pub(super) frames: Vec<Frame<'a, 'p>>,
    pub(super) wait: Option<Wait>,
    pub(super) clock: Clock,
    /// Its object, if it has one.
    pub(super) object: Option<usize>,
    /// How many calls it still makes, if it stands for code that is not read.
    pub(super) calls: usize,
    /// Monitors that it holds around its calls.
    pub(super) held: Vec<usize>,
    pub(super) is_blocked: bool,
    pub(super) has_ended: bool,
}

/// A run that is under way.
pub(super) struct Machine<'a, 'p> {
    pub(super) player: &'a Player<'p>,
    pub(super) store: Store,
    pub(super) threads: Vec<Thread<'a, 'p>>,
    pub(super) accesses: Accesses,
    pub(super) lot: fastrand::Rng,
    /// The stack of the thread where `{{` began.
    pub(super) atomic: Option<Vec<Frame<'a, 'p>>>,
    /// How many such blocks are open.
    pub(super) nesting: usize,
    /// Whether class initializers run, which are not checked.
    pub(super) is_starting: bool,
    pub(super) initialized: BTreeSet<ClassId>,
    /// Objects that code outside of the program knows.
    pub(super) pool: Vec<usize>,
    /// The methods that it calls, as often as they are to be called.
    pub(super) callable: Vec<MethodId>,
    /// The methods that somebody outside of the program called.
    pub(super) roots: BTreeSet<MethodId>,
    pub(super) log: Option<Log>,
    /// Which accesses without order end the run.
    pub(super) races: Races,
    /// Those that did not.
    pub(super) passed: BTreeSet<Failure>,
    /// How many instructions were executed.
    pub(super) instructions: usize,
}

/// Longer runs between two steps are left: a loop without an end.
const MOST_INSTRUCTIONS: usize = 3_000;

impl<'a, 'p> Machine<'a, 'p> {
    pub(super) fn new(player: &'a Player<'p>, seed: u64, is_logged: bool) -> Self {
        Self {
            player,
            store: Store::default(),
            threads: Vec::new(),
            accesses: Accesses::default(),
            lot: fastrand::Rng::with_seed(seed),
            atomic: None,
            nesting: 0,
            is_starting: true,
            initialized: BTreeSet::new(),
            pool: Vec::new(),
            callable: Vec::new(),
            roots: BTreeSet::new(),
            log: is_logged.then(Log::default),
            races: Races::All,
            passed: BTreeSet::new(),
            instructions: 0,
        }
    }

    pub(super) fn program(&self) -> &'p Program {
        self.player.program
    }

    pub(super) fn new_thread(&mut self, parent: Option<usize>) -> usize {
        let mut clock = parent.map(|parent| self.threads[parent].clock.clone()).unwrap_or_default();
        let number = self.threads.len();
        clock.tick(number);
        if let Some(parent) = parent {
            self.threads[parent].clock.tick(parent);
        }
        self.threads.push(Thread { clock, ..Thread::default() });
        number
    }

    pub(super) fn frame(&mut self, thread: usize) -> Result<&mut Frame<'a, 'p>, Stop> {
        let frame = self.threads.get_mut(thread).and_then(|thread| thread.frames.last_mut());
        frame.ok_or_else(|| Stop::GiveUp("no code".to_owned()))
    }

    pub(super) fn push(&mut self, thread: usize, value: Value) -> Result<(), Stop> {
        self.frame(thread)?.stack.push(value);
        Ok(())
    }

    pub(super) fn pop(&mut self, thread: usize) -> Result<Value, Stop> {
        let value = self.frame(thread)?.stack.pop();
        value.ok_or_else(|| Stop::GiveUp("an empty stack".to_owned()))
    }

    /// The values on top, in the order in which they were pushed.
    pub(super) fn pop_all(&mut self, thread: usize, count: usize) -> Result<Vec<Value>, Stop> {
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(self.pop(thread)?);
        }
        values.reverse();
        Ok(values)
    }

    /// The number of the frame that somebody outside of the program called.
    fn root_at(&self, thread: usize) -> Option<usize> {
        self.threads.get(thread)?.frames.iter().position(|frame| frame.is_root)
    }

    /// The method that somebody outside of the program called.
    pub(super) fn root(&self, thread: usize) -> Option<MethodId> {
        let at = self.root_at(thread)?;
        self.threads[thread].frames[at].method
    }

    /// A place as users see it: what happens in the library happens where the program calls it.
    pub(super) fn place(&self, thread: usize, span: Span) -> Span {
        let first = self.root_at(thread).map_or(0, |at| at + 1);
        let frames = self.threads[thread].frames.get(first..).unwrap_or(&[]);
        let is_library = |frame: &&Frame<'_, '_>| {
            frame.method.is_some_and(|id| !self.is_checked(self.program().method(id).class))
        };
        frames.iter().find(is_library).map_or(span, |frame| frame.called_at)
    }

    pub(super) fn is_checked(&self, class: ClassId) -> bool {
        self.program().class(class).origin == Origin::Checked
    }

    pub(super) fn failure(&self, thread: usize, code: Fault, span: Span) -> Failure {
        let span = self.place(thread, span);
        let root = self.root(thread).map_or(span, |id| self.program().method(id).span);
        Failure { code, span, declared: None, root, other: None }
    }

    /// A check that fails: an exception if somebody catches it, else the end of the run.
    pub(super) fn fault(
        &mut self,
        thread: usize,
        code: Fault,
        span: Span,
        exception: &str,
    ) -> Stop {
        let class = self.player.class_called(exception);
        match class.filter(|class| self.atomic.is_none() && self.is_caught(thread, *class)) {
            Some(class) => Stop::Thrown(self.store.allocate(Object::Plain(class))),
            None => Stop::Failed(self.failure(thread, code, span)),
        }
    }

    /// Whether an exception of a class is caught before it leaves the method that was called.
    fn is_caught(&self, thread: usize, class: ClassId) -> bool {
        let first = self.root_at(thread).unwrap_or(0);
        let frames = self.threads[thread].frames.get(first..).unwrap_or(&[]);
        let handlers = frames.iter().flat_map(|frame| &frame.handlers);
        let mut catches = handlers.filter_map(|handler| handler.catches.as_ref()).flatten();
        catches.any(|(types, unknown, _)| {
            *unknown || types.iter().any(|caught| self.program().is_subclass(class, *caught))
        })
    }

    /// Whether an object has a type.
    pub(super) fn has_type(&self, object: usize, ty: &Ty) -> bool {
        match (ty, &self.store.objects[object]) {
            (Ty::Array(wanted), Object::Array(element, _)) => {
                **wanted == *element
                    || match (&**wanted, element) {
                        (Ty::Class(wanted), Ty::Class(element)) => {
                            self.program().is_subclass(*element, *wanted)
                        }
                        _ => false,
                    }
            }
            (Ty::Class(class), _) => {
                let own = self.class_of(object);
                Some(*class) == self.program().well_known.object
                    || own.is_some_and(|own| self.program().is_subclass(own, *class))
            }
            _ => false,
        }
    }

    /// The class of an object.
    pub(super) fn class_of(&self, object: usize) -> Option<ClassId> {
        match self.store.objects.get(object)? {
            Object::Plain(class) => Some(*class),
            Object::Text(_) => self.program().well_known.string,
            Object::Array(..) => self.program().well_known.object,
            Object::Class(_) => self.player.class_called("java.lang.Class"),
            Object::Boxed(prim, _) => {
                use crate::tree::Prim;
                self.player.class_called(match prim {
                    Prim::Boolean => "java.lang.Boolean",
                    Prim::Byte => "java.lang.Byte",
                    Prim::Short => "java.lang.Short",
                    Prim::Char => "java.lang.Character",
                    Prim::Int => "java.lang.Integer",
                    Prim::Long => "java.lang.Long",
                    Prim::Float => "java.lang.Float",
                    Prim::Double => "java.lang.Double",
                })
            }
        }
    }

    /// Whether the next instruction of a thread is something that others can notice, or notices
    /// what others do.
    fn is_visible(&self, thread: usize) -> bool {
        let Some(frame) = self.threads[thread].frames.last() else { return true };
        let Some(instr) = frame.code.instrs.get(frame.at) else { return true };
        let is_shared = |depth: usize| {
            let value = frame.stack.len().checked_sub(depth).and_then(|at| frame.stack.get(at));
            let object = value.and_then(Value::object);
            object.is_some_and(|object| self.store.is_shared(object))
        };
        match &instr.op {
            Op::Field(..) | Op::Enter | Op::Exit => is_shared(1),
            Op::PutField(..) | Op::Index(..) => is_shared(2),
            Op::PutIndex(..) => is_shared(3),
            Op::Static(_)
            | Op::PutStatic(_)
            | Op::Assert(_)
            | Op::Assume(_)
            | Op::Set(..)
            | Op::Eval(_)
            | Op::Atomic => true,
            Op::Call(callee) => {
                callee.method.is_some_and(|id| super::library::effect(self.program(), id).is_some())
            }
            Op::Return(_) => frame.is_root,
            _ => false,
        }
    }

    /// One step of a thread. Gives whether it did something: a thread that must wait does nothing.
    pub(super) fn step(&mut self, thread: usize) -> Result<bool, Stop> {
        let before = self.before(thread);
        let span = self.next_place(thread);
        let done = self.act(thread);
        if matches!(done, Err(Stop::Blocked)) {
            self.store.roll_back();
            if let Some(frames) = self.atomic.take() {
                self.threads[thread].frames = frames;
                self.nesting = 0;
            }
            return Ok(false);
        }
        let done = done.and_then(|()| match (self.check_step(thread, span), span) {
            (Err(_), None) => Err(Stop::GiveUp("code outside of the program".to_owned())),
            (checked, _) => checked,
        });
        let changes = self.changed_cells();
        self.store.commit();
        let done = done.and_then(|()| self.run_on(thread));
        self.after(thread, before, (span, changes), done.as_ref().err());
        self.store.commit();
        done.map(|()| true)
    }

    /// The place of the next instruction.
    pub(super) fn next_place(&self, thread: usize) -> Option<Span> {
        let frame = self.threads[thread].frames.last()?;
        if self.threads[thread].wait.is_some() {
            let before = frame.code.instrs.get(frame.at.checked_sub(1)?)?;
            return Some(self.place(thread, before.span));
        }
        let instr = frame.code.instrs.get(frame.at)?;
        let span = match (&instr.op, frame.method) {
            // What is due at the end of a method is told at its head.
            (Op::Return(_), Some(id)) => self.program().method(id).span,
            _ => instr.span,
        };
        Some(self.place(thread, span))
    }

    /// The first instruction of a step, or the whole of what stands between `{{` and `}}`.
    fn act(&mut self, thread: usize) -> Result<(), Stop> {
        if self.threads[thread].wait.is_some() {
            return self.wake(thread).or_else(|stop| self.thrown(thread, stop));
        }
        if self.threads[thread].frames.is_empty() {
            return self.client_step(thread);
        }
        self.instruction(thread)?;
        let mut count = 0;
        while self.atomic.is_some() {
            self.instruction(thread)?;
            count += 1;
            if count > MOST_INSTRUCTIONS {
                return Err(Stop::GiveUp("a step without an end".to_owned()));
            }
        }
        Ok(())
    }

    /// Goes on until the next step begins.
    pub(super) fn run_on(&mut self, thread: usize) -> Result<(), Stop> {
        let mut count = 0;
        while !self.threads[thread].frames.is_empty()
            && self.threads[thread].wait.is_none()
            && !self.is_visible(thread)
        {
            self.instruction(thread)?;
            count += 1;
            if count > MOST_INSTRUCTIONS {
                return Err(Stop::GiveUp("a loop without an end".to_owned()));
            }
        }
        Ok(())
    }

    /// One instruction, with the exception that it may throw.
    pub(super) fn instruction(&mut self, thread: usize) -> Result<(), Stop> {
        self.instructions += 1;
        self.execute(thread).or_else(|stop| self.thrown(thread, stop))
    }

    /// Goes on where an exception is caught.
    fn thrown(&mut self, thread: usize, stop: Stop) -> Result<(), Stop> {
        let Stop::Thrown(exception) = stop else { return Err(stop) };
        let class = self.class_of(exception);
        while let Some(frame) = self.threads[thread].frames.last_mut() {
            while let Some(handler) = frame.handlers.pop() {
                let target = match &handler.catches {
                    None => Some(handler.target),
                    Some(catches) => {
                        let mut found = None;
                        for (types, unknown, target) in catches {
                            let program = self.player.program;
                            let is_it = |caught: &ClassId| {
                                class.is_some_and(|class| program.is_subclass(class, *caught))
                            };
                            if types.iter().any(is_it) {
                                found = Some(*target);
                                break;
                            }
                            if *unknown {
                                let what = "a class of exceptions that is not known";
                                return Err(Stop::GiveUp(what.to_owned()));
                            }
                        }
                        found
                    }
                };
                if let Some(target) = target {
                    frame.stack.truncate(handler.height);
                    frame.stack.push(Value::Ref(exception));
                    frame.at = target;
                    return Ok(());
                }
            }
            if self.is_starting {
                return Err(Stop::GiveUp("a class initializer that fails".to_owned()));
            }
            self.exceptional_end(thread, exception)?;
            self.threads[thread].frames.pop();
        }
        Ok(())
    }
}
