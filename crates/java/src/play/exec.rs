//! What each instruction does.

use super::code::Op;
use super::machine::{Gives, Machine, Stop};
use super::operators;
use super::store::{Cell, Object, Value};
use crate::typed::{SwitchLabel, Ty};
use diagnostic::Code;
use source::{Name, Span};

const NULL: &str = "java.lang.NullPointerException";

impl<'a, 'p> Machine<'a, 'p> {
    /// The next instruction of a thread. A thread that is blocked stays where it is.
    pub(super) fn execute(&mut self, thread: usize) -> Result<(), Stop> {
        let frame = self.frame(thread)?;
        let code = frame.code;
        let Some(instr) = code.instrs.get(frame.at) else {
            return Err(Stop::GiveUp("code without an end".to_owned()));
        };
        frame.at += 1;
        let done = self.op(thread, &instr.op, instr.span);
        if matches!(done, Err(Stop::Blocked)) {
            self.frame(thread)?.at -= 1;
        }
        done
    }

    fn op(&mut self, thread: usize, op: &'a Op<'p>, span: Span) -> Result<(), Stop> {
        match op {
            Op::Push(_) | Op::Text(_) | Op::ClassObject(_) | Op::Load(_) | Op::Store(_) => {
                self.move_op(thread, op)
            }
            Op::This | Op::Pop | Op::Dup | Op::Dup2 => self.move_op(thread, op),
            Op::Field(..)
            | Op::PutField(..)
            | Op::Static(_)
            | Op::PutStatic(_)
            | Op::Index(..)
            | Op::PutIndex(..)
            | Op::Length(_) => self.store_op(thread, op, span),
            Op::Call(callee) => self.call(thread, callee, span),
            Op::New { class, constructor, args, captured } => {
                self.new_object(thread, (*class, *constructor), (*args, captured), span)
            }
            Op::Construct(constructor, count) => {
                let args = self.pop_all(thread, *count)?;
                let this = self.frame(thread)?.this;
                self.construct(thread, *constructor, (this, args), (Gives::Nothing, span))
            }
            Op::NewArray(..) | Op::ArrayOf(..) => self.array_op(thread, op),
            Op::Unary(..) | Op::Binary(..) | Op::Concat(_) | Op::Convert(..) | Op::Box(_) => {
                self.value_op(thread, op, span)
            }
            Op::Unbox(..) | Op::Cast(_) | Op::InstanceOf(..) | Op::Fits(_) => {
                self.value_op(thread, op, span)
            }
            Op::MustExist(at) => {
                let value = self.pop(thread)?;
                self.must_exist(thread, &value, Some(*at))?;
                self.push(thread, value)
            }
            Op::Jump(_)
            | Op::JumpIf(..)
            | Op::Handle(_)
            | Op::Unhandle
            | Op::Throw(_)
            | Op::Return(_) => self.control_op(thread, op),
            Op::Enter => self.enter_op(thread),
            Op::Exit => {
                let object = self.pop(thread)?.object();
                self.exit(thread, object.unwrap_or_default(), span)
            }
            Op::Check | Op::Eval(_) | Op::Assert(_) | Op::Assume(_) | Op::Set(..) => {
                self.annotation_op(thread, op, span)
            }
            Op::Atomic => {
                self.begin_atomic(thread);
                Ok(())
            }
            Op::EndAtomic => {
                self.nesting = self.nesting.saturating_sub(1);
                if self.nesting == 0 {
                    self.atomic = None;
                }
                Ok(())
            }
            Op::Unsupported(what) => Err(Stop::GiveUp((*what).to_owned())),
        }
    }

    /// From here on, everything is one step.
    fn begin_atomic(&mut self, thread: usize) {
        self.nesting += 1;
        if self.atomic.is_none() {
            let mut frames = self.threads[thread].frames.clone();
            if let Some(frame) = frames.last_mut() {
                frame.at -= 1;
            }
            self.atomic = Some(frames);
        }
    }

