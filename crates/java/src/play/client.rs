//! Code outside of the program, drawn by lot: it makes objects and calls methods on them.

use super::formula::Scope;
use super::machine::{Gives, Machine, Stop};
use super::player::Started;
use super::store::{Cell, Object, Value};
use crate::tree::{BinaryOp, Prim};
use crate::typed::{ClassId, ClassKind, Expr, ExprKind, Formula, MethodId, Program, Ty};
use source::{FileId, Name, Span};
use std::collections::BTreeSet;

/// What the code outside of the program may call.
pub(super) struct Choice<'c> {
    /// Whether a method may be called.
    pub(super) may: &'c dyn Fn(MethodId) -> bool,
    /// The method that the run is about.
    pub(super) about: Option<MethodId>,
}

impl Machine<'_, '_> {
    /// Begins where all class initializers have run.
    pub(super) fn start_program(&mut self) -> Result<(), Stop> {
        let player = self.player;
        let started = player.started.get_or_init(|| Machine::new(player, 0, false).initialized());
        let Started { store, initialized, instructions } = started.clone()?;
        self.new_thread(None);
        (self.store, self.initialized, self.instructions) = (store, initialized, instructions);
        self.is_starting = false;
        Ok(())
    }

    /// Runs class initializers, one after the other.
    fn initialized(mut self) -> Result<Started, Stop> {
        let main = self.new_thread(None);
        let program = self.program();
        for (at, field) in program.fields.iter().enumerate() {
            let id = crate::typed::FieldId::from_index(at);
            let value = match &field.constant {
                Some(crate::typed::Constant::Int(value)) => Value::Int(*value),
                Some(crate::typed::Constant::Bool(value)) => Value::Bool(*value),
                Some(crate::typed::Constant::Text(text)) => Value::Ref(self.store.text(text)),
                None => continue,
            };
            if field.is_static {
                self.store.put(Cell::Static(id), value);
            }
        }
        for class in program.class_ids() {
            let done = self.initialize(main, class).and_then(|_| self.run_initializers(main));
            if self.is_checked(class) {
                done?;
            }
            self.threads[main].frames.clear();
        }
        self.store.commit();
        let Self { store, initialized, instructions, .. } = self;
        Ok(Started { store, initialized, instructions })
    }

    fn run_initializers(&mut self, main: usize) -> Result<(), Stop> {
        while !self.threads[main].frames.is_empty() {
            self.instruction(main)?;
            if self.instructions > 20_000 {
                return Err(Stop::GiveUp("a class initializer without an end".to_owned()));
            }
        }
        Ok(())
    }

    /// The classes whose objects a run needs, those that others are made of first.
    pub(super) fn needed(&mut self, class: ClassId, into: &mut Vec<ClassId>, depth: usize) {
        if depth == 0 || into.contains(&class) {
            return;
        }
        let program = self.program();
        let mut types: Vec<Ty> = Vec::new();
        for method in &program.class(class).methods {
            types.extend(program.method(*method).params.iter().cloned());
        }
        let outer = program.class(class).outer_field;
        types.extend(outer.map(|field| program.field(field).ty.clone()));
        for ty in types {
            let ty = match ty {
                Ty::Array(element) => *element,
                ty => ty,
            };
            if let Ty::Class(wanted) = ty {
                let made = self.player.made.iter().copied();
                let is_it = |one: &ClassId| *one != class && program.is_subclass(*one, wanted);
                let mut fits: Vec<ClassId> = made.filter(is_it).collect();
                if !self.is_checked(wanted) && simple_constructor(program, wanted).is_some() {
                    fits.push(wanted);
                }
                if let Some(one) = self.one_of(&fits) {
                    if self.is_checked(one) {
                        self.needed(one, into, depth - 1);
                    } else if !into.contains(&one) {
                        into.push(one);
                    }
                }
            }
        }
        into.push(class);
    }

