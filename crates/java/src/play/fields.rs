//! Reads and writes of fields and elements, with what must hold there.

use super::machine::{Machine, Stop};
use super::store::{Cell, Object, Value};
use crate::tree::Guard;
use crate::typed::{Expr, ExprKind, FieldId, Origin, Place, Ty};
use diagnostic::Code;
use source::Span;

impl Machine<'_, '_> {
    pub(super) fn read_field(
        &mut self,
        thread: usize,
        object: Option<usize>,
        field: FieldId,
        span: Span,
    ) -> Result<Value, Stop> {
        let cell = cell(object, field);
        self.access(thread, (object, field), false, span)?;
        if let Some(value) = self.store.get(&cell) {
            return Ok(value.clone());
        }
        let about = self.program().field(field);
        let is_library = self.program().class(about.class).origin == Origin::Library;
        match &about.ty {
            // An object of the library, such as `System.out`.
            Ty::Class(class) if about.is_static && is_library => {
                let made = self.store.allocate(Object::Plain(*class));
                self.store.publish(made);
                self.store.put(cell, Value::Ref(made));
                Ok(Value::Ref(made))
            }
            ty => Ok(Value::zero(ty)),
        }
    }

    pub(super) fn write_field(
        &mut self,
        thread: usize,
        object: Option<usize>,
        field: FieldId,
        (value, span): (Value, Span),
    ) -> Result<(), Stop> {
        self.access(thread, (object, field), true, span)?;
        if object.is_none_or(|object| self.store.is_shared(object))
            && let Value::Ref(stored) = value
        {
            self.store.publish(stored);
        }
        self.store.put(cell(object, field), value);
        Ok(())
    }

    /// What must hold where a field is accessed that others may know, and what follows from it.
    fn access(
        &mut self,
        thread: usize,
        (object, field): (Option<usize>, FieldId),
        is_write: bool,
        span: Span,
    ) -> Result<(), Stop> {
        if self.is_starting || object.is_some_and(|object| !self.store.is_shared(object)) {
            return Ok(());
        }
        self.guarded(thread, (object, field), is_write, span)?;
        let cell = cell(object, field);
        if self.player.orders(field) {
            self.acquire(thread, &cell);
            if is_write {
                self.release(thread, &cell);
            }
            return Ok(());
        }
        if self.program().field(field).is_final {
            return Ok(());
        }
        self.note_access(thread, &cell, is_write, span)
    }

    /// That the locks of a field are held, if it is written which these are.
    fn guarded(
        &mut self,
        thread: usize,
        (object, field): (Option<usize>, FieldId),
        is_write: bool,
        span: Span,
    ) -> Result<(), Stop> {
        let about = self.program().field(field);
        let Some(first) = about.spec.guards.first() else { return Ok(()) };
        let mut locks = about.spec.guards.iter().flat_map(|guarding| &guarding.locks);
        if !is_write && locks.any(|lock| is_field(lock, field)) {
            // Perhaps the object is only locked here.
            return Ok(());
        }
        let scope = super::formula::Scope { this: object, tid: thread, ..Default::default() };
        let mut held = Vec::new();
        for lock in about.spec.guards.iter().flat_map(|guarding| &guarding.locks) {
            let Some(lock) = self.eval(lock, &scope).and_then(|value| value.object()) else {
                return Ok(());
            };
            if self.is_semaphore(lock) {
                return Ok(());
            }
            held.push(self.holds_lock(thread, lock, is_write));
        }
        let is_right = match first.kind {
            Guard::OneForReads if !is_write => held.iter().any(|held| *held),
            Guard::OneForReads | Guard::All => held.iter().all(|held| *held),
        };
        if is_right {
            return Ok(());
        }
        let mut failure = self.failure(thread, Code::UnguardedAccess, span);
        failure.declared = Some(first.span);
        self.race(failure)
    }

    /// Whether an object is a semaphore: a run does not tell who has its permits.
    pub(super) fn is_semaphore(&self, object: usize) -> bool {
        let class = self.store.class_of(object);
        class.is_some_and(|class| {
            self.program().class(class).qualified.as_str() == crate::lower::SEMAPHORE
        })
    }

    /// The cell of an element that is inside of its array.
    pub(super) fn element(
        &mut self,
        thread: usize,
        (array, array_span): (&Value, Span),
        (index, index_span): (&Value, Span),
    ) -> Result<Cell, Stop> {
        let array = self.must_exist(thread, array, Some(array_span))?;
        let length = self.store.length(array);
        let (Some(length), Value::Int(index)) = (length, index) else {
            return Err(Stop::GiveUp("an element".to_owned()));
        };
        match usize::try_from(*index) {
            Ok(index) if index < length => Ok(Cell::Element(array, index)),
            _ => {
                let exception = "java.lang.ArrayIndexOutOfBoundsException";
                Err(self.fault(thread, Code::IndexOutOfRange, index_span, exception))
            }
        }
    }