    fn move_op(&mut self, thread: usize, op: &Op<'_>) -> Result<(), Stop> {
        let value = match op {
            Op::Push(value) => value.clone(),
            Op::Text(text) => Value::Ref(self.store.text(text)),
            Op::ClassObject(ty) => Value::Ref(self.store.class_object(ty)),
            Op::Load(local) => {
                let value = self.frame(thread)?.locals.get(*local).cloned();
                value.unwrap_or(Value::Null)
            }
            Op::This => self.frame(thread)?.this.map_or(Value::Null, Value::Ref),
            Op::Store(local) => {
                let value = self.pop(thread)?;
                if let Some(place) = self.frame(thread)?.locals.get_mut(*local) {
                    *place = value;
                }
                return Ok(());
            }
            Op::Pop => return self.pop(thread).map(|_| ()),
            Op::Dup2 => {
                let two = self.pop_all(thread, 2)?;
                let frame = self.frame(thread)?;
                frame.stack.extend(two.iter().cloned());
                frame.stack.extend(two);
                return Ok(());
            }
            _ => {
                let value = self.pop(thread)?;
                self.push(thread, value.clone())?;
                value
            }
        };
        self.push(thread, value)
    }

    /// The object that a value refers to; `null` is a fault unless there is no place for it.
    pub(super) fn must_exist(
        &mut self,
        thread: usize,
        value: &Value,
        span: Option<Span>,
    ) -> Result<usize, Stop> {
        match (value, span) {
            (Value::Ref(object), _) => Ok(*object),
            (_, Some(span)) => Err(self.fault(thread, Code::NullReceiver, span, NULL)),
            (_, None) => Err(Stop::GiveUp("an object that is missing".to_owned())),
        }
    }

    fn store_op(&mut self, thread: usize, op: &Op<'_>, span: Span) -> Result<(), Stop> {
        match op {
            Op::Field(field, at) => {
                let object = self.pop(thread)?;
                let object = self.must_exist(thread, &object, *at)?;
                let value = self.read_field(thread, Some(object), *field, span)?;
                self.push(thread, value)
            }
            Op::PutField(field, at) => {
                let value = self.pop(thread)?;
                let object = self.pop(thread)?;
                let object = self.must_exist(thread, &object, *at)?;
                self.write_field(thread, Some(object), *field, (value.clone(), span))?;
                self.push(thread, value)
            }
            Op::Static(field) => {
                if self.initialize(thread, self.program().field(*field).class)? {
                    self.frame_below(thread)?.at -= 1;
                    return Ok(());
                }
                let value = self.read_field(thread, None, *field, span)?;
                self.push(thread, value)
            }
            Op::PutStatic(field) => {
                let value = self.pop(thread)?;
                self.write_field(thread, None, *field, (value.clone(), span))?;
                self.push(thread, value)
            }
            Op::Index(array, index) => {
                let at = self.pop(thread)?;
                let of = self.pop(thread)?;
                let cell = self.element(thread, (&of, *array), (&at, *index))?;
                let value = self.read_element(thread, &cell, span)?;
                self.push(thread, value)
            }
            Op::PutIndex(array, index) => {
                let value = self.pop(thread)?;
                let at = self.pop(thread)?;
                let of = self.pop(thread)?;
                let cell = self.element(thread, (&of, *array), (&at, *index))?;
                self.write_element(thread, cell, (value.clone(), span))?;
                self.push(thread, value)
            }
            Op::Length(at) => {
                let array = self.pop(thread)?;
                let array = self.must_exist(thread, &array, Some(*at))?;
                let length = self.store.length(array);
                let length = length.ok_or_else(|| Stop::GiveUp("a length".to_owned()))?;
                self.push(thread, Value::Int(i128::try_from(length).unwrap_or(i128::MAX)))
            }
            _ => Ok(()),
        }
    }