    /// Begins to make an object with arguments drawn by lot.
    pub(super) fn make(
        &mut self,
        thread: usize,
        class: ClassId,
        choice: &Choice<'_>,
    ) -> Result<(), Stop> {
        let program = self.program();
        let about = program.class(class);
        let fits = |id: &&MethodId| {
            let method = program.method(**id);
            method.is_constructor && !method.is_private && (choice.may)(**id)
        };
        let constructors: Vec<MethodId> = if self.is_checked(class) {
            about.methods.iter().filter(fits).copied().collect()
        } else {
            simple_constructor(program, class).into_iter().collect()
        };
        let Some(constructor) = self.one_of(&constructors) else { return Ok(()) };
        for _ in 0..6 {
            let params = &program.method(constructor).params;
            let args: Vec<Value> = params.iter().map(|ty| self.argument(ty)).collect();
            let outer = about.outer_field.map(|field| (field, program.field(field).ty.clone()));
            let outer = outer.map(|(field, ty)| (field, self.argument(&ty)));
            if outer.as_ref().is_some_and(|(_, value)| *value == Value::Null) {
                return Ok(());
            }
            if !self.may_call(thread, constructor, None, &args) {
                continue;
            }
            let object = self.store.allocate(Object::Plain(class));
            if let Some((field, value)) = outer {
                self.store.put(Cell::Field(object, field), value);
            }
            self.log_call(thread, constructor, Some(object), &args);
            let gives = Gives::Object(object);
            let span = program.method(constructor).span;
            return self.enter_method(thread, constructor, (Some(object), args), (gives, span));
        }
        Ok(())
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.lot.usize(..all.len())]) }
    }

    /// A small value of a type.
    fn argument(&mut self, ty: &Ty) -> Value {
        match ty {
            Ty::Prim(Prim::Boolean) => Value::Bool(self.lot.bool()),
            Ty::Prim(Prim::Float | Prim::Double) => Value::Fraction,
            Ty::Prim(Prim::Char) => Value::Int(self.lot.i128(97..100)),
            Ty::Prim(_) => Value::Int(self.lot.i128(-1..=3)),
            Ty::Array(element) => {
                if self.lot.u8(..) < 24 {
                    return Value::Null;
                }
                let length = self.lot.usize(..4);
                let array = self.store.allocate(Object::Array((**element).clone(), length));
                for at in 0..length {
                    let value = self.argument(element);
                    self.store.put(Cell::Element(array, at), value);
                }
                self.store.publish(array);
                Value::Ref(array)
            }
            Ty::Class(class) if Some(*class) == self.program().well_known.string => {
                let text = Name::from(["a", "b"][self.lot.usize(..2)]);
                // Equal texts need not be the same object.
                let is_new = self.lot.bool();
                Value::Ref(if is_new {
                    self.store.allocate(Object::Text(text))
                } else {
                    self.store.text(&text)
                })
            }
            Ty::Class(_) => {
                if self.lot.u8(..) < 24 {
                    return Value::Null;
                }
                let pool = self.pool.clone();
                let fits: Vec<usize> =
                    pool.into_iter().filter(|object| self.has_type(*object, ty)).collect();
                self.one_of(&fits).map_or(Value::Null, Value::Ref)
            }
            _ => Value::Null,
        }
    }

    /// Whether a method may be called: what it requires holds.
    fn may_call(
        &self,
        thread: usize,
        method: MethodId,
        this: Option<usize>,
        args: &[Value],
    ) -> bool {
        let spec = &self.program().method(method).spec;
        let is_null = |at: &usize| args.get(*at) == Some(&Value::Null);
        let scope = Scope { this, locals: args, tid: thread, ..Scope::default() };
        !spec.non_null_params.iter().any(is_null)
            && spec.requires.iter().all(|formula| self.holds(formula, &scope) == Some(true))
    }

    /// What a thread that stands for code outside of the program does between its calls.
    pub(super) fn client_step(&mut self, thread: usize) -> Result<(), Stop> {
        if let Some(object) = self.threads[thread].held.pop() {
            return self.exit(thread, object, nowhere());
        }
        if self.threads[thread].calls == 0 {
            self.threads[thread].has_ended = true;
            return Ok(());
        }
        self.threads[thread].calls -= 1;
        for _ in 0..12 {
            if self.try_call(thread)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Begins a call drawn by lot, if it is allowed now.
    fn try_call(&mut self, thread: usize) -> Result<bool, Stop> {
        let program = self.program();
        let Some(method) = self.one_of(&self.callable.clone()) else { return Ok(false) };
        let about = program.method(method);
        let this = if about.is_static {
            None
        } else {
            let pool = self.pool.clone();
            let ty = Ty::Class(about.class);
            let fits = |object: &usize| {
                self.has_type(*object, &ty) && self.target(method, *object) == method
            };
            let fits: Vec<usize> = pool.into_iter().filter(fits).collect();
            match self.one_of(&fits) {
                Some(object) => Some(object),
                None => return Ok(false),
            }
        };
        if about.name.as_str() == "start" && !self.is_checked(about.class) {
            let Some(object) = this else { return Ok(false) };
            if self.store.get(&Cell::Started(object)) == Some(&Value::Bool(true)) {
                return Ok(false);
            }
            let before = self.threads.len();
            self.start(thread, object, nowhere())?;
            // Code outside of the program keeps to what the program relies on.
            if self.check_step(thread, Some(nowhere())).is_err() {
                self.store.roll_back();
                self.threads.truncate(before);
                return Ok(false);
            }
            self.log_call(thread, method, this, &[]);
            return Ok(true);
        }
        let args: Vec<Value> = about.params.iter().map(|ty| self.argument(ty)).collect();
        if !self.may_call(thread, method, this, &args) {
            self.hold_required(thread, method, this, &args);
            if !self.may_call(thread, method, this, &args) {
                while let Some(object) = self.threads[thread].held.pop() {
                    self.exit(thread, object, nowhere())?;
                }
                return Ok(false);
            }
        }
        self.log_call(thread, method, this, &args);
        self.enter_method(thread, method, (this, args), (Gives::Result, about.span))?;
        Ok(true)
    }

    /// Enters the monitors that a method requires its callers to hold.
    fn hold_required(
        &mut self,
        thread: usize,
        method: MethodId,
        this: Option<usize>,
        args: &[Value],
    ) {
        let mut locks = BTreeSet::new();
        let scope = Scope { this, locals: args, tid: thread, ..Scope::default() };
        for formula in &self.program().method(method).spec.requires {
            for lock in held_in(formula) {
                let object = self.eval(lock, &scope).and_then(|value| value.object());
                locks.extend(object);
            }
        }
        for object in locks {
            if self.store.holder(object).is_none() && self.enter(thread, object).is_ok() {
                self.threads[thread].held.push(object);
            }
        }
    }

    /// What a call gave is known outside of the program from now on.
    pub(super) fn take(&mut self, value: Value) {
        if let Value::Ref(object) = value
            && matches!(self.store.objects[object], Object::Plain(_) | Object::Array(..))
        {
            self.store.publish(object);
            if !self.pool.contains(&object) {
                self.pool.push(object);
            }
        }
    }
}

/// The constructor of a class of the library that needs nothing.
fn simple_constructor(program: &Program, class: ClassId) -> Option<MethodId> {
    let about = program.class(class);
    if about.is_abstract || about.kind != ClassKind::Class {
        return None;
    }
    let is_simple = |id: &&MethodId| {
        let method = program.method(**id);
        method.is_constructor && method.params.is_empty() && method.body.is_some()
    };
    about.methods.iter().find(is_simple).copied()
}

/// The place of code that is not there.
fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

/// The locks `e` of the parts `e.holder == tid` of a formula.
fn held_in(formula: &Formula) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut parts = vec![&formula.expr];
    while let Some(part) = parts.pop() {
        match &part.kind {
            ExprKind::Binary(BinaryOp::And, one, other) => parts.extend([&**one, &**other]),
            ExprKind::Binary(BinaryOp::Eq, one, other) => {
                if let (ExprKind::Holder(lock), ExprKind::Tid)
                | (ExprKind::Tid, ExprKind::Holder(lock)) = (&one.kind, &other.kind)
                {
                    found.push(&**lock);
                }
            }
            _ => {}
        }
    }
    found
}
