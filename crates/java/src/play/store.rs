//! The store of a run: objects, and one cell for everything that steps can change.

use crate::tree::Prim;
use crate::typed::{ClassId, FieldId, Ty};
use source::Name;
use std::collections::{BTreeMap, BTreeSet};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Null,
    Int(i128),
    Bool(bool),
    /// An object, by its place in [`Store::objects`].
    Ref(usize),
    /// A thread, in annotations.
    Thread(usize),
    /// Of ghosts.
    Set(BTreeSet<Value>),
    /// Of ghosts: entries, and the value of all others.
    Map(BTreeMap<Value, Value>, Box<Value>),
    /// A number with a fraction, whose value is not looked at.
    Fraction,
}

impl Value {
    /// The first value of a variable of a type.
    pub(super) fn zero(ty: &Ty) -> Self {
        match ty {
            Ty::Prim(Prim::Boolean) => Self::Bool(false),
            Ty::Prim(Prim::Float | Prim::Double) => Self::Fraction,
            Ty::Prim(_) => Self::Int(0),
            Ty::Map(_, value) => Self::Map(BTreeMap::new(), Box::new(Self::zero(value))),
            Ty::Set(_) => Self::Set(BTreeSet::new()),
            Ty::Void | Ty::Null | Ty::Class(_) | Ty::Array(_) | Ty::Unknown | Ty::Thread => {
                Self::Null
            }
        }
    }

    pub(super) fn int(&self) -> Option<i128> {
        if let Self::Int(value) = self { Some(*value) } else { None }
    }

    pub(super) fn bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    pub(super) fn object(&self) -> Option<usize> {
        if let Self::Ref(object) = self { Some(*object) } else { None }
    }
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Plain(ClassId),
    /// An array with this type of elements and this length.
    Array(Ty, usize),
    Text(Name),
    Boxed(Prim, Value),
    /// The object of a class.
    Class(Ty),
}

/// Something that a step can change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    Field(usize, FieldId),
    Static(FieldId),
    Element(usize, usize),
    /// The thread that holds the monitor of an object.
    Holder(usize),
    /// How often it entered.
    Depth(usize),
    /// How often a thread reads under a lock.
    Reads(usize, usize),
    /// Whether a thread was started.
    Started(usize),
    /// Whether others may know an object.
    Shared(usize),
}

/// Objects and cells, with the cells before the step that is under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub(super) objects: Vec<Object>,
    cells: BTreeMap<Cell, Value>,
    /// What the step changed so far: what was there before.
    changes: BTreeMap<Cell, Option<Value>>,
    texts: BTreeMap<Name, usize>,
    boxes: BTreeMap<(&'static str, Value), usize>,
    classes: BTreeMap<Ty, usize>,
}

impl Store {
    pub(super) fn get(&self, cell: &Cell) -> Option<&Value> {
        self.cells.get(cell)
    }

    /// The value before the step that is under way.
    pub(super) fn get_old(&self, cell: &Cell) -> Option<&Value> {
        match self.changes.get(cell) {
            Some(before) => before.as_ref(),
            None => self.cells.get(cell),
        }
    }

    pub(super) fn put(&mut self, cell: Cell, value: Value) {
        let before = self.cells.insert(cell.clone(), value);
        self.changes.entry(cell).or_insert(before);
    }

    /// The cells that the step changed, with their values before.
    pub(super) fn changes(&self) -> &BTreeMap<Cell, Option<Value>> {
        &self.changes
    }

    /// Ends a step.
    pub(super) fn commit(&mut self) {
        self.changes.clear();
    }

    /// Takes back what the step did.
    pub(super) fn roll_back(&mut self) {
        for (cell, before) in std::mem::take(&mut self.changes) {
            match before {
                Some(value) => self.cells.insert(cell, value),
                None => self.cells.remove(&cell),
            };
        }
    }

    pub(super) fn allocate(&mut self, object: Object) -> usize {
        self.objects.push(object);
        self.objects.len() - 1
    }