    fn array_op(&mut self, thread: usize, op: &Op<'_>) -> Result<(), Stop> {
        match op {
            Op::NewArray(sizes, ty, size) => {
                let lengths = self.pop_all(thread, *sizes)?;
                let (Ty::Array(element), [Value::Int(length)]) = (ty, lengths.as_slice()) else {
                    return Err(Stop::GiveUp("an array with several dimensions".to_owned()));
                };
                if *length < 0 {
                    let exception = "java.lang.NegativeArraySizeException";
                    return Err(self.fault(thread, Code::NegativeSize, *size, exception));
                }
                if *length > 1_000 {
                    return Err(Stop::GiveUp("a large array".to_owned()));
                }
                let length = usize::try_from(*length).unwrap_or(0);
                let array = self.store.allocate(Object::Array((**element).clone(), length));
                self.push(thread, Value::Ref(array))
            }
            Op::ArrayOf(count, ty) => {
                let values = self.pop_all(thread, *count)?;
                let Ty::Array(element) = ty else {
                    return Err(Stop::GiveUp("an array whose type is not known".to_owned()));
                };
                let array = self.store.allocate(Object::Array((**element).clone(), *count));
                for (at, value) in values.into_iter().enumerate() {
                    self.store.put(Cell::Element(array, at), value);
                }
                self.push(thread, Value::Ref(array))
            }
            _ => Ok(()),
        }
    }

    fn value_op(&mut self, thread: usize, op: &Op<'_>, span: Span) -> Result<(), Stop> {
        let value = match op {
            Op::Unary(op, ty) => operators::unary(*op, self.pop(thread)?, ty)?,
            Op::Binary(op, ty) => {
                let other = self.pop(thread)?;
                let one = self.pop(thread)?;
                match operators::binary(*op, one, other, ty)? {
                    Some(value) => value,
                    None => {
                        let exception = "java.lang.ArithmeticException";
                        return Err(self.fault(thread, Code::DivisionByZero, span, exception));
                    }
                }
            }
            Op::Concat(count) => {
                let parts = self.pop_all(thread, *count)?;
                let parts: Vec<String> = parts.iter().map(|part| self.text_of(part)).collect();
                let text = Name::from(parts.concat().as_str());
                Value::Ref(self.store.allocate(Object::Text(text)))
            }
            Op::Convert(from, to) => operators::convert(self.pop(thread)?, from, to)?,
            Op::Box(ty) => {
                let value = self.pop(thread)?;
                match ty {
                    Ty::Prim(prim) => Value::Ref(self.store.boxed(*prim, value)),
                    _ => return Err(Stop::GiveUp("a box".to_owned())),
                }
            }
            Op::Unbox(at) => {
                let value = self.pop(thread)?;
                let object = self.must_exist(thread, &value, Some(*at))?;
                match &self.store.objects[object] {
                    Object::Boxed(_, value) => value.clone(),
                    _ => return Err(Stop::GiveUp("an object that is no box".to_owned())),
                }
            }
            Op::Cast(ty) => {
                let value = self.pop(thread)?;
                let is_safe = value.object().is_none_or(|object| self.has_type(object, ty));
                match ty {
                    _ if is_safe => value,
                    Ty::Class(_) => {
                        let exception = "java.lang.ClassCastException";
                        return Err(self.fault(thread, Code::BadCast, span, exception));
                    }
                    _ => return Err(Stop::GiveUp("a cast of an array".to_owned())),
                }
            }
            Op::InstanceOf(ty, local) => {
                let value = self.pop(thread)?;
                let is_it = value.object().is_some_and(|object| self.has_type(object, ty));
                if let (true, Some(local)) = (is_it, local) {
                    self.set_local(thread, local.index(), value)?;
                }
                Value::Bool(is_it)
            }
            Op::Fits(label) => self.fits(thread, label)?,
            _ => return Ok(()),
        };
        self.push(thread, value)
    }

    fn set_local(&mut self, thread: usize, local: usize, value: Value) -> Result<(), Stop> {
        if let Some(place) = self.frame(thread)?.locals.get_mut(local) {
            *place = value;
        }
        Ok(())
    }

