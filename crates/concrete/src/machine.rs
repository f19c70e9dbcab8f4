//! A running program: one step of one thread at a time, in a random order.
//!
//! A thread has the permissions that its contract gave it, so the machine can make every check of
//! the verifier on real values. The first check that fails ends the run: nothing is claimed about
//! later steps. One step is one statement; that is fine enough, since an expression reads at most
//! one location that others may write at the same time; arguments are evaluated one by one.

use crate::eval::{Reads, Scope, unframed_reads};
use crate::fraction::Fraction;
use crate::log::Log;
use crate::state::{
    Failure, Frame, Heap, Held, Key, Mask, Moment, Monitor, Object, Queue, Stop, Thread, Value,
    Work, check,
};
use crate::transfer::{Give, exhale, smallest};
use chalice::Walk;
use chalice::hir::{Assertion, ClassId, Expr, ExprKind, Loc, MethodId, Program, Stmt, Type};
use diagnostic::Code;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All threads ended, except those that wait for something that is not a monitor.
    Finished,
    /// A check failed.
    Failed(Failure),
    /// Threads wait for each other's monitors and messages.
    Deadlock,
    /// In the end the threads have more than all permission to a location: the interpreter is
    /// wrong.
    TooMuch,
    /// It reached the limit on steps.
    Cut,
    /// It did something that the interpreter does not support.
    GaveUp(&'static str),
}

/// A run.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) heap: Heap,
    pub(crate) threads: Vec<Thread<'p>>,
    pub(crate) monitors: BTreeMap<usize, Monitor>,
    pub(crate) queues: BTreeMap<usize, Queue>,
    /// The threads of the tokens.
    pub(crate) tokens: BTreeMap<usize, usize>,
    pub(crate) reads: Reads,
    pub(crate) rng: fastrand::Rng,
    /// Numbers worth trying.
    pub(crate) literals: &'p [i128],
    pub(crate) log: Option<Log>,
}

/// Runs a method, up to a limit on steps. A method that requires nothing runs on any arguments, any
/// other in a state that its precondition allows. Returns how the run ends, after how many steps,
/// and its log if that is wanted.
pub(crate) fn run(
    program: &Program,
    literals: &[i128],
    main: MethodId,
    (seed, most): (u64, usize),
    logged: bool,
) -> (End, usize, Option<Log>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let method = &program.methods[main.index()];
    if method.spec.requires.is_empty() {
        let mut machine = Machine::new(program, literals, rng, logged);
        let this = machine.allocate(method.class);
        let types = method.params.iter().map(|id| &method.locals[id.index()].ty);
        let args = types.map(|ty| machine.any(ty)).collect();
        let read = Fraction::new(1, 1024).unwrap_or(Fraction::ZERO);
        machine.spawn(main, this, args, (Mask::default(), read));
        return machine.run_logged(most);
    }
    for _ in 0..MOST_STARTS {
        let mut machine = Machine::new(program, literals, rng.fork(), logged);
        if machine.start(main).is_some() {
            return machine.run_logged(most);
        }
    }
    (End::GaveUp("no state was found that the precondition allows"), MOST_STARTS, None)
}