    /// The object of a text: the same for the same text, as for literals.
    pub(super) fn text(&mut self, text: &Name) -> usize {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let object = self.allocate(Object::Text(text.clone()));
        self.texts.insert(text.clone(), object);
        object
    }

    /// The object of a small value: the same for the same value, as Java keeps them.
    pub(super) fn boxed(&mut self, prim: Prim, value: Value) -> usize {
        let key = (prim.text(), value.clone());
        if let Some(known) = self.boxes.get(&key) {
            return *known;
        }
        let object = self.allocate(Object::Boxed(prim, value));
        self.boxes.insert(key, object);
        object
    }

    /// The object of a class.
    pub(super) fn class_object(&mut self, ty: &Ty) -> usize {
        if let Some(known) = self.classes.get(ty) {
            return *known;
        }
        let object = self.allocate(Object::Class(ty.clone()));
        self.classes.insert(ty.clone(), object);
        object
    }

    pub(super) fn known_class_object(&self, ty: &Ty) -> Option<usize> {
        self.classes.get(ty).copied()
    }

    pub(super) fn known_text(&self, text: &Name) -> Option<usize> {
        self.texts.get(text).copied()
    }

    pub(super) fn class_of(&self, object: usize) -> Option<ClassId> {
        match self.objects.get(object) {
            Some(Object::Plain(class)) => Some(*class),
            _ => None,
        }
    }

    pub(super) fn length(&self, object: usize) -> Option<usize> {
        match self.objects.get(object) {
            Some(Object::Array(_, length)) => Some(*length),
            _ => None,
        }
    }

    /// Whether others may know an object. Values that never change are known to all.
    pub(super) fn is_shared(&self, object: usize) -> bool {
        match self.objects.get(object) {
            Some(Object::Text(_) | Object::Boxed(..) | Object::Class(_)) => true,
            _ => self.get(&Cell::Shared(object)) == Some(&Value::Bool(true)),
        }
    }

    pub(super) fn was_shared(&self, object: usize) -> bool {
        match self.objects.get(object) {
            Some(Object::Text(_) | Object::Boxed(..) | Object::Class(_)) => true,
            _ => self.get_old(&Cell::Shared(object)) == Some(&Value::Bool(true)),
        }
    }

    /// Makes an object known to others, with all that hangs on it.
    pub(super) fn publish(&mut self, object: usize) {
        let mut rest = vec![object];
        while let Some(object) = rest.pop() {
            if self.is_shared(object) {
                continue;
            }
            self.put(Cell::Shared(object), Value::Bool(true));
            let first = Cell::Field(object, FieldId(0));
            let last = Cell::Field(object, FieldId(u32::MAX));
            rest.extend(self.cells.range(first..=last).filter_map(|(_, value)| value.object()));
            let (first, last) = (Cell::Element(object, 0), Cell::Element(object, usize::MAX));
            rest.extend(self.cells.range(first..=last).filter_map(|(_, value)| value.object()));
        }
    }

    /// The thread that holds the monitor of an object.
    pub(super) fn holder(&self, object: usize) -> Option<usize> {
        match self.get(&Cell::Holder(object)) {
            Some(Value::Thread(thread)) => Some(*thread),
            _ => None,
        }
    }

    pub(super) fn depth(&self, object: usize) -> i128 {
        self.get(&Cell::Depth(object)).and_then(Value::int).unwrap_or(0)
    }

    /// How often a thread reads under a lock.
    pub(super) fn reads(&self, lock: usize, thread: usize) -> i128 {
        self.get(&Cell::Reads(lock, thread)).and_then(Value::int).unwrap_or(0)
    }

    pub(super) fn set_monitor(&mut self, object: usize, holder: Option<usize>, depth: i128) {
        self.put(Cell::Holder(object), holder.map_or(Value::Null, Value::Thread));
        self.put(Cell::Depth(object), Value::Int(depth));
    }
}