    /// Whether a value fits a label of a case.
    fn fits(&mut self, thread: usize, label: &SwitchLabel) -> Result<Value, Stop> {
        Ok(Value::Bool(match label {
            SwitchLabel::Default => false,
            SwitchLabel::Value(_) | SwitchLabel::Constant(_) => {
                let constant = self.pop(thread)?;
                let value = self.pop(thread)?;
                value == constant || self.is_same_content(&value, &constant)
            }
            SwitchLabel::Type(ty, local) => {
                let value = self.pop(thread)?;
                let is_it = value.object().is_some_and(|object| self.has_type(object, ty));
                if let (true, Some(local)) = (is_it, local) {
                    self.set_local(thread, local.index(), value)?;
                }
                is_it
            }
            SwitchLabel::Unsupported(what) => return Err(Stop::GiveUp(what.clone())),
        }))
    }

    /// Whether two values are texts or boxes that say the same.
    pub(super) fn is_same_content(&self, one: &Value, other: &Value) -> bool {
        let (Value::Ref(one), Value::Ref(other)) = (one, other) else { return false };
        match (&self.store.objects[*one], &self.store.objects[*other]) {
            (Object::Text(one), Object::Text(other)) => one == other,
            (Object::Boxed(prim, one), Object::Boxed(of, other)) => prim == of && one == other,
            _ => false,
        }
    }

    /// A value as part of a text.
    fn text_of(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Int(value) => value.to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Ref(object) => match &self.store.objects[*object] {
                Object::Text(text) => text.to_string(),
                Object::Boxed(_, value) => self.text_of(value),
                _ => format!("#{object}"),
            },
            _ => String::new(),
        }
    }

    fn control_op(&mut self, thread: usize, op: &Op<'_>) -> Result<(), Stop> {
        match op {
            Op::Jump(target) => self.frame(thread)?.at = *target,
            Op::JumpIf(wanted, target) => {
                let value = self.pop(thread)?.bool();
                let value = value.ok_or_else(|| {
                    Stop::GiveUp("a comparison of numbers with fractions".to_owned())
                })?;
                if value == *wanted {
                    self.frame(thread)?.at = *target;
                }
            }
            Op::Handle(handler) => self.frame(thread)?.handlers.push(handler.clone()),
            Op::Unhandle => {
                self.frame(thread)?.handlers.pop();
            }
            Op::Throw(at) => {
                let value = self.pop(thread)?;
                let thrown = self.must_exist(thread, &value, *at)?;
                return Err(Stop::Thrown(thrown));
            }
            Op::Return(has_value) => {
                let value = if *has_value { self.pop(thread)? } else { Value::Null };
                return self.finish(thread, value);
            }
            _ => {}
        }
        Ok(())
    }

    fn asserted(&self, thread: usize, holds: Option<bool>, span: Span) -> Result<(), Stop> {
        match holds {
            Some(false) => Err(Stop::Failed(self.failure(thread, Code::AssertionFailed, span))),
            _ => Ok(()),
        }
    }

    fn annotation_op(&mut self, thread: usize, op: &Op<'_>, span: Span) -> Result<(), Stop> {
        match op {
            Op::Check => {
                let holds = self.pop(thread)?.bool();
                return self.asserted(thread, holds, span);
            }
            Op::Eval(expr) => {
                let value = self.eval(expr, &self.scope(thread, None));
                let value = value.ok_or_else(|| Stop::GiveUp("a formula".to_owned()))?;
                self.push(thread, value)?;
            }
            Op::Assert(formula) => {
                let holds = self.holds(formula, &self.scope(thread, None));
                return self.asserted(thread, holds, span);
            }
            Op::Assume(formula) => match self.holds(formula, &self.scope(thread, None)) {
                Some(true) => {}
                Some(false) => return Err(Stop::Blocked),
                None => return Err(Stop::GiveUp("a formula".to_owned())),
            },
            Op::Set(place, formula) => {
                let value = self.eval(&formula.expr, &self.scope(thread, None));
                let value = value.ok_or_else(|| Stop::GiveUp("a formula".to_owned()))?;
                self.set_ghost(thread, place, value)?;
            }
            _ => {}
        }
        Ok(())
    }
}