/// The numbers in preconditions and their neighbours: worth trying in all runs.
pub(crate) fn literals(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::new();
    let mut look = |expr: &Expr| {
        if let ExprKind::Int(value) = expr.kind {
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    };
    let mut walk = Walk { expr: &mut look, amount: &mut |_| {} };
    program.methods.iter().for_each(|method| walk.assertions(&method.spec.requires));
    found.into_iter().collect()
}

/// Limit on the states that are tried for a start.
const MOST_STARTS: usize = 100;

impl<'p> Machine<'p> {
    /// Nothing has happened yet.
    fn new(
        program: &'p Program,
        literals: &'p [i128],
        mut rng: fastrand::Rng,
        logged: bool,
    ) -> Self {
        let mut part = || Fraction::new(1, 1 << (10 + rng.usize(..3))).unwrap_or(Fraction::ZERO);
        let reads =
            Reads { monitor: part(), predicate: part(), channel: part(), tokens: BTreeMap::new() };
        let null =
            Object { ty: Type::Null, fields: BTreeMap::new(), mu: Fraction::ZERO, joinable: false };
        Self {
            program,
            heap: vec![null],
            threads: Vec::new(),
            monitors: BTreeMap::new(),
            queues: BTreeMap::new(),
            tokens: BTreeMap::new(),
            reads,
            rng,
            literals,
            log: logged.then(Log::default),
        }
    }

    fn run_logged(mut self, most: usize) -> (End, usize, Option<Log>) {
        self.log_start();
        let (end, steps) = self.run(most);
        (end, steps, self.log)
    }

    fn run(&mut self, most: usize) -> (End, usize) {
        let mut steps = 0;
        while steps < most {
            let mut ready: Vec<usize> = (0..self.threads.len()).collect();
            ready.retain(|&at| self.threads[at].outcome.is_none());
            let mut moved = false;
            while !ready.is_empty() && !moved {
                let at = ready.swap_remove(self.rng.usize(..ready.len()));
                // Some threads run for a while.
                for _ in 0..self.rng.choice([1, 1, 1, 2, 5, 20]).unwrap_or(1) {
                    steps += 1;
                    match self.step(at) {
                        Ok(()) => moved = true,
                        Err(Stop::Blocked) => break,
                        Err(Stop::Failed(failure)) => return (End::Failed(failure), steps),
                        Err(Stop::GaveUp(why)) => return (End::GaveUp(why), steps),
                        Err(Stop::Irrelevant) => return (End::Finished, steps),
                    }
                }
            }
            if !moved {
                let end = if self.is_deadlock() { End::Deadlock } else { self.at_end() };
                return (end, steps);
            }
        }
        (End::Cut, steps)
    }

    /// Checks that all threads together have at most all of a location.
    fn at_end(&self) -> End {
        let mut total = Mask::default();
        let frames = self.threads.iter().flat_map(|thread| &thread.frames);
        let mut masks: Vec<&Mask> = frames.clone().map(|frame| &frame.mask).collect();
        masks.extend(frames.flat_map(|frame| &frame.work).filter_map(|work| match work {
            Work::Head(round) | Work::End(round) => Some(&round.outside),
            Work::Stmts(_) => None,
        }));
        masks.extend(self.monitors.values().map(|monitor| &monitor.kept));
        masks.extend(self.queues.values().flatten().map(|(_, mask)| mask));
        masks
            .extend(self.threads.iter().filter_map(|thread| thread.outcome.as_ref()).map(|o| &o.1));
        for mask in masks {
            if let Err(Stop::GaveUp(why)) = total.add_all(mask.clone()) {
                return End::GaveUp(why);
            }
        }
        let too_much = |(key, amount): (&Key, Fraction)| {
            matches!(key, Key::Loc(..)) && amount > Fraction::FULL
        };
        if total.iter().any(too_much) { End::TooMuch } else { End::Finished }
    }

    /// Whether there is a circle of threads each of which waits for a monitor that the next holds,
    /// or for a message that it owes.
    fn is_deadlock(&self) -> bool {
        let next = |at: usize| -> Vec<usize> {
            let Some(object) = self.threads[at].waits_for else { return Vec::new() };
            let keeps = |other: &usize| self.threads[*other].held.blocking().any(|o| o == object);
            (0..self.threads.len()).filter(keeps).collect()
        };
        (0..self.threads.len()).any(|first| {
            let mut reached = BTreeSet::new();
            let mut open = next(first);
            while let Some(at) = open.pop() {
                if reached.insert(at) {
                    open.extend(next(at));
                }
            }
            reached.contains(&first)
        })
    }

    pub(crate) fn frame(&self, at: usize) -> &Frame<'p> {
        self.threads[at].frames.last().expect("a thread that ended takes no step")
    }

    pub(crate) fn frame_mut(&mut self, at: usize) -> &mut Frame<'p> {
        self.threads[at].frames.last_mut().expect("a thread that ended takes no step")
    }

    /// The meaning of names in the current method of a thread.
    pub(crate) fn scope(&self, at: usize) -> Scope<'_> {
        let frame = self.frame(at);
        Scope {
            program: self.program,
            heap: &self.heap,
            held: &self.threads[at].held,
            old: Some(&frame.old),
            this: frame.this,
            locals: &frame.locals,
            result: None,
            read: frame.read,
            reads: &self.reads,
            unframed: false,
            acquired: &self.threads[at].acquired,
            depth: 0,
            joiner: &[],
        }
    }

    pub(crate) fn code(&self, at: usize, expr: &Expr) -> Result<Value, Stop> {
        self.scope(at).code(expr, &self.frame(at).mask)
    }

    /// The value of an expression of the program that stands for an object.
    pub(crate) fn object(&self, at: usize, expr: &Expr) -> Result<usize, Stop> {
        let object = self.code(at, expr)?.reference()?;
        check(object != 0, || Failure::new(Code::NullReceiver, expr.span))?;
        Ok(object)
    }

    /// The state as the thread sees it.
    pub(crate) fn moment(&self, at: usize) -> Rc<Moment> {
        let held = self.threads[at].held.clone();
        Rc::new(Moment { heap: self.heap.clone(), mask: self.frame(at).mask.clone(), held })
    }

    /// A new object, all fields zero.
    pub(crate) fn allocate(&mut self, class: ClassId) -> usize {
        let fields = self.program.classes[class.index()].fields.iter();
        let fields = fields.map(|&id| (id, zero(&self.program.fields[id.index()].ty))).collect();
        self.new_reference(Type::Object(class), fields)
    }

    pub(crate) fn new_reference(
        &mut self,
        ty: Type,
        fields: BTreeMap<chalice::hir::FieldId, Value>,
    ) -> usize {
        self.heap.push(Object { ty, fields, mu: Fraction::ZERO, joinable: false });
        self.heap.len() - 1
    }

    /// Any value of a type.
    pub(crate) fn any(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Int => {
                let near = self.rng.choice(self.literals).filter(|_| self.rng.bool());
                Value::Int(near.copied().unwrap_or_else(|| self.rng.i128(-2..6)))
            }
            Type::Bool => Value::Bool(self.rng.bool()),
            Type::Object(_) => {
                let known = (0..self.heap.len()).filter(|&at| at == 0 || self.heap[at].ty == *ty);
                let known: Vec<usize> = known.collect();
                Value::Ref(self.rng.choice(known).unwrap_or(0))
            }
            other => zero(other),
        }
    }

    /// A small part for `rd` of a contract.
    pub(crate) fn choose_read(
        &mut self,
        parts: &[Assertion],
        mask: &Mask,
    ) -> Result<Fraction, Stop> {
        let part = Fraction::new(1, 1 << (10 + self.rng.usize(..3)))?;
        smallest(parts, mask).min(Fraction::whole(1)?).times(part)
    }

    pub(crate) fn new_frame(
        &mut self,
        id: MethodId,
        this: usize,
        args: Vec<Value>,
        (mask, read): (Mask, Fraction),
    ) -> Frame<'p> {
        let method = &self.program.methods[id.index()];
        let mut locals = vec![None; method.locals.len()];
        for (param, arg) in method.params.iter().zip(args) {
            locals[param.index()] = Some(arg);
        }
        for result in &method.results {
            locals[result.index()] = Some(self.any(&method.locals[result.index()].ty));
        }
        Frame {
            method: id,
            this,
            locals,
            mask,
            old: Rc::default(),
            read,
            work: vec![Work::Stmts(&method.body)],
            results: Vec::new(),
            seen: BTreeMap::new(),
        }
    }

    /// The present state becomes the state at entry.
    pub(crate) fn enter(&mut self, at: usize) {
        let moment = self.moment(at);
        self.frame_mut(at).old = moment;
    }

    pub(crate) fn spawn(
        &mut self,
        id: MethodId,
        this: usize,
        args: Vec<Value>,
        (mask, read): (Mask, Fraction),
    ) -> usize {
        let frame = self.new_frame(id, this, args, (mask, read));
        let method = &self.program.methods[id.index()];
        let class = &self.program.classes[method.class.index()];
        self.log_thread(format!("{}.{}", class.name, method.name));
        self.threads.push(Thread {
            frames: vec![frame],
            held: Held::default(),
            acquired: BTreeMap::new(),
            taken: BTreeMap::new(),
            outcome: None,
            waits_for: None,
            busy: false,
        });
        let at = self.threads.len() - 1;
        self.enter(at);
        at
    }

    /// One step of a thread.
    fn step(&mut self, at: usize) -> Result<(), Stop> {
        if self.threads[at].outcome.is_some() || self.threads[at].busy {
            return Err(Stop::Blocked);
        }
        self.threads[at].waits_for = None;
        self.count_debts(at);
        let before = self.before(at);
        let mut stmt = None;
        let done = self.work(at, &mut stmt);
        self.after(at, before, stmt, &done);
        done
    }

    /// One piece of a thread's work; returns the statement, if it is one.
    fn work(&mut self, at: usize, stmt: &mut Option<&'p Stmt>) -> Result<(), Stop> {
        let Some(work) = self.frame_mut(at).work.pop() else { return self.end_method(at) };
        match work {
            Work::Stmts([]) => Ok(()),
            Work::Stmts(stmts) => {
                *stmt = stmts.first();
                self.frame_mut(at).work.push(Work::Stmts(&stmts[1..]));
                let done = self.stmt(at, &stmts[0]);
                if done == Err(Stop::Blocked) {
                    self.frame_mut(at).work.pop();
                    self.frame_mut(at).work.push(Work::Stmts(stmts));
                }
                done
            }
            Work::Head(round) => self.head(at, round),
            Work::End(round) => self.end_round(at, round),
        }
    }

    /// The values of expressions that are evaluated one after the other: between two that read
    /// volatile fields, others take steps.
    pub(crate) fn codes(&mut self, at: usize, exprs: &[&Expr]) -> Result<Vec<Value>, Stop> {
        let mut values = Vec::new();
        for (index, expr) in exprs.iter().enumerate() {
            if index > 0 && unframed_reads(self.program, expr) > 0 {
                self.threads[at].busy = true;
                for _ in 0..self.rng.usize(..8) {
                    let other = self.rng.usize(..self.threads.len());
                    match self.step(other) {
                        Ok(()) | Err(Stop::Blocked) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                self.threads[at].busy = false;
            }
            values.push(self.code(at, expr)?);
        }
        Ok(values)
    }

    fn count_debts(&mut self, at: usize) {
        let mut owed = BTreeSet::new();
        for frame in &self.threads[at].frames {
            owed.extend(frame.mask.owed());
            for work in &frame.work {
                if let Work::Head(round) | Work::End(round) = work {
                    owed.extend(round.outside.owed());
                }
            }
        }
        self.threads[at].held.owed = owed;
    }

    /// Takes the permissions of an assertion from the thread.
    pub(crate) fn give(
        &mut self,
        at: usize,
        take: impl FnOnce(Scope<'_>, &mut Mask) -> Result<Mask, Stop>,
    ) -> Result<Mask, Stop> {
        let mut mask = std::mem::take(&mut self.frame_mut(at).mask);
        let given = take(self.scope(at), &mut mask)?;
        self.frame_mut(at).mask = mask;
        Ok(given)
    }

    /// Gives permissions to the thread.
    pub(crate) fn receive_all(&mut self, at: usize, given: Mask) -> Result<(), Stop> {
        let held = self.threads[at].held.clone();
        let frame = self.frame_mut(at);
        for (key, _) in given.iter() {
            // Without permission to `mu`, another thread may have unshared the object and shared it
            // again.
            if let Key::Loc(object, Loc::Mu) = key
                && !frame.mask.get(key).is_positive()
                && !held.has(*object)
            {
                frame.seen.remove(object);
            }
        }
        frame.mask.add_all(given)
    }

    /// Ends the method: checks its postcondition and the monitors it holds.
    fn end_method(&mut self, at: usize) -> Result<(), Stop> {
        let id = self.frame(at).method;
        let method = &self.program.methods[id.index()];
        let how = Give {
            framed: true,
            may_owe: true,
            ..Give::new(method.end, Code::PostconditionFailed)
        };
        let ensures = &method.spec.ensures;
        let given = self.give(at, |scope, mask| exhale(&scope, ensures, mask, &how))?;
        let old = self.frame(at).old.clone();
        let scope = Scope { heap: &old.heap, ..self.scope(at) };
        let named = method.spec.lockchange.iter().map(|expr| scope.value(expr, None)?.reference());
        let named: Vec<usize> = named.collect::<Result<_, _>>()?;
        let kept = crate::loops::same_but(&old.held, &self.threads[at].held, &named);
        check(kept, || Failure::new(Code::LockchangeViolated, method.end))?;
        let owes = self.frame(at).mask.owed().next().is_some();
        check(!owes, || Failure::new(Code::MessageOwed, method.end))?;
        let frame = self.threads[at].frames.pop().expect("a method that runs");
        let results = method.results.iter().filter_map(|id| frame.locals[id.index()].clone());
        let results: Vec<Value> = results.collect();
        if self.threads[at].frames.is_empty() {
            self.threads[at].outcome = Some((results, given));
            return Ok(());
        }
        for (local, value) in frame.results.iter().zip(results) {
            self.frame_mut(at).locals[local.index()] = Some(value);
        }
        self.receive_all(at, given)
    }

    fn stmt(&mut self, at: usize, stmt: &'p Stmt) -> Result<(), Stop> {
        crate::steps::step(self, at, stmt)
    }
}

/// The value that a new field of a type has.
pub(crate) fn zero(ty: &Type) -> Value {
    match ty {
        Type::Int => Value::Int(0),
        Type::Bool => Value::Bool(false),
        Type::Str => Value::Text(String::new()),
        Type::Mu => Value::Position(Fraction::ZERO),
        Type::Seq(_) => Value::Seq(Vec::new()),
        Type::Object(_) | Type::Channel(_) | Type::Token(_) | Type::Null | Type::Unsupported => {
            Value::Ref(0)
        }
    }
}