    pub(super) fn read_element(
        &mut self,
        thread: usize,
        cell: &Cell,
        span: Span,
    ) -> Result<Value, Stop> {
        let Cell::Element(array, _) = cell else { return Ok(Value::Null) };
        self.access_element(thread, *array, (cell, false), span)?;
        if let Some(value) = self.store.get(cell) {
            return Ok(value.clone());
        }
        match &self.store.objects[*array] {
            Object::Array(ty, _) => Ok(Value::zero(ty)),
            _ => Err(Stop::GiveUp("an element".to_owned())),
        }
    }

    pub(super) fn write_element(
        &mut self,
        thread: usize,
        cell: Cell,
        (value, span): (Value, Span),
    ) -> Result<(), Stop> {
        let Cell::Element(array, _) = cell else { return Ok(()) };
        if let (Value::Ref(object), Object::Array(ty @ Ty::Class(_), _)) =
            (&value, &self.store.objects[array])
            && !self.has_type(*object, ty)
        {
            return Err(Stop::GiveUp("an array of another class".to_owned()));
        }
        self.access_element(thread, array, (&cell, true), span)?;
        if self.store.is_shared(array)
            && let Value::Ref(stored) = value
        {
            self.store.publish(stored);
        }
        self.store.put(cell, value);
        Ok(())
    }

    /// An access of an element of an array that others may know. Those of the library are not
    /// looked at for races: threads that exchange objects through them are taken to be ordered, and
    /// so they are where annotations say who writes elements.
    fn access_element(
        &mut self,
        thread: usize,
        array: usize,
        (cell, is_write): (&Cell, bool),
        span: Span,
    ) -> Result<(), Stop> {
        if self.is_starting || !self.store.is_shared(array) {
            return Ok(());
        }
        let method = self.frame(thread)?.method;
        let is_checked = method.is_some_and(|id| self.is_checked(self.program().method(id).class));
        if is_checked && !self.player.elements_are_ordered {
            return self.note_access(thread, cell, is_write, span);
        }
        self.acquire(thread, cell);
        if is_write {
            self.release(thread, cell);
        }
        Ok(())
    }

    /// `set place = value` of a ghost, or of anything.
    pub(super) fn set_ghost(
        &mut self,
        thread: usize,
        place: &Place,
        value: Value,
    ) -> Result<(), Stop> {
        let give_up = || Stop::GiveUp("a place of an annotation".to_owned());
        match place {
            Place::Local(local, _) => {
                let found =
                    self.frame(thread)?.locals.get_mut(local.index()).ok_or_else(give_up)?;
                *found = value;
            }
            Place::Field(object, field, _) => {
                let object = self.eval(object, &self.scope(thread, None));
                let object = object.and_then(|object| object.object()).ok_or_else(give_up)?;
                self.store.put(Cell::Field(object, *field), value);
            }
            Place::Static(field, _) => self.store.put(Cell::Static(*field), value),
            Place::Index(..) => return Err(give_up()),
            Place::MapAt(inner, key, _) => {
                let key = self.eval(key, &self.scope(thread, None)).ok_or_else(give_up)?;
                let cell = match &**inner {
                    Place::Field(object, field, _) => {
                        let object = self.eval(object, &self.scope(thread, None));
                        let object = object.and_then(|object| object.object());
                        Cell::Field(object.ok_or_else(give_up)?, *field)
                    }
                    Place::Static(field, _) => Cell::Static(*field),
                    _ => return Err(give_up()),
                };
                let (Cell::Field(_, field) | Cell::Static(field)) = &cell else {
                    return Err(give_up());
                };
                let zero = Value::zero(&self.program().field(*field).ty);
                let Value::Map(mut entries, other) = self.store.get(&cell).cloned().unwrap_or(zero)
                else {
                    return Err(give_up());
                };
                entries.insert(key, value);
                self.store.put(cell, Value::Map(entries, other));
            }
        }
        Ok(())
    }
}

fn cell(object: Option<usize>, field: FieldId) -> Cell {
    match object {
        Some(object) => Cell::Field(object, field),
        None => Cell::Static(field),
    }
}

/// Whether an expression is a certain field, of `this` or of a class.
fn is_field(expr: &Expr, field: FieldId) -> bool {
    match &expr.kind {
        ExprKind::Field(object, found) => *found == field && matches!(object.kind, ExprKind::This),
        ExprKind::Static(found) => *found == field,
        _ => false,
    }
}
